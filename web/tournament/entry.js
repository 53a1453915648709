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
import { isCheckInOpen, myCheckIn } from "./check_in.js";
import { isEntryOpen, registration } from "./model.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {(now: Tournament) => void} Apply */

/** @param {Model} model @param {Apply} apply @param {string} invite */
export function makeEntry(model, apply, invite) {
  const node = h("div", { class: "noprint" });
  let drawn = "";
  const draw = () => {
    const { status, you, setup, details } = model.tournament;
    // What somebody has typed stays, so it is drawn anew only when something differs.
    const now = JSON.stringify([
      status,
      isEntryOpen(model.tournament),
      registration(model.tournament),
      isCheckInOpen(model.tournament),
      details,
      you,
      isSet(model.tournament),
      isPaused(model.tournament),
      setup.admission.type,
      session.account()?.username,
      you === null ? [] : ownCalls(model.calls ?? [], you.player),
    ]);
    if (now === drawn) return;
    drawn = now;
    fill(node, you === null ? entering(model, apply, invite) : entered(model, apply));
  };
  return { node, draw };
}

/** @param {Model} model @param {Apply} apply @param {string} invite */
function entering({ tournament, isOrganiser }, apply, invite) {
  if (!isEntryOpen(tournament)) return null;
  // Organisers of a running tournament enter anybody at their desk, themselves too.
  if (isOrganiser && tournament.status === "active") return null;
  const closed = isOrganiser ? "" : notOpen(tournament);
  if (closed !== "") return h("p", { class: "panel quiet" }, closed);
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
      ...(seed.value === "" ? {} : { client_seed: seed.value }),
    };
    apply(/** @type {Tournament} */ (await post(`/v1/tournaments/${tournament.id}/entries`, data)));
  };
  if (isOrganiser)
    return h(
      "section",
      { class: "panel row apart", "aria-label": t("Enter") },
      h("p", null, t("Do you play, too?")),
      working(t("Enter it myself"), enter),
    );
  const guest = session.account() === null ? `${t("You enter as a guest if you do not sign in.")} ` : "";
  return h(
    "section",
    { class: "panel", "aria-label": t("Enter") },
    form(
      { send: t("Enter"), work: enter },
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

/** Why nobody can enter now; empty where they can. @param {Tournament} tournament */
function notOpen(tournament) {
  const { status, details } = tournament;
  const { registration_opens_at: opens } = details;
  const open = status === "open" ? registration(tournament) : "open";
  if (open === "closed") return t("The time to enter is over.");
  if (open === "open" || opens === null) return "";
  return t("You can enter from {time} on.", { time: readsIn(opens, zoneOf(details.time_zone)) });
}

/** Whether an organiser has set the result of my table. @param {Tournament} tournament */
function isSet(tournament) {
  return myTable(tournament)?.result != null;
}

/** Whether the clock of my table stands. @param {Tournament} tournament */
function isPaused(tournament) {
  return myTable(tournament)?.paused === true;
}

/** @param {Tournament} tournament */
function myTable({ rounds, you }) {
  return rounds.at(-1)?.tables.find((table) => table.game === you?.game);
}

/** What entering means. @param {Tournament} tournament */
function playing({ status, setup }) {
  if (status === "open") return t("You play in every round until you withdraw or are out.");
  const missed =
    setup.late_entry?.missed === "mean"
      ? t("The rounds that you missed count the mean of your games.")
      : t("The rounds that you missed count nothing.");
  return `${t("You play from the next round on, until you withdraw.")} ${missed}`;
}

/** @param {Model} model @param {Apply} apply */
function entered({ tournament, calls }, apply) {
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
  const checkIn = myCheckIn(tournament, apply);
  const words =
    checkIn !== null
      ? checkIn.text
      : status === "open"
        ? t("You have entered. Your table opens when the tournament starts.")
        : you.game === null
          ? t("You have no table in this round.")
          : isSet(tournament)
            ? t("An organiser has set the result of your table.")
            : isPaused(tournament)
              ? t("The organiser has stopped the clocks.")
              : t("Your table is being played.");
  const own = ownCalls(calls ?? [], you.player);
  const call = () => callReferee(tournament.id, apply);
  const section = h(
    "section",
    { class: "panel row apart", "aria-label": t("My part") },
    h("p", null, words),
    h(
      "div",
      { class: "row" },
      checkIn?.button,
      you.game !== null && h("a", { class: "button likely", href: `/games/${you.game}` }, t("To my table")),
      status === "active" && mayCall(own) && h("button", { class: "bare", onclick: call }, t("Call a referee")),
      !you.absent && h("button", { class: "bare", onclick: ask }, t("Withdraw")),
    ),
  );
  return [section, ownCallsList(own)];
}
