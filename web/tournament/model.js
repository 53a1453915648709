// What the page of a tournament knows: the tournament, its standings now and before the last round, and its tables.

import { get, now } from "../api.js";

/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").Standing} Standing */
/** @typedef {import("../types.d.ts").Standings} Standings */
/** @typedef {import("../types.d.ts").TournamentLogPage} LogPage */
/** @typedef {import("../types.d.ts").KindText} KindText */
/** @typedef {import("../types.d.ts").Announcement} Announcement */
/** @typedef {import("../types.d.ts").RefereeCall} Call */
/**
 * @typedef {object} Model
 * @property {Tournament} tournament
 * @property {KindText} kind
 * @property {Standing[]} standings
 * @property {Map<number, number> | null} before the places before the last round, by entrant; null where there are none
 * @property {boolean} isOrganiser
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

/** How many entries of the log are read at once, from its end. */
const STEP = 200;

/** @param {string} id @param {AbortSignal} signal @param {string} [asOf] */
export async function loadStandings(id, signal, asOf) {
  const query = asOf === undefined ? "" : `?as_of=${encodeURIComponent(asOf)}`;
  return /** @type {Standings} */ (await get(`/v1/tournaments/${id}/standings${query}`, { signal })).items;
}

/**
 * The places when the last round began; null before the second.
 * @param {Tournament} tournament @param {AbortSignal} signal
 */
export async function placesBefore(tournament, signal) {
  const round = tournament.rounds.length;
  if (round < 2) return null;
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

/** Whether players can enter: before the start, or late. @param {Tournament} tournament */
export function isEntryOpen({ status, setup, rounds }) {
  if (status === "active") return setup.late_entry !== null && rounds.length < setup.late_entry.until_round;
  return status === "open";
}

/** What the details say about entering before the start: players cannot yet, can, or cannot any more. @param {Tournament} tournament */
export function registration({ details }) {
  const { registration_opens_at: opens, registration_closes_at: closes } = details;
  if (opens !== null && now() < new Date(opens).getTime()) return "early";
  return closes !== null && now() >= new Date(closes).getTime() ? "closed" : "open";
}

/** Whether no round comes after the one that is played. @param {Tournament} tournament */
export function isLastRound({ setup, rounds }) {
  if (setup.format.type === "rounds") return rounds.length >= setup.format.rounds;
  return rounds.at(-1)?.tables.length === 1;
}
