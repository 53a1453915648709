// Ricketts House Hearts: a cross of four, the trick in the middle, and the points of the hand as a small chart.

import { card, outline, row } from "../cards/card.js";
import { h } from "../dom.js";
import { listRow, listTable } from "../pages/list.js";
import { order } from "../table/model.js";
import { t } from "../texts.js";
import { count, sentence, whole } from "../words.js";

/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../types.d.ts").Schemas["RickettsHeartsView"]} View */
/** @typedef {import("../types.d.ts").Schemas["RickettsHeartsFact"]} HeartsFact */

const SUITS = ["C", "D", "S", "H"];
const RANKS = "23456789TJQKA";

/** @type {Record<string, string>} */
const WAYS = {
  left: t("three cards go to the left"),
  right: t("three cards go to the right"),
  across: t("three cards go across"),
  one_each: t("one card goes to each of the others"),
  none: t("nothing is passed"),
};

/** @param {Model} model */
const viewOf = (model) => /** @type {View} */ (/** @type {unknown} */ (model.view));

/** @type {import("../table/model.js").Drawing} */
export const drawing = {
  seat(model, seat) {
    const view = viewOf(model);
    const own = view.seats[seat];
    if (own === undefined) return { figure: "" };
    const state =
      own.tricks > 0
        ? `${count(own.tricks, "{n} trick", "{n} tricks")}, ${count(own.points, "{n} point", "{n} points")}`
        : "";
    const isShown = seat !== model.you && view.phase !== "over";
    const body = isShown && h("span", { class: "small quiet" }, count(own.cards.length, "{n} card", "{n} cards"));
    return { figure: whole(own.score), state, isDealer: view.dealer === seat, body };
  },
  middle(model) {
    return trick(model, viewOf(model));
  },
  others(model, seat) {
    const view = viewOf(model);
    const seats = order(model);
    const places = model.you === null ? ["bottom", "left", "top", "right"] : ["left", "top", "right"];
    const others = seats.filter((one) => one !== model.you);
    if (view.phase === "over")
      return [
        h("ul", { class: "seats", "aria-label": t("The others") }, others.map(seat)),
        h("div", { class: "result" }, result(model, view)),
      ];
    return [
      h(
        "div",
        { class: "cross" },
        h(
          "ul",
          { class: "seats around", "aria-label": t("The others") },
          others.map((one, at) =>
            h(
              "li",
              { class: `at-${places[at] ?? "top"}`, "data-key": `at-${one}` },
              h("ul", { class: "plain" }, seat(one)),
            ),
          ),
        ),
        h("div", { class: "center" }, trick(model, view)),
      ),
      h("p", { class: "small quiet crossnote" }, standing(model, view)),
    ];
  },
  aside(model) {
    const view = viewOf(model);
    return [chart(model, view), lastTrick(model, view)];
  },
  own(model) {
    const view = viewOf(model);
    const cards = (model.you === null ? undefined : view.seats[model.you]?.cards) ?? [];
    const got = view.received.length > 0 && view.tricks.length === 0 && view.phase === "tricks";
    const note =
      view.phase === "passing" && view.passed.length > 0
        ? h("p", { class: "quiet" }, t("Your cards are on their way. The others still choose."))
        : got
          ? received(model, view)
          : null;
    return { cards: sorted(cards), note };
  },
  tell(told, { does, card: name, cards }, model) {
    const fact = /** @type {HeartsFact} */ (/** @type {unknown} */ (told));
    switch (fact.type) {
      case "hand_began":
        return `${does(fact.dealer, "{who} [deals|deal]")}; ${WAYS[fact.passing] ?? ""}`;
      case "passed":
        return fact.cards.includes(null)
          ? does(fact.seat, "{who} [passes|pass] {cards}", { cards: count(fact.cards.length, "{n} card", "{n} cards") })
          : does(fact.seat, "{who} [passes|pass] the {cards}", { cards: cards(fact.cards) });
      case "received":
        return fact.cards.some((one) => one.card === null)
          ? null
          : does(fact.seat, "{who} [receives|receive] {cards}", {
              cards: fact.cards.map((one) => given(model, one)).join(", "),
            });
      case "played":
        return does(fact.seat, "{who} [plays|play] the {card}", { card: name(fact.card) });
      case "trick_taken":
        return fact.points === 0
          ? does(fact.seat, "{who} [takes|take] the trick, worth nothing")
          : does(fact.seat, "{who} [takes|take] the trick, worth {points}", {
              points: count(fact.points, "{n} point", "{n} points"),
            });
      case "moon_shot":
        return does(fact.seat, "{who} [has|have] shot the moon");
      case "moon_chosen":
        return fact.choice === "minus"
          ? does(fact.seat, "{who} [takes|take] 26 off the own score")
          : does(fact.seat, "{who} [puts|put] 26 onto each of the others' scores");
      case "scored":
        return does(fact.seat, "{who} [scores|score] {added}: {score} in all", scores(fact));
      case "wrapped":
        return does(fact.seat, "{who} [has|have] exactly {score}, and [goes|go] back to 0", { score: fact.score });
      default:
        return null;
    }
  },
  ended: (model, _facts, hand) => tricksAtEnd(model, viewOf(model), hand),
  progress(model) {
    const { hand } = viewOf(model);
    const target = /** @type {{ target_score?: number }} */ (model.game.options).target_score;
    if (hand === 0) return "";
    return target === undefined
      ? t("hand {number}", { number: hand })
      : t("hand {number}, until somebody has {target}", { number: hand, target });
  },
};

/** A card that somebody got, and from whom. @param {Model} model @param {{ card: string | null, from: number }} one */
function given({ voice }, one) {
  return t("the {card} {from}", { card: voice.card(one.card), from: voice.from(one.from) });
}

/** What somebody scored, for a text. @param {{ added: number, score: number }} one */
function scores({ added, score }) {
  return { added: signed(added), score };
}

/** @param {(string | null)[]} cards */
function sorted(cards) {
  const place = (/** @type {string | null} */ code) =>
    code === null ? 99 : SUITS.indexOf(code.slice(-1)) * 13 + RANKS.indexOf(code.slice(0, 1));
  return [...cards].sort((a, b) => place(a) - place(b));
}

/** @param {Model} model @param {View} view */
function trick(model, view) {
  const seats = order(model);
  const places = model.you === null ? ["bottom", "left", "top", "right"] : ["left", "top", "right", "bottom"];
  const number = model.game.seats.length;
  const placed = seats.map((seat, at) => {
    const turn = view.leader === null ? -1 : (seat - view.leader + number) % number;
    const code = turn >= 0 ? view.trick[turn] : undefined;
    return h(
      "li",
      { class: `from-${places[at] ?? "top"}`, "data-key": `t-${seat}` },
      code === undefined ? outline() : card(model.deck, code, { class: "fresh", key: code }),
      h(
        "span",
        { class: "sayonly" },
        code === undefined ? t("{name}: nothing yet", { name: model.voice.name(seat) }) : model.voice.from(seat),
      ),
    );
  });
  return h("ul", { class: "trick", "aria-label": t("The trick") }, placed);
}

/** @param {Model} model @param {View} view */
function standing(model, view) {
  const lead =
    view.phase === "tricks" && view.leader !== null ? `${model.voice.does(view.leader, "{who} [leads|lead]")}. ` : "";
  const passing =
    view.phase === "passing" && view.passing ? t("Passing: {way}.", { way: WAYS[view.passing] ?? "" }) : "";
  return passing || lead + (view.hearts_broken ? t("Hearts are broken.") : t("Hearts are not broken."));
}

/** Points of this hand, a bar for each. @param {Model} model @param {View} view */
function chart(model, view) {
  if (view.tricks.length === 0) return null;
  const rows = order(model).concat(model.you === null ? [] : [model.you]);
  const unique = [...new Set(rows)];
  return h(
    "section",
    { class: "chart", "data-key": "chart" },
    h("h2", null, t("Points in this hand")),
    h(
      "ul",
      { class: "plain" },
      unique.map((seat) => {
        const points = view.seats[seat]?.points ?? 0;
        return h(
          "li",
          null,
          h("span", { class: "who" }, model.voice.name(seat)),
          h(
            "span",
            { class: "bar", "aria-hidden": "true" },
            h("span", { class: "fill", style: { width: `${(points / 26) * 100}%` } }),
          ),
          h("span", { class: "number" }, points),
        );
      }),
    ),
  );
}

/** @param {Model} model @param {View} view */
function lastTrick(model, view) {
  const last =
    view.tricks.at(-1) ?? (view.phase === "passing" || view.phase === "tricks" ? null : view.last_hand?.tricks.at(-1));
  const result =
    view.tricks.length === 0 && view.last_hand && view.phase !== "over"
      ? h(
          "section",
          { class: "last", "data-key": `last-${view.last_hand.hand}` },
          h("h2", null, t("Hand {number}", { number: view.last_hand.hand })),
          view.last_hand.results.map((one, seat) =>
            h(
              "p",
              { class: "small" },
              sentence(model.voice.does(seat, "{who} [scores|score] {added}: {score} in all", scores(one))),
            ),
          ),
        )
      : null;
  if (!last) return result;
  return [
    result,
    h(
      "section",
      { class: "last", "data-key": `trick-${view.tricks.length}` },
      h("h2", null, t("The last trick")),
      h("p", { class: "small" }, lastWords(model, last)),
      row(model.deck, last.cards, t("The last trick"), "tiny"),
    ),
  ];
}

/** @param {Model} model @param {{ leader: number, taken_by: number, points: number }} last */
function lastWords({ voice }, { leader, taken_by: taker, points }) {
  const worth = count(points, "{n} point", "{n} points");
  return `${voice.does(leader, "{who} led")}. ${voice.does(taker, "{who} took it, worth {points}", { points: worth })}.`;
}

/** What the last hand and the whole game came to, the lowest score first. @param {Model} model @param {View} view */
function result(model, view) {
  const last = view.last_hand;
  if (!last) return null;
  const best = last.results.map((one, seat) => ({ ...one, seat })).sort((a, b) => a.score - b.score);
  const rows = best.map((one) =>
    listRow(
      { key: `result-${one.seat}`, class: one.seat === model.you ? "mine" : "" },
      [model.voice.name(one.seat)],
      [signed(one.added), "number"],
      [h("strong", null, whole(one.score)), "number"],
    ),
  );
  return [
    moon(model, last),
    listTable(
      [[t("Player")], [t("Hand {number}", { number: last.hand }), "number"], [t("The game"), "number"]],
      rows,
      t("Points; fewest win"),
    ),
  ];
}

/** @param {Model} model @param {NonNullable<View["last_hand"]>} last */
function moon({ voice }, last) {
  if (!last.moon) return null;
  const shot = voice.does(last.moon.seat, "{who} [has|have] shot the moon");
  const taken =
    last.moon.choice === "minus" ? t("26 come off the own score") : t("26 go onto each of the others' scores");
  return h("p", null, `${shot}: ${taken}.`);
}

/** @param {number} value */
function signed(value) {
  return value > 0 ? `+${whole(value)}` : whole(value);
}

/** The last trick of a hand, and what each has taken in it. @param {Model} model @param {View} view @param {number} hand */
function tricksAtEnd(model, view, hand) {
  const last = view.last_hand?.hand === hand ? view.last_hand : null;
  const tricks = last?.tricks ?? (view.hand === hand ? view.tricks : []);
  const final = tricks.at(-1);
  if (final === undefined) return null;
  const { voice, game } = model;
  const played = final.cards.map((code, at) => {
    const seat = (final.leader + at) % game.seats.length;
    const isBest = seat === final.taken_by;
    return h("li", null, card(model.deck, code, { class: isBest ? "won" : "" }), h("span", null, voice.name(seat)));
  });
  const rows = game.seats.map(({ seat }) => {
    const taken = tricks.filter((trick) => trick.taken_by === seat);
    const points = taken.reduce((sum, trick) => sum + trick.points, 0);
    const counts = taken.flatMap((trick) => trick.cards).filter((code) => code.endsWith("H") || code === "QS");
    const own = last?.results[seat];
    return listRow(
      {},
      [h("strong", null, voice.name(seat))],
      [taken.length, "number"],
      [row(model.deck, sorted(counts), t("What counts of {name}", { name: voice.object(seat) }), "tiny")],
      [own === undefined ? points : signed(own.added), "number"],
      [own === undefined ? "–" : whole(own.score), "number"],
    );
  });
  const taker = { taker: voice.object(final.taken_by) };
  return [
    h("p", null, `${voice.does(final.leader, "The last trick: {who} [leads|lead], {taker} takes it", taker)}.`),
    h("ul", { class: "plain played", "aria-label": t("The last trick") }, played),
    last && moon(model, last),
    listTable(
      [
        [t("Player")],
        [t("Tricks"), "number"],
        [t("What counts of them")],
        [t("Points"), "number"],
        [t("In all"), "number"],
      ],
      rows,
    ),
  ];
}

/** @param {Model} model @param {View} view */
function received(model, view) {
  return h(
    "p",
    { class: "small quiet" },
    t("You received {cards}.", { cards: view.received.map((one) => given(model, one)).join(", ") }),
  );
}
