// What the page of a tournament knows: the tournament, its standings now and before the last round, and its tables.

import { get, now } from "../api.js";

/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").Standing} Standing */
/** @typedef {import("../types.d.ts").Standings} Standings */
/** @typedef {import("../types.d.ts").TeamStanding} TeamStanding */
/** @typedef {import("../types.d.ts").TournamentLogPage} LogPage */
/** @typedef {import("../types.d.ts").KindText} KindText */
/** @typedef {import("../types.d.ts").Announcement} Announcement */
/** @typedef {import("../types.d.ts").RoundTable} RoundTable */
/** @typedef {import("../types.d.ts").RefereeCall} Call */
/**
 * @typedef {object} Model
 * @property {Tournament} tournament
 * @property {KindText} kind
 * @property {Standing[]} standings
 * @property {Map<number, number> | null} before the places before the last round, by entrant; null where there are none
 * @property {Map<number, { version: number, tables: RoundTable[] }>} tables all tables of rounds that the tournament does not show whole, by round, and for which version they were loaded
 * @property {Set<number>} opened the earlier rounds that a reader has opened
 * @property {boolean} isOrganiser whether the reader has any role
 * @property {boolean} isDirector whether the reader runs it; a referee decides at the tables alone
 * @property {TeamStanding[]} teams the teams, the best first; empty where everybody plays alone
 * @property {Map<number, boolean> | null} here who has checked in, by entrant, for organisers before the start
 * @property {News} news
 * @property {Call[] | null} calls for a referee, for organisers and entrants while it runs; the newest first
 */
/**
 * What the organisers say.
 * @typedef {object} News
 * @property {Announcement[]} announcements the newest first, one more than the page shows
 * @property {string} pausedFor why it is paused
 */

/** How many entries of the log, and rows of a list, are read at once. */
const STEP = 200;

/** All of them, the best first. @param {string} id @param {AbortSignal} signal @param {string} [asOf] */
export async function loadStandings(id, signal, asOf) {
  const time = asOf === undefined ? "" : `&as_of=${encodeURIComponent(asOf)}`;
  /** @type {Map<number, Standing>} */
  const standings = new Map();
  /** @type {number | null} */
  let next = 0;
  while (next !== null) {
    const path = `/v1/tournaments/${id}/standings?limit=${STEP}&cursor=${next}${time}`;
    const page = /** @type {Standings} */ (await get(path, { signal }));
    // While games are played, an entrant can move to the next page between two requests.
    for (const one of page.items) standings.set(one.entrant, one);
    next = page.next;
  }
  return [...standings.values()];
}

/**
 * Shows the tournament as it is now, after a part of it was made. If it cannot be asked, its stream tells later.
 * @param {string} id @param {(now: Tournament) => void} apply
 */
export async function reload(id, apply) {
  const now = await get(`/v1/tournaments/${id}`).catch(() => null);
  if (now !== null) apply(/** @type {Tournament} */ (now));
}

/** All tables of a round. @param {string} id @param {number} round @param {AbortSignal} signal */
async function loadRound(id, round, signal) {
  /** @type {RoundTable[]} */
  const tables = [];
  /** @type {string | null} */
  let next = "";
  while (next !== null) {
    const query = new URLSearchParams({ limit: String(STEP), ...(next === "" ? {} : { cursor: next }) });
    /** @type {import("../types.d.ts").Page<RoundTable>} */
    const page = await get(`/v1/tournaments/${id}/rounds/${round}/tables?${query}`, { signal });
    tables.push(...page.items);
    next = page.next;
  }
  return tables;
}

/** Whether the tournament shows all tables of a round. @param {Tournament} tournament @param {number} number */
function isShownWhole({ rounds }, number) {
  return rounds.some(({ round, tables, table_count: all }) => round === number && tables.length === all);
}

/**
 * Loads the tables that somebody looks at and that the tournament does not show. Whether there were any.
 * @param {Pick<Model, "tournament" | "tables" | "opened">} model @param {AbortSignal} signal
 */
export async function loadTables({ tournament, tables, opened }, signal) {
  const { id, version } = tournament;
  const looked = isArena(tournament) ? tournament.rounds.map(({ round }) => round) : [tournament.round, ...opened];
  const missing = looked.filter(
    (round) => round > 0 && !isShownWhole(tournament, round) && tables.get(round)?.version !== version,
  );
  for (const round of missing) tables.set(round, { version, tables: await loadRound(id, round, signal) });
  return missing.length > 0;
}

/** The tables of a round, as far as they are known. @param {Pick<Model, "tournament" | "tables">} model @param {number} number */
export function tablesOf({ tournament, tables }, number) {
  const shown = tournament.rounds.find(({ round }) => round === number)?.tables ?? [];
  // What the tournament shows is newer.
  return [...shown, ...(tables.get(number)?.tables ?? []).slice(shown.length)];
}

/** The tables at which somebody may play now: of the newest round, in an arena of all that are shown. @param {Pick<Model, "tournament" | "tables">} model */
export function newestTables(model) {
  const { tournament } = model;
  const rounds = isArena(tournament) ? tournament.rounds.map(({ round }) => round) : [tournament.round];
  return rounds.flatMap((round) => tablesOf(model, round).map((table) => ({ round, table })));
}

/** All teams, the best first. @param {Tournament} tournament @param {AbortSignal} signal */
export async function loadTeams(tournament, signal) {
  /** @type {TeamStanding[]} */
  const teams = [];
  /** @type {number | null} */
  let next = tournament.setup.teams === null ? null : 0;
  while (next !== null) {
    /** @type {import("../types.d.ts").Schemas["TeamStandings"]} */
    const page = await get(`/v1/tournaments/${tournament.id}/teams?limit=${STEP}&cursor=${next}`, { signal });
    teams.push(...page.items);
    next = page.next;
  }
  return teams;
}

/**
 * The places when the last round began; null before the second.
 * @param {Tournament} tournament @param {AbortSignal} signal
 */
export async function placesBefore(tournament, signal) {
  if (isArena(tournament) || tournament.round < 2) return null;
  const began = await lastEntry(tournament, "round_began", signal);
  if (began === null) return null;
  // Bots may have played by the time that the log says: a moment earlier nobody had.
  const earlier = new Date(new Date(began.at).getTime() - 1).toISOString();
  const standings = await loadStandings(tournament.id, signal, earlier);
  return new Map(standings.flatMap((one) => (one.place === null ? [] : [[one.entrant, one.place]])));
}

/** The last entry of this type. @param {Tournament} tournament @param {string} type @param {AbortSignal} signal */
async function lastEntry(tournament, type, signal) {
  for (let end = tournament.version; end > 0; end -= STEP) {
    const after = Math.max(0, end - STEP);
    const page = /** @type {LogPage} */ (
      await get(`/v1/tournaments/${tournament.id}/log?after=${after}&limit=${STEP}`, { signal })
    );
    const found = page.items.findLast((entry) => entry.type === type);
    if (found !== undefined) return found;
  }
  return null;
}

/** @param {Tournament} tournament @param {number} shown how many announcements the page shows @param {AbortSignal} signal @returns {Promise<News>} */
export async function loadNews(tournament, shown, signal) {
  const path = `/v1/tournaments/${tournament.id}/announcements?limit=${shown + 1}`;
  const [page, paused] = await Promise.all([
    /** @type {Promise<{ items: Announcement[] }>} */ (get(path, { signal })),
    tournament.paused ? lastEntry(tournament, "paused", signal) : null,
  ]);
  const reason = paused?.data["reason"];
  return { announcements: page.items, pausedFor: typeof reason === "string" ? reason : "" };
}

/** Whether the tournament is still to change. @param {Tournament} tournament */
export function isRunning({ status }) {
  return status === "open" || status === "active";
}

/** Whether players come and go, and rounds overlap. @param {Tournament} tournament */
export function isArena({ setup }) {
  return setup.format.type === "arena";
}

/** The table at which the reader plays. @param {Pick<Model, "tournament" | "tables">} model */
export function myTable(model) {
  const { you } = model.tournament;
  return newestTables(model).findLast(({ table }) => table.game === you?.game)?.table;
}

/** Whether an arena still gives tables to players who are free. @param {Tournament} tournament */
export function arenaRuns({ status, arena_ends_at: ends }) {
  return status === "active" && ends !== null && now() < new Date(ends).getTime();
}

/** Whether players can enter: before the start, or late. @param {Tournament} tournament */
export function isEntryOpen(tournament) {
  const { status, setup } = tournament;
  if (isArena(tournament) && status === "active") return arenaRuns(tournament);
  if (status === "active") return setup.late_entry !== null && tournament.round < setup.late_entry.until_round;
  return status === "open";
}

/** What the details say about entering before the start: players cannot yet, can, or cannot any more. @param {Tournament} tournament */
export function registration({ details }) {
  const { registration_opens_at: opens, registration_closes_at: closes } = details;
  if (opens !== null && now() < new Date(opens).getTime()) return "early";
  return closes !== null && now() >= new Date(closes).getTime() ? "closed" : "open";
}

/** Whether no round comes after the one that is played. @param {Tournament} tournament */
export function isLastRound(tournament) {
  const [{ format }, newest] = [tournament.setup, tournament.round];
  if (format.type === "arena") return tournament.status === "active" && !arenaRuns(tournament);
  if (format.type === "rounds") return newest >= format.rounds;
  const isInGroups = format.type === "groups" && newest <= format.rounds;
  return !isInGroups && tournament.rounds.at(-1)?.table_count === 1;
}
