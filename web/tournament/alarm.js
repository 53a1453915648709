// Draws again when entering or checking in begins or ends: nobody sends news of that.

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
    const { registration_opens_at: opens, registration_closes_at: closes } = tournament.details;
    const waits = [opens, closes, opensAt(tournament)]
      .filter((at) => at !== null)
      .map((at) => new Date(at).getTime() - now())
      .filter((wait) => wait >= 0);
    if (tournament.status !== "open" || waits.length === 0 || signal.aborted) return;
    timer = setTimeout(draw, Math.min(LONGEST, Math.min(...waits) + 50));
  };
}
