// Words and numbers that many pages use.

import { Away, Problem } from "./api.js";

const LOCALE = "en";
const WHOLE = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const FINE = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 });
const DAY = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", year: "numeric" });
const MINUTE = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const AGO = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });

/** What the states of games and tournaments are called. @type {Record<string, string>} */
export const STATUS = { open: "open", active: "running", finished: "over", aborted: "called off" };

/** What bots are called. @type {Record<string, string>} */
export const BOTS = { steady: "Steady bot", random: "Random bot" };

/** A whole number, grouped. @param {number} value */
export const whole = (value) => WHOLE.format(value);
/** A number with at most two decimals. @param {number} value */
export const fine = (value) => FINE.format(value);
/** @param {string} at */
export const day = (at) => DAY.format(new Date(at));
/** @param {string} at */
export const minute = (at) => MINUTE.format(new Date(at));

/** "1 hand", "3 hands". @param {number} count @param {string} one @param {string} [many] */
export function count(count, one, many = `${one}s`) {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/** "5 minutes ago". @param {string} at */
export function ago(at) {
  const seconds = (new Date(at).getTime() - Date.now()) / 1000;
  /** @type {[Intl.RelativeTimeFormatUnit, number][]} */
  const units = [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ];
  for (const [unit, length] of units)
    if (Math.abs(seconds) >= length) return AGO.format(Math.round(seconds / length), unit);
  return "just now";
}

/** A length of time, short: "45 s", "2 min", "1 h", "3 days". @param {number} seconds */
export function span(seconds) {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${fine(seconds / 60)} min`;
  return seconds < 172_800 ? `${fine(seconds / 3600)} h` : `${fine(seconds / 86_400)} days`;
}

/** Time that is left, as on a clock: "0:42", "1:05:00", "2 days". @param {number} milliseconds */
export function countdown(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds >= 172_800) return count(Math.floor(seconds / 86_400), "day");
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** "Ann, Bob and Cem". @param {string[]} names */
export function list(names) {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** "1st", "2nd". @param {number} place */
export function ordinal(place) {
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

/** A sentence begins with a capital and ends with a full stop. @param {string} text */
export function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?:]$/.test(whole) ? whole : `${whole}.`;
}

/** What went wrong, in a sentence. @param {unknown} error */
export function trouble(error) {
  if (error instanceof Problem) {
    const wait = error.retryAfter > 0 ? ` Try again in ${span(error.retryAfter)}.` : "";
    return sentence(error.detail) + wait;
  }
  if (error instanceof Away) return "The card room cannot be reached. Check the connection and try again.";
  return "Something in this page went wrong. Load it again.";
}

/** A guest's name is long and says little: "guest-b090597a05919a06" is "Guest b090". @param {string} name */
export function person(name) {
  const [, start] = /^guest-([0-9a-f]{4})[0-9a-f]+$/.exec(name) ?? [];
  return start === undefined ? name : `Guest ${start}`;
}

/** Who sits there. @param {{ player: string | null, bot: string | null, seat?: number }} seat */
export function seated(seat) {
  if (seat.player !== null) return person(seat.player);
  return seat.bot === null ? "Free seat" : (BOTS[seat.bot] ?? `${titled(seat.bot)} bot`);
}
