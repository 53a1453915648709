// The series, the newest first, and a new one at `?new`.

import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { go } from "../router.js";
import { newSeries } from "../series/new_series.js";
import { counting } from "../series/words.js";
import { t } from "../texts.js";
import { day, person } from "../words.js";
import { listRow, listTable } from "./list.js";
import { working } from "./play.js";

/** @typedef {import("../types.d.ts").ListedSeries} ListedSeries */
/** @typedef {import("../types.d.ts").Page<ListedSeries>} Page */

/** @param {import("../router.js").Visit} visit */
export async function render(visit) {
  const { main, query, signal, title } = visit;
  if (query.has("new")) return newSeries(visit);
  title(t("Series"));
  const list = h("div");
  fill(
    main,
    h(
      "div",
      { class: "row apart" },
      h("h1", null, t("Series")),
      h("button", { class: "likely", onclick: () => go("/series?new") }, t("Make a series")),
    ),
    h("p", { class: "quiet" }, t("A series adds up what players get over several tournaments.")),
    list,
  );
  const body = h("tbody");
  /** @type {string | null} */
  let next = null;
  const load = async () => {
    const cursor = next === null ? "" : `&cursor=${next}`;
    const page = /** @type {Page} */ (await get(`/v1/series?limit=25${cursor}`, { signal }));
    body.append(...page.items.map(seriesRow));
    next = page.next;
    more.hidden = next === null;
  };
  const more = h("div", { class: "below" }, working(t("More"), load));
  await load();
  if (signal.aborted) return;
  const nothing = h("p", { class: "quiet" }, t("There are none yet."));
  fill(list, body.childElementCount === 0 ? nothing : [seriesTable(body), more]);
}

/** @param {HTMLTableSectionElement} body */
function seriesTable(body) {
  return listTable([[t("Name")], [t("What counts"), "wide"], [t("Made"), "wide"], [""]], body);
}

/** @param {ListedSeries} one */
function seriesRow(one) {
  const href = `/series/${one.id}`;
  const by = t("by {name}", { name: person(one.created_by) });
  return listRow(
    { key: one.id },
    [[h("a", { href, class: "plainlink" }, one.name), h("div", { class: "small quiet narrow" }, by)]],
    [counting(one), "small wide"],
    [[day(one.created_at), h("div", { class: "small quiet" }, by)], "small wide"],
    [h("a", { class: "button", href, "aria-label": `${t("Standings")}: ${one.name}` }, t("Standings")), "end"],
  );
}

/** The series of an account. @param {string} username @param {AbortSignal} signal */
export async function mySeries(username, signal) {
  const path = `/v1/series?limit=100&created_by=${encodeURIComponent(username)}`;
  const { items } = /** @type {Page} */ (await get(path, { signal }));
  return [
    h("h2", null, t("My series")),
    items.length === 0
      ? h(
          "p",
          { class: "quiet" },
          t("Points over several tournaments."),
          " ",
          h("a", { href: "/series?new" }, t("Make a series")),
        )
      : [
          seriesTable(h("tbody", null, items.map(seriesRow))),
          h("p", { class: "below" }, h("a", { href: "/series?new" }, t("Make a series"))),
        ],
  ];
}
