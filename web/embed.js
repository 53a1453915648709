// A tournament in a frame of another site: its standings and the tables of the running round, which keep themselves up to
// date. It knows no session and offers nothing to do, so that the site around it cannot make a reader do anything.

import { Away, Problem, get, pause } from "./api.js";
import { byId, fill, h, update } from "./dom.js";
import { listRow, listTable } from "./pages/list.js";
import { t } from "./texts.js";
import { isRunning } from "./tournament/model.js";
import { entrantName, resultName, resultText, scoreName, standingText, state } from "./tournament/words.js";
import { list, trouble, whole } from "./words.js";

/** @typedef {import("./types.d.ts").Tournament} Tournament */
/** @typedef {import("./types.d.ts").Standing} Standing */
/** @typedef {import("./types.d.ts").TeamStanding} Team */
/** @typedef {{ tournament: Tournament, standings: Standing[], teams: Team[], isAll: boolean }} Seen */

/** So often the card room is asked, in milliseconds: while tables are played, and before. */
const PACE = 10_000;
const SLOW = 60_000;
/** So many lines of each list are shown. */
const MOST = 100;

const main = byId("main");
const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const place = h("div");
const told = h("p", { class: "small wait", role: "status" });

void keepUp();

async function keepUp() {
  fill(main, told, place);
  for (;;) {
    await seen();
    let wait = PACE;
    try {
      const now = await load();
      told.textContent = "";
      draw(now);
      if (!isRunning(now.tournament)) return;
      if (now.tournament.status === "open") wait = SLOW;
    } catch (error) {
      told.textContent = trouble(error);
      const isOver = !(error instanceof Away) && !(error instanceof Problem && isBusy(error));
      if (isOver) return;
      if (error instanceof Problem) wait = Math.max(wait, error.retryAfter * 1000);
    }
    // Frames that were opened together do not all ask at once.
    await pause(wait * (0.75 + Math.random() / 2));
  }
}

/** Whether it is worth asking again. @param {Problem} problem */
function isBusy({ status }) {
  return status === 429 || status >= 500;
}

/** Waits until somebody can see the frame. @returns {Promise<void>} */
function seen() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((done) => document.addEventListener("visibilitychange", () => done(), { once: true }));
}

/** @returns {Promise<Seen>} */
async function load() {
  const path = `/v1/tournaments/${encodeURIComponent(id)}`;
  const anonymous = { anonymous: true };
  const [tournament, standings] = await Promise.all([
    /** @type {Promise<Tournament>} */ (get(path, anonymous)),
    /** @type {Promise<import("./types.d.ts").Standings>} */ (get(`${path}/standings?limit=${MOST}`, anonymous)),
  ]);
  /** @type {Team[]} */
  let teams = [];
  if (tournament.setup.teams !== null) {
    /** @type {import("./types.d.ts").Schemas["TeamStandings"]} */
    const page = await get(`${path}/teams?limit=${MOST}`, anonymous);
    teams = page.items;
  }
  return { tournament, standings: standings.items, teams, isAll: standings.next === null };
}

/** @param {Seen} now */
function draw({ tournament, standings, teams, isAll }) {
  const { name } = tournament.setup;
  document.title = name;
  update(
    place,
    h("h1", null, name),
    h("p", { class: "state" }, state({ tournament, standings, teams })),
    teams.length > 0 && [
      h("h2", null, t("Teams")),
      table(
        tournament,
        teams.map((one) => line(tournament, one, one.team, one.team)),
      ),
      h("h2", null, t("Players")),
    ],
    standings.length > 0 &&
      table(
        tournament,
        standings.map((one) => line(tournament, one, String(one.entrant), nameOf(one))),
      ),
    !isAll && first(),
    tables(tournament),
    h(
      "p",
      { class: "more" },
      h("a", { href: `/tournaments/${tournament.id}`, target: "_blank", rel: "noopener" }, t("The whole tournament")),
    ),
  );
}

/** @param {Tournament} tournament @param {HTMLElement[]} rows */
function table(tournament, rows) {
  return listTable(
    [
      [t("Place"), "number place"],
      [t("Name")],
      [resultName(tournament), "number"],
      [scoreName(tournament), "number"],
    ],
    rows,
  );
}

/** @param {Tournament} tournament @param {Standing | Team} one @param {string} key @param {import("./dom.js").Child} name */
function line(tournament, one, key, name) {
  return listRow(
    { key },
    [one.place ?? "–", "number place"],
    [name, "name"],
    [resultText(tournament, one.result), "number"],
    [one.score === null ? "–" : whole(one.score), "number"],
  );
}

/** @param {Standing} one */
function nameOf(one) {
  const below = [one.team ?? "", standingText(one)].filter((text) => text !== "");
  return [entrantName(one.player), below.length > 0 && h("div", { class: "small quiet" }, below.join(", "))];
}

/** Who sits where in the round that is being played. @param {Tournament} tournament */
function tables({ status, rounds }) {
  const round = status === "active" ? rounds.at(-1) : undefined;
  if (round === undefined) return null;
  return [
    h("h2", null, t("Round {round}", { round: round.round })),
    h(
      "ol",
      { class: "plain seating" },
      round.tables.slice(0, MOST).map(({ game, table, players }) => {
        const title = t("Table {number}", { number: table });
        return h(
          "li",
          { "data-key": game },
          h("a", { href: `/games/${game}`, target: "_blank", rel: "noopener" }, title),
          " ",
          list(players.map(entrantName)),
        );
      }),
      round.byes.length > 0 &&
        h("li", null, t("Sitting out"), " ", list(round.byes.slice(0, MOST).map(entrantName))),
    ),
    Math.max(round.table_count, round.bye_count) > MOST && first(),
  ];
}

function first() {
  return h("p", { class: "small quiet" }, t("The first {n} are shown.", { n: MOST }));
}
