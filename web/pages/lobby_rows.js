// The lobby as it changes: the games, and a line for each.

import { h } from "../dom.js";
import { away } from "../frame.js";
import { follow } from "../stream.js";
import { t } from "../texts.js";
import { STATUS, person, span } from "../words.js";
import { listTable } from "./list.js";

/** @typedef {import("../types.d.ts").LobbyGame} LobbyGame */

const MOST = 100;

/**
 * Follows the lobby. Calls back with the games, the newest first.
 * @param {AbortSignal} signal @param {(games: LobbyGame[]) => void} onChange @param {string} [query]
 */
export function watchLobby(signal, onChange, query = "") {
  /** @type {Map<string, LobbyGame>} */
  let games = new Map();
  let isDue = false;
  const changed = () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      if (!signal.aborted) onChange([...games.values()].sort((a, b) => b.id.localeCompare(a.id)).slice(0, MOST));
    }, 100);
  };
  follow(`/v1/games/stream${query}`, {
    signal,
    onAway: away,
    onEvent: ({ event, data }) => {
      if (event === "lobby")
        games = new Map(
          /** @type {{ items: LobbyGame[] }} */ (data).items.filter(isListed).map((game) => [game.id, game]),
        );
      else if (event === "game") {
        const game = /** @type {LobbyGame} */ (data);
        if (isListed(game)) games.set(game.id, game);
        else games.delete(game.id);
      }
      changed();
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
