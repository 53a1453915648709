// The tournaments, the newest first, and a new one at `?new`.

import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { allKinds } from "../kinds/told.js";
import { go, rewrite } from "../router.js";
import { STATUS, count, day, person } from "../words.js";
import { listRow, listTable } from "./list.js";
import { select } from "./new_game.js";
import { newTournament } from "./new_tournament.js";
import { working } from "./play.js";

/** @typedef {import("../types.d.ts").ListedTournament} ListedTournament */
/** @typedef {import("../types.d.ts").Page<ListedTournament>} Page */

/** @type {[string, string][]} */
const STATES = [
  ["", "All"],
  ["open", "Open to enter"],
  ["active", "Running"],
  ["finished", "Over"],
  ["aborted", "Called off"],
];

/** @param {import("../router.js").Visit} visit */
export async function render(visit) {
  const { main, query, signal, title } = visit;
  const kinds = await allKinds();
  if (query.has("new")) return newTournament(visit, kinds);
  title("Tournaments");
  const names = new Map(kinds.map((one) => [one.kind, one.name]));
  const list = h("div");
  const kind = select("kind", [["", "All games"], ...names], query.get("kind") ?? "");
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
      h("h1", null, "Tournaments"),
      h("button", { class: "likely", onclick: () => go("/tournaments?new") }, "Make one"),
    ),
    h(
      "div",
      { class: "filters" },
      h("label", { for: "kind" }, "Game", kind),
      h("label", { for: "status" }, "State", status),
    ),
    list,
  );
  await show();
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
  const more = h("div", { class: "below" }, working("More", load));
  await load();
  if (signal.aborted) return;
  const nothing = h("p", { class: "quiet" }, "There is no such tournament. Make one: it takes a minute.");
  fill(place, body.childElementCount === 0 ? nothing : [tournamentTable(body), more]);
}

/** @param {HTMLTableSectionElement} body */
export function tournamentTable(body) {
  return listTable([["Name"], ["Game", "wide"], ["Entrants", "number wide"], ["State"], ["Made", "wide"], [""]], body);
}

/** @param {ListedTournament} one @param {Map<string, string>} names */
export function tournamentRow(one, names) {
  const kind = names.get(one.kind) ?? one.kind;
  const action = one.status === "open" ? "Enter" : one.status === "active" ? "Follow" : "Result";
  const state = one.status === "active" ? `round ${one.round}` : (STATUS[one.status] ?? one.status);
  const href = `/tournaments/${one.id}`;
  const below = h("div", { class: "small quiet narrow" }, `${kind}, ${count(one.entrants, "entrant")}`);
  return listRow(
    { key: one.id },
    [[h("a", { href, class: "plainlink" }, one.name), below]],
    [kind, "wide"],
    [one.entrants, "number wide"],
    [state, one.status === "active" ? "good" : ""],
    [[day(one.created_at), h("div", { class: "small quiet" }, `by ${person(one.created_by)}`)], "small wide"],
    [h("a", { class: "button", href, "aria-label": `${action}: ${one.name}` }, action), "end"],
  );
}
