// What the kinds with bets share: pots, stakes, and what a raise leaves.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { count, whole } from "../words.js";

/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../table/model.js").LegalAction} LegalAction */
/** @typedef {{ status: string, stack: number, put_in: number }} Stake */
/** @typedef {{ bet: number, pot: number, carried: number, seats: Stake[] }} Bets */
/** @typedef {{ chips: number, shares: { seat: number, chips: number }[], why: string, words?: string }} Pot */

/** What seats that are not simply in are called. @type {Record<string, string>} */
const STATES = { in: "", all_in: t("all in"), folded: t("folded"), out: t("out of the game") };

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
  return stake.put_in > 0 && h("span", { class: "bet" }, t("in {n}", { n: whole(stake.put_in) }));
}

/**
 * All that can be won in a hand: what was put in for it, and what earlier hands have left.
 * @param {{ pot: number, carried: number }} view
 */
export const toWin = ({ pot, carried }) => pot + carried;

/** The pot, and where somebody is all in each side pot. @param {Bets} view */
export function pots(view) {
  if (toWin(view) === 0) return null;
  const parts = sidePots(view);
  return h(
    "div",
    { class: "pots" },
    h("p", { class: "pot" }, h("span", { class: "quiet" }, t("Pot")), " ", h("strong", null, whole(toWin(view)))),
    parts.length > 1 &&
      h(
        "p",
        { class: "quiet small" },
        parts
          .map((chips, at) => `${at === 0 ? t("main pot") : t("side pot {number}", { number: at })} ${whole(chips)}`)
          .join(", "),
      ),
    view.carried > 0 &&
      h("p", { class: "quiet small" }, t("{n} of it waited from earlier hands", { n: whole(view.carried) })),
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

/** What an action costs that names no number. @param {Model} model @param {LegalAction} action */
export function cost(model, action) {
  if (action.type !== "call" && action.type !== "match") return 0;
  return owed(model, /** @type {Bets} */ (/** @type {unknown} */ (model.view)));
}

/** Steps of a raise. @param {Model} model @param {LegalAction} action @param {string} name */
export function raises(model, action, name) {
  const view = /** @type {Bets} */ (/** @type {unknown} */ (model.view));
  const domain = action.params[name];
  if (domain?.type !== "integer") return [];
  const { min, max } = domain;
  const pot = toWin(view) + owed(model, view);
  const own = model.you === null ? undefined : view.seats[model.you];
  const isAllIn = own !== undefined && max === own.stack - owed(model, view);
  const between = [
    { title: t("Half pot"), value: Math.round(pot / 2) },
    { title: t("Pot"), value: pot },
  ];
  return [
    { title: t("Least"), value: min },
    ...between.filter(({ value }) => value > min && value <= max),
    ...(isAllIn || max > min ? [{ title: isAllIn ? t("All in") : t("Most"), value: max }] : []),
  ];
}

/** What a raise costs and leaves. @param {Model} model @param {LegalAction} _action @param {string} _name @param {number} value */
export function leaves(model, _action, _name, value) {
  const view = /** @type {Bets} */ (/** @type {unknown} */ (model.view));
  const own = model.you === null ? undefined : view.seats[model.you];
  if (own === undefined) return "";
  const due = owed(model, view);
  const cost =
    due > 0
      ? t("You put in {due} and {n} more.", { due: whole(due), n: whole(value) })
      : t("You put in {n}.", { n: whole(value) });
  return `${cost} ${count(own.stack - due - value, "{n} chip is left.", "{n} chips are left.")}`;
}

/** Who won what in the hand before. @param {Model} model @param {Pot[]} all @param {(pot: Pot) => string} why */
export function winnings(model, all, why) {
  return all.map((pot, at) => {
    const isMain = all.length > 1 && at === 0;
    const reason = why(pot) === "" ? "" : `: ${why(pot)}`;
    if (pot.shares.length === 0) return `${waits(pot.chips, isMain ? null : at)}${reason}.`;
    const shares = pot.shares.map((share, at) => {
      const values = { n: whole(share.chips) };
      const text =
        pot.why === "returned"
          ? model.voice.does(share.seat, "{who} [gets|get] {n}", values)
          : model.voice.does(share.seat, "{who} [wins|win] {n}", values);
      // Names keep their capital.
      return at > 0 && share.seat === model.you ? text.charAt(0).toLowerCase() + text.slice(1) : text;
    });
    return `${shares.join(", ")} ${isMain ? t("from the main pot") : fromPot(at)}${reason}.`;
  });
}

/** Where the game stands. @param {{ hand: number, hands: number }} view */
export function handOf({ hand, hands }) {
  return hand > 0 ? t("hand {number} of {all}", { number: hand, all: hands }) : "";
}

/** The hand before: who won what, and on demand what was shown. @param {number} hand @param {string[]} texts @param {import("../dom.js").Child} shown @param {boolean} isOver */
export function before(hand, texts, shown, isOver) {
  const text = `${t("Hand {number}", { number: hand })}: ${texts.join(" ")}`;
  if (!shown) return h("p", { class: "last small", "data-key": `last-${hand}` }, text);
  return h(
    "details",
    { class: "last", open: isOver, "data-key": `last-${hand}` },
    h("summary", null, h("span", null, text)),
    shown,
  );
}

/** "from the pot". @param {number} pot */
export function fromPot(pot) {
  return pot === 0 ? t("from the pot") : t("from side pot {number}", { number: pot });
}

/** Chips that nobody won; `pot` is null for the main pot where there are others. @param {number} chips @param {number | null} pot */
function waits(chips, pot) {
  const n = whole(chips);
  if (pot === null) return t("{n} in the main pot wait for the next hand", { n });
  if (pot === 0) return t("{n} in the pot wait for the next hand", { n });
  return t("{n} in side pot {number} wait for the next hand", { n, number: pot });
}
