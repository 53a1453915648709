// What counts in a new tournament: who wins it, and the other prize.

import { h } from "../dom.js";
import { field, numberInput, tick } from "../fields.js";
import { select } from "./new_game.js";
import { t } from "../texts.js";

/** @typedef {import("../types.d.ts").KindSummary} KindSummary */
/** @typedef {import("../types.d.ts").KindText} KindText */
/** @typedef {import("../types.d.ts").NewTournament} NewTournament */
/** @typedef {NonNullable<NewTournament["scoring"]>} Scoring */
/** @typedef {NonNullable<NewTournament["result_by"]>} Result */

/** Points for places that a form begins with. */
const PLACES = "5, 3, 2, 1";

/** @param {KindSummary} kind @param {KindText} told */
export function countingFields(kind, told) {
  const hasChips = isForChips(kind);
  const won = resultFields(hasChips);
  const scored = scoringFields(hasChips, told.hands ?? []);
  return {
    node: h("details", null, h("summary", null, t("What counts")), won.node, scored.node),
    follow: won.follow,
    /** @returns {Partial<NewTournament>} */
    read() {
      const [result, scoring] = [won.read(), scored.read()];
      return { ...(result === null ? {} : { result_by: result }), ...(scoring === null ? {} : { scoring }) };
    },
  };
}

/** Kinds that are played for chips have them at the start. @param {KindSummary} kind */
export function isForChips(kind) {
  return Object.hasOwn(/** @type {object} */ (kind.options_schema.properties ?? {}), "buy_in");
}

/** @param {boolean} hasChips */
function resultFields(hasChips) {
  const result = select(
    "t-result",
    [
      ["", t("As usual for the game")],
      .../** @type {[string, string][]} */ (hasChips ? [["chips", t("Chips won and lost")]] : []),
      ["places", t("Share of opponents beaten")],
      ["placing_points", t("Points for places")],
    ],
    "",
  );
  const points = h("input", {
    id: "t-points",
    value: PLACES,
    inputmode: "text",
    pattern: "\\s*\\d+(\\s*,\\s*\\d+)*\\s*",
  });
  const ofPoints = field("t-points", t("Points, the first place's first"), points);
  const show = () => {
    ofPoints.hidden = result.value !== "placing_points";
    points.disabled = ofPoints.hidden;
  };
  result.onchange = show;
  show();
  const ofResult = field("t-result", t("Who wins the tournament"), result);
  return {
    node: [ofResult, ofPoints],
    /** Chips decide a freezeout. @param {NewTournament["format"]} format */
    follow({ type }) {
      ofResult.hidden = result.disabled = type === "freezeout";
      if (result.disabled) result.value = "";
      show();
    },
    /** @returns {Result | null} */
    read() {
      if (result.value === "chips") return { type: "chips" };
      if (result.value === "places") return { type: "places" };
      if (result.value !== "placing_points") return null;
      return { type: "placing_points", points: points.value.split(",").map(Number) };
    },
  };
}

/** What the other prize of Knights' Heads can be. @type {[string, string][]} */
const OF_HANDS = [
  ["courts_of_knights", t("Courts of knights that were shown")],
  ["winning_hands", t("Hands won")],
  ["weighted_hands", t("Hands won, the higher the more")],
  ["hand_table", t("Hands won, with points of your own")],
];

/** @param {boolean} hasChips @param {NonNullable<KindText["hands"]>} hands */
function scoringFields(hasChips, hands) {
  const scoring = select(
    "t-scoring",
    [
      ["", t("As usual for the game")],
      ["places", t("A point for each opponent beaten")],
      .../** @type {[string, string][]} */ (hasChips ? [["chips", t("Chips won and lost")]] : []),
      ...(hands.length > 0 ? OF_HANDS : []),
    ],
    "",
  );
  const court = tick("t-court", t("Nothing counts before a player has shown a court of knights"));
  const rows = hands.map((hand) => ({
    name: hand.name,
    title: hand.title,
    input: numberInput(`t-h-${hand.name}`, 0, 0, 1000),
  }));
  const table = h(
    "div",
    { class: "pointtable" },
    rows.map((row) => field(row.input.id, row.title, row.input)),
  );
  const show = () => {
    court.node.hidden = !["winning_hands", "weighted_hands", "hand_table"].includes(scoring.value);
    table.hidden = scoring.value !== "hand_table";
    for (const row of rows) row.input.disabled = table.hidden;
  };
  scoring.onchange = show;
  show();
  return {
    node: [field("t-scoring", t("The other prize"), scoring), court.node, table],
    /** @returns {Scoring | null} */
    read() {
      const requires_court_of_knights = court.box.checked;
      switch (scoring.value) {
        case "places":
        case "chips":
        case "courts_of_knights":
          return { type: scoring.value };
        case "winning_hands":
        case "weighted_hands":
          return { type: scoring.value, requires_court_of_knights };
        case "hand_table": {
          const points = Object.fromEntries(
            rows.map((row) => [row.name, Number(row.input.value)]).filter(([, value]) => value !== 0),
          );
          return { type: "hand_table", points, requires_court_of_knights };
        }
        default:
          return null;
      }
    },
  };
}
