// The first page: what this is, a table that is played now, and a game in one click.

import { get, now as time } from "../api.js";
import { h, update } from "../dom.js";
import { away } from "../frame.js";
import { allKinds, drawingOf, toldKind } from "../kinds/told.js";
import { isPage } from "../router.js";
import { follow } from "../stream.js";
import { modelOf, order } from "../table/model.js";
import { paced } from "../table/pace.js";
import { seatTile } from "../table/seats.js";
import { run } from "../table/clock.js";
import { t } from "../texts.js";
import { STATUS, count, players } from "../words.js";
import { lobbyRows, watchLobby } from "./lobby_rows.js";
import { playNow, working } from "./play.js";

/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {import("../types.d.ts").LobbyGame} LobbyGame */
/** @typedef {import("../types.d.ts").KindSummary} KindSummary */
/** @typedef {import("../types.d.ts").ListedTournament} ListedTournament */
/** @typedef {{ items: import("../types.d.ts").Entry[], next: number | null }} LogPage */

/** A table at which nothing has happened for so long is not shown, in milliseconds. */
const IDLE = 600_000;
/** So often it is looked whether anybody plays, in milliseconds. */
const LOOK = 60_000;
/** How many tables are known, are looked at for the liveliest, and how many at once. */
const RUNNING = 20;
const MOST = 8;
const AT_ONCE = 2;

/** @param {import("../router.js").Visit} visit */
export async function render(visit) {
  const { main, signal, title } = visit;
  title(t("Card room"));
  const places = { kinds: h("div"), live: h("div"), lobby: h("div"), cups: h("div") };
  main.append(
    h("h1", null, t("Card room")),
    h(
      "p",
      { class: "lead" },
      t("Five card games of bluff and luck, against people and bots, and anybody can check every hand."),
    ),
    places.kinds,
    h("div", { class: "columns" }, h("div", null, places.live), h("div", null, places.lobby, places.cups)),
  );
  const kinds = await allKinds();
  if (signal.aborted) return;
  update(
    places.kinds,
    h("h2", null, t("Play now")),
    h(
      "ul",
      { class: "kinds" },
      kinds.map((kind) => kindCard(kind)),
    ),
  );
  const names = new Map(kinds.map((kind) => [kind.kind, kind.name]));
  const live = liveTable(places.live, kinds[0], signal);
  const show = (/** @type {LobbyGame[]} */ games) => {
    const open = games.filter((game) => game.status === "open" && game.free_seats > 0).slice(0, 6);
    update(
      places.lobby,
      h("div", { class: "row apart" }, h("h2", null, t("Open tables")), h("a", { href: "/games" }, t("The lobby"))),
      open.length > 0
        ? lobbyRows(open, names, { isShort: true })
        : h(
            "p",
            { class: "quiet" },
            t("No table waits for players just now."),
            " ",
            h("a", { href: "/games" }, t("Open one.")),
          ),
    );
    live(games);
  };
  watchLobby(signal, show, RUNNING);
  unlessLeft(cups, places.cups, names, signal);
}

/** @param {KindSummary} kind */
function kindCard(kind) {
  const { min, max } = kind.seats;
  return h(
    "li",
    { "data-key": kind.kind },
    h("h3", null, kind.name),
    h("p", { class: "small" }, kind.summary, " ", h("span", { class: "quiet" }, `${players(min, max)}.`)),
    h(
      "div",
      { class: "row" },
      working(t("Play now"), () => playNow(kind), "likely"),
      h("a", { href: `/kinds/${kind.kind}`, "aria-label": t("Rules of {game}", { game: kind.name }) }, t("Rules")),
      h(
        "a",
        { href: `/leaderboards/${kind.kind}`, "aria-label": t("Best players of {game}", { game: kind.name }) },
        t("Best players"),
      ),
    ),
  );
}

/** @typedef {{ id: string, at: number }} Moved a game, and when something last happened in it, in milliseconds */

/** A table that is being played, as anybody may see it. @param {HTMLElement} place @param {KindSummary | undefined} kind what can be played at once where nobody plays @param {AbortSignal} signal */
function liveTable(place, kind, signal) {
  /** @type {Moved | null} */
  let watched = null;
  /** @type {LobbyGame[]} */
  let running = [];
  let leaving = new AbortController();
  let isLooking = false;
  let isChanged = false;
  const show = (/** @type {Moved | null} */ next) => {
    if (next !== null && next.id === watched?.id) return;
    leaving.abort();
    leaving = new AbortController();
    away(false, "live");
    watched = next;
    if (next === null) update(place, nobody(kind, running.length));
    else unlessLeft(watch, place, next, AbortSignal.any([signal, leaving.signal]));
  };
  const look = async () => {
    const isOn = watched !== null && running.some((game) => game.id === watched?.id) && time() - watched.at < IDLE;
    isChanged = isLooking;
    if (isOn || isLooking || document.hidden) return;
    isLooking = true;
    const next = await liveliest(running, signal);
    isLooking = false;
    if (signal.aborted) return;
    show(next);
    if (isChanged) await look();
  };
  const timer = setInterval(() => void look(), LOOK);
  signal.addEventListener("abort", () => {
    leaving.abort();
    clearInterval(timer);
  });
  run(place, signal);
  /** @param {LobbyGame[]} games */
  return (games) => {
    running = games.filter((game) => game.status === "active" && game.visibility === "public");
    void look();
  };
}

/** What stands there while no table is played. @param {KindSummary | undefined} kind @param {number} idle how many tables wait for somebody */
function nobody(kind, idle) {
  return [
    h("h2", null, t("Nobody is playing right now")),
    h("p", { class: "quiet" }, t("The first table at which somebody plays is shown here.")),
    h(
      "div",
      { class: "row" },
      kind && working(t("Play {game} now", { game: kind.name }), () => playNow(kind)),
      idle > 0 && h("a", { class: "button", href: "/games" }, t("Tables that wait for a move")),
    ),
  ];
}

/** The game in which something has just happened; null where all are idle. @param {LobbyGame[]} games @param {AbortSignal} signal */
async function liveliest(games, signal) {
  const likely = [...games].sort((a, b) => begun(b) - begun(a)).slice(0, MOST);
  for (let at = 0; at < likely.length; at += AT_ONCE) {
    const some = await Promise.all(likely.slice(at, at + AT_ONCE).map((game) => moved(game, signal)));
    const [best] = some.sort((a, b) => b.at - a.at);
    if (best !== undefined && time() - best.at < IDLE) return best;
  }
  return null;
}

/** When the turn began that the lobby knows of, as far as its clock tells. @param {LobbyGame} game */
function begun({ created_at: created, deadline, turn_seconds: seconds }) {
  const turn = deadline === null || seconds === null ? 0 : new Date(deadline).getTime() - seconds * 1000;
  return Math.max(new Date(created).getTime(), turn);
}

/** When something last happened in a game: the lobby tells how far it is, and the log when. @param {LobbyGame} game @param {AbortSignal} signal @returns {Promise<Moved>} */
async function moved({ id, version, created_at: created }, signal) {
  let at = new Date(created).getTime();
  // A viewer who sees the game later than it happens does not learn its version.
  let after = version === null ? null : version - 1;
  while (after !== null) {
    /** @type {LogPage | null} */
    const page = await get(`/v1/games/${id}/log?after=${after}&limit=200`, { signal }).catch(() => null);
    const last = page?.items.at(-1);
    if (last !== undefined) at = new Date(last.at).getTime();
    after = page?.next ?? null;
  }
  return { id, at };
}

/**
 * Does something until the page is left, which is no failure.
 * @template T
 * @param {(place: HTMLElement, what: T, signal: AbortSignal) => Promise<void>} work
 * @param {HTMLElement} place @param {T} what @param {AbortSignal} signal
 */
function unlessLeft(work, place, what, signal) {
  work(place, what, signal).catch((error) => {
    if (!signal.aborted) throw error;
  });
}

/** @param {HTMLElement} place @param {Moved} moved @param {AbortSignal} signal */
async function watch(place, moved, signal) {
  const { id } = moved;
  /** @type {Game | undefined} */
  let latest;
  /** Nothing is drawn before the kind is known. @type {(() => void) | undefined} */
  let schedule;
  const game = await new Promise((/** @type {(first: Game) => void} */ done) => {
    follow(`/v1/games/${id}/stream`, {
      signal,
      isForAll: true,
      onAway: (isAway) => away(isAway, "live"),
      onEvent: ({ event, data }) => {
        if (event === "entry") moved.at = time();
        const now = event === "game" ? /** @type {Game} */ (data) : /** @type {{ game: Game }} */ (data).game;
        latest = now;
        done(now);
        schedule?.();
      },
      isOver: () => latest?.status === "finished" || latest?.status === "aborted",
    });
  });
  const [kind, drawing] = await Promise.all([toldKind(game.kind), drawingOf(game.kind)]);
  const draw = (/** @type {Game} */ now) => {
    const model = modelOf({ ...now, you: null }, kind, false);
    const tile = (/** @type {number} */ seat) => seatTile(model, drawing, seat);
    const where = now.status === "active" ? drawing.progress(model) : (STATUS[now.status] ?? now.status);
    const others =
      now.view === null ? null : (drawing.others?.(model, tile) ?? h("ul", { class: "seats" }, order(model).map(tile)));
    update(
      place,
      h(
        "div",
        { class: "row apart" },
        h("h2", null, t("Being played now")),
        h("a", { href: `/games/${id}` }, t("Watch")),
      ),
      h(
        "div",
        { class: "t-board live" },
        h("p", { class: "small quiet" }, `${kind.name}, ${where}`),
        others,
        now.view !== null && kind.kind !== "ricketts_hearts" && h("div", { class: "middle" }, drawing.middle(model)),
      ),
    );
  };
  const show = () => draw(latest ?? game);
  schedule = paced(show, signal);
  if (!signal.aborted) show();
}

/** @param {HTMLElement} place @param {Map<string, string>} names @param {AbortSignal} signal */
async function cups(place, names, signal) {
  const page = /** @type {{ items: ListedTournament[] }} */ (await get("/v1/tournaments?limit=5", { signal }));
  if (page.items.length === 0 || signal.aborted) return;
  const name = (/** @type {ListedTournament} */ cup) =>
    isPage(`/tournaments/${cup.id}`) ? h("a", { href: `/tournaments/${cup.id}` }, cup.name) : cup.name;
  const rows = page.items.map((cup) =>
    h(
      "tr",
      null,
      h("td", null, name(cup)),
      h("td", { class: "small" }, names.get(cup.kind)),
      h(
        "td",
        { class: "small" },
        cup.status === "open" ? count(cup.entrants, "{n} entrant", "{n} entrants") : (STATUS[cup.status] ?? cup.status),
      ),
    ),
  );
  update(
    place,
    h("h2", null, t("Tournaments")),
    h(
      "table",
      { class: "list" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          [t("Name"), t("Game"), t("State")].map((text) => h("th", { scope: "col" }, text)),
        ),
      ),
      h("tbody", null, rows),
    ),
  );
}
