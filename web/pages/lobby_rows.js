// The lobby as it changes: the games, and a line for each.

import { get } from "../api.js";
import { h } from "../dom.js";
import { away } from "../frame.js";
import { follow } from "../stream.js";
import { t } from "../texts.js";
import { STATUS, person, span } from "../words.js";
import { listTable } from "./list.js";

/** @typedef {import("../types.d.ts").LobbyGame} LobbyGame */
/** @typedef {import("../types.d.ts").Page<LobbyGame>} Page */

const MOST = 100;

/**
 * Follows the lobby. Calls back with the games, the newest first.
 * @param {AbortSignal} signal @param {(games: LobbyGame[]) => void} onChange
 * @param {number} [running] how many of the running games, the newest, are wanted
 */
export function watchLobby(signal, onChange, running = MOST) {
  /** @type {Map<string, LobbyGame>} */
  let games = new Map();
  /** @type {Set<string>} */
  const over = new Set();
  let isDue = false;
  const changed = () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      if (!signal.aborted) onChange([...games.values()].sort((a, b) => b.id.localeCompare(a.id)).slice(0, MOST));
    }, 100);
  };
  // The stream begins with one page: of open games, because in one of all games those that are over crowd them out. It
  // tells of all that changes, whatever its page holds.
  const addRunning = async () => {
    /** @type {Page} */
    const page = await get(`/v1/games?status=active&limit=${running}`, { signal });
    for (const game of page.items) if (!games.has(game.id) && !over.has(game.id)) games.set(game.id, game);
  };
  follow("/v1/games/stream?status=open", {
    signal,
    onAway: away,
    onEvent: ({ event, data }) => {
      if (event === "lobby") {
        games = new Map(/** @type {Page} */ (data).items.map((game) => [game.id, game]));
        void addRunning()
          .catch(() => {})
          .then(changed);
      } else if (event === "game") {
        const game = /** @type {LobbyGame} */ (data);
        if (isListed(game)) games.set(game.id, game);
        else {
          games.delete(game.id);
          over.add(game.id);
        }
        changed();
      }
    },
  });
}

/** Games that are over have pages of their own. @param {LobbyGame} game */
function isListed(game) {
  return game.status === "open" || game.status === "active";
}

/** @param {number} n */
export const botsOf = (n) => (n === 1 ? t("a bot") : t("{n} bots", { n }));

/**
 * A line for each game.
 * @param {LobbyGame[]} games @param {Map<string, string>} names @param {{ isShort?: boolean }} [options]
 */
export function lobbyRows(games, names, { isShort = false } = {}) {
  const wide = isShort ? "never" : "wide";
  const rows = games.map((game) => {
    const players =
      [...game.players.map(person), ...(game.bots > 0 ? [botsOf(game.bots)] : [])].join(", ") || t("nobody yet");
    const seats =
      game.status === "open"
        ? t("{n} of {all} free", { n: game.free_seats, all: game.seats })
        : (STATUS[game.status] ?? game.status);
    const action =
      game.you !== null
        ? t("My seat")
        : game.status === "open" && game.free_seats > 0
          ? t("Join")
          : game.status === "active"
            ? t("Watch")
            : t("Look");
    const name = names.get(game.kind) ?? game.kind;
    return h(
      "tr",
      { "data-key": game.id, class: game.you !== null ? "mine" : "" },
      h("td", null, name, h("div", { class: `small quiet ${isShort ? "" : "narrow"}` }, players)),
      h("td", { class: wide }, players),
      h("td", { class: "small" }, seats, game.your_turn && h("div", { class: "wait" }, t("your turn"))),
      h("td", { class: `small ${wide}` }, game.turn_seconds === null ? t("no limit") : span(game.turn_seconds)),
      h(
        "td",
        { class: "end" },
        h("a", { class: "button", href: `/games/${game.id}`, "aria-label": `${action}: ${name}, ${players}` }, action),
      ),
    );
  });
  return listTable([[t("Game")], [t("Players"), wide], [t("Seats")], [t("Time for a turn"), wide], [""]], rows);
}
