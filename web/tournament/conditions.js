// The conditions of entry in words: which players may enter, and why a player may not.

import { Problem } from "../api.js";
import { h } from "../dom.js";
import { t } from "../texts.js";
import { count, person } from "../words.js";

/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").Child} Child */

/** The conditions of entry, one a line; null where everybody may. @param {Tournament} tournament @returns {Child} */
export function conditionsOf({ setup }) {
  const { accounts_only: isForAccounts, programs, rating_from: from, rating_to: to, players } = setup.conditions;
  const lines = [
    isForAccounts ? t("Only players with an account") : "",
    programs === "refused" ? t("No programs") : programs === "only" ? t("Only programs") : "",
    rating(from, to),
  ].filter((text) => text !== "");
  const all = [
    ...lines.map((text) => h("div", null, text)),
    players !== null &&
      h(
        "details",
        { "data-key": "listed" },
        h("summary", null, count(players.length, "Only a player on the list", "Only the {n} players on the list")),
        h("p", null, players.map(person).join(", ")),
      ),
  ].filter((child) => child !== false);
  return all.length === 0 ? null : all;
}

/** @param {number | null} from @param {number | null} to */
function rating(from, to) {
  if (from !== null && to !== null) return t("Ratings from {from} to {to}", { from, to });
  if (from !== null) return t("Ratings of {from} or more", { from });
  return to === null ? "" : t("Ratings of {to} or less, and players without a rating", { to });
}

/** Whether guests are refused. @param {Tournament} tournament */
export function isForAccounts({ setup }) {
  return setup.conditions.accounts_only;
}

/** The API's reasons, in words for a player. @type {[RegExp, (value: string) => string][]} */
const REASONS = [
  [/^guests/, () => t("Guests cannot enter it. Make an account first.")],
  [/^programs/, () => t("Programs cannot enter it.")],
  [/^only programs/, () => t("Only programs can enter it.")],
  [/rating of (\d+) or more/, (value) => t("It takes a rating of {n} or more.", { n: value })],
  [/rating of (\d+) or less/, (value) => t("It takes a rating of {n} or less.", { n: value })],
  [/on its list/, () => t("Only the players on its list can enter it.")],
];

/** Does it, and says in words which condition somebody does not meet. @param {() => Promise<void>} enter */
export async function orWhyNot(enter) {
  try {
    await enter();
  } catch (error) {
    if (error instanceof Problem && error.code === "not_eligible") {
      for (const [reason, words] of REASONS) {
        const found = reason.exec(error.body.detail);
        if (found !== null) error.detail = words(found[1] ?? "");
      }
    }
    throw error;
  }
}
