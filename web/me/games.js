// My games, those that wait for me first, and my tournaments.

import { get, now } from "../api.js";
import { h, update } from "../dom.js";
import { listRow, listTable } from "../pages/list.js";
import { botsOf } from "../pages/lobby_rows.js";
import { working } from "../pages/play.js";
import { tournamentRow, tournamentTable } from "../pages/tournaments.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { STATUS, ago, countdown, person } from "../words.js";

/** @typedef {import("../types.d.ts").LobbyGame} LobbyGame */
/** @typedef {import("../types.d.ts").ListedTournament} ListedTournament */
/** @typedef {Map<string, string>} Names */
/** @typedef {import("../types.d.ts").Page<LobbyGame>} Page */

/** @param {AbortSignal} signal */
export async function loadMine(signal) {
  const [waiting, newest, cups] = await Promise.all([
    /** @type {Promise<Page>} */ (get("/v1/me/games?your_turn=true&limit=100", { signal })),
    /** @type {Promise<Page>} */ (get("/v1/me/games?limit=25", { signal })),
    /** @type {Promise<{ items: ListedTournament[] }>} */ (get("/v1/me/tournaments?limit=25", { signal })),
  ]);
  return { waiting: waiting.items, games: newest.items, next: newest.next, cups: cups.items };
}

const ORDER = ["active", "open", "finished", "aborted"];

/**
 * Draws my games. Older ones that were asked for stay when the newest are drawn again.
 * @param {Names} names @param {AbortSignal} signal
 * @returns {(mine: Awaited<ReturnType<typeof loadMine>>) => import("../types.d.ts").Child}
 */
export function makeMyGames(names, signal) {
  /** All that are known, the newest first. @type {LobbyGame[]} */
  let known = [];
  /** Those that stand above. @type {LobbyGame[]} */
  let waiting = [];
  let hasOlder = false;
  /** @type {string | null} */
  let next = null;
  const body = h("tbody");
  const table = gameTable(body);
  const load = async () => {
    const path = `/v1/me/games?limit=25&cursor=${encodeURIComponent(next ?? "")}`;
    const page = /** @type {Page} */ (await get(path, { signal }));
    const fresh = without(page.items, known);
    known.push(...fresh);
    hasOlder = true;
    body.append(...without(fresh, waiting).map((game) => gameRow(game, names)));
    next = page.next;
    more.hidden = next === null;
  };
  const more = h("div", { class: "below" }, working(t("Older games"), load));
  return (mine) => {
    const { games } = mine;
    waiting = mine.waiting;
    if (!hasOlder) next = mine.next;
    more.hidden = next === null;
    const older = hasOlder ? without(known, games) : [];
    known = [...games, ...older];
    const newest = without(games, waiting).sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
    const rest = [...newest, ...without(older, waiting)];
    update(
      body,
      rest.map((game) => gameRow(game, names)),
    );
    const nothing = waiting.length === 0 ? noGames() : h("p", { class: "quiet" }, t("None."));
    return [
      waiting.length > 0 && [
        h("h2", null, t("It is your turn")),
        gameTable(waiting.map((game) => gameRow(game, names))),
      ],
      h("h2", null, waiting.length > 0 ? t("Other games") : t("Games")),
      rest.length === 0 ? nothing : [table, more],
    ];
  };
}

/** @param {LobbyGame[]} games @param {LobbyGame[]} others */
function without(games, others) {
  return games.filter((game) => !others.some((one) => one.id === game.id));
}

function noGames() {
  return h(
    "p",
    { class: "quiet" },
    t("You have no games."),
    " ",
    h("a", { href: "/" }, t("Play now")),
    ` ${t("or")} `,
    h("a", { href: "/games" }, t("find a table.")),
  );
}

/** @param {HTMLTableSectionElement | HTMLElement[]} rows */
function gameTable(rows) {
  return listTable([[t("Game")], [t("With"), "wide"], [t("State")], [""]], rows);
}

/** @param {LobbyGame} game @param {Names} names */
function gameRow(game, names) {
  const name = names.get(game.kind) ?? game.kind;
  const bots = game.bots === 0 ? [] : [botsOf(game.bots)];
  const me = session.account()?.username;
  const others = [...game.players.filter((one) => one !== me).map(person), ...bots].join(", ") || t("nobody yet");
  const isOver = game.status === "finished" || game.status === "aborted";
  const action = game.your_turn ? t("Play") : isOver ? t("Replay") : t("To the table");
  const left = game.deadline === null ? Infinity : new Date(game.deadline).getTime() - now();
  const time =
    game.your_turn && left > 0 && left < Infinity ? t("{time} left", { time: countdown(left) }) : ago(game.created_at);
  return listRow(
    { key: game.id },
    [[name, h("div", { class: "small quiet narrow" }, others)]],
    [others, "wide"],
    [
      [
        game.your_turn ? h("span", { class: "wait" }, t("your turn")) : (STATUS[game.status] ?? game.status),
        h("div", { class: "small quiet" }, time),
      ],
      "small",
    ],
    [
      h(
        "a",
        {
          class: `button ${game.your_turn ? "likely" : ""}`,
          href: `/games/${game.id}`,
          "aria-label": `${action}: ${name}, ${others}`,
        },
        action,
      ),
      "end",
    ],
  );
}

/** @param {ListedTournament[]} cups @param {Names} names */
export function myTournaments(cups, names) {
  return [
    h("h2", null, t("My tournaments")),
    cups.length === 0
      ? h(
          "p",
          { class: "quiet" },
          t("You have entered none."),
          " ",
          h("a", { href: "/tournaments" }, t("All tournaments")),
        )
      : tournamentTable(
          h(
            "tbody",
            null,
            cups.map((one) => tournamentRow(one, names)),
          ),
        ),
  ];
}
