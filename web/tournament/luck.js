// What each entrant won without the luck of the deals. It is an estimate that takes a moment, so it is loaded once somebody
// asks for it.

import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { listRow, listTable } from "../pages/list.js";
import { working } from "../pages/play.js";
import { t } from "../texts.js";
import { count, fine } from "../words.js";
import { entrantName } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Schemas["TournamentLuck"]} Page */

/** So many rows are loaded at a time. */
const STEP = 200;

/** @param {Model} model @param {AbortSignal} signal */
export function makeLuck(model, signal) {
  const node = h("div", { class: "noprint luck", "aria-live": "polite" });
  const ask = async () => {
    const { id } = model.tournament;
    /** @type {Page["items"]} */
    const rows = [];
    /** @type {Page | null} */
    let page = null;
    do {
      const from = page?.next ?? 0;
      page = /** @type {Page} */ (await get(`/v1/tournaments/${id}/luck?limit=${STEP}&cursor=${from}`, { signal }));
      rows.push(...page.items);
    } while (page.next !== null);
    fill(node, h("h3", null, t("Won without luck")), told(page, rows));
  };
  fill(node, working(t("How lucky was everybody?"), ask));
  const draw = () => {
    node.hidden = model.tournament.status !== "finished";
  };
  return { node, draw };
}

/** @param {Page} page @param {Page["items"]} rows */
function told(page, rows) {
  return [
    h(
      "p",
      { class: "hint" },
      t(
        "The standings stay as they are. This is an estimate beside them: what the deals were worth is subtracted from the games that were won. On average that changes nothing, but the figure depends less on chance.",
      ),
    ),
    listTable(
      [[t("Name")], [t("Won"), "number"], [t("Luck"), "number"], [t("Without luck"), "number"]],
      rows.map((row) =>
        listRow(
          { key: row.player },
          [entrantName(row.player), "name"],
          [t("{won} of {games}", { won: fine(row.won), games: row.games }), "number"],
          [`${row.luck > 0 ? "+" : ""}${fine(row.luck)}`, "number"],
          [fine(row.won_without_luck), "number"],
        ),
      ),
    ),
    page.tables_left_out > 0 &&
      h("p", null, count(page.tables_left_out, "{n} more table was not looked at.", "{n} more tables were not looked at.")),
  ];
}
