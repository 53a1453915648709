// JSON that somebody else wrote, read so that it has one meaning, and written again in the one way of RFC 8785.

import { t } from "../texts.js";

/** @typedef {import("../types.d.ts").Json} Json */

/** How deep objects and lists may stand in each other; a bundle needs seven. */
const DEEPEST = 64;

/** A number as a log writes it: whole, and in one way. */
const WHOLE = /^(?:0|-?[1-9][0-9]{0,15})$/;

/** A mark, a string, or a run of letters that ends where one of these begins. */
const PIECE = /[{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/gy;
const SPACE = /[\t\n\r ]*/gy;

/**
 * The value that a text stands for.
 *
 * @param {string} text
 * @returns {Json}
 * @throws {Error} where it is no JSON, or could be read in two ways: a name that stands twice in an object, a number
 *     that is not whole, half a letter.
 */
export function read(text) {
  /** @type {Json} */
  const value = JSON.parse(text);
  check(text);
  return value;
}

/**
 * Looks at a text that is JSON.
 *
 * @param {string} text
 */
function check(text) {
  /** @type {(Set<string> | null)[]} the names of each object that is open; null for a list */
  const open = [];
  let piece = next(text, 0);
  for (let before = ""; piece; before = piece.text, piece = next(text, piece.end)) {
    const names = open.at(-1);
    if (piece.text === "{" || piece.text === "[") {
      open.push(piece.text === "{" ? new Set() : null);
      if (open.length > DEEPEST) throw new Error(t("it is nested too deeply"));
    } else if (piece.text === "}" || piece.text === "]") {
      open.pop();
    } else if (piece.text.startsWith('"')) {
      const word = string(piece.text);
      if (names && (before === "{" || before === ",")) add(names, word);
    } else if (/^[-0-9]/.test(piece.text) && !isWhole(piece.text)) {
      throw new Error(t("the number {number} is not written as logs write numbers", { number: piece.text.slice(0, 40) }));
    }
  }
}

/**
 * @param {string} text
 * @param {number} from
 */
function next(text, from) {
  SPACE.lastIndex = from;
  SPACE.test(text);
  PIECE.lastIndex = SPACE.lastIndex;
  const found = PIECE.exec(text);
  return found && { text: found[0], end: PIECE.lastIndex };
}

/** @param {string} written */
function string(written) {
  const word = written.includes("\\") ? String(JSON.parse(written)) : written.slice(1, -1);
  if (/\p{Surrogate}/u.test(word)) throw new Error(t("half a letter stands in it"));
  return word;
}

/** @param {string} digits */
function isWhole(digits) {
  return WHOLE.test(digits) && Number.isSafeInteger(Number(digits));
}

/**
 * @param {Set<string>} names
 * @param {string} name
 */
function add(names, name) {
  if (names.has(name)) throw new Error(t("`{name}` stands twice in an object", { name }));
  names.add(name);
}

/**
 * Canonical JSON: names in the order of their UTF-16 code units, no spaces.
 *
 * @param {Json | undefined} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const fields = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${fields.join(",")}}`;
}

/**
 * Whether two values have the same canonical JSON.
 *
 * @param {Json | undefined} one
 * @param {Json | undefined} other
 */
export function same(one, other) {
  return canonical(one) === canonical(other);
}

/**
 * @param {Json | undefined} value
 * @returns {value is { [name: string]: Json }}
 */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
