// Lists: one line a row, one action at its end.

import { h } from "../dom.js";
import { t } from "../texts.js";

/** @typedef {import("../dom.js").Child} Child */

/**
 * The table of a list. `heads`: what each column is called, with a class; a column without a name holds the action.
 * @param {[string, string?][]} heads @param {Child} rows the rows, or a body that has them @param {string} [caption]
 */
export function listTable(heads, rows, caption) {
  const head = heads.map(([text, name]) =>
    h("th", { scope: "col", class: name ?? null }, text === "" ? h("span", { class: "sayonly" }, t("Action")) : text),
  );
  const body = rows instanceof HTMLTableSectionElement ? rows : h("tbody", null, rows);
  const told = caption === undefined ? null : h("caption", null, caption);
  return h(
    "div",
    { class: "scroll" },
    h("table", { class: "list" }, told, h("thead", null, h("tr", null, head)), body),
  );
}

/** A row of the list. @param {{ class?: string, key?: string }} props @param {...[Child, string?]} cells */
export function listRow(props, ...cells) {
  const drawn = cells.map(([child, name]) => h("td", { class: name ?? null }, child));
  return h("tr", { class: props.class ?? null, "data-key": props.key }, drawn);
}
