// The crosstable: what each entrant got in each round, in the order of the standings. It is loaded once it is opened.

import { get } from "../api.js";
import { h, update } from "../dom.js";
import { listRow, listTable } from "../pages/list.js";
import { working } from "../pages/play.js";
import { t } from "../texts.js";
import { fine, list, trouble, whole } from "../words.js";
import { isArena } from "./model.js";
import { entrantName, resultName, resultText } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Schemas["CrosstableRow"]} Row */
/** @typedef {import("../types.d.ts").Schemas["CrosstableCell"]} Cell */
/** @typedef {import("../types.d.ts").Schemas["Crosstable"]} Page */

/** So many rows are drawn, and so many more when somebody asks for more. */
const STEP = 100;

/** @param {Model} model @param {AbortSignal} signal */
export function makeCrosstable(model, signal) {
  const place = h("div");
  const node = h(
    "details",
    { class: "crosstable", ontoggle: () => draw() },
    h("summary", null, t("Round by round")),
    place,
  );
  let wanted = STEP;
  /** The standings that the table was drawn for. @type {Model["standings"] | null} */
  let drawn = null;
  let newest = 0;
  const load = async () => {
    const nth = ++newest;
    drawn = model.standings;
    const [rows, isAll] = await loadRows(model.tournament.id, wanted, signal);
    // An older answer may come later.
    if (signal.aborted || nth !== newest) return;
    const more = async () => {
      wanted += STEP;
      await load();
    };
    update(
      place,
      h(
        "p",
        { class: "small quiet" },
        t("What each got in each round. A figure leads to its table."),
        model.tournament.setup.duplicate &&
          ` ${t("Below it stands the score at the table, and in brackets the mean of those who had the same cards.")}`,
      ),
      table(model, rows),
      !isAll && h("div", { class: "below" }, working(t("More"), more)),
    );
  };
  const draw = () => {
    node.hidden = model.tournament.round === 0;
    if (node.hidden || !node.open || drawn === model.standings) return;
    const asked = model.standings;
    load().catch((error) => {
      if (signal.aborted || drawn !== asked) return;
      drawn = null;
      update(place, h("p", { class: "refusal" }, trouble(error)));
    });
  };
  return { node, draw };
}

/** @param {string} id @param {number} wanted @param {AbortSignal} signal @returns {Promise<[Row[], boolean]>} */
async function loadRows(id, wanted, signal) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {number | null} */
  let next = 0;
  while (next !== null && rows.length < wanted) {
    const path = `/v1/tournaments/${id}/crosstable?limit=${STEP}&cursor=${next}`;
    /** @type {Page} */
    const page = await get(path, { signal });
    rows.push(...page.items);
    next = page.next;
  }
  return [rows, next === null];
}

/** The cells of a row: one for each round, or in an arena for each game. @param {Model} model @param {Row} row @param {number} columns */
function cellsOf({ tournament }, row, columns) {
  return Array.from({ length: columns }, (_, at) =>
    isArena(tournament) ? row.rounds[at] : row.rounds.find(({ round }) => round === at + 1),
  );
}

/** @param {Model} model @param {Row[]} rows */
function table(model, rows) {
  const { tournament } = model;
  const games = Math.max(0, ...rows.map((row) => row.rounds.length));
  const columns = isArena(tournament) ? games : tournament.round;
  const numbers = Array.from({ length: columns }, (_, at) => at + 1);
  const names = new Map(model.standings.map((one) => [one.entrant, entrantName(one.player)]));
  const heads = numbers.map((round) => /** @type {[string, string]} */ ([String(round), "number"]));
  return listTable(
    [[t("Place"), "number place"], [t("Name")], ...heads, [resultName(tournament), "number"]],
    rows.map((row) =>
      listRow(
        { key: String(row.entrant), class: row.entrant === tournament.you?.entrant ? "mine" : "" },
        [row.place ?? "–", "number place"],
        [entrantName(row.player), "name"],
        ...cellsOf(model, row, columns).map((cell) => {
          return /** @type {[import("../dom.js").Child, string]} */ ([figure(model, cell, names), "number"]);
        }),
        [resultText(tournament, row.result), "number"],
      ),
    ),
  );
}

/** What somebody got in a round. @param {Model} model @param {Cell | undefined} cell @param {Map<number, string>} names */
function figure({ tournament }, cell, names) {
  if (cell === undefined) return "";
  if (cell.game === null || cell.table === null) return h("span", { class: "quiet small" }, t("bye"));
  const text = cell.result === null ? "–" : resultText(tournament, cell.result);
  const opponents = list(cell.opponents.flatMap((one) => names.get(one) ?? []));
  const where = `${t("round {round}, table {table}", { round: cell.round, table: cell.table })}, ${opponents}`;
  const { table_score: score, same_cards_mean: mean } = cell;
  const hasLuck = score !== null && mean !== null;
  const luck = hasLuck ? t("scored {score}, others with the same cards {mean}", { score, mean: fine(mean) }) : "";
  const told = [where, luck].filter((part) => part !== "").join("; ");
  const props = {
    class: "button bare figure",
    href: `/games/${cell.game}`,
    title: told,
    "aria-label": `${text}: ${told}`,
  };
  return [
    h("a", props, text),
    // It is said with the figure already.
    hasLuck && h("div", { class: "small quiet", "aria-hidden": true }, `${whole(score)} (${fine(mean)})`),
  ];
}
