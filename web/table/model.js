// What a table shows: the game as this viewer sees it, with names and words for it.

import { cardName, deckOf } from "../cards/card.js";
import { namesOf, voiceOf } from "./voice.js";

/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {import("../types.d.ts").KindText} KindText */
/** @typedef {import("../types.d.ts").LegalAction} LegalAction */
/** @typedef {import("../types.d.ts").Fact & Record<string, unknown>} Fact */
/** @typedef {import("../types.d.ts").Json} Json */
/** @typedef {import("../dom.js").Child} Child */
/** @typedef {import("../cards/card.js").Deck} Deck */
/** @typedef {import("./voice.js").Voice} Voice */
/**
 * A view of which nothing is known but that it is JSON. Kinds that are drawn read their own.
 * @typedef {Record<string, Json>} View
 */
/**
 * @typedef {object} Model
 * @property {Game} game
 * @property {View} view
 * @property {KindText} kind
 * @property {Deck} deck
 * @property {string[]} names
 * @property {Voice} voice
 * @property {number | null} you
 * @property {boolean} isPast whether this is an earlier state of the game
 */
/**
 * How a seat looks.
 * @typedef {object} SeatFace
 * @property {string} figure stack or score
 * @property {string} [state] a word: folded, bust
 * @property {boolean} [isOut] takes no part in this hand any more
 * @property {boolean} [isDealer]
 * @property {Child} [body] cards
 */
/**
 * One's own cards, in the order in which they are shown.
 * @typedef {object} Own
 * @property {(string | null)[]} cards
 * @property {Child} [note] what they make
 */
/**
 * How a kind is drawn. All that it leaves out is drawn as for a kind that nobody has drawn.
 * @typedef {object} Drawing
 * @property {(model: Model, seat: number) => SeatFace} seat
 * @property {(model: Model) => Child} middle
 * @property {(model: Model) => Own} own
 * @property {(fact: Fact, voice: Voice, model: Model) => string | null} tell a sentence without its full stop; null where there is nothing to say
 * @property {(model: Model) => string} progress where the game stands
 * @property {(model: Model, seat: (seat: number) => Child) => Child} [others] draws the other seats and the middle in its own order
 * @property {(model: Model) => Child} [aside] what can stand below the hand
 * @property {(model: Model, facts: Fact[], hand: number) => Child} [ended] the table as a hand left it, of which these are the facts
 * @property {(model: Model, action: LegalAction) => number} [cost] the chips that an action asks for, where its title does not tell; 0 for none
 * @property {(model: Model, action: LegalAction, name: string) => { title: string, value: number }[]} [presets]
 * @property {(model: Model, action: LegalAction, name: string, value: number) => string} [effect] what a number leaves
 */

/** @param {Game} game @param {KindText} kind @param {boolean} isPast @returns {Model} */
export function modelOf(game, kind, isPast) {
  const deck = deckOf(kind);
  const names = namesOf(game.seats);
  const voice = voiceOf(names, game.you, (card) => cardName(deck, card));
  const view = /** @type {View} */ (/** @type {unknown} */ (game.view ?? {}));
  return { game, view, kind, deck, names, voice, you: game.you, isPast };
}

/** The seats as one sees them: from the left of one's own, or from the first. @param {Model} model */
export function order({ game, you }) {
  const seats = game.seats.map((seat) => seat.seat);
  const at = you === null ? -1 : seats.indexOf(you);
  return at < 0 ? seats : [...seats.slice(at + 1), ...seats.slice(0, at)];
}
