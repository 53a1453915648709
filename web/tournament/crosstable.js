// The crosstable: what each entrant got in each round, in the order of the standings. It is loaded once it is opened.

import { get } from "../api.js";
import { h, update } from "../dom.js";
import { listRow, listTable } from "../pages/list.js";
import { working } from "../pages/play.js";
import { t } from "../texts.js";
import { list, trouble } from "../words.js";
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
  const load = async () => {
    drawn = model.standings;
    const [rows, isAll] = await loadRows(model.tournament.id, wanted, signal);
    if (signal.aborted) return;
    const more = async () => {
      wanted += STEP;
      await load();
    };
    update(
      place,
      h("p", { class: "small quiet" }, t("What each got in each round. A figure leads to its table.")),
      table(model, rows),
      !isAll && h("div", { class: "below" }, working(t("More"), more)),
    );
  };
  const draw = () => {
    node.hidden = model.tournament.rounds.length === 0;
    if (node.hidden || !node.open || drawn === model.standings) return;
    load().catch((error) => {
      drawn = null;
      if (!signal.aborted) update(place, h("p", { class: "refusal" }, trouble(error)));
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

/** @param {Model} model @param {Row[]} rows */
function table(model, rows) {
  const { tournament } = model;
  const numbers = tournament.rounds.map(({ round }) => round);
  const names = new Map(model.standings.map((one) => [one.entrant, entrantName(one.player)]));
  const heads = numbers.map((round) => /** @type {[string, string]} */ ([String(round), "number"]));
  return listTable(
    [[t("Place"), "number place"], [t("Name")], ...heads, [resultName(tournament), "number"]],
    rows.map((row) =>
      listRow(
        { key: String(row.entrant), class: row.entrant === tournament.you?.entrant ? "mine" : "" },
        [row.place ?? "–", "number place"],
        [entrantName(row.player), "name"],
        ...numbers.map((round) => {
          const cell = row.rounds.find((one) => one.round === round);
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
  const told = `${t("round {round}, table {table}", { round: cell.round, table: cell.table })}, ${opponents}`;
  const props = {
    class: "button bare figure",
    href: `/games/${cell.game}`,
    title: told,
    "aria-label": `${text}: ${told}`,
  };
  return h("a", props, text);
}
