// Rituna's Favour: open hands with totals on a scale to 24, the dealer's last.

import { row } from "../cards/card.js";
import { h } from "../dom.js";
import { order } from "../table/model.js";
import { t } from "../texts.js";
import { count, whole } from "../words.js";
import { handOf, toWin } from "./betting.js";

/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../types.d.ts").Schemas["RitunasFavourView"]} View */
/** @typedef {import("../types.d.ts").Schemas["RitunasFavourFact"]} RitunaFact */
/** @typedef {{ cards: string[], total: number, stuck: boolean, bust: boolean }} OneHand */

const MOST = 24;

/** @type {Record<string, string>} */
const WHY = {
  favour: t("two queens on the deal"),
  total: t("the highest total up to 24"),
  queen: t("of equal totals, one with a queen"),
  more_cards: t("of equal totals, more cards"),
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
      ? t("out of the game")
      : own.hands
          .map((hand) => (hand.bust ? t("bust") : hand.stuck ? t("sticks") : ""))
          .filter(Boolean)
          .join(", ");
    const body =
      seat === model.you
        ? null
        : own.hands.map((hand) => [
            row(model.deck, hand.cards, t("Cards of {name}", { name: model.names[seat] ?? "" }), "tiny"),
            scale(hand),
          ]);
    return { figure: whole(own.stack), state, isOut: own.out || isOver, isDealer: view.dealer === seat, body };
  },
  middle(model) {
    const view = viewOf(model);
    return h(
      "div",
      { class: "pots" },
      h("p", { class: "pot" }, h("span", { class: "quiet" }, t("Pot")), " ", h("strong", null, whole(toWin(view)))),
      view.carried > 0 &&
        h("p", { class: "quiet small" }, t("{n} of it waited from earlier hands", { n: whole(view.carried) })),
      h(
        "p",
        { class: "quiet small" },
        count(view.cards_left, "{n} card left in the deck", "{n} cards left in the deck"),
      ),
      view.house &&
        h(
          "div",
          { class: "house" },
          h("h2", null, t("The house")),
          view.house.hand && [
            row(model.deck, view.house.hand.cards, t("The house's cards"), "tiny"),
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
      isSplit &&
        h(
          "p",
          { class: "small" },
          `${number === 0 ? t("First hand") : t("Second hand")}${number === at ? `, ${t("your turn")}` : ""}: ${hand.total}`,
        ),
      scale(hand, true),
    ]);
    const other = isSplit
      ? hands
          .filter((_, number) => number !== at)
          .map((hand) => row(model.deck, hand.cards, t("Your other hand"), "small"))
      : null;
    return { cards: hands[at ?? 0]?.cards ?? [], note: [other, notes] };
  },
  tell(told, { does, cards, card }) {
    const fact = /** @type {RitunaFact} */ (/** @type {unknown} */ (told));
    const second = (/** @type {number} */ hand, /** @type {string} */ text) =>
      hand === 0 ? text : t("{text} in the second hand", { text });
    switch (fact.type) {
      case "out":
        return does(fact.seat, "{who} [is|are] out of the game: the charge cannot be paid");
      case "hand_began":
        return does(fact.dealer, "{who} [has|have] the button");
      case "dealt":
        return does(fact.seat, "{who} [gets|get] {cards}", { cards: cards(fact.cards) });
      case "kept":
        return does(fact.seat, "{who} [keeps|keep] the two sevens");
      case "returned":
        return does(fact.seat, "{who} [puts|put] {cards} back under the deck", { cards: cards(fact.cards) });
      case "redealt":
        return does(fact.seat, "{who} [gets|get] {cards} instead", { cards: cards(fact.cards) });
      case "split":
        return does(fact.seat, "{who} [splits|split] the two sevens");
      case "took":
        return `${second(fact.split_hand, does(fact.seat, "{who} [takes|take] the {card}", { card: card(fact.card) }))}: ${fact.total}`;
      case "stuck":
        return second(fact.split_hand, does(fact.seat, "{who} [sticks|stick] at {total}", { total: fact.total }));
      case "bust":
        return second(fact.split_hand, does(fact.seat, "{who} [is|are] bust with {total}", { total: fact.total }));
      case "favour":
        return does(fact.seat, "{who} [has|have] Rituna's Favour: two queens");
      case "pot_won":
        return does(fact.seat, "{who} [wins|win] {n}: {why}", { n: whole(fact.chips), why: WHY[fact.why] ?? "" });
      case "pot_returned":
        return does(fact.seat, "{who} [gets|get] {n} back: all are bust", { n: whole(fact.chips) });
      case "carried":
        return t("{n} wait for the next hand: all are bust", { n: whole(fact.chips) });
      case "charged":
        return fact.seat === null ? t("The house pays {n}", { n: whole(fact.chips) }) : null;
      default:
        return null;
    }
  },
  progress: (model) => handOf(viewOf(model)),
  others(model, seat) {
    // In the order of play: the dealer acts last.
    const seats = order(model);
    return h(
      "ul",
      { class: "seats wide", "aria-label": t("The others") },
      seats.filter((one) => one !== model.you).map(seat),
    );
  },
};

/** A total on a scale to 24. @param {OneHand} hand @param {boolean} [isLarge] */
function scale(hand, isLarge = false) {
  const share = Math.min(1, hand.total / MOST);
  const text = hand.bust
    ? t("{total}, bust", { total: hand.total })
    : isLarge && hand.total === MOST
      ? t("24, the most there is")
      : t("{total} of 24", { total: hand.total });
  return h(
    "div",
    { class: `scale ${hand.bust ? "over" : ""} ${isLarge ? "large" : ""}` },
    h("div", { class: "bar", "aria-hidden": "true" }, h("div", { class: "fill", style: { width: `${share * 100}%` } })),
    h("span", { class: hand.bust ? "bad" : "" }, text),
  );
}
