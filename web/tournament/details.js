// What is told about a tournament: what it is, where and when it is played, the prizes, and when players can enter.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { sentence } from "../words.js";
import { HERE, readsIn, zoneName, zoneOf } from "../zones.js";
import { conditionsOf } from "./conditions.js";
import { resultMeaning, scoreMeaning } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Child} Child */

/** @param {Model} model */
export function details({ tournament }) {
  const { details: told, status } = tournament;
  const isOpen = status === "open";
  /** @type {[string, Child][]} */
  const facts = [
    [t("Where"), told.venue],
    [t("Begins"), time(told.starts_at, told.time_zone)],
    [t("Entry from"), isOpen && time(told.registration_opens_at, told.time_zone)],
    [t("Entry until"), isOpen && time(told.registration_closes_at, told.time_zone)],
    [t("Conditions of entry"), conditionsOf(tournament)],
    [t("Prize of the winner"), prize(told.result_prize, resultMeaning(tournament))],
    [t("The other prize"), prize(told.score_prize, scoreMeaning(tournament))],
  ];
  const shown = facts.filter(([, what]) => what !== null && what !== false);
  if (told.description === null && shown.length === 0) return null;
  return h(
    "section",
    { class: "told", "data-key": "details", "aria-label": t("About the tournament") },
    told.description !== null && h("p", { class: "asis" }, told.description),
    shown.length > 0 &&
      h(
        "dl",
        { class: "facts" },
        shown.map(([name, what]) => [h("dt", null, name), h("dd", null, what)]),
      ),
  );
}

/** @param {string | null} what @param {string} meaning */
function prize(what, meaning) {
  return what === null ? null : [what, h("div", { class: "small quiet" }, sentence(meaning))];
}

/** There, and where the reader is. @param {string | null} at @param {string | null} place */
function time(at, place) {
  if (at === null) return null;
  const zone = zoneOf(place);
  const [there, here] = [readsIn(at, zone), readsIn(at, HERE)];
  return [
    h("time", { datetime: at }, there),
    h("span", { class: "quiet" }, ` (${zoneName(zone)})`),
    here !== there &&
      h("div", { class: "small quiet" }, t("Where you are: {time} ({zone})", { time: here, zone: zoneName(HERE) })),
  ];
}
