// The best players of a kind.

import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { allKinds } from "../kinds/told.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { fine, person, whole } from "../words.js";
import { listRow, listTable } from "./list.js";
import { working } from "./play.js";

/** @typedef {import("../types.d.ts").Ranked} Ranked */
/** @typedef {import("../types.d.ts").Page<Ranked>} Page */

/** @type {[string, string?][]} */
const HEADS = [
  [t("Place"), "number"],
  [t("Player")],
  [t("Rating"), "number"],
  [t("Games"), "number"],
  [t("Wins"), "number"],
  [t("Best streak"), "number wide"],
];

/** @param {import("../router.js").Visit} visit */
export async function render({ params, main, signal, title }) {
  const kind = params.kind ?? "";
  const path = `/v1/leaderboards/${encodeURIComponent(kind)}`;
  const [kinds, first] = await Promise.all([allKinds(), /** @type {Promise<Page>} */ (get(path, { signal }))]);
  if (signal.aborted) return;
  const name = kinds.find((one) => one.kind === kind)?.name ?? kind;
  title(t("{game}: the best players", { game: name }));
  const isHere = (/** @type {string} */ one) => one === kind && "page";
  const links = kinds.map((one) =>
    h("a", { class: "button", href: `/leaderboards/${one.kind}`, "aria-current": isHere(one.kind) }, one.name),
  );
  const nobody = h(
    "p",
    null,
    t("Nobody is ranked yet."),
    " ",
    h("a", { href: `/games?kind=${kind}` }, t("Open a table of {game}.", { game: name })),
  );
  const counted = t("Games count in which two players or more have accounts. Guests and bots are not ranked.");
  fill(
    main,
    h("h1", null, t("The best players")),
    h("nav", { class: "row", "aria-label": t("Games") }, links),
    h("p", { class: "quiet below" }, counted),
    first.items.length === 0 ? nobody : pages(first, path, name, signal),
  );
}

/** The list, a page at a time. @param {Page} first @param {string} path @param {string} name @param {AbortSignal} signal */
function pages(first, path, name, signal) {
  const me = session.account()?.username;
  const body = h("tbody");
  let { next } = first;
  const add = (/** @type {Page} */ page) => {
    body.append(...page.items.map((one) => line(one, me)));
    next = page.next;
    more.hidden = next === null;
  };
  const load = async () => add(await get(`${path}?cursor=${encodeURIComponent(next ?? "")}`, { signal }));
  const more = h("div", { class: "below" }, working(t("More"), load));
  add(first);
  return [listTable(HEADS, body, name), more];
}

/** @param {Ranked} one @param {string | undefined} me */
function line(one, me) {
  const name = h("a", { href: `/players/${encodeURIComponent(one.player)}` }, person(one.player));
  return listRow(
    { class: one.player === me ? "mine" : "" },
    [one.place, "number"],
    [name],
    [fine(one.rating), "number"],
    [whole(one.games), "number"],
    [whole(one.wins), "number"],
    [whole(one.best_streak), "number wide"],
  );
}
