// The first page: what this is, a table that is played now, and a game in one click.

import { get } from "../api.js";
import { h, update } from "../dom.js";
import { allKinds, drawingOf, toldKind } from "../kinds/told.js";
import { isPage } from "../router.js";
import { follow } from "../stream.js";
import { modelOf, order } from "../table/model.js";
import { seatTile } from "../table/seats.js";
import { run } from "../table/clock.js";
import { t } from "../texts.js";
import { STATUS, count, players } from "../words.js";
import { lobbyRows, watchLobby } from "./lobby_rows.js";
import { playNow, working } from "./play.js";

/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {import("../types.d.ts").LobbyGame} LobbyGame */
/** @typedef {import("../types.d.ts").ListedTournament} ListedTournament */

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
  const live = liveTable(places.live, signal);
  watchLobby(signal, (games) => {
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
  });
  unlessLeft(cups, places.cups, names, signal);
}

/** @param {import("../types.d.ts").KindSummary} kind */
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

/** A table that is being played, as anybody may see it. @param {HTMLElement} place @param {AbortSignal} signal */
function liveTable(place, signal) {
  /** @type {string | null} */
  let watched = null;
  let leaving = new AbortController();
  signal.addEventListener("abort", () => leaving.abort());
  run(place, signal);
  /** @param {LobbyGame[]} games */
  return (games) => {
    const running = games.filter((game) => game.status === "active" && game.visibility === "public");
    if (running.some((game) => game.id === watched)) return;
    const next = running[0];
    leaving.abort();
    leaving = new AbortController();
    watched = next?.id ?? null;
    if (next === undefined)
      update(
        place,
        h("h2", null, t("Nobody plays just now")),
        h("p", { class: "quiet" }, t("The first table that begins is shown here.")),
      );
    else unlessLeft(watch, place, next.id, AbortSignal.any([signal, leaving.signal]));
  };
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

/** @param {HTMLElement} place @param {string} id @param {AbortSignal} signal */
async function watch(place, id, signal) {
  const game = /** @type {Game} */ (await get(`/v1/games/${id}`, { signal }));
  const [kind, drawing] = await Promise.all([toldKind(game.kind), drawingOf(game.kind)]);
  let isDue = false;
  let latest = game;
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
  if (signal.aborted) return;
  draw(game);
  follow(`/v1/games/${id}/stream`, {
    signal,
    onEvent: ({ event, data }) => {
      const now = event === "game" ? /** @type {Game} */ (data) : /** @type {{ game: Game }} */ (data).game;
      latest = now;
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        if (!signal.aborted) draw(latest);
      });
    },
    isOver: () => latest.status === "finished" || latest.status === "aborted",
  });
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
