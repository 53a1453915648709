// Royal Gambit: each row as it grows, what it is worth, and what would bust it.

import { card, row } from "../cards/card.js";
import { h } from "../dom.js";
import { count, whole } from "../words.js";

/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../types.d.ts").Schemas["RoyalGambitView"]} View */
/** @typedef {import("../types.d.ts").Schemas["RoyalGambitFact"]} GambitFact */

/** @type {Record<string, string>} */
const STATES = { in: "", stayed: "stays", bust: "bust", out: "sits out" };
/** @type {Record<string, string>} */
const FLIPS = { hit: "and gets", auto_hit: "with nothing to lose and gets", jack: "for the jack and gets" };
/** @type {Record<string, string>} */
const STAGES = { ordinary: "", extra: ", the extra hand", tie: ", to break the tie" };

/** @param {Model} model */
const viewOf = (model) => /** @type {View} */ (/** @type {unknown} */ (model.view));
/** @param {View} view @param {number} seat */
const seatOf = (view, seat) => view.seats.find((one) => one.seat === seat);

/** @type {import("../table/model.js").Drawing} */
export const drawing = {
  seat(model, seat) {
    const view = viewOf(model);
    const own = seatOf(view, seat);
    if (own === undefined) return { figure: "" };
    const owed = view.flips_owed.find((one) => one.seat === seat)?.flips ?? 0;
    const states = [STATES[own.status] ?? own.status, owed > 0 ? `owes ${count(owed, "flip")}` : ""].filter(Boolean);
    const body =
      seat === model.you
        ? null
        : [
            own.row.length > 0 && row(model.deck, own.row, `Row of ${model.names[seat]}`, "tiny"),
            own.row.length > 0 &&
              own.status !== "bust" &&
              h("span", { class: "small quiet" }, `row worth ${own.worth}`),
          ];
    return {
      figure: whole(own.total),
      state: states.join(", "),
      isOut: own.status === "bust" || own.status === "out",
      isDealer: view.dealer === seat,
      body,
    };
  },
  middle(model) {
    const view = viewOf(model);
    const target = /** @type {{ target_score?: number }} */ (model.game.options).target_score;
    return h(
      "div",
      { class: "pots" },
      h(
        "div",
        { class: "row deck" },
        view.cards_left > 0 ? card(model.deck, null) : null,
        h("p", null, h("strong", null, view.cards_left), h("span", { class: "quiet" }, " cards in the deck")),
      ),
      target !== undefined && h("p", { class: "quiet small" }, `The game goes to ${whole(target)} points.`),
      decision(model, view),
    );
  },
  own(model) {
    const view = viewOf(model);
    const own = model.you === null ? undefined : seatOf(view, model.you);
    if (own === undefined) return { cards: [] };
    const fatal = own.status === "in" ? danger(model, view, own.row) : null;
    const worth =
      own.status === "bust"
        ? h("p", { class: "bad" }, "Bust: this row counts nothing.")
        : h(
            "p",
            null,
            "This row is worth ",
            h("strong", null, own.worth),
            h("span", { class: "quiet" }, `, on top of ${whole(own.total)}`),
          );
    return {
      cards: own.row,
      note: [own.row.length === 0 ? h("p", { class: "quiet" }, "Your row is empty.") : worth, fatal],
    };
  },
  tell(told, { does, name, object, card: word }) {
    const fact = /** @type {GambitFact} */ (/** @type {unknown} */ (told));
    switch (fact.type) {
      case "hand_began":
        return does(
          fact.dealer,
          "deals",
          fact.stage === "extra" ? "the extra hand" : fact.stage === "tie" ? "to break the tie" : "",
        );
      case "flipped":
        return does(
          fact.seat,
          fact.because === "jack" ? "flips" : "hits",
          `${FLIPS[fact.because] ?? ""} the ${word(fact.card)}`.trim(),
        );
      case "pardoned":
        return does(fact.seat, "is", `pardoned: the ${word(fact.queen)} goes with the ${word(fact.card)}`);
      case "bust":
        return does(fact.seat, "is", "bust");
      case "given":
        return does(fact.from, "gives", `the ${word(fact.card)} to ${object(fact.to)}`);
      case "kept":
        return does(fact.seat, "keeps", `the ${word(fact.card)}: nobody can be given it`);
      case "spied":
        return fact.by === fact.on
          ? does(fact.on, "takes", "the two flips")
          : does(fact.by, "makes", `${object(fact.on)} flip two cards`);
      case "blocked":
        return does(fact.seat, "sends", "the jack to nobody: all are safe from it");
      case "lapsed":
        return `${name(fact.seat)} need not flip ${count(fact.flips, "more card", "more cards")}`;
      case "stayed":
        return does(fact.seat, "stays", `for ${fact.score}: ${fact.total} in all`);
      default:
        return null;
    }
  },
  ended: (model, facts) => rowsAtEnd(model, /** @type {GambitFact[]} */ (/** @type {unknown[]} */ (facts))),
  progress: (model) => (viewOf(model).hand > 0 ? `hand ${viewOf(model).hand}${STAGES[viewOf(model).stage] ?? ""}` : ""),
};

/**
 * Each row as the hand left it: once the next hand begins, the view has it no more.
 * @param {Model} model @param {GambitFact[]} facts
 */
function rowsAtEnd(model, facts) {
  /** @type {Map<number, { cards: string[], end: string, isBust: boolean, score: number }>} */
  const rows = new Map();
  /** @type {string[]} */
  const pardons = [];
  const at = (/** @type {number} */ seat) => {
    const known = rows.get(seat) ?? { cards: [], end: "did not stay", isBust: false, score: 0 };
    rows.set(seat, known);
    return known;
  };
  const leave = (/** @type {number} */ seat, /** @type {string} */ code) => {
    at(seat).cards = at(seat).cards.filter((one) => one !== code);
  };
  for (const fact of facts) {
    if (fact.type === "hand_began") fact.seats.forEach(at);
    else if (fact.type === "flipped") at(fact.seat).cards.push(fact.card);
    else if (fact.type === "pardoned") {
      leave(fact.seat, fact.queen);
      leave(fact.seat, fact.card);
      pardons.push(fact.queen, fact.card);
    } else if (fact.type === "given") {
      leave(fact.from, fact.card);
      at(fact.to).cards.push(fact.card);
    } else if (fact.type === "bust") Object.assign(at(fact.seat), { end: "bust", isBust: true });
    else if (fact.type === "stayed")
      Object.assign(at(fact.seat), { end: `stays for ${fact.score}: ${fact.total} in all`, score: fact.score });
  }
  const most = Math.max(0, ...[...rows.values()].map((one) => one.score));
  const drawn = [...rows].map(([seat, { cards, end, isBust, score }]) =>
    h(
      "li",
      null,
      h("span", null, h("strong", null, model.voice.name(seat)), " ", h("span", { class: isBust ? "bad" : "" }, end)),
      h(
        "span",
        { class: "tiny", role: "group", "aria-label": `Row of ${model.names[seat]}` },
        cards.map((code) => card(model.deck, code, { class: most > 0 && score === most ? "won" : "" })),
      ),
    ),
  );
  return [
    h("ul", { class: "plain shown ended" }, drawn),
    pardons.length > 0 && [
      h("p", { class: "small quiet" }, "Queens that pardoned, each with the card that it took along:"),
      row(model.deck, pardons, "Pardons", "tiny"),
    ],
  ];
}

/** @param {Model} model @param {View} view */
function decision(model, view) {
  if (!view.decision || view.decision.of === "turn") return null;
  const { seat, of } = view.decision;
  return h(
    "p",
    null,
    of === "give"
      ? `${model.voice.does(seat, "has", "a seven to give away")}.`
      : `${model.voice.does(seat, "has", "a jack to send")}.`,
  );
}

/** What would bust a row: a rank that is in it. @param {Model} model @param {View} view @param {string[]} own */
function danger(model, view, own) {
  if (own.length === 0) return null;
  const rank = (/** @type {string} */ code) => code.slice(0, -1);
  const ranks = new Set(own.map(rank));
  const seen = new Set([...own, ...view.discarded, ...view.seats.flatMap((seat) => seat.row)]);
  const left = [...model.deck.infos.keys()].filter((code) => ranks.has(rank(code)) && !seen.has(code)).length;
  const names = [...ranks].map((one) => (one === "T" ? "10" : one)).join(", ");
  return h(
    "p",
    { class: "small quiet" },
    `Another ${names.replace(/, ([^,]+)$/, " or $1")} would bust it: ${left} of the cards that nobody has seen.`,
  );
}
