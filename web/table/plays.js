// What can be done, from `legal_actions` alone: which cards an action wants, what else it asks, and when it is complete.

import { t } from "../texts.js";
import { count } from "../words.js";

/** @typedef {import("../types.d.ts").LegalAction} LegalAction */
/** @typedef {import("../types.d.ts").Domain} Domain */
/** @typedef {import("../types.d.ts").KindText} KindText */
/** @typedef {{ name: string, domain: Extract<Domain, { type: "card" | "cards" }>, min: number, max: number }} CardParam */
/** @typedef {{ name: string, title: string, domain: Extract<Domain, { type: "integer" | "seat" | "choice" }>, words: Map<string, string> }} OtherParam */
/**
 * @typedef {object} Play
 * @property {LegalAction} action
 * @property {string} title
 * @property {string} text
 * @property {CardParam | null} cards the cards that it wants
 * @property {OtherParam[]} others
 */

/** @param {LegalAction[]} actions @param {KindText} kind @returns {Play[]} */
export function playsOf(actions, kind) {
  return actions.map((action) => {
    const told = kind.actions.find((one) => one.type === action.type);
    /** @type {CardParam | null} */
    let cards = null;
    /** @type {OtherParam[]} */
    const others = [];
    for (const [name, domain] of Object.entries(action.params)) {
      if (domain.type === "card") cards = { name, domain, min: 1, max: 1 };
      else if (domain.type === "cards") cards = { name, domain, min: domain.min, max: domain.max };
      else {
        const param = told?.params.find((one) => one.name === name);
        others.push({
          name,
          title: param?.title ?? name,
          domain,
          words: new Map(param?.values.map((value) => [String(value.value), value.title]) ?? []),
        });
      }
    }
    return { action, title: told?.title ?? action.type, text: told?.text ?? "", cards, others };
  });
}

/** The most cards that any of the plays takes. @param {Play[]} plays */
export function mostCards(plays) {
  return Math.max(0, ...plays.map((play) => play.cards?.max ?? 0));
}

/** Whether some play takes this card. @param {Play[]} plays @param {string | null} card */
export function isWanted(plays, card) {
  return card !== null && plays.some((play) => play.cards?.domain.from.includes(card));
}

/** What is missing before the play can be made, in a sentence; null where nothing is. @param {Play} play @param {string[]} chosen */
export function missing({ cards, title }, chosen) {
  if (cards === null) return null;
  const left = [...cards.domain.from];
  for (const card of chosen) {
    const at = left.indexOf(card);
    if (at < 0) return `${title}: ${t("one of the chosen cards cannot be used for it. Choose another.")}`;
    left.splice(at, 1);
  }
  if (chosen.length >= cards.min && chosen.length <= cards.max) return null;
  const { min, max } = cards;
  const wanted =
    min === max
      ? count(min, "choose {n} card of your hand first", "choose {n} cards of your hand first")
      : t("choose {min} to {max} cards of your hand first", { min, max });
  const now = chosen.length > 0 ? `; ${t("{n} chosen now", { n: chosen.length })}` : "";
  return `${title}: ${wanted}${now}.`;
}

/** The action that is sent. @param {Play} play @param {string[]} chosen @param {Record<string, string | number>} values */
export function order(play, chosen, values) {
  /** @type {import("../types.d.ts").Action & Record<string, unknown>} */
  const action = { type: play.action.type };
  if (play.cards !== null) action[play.cards.name] = play.cards.domain.type === "card" ? (chosen[0] ?? "") : chosen;
  for (const { name, domain } of play.others) action[name] = values[name] ?? first(domain);
  return action;
}

/** @param {OtherParam["domain"]} domain */
export function first(domain) {
  return domain.type === "integer" ? domain.min : /** @type {string | number} */ (domain.from[0]);
}
