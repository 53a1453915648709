// Notices while a page is open: a line says that a game waits for me elsewhere, and the title does, too. One tab follows
// the account's stream and tells the others, because a browser opens few connections to one host.

import { get } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { onVisit } from "./router.js";
import * as session from "./session.js";
import { follow } from "./stream.js";
import { t } from "./texts.js";
import { person, sentence, titled } from "./words.js";

/** @typedef {import("./types.d.ts").Notice} Notice */
/** @typedef {import("./types.d.ts").LobbyGame} LobbyGame */
/** @typedef {{ id: string, name: string }} Waiting a game that waits for me; `name`: of its kind */
/** @typedef {{ text: string, href: string, link: string }} Line */
/** @typedef {{ waiting: Waiting[], line: Line | null }} News */

/** Moves come in quick succession: what waits is asked for once they have settled, in milliseconds. */
const SETTLE = 1500;
/** A line that asks for nothing goes by itself after this, in milliseconds. */
const SHOWN_FOR = 20_000;

/** @type {Set<() => void>} */
const followers = new Set();
/** @type {News} */
let news = { waiting: [], line: null };
/** @type {BroadcastChannel | null} */
let others = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;

/** Calls back when something has happened that concerns me. @param {() => void} callback @param {AbortSignal} signal */
export function onNews(callback, signal) {
  if (signal.aborted) return;
  followers.add(callback);
  signal.addEventListener("abort", () => followers.delete(callback));
}

/**
 * A page has seen whether a game waits for me: the line need not ask before it says so.
 * @param {Waiting} game @param {boolean} isMine
 */
export function moved(game, isMine) {
  const isListed = news.waiting.some((one) => one.id === game.id);
  if (isListed === isMine || session.account() === null) return;
  const rest = news.waiting.filter((one) => one.id !== game.id);
  publish({ waiting: isMine ? [...rest, game] : rest, line: null });
}

export function notices() {
  byId("main").before(h("div", { class: "notice", id: "notice", role: "status" }));
  if ("BroadcastChannel" in window) {
    others = new BroadcastChannel("notices");
    others.onmessage = ({ data }) => receive(/** @type {News} */ (data));
  }
  // A press on a notice of the browser leads to the tab that shows the game, so the service worker asks each tab.
  if ("serviceWorker" in navigator)
    navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
      if (data === "where") ports[0]?.postMessage(location.pathname);
    });
  let leaving = new AbortController();
  onVisit(() => {
    show();
    // The turn that the new page announces may be over.
    if (waitingElsewhere().length > 0) void ask(leaving.signal);
  });
  // Pages name themselves after they were visited.
  const title = document.querySelector("title");
  if (title !== null) new MutationObserver(() => mark()).observe(title, { childList: true });
  const begin = () => {
    leaving.abort();
    leaving = new AbortController();
    receive({ waiting: [], line: null });
    if (session.account() !== null) lead(leaving.signal);
  };
  session.onChange(begin);
  begin();
}

/** Follows the stream, in one tab at a time. @param {AbortSignal} signal */
function lead(signal) {
  const hold = () =>
    new Promise((/** @type {(value: null) => void} */ done) => {
      signal.addEventListener("abort", () => done(null));
      followMine(signal);
    });
  // Without locks, each tab follows it while it is seen.
  if (navigator.locks === undefined) return void hold();
  void navigator.locks.request("notices", { signal }, hold).catch(() => {});
}

/** @param {AbortSignal} signal */
function followMine(signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  signal.addEventListener("abort", () => clearTimeout(timer));
  const look = (/** @type {Line | null} */ line) => {
    if (line !== null) publish({ waiting: news.waiting, line });
    clearTimeout(timer);
    timer = setTimeout(() => void ask(signal), SETTLE);
  };
  follow("/v1/me/stream", {
    signal,
    staysHidden: () => navigator.locks !== undefined,
    onEvent: ({ event, data }) => {
      if (event === "games") {
        const { games } = /** @type {{ games: LobbyGame[] }} */ (data);
        void named(games.filter((game) => game.your_turn)).then((now) => {
          if (!signal.aborted) publish({ waiting: now, line: null });
        });
      } else if (event === "notice") {
        look(lineOf(/** @type {Notice} */ (data)));
      }
    },
  });
}

/** Asks which games wait, and tells it. @param {AbortSignal} signal */
async function ask(signal) {
  try {
    const page = /** @type {{ items: LobbyGame[] }} */ (await get("/v1/me/games?your_turn=true&limit=50", { signal }));
    const now = await named(page.items);
    if (!signal.aborted) publish({ waiting: now, line: null });
  } catch {
    // It is asked again with the next notice.
  }
}

/** The games by the names of their kinds. @param {LobbyGame[]} games @returns {Promise<Waiting[]>} */
async function named(games) {
  if (games.length === 0) return [];
  const { allKinds } = await import("./kinds/told.js");
  const kinds = await allKinds().catch(() => []);
  return games.map(({ id, kind }) => ({ id, name: kinds.find((one) => one.kind === kind)?.name ?? titled(kind) }));
}

/** @param {News} now */
function publish(now) {
  others?.postMessage(now);
  receive(now);
}

/** @param {News} now */
function receive(now) {
  const line = now.line ?? news.line;
  if (now.line !== null) {
    clearTimeout(fading);
    fading = setTimeout(() => {
      news = { ...news, line: null };
      show();
    }, SHOWN_FOR);
  }
  news = { waiting: now.waiting, line: session.account() === null ? null : line };
  show();
  for (const follower of followers) follower();
}

/** What is worth a line of its own, besides turns. @param {Notice} notice @returns {Line | null} */
function lineOf(notice) {
  switch (notice.type) {
    case "rematch_offered":
      return { text: t("A rematch is offered to you."), href: `/games/${notice.game.id}`, link: t("Look") };
    case "removed":
      return { text: t("You were removed from your seat."), href: `/games/${notice.game.id}`, link: t("Look") };
    case "round_drawn":
      return drawn(notice);
    case "tournament_entered":
      return ofTournament(notice, t("You were entered in {name}.", { name: notice.tournament.name }));
    case "place_freed":
      return ofTournament(notice, t("{name}: a place is free. You are in.", { name: notice.tournament.name }));
    case "organiser_named":
      return ofTournament(notice, organises(notice));
    case "disqualified":
      return ofTournament(notice, t("You were disqualified in {name}.", { name: notice.tournament.name }));
    case "reinstated":
      return ofTournament(notice, t("You are in {name} again.", { name: notice.tournament.name }));
    case "penalised":
      return ofTournament(
        notice,
        t("{name}: you have a penalty ({reason}).", { name: notice.tournament.name, reason: notice.reason }),
        t("Standings"),
      );
    case "marked_absent":
      return ofTournament(
        notice,
        t("{name}: you did not play round {round}. Say that you are there to play on.", {
          name: notice.tournament.name,
          round: notice.round,
        }),
      );
    case "referee_called":
      return ofTournament(
        notice,
        t("{name}: {player} calls a referee. {text}", {
          name: notice.tournament.name,
          player: person(notice.player),
          text: sentence(notice.text),
        }),
      );
    case "call_answered":
      return ofTournament(notice, answered(notice));
    case "announcement":
      return ofTournament(notice, t("{name}: {text}", { name: notice.tournament.name, text: notice.text }));
    case "tournament_over":
      return ofTournament(notice, t("{name} is over.", { name: notice.tournament.name }), t("Standings"));
    default:
      return null;
  }
}

/** @param {{ tournament: { name: string }, round: number, table: number | null, game_id: string | null }} notice @returns {Line | null} */
function drawn({ tournament: { name }, round, table, game_id: game }) {
  if (game === null) return null;
  const text = t("{name}: round {round}, your table is {table}.", { name, round, table: table ?? "–" });
  return { text, href: `/games/${game}`, link: t("To my table") };
}

/** @param {{ tournament: { name: string }, answer: string }} notice */
function answered({ tournament: { name }, answer }) {
  if (answer === "") return t("{name}: a referee has seen to your call.", { name });
  return t("{name}: a referee answers you. {answer}", { name, answer: sentence(answer) });
}

/** @param {{ tournament: { name: string }, role: string }} notice */
function organises({ tournament: { name }, role }) {
  return role === "referee"
    ? t("You are a referee of {name}.", { name })
    : t("You are a director of {name}.", { name });
}

/** @param {{ tournament: { id: string } }} notice @param {string} text @param {string} [link] @returns {Line} */
function ofTournament({ tournament }, text, link = t("Look")) {
  return { text, href: `/tournaments/${tournament.id}`, link };
}

function show() {
  const path = location.pathname;
  const elsewhere = waitingElsewhere();
  const [first] = elsewhere;
  const place = byId("notice");
  const line = news.line !== null && news.line.href !== path ? news.line : null;
  // A list of my games says it already.
  const turn = first === undefined || path === "/me" ? null : turnLine(first, elsewhere.length);
  const shown = line ?? turn;
  if (place.dataset.text !== (shown?.text ?? "")) {
    place.dataset.text = shown?.text ?? "";
    fill(place, shown !== null && [h("p", null, shown.text), h("a", { href: shown.href }, shown.link)]);
  }
  mark();
}

function waitingElsewhere() {
  return news.waiting.filter((game) => location.pathname !== `/games/${game.id}`);
}

/** @param {Waiting} game @param {number} count @returns {Line} */
function turnLine(game, count) {
  if (count > 1) return { text: t("It is your turn in {n} games.", { n: count }), href: "/me", link: t("My games") };
  return {
    text: t("It is your turn in {game}.", { game: game.name }),
    href: `/games/${game.id}`,
    link: t("To the table"),
  };
}

/** The title counts the games that wait elsewhere. */
function mark() {
  const count = waitingElsewhere().length;
  const plain = document.title.replace(/^\(\d+\) /, "");
  const title = count > 0 ? `(${count}) ${plain}` : plain;
  if (document.title !== title) document.title = title;
}
