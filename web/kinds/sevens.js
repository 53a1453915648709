// Sevens: three hidden cards, their total, the pot, and a trade by choosing cards.

import { card, row } from "../cards/card.js";
import { h } from "../dom.js";
import { t } from "../texts.js";
import { count, whole } from "../words.js";
import { before, cost, fromPot, handOf, leaves, pots, putIn, raises, stakeOf, winnings } from "./betting.js";

/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../types.d.ts").Schemas["SevensView"]} View */
/** @typedef {import("../types.d.ts").Schemas["SevensFact"]} SevensFact */

/** @type {Record<string, string>} */
const WHY = {
  all_folded: t("all others folded"),
  total: t("the highest total up to seven"),
  one_suit: t("of equal totals, more cards of one suit"),
  returned: t("everybody is over seven"),
  carried: t("everybody is over seven"),
};

/** @param {Model} model */
const viewOf = (model) => /** @type {View} */ (/** @type {unknown} */ (model.view));

/** @type {import("../table/model.js").Drawing} */
export const drawing = {
  seat(model, seat) {
    const view = viewOf(model);
    const own = view.seats[seat];
    if (own === undefined) return { figure: "" };
    const body = [
      seat !== model.you &&
        own.cards.length > 0 &&
        row(model.deck, own.cards, t("Cards of {name}", { name: model.names[seat] ?? "" }), "tiny tight"),
      h("span", { class: "small quiet" }, putIn(own), own.traded > 0 && ` ${t("traded {n}", { n: own.traded })}`),
    ];
    return { ...stakeOf(own, view.dealer, seat), body };
  },
  middle(model) {
    const view = viewOf(model);
    return [pots(view), lastHand(model, view)];
  },
  own(model) {
    const view = viewOf(model);
    const cards = (model.you === null ? undefined : view.seats[model.you]?.cards) ?? [];
    const total = cards.reduce((sum, code) => sum + (code === null ? 0 : Number.parseInt(code, 10)), 0);
    const verdict =
      total > 7
        ? t("over seven, which cannot win")
        : total === 7
          ? t("the best there is")
          : t("{n} below seven", { n: 7 - total });
    return {
      cards,
      note:
        cards.length > 0 &&
        h(
          "p",
          null,
          t("Total"),
          " ",
          h("strong", { class: total > 7 ? "bad" : total === 7 ? "good" : "" }, total),
          h("span", { class: "quiet" }, `, ${verdict}`),
        ),
    };
  },
  tell(told, { does, card: name, cards }) {
    const fact = /** @type {SevensFact} */ (/** @type {unknown} */ (told));
    switch (fact.type) {
      case "out":
        return does(fact.seat, "{who} [is|are] out of the game: the ante cannot be paid");
      case "hand_began":
        return does(fact.dealer, "{who} [deals|deal]");
      case "dealt":
        return fact.cards.includes(null)
          ? null
          : does(fact.seat, "{who} [gets|get] {cards}", { cards: cards(fact.cards) });
      case "checked":
        return does(fact.seat, "{who} [checks|check]");
      case "called":
        return does(fact.seat, "{who} [calls|call] for {n}", { n: whole(fact.chips) });
      case "raised":
        return does(fact.seat, "{who} [raises|raise] by {n}", { n: whole(fact.by) });
      case "folded":
        return does(fact.seat, "{who} [folds|fold]");
      case "traded":
        return fact.drawn.includes(null)
          ? does(fact.seat, "{who} [trades|trade] {cards}", {
              cards: count(fact.drawn.length, "{n} card", "{n} cards"),
            })
          : does(fact.seat, "{who} [trades|trade] {cards} for {drawn}", {
              cards: cards(fact.discarded),
              drawn: cards(fact.drawn),
            });
      case "unmatched_returned":
        return does(fact.seat, "{who} [takes|take] back {n} that nobody matched", { n: whole(fact.chips) });
      case "shown":
        return does(fact.seat, "{who} [shows|show] {cards}: {total}", {
          cards: fact.cards.map((one) => name(one)).join(", "),
          total: fact.total,
        });
      case "pot_won":
        return does(fact.seat, "{who} [wins|win] {n} {from}: {why}", {
          n: whole(fact.chips),
          from: fromPot(fact.pot_number),
          why: WHY[fact.why] ?? "",
        });
      case "pot_returned":
        return does(fact.seat, "{who} [gets|get] {n} back {from}: {why}", {
          n: whole(fact.chips),
          from: fromPot(fact.pot_number),
          why: WHY.returned ?? "",
        });
      case "carried":
        return t("{n} wait for the next hand: {why}", { n: whole(fact.chips), why: WHY.carried ?? "" });
      default:
        return null;
    }
  },
  progress: (model) => handOf(viewOf(model)),
  cost,
  presets: raises,
  effect: leaves,
};

/** @param {Model} model @param {View} view */
function lastHand(model, view) {
  const last = view.last_hand;
  if (last === null || last === undefined) return null;
  const winners = new Set(last.pots.flatMap((pot) => pot.shares.map((share) => share.seat)));
  const texts = winnings(model, last.pots, (pot) => WHY[pot.why] ?? "");
  const shown = last.shown.map((one) =>
    h(
      "li",
      null,
      h("span", null, `${model.voice.name(one.seat)}: ${one.total}`),
      h(
        "span",
        { class: "tiny" },
        one.cards.map((code) => card(model.deck, code, { class: winners.has(one.seat) ? "won" : "" })),
      ),
    ),
  );
  return before(last.hand, texts, shown.length > 0 && h("ul", { class: "plain shown" }, shown), view.phase === "over");
}
