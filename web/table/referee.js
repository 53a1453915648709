// At a table of a tournament: a player calls a referee, and sees what comes of it.

import { get } from "../api.js";
import { h } from "../dom.js";
import { onNews } from "../notices.js";
import { t } from "../texts.js";
import { callReferee, loadCalls, mayCall, ownCalls, ownCallsList } from "../tournament/calls.js";
import { gamePath } from "./reading.js";

/** @typedef {import("../types.d.ts").RefereeCall} Call */
/** @typedef {import("../types.d.ts").Page<import("../types.d.ts").Entry>} Log */

/**
 * What a player at this table has for it; null at a table of no tournament.
 * @param {string} id of the game @param {string} player @param {() => void} redraw @param {AbortSignal} signal
 * @returns {Promise<(() => import("../types.d.ts").Child) | null>}
 */
export async function refereeFor(id, player, redraw, signal) {
  const log = /** @type {Log} */ (await get(gamePath(id, "/log", { limit: 1 }), { signal }));
  const place = /** @type {{ id: string } | undefined} */ (log.items[0]?.data["tournament"]);
  if (place === undefined) return null;
  /** @type {Call[]} */
  let own = [];
  const load = async () => {
    own = ownCalls(await loadCalls(place.id, signal), player);
    redraw();
  };
  const again = () => void load().catch(() => {});
  onNews(again, signal);
  again();
  return () => [
    mayCall(own) &&
      h(
        "button",
        { class: "bare", "data-key": "referee", onclick: () => callReferee(place.id, again) },
        t("Call a referee"),
      ),
    ownCallsList(own),
  ];
}
