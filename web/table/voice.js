// Who is meant, and how one says it: "Bob raises", "You raise".

import { filled, t, told } from "../texts.js";
import { person } from "../words.js";

/**
 * @typedef {object} Voice
 * @property {(seat: number | null) => string} name as a subject: "You", "Bob", "The house"
 * @property {(seat: number | null) => string} object "you", "Bob", "the house"
 * @property {(seat: number | null) => string} from the same after "from"
 * @property {(seat: number | null, text: string, values?: import("../texts.js").Values) => string} does a sentence without
 *   its full stop: who does it is `who`, and "[raises|raise]" is how it goes with "Bob" and with "You"
 * @property {(card: string | null) => string} card in words
 * @property {(cards: (string | null)[]) => string} cards
 */

/** The names of those who sit here. Bots are numbered. @param {{ player: string | null, bot: string | null, seat: number }[]} seats */
export function namesOf(seats) {
  let bots = 0;
  return seats.map(({ player, bot, seat }) => {
    if (player !== null) return person(player);
    if (bot === null) return t("Seat {number}", { number: seat + 1 });
    bots++;
    return t("Bot {number}", { number: bots });
  });
}

/** The same, where a log names them: there a bot is "steady (seat 0)". @param {string[]} players */
export function namesInLog(players) {
  const isBot = (/** @type {string} */ player) => / \(seat \d+\)$/.test(player);
  return namesOf(
    players.map((player, seat) =>
      isBot(player) ? { seat, player: null, bot: player } : { seat, player, bot: null },
    ),
  );
}

/** @param {string[]} names @param {number | null} you @param {(card: string | null) => string} cardName @returns {Voice} */
export function voiceOf(names, you, cardName) {
  const object = (/** @type {number | null} */ seat) =>
    seat === null
      ? t("the house")
      : seat === you
        ? t("you")
        : (names[seat] ?? t("seat {number}", { number: seat + 1 }));
  const name = (/** @type {number | null} */ seat) => {
    const text = seat !== null && seat === you ? t("You") : object(seat);
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  return {
    name,
    object,
    from: (seat) =>
      seat === null ? t("from the house") : seat === you ? t("from you") : t("from {name}", { name: object(seat) }),
    does: (seat, text, values) => {
      const form = seat !== null && seat === you ? "$2" : "$1";
      return filled(told(text).replace(/\[([^\]|]*)\|([^\]]*)\]/g, form), { ...values, who: name(seat) });
    },
    card: cardName,
    cards: (cards) => {
      const hidden = cards.filter((card) => card === null).length;
      if (hidden === cards.length) return hidden === 1 ? t("a hidden card") : t("{n} hidden cards", { n: hidden });
      return cards.map((card) => cardName(card)).join(", ");
    },
  };
}
