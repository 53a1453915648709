// What organisers did about a table, for everybody: a result that was set, and games that count for nothing.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { list, minute, ordinal, person, sentence, whole } from "../words.js";
import { entrantName } from "./words.js";

/** @typedef {import("../types.d.ts").RoundTable} RoundTable */
/** @typedef {NonNullable<RoundTable["result"]>} TableResult */

/** @param {RoundTable} table */
export function toldOf(table) {
  const { result, earlier_games: earlier } = table;
  return [
    result !== null && [
      h("div", { class: "wait" }, t("Result set: {result}.", { result: resultOf(table, result) })),
      h("div", null, sentence(result.reason)),
      h("div", { class: "quiet" }, `${person(result.by)}, ${minute(result.at)}`),
    ],
    earlier.length > 0 &&
      h(
        "div",
        { class: "quiet" },
        t("Played once more. What does not count:"),
        earlier.map((game, at) => [" ", earlierGame(game, at, earlier.length)]),
      ),
  ];
}

/** @param {string} game @param {number} at @param {number} all */
function earlierGame(game, at, all) {
  const title = all === 1 ? t("the earlier game") : t("game {number}", { number: at + 1 });
  return h("a", { href: `/games/${game}` }, title);
}

/** "1st Ann (30), 2nd Ben (7)". @param {RoundTable} table @param {TableResult} result */
export function resultOf({ players }, { places, scores }) {
  const seats = places.map((place, seat) => ({ place, seat })).sort((a, b) => a.place - b.place || a.seat - b.seat);
  return list(
    seats.map(
      ({ place, seat }) => `${ordinal(place)} ${entrantName(players[seat] ?? null)} (${whole(scores[seat] ?? 0)})`,
    ),
  );
}
