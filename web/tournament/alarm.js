// Draws again when entering or checking in begins or ends, and when an arena's time is up: nobody sends news of that.

import { now } from "../api.js";
import { opensAt } from "./check_in.js";

/** The longest that is waited for at once, in milliseconds: a computer may sleep, or its clock be set. */
const LONGEST = 3_600_000;

/** @param {() => void} draw @param {AbortSignal} signal */
export function alarm(draw, signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  signal.addEventListener("abort", () => clearTimeout(timer));
  return (/** @type {import("../types.d.ts").Tournament} */ tournament) => {
    clearTimeout(timer);
    const { status, details, arena_ends_at: ends } = tournament;
    const { registration_opens_at: opens, registration_closes_at: closes } = details;
    /** @type {Record<typeof status, (string | null)[]>} */
    const times = { open: [opens, closes, opensAt(tournament)], active: [ends], finished: [], aborted: [] };
    const waits = times[status]
      .filter((at) => at !== null)
      .map((at) => new Date(at).getTime() - now())
      .filter((wait) => wait >= 0);
    if (waits.length === 0 || signal.aborted) return;
    timer = setTimeout(draw, Math.min(LONGEST, Math.min(...waits) + 50));
  };
}
