// Ricketts House Hearts: a cross of four, the trick in the middle, and the points of the hand as a small chart.

import { card, outline, row } from "../cards/card.js";
import { h } from "../dom.js";
import { listRow, listTable } from "../pages/list.js";
import { order } from "../table/model.js";
import { count, whole } from "../words.js";

/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../types.d.ts").Schemas["RickettsHeartsView"]} View */
/** @typedef {import("../types.d.ts").Schemas["RickettsHeartsFact"]} HeartsFact */

const SUITS = ["C", "D", "S", "H"];
const RANKS = "23456789TJQKA";

/** @type {Record<string, string>} */
const WAYS = {
  left: "three cards go to the left",
  right: "three cards go to the right",
  across: "three cards go across",
  one_each: "one card goes to each of the others",
  none: "nothing is passed",
};

/** @param {Model} model */
const viewOf = (model) => /** @type {View} */ (/** @type {unknown} */ (model.view));

/** @type {import("../table/model.js").Drawing} */
export const drawing = {
  seat(model, seat) {
    const view = viewOf(model);
    const own = view.seats[seat];
    if (own === undefined) return { figure: "" };
    const state = own.tricks > 0 ? `${count(own.tricks, "trick")}, ${count(own.points, "point")}` : "";
    const isShown = seat !== model.you && view.phase !== "over";
    const body = isShown && h("span", { class: "small quiet" }, count(own.cards.length, "card"));
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
        h("ul", { class: "seats", "aria-label": "The others" }, others.map(seat)),
        h("div", { class: "result" }, result(model, view)),
      ];
    return [
      h(
        "div",
        { class: "cross" },
        h(
          "ul",
          { class: "seats around", "aria-label": "The others" },
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
        ? h("p", { class: "quiet" }, "Your cards are on their way. The others still choose.")
        : got
          ? received(model, view)
          : null;
    return { cards: sorted(cards), note };
  },
  tell(told, { does, card: name, cards }, model) {
    const fact = /** @type {HeartsFact} */ (/** @type {unknown} */ (told));
    switch (fact.type) {
      case "hand_began":
        return `${does(fact.dealer, "deals")}; ${WAYS[fact.passing] ?? ""}`;
      case "passed":
        return does(
          fact.seat,
          "passes",
          fact.cards.includes(null) ? count(fact.cards.length, "card") : `the ${cards(fact.cards)}`,
        );
      case "received":
        return fact.cards.some((one) => one.card === null)
          ? null
          : does(
              fact.seat,
              "receives",
              fact.cards.map((one) => `the ${name(one.card)} from ${model.voice.object(one.from)}`).join(", "),
            );
      case "played":
        return does(fact.seat, "plays", `the ${name(fact.card)}`);
      case "trick_taken":
        return does(
          fact.seat,
          "takes",
          fact.points === 0 ? "the trick, worth nothing" : `the trick, worth ${count(fact.points, "point")}`,
        );
      case "moon_shot":
        return does(fact.seat, "has", "shot the moon");
      case "moon_chosen":
        return fact.choice === "minus"
          ? does(fact.seat, "takes", "26 off the own score")
          : does(fact.seat, "puts", "26 onto each of the others' scores");
      case "scored":
        return does(fact.seat, "scores", `${fact.added > 0 ? "+" : ""}${fact.added}: ${fact.score} in all`);
      case "wrapped":
        return does(fact.seat, "has", `exactly ${fact.score}, and goes back to 0`);
      default:
        return null;
    }
  },
  ended: (model, _facts, hand) => tricksAtEnd(model, viewOf(model), hand),
  progress(model) {
    const { hand } = viewOf(model);
    const target = /** @type {{ target_score?: number }} */ (model.game.options).target_score;
    return hand > 0 ? `hand ${hand}${target === undefined ? "" : `, until somebody has ${target}`}` : "";
  },
};

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
    const name = model.voice.name(seat);
    return h(
      "li",
      { class: `from-${places[at] ?? "top"}`, "data-key": `t-${seat}` },
      code === undefined ? outline() : card(model.deck, code, { class: "fresh", key: code }),
      h("span", { class: "sayonly" }, code === undefined ? `${name}: nothing yet` : `from ${name}`),
    );
  });
  return h("ul", { class: "trick", "aria-label": "The trick" }, placed);
}

/** @param {Model} model @param {View} view */
function standing(model, view) {
  const lead = view.phase === "tricks" && view.leader !== null ? `${model.voice.does(view.leader, "leads")}. ` : "";
  const passing = view.phase === "passing" && view.passing ? `Passing: ${WAYS[view.passing] ?? ""}.` : "";
  return passing || `${lead}Hearts are ${view.hearts_broken ? "broken" : "not broken"}.`;
}

/** Points of this hand, a bar for each. @param {Model} model @param {View} view */
function chart(model, view) {
  if (view.tricks.length === 0) return null;
  const rows = order(model).concat(model.you === null ? [] : [model.you]);
  const unique = [...new Set(rows)];
  return h(
    "section",
    { class: "chart", "data-key": "chart" },
    h("h2", null, "Points in this hand"),
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
          h("h2", null, `Hand ${view.last_hand.hand}`),
          view.last_hand.results.map((one, seat) =>
            h(
              "p",
              { class: "small" },
              `${model.voice.does(seat, "scores")} ${one.added > 0 ? "+" : ""}${one.added}: ${one.score} in all.`,
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
      h("h2", null, "The last trick"),
      h(
        "p",
        { class: "small" },
        `${model.voice.does(last.leader, "led")}; ${model.voice.object(last.taken_by)} took it, worth ${count(last.points, "point")}.`,
      ),
      row(model.deck, last.cards, "The last trick", "tiny"),
    ),
  ];
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
    listTable([["Player"], [`Hand ${last.hand}`, "number"], ["The game", "number"]], rows, "Points; fewest win"),
  ];
}

/** @param {Model} model @param {NonNullable<View["last_hand"]>} last */
function moon({ voice }, last) {
  if (!last.moon) return null;
  const taken = last.moon.choice === "minus" ? "26 come off the own score" : "26 go onto each of the others' scores";
  return h("p", null, `${voice.does(last.moon.seat, "has", "shot the moon")}: ${taken}.`);
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
      [row(model.deck, sorted(counts), `What counts of ${voice.object(seat)}`, "tiny")],
      [own === undefined ? points : signed(own.added), "number"],
      [own === undefined ? "–" : whole(own.score), "number"],
    );
  });
  return [
    h("p", null, `The last trick: ${voice.does(final.leader, "leads")}, ${voice.object(final.taken_by)} takes it.`),
    h("ul", { class: "plain played", "aria-label": "The last trick" }, played),
    last && moon(model, last),
    listTable(
      [["Player"], ["Tricks", "number"], ["What counts of them"], ["Points", "number"], ["In all", "number"]],
      rows,
    ),
  ];
}

/** @param {Model} model @param {View} view */
function received(model, view) {
  return h(
    "p",
    { class: "small quiet" },
    `You received ${view.received.map((one) => `the ${model.voice.card(one.card)} from ${model.voice.object(one.from)}`).join(", ")}.`,
  );
}
