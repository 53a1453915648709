// Royal Gambit: each row as it grows, what it is worth, and what would bust it.

import { card, row } from "../cards/card.js";
import { h } from "../dom.js";
import { t } from "../texts.js";
import { count, whole } from "../words.js";

/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../types.d.ts").Schemas["RoyalGambitView"]} View */
/** @typedef {import("../types.d.ts").Schemas["RoyalGambitFact"]} GambitFact */

/** @type {Record<string, string>} */
const STATES = { in: "", stayed: t("stays"), bust: t("bust"), out: t("sits out") };

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
    const states = [
      STATES[own.status] ?? own.status,
      owed > 0 ? count(owed, "owes {n} flip", "owes {n} flips") : "",
    ].filter(Boolean);
    const body =
      seat === model.you
        ? null
        : [
            own.row.length > 0 &&
              row(model.deck, own.row, t("Row of {name}", { name: model.names[seat] ?? "" }), "tiny"),
            own.row.length > 0 &&
              own.status !== "bust" &&
              h("span", { class: "small quiet" }, t("row worth {n}", { n: own.worth })),
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
        h("p", null, h("strong", null, view.cards_left), " ", h("span", { class: "quiet" }, t("cards in the deck"))),
      ),
      target !== undefined && h("p", { class: "quiet small" }, t("The game goes to {n} points.", { n: whole(target) })),
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
        ? h("p", { class: "bad" }, t("Bust: this row counts nothing."))
        : h(
            "p",
            null,
            t("This row is worth"),
            " ",
            h("strong", null, own.worth),
            h("span", { class: "quiet" }, t(", on top of {n}", { n: whole(own.total) })),
          );
    return {
      cards: own.row,
      note: [own.row.length === 0 ? h("p", { class: "quiet" }, t("Your row is empty.")) : worth, fatal],
    };
  },
  tell(told, { does, object, card: word }) {
    const fact = /** @type {GambitFact} */ (/** @type {unknown} */ (told));
    switch (fact.type) {
      case "hand_began":
        return does(
          fact.dealer,
          fact.stage === "extra"
            ? "{who} [deals|deal] the extra hand"
            : fact.stage === "tie"
              ? "{who} [deals|deal] to break the tie"
              : "{who} [deals|deal]",
        );
      case "flipped":
        return does(
          fact.seat,
          fact.why === "jack"
            ? "{who} [flips|flip] for the jack and [gets|get] the {card}"
            : fact.why === "auto_hit"
              ? "{who} [hits|hit] with nothing to lose and [gets|get] the {card}"
              : "{who} [hits|hit] and [gets|get] the {card}",
          { card: word(fact.card) },
        );
      case "pardoned":
        return does(fact.seat, "{who} [is|are] pardoned: the {queen} goes with the {card}", {
          queen: word(fact.queen),
          card: word(fact.card),
        });
      case "bust":
        return does(fact.seat, "{who} [is|are] bust");
      case "given":
        return does(fact.from, "{who} [gives|give] the {card} to {other}", {
          card: word(fact.card),
          other: object(fact.to),
        });
      case "kept":
        return does(fact.seat, "{who} [keeps|keep] the {card}: nobody can be given it", { card: word(fact.card) });
      case "spied":
        return fact.by === fact.on
          ? does(fact.on, "{who} [takes|take] the two flips")
          : does(fact.by, "{who} [makes|make] {other} flip two cards", { other: object(fact.on) });
      case "blocked":
        return does(fact.seat, "{who} [sends|send] the jack to nobody: all are safe from it");
      case "lapsed":
        return does(
          fact.seat,
          fact.flips === 1 ? "{who} need not flip {n} more card" : "{who} need not flip {n} more cards",
          { n: fact.flips },
        );
      case "stayed":
        return does(fact.seat, "{who} [stays|stay] for {score}: {total} in all", {
          score: fact.score,
          total: fact.total,
        });
      default:
        return null;
    }
  },
  ended: (model, facts) => rowsAtEnd(model, /** @type {GambitFact[]} */ (/** @type {unknown[]} */ (facts))),
  progress(model) {
    const { hand: number, stage } = viewOf(model);
    if (number === 0) return "";
    if (stage === "extra") return t("hand {number}, the extra hand", { number });
    return stage === "tie" ? t("hand {number}, to break the tie", { number }) : t("hand {number}", { number });
  },
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
    const known = rows.get(seat) ?? { cards: [], end: t("did not stay"), isBust: false, score: 0 };
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
    } else if (fact.type === "bust") Object.assign(at(fact.seat), { end: t("bust"), isBust: true });
    else if (fact.type === "stayed") {
      const { score, total } = fact;
      Object.assign(at(fact.seat), { end: t("stays for {score}: {total} in all", { score, total }), score });
    }
  }
  const most = Math.max(0, ...[...rows.values()].map((one) => one.score));
  const drawn = [...rows].map(([seat, { cards, end, isBust, score }]) =>
    h(
      "li",
      null,
      h("span", null, h("strong", null, model.voice.name(seat)), " ", h("span", { class: isBust ? "bad" : "" }, end)),
      h(
        "span",
        { class: "tiny", role: "group", "aria-label": t("Row of {name}", { name: model.names[seat] ?? "" }) },
        cards.map((code) => card(model.deck, code, { class: most > 0 && score === most ? "won" : "" })),
      ),
    ),
  );
  return [
    h("ul", { class: "plain shown ended" }, drawn),
    pardons.length > 0 && [
      h("p", { class: "small quiet" }, t("Queens that pardoned, each with the card that it took along:")),
      row(model.deck, pardons, t("Pardons"), "tiny"),
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
      ? `${model.voice.does(seat, "{who} [has|have] a seven to give away")}.`
      : `${model.voice.does(seat, "{who} [has|have] a jack to send")}.`,
  );
}

/**
 * What would bust a row: a rank that is in it. A queen in the row would go in its place.
 * @param {Model} model @param {View} view @param {string[]} own
 */
function danger(model, view, own) {
  if (own.length === 0) return null;
  const rank = (/** @type {string} */ code) => code.slice(0, -1);
  const ranks = new Set(own.map(rank));
  const seen = new Set([...own, ...view.discarded, ...view.seats.flatMap((seat) => seat.row)]);
  const left = [...model.deck.infos.keys()].filter((code) => ranks.has(rank(code)) && !seen.has(code)).length;
  const names = [...ranks].map((one) => (one === "T" ? "10" : one));
  const ranked =
    names.length < 2
      ? (names[0] ?? "")
      : t("{names} or {last}", { names: names.slice(0, -1).join(", "), last: names.at(-1) ?? "" });
  const values = { ranks: ranked, n: left };
  return h(
    "p",
    { class: "small quiet" },
    ranks.has("Q")
      ? t("Another {ranks} would cost the queen, not the row: {n} of the cards that nobody has seen.", values)
      : t("Another {ranks} would bust it: {n} of the cards that nobody has seen.", values),
  );
}
