// The waiting list: where the reader stands in it, and letting in whoever got no place by the start.

import { post } from "../api.js";
import { fill, h } from "../dom.js";
import { working } from "../pages/play.js";
import { t } from "../texts.js";
import { count } from "../words.js";
import { loadEntrants } from "./check_in.js";
import { entrantName } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */

/** Whether whoever enters now has to wait for a place. @param {Tournament} tournament */
export function wouldWait({ status, setup, entrants }) {
  const { admission } = setup;
  return (
    status === "open" && admission.type === "limited" && admission.waiting_list === true && entrants >= admission.max
  );
}

/** That the reader waits, and how many are before them, where that is known for sure. @param {Model} model */
export function waitsText({ tournament, standings }) {
  if (tournament.status !== "open") return t("You got no place by the start. An organiser can let you in.");
  const waiting = standings.filter((one) => one.status === "waiting").map((one) => one.entrant);
  const me = tournament.you?.entrant ?? -1;
  // The standings are loaded apart, and may be older or newer.
  if (waiting.length !== tournament.waiting || !waiting.includes(me)) return t("You wait for a place.");
  const before = waiting.filter((entrant) => entrant < me).length;
  return before === 0
    ? t("You wait for a place. The next one that becomes free is yours.")
    : count(before, "You wait for a place. {n} is before you.", "You wait for a place. {n} are before you.");
}

/**
 * Those who got no place, at the desk of a running tournament. The standings do not have them.
 * @param {Model} model @param {(now: Tournament) => void} apply @param {AbortSignal} signal
 */
export function makeWaiting(model, apply, signal) {
  const rows = h("ul", { class: "plain lines" });
  const total = h("span", { class: "quiet small" });
  const node = h("details", { hidden: true }, h("summary", null, t("Got no place"), " ", total), rows);
  let loaded = -1;
  const load = async () => {
    const all = (await loadEntrants(model.tournament, signal)).filter(({ waiting }) => waiting);
    total.textContent = String(all.length);
    fill(
      rows,
      all.map(({ player }) => {
        const path = `/v1/tournaments/${model.tournament.id}/entries/${encodeURIComponent(player)}/reinstate`;
        const letIn = async () => apply(/** @type {Tournament} */ (await post(path)));
        const name = entrantName(player);
        return h("li", { "data-key": player }, h("span", null, name), working(t("Let in"), letIn, ""));
      }),
    );
  };
  const draw = () => {
    const { waiting, version } = model.tournament;
    node.hidden = waiting === 0;
    if (node.hidden || version === loaded) return;
    loaded = version;
    void load().catch(() => {
      loaded = -1;
    });
  };
  return { node, draw };
}
