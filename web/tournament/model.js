// What the page of a tournament knows: the tournament, its standings now and before the last round, and its tables.

import { get } from "../api.js";

/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").Standing} Standing */
/** @typedef {import("../types.d.ts").Standings} Standings */
/** @typedef {import("../types.d.ts").TournamentLogPage} LogPage */
/** @typedef {import("../types.d.ts").ToldKind} ToldKind */
/**
 * @typedef {object} Model
 * @property {Tournament} tournament
 * @property {ToldKind} kind
 * @property {Standing[]} standings
 * @property {Map<number, number> | null} before the places before the last round, by entrant; null where there are none
 * @property {boolean} isOrganiser
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
  const at = await beginning(tournament, signal);
  if (at === null) return null;
  // Bots may have played by the time that the log says: a moment earlier nobody had.
  const earlier = new Date(new Date(at).getTime() - 1).toISOString();
  const standings = await loadStandings(tournament.id, signal, earlier);
  return new Map(standings.flatMap((one) => (one.place === null ? [] : [[one.entrant, one.place]])));
}

/** When the last round began, which its log says. @param {Tournament} tournament @param {AbortSignal} signal */
async function beginning(tournament, signal) {
  for (let end = tournament.version; end > 0; end -= STEP) {
    const after = Math.max(0, end - STEP);
    const page = /** @type {LogPage} */ (
      await get(`/v1/tournaments/${tournament.id}/log?after=${after}&limit=${STEP}`, { signal })
    );
    const began = page.items.findLast((entry) => entry.type === "round_began");
    if (began !== undefined) return began.at;
  }
  return null;
}

/** Whether the tournament is still to change. @param {Tournament} tournament */
export function isRunning({ status }) {
  return status === "open" || status === "active";
}
