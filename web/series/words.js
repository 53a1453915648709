// How a series is told, and where it is found.

import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../texts.js";
import { count } from "../words.js";

/** @typedef {import("../types.d.ts").ListedSeries} ListedSeries */

/** What counts in a series, in a sentence or two. @param {Pick<ListedSeries, "points" | "best">} series */
export function counting({ points, best }) {
  const given =
    points.type === "places"
      ? t("Points for places: {points}.", { points: points.points.join(", ") })
      : points.type === "result"
        ? t("The results of the tournaments are added up.")
        : t("The scores of the tournaments are added up.");
  const counted =
    best === null
      ? t("All tournaments of a player count.")
      : count(best, "A player's best tournament counts.", "A player's best {n} tournaments count.");
  return `${given} ${counted}`;
}

/** Links to the series of a tournament, as soon as they are known. @param {string} id @param {AbortSignal} signal */
export function seriesLinks(id, signal) {
  const node = h("p", { class: "small noprint", hidden: true });
  const load = async () => {
    const page = /** @type {{ items: ListedSeries[] }} */ (await get(`/v1/series?tournament=${id}`, { signal }));
    if (signal.aborted || page.items.length === 0) return;
    const links = page.items.map((one) => [" ", h("a", { href: `/series/${one.id}` }, one.name)]);
    fill(node, t("It counts for:"), links);
    node.hidden = false;
  };
  // The tournament is there without them.
  load().catch(() => {});
  return node;
}
