// Words and numbers that many pages use.

import { Away, Problem, now } from "./api.js";
import { filled, language, t, told } from "./texts.js";

const WHOLE = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const FINE = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
const TENTHS = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const DAY = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" });
const MINUTE = new Intl.DateTimeFormat(language, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const AGO = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

/** What the states of games and tournaments are called. @type {Record<string, string>} */
export const STATUS = {
  open: t("open"),
  active: t("running"),
  finished: t("over"),
  aborted: t("called off"),
};

/** @typedef {import("./types.d.ts").Policy} Policy */

/** What bots are called, the weakest first. @type {Record<string, string>} */
export const BOTS = {
  random: t("Random bot"),
  novice: t("Novice bot"),
  steady: t("Steady bot"),
  skilled: t("Skilled bot"),
  expert: t("Expert bot"),
};

/** How well bots can play, to choose from. @type {[Policy, string][]} */
export const LEVELS = [
  ["random", t("at random")],
  ["novice", t("like novices")],
  ["steady", t("steadily")],
  ["skilled", t("well")],
  ["expert", t("as well as they can")],
];

/** A whole number, grouped. @param {number} value */
export const whole = (value) => WHOLE.format(value);
/** A number with one decimal. @param {number} value */
export const tenths = (value) => TENTHS.format(value);
/** A number with at most two decimals. @param {number} value */
export const fine = (value) => FINE.format(value);
/** @param {string} at */
export const day = (at) => DAY.format(new Date(at));
/** @param {string} at */
export const minute = (at) => MINUTE.format(new Date(at));

/**
 * "1 hand", "3 hands": one of two texts in which the number is `n`.
 * @param {number} number @param {string} one @param {string} many @param {import("./texts.js").Values} [values]
 */
export function count(number, one, many, values) {
  return filled(told(number === 1 ? one : many), { ...values, n: whole(number) });
}

/** "5 minutes ago". @param {string} at */
export function ago(at) {
  const seconds = (new Date(at).getTime() - now()) / 1000;
  /** @type {[Intl.RelativeTimeFormatUnit, number][]} */
  const units = [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ];
  for (const [unit, length] of units)
    if (Math.abs(seconds) >= length) return AGO.format(Math.round(seconds / length), unit);
  return t("just now");
}

/** "4 players", "2 to 6 players". @param {number} min @param {number} max */
export function players(min, max) {
  return min === max ? count(min, "{n} player", "{n} players") : t("{min} to {max} players", { min, max });
}

/** A length of time, short: "45 s", "2 min", "1 h", "3 days". @param {number} seconds */
export function span(seconds) {
  if (seconds < 120) return t("{n} s", { n: seconds });
  if (seconds < 7200) return t("{n} min", { n: fine(seconds / 60) });
  return seconds < 172_800 ? t("{n} h", { n: fine(seconds / 3600) }) : t("{n} days", { n: fine(seconds / 86_400) });
}

/** Time that is left, as on a clock: "0:42", "1:05:00", "2 days". @param {number} milliseconds */
export function countdown(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds >= 172_800) return count(Math.floor(seconds / 86_400), "{n} day", "{n} days");
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** "Ann, Bob and Cem". @param {string[]} names */
export function list(names) {
  if (names.length < 2) return names[0] ?? "";
  return t("{names} and {last}", { names: names.slice(0, -1).join(", "), last: names.at(-1) ?? "" });
}

/** "1st", "2nd". @param {number} place */
export function ordinal(place) {
  if (language !== "en") return `${place}.`;
  const last = place % 100 > 10 && place % 100 < 14 ? 0 : place % 10;
  return `${place}${["th", "st", "nd", "rd"][last] ?? "th"}`;
}

/** What a word of the API reads like: "turn_seconds" is "turn seconds". @param {string} word */
export function spaced(word) {
  return word.replaceAll("_", " ");
}

/** The same with a capital. @param {string} word */
export function titled(word) {
  const text = spaced(word);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Words within a sentence: nouns of other languages keep their capitals. @param {string} text */
export function lowered(text) {
  return language === "en" ? text.toLowerCase() : text;
}

/** A sentence begins with a capital and ends with a full stop. @param {string} text */
export function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?:]$/.test(whole) ? whole : `${whole}.`;
}

/** What went wrong, in a sentence. @param {unknown} error */
export function trouble(error) {
  if (error instanceof Problem) {
    const wait = error.retryAfter > 0 ? ` ${t("Try again in {time}.", { time: span(error.retryAfter) })}` : "";
    return sentence(error.detail ?? t("The card room answered {status}.", { status: error.status })) + wait;
  }
  if (error instanceof Away) return t("The card room cannot be reached. Check the connection and try again.");
  return t("Something in this page went wrong. Load it again.");
}

/** A guest's name is long and says little: "guest-b090597a05919a06" is "Guest b090". @param {string} name */
export function person(name) {
  const [, start] = /^guest-([0-9a-f]{4})[0-9a-f]+$/.exec(name) ?? [];
  return start === undefined ? name : t("Guest {number}", { number: start });
}

/** Who sits there. @param {{ player: string | null, bot: string | null, seat?: number }} seat */
export function seated(seat) {
  if (seat.player !== null) return person(seat.player);
  return seat.bot === null ? t("Free seat") : (BOTS[seat.bot] ?? t("{name} bot", { name: titled(seat.bot) }));
}
