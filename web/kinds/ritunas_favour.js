// Rituna's Favour: open hands with totals on a scale to 24, the dealer's last.

import { row } from "../cards/card.js";
import { h } from "../dom.js";
import { order } from "../table/model.js";
import { whole } from "../words.js";

/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../types.d.ts").Schemas["RitunasFavourView"]} View */
/** @typedef {import("../types.d.ts").Schemas["RitunasFavourFact"]} RitunaFact */
/** @typedef {{ cards: string[], total: number, stuck: boolean, bust: boolean }} OneHand */

const MOST = 24;

/** @type {Record<string, string>} */
const WHY = {
  favour: "two queens on the deal",
  total: "the highest total up to 24",
  queen: "of equal totals, one with a queen",
  more_cards: "of equal totals, more cards",
};

/** @param {Model} model */
const viewOf = (model) => /** @type {View} */ (/** @type {unknown} */ (model.view));

/** @type {import("../table/model.js").Drawing} */
export const drawing = {
  seat(model, seat) {
    const view = viewOf(model);
    const own = view.seats[seat];
    if (own === undefined) return { figure: "" };
    const isOver = own.hands.length > 0 && own.hands.every((hand) => hand.bust);
    const state = own.out
      ? "out of the game"
      : own.hands
          .map((hand) => (hand.bust ? "bust" : hand.stuck ? "sticks" : ""))
          .filter(Boolean)
          .join(", ");
    const body =
      seat === model.you
        ? null
        : own.hands.map((hand) => [row(model.deck, hand.cards, `Cards of ${model.names[seat]}`, "tiny"), scale(hand)]);
    return { figure: whole(own.stack), state, isOut: own.out || isOver, isDealer: view.dealer === seat, body };
  },
  middle(model) {
    const view = viewOf(model);
    return h(
      "div",
      { class: "pots" },
      h("p", { class: "pot" }, h("span", { class: "quiet" }, "Pot "), h("strong", null, whole(view.pot))),
      view.carried > 0 && h("p", { class: "quiet small" }, `${whole(view.carried)} of it waited from earlier hands`),
      h("p", { class: "quiet small" }, `${view.cards_left} cards left in the deck`),
      view.house &&
        h(
          "div",
          { class: "house" },
          h("h2", null, "The house"),
          view.house.hand && [
            row(model.deck, view.house.hand.cards, "The house's cards", "tiny"),
            scale(view.house.hand),
          ],
        ),
    );
  },
  own(model) {
    const view = viewOf(model);
    const hands = (model.you === null ? undefined : view.seats[model.you]?.hands) ?? [];
    const at = view.turn?.seat === model.you ? view.turn?.hand : 0;
    const isSplit = hands.length > 1;
    const notes = hands.map((hand, number) => [
      isSplit && h("p", { class: "small" }, `Hand ${number + 1}${number === at ? ", your turn" : ""}: ${hand.total}`),
      scale(hand, true),
    ]);
    const other = isSplit
      ? hands
          .filter((_, number) => number !== at)
          .map((hand) => row(model.deck, hand.cards, "Your other hand", "small"))
      : null;
    return { cards: hands[at ?? 0]?.cards ?? [], note: [other, notes] };
  },
  tell(told, { does, name, cards, card }) {
    const fact = /** @type {RitunaFact} */ (/** @type {unknown} */ (told));
    const second = (/** @type {number} */ hand) => (hand === 0 ? "" : " in the second hand");
    switch (fact.type) {
      case "out":
        return does(fact.seat, "is", "out of the game: the charge cannot be paid");
      case "hand_began":
        return does(fact.dealer, "has", "the button");
      case "dealt":
        return does(fact.seat, "gets", cards(fact.cards));
      case "kept":
        return does(fact.seat, "keeps", "the two sevens");
      case "returned":
        return does(fact.seat, "puts", `${cards(fact.cards)} back under the deck`);
      case "redealt":
        return does(fact.seat, "gets", `${cards(fact.cards)} instead`);
      case "split":
        return does(fact.seat, "splits", "the two sevens");
      case "took":
        return does(fact.seat, "takes", `the ${card(fact.card)}${second(fact.hand)}: ${fact.total}`);
      case "stuck":
        return does(fact.seat, "sticks", `at ${fact.total}${second(fact.hand)}`);
      case "bust":
        return does(fact.seat, "is", `bust with ${fact.total}${second(fact.hand)}`);
      case "favour":
        return does(fact.seat, "has", "Rituna's Favour: two queens");
      case "pot_won":
        return does(fact.seat, "wins", `${whole(fact.chips)}: ${WHY[fact.why] ?? ""}`);
      case "pot_returned":
        return does(fact.seat, "gets", `${whole(fact.chips)} back: all are bust`);
      case "carried":
        return `${whole(fact.chips)} wait for the next hand: all are bust`;
      case "charged":
        return fact.seat === null ? `${name(null)} pays ${whole(fact.chips)}` : null;
      default:
        return null;
    }
  },
  progress: (model) => (viewOf(model).hand > 0 ? `hand ${viewOf(model).hand} of ${viewOf(model).hands}` : ""),
  others(model, seat) {
    // In the order of play: the dealer acts last.
    const seats = order(model);
    return h(
      "ul",
      { class: "seats wide", "aria-label": "The others" },
      seats.filter((one) => one !== model.you).map(seat),
    );
  },
};

/** A total on a scale to 24. @param {OneHand} hand @param {boolean} [isLarge] */
function scale(hand, isLarge = false) {
  const share = Math.min(1, hand.total / MOST);
  const text = hand.bust
    ? `${hand.total}, bust`
    : isLarge && hand.total === MOST
      ? "24, the most there is"
      : `${hand.total} of 24`;
  return h(
    "div",
    { class: `scale ${hand.bust ? "over" : ""} ${isLarge ? "large" : ""}` },
    h("div", { class: "bar", "aria-hidden": "true" }, h("div", { class: "fill", style: { width: `${share * 100}%` } })),
    h("span", { class: hand.bust ? "bad" : "" }, text),
  );
}
