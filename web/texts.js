// The page's texts in its language. The English text itself is the key, so English needs no table.

/** @type {Record<string, string>} */
let table = {};

/** The page's language: `theme.js` has chosen it; a worker is told by its name. */
export const language = chosen() === "de" ? "de" : "en";

function chosen() {
  if (typeof document !== "undefined") return document.documentElement.lang;
  return /** @type {{ name?: unknown }} */ (globalThis).name;
}

// A module that imports this one waits for the table, so that texts can be looked up anywhere.
if (language === "de") table = (await import("./texts/de.js")).default;

/** @typedef {Record<string, string | number>} Values */

/** A text in the page's language. It names its values: "Round {round}". @param {string} text @param {Values} [values] */
export function t(text, values = {}) {
  return filled(told(text), values);
}

/** The same before its values stand in it. @param {string} text */
export function told(text) {
  return table[text] ?? text;
}

/** @param {string} text @param {Values} values */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, /** @type {string} */ name) => String(values[name] ?? whole));
}
