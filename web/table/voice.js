// Who is meant, and how one says it: "Bob raises", "You raise".

import { person } from "../words.js";

/** @typedef {import("../types.d.ts").Seat} Seat */
/**
 * @typedef {object} Voice
 * @property {(seat: number | null) => string} name as a subject: "You", "Bob", "The house"
 * @property {(seat: number | null) => string} object "you", "Bob", "the house"
 * @property {(seat: number | null, verb: string, rest?: string) => string} does a sentence without its full stop; the verb as for "Bob"
 * @property {(card: string | null) => string} card in words
 * @property {(cards: (string | null)[]) => string} cards
 */

/** The names of those who sit here. Bots are numbered. @param {Seat[]} seats */
export function namesOf(seats) {
  let bots = 0;
  return seats.map(({ player, bot, seat }) => {
    if (player !== null) return person(player);
    if (bot === null) return `Seat ${seat + 1}`;
    bots++;
    return `Bot ${bots}`;
  });
}

/** @param {string[]} names @param {number | null} you @param {(card: string | null) => string} cardName @returns {Voice} */
export function voiceOf(names, you, cardName) {
  const object = (/** @type {number | null} */ seat) =>
    seat === null ? "the house" : seat === you ? "you" : (names[seat] ?? `seat ${seat + 1}`);
  const name = (/** @type {number | null} */ seat) => {
    const text = object(seat);
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  return {
    name,
    object,
    does: (seat, verb, rest = "") =>
      `${name(seat)} ${seat !== null && seat === you ? second(verb) : verb}${rest === "" ? "" : ` ${rest}`}`,
    card: cardName,
    cards: (cards) => {
      const hidden = cards.filter((card) => card === null).length;
      if (hidden === cards.length) return hidden === 1 ? "a hidden card" : `${hidden} hidden cards`;
      return cards.map((card) => cardName(card)).join(", ");
    },
  };
}

/** The form of a verb that goes with "you". @param {string} verb */
function second(verb) {
  if (verb === "is") return "are";
  if (verb === "has") return "have";
  return verb
    .replace(/(ss|ch|sh)es$/, "$1")
    .replace(/ies$/, "y")
    .replace(/([^s])s$/, "$1");
}
