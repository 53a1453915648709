// Times in the time zone of a place: how they read there, and which moment a date and a time there are.

import { language } from "./texts.js";

/** Where the reader is. */
export const HERE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const DAY = /** @type {const} */ ({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
const TIME = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit" });

/** This zone, or the reader's where there is none that the browser knows. @param {string | null} zone */
export function zoneOf(zone) {
  try {
    return zone === null ? HERE : new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return HERE;
  }
}

/** All zones that can be chosen, and this one. @param {string} chosen */
export function zones(chosen) {
  return [...new Set([chosen, HERE, "UTC", ...Intl.supportedValuesOf("timeZone")])].sort();
}

/** "Fri, Nov 20, 2026, 07:00 PM". @param {string} at @param {string} zone */
export function readsIn(at, zone) {
  return new Intl.DateTimeFormat(language, { ...DAY, ...TIME, timeZone: zone }).format(new Date(at));
}

/** "Fri, Nov 20, 2026". @param {string} at @param {string} zone */
export function dayIn(at, zone) {
  return new Intl.DateTimeFormat(language, { ...DAY, timeZone: zone }).format(new Date(at));
}

/** "Europe/Berlin". @param {string} zone */
export function zoneName(zone) {
  return zone.replaceAll("_", " ");
}

/** What a clock there shows, as date fields want it: "2026-11-20T19:00". @param {string} at @param {string} zone */
export function clockOf(at, zone) {
  return clock(new Date(at).getTime(), zone).slice(0, 16);
}

/** The moment at which a clock there shows this. @param {string} shown "2026-11-20T19:00" @param {string} zone */
export function momentOf(shown, zone) {
  const wanted = Date.parse(`${shown}:00Z`);
  const off = (/** @type {number} */ at) => Date.parse(`${clock(at, zone)}Z`) - at;
  // The second look is for days on which clocks are changed.
  return new Date(wanted - off(wanted - off(wanted))).toISOString();
}

/** @param {number} at @param {string} zone */
function clock(at, zone) {
  const format = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const { year, month, day, hour, minute, second } = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, value]),
  );
  return `${year?.padStart(4, "0")}-${month}-${day}T${hour}:${minute}:${second}`;
}
