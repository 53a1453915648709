// What the kinds with bets share: pots, stakes, and what a raise leaves.

import { h } from "../dom.js";
import { count, whole } from "../words.js";

/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../table/model.js").LegalAction} LegalAction */
/** @typedef {{ status: string, stack: number, put_in: number }} Stake */
/** @typedef {{ bet: number, pot: number, carried: number, seats: Stake[] }} Bets */
/** @typedef {{ chips: number, shares: { seat: number, chips: number }[], why: string, words?: string }} Pot */

/** What seats that are not simply in are called. @type {Record<string, string>} */
const STATES = { in: "", all_in: "all in", folded: "folded", out: "out of the game" };

/** @param {Stake} stake @param {number | null | undefined} dealer @param {number} seat */
export function stakeOf(stake, dealer, seat) {
  return {
    figure: whole(stake.stack),
    state: STATES[stake.status] ?? stake.status,
    isOut: stake.status === "folded" || stake.status === "out",
    isDealer: dealer === seat,
  };
}

/** Chips that a seat has put in. @param {Stake} stake */
export function putIn(stake) {
  return stake.put_in > 0 && h("span", { class: "bet" }, `in ${whole(stake.put_in)}`);
}

/** The pot, and where somebody is all in each side pot. @param {Bets} view */
export function pots(view) {
  if (view.pot === 0) return null;
  const parts = sidePots(view);
  return h(
    "div",
    { class: "pots" },
    h("p", { class: "pot" }, h("span", { class: "quiet" }, "Pot "), h("strong", null, whole(view.pot))),
    parts.length > 1 &&
      h(
        "p",
        { class: "quiet small" },
        parts.map((chips, at) => `${at === 0 ? "main pot" : `side pot ${at}`} ${whole(chips)}`).join(", "),
      ),
    view.carried > 0 && h("p", { class: "quiet small" }, `${whole(view.carried)} of it waited from earlier hands`),
  );
}

/** @param {Bets} view */
function sidePots({ seats, carried }) {
  const levels = [...new Set(seats.filter((seat) => seat.status === "all_in").map((seat) => seat.put_in))].sort(
    (a, b) => a - b,
  );
  const most = Math.max(0, ...seats.map((seat) => seat.put_in));
  if (levels.length === 0) return [];
  const all = most > (levels.at(-1) ?? 0) ? [...levels, most] : levels;
  return all.map((level, at) => {
    const below = at === 0 ? 0 : (all[at - 1] ?? 0);
    const chips = seats.reduce((sum, seat) => sum + Math.max(0, Math.min(seat.put_in, level) - below), 0);
    return chips + (at === 0 ? carried : 0);
  });
}

/** @param {Model} model @param {Bets} view */
function owed(model, view) {
  const own = model.you === null ? undefined : view.seats[model.you];
  return own === undefined ? 0 : Math.max(0, Math.min(own.stack, view.bet - own.put_in));
}

/** Steps of a raise. @param {Model} model @param {LegalAction} action @param {string} name */
export function raises(model, action, name) {
  const view = /** @type {Bets} */ (/** @type {unknown} */ (model.view));
  const domain = action.params[name];
  if (domain?.type !== "integer") return [];
  const { min, max } = domain;
  const pot = view.pot + owed(model, view);
  const own = model.you === null ? undefined : view.seats[model.you];
  const isAllIn = own !== undefined && max === own.stack - owed(model, view);
  const steps = [
    { title: "Least", value: min },
    { title: "Half pot", value: Math.round(pot / 2) },
    { title: "Pot", value: pot },
    { title: isAllIn ? "All in" : "Most", value: max },
  ];
  return steps.filter(({ title, value }) => title === "Least" || (value <= max && (value > min || title === "All in")));
}

/** What a raise costs and leaves. @param {Model} model @param {LegalAction} _action @param {string} _name @param {number} value */
export function leaves(model, _action, _name, value) {
  const view = /** @type {Bets} */ (/** @type {unknown} */ (model.view));
  const own = model.you === null ? undefined : view.seats[model.you];
  if (own === undefined) return "";
  const due = owed(model, view);
  const cost = due > 0 ? `You put in ${whole(due)} and ${whole(value)} more.` : `You put in ${whole(value)}.`;
  return `${cost} ${count(own.stack - due - value, "chip")} ${own.stack - due - value === 1 ? "is" : "are"} left.`;
}

/** Who won what in the hand before. @param {Model} model @param {Pot[]} all @param {(pot: Pot) => string} why */
export function winnings(model, all, why) {
  return all.map((pot, at) => {
    const name = all.length === 1 ? "the pot" : at === 0 ? "the main pot" : `side pot ${at}`;
    if (pot.shares.length === 0) return `${whole(pot.chips)} in ${name} wait for the next hand: ${why(pot)}.`;
    const verb = pot.why === "returned" ? "gets" : "wins";
    const shares = pot.shares.map((share, at) => {
      const text = model.voice.does(share.seat, verb, whole(share.chips));
      return at > 0 ? text.replace(/^(You|The house) /, (name) => name.toLowerCase()) : text;
    });
    return `${shares.join(", ")} from ${name}: ${why(pot)}.`;
  });
}

/** The hand before: who won what, and on demand what was shown. @param {number} hand @param {string[]} texts @param {import("../dom.js").Child} shown @param {boolean} isOver */
export function before(hand, texts, shown, isOver) {
  const text = `Hand ${hand}: ${texts.join(" ")}`;
  if (!shown) return h("p", { class: "last small", "data-key": `last-${hand}` }, text);
  return h(
    "details",
    { class: "last", open: isOver, "data-key": `last-${hand}` },
    h("summary", null, h("span", null, text)),
    shown,
  );
}

/** @param {number} pot */
export function potName(pot) {
  return pot === 0 ? "the pot" : `side pot ${pot}`;
}
