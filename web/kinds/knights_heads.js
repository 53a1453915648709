// Knights' Heads: cards grouped by face with what they make now, the rabble as a tray, the show as a ranking.

import { card, row } from "../cards/card.js";
import { COUNTED } from "../cards/knights_heads.js";
import { h } from "../dom.js";
import { language, t } from "../texts.js";
import { count, sentence, titled, whole } from "../words.js";
import { before, cost, fromPot, handOf, leaves, pots, putIn, raises, stakeOf, winnings } from "./betting.js";

/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../types.d.ts").Schemas["KnightsHeadsView"]} View */
/** @typedef {import("../types.d.ts").Schemas["KnightsHeadsFact"]} HeadsFact */

const FACES = "KQNAMEDJB";
/** @type {Record<string, string>} */
const PHASES = {
  first_dealer: t("The first dealer is drawn."),
  shuffle: t("The deck is shuffled."),
  first_betting: t("First betting."),
  rabble: t("The rabble: each gives three cards to the left."),
  second_betting: t("Second betting."),
  final_betting: t("Last betting, with the card for luck."),
  over: "",
};

/** @param {Model} model */
const viewOf = (model) => /** @type {View} */ (/** @type {unknown} */ (model.view));

/** @type {import("../table/model.js").Drawing} */
export const drawing = {
  seat(model, seat) {
    const view = viewOf(model);
    const own = view.seats[seat];
    if (own === undefined) return { figure: "" };
    const face = stakeOf(own, view.dealer, seat);
    const picks = view.phase === "rabble" && view.to_pick.includes(seat) ? t("chooses rabble") : "";
    const seen = own.cards.some((code) => code !== null);
    const cards =
      seat === model.you || own.cards.length === 0
        ? null
        : seen
          ? row(model.deck, grouped(own.cards), t("Cards of {name}", { name: model.names[seat] ?? "" }), "tiny tight")
          : h("span", { class: "small quiet" }, count(own.cards.length, "{n} card", "{n} cards"));
    return {
      ...face,
      state: [face.state, picks].filter(Boolean).join(", "),
      body: [cards, " ", h("span", { class: "small quiet" }, putIn(own))],
    };
  },
  middle(model) {
    const view = viewOf(model);
    return [pots(view), h("p", { class: "small quiet" }, PHASES[view.phase] ?? ""), show(model, view)];
  },
  own(model) {
    const view = viewOf(model);
    const cards = (model.you === null ? undefined : view.seats[model.you]?.cards) ?? [];
    return { cards: grouped(cards), note: cards.length > 0 && notes(model, view, cards) };
  },
  tell(told, { does, from, cards }, model) {
    const fact = /** @type {HeadsFact} */ (/** @type {unknown} */ (told));
    switch (fact.type) {
      case "out":
        return does(fact.seat, "{who} [is|are] out of the game: the ante cannot be paid");
      case "hand_began":
        return does(fact.dealer, "{who} [deals|deal]");
      case "dealt":
        return fact.cards.includes(null)
          ? null
          : does(fact.seat, "{who} [gets|get] {cards}", { cards: cards(fact.cards) });
      case "passed":
        return does(fact.seat, "{who} [passes|pass]");
      case "bet":
        return does(fact.seat, "{who} [bets|bet] {n}", { n: whole(fact.by) });
      case "matched":
        return does(fact.seat, "{who} [matches|match] with {n}", { n: whole(fact.chips) });
      case "raised":
        return does(fact.seat, "{who} [raises|raise] by {n}", { n: whole(fact.by) });
      case "called":
        return does(fact.seat, "{who} [calls|call] for cards, for {n}", { n: whole(fact.chips) });
      case "folded":
        return does(fact.seat, "{who} [folds|fold]");
      case "rabble_picked":
        return fact.cards.includes(null)
          ? does(fact.seat, "{who} [gives|give] three cards as rabble")
          : does(fact.seat, "{who} [gives|give] {cards} as rabble", { cards: cards(fact.cards) });
      case "rabble_received":
        return fact.cards.includes(null)
          ? null
          : does(fact.seat, "{who} [gets|get] {cards} as rabble {from}", {
              cards: cards(fact.cards),
              from: from(fact.from),
            });
      case "luck_dealt":
        return fact.card === null
          ? does(fact.seat, "{who} [gets|get] a card for luck")
          : does(fact.seat, "{who} [gets|get] {card} for luck", { card: cards([fact.card]) });
      case "unmatched_returned":
        return does(fact.seat, "{who} [takes|take] back {n} that nobody matched", { n: whole(fact.chips) });
      case "shown":
        return does(fact.seat, "{who} [shows|show] {hand}", { hand: wordsOf(model, fact) });
      case "pot_won":
        return (
          does(fact.seat, "{who} [wins|win] {n} {from}", { n: whole(fact.chips), from: fromPot(fact.pot_number) }) + why(fact)
        );
      case "pot_returned":
        return does(fact.seat, "{who} [gets|get] {n} back {from}: nobody has a hand that counts", {
          n: whole(fact.chips),
          from: fromPot(fact.pot_number),
        });
      case "carried":
        return t("{n} wait for the next hand: nobody has a hand that counts", { n: whole(fact.chips) });
      default:
        return null;
    }
  },
  progress: (model) => handOf(viewOf(model)),
  cost,
  presets: raises,
  effect: leaves,
};

/**
 * What a hand is, in the page's language. The API's words, which say more, are English.
 * @param {Model} model @param {{ made: string, words: string }} one
 */
function wordsOf(model, one) {
  if (language === "en") return one.words;
  return (
    model.kind.hands.find((hand) => hand.name === one.made)?.title ??
    (one.made === "nothing" ? t("nothing") : one.words)
  );
}

/** Why a pot was won. @param {{ why: string, words?: string }} pot */
function why(pot) {
  if (language === "en") return pot.words ? `: ${pot.words}` : "";
  const known = /** @type {Record<string, string>} */ ({
    all_folded: t("all others folded"),
    returned: t("nobody has a hand that counts"),
    carried: t("nobody has a hand that counts"),
  })[pot.why];
  return known === undefined ? "" : `: ${known}`;
}

/** Highest face first, then by number. @param {(string | null)[]} cards */
function grouped(cards) {
  const place = (/** @type {string | null} */ code) =>
    code === null ? 999 : FACES.indexOf(code.slice(0, 1)) * 20 + Number(code.slice(1));
  return [...cards].sort((a, b) => place(a) - place(b));
}

/** @param {Model} model @param {View} view @param {(string | null)[]} cards */
function notes(model, view, cards) {
  /** @type {Map<string, number>} */
  const faces = new Map();
  for (const code of grouped(cards)) {
    const face = code === null ? "" : (model.deck.infos.get(code)?.face ?? "");
    if (face !== "") faces.set(face, (faces.get(face) ?? 0) + 1);
  }
  const makes = view.own?.makes;
  const hand = makes && model.kind.hands.find((one) => one.name === makes.hand);
  const tray = (/** @type {string[]} */ list, /** @type {string} */ title) =>
    list.length > 0 &&
    h(
      "div",
      { class: "tray" },
      h("span", { class: "small quiet" }, title),
      row(model.deck, grouped(list), title, "tiny"),
    );
  return [
    h(
      "p",
      null,
      makes
        ? [
            h("strong", null, hand?.title ?? (makes.hand === "nothing" ? t("Nothing") : titled(makes.hand))),
            h("span", { class: "quiet" }, language !== "en" || makes.words === makes.hand ? "" : `, ${makes.words}`),
          ]
        : h("span", { class: "quiet" }, t("With ten cards you will see what they make.")),
    ),
    h(
      "p",
      { class: "small quiet faces" },
      [...faces].map(([face, number]) => COUNTED[face]?.(number) ?? `${number} ${face}`).join(" · "),
    ),
    view.own &&
      h(
        "div",
        { class: "row trays" },
        tray(view.own.got, t("Rabble you got")),
        tray(view.own.gave, t("Rabble you gave")),
      ),
  ];
}

/** The show of the hand before, the best first. @param {Model} model @param {View} view */
function show(model, view) {
  const last = view.last_hand;
  if (!last) return null;
  const number = (/** @type {string} */ name) => model.kind.hands.find((hand) => hand.name === name)?.number ?? 99;
  const winners = new Set(last.pots.flatMap((pot) => pot.shares.map((share) => share.seat)));
  const best = [...last.shown].sort(
    (a, b) => Number(winners.has(b.seat)) - Number(winners.has(a.seat)) || number(a.made) - number(b.made),
  );
  const texts = winnings(model, last.pots, (pot) => why(pot).slice(2));
  const shown = best.map((one) =>
    h(
      "li",
      null,
      h("span", null, sentence(`${model.voice.name(one.seat)}: ${wordsOf(model, one)}`)),
      h(
        "span",
        { class: "tiny" },
        grouped(one.cards).map((code) => card(model.deck, code, { class: winners.has(one.seat) ? "won" : "" })),
      ),
    ),
  );
  return before(last.hand, texts, shown.length > 0 && h("ol", { class: "plain shown" }, shown), view.phase === "over");
}
