// Sevens: three hidden cards, their total, the pot, and a trade by choosing cards.

import { card, row } from "../cards/card.js";
import { h } from "../dom.js";
import { count, whole } from "../words.js";
import { before, leaves, potName, pots, putIn, raises, stakeOf, winnings } from "./betting.js";

/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../types.d.ts").Schemas["SevensView"]} View */
/** @typedef {import("../types.d.ts").Schemas["SevensFact"]} SevensFact */

/** @type {Record<string, string>} */
const WHY = {
  all_folded: "all others folded",
  total: "the highest total up to seven",
  one_suit: "of equal totals, more cards of one suit",
  returned: "everybody is over seven",
  carried: "everybody is over seven",
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
        row(model.deck, own.cards, `Cards of ${model.names[seat]}`, "tiny tight"),
      h("span", { class: "small quiet" }, putIn(own), own.traded > 0 && ` traded ${own.traded}`),
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
      total > 7 ? "over seven, which cannot win" : total === 7 ? "the best there is" : `${7 - total} below seven`;
    return {
      cards,
      note:
        cards.length > 0 &&
        h(
          "p",
          null,
          "Total ",
          h("strong", { class: total > 7 ? "bad" : total === 7 ? "good" : "" }, total),
          h("span", { class: "quiet" }, `, ${verdict}`),
        ),
    };
  },
  tell(told, { does, card: name, cards }) {
    const fact = /** @type {SevensFact} */ (/** @type {unknown} */ (told));
    switch (fact.type) {
      case "out":
        return does(fact.seat, "is", "out of the game: the ante cannot be paid");
      case "hand_began":
        return does(fact.dealer, "deals");
      case "dealt":
        return fact.cards.includes(null) ? null : does(fact.seat, "gets", cards(fact.cards));
      case "checked":
        return does(fact.seat, "checks");
      case "called":
        return does(fact.seat, "calls", `for ${whole(fact.chips)}`);
      case "raised":
        return does(fact.seat, "raises", `by ${whole(fact.by)}`);
      case "folded":
        return does(fact.seat, "folds");
      case "traded":
        return does(
          fact.seat,
          "trades",
          fact.drawn.includes(null)
            ? count(fact.drawn.length, "card")
            : `${cards(fact.discarded)} for ${cards(fact.drawn)}`,
        );
      case "unmatched_returned":
        return does(fact.seat, "takes", `back ${whole(fact.chips)} that nobody matched`);
      case "shown":
        return does(fact.seat, "shows", `${fact.cards.map((one) => name(one)).join(", ")}: ${fact.total}`);
      case "pot_won":
        return does(fact.seat, "wins", `${whole(fact.chips)} from ${potName(fact.pot)}: ${WHY[fact.why] ?? ""}`);
      case "pot_returned":
        return does(fact.seat, "gets", `${whole(fact.chips)} back from ${potName(fact.pot)}: ${WHY.returned}`);
      case "carried":
        return `${whole(fact.chips)} wait for the next hand: ${WHY.carried}`;
      default:
        return null;
    }
  },
  progress: (model) => (viewOf(model).hand > 0 ? `hand ${viewOf(model).hand} of ${viewOf(model).hands}` : ""),
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
