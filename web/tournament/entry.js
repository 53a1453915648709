// My part in a tournament: enter it, withdraw, and the way to my table.

import { del, post } from "../api.js";
import { fill, h } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { working } from "../pages/play.js";
import * as session from "../session.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {(now: Tournament) => void} Apply */

/** @param {Model} model @param {Apply} apply @param {string} invite */
export function makeEntry(model, apply, invite) {
  const node = h("div", { class: "noprint" });
  let drawn = "";
  const draw = () => {
    const { status, you, setup } = model.tournament;
    // What somebody has typed stays, so it is drawn anew only when something differs.
    const now = JSON.stringify([status, you, setup.admission.type, session.account()?.username]);
    if (now === drawn) return;
    drawn = now;
    fill(node, you === null ? entering(model, apply, invite) : entered(model, apply));
  };
  return { node, draw };
}

/** @param {Model} model @param {Apply} apply @param {string} invite */
function entering({ tournament, isOrganiser }, apply, invite) {
  if (tournament.status !== "open") return null;
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
      { class: "panel row apart", "aria-label": "Enter" },
      h("p", null, "Do you play, too?"),
      working("Enter it myself", enter),
    );
  const guest = session.account() === null ? "You enter as a guest if you do not sign in. " : "";
  return h(
    "section",
    { class: "panel", "aria-label": "Enter" },
    form(
      { send: "Enter", work: enter },
      needsInvite && field("e-invite", "Invite", code, "Whoever organises the tournament has it."),
      h("p", { class: "quiet" }, `${guest}You play in every round until you withdraw or are out.`),
      h(
        "details",
        null,
        h("summary", null, "A word of your own for the shuffles"),
        field(
          "e-seed",
          "Your word",
          seed,
          "It goes into the shuffles at your tables, and anybody can check that it did.",
        ),
      ),
    ),
  );
}

/** @param {Model} model @param {Apply} apply */
function entered({ tournament }, apply) {
  const { you, status } = tournament;
  if (you === null || status === "finished" || status === "aborted") return null;
  if (you.disqualified) return h("p", { class: "panel bad" }, "You were disqualified.");
  const again =
    status === "open"
      ? "You may enter again until the start."
      : "You are not seated again, and the clock plays for you at a running table. Your results stay.";
  const ask = () => {
    const leave = async () => {
      apply(/** @type {Tournament} */ (await del(`/v1/tournaments/${tournament.id}/entries/me`)));
      box.close();
    };
    const box = dialog(
      "Withdraw?",
      form({ send: "Withdraw", work: leave, cancel: () => box.close() }, h("p", null, again)),
    );
  };
  if (you.withdrawn) return h("p", { class: "panel quiet" }, "You have withdrawn. Your results stay.");
  const words =
    status === "open"
      ? "You have entered. Your table opens when the tournament starts."
      : you.game === null
        ? "You have no table in this round."
        : "Your table is being played.";
  return h(
    "section",
    { class: "panel row apart", "aria-label": "My part" },
    h("p", null, words),
    h(
      "div",
      { class: "row" },
      you.game !== null && h("a", { class: "button likely", href: `/games/${you.game}` }, "To my table"),
      h("button", { class: "bare", onclick: ask }, "Withdraw"),
    ),
  );
}
