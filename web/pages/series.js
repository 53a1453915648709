// A series: its standings, its tournaments, and for its owner the desk.

import { get } from "../api.js";
import { fill, h, update } from "../dom.js";
import * as session from "../session.js";
import { makeSeriesDesk } from "../series/desk.js";
import { standingsOf, tournamentsOf } from "../series/standings.js";
import { counting } from "../series/words.js";
import { style } from "../style.js";
import { t } from "../texts.js";
import { person } from "../words.js";
import { working } from "./play.js";

/** @typedef {import("../types.d.ts").Series} Series */
/** @typedef {import("../types.d.ts").SeriesStandings} SeriesStandings */
/** @typedef {import("../types.d.ts").SeriesStanding} Line */

const STEP = 100;

/** @param {import("../router.js").Visit} visit */
export async function render({ params, main, signal, title }) {
  const path = `/v1/series/${encodeURIComponent(params.id ?? "")}`;
  /** @type {Line[]} */
  let lines = [];
  /** @type {number | null} */
  let next = 0;
  let newest = 0;
  const load = async (from = 0) => {
    // Lines that were asked for anew stay, whatever older answer comes later; and no older page comes after them.
    const [nth, known] = [from === 0 ? ++newest : newest, lines];
    const address = `${path}/standings?limit=${STEP}&cursor=${from}`;
    const page = /** @type {SeriesStandings} */ (await get(address, { signal }));
    if (nth !== newest || (from > 0 && lines !== known)) return;
    lines = from === 0 ? page.items : [...lines, ...page.items];
    next = page.next;
  };
  let series = /** @type {Series} */ (await get(path, { signal }));
  await Promise.all([load(), style("tournament", signal)]);
  if (signal.aborted) return;
  main.classList.add("tournament");
  const places = { head: h("div"), desk: h("div"), standings: h("div"), tournaments: h("div") };
  const draw = () => {
    title(series.name);
    update(places.head, head(series));
    const rest = h("div", { class: "below noprint", hidden: next === null }, working(t("More"), more));
    update(places.standings, standingsOf(series, lines), rest);
    update(places.tournaments, tournamentsOf(series, owns(series) ? changed : null));
  };
  const more = async () => {
    await load(next ?? 0);
    draw();
  };
  /** Something was changed: its points change, too. @param {Series} now */
  const changed = async (now) => {
    series = now;
    await load();
    if (!signal.aborted) draw();
  };
  const showDesk = () => {
    fill(places.desk, owns(series) && makeSeriesDesk(() => series, changed, signal));
    draw();
  };
  const { head: top, standings, tournaments, desk } = places;
  const [first, second] = [t("Standings"), t("Tournaments")].map((text) => h("h2", null, text));
  fill(main, top, first, standings, second, tournaments, desk, takeAway(path));
  session.onChange(showDesk, signal);
  showDesk();
}

/** @param {Series} series */
function owns(series) {
  const me = session.account();
  return me !== null && (me.role === "admin" || me.username === series.created_by);
}

/** @param {Series} series */
function head(series) {
  return [
    h("h1", null, series.name),
    h("p", { class: "small quiet" }, t("by {name}", { name: person(series.created_by) })),
    series.description !== null && h("p", { class: "asis" }, series.description),
    h("p", { class: "quiet" }, counting(series)),
  ];
}

/** @param {string} path */
function takeAway(path) {
  return h(
    "section",
    { class: "noprint" },
    h("h2", null, t("To take away")),
    h(
      "div",
      { class: "row" },
      h("a", { class: "button", href: `${path}/standings?format=html`, target: "_blank" }, t("Print")),
      h("a", { class: "button", href: `${path}/standings?format=csv`, download: "" }, t("Standings (CSV)")),
    ),
  );
}
