// My games, those that wait for me first, and my tournaments.

import { get, now } from "../api.js";
import { h } from "../dom.js";
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

/** @param {Awaited<ReturnType<typeof loadMine>>} mine @param {Names} names @param {AbortSignal} signal */
export function myGames({ waiting, games, next }, names, signal) {
  const rest = games.filter((game) => !waiting.some((one) => one.id === game.id));
  rest.sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  const nothing = h(
    "p",
    { class: "quiet" },
    t("You have no games."),
    " ",
    h("a", { href: "/" }, t("Play now")),
    ` ${t("or")} `,
    h("a", { href: "/games" }, t("find a table.")),
  );
  return [
    waiting.length > 0 && [h("h2", null, t("It is your turn")), gameTable(waiting.map((game) => gameRow(game, names)))],
    h("h2", null, waiting.length > 0 ? t("Other games") : t("Games")),
    rest.length === 0
      ? waiting.length === 0
        ? nothing
        : h("p", { class: "quiet" }, t("None."))
      : pages(rest, next, names, signal),
  ];
}

/** @param {LobbyGame[]} games @param {string | null} first @param {Names} names @param {AbortSignal} signal */
function pages(games, first, names, signal) {
  let next = first;
  const body = h(
    "tbody",
    null,
    games.map((game) => gameRow(game, names)),
  );
  const load = async () => {
    const page = /** @type {Page} */ (
      await get(`/v1/me/games?limit=25&cursor=${encodeURIComponent(next ?? "")}`, { signal })
    );
    body.append(...page.items.map((game) => gameRow(game, names)));
    next = page.next;
    more.hidden = next === null;
  };
  const more = h("div", { class: "below", hidden: next === null }, working(t("Older games"), load));
  return [gameTable(body), more];
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
