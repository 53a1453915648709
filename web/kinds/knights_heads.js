// Knights' Heads: cards grouped by face with what they make now, the rabble as a tray, the show as a ranking.

import { card, row } from "../cards/card.js";
import { h } from "../dom.js";
import { count, sentence, titled, whole } from "../words.js";
import { before, leaves, potName, pots, putIn, raises, stakeOf, winnings } from "./betting.js";

/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../types.d.ts").Schemas["KnightsHeadsView"]} View */
/** @typedef {import("../types.d.ts").Schemas["KnightsHeadsFact"]} HeadsFact */

const FACES = "KQNAMEDJB";
/** @type {Record<string, string>} */
const PHASES = {
  first_dealer: "The first dealer is drawn.",
  shuffle: "The deck is shuffled.",
  first_betting: "First betting.",
  rabble: "The rabble: each gives three cards to the left.",
  second_betting: "Second betting.",
  final_betting: "Last betting, with the card for luck.",
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
    const picks = view.phase === "rabble" && view.to_pick.includes(seat) ? "chooses rabble" : "";
    const seen = own.cards.some((code) => code !== null);
    const cards =
      seat === model.you || own.cards.length === 0
        ? null
        : seen
          ? row(model.deck, grouped(own.cards), `Cards of ${model.names[seat]}`, "tiny tight")
          : h("span", { class: "small quiet" }, count(own.cards.length, "card"));
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
  tell(told, { does, object, cards }) {
    const fact = /** @type {HeadsFact} */ (/** @type {unknown} */ (told));
    switch (fact.type) {
      case "out":
        return does(fact.seat, "is", "out of the game: the ante cannot be paid");
      case "hand_began":
        return does(fact.dealer, "deals");
      case "dealt":
        return fact.cards.includes(null) ? null : does(fact.seat, "gets", cards(fact.cards));
      case "passed":
        return does(fact.seat, "passes");
      case "bet":
        return does(fact.seat, "bets", whole(fact.by));
      case "matched":
        return does(fact.seat, "matches", `with ${whole(fact.chips)}`);
      case "raised":
        return does(fact.seat, "raises", `by ${whole(fact.by)}`);
      case "called":
        return does(fact.seat, "calls", `for cards, for ${whole(fact.chips)}`);
      case "folded":
        return does(fact.seat, "folds");
      case "rabble_picked":
        return does(
          fact.seat,
          "gives",
          fact.cards.includes(null) ? "three cards as rabble" : `${cards(fact.cards)} as rabble`,
        );
      case "rabble_received":
        return fact.cards.includes(null)
          ? null
          : does(fact.seat, "gets", `${cards(fact.cards)} as rabble from ${object(fact.from)}`);
      case "luck_dealt":
        return does(fact.seat, "gets", fact.card === null ? "a card for luck" : `${cards([fact.card])} for luck`);
      case "unmatched_returned":
        return does(fact.seat, "takes", `back ${whole(fact.chips)} that nobody matched`);
      case "shown":
        return does(fact.seat, "shows", fact.words);
      case "pot_won":
        return does(fact.seat, "wins", `${whole(fact.chips)} from ${potName(fact.pot)}: ${fact.words}`);
      case "pot_returned":
        return does(
          fact.seat,
          "gets",
          `${whole(fact.chips)} back from ${potName(fact.pot)}: nobody has a hand that counts`,
        );
      case "carried":
        return `${whole(fact.chips)} wait for the next hand: nobody has a hand that counts`;
      default:
        return null;
    }
  },
  progress: (model) => (viewOf(model).hand > 0 ? `hand ${viewOf(model).hand} of ${viewOf(model).hands}` : ""),
  presets: raises,
  effect: leaves,
};

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
            h("strong", null, hand?.title ?? titled(makes.hand)),
            h("span", { class: "quiet" }, makes.words === makes.hand ? "" : `, ${makes.words}`),
          ]
        : h("span", { class: "quiet" }, "With ten cards you will see what they make."),
    ),
    h(
      "p",
      { class: "small quiet faces" },
      [...faces].map(([face, number]) => `${number} ${face}${number > 1 ? "s" : ""}`).join(" · "),
    ),
    view.own &&
      h("div", { class: "row trays" }, tray(view.own.got, "Rabble you got"), tray(view.own.gave, "Rabble you gave")),
  ];
}

/** The show of the hand before, the best first. @param {Model} model @param {View} view */
function show(model, view) {
  const last = view.last_hand;
  if (!last) return null;
  const number = (/** @type {string} */ name) => model.kind.hands.find((hand) => hand.name === name)?.number ?? 99;
  const winners = new Set(last.pots.flatMap((pot) => pot.shares.map((share) => share.seat)));
  const best = [...last.shown].sort(
    (a, b) => Number(winners.has(b.seat)) - Number(winners.has(a.seat)) || number(a.hand) - number(b.hand),
  );
  const texts = winnings(model, last.pots, (pot) => pot.words ?? "");
  const shown = best.map((one) =>
    h(
      "li",
      null,
      h("span", null, sentence(`${model.voice.name(one.seat)}: ${one.words}`)),
      h(
        "span",
        { class: "tiny" },
        grouped(one.cards).map((code) => card(model.deck, code, { class: winners.has(one.seat) ? "won" : "" })),
      ),
    ),
  );
  return before(last.hand, texts, shown.length > 0 && h("ol", { class: "plain shown" }, shown), view.phase === "over");
}
