// Sending an action. It is judged at the version that its button was drawn from: after a break in the connection, nobody
// does with one hand what was meant for another.

import { Problem, freshKey, get, post } from "../api.js";
import { away } from "../frame.js";
import { gamePath } from "./reading.js";

/** @typedef {import("../types.d.ts").Action} Action */
/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {import("./model.js").Model} Model */

/** Where several seats act at once, the game may move on between a look at it and the action: so often it is sent. */
const TRIES = 3;

/**
 * Gives the game after it.
 * @param {Action} action @param {Model} drawn what the player saw @param {(game: Game) => Model} modelAt
 * @param {AbortSignal} signal
 * @returns {Promise<Game>}
 */
export async function send(action, drawn, modelAt, signal) {
  // One key for all tries, so that it is done once also where an answer has got lost.
  const key = freshKey();
  const { id } = drawn.game;
  let { version } = drawn.game;
  try {
    for (let tried = 1; ; tried++) {
      try {
        return await post(`/v1/games/${id}/actions`, action, {
          key,
          ifMatch: version,
          onAway: () => away(true, "action"),
        });
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== "stale_version" || tried === TRIES) throw error;
        const now = /** @type {Game} */ (await get(gamePath(id), { signal }));
        if (!isSameDecision(drawn, modelAt(now))) throw error;
        version = now.version;
      }
    }
  } finally {
    away(false, "action");
  }
}

/** Whether somebody who has seen `drawn` has the same to decide now. @param {Model} drawn @param {Model} now */
function isSameDecision(drawn, now) {
  return JSON.stringify(decisionOf(drawn)) === JSON.stringify(decisionOf(now));
}

/** In a kind with bets, `bet` is what has to be put in to stay in. @param {Model} model */
function decisionOf({ game, view, you }) {
  const isDue = you !== null && game.to_act.includes(you);
  return [you, game.status, game.paused, isDue, game.legal_actions, view["hand"] ?? null, view["bet"] ?? null];
}
