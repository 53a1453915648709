// One's own hand and the bar of actions. Every action that the API lists can be made here, and no other.

import { card, cardName, face } from "../cards/card.js";
import { byClick, h } from "../dom.js";
import { t } from "../texts.js";
import { count, list, whole } from "../words.js";
import { first, isWanted, missing, mostCards, order, playsOf } from "./plays.js";

/** @typedef {import("./plays.js").Play} Play */
/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Drawing} Drawing */
/**
 * What somebody is about to do.
 * @typedef {object} Intent
 * @property {number[]} chosen places in the hand, in the order in which they were chosen
 * @property {string} hand the hand that they stand for
 * @property {string | null} sheet the action whose parameters are asked
 * @property {Record<string, string | number>} values
 * @property {boolean} isMore whether the rarer actions are shown
 * @property {string} refusal
 * @property {Record<string, string>} typed what stands in a field of a number while somebody types, by parameter
 * @property {boolean} isSending
 */
/**
 * @typedef {object} Table
 * @property {Model} model
 * @property {Drawing} drawing
 * @property {Intent} intent
 * @property {() => void} redraw
 * @property {(action: import("../types.d.ts").Action) => void} act
 */

const MOST_BUTTONS = 4;

/** @returns {Intent} */
export function noIntent() {
  return { chosen: [], hand: "", sheet: null, values: {}, typed: {}, isMore: false, refusal: "", isSending: false };
}

/** @param {Table} table */
export function controls(table) {
  const { model, drawing, intent } = table;
  const own = model.game.view === null ? { cards: [] } : drawing.own(model);
  const plays = model.isPast ? [] : playsOf(model.game.legal_actions, model.kind);
  forget(intent, own.cards, plays);
  return { hand: handOf(table, own, plays), bar: barOf(table, own.cards, plays), plays, cards: own.cards };
}

/** A choice of cards holds as long as the hand. @param {Intent} intent @param {(string | null)[]} cards @param {Play[]} plays */
function forget(intent, cards, plays) {
  const hand = cards.join(" ");
  if (hand !== intent.hand) {
    intent.hand = hand;
    intent.chosen = [];
  }
  if (intent.sheet !== null && !plays.some((play) => play.action.type === intent.sheet)) intent.sheet = null;
  if (plays.length === 0) intent.chosen = [];
}

/** @param {Intent} intent @param {(string | null)[]} cards */
function chosenCards(intent, cards) {
  return intent.chosen.flatMap((at) => cards[at] ?? []);
}

/** @param {Table} table @param {import("./model.js").Own} own @param {Play[]} plays */
function handOf(table, own, plays) {
  const { model, intent } = table;
  if (model.you === null || own.cards.length === 0) return [own.note];
  const most = mostCards(plays);
  const items = own.cards.map((code, at) => {
    const name = cardName(model.deck, code);
    if (most === 0) return h("li", { "data-key": `${code}-${at}` }, card(model.deck, code));
    const wanted = isWanted(plays, code);
    const isChosen = intent.chosen.includes(at);
    const props = {
      class: "card",
      title: name,
      "aria-pressed": String(isChosen),
      "aria-disabled": wanted ? null : "true",
      "data-card": at,
      onclick: () => choose(table, at, most, wanted),
      onkeydown: (/** @type {KeyboardEvent} */ event) => confirm(event, table, at, own.cards, plays),
    };
    return h(
      "li",
      { "data-key": `${code}-${at}` },
      h("button", props, face(model.deck, code), h("span", { class: "sayonly" }, name)),
    );
  });
  return [
    h(
      "ul",
      {
        class: `cards hand ${own.cards.length > 10 ? "many" : own.cards.length > 7 ? "some" : "few"}`,
        "aria-label": t("Your hand"),
      },
      items,
    ),
    own.note,
  ];
}

/** @param {Table} table @param {number} at @param {number} most @param {boolean} isWanted */
function choose({ intent, redraw }, at, most, isWanted) {
  intent.refusal = "";
  if (!isWanted) intent.refusal = t("This card cannot be used now.");
  else if (intent.chosen.includes(at)) intent.chosen = intent.chosen.filter((one) => one !== at);
  else if (most === 1) intent.chosen = [at];
  else if (intent.chosen.length < most) intent.chosen = [...intent.chosen, at];
  else intent.refusal = count(most, "At most {n} card: put one back first.", "At most {n} cards: put one back first.");
  redraw();
}

/** Enter on a card makes the likely play with it. @param {KeyboardEvent} event @param {Table} table @param {number} at @param {(string | null)[]} cards @param {Play[]} plays */
function confirm(event, table, at, cards, plays) {
  if (event.key !== "Enter") return;
  event.preventDefault();
  if (event.repeat) return;
  const play = plays.find((one) => one.cards !== null) ?? plays[0];
  if (play === undefined) return;
  if (play.cards?.max === 1 && !table.intent.chosen.includes(at)) table.intent.chosen = [at];
  press(table, play, cards);
}

/**
 * A button of the bar: an action, and a seat or a choice with it where that is all it asks.
 * @typedef {{ play: Play, title: string, values: Record<string, string | number> }} Button
 */

/** @param {Table} table @param {Play[]} plays @returns {Button[]} */
function buttonsOf({ model }, plays) {
  return plays.flatMap((play) => {
    const [other] = play.others;
    if (
      play.others.length !== 1 ||
      other === undefined ||
      other.domain.type === "integer" ||
      other.domain.from.length + plays.length - 1 > MOST_BUTTONS
    )
      return [{ play, title: play.title, values: {} }];
    return other.domain.from.map((value) => ({
      play,
      title: `${play.title}: ${valueWord(model, other, value)}`,
      values: { [other.name]: value },
    }));
  });
}

/** @param {Model} model @param {import("./plays.js").OtherParam} param @param {string | number} value */
function valueWord(model, param, value) {
  if (param.domain.type === "seat")
    return Number(value) === model.you ? t("yourself") : model.voice.object(Number(value));
  return param.words.get(String(value)) ?? String(value);
}

/** @param {Table} table @param {(string | null)[]} cards @param {Play[]} plays */
function barOf(table, cards, plays) {
  const { model, intent } = table;
  const refusal = h("p", { class: "refusal", role: "alert" }, intent.refusal);
  if (plays.length === 0) return waiting(table, refusal);
  const sheet = plays.find((play) => play.action.type === intent.sheet);
  if (sheet !== undefined) return [refusal, sheetOf(table, sheet, cards)];
  const isTurn = model.you !== null && model.game.to_act.includes(model.you);
  const all = buttonsOf(table, plays);
  const isLong = all.length > MOST_BUTTONS;
  const shown = isLong && !intent.isMore ? all.slice(0, MOST_BUTTONS - 1) : all;
  const chosen = chosenCards(intent, cards);
  const buttons = shown.map((button, at) =>
    h(
      "button",
      {
        class: at === 0 && isTurn ? "likely" : "",
        title: button.play.text || null,
        "data-action": at,
        "data-type": button.play.action.type,
        disabled: intent.isSending,
        onclick: byClick(() => press(table, button.play, cards, button.values)),
      },
      labelOf(table, button, chosen),
    ),
  );
  const more =
    isLong &&
    h(
      "button",
      { class: "bare", "aria-expanded": String(intent.isMore), onclick: () => open(table) },
      intent.isMore ? t("Fewer") : t("More"),
    );
  return [refusal, h("div", { class: "bar", role: "group", "aria-label": t("Your actions") }, buttons, more)];
}

/** Nothing is to be done: for whom the game waits. @param {Table} table @param {Node} refusal */
function waiting({ model, intent }, refusal) {
  const { game, you, voice } = model;
  if (game.paused && game.status === "active" && !model.isPast)
    return [refusal, h("p", { class: "wait waiting" }, t("The organiser has stopped the clocks."))];
  if (you === null || game.status !== "active" || model.isPast) return intent.refusal === "" ? null : refusal;
  const names = game.to_act.map((seat) => voice.object(seat));
  return [
    refusal,
    h(
      "p",
      { class: "quiet waiting" },
      intent.isSending
        ? t("On its way.")
        : names.length > 0
          ? t("Waiting for {names}.", { names: list(names) })
          : t("The house shuffles."),
    ),
  ];
}

/** @param {Table} table */
function open({ intent, redraw }) {
  intent.isMore = !intent.isMore;
  redraw();
}

/**
 * What an action is called, with what it costs: "Call 5".
 * @param {Model} model @param {Drawing} drawing @param {Play} play @param {string} [title]
 */
export function priced(model, drawing, play, title = play.title) {
  const cost = drawing.cost?.(model, play.action) ?? 0;
  return cost > 0 ? t("{action} {n}", { action: title, n: whole(cost) }) : title;
}

/** @param {Table} table @param {Button} button @param {string[]} chosen */
function labelOf({ model, drawing }, button, chosen) {
  const { play } = button;
  const title = priced(model, drawing, play, button.title);
  if (play.cards === null) return title;
  if (play.cards.max === 1)
    return chosen.length === 1 && chosen[0] !== undefined
      ? t("{action} the {card}", { action: title, card: cardName(model.deck, chosen[0]) })
      : t("{action} a card", { action: title });
  if (play.cards.min === 0) return chosen.length === 0 ? title : `${title}, ${withCards(play, chosen.length)}`;
  return t("{action} ({n} of {most})", { action: title, n: chosen.length, most: play.cards.max });
}

/** What the cards of an action are for. @param {Play} play @param {number} n */
function withCards(play, n) {
  const name = play.cards?.name ?? "with";
  return name === "trade" ? t("trade {n}", { n }) : `${name} ${n}`;
}

/** @param {Table} table @param {Play} play @param {(string | null)[]} cards @param {Record<string, string | number>} [values] */
function press(table, play, cards, values = {}) {
  const { intent } = table;
  const chosen = chosenCards(intent, cards);
  const lacking = missing(play, chosen);
  if (lacking !== null) {
    intent.refusal = lacking;
    table.redraw();
    return;
  }
  intent.refusal = "";
  if (play.others.some((other) => values[other.name] === undefined)) {
    intent.sheet = play.action.type;
    intent.values = Object.fromEntries(play.others.map((other) => [other.name, first(other.domain)]));
    intent.typed = {};
    table.redraw();
    focusSoon(play.others[0]?.domain.type === "integer" ? ".sheet input[type=range]" : ".sheet button");
    return;
  }
  table.act(order(play, chosen, values));
}

/** Puts the focus there, once the next frame has drawn it. @param {string} selector */
function focusSoon(selector) {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const found = document.querySelector(`.t-bar ${selector}`);
      if (found instanceof HTMLElement) found.focus({ preventScroll: true });
    }),
  );
}

/** The rest of what an action asks. @param {Table} table @param {Play} play @param {(string | null)[]} cards */
function sheetOf(table, play, cards) {
  const { model, intent, redraw } = table;
  const set = (/** @type {string} */ name, /** @type {string | number} */ value) => {
    intent.values = { ...intent.values, [name]: value };
    redraw();
  };
  const close = () => {
    intent.sheet = null;
    redraw();
    focusSoon(`[data-type="${play.action.type}"]`);
  };
  const fields = play.others.map((other) => {
    const value = intent.values[other.name] ?? first(other.domain);
    if (other.domain.type === "integer") return amount(table, play, other, Number(value), set);
    const choices = other.domain.from.map((one) =>
      h(
        "button",
        { type: "button", "aria-pressed": String(one === value), onclick: () => set(other.name, one) },
        valueWord(model, other, one),
      ),
    );
    return h(
      "div",
      { class: "field", role: "group", "aria-label": other.title },
      h("p", null, other.title),
      h("div", { class: "row" }, choices),
    );
  });
  const chosen = chosenCards(intent, cards);
  const numbers = play.others
    .filter((other) => other.domain.type === "integer")
    .map((other) => intent.values[other.name]);
  const values = { action: play.title, n: numbers.join(", ") };
  const named =
    numbers.length === 0
      ? play.title
      : play.action.type === "bet"
        ? t("{action} {n}", values)
        : t("{action} by {n}", values);
  const title = chosen.length > 0 && play.cards !== null ? `${named}, ${withCards(play, chosen.length)}` : named;
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    table.act(order(play, chosen, intent.values));
  };
  return h(
    "form",
    { class: "sheet", "aria-label": play.title, onsubmit: send },
    fields,
    h(
      "div",
      { class: "bar" },
      h("button", { class: "likely", disabled: intent.isSending }, title),
      h("button", { type: "button", "data-close": true, onclick: close }, t("Back")),
    ),
  );
}

/** @param {Table} table @param {Play} play @param {import("./plays.js").OtherParam} other @param {number} value @param {(name: string, value: number) => void} set */
function amount({ model, drawing, intent }, play, other, value, set) {
  if (other.domain.type !== "integer") return null;
  const { min, max } = other.domain;
  const to = (/** @type {number} */ next) => {
    delete intent.typed[other.name];
    set(other.name, Math.max(min, Math.min(max, Math.round(next))));
  };
  const presets = drawing.presets?.(model, play.action, other.name) ?? [
    { title: t("Least"), value: min },
    { title: t("Half"), value: Math.round((min + max) / 2) },
    { title: t("Most"), value: max },
  ];
  const slide = (/** @type {Event} */ event) => to(Number(/** @type {HTMLInputElement} */ (event.target).value));
  const effect = drawing.effect?.(model, play.action, other.name, value) ?? "";
  return h(
    "div",
    { class: "field" },
    h(
      "div",
      { class: "row amount" },
      h("label", { for: `p-${other.name}` }, other.title),
      h("button", { type: "button", "aria-label": t("Less"), onclick: () => to(value - 1) }, "−"),
      h("input", {
        id: `p-${other.name}`,
        type: "number",
        inputmode: "numeric",
        min,
        max,
        // Whatever else happens at the table, a number that is half typed stays.
        value: intent.typed[other.name] ?? String(value),
        oninput: (/** @type {Event} */ event) => {
          intent.typed[other.name] = /** @type {HTMLInputElement} */ (event.target).value;
        },
        onchange: slide,
      }),
      h("button", { type: "button", "aria-label": t("More"), onclick: () => to(value + 1) }, "+"),
    ),
    h("input", { type: "range", "aria-label": other.title, min, max, value: String(value), oninput: slide }),
    h(
      "div",
      { class: "row presets" },
      presets.map((preset) =>
        h(
          "button",
          { type: "button", "aria-pressed": String(preset.value === value), onclick: () => to(preset.value) },
          preset.title,
          " ",
          h("span", { class: "quiet" }, preset.value),
        ),
      ),
    ),
    effect !== "" && h("p", { class: "small quiet", "aria-live": "polite" }, effect),
  );
}
