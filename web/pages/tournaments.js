// The tournaments, the newest first, and a new one at `?new`.

import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { allKinds } from "../kinds/told.js";
import { go, rewrite } from "../router.js";
import { t } from "../texts.js";
import { STATUS, count, day, person } from "../words.js";
import { listRow, listTable } from "./list.js";
import { select } from "./new_game.js";
import { newTournament } from "./new_tournament.js";
import { working } from "./play.js";

/** @typedef {import("../types.d.ts").ListedTournament} ListedTournament */
/** @typedef {import("../types.d.ts").Page<ListedTournament>} Page */

/** @type {[string, string][]} */
const STATES = [
  ["", t("All")],
  ["open", t("Open to enter")],
  ["active", t("Running")],
  ["finished", t("Over")],
  ["aborted", t("Called off")],
];

/** @param {import("../router.js").Visit} visit */
export async function render(visit) {
  const { main, query, signal, title } = visit;
  const kinds = await allKinds();
  if (signal.aborted) return undefined;
  if (query.has("new")) return newTournament(visit, kinds);
  title(t("Tournaments"));
  const names = new Map(kinds.map((one) => [one.kind, one.name]));
  const list = h("div");
  const kind = select("kind", [["", t("All games")], ...names], query.get("kind") ?? "");
  const status = select("status", STATES, query.get("status") ?? "");
  let leaving = new AbortController();
  const show = async () => {
    leaving.abort();
    leaving = new AbortController();
    const wanted = new URLSearchParams();
    if (kind.value !== "") wanted.set("kind", kind.value);
    if (status.value !== "") wanted.set("status", status.value);
    rewrite(location.pathname + (wanted.size > 0 ? `?${wanted}` : ""));
    await pages(list, wanted, names, AbortSignal.any([signal, leaving.signal]));
  };
  const again = () => void show().catch(() => {});
  kind.onchange = again;
  status.onchange = again;
  fill(
    main,
    h(
      "div",
      { class: "row apart" },
      h("h1", null, t("Tournaments")),
      h(
        "div",
        { class: "row" },
        h("a", { class: "button", href: "/series" }, t("Series")),
        h("button", { class: "likely", onclick: () => go("/tournaments?new") }, t("Make one")),
      ),
    ),
    h(
      "div",
      { class: "filters" },
      h("label", { for: "kind" }, t("Game"), kind),
      h("label", { for: "status" }, t("State"), status),
    ),
    list,
  );
  return show();
}

/**
 * The list, a page at a time.
 * @param {Element} place @param {URLSearchParams} wanted @param {Map<string, string>} names @param {AbortSignal} signal
 */
async function pages(place, wanted, names, signal) {
  const body = h("tbody");
  /** @type {string | null} */
  let next = null;
  const load = async () => {
    const query = new URLSearchParams(wanted);
    query.set("limit", "25");
    if (next !== null) query.set("cursor", next);
    const page = /** @type {Page} */ (await get(`/v1/tournaments?${query}`, { signal }));
    body.append(...page.items.map((one) => tournamentRow(one, names)));
    next = page.next;
    more.hidden = next === null;
  };
  const more = h("div", { class: "below" }, working(t("More"), load));
  await load();
  if (signal.aborted) return;
  const nothing = h("p", { class: "quiet" }, t("There is no such tournament. Make one: it takes a minute."));
  fill(place, body.childElementCount === 0 ? nothing : [tournamentTable(body), more]);
}

/** @param {HTMLTableSectionElement} body */
export function tournamentTable(body) {
  return listTable(
    [[t("Name")], [t("Game"), "wide"], [t("Entrants"), "number wide"], [t("State")], [t("Made"), "wide"], [""]],
    body,
  );
}

/** @param {ListedTournament} one @param {Map<string, string>} names */
export function tournamentRow(one, names) {
  const kind = names.get(one.kind) ?? one.kind;
  const action = one.status === "open" ? t("Enter") : one.status === "active" ? t("Follow") : t("Result");
  const isPlayed = one.status === "active" && one.round > 0;
  const state = isPlayed ? t("round {round}", { round: one.round }) : (STATUS[one.status] ?? one.status);
  const href = `/tournaments/${one.id}`;
  const below = h(
    "div",
    { class: "small quiet narrow" },
    `${kind}, ${count(one.entrants, "{n} entrant", "{n} entrants")}`,
  );
  return listRow(
    { key: one.id },
    [[h("a", { href, class: "plainlink" }, one.name), below]],
    [kind, "wide"],
    [one.entrants, "number wide"],
    [state, one.status === "active" ? "good oneline" : "oneline"],
    [
      [day(one.created_at), h("div", { class: "small quiet" }, t("by {name}", { name: person(one.created_by) }))],
      "small wide",
    ],
    [h("a", { class: "button", href, "aria-label": `${action}: ${one.name}` }, action), "end"],
  );
}
