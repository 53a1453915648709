// My part in a tournament: enter it, withdraw, and the way to my table.

import { del, post } from "../api.js";
import { fill, h } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { working } from "../pages/play.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { readsIn, zoneOf } from "../zones.js";
import { callReferee, mayCall, ownCalls, ownCallsList } from "./calls.js";
import { isCheckInOpen, missedRound, myCheckIn } from "./check_in.js";
import { isForAccounts, orWhyNot } from "./conditions.js";
import { isArena, isEntryOpen, myTable, registration, reload } from "./model.js";
import { teamField } from "./teams.js";
import { waitsText, wouldWait } from "./waiting.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {(now: Tournament) => void} Apply */

/** @param {Model} model @param {Apply} apply @param {string} invite */
export function makeEntry(model, apply, invite) {
  const node = h("div", { class: "noprint" });
  const team = teamField("e-team");
  let drawn = "";
  const draw = () => {
    const { status, you, setup, details } = model.tournament;
    team.draw(model);
    // What somebody has typed stays, so it is drawn anew only when something differs.
    const now = JSON.stringify([
      status,
      isEntryOpen(model.tournament),
      registration(model.tournament),
      isCheckInOpen(model.tournament),
      details,
      you,
      missedRound(model),
      isSet(model),
      isPaused(model),
      setup.admission.type,
      model.isDirector,
      wouldWait(model.tournament),
      you?.waiting === true && waitsText(model),
      // Who enters becomes a guest by it, and reads in the same form why that was refused.
      session.account()?.guest === false && session.account()?.username,
      you === null ? [] : ownCalls(model.calls ?? [], you.player),
    ]);
    if (now === drawn) return;
    drawn = now;
    fill(node, you === null ? entering(model, apply, invite, team) : entered(model, apply));
  };
  return { node, draw };
}

/** @param {Model} model @param {Apply} apply @param {string} invite @param {ReturnType<typeof teamField>} team */
function entering({ tournament, isOrganiser, isDirector }, apply, invite, team) {
  if (!isEntryOpen(tournament)) return null;
  // Directors of a running tournament enter anybody at their desk, themselves too.
  if (isDirector && tournament.status === "active") return null;
  const closed = isOrganiser ? "" : notOpen(tournament);
  if (closed !== "") return h("p", { class: "panel quiet" }, closed);
  if (!isOrganiser && isForAccounts(tournament) && session.account()?.guest !== false) return accountNeeded();
  const hasTeams = tournament.setup.teams !== null;
  const needsInvite = tournament.setup.admission.type === "invite";
  const code = h("input", {
    id: "e-invite",
    autocomplete: "off",
    required: needsInvite,
    value: invite || (tournament.invite ?? ""),
  });
  const seed = h("input", { id: "e-seed", maxlength: 64, autocomplete: "off" });
  const enter = async () => {
    await session.ensure();
    const data = {
      ...(needsInvite ? { invite: code.value.trim() } : {}),
      ...(hasTeams ? { team: team.read() } : {}),
      ...(seed.value === "" ? {} : { client_seed: seed.value }),
    };
    await orWhyNot(async () => {
      apply(/** @type {Tournament} */ (await post(`/v1/tournaments/${tournament.id}/entries`, data)));
    });
  };
  if (isOrganiser) return playingToo(wouldWait(tournament), enter, hasTeams ? team.node : null);
  const guest = session.account() === null ? `${t("You enter as a guest if you do not sign in.")} ` : "";
  return h(
    "section",
    { class: "panel", "aria-label": t("Enter") },
    form(
      { send: wouldWait(tournament) ? t("Wait for a place") : t("Enter"), work: enter },
      wouldWait(tournament) && h("p", { class: "wait" }, t("All places are taken. You wait until one becomes free.")),
      hasTeams && team.node,
      needsInvite && field("e-invite", t("Invite"), code, t("Whoever organises the tournament has it.")),
      h("p", { class: "quiet" }, guest + playing(tournament)),
      h(
        "details",
        null,
        h("summary", null, t("A word of your own for the shuffles")),
        field(
          "e-seed",
          t("Your word"),
          seed,
          t("It goes into the shuffles at your tables, and anybody can check that it did."),
        ),
      ),
    ),
  );
}

/** An organiser may play, too. @param {boolean} waits @param {() => Promise<void>} enter @param {import("../types.d.ts").Child} team */
function playingToo(waits, enter, team) {
  const title = waits ? t("Wait for a place") : t("Enter it myself");
  if (team === null)
    return h(
      "section",
      { class: "panel row apart", "aria-label": t("Enter") },
      h("p", null, t("Do you play, too?")),
      working(title, enter),
    );
  return h(
    "details",
    { class: "panel" },
    h("summary", null, t("Do you play, too?")),
    form({ send: title, className: "", work: enter }, team),
  );
}

function accountNeeded() {
  return h(
    "p",
    { class: "panel" },
    t("Only players with an account can enter it."),
    " ",
    h("a", { href: "/me" }, t("Sign in or make an account.")),
  );
}

/** Why nobody can enter now; empty where they can. @param {Tournament} tournament */
function notOpen(tournament) {
  const { status, details } = tournament;
  const { registration_opens_at: opens } = details;
  const open = status === "open" ? registration(tournament) : "open";
  if (open === "closed") return t("The time to enter is over.");
  if (open === "open" || opens === null) return "";
  return t("You can enter from {time} on.", { time: readsIn(opens, zoneOf(details.time_zone)) });
}

/** Whether an organiser has set the result of my table. @param {Model} model */
function isSet(model) {
  return myTable(model)?.result != null;
}

/** Whether the clock of my table stands. @param {Model} model */
function isPaused(model) {
  return myTable(model)?.paused === true;
}

/** What entering means. @param {Tournament} tournament */
function playing(tournament) {
  const { status, setup } = tournament;
  if (isArena(tournament)) return t("You get a table as soon as one is free, until the time is up.");
  if (status === "open") return t("You play in every round until you withdraw or are out.");
  const missed =
    setup.late_entry?.missed === "mean"
      ? t("The rounds that you missed count the mean of your games.")
      : t("The rounds that you missed count nothing.");
  return `${t("You play from the next round on, until you withdraw.")} ${missed}`;
}

/** @param {Model} model @param {Apply} apply */
function entered(model, apply) {
  const { tournament, calls } = model;
  const { you, status } = tournament;
  if (you === null || status === "finished" || status === "aborted") return null;
  if (you.disqualified) return h("p", { class: "panel bad" }, t("You were disqualified."));
  const again =
    status === "open"
      ? t("You may enter again until the start.")
      : t("You are not seated again, and the clock plays for you at a running table. Your results stay.");
  const ask = () => {
    const leave = async () => {
      apply(/** @type {Tournament} */ (await del(`/v1/tournaments/${tournament.id}/entries/me`)));
      box.close();
    };
    const box = dialog(
      t("Withdraw?"),
      form({ send: t("Withdraw"), work: leave, cancel: () => box.close() }, h("p", null, again)),
    );
  };
  if (you.withdrawn) return h("p", { class: "panel quiet" }, t("You have withdrawn. Your results stay."));
  if (you.waiting && status !== "open") return h("p", { class: "panel quiet" }, waitsText(model));
  const checkIn = myCheckIn(model, apply);
  const words = checkIn?.text ?? partText(model);
  const own = ownCalls(calls ?? [], you.player);
  const call = () => callReferee(tournament.id, () => void reload(tournament.id, apply));
  const section = h(
    "section",
    { class: "panel row apart", "aria-label": t("My part") },
    h(
      "div",
      null,
      you.waiting && h("p", { class: "wait" }, waitsText(model)),
      (!you.waiting || checkIn) && h("p", null, words),
    ),
    h(
      "div",
      { class: "row" },
      checkIn?.button,
      you.game !== null && h("a", { class: "button likely", href: `/games/${you.game}` }, t("To my table")),
      status === "active" && mayCall(own) && h("button", { class: "bare", onclick: call }, t("Call a referee")),
      h("button", { class: "bare", onclick: ask }, t("Withdraw")),
    ),
  );
  return [section, ownCallsList(own)];
}

/** Where I am in it. @param {Model} model */
function partText(model) {
  const { tournament } = model;
  const { you, status } = tournament;
  if (status === "open") {
    if (you?.team == null) return t("You have entered. Your table opens when the tournament starts.");
    return t("You have entered for {team}. Your table opens when the tournament starts.", { team: you.team });
  }
  if (isArena(tournament)) return t("The time is up. Games that run are played to their end, and count.");
  if (you?.game == null) return t("You have no table in this round.");
  if (isSet(model)) return t("An organiser has set the result of your table.");
  return isPaused(model) ? t("The organiser has stopped the clocks.") : t("Your table is being played.");
}
