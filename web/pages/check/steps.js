// The steps of a check, as they are shown: a mark, what was compared, in numbers that can be copied, and what it proves.

import { STEPS } from "../../check/check.js";
import { fill, h } from "../../dom.js";
import { language, t } from "../../texts.js";
import { lowered, sentence } from "../../words.js";

/** @typedef {import("../../check/check.js").Step} Step */
/** @typedef {import("../../check/signature.js").Figure} Figure */

/** How many numbers of a step are shown at first. */
const SHOWN = 12;

/** @type {Record<string, string>} */
const HEADINGS = {
  form: t("Form"),
  commitment: t("The house's commitment"),
  game: t("Seats and the players' words"),
  chances: t("Every pick and every order of the cards"),
  chain: t("The chain of entries"),
  signature: t("The house's signature"),
  outcome: t("The result in the log"),
  legality: t("Every action, by the rules"),
  result: t("The result, by the rules"),
};

/** The steps that have been made, and where they stand. Each is drawn once, so that what somebody has opened stays. */
export class Steps {
  constructor() {
    /** @type {Step[]} */
    this.done = [];
    /** @type {Map<string, HTMLElement>} */
    this.rows = new Map(Object.keys(HEADINGS).map((name) => [name, due(name)]));
    this.place = h("ol", { class: "checks" }, ...this.rows.values());
  }

  /** @param {Step} step */
  add(step) {
    this.done.push(step);
    this.rows.get(step.name)?.replaceWith(row(step));
  }
}

/** @param {Steps} steps */
export function list(steps) {
  return steps.place;
}

/** What a check is called. @param {string} name */
export function heading(name) {
  return HEADINGS[name] ?? name;
}

/** What came of all of them, in a sentence. @param {Step[]} done */
export function tally(done) {
  const wrong = done.filter(({ ok }) => ok === false);
  const open = done.filter(({ ok }) => ok === null);
  if (wrong.length > 0) return { ok: false, text: t("Something is wrong: {what}.", { what: wrong.map(({ name }) => lowered(heading(name))).join("; ") }) };
  if (open.length > 0) return { ok: null, text: t("Nothing is wrong in what could be checked here: {n} of {all} steps.", { n: STEPS - open.length, all: STEPS }) };
  return { ok: true, text: t("The game is as it claims: all {n} steps passed.", { n: STEPS }) };
}

/** A step that is still to come. @param {string} name */
function due(name) {
  return h("li", { "data-key": name, class: "due" }, mark(undefined), h("h3", null, heading(name)));
}

/** @param {Step} step */
function row({ name, ok, seq, detail, figures, proves }) {
  const where = seq === null ? "" : `${t("Entry {seq}", { seq })}: `;
  return h(
    "li",
    { "data-key": name, class: ok === null ? "open" : ok ? "passed" : "failed" },
    mark(ok),
    h("h3", null, heading(name)),
    h("p", { class: "detail" }, sentence(where + detail)),
    h("p", { class: "proves" }, ok === true ? proves : t("Not proved: {what}", { what: language === "en" ? proves.charAt(0).toLowerCase() + proves.slice(1) : proves })),
    figures.length > 0 ? numbers(name, figures) : null,
  );
}

/** @param {boolean | null | undefined} ok undefined while the step is due */
function mark(ok) {
  const [sign, word] = ok === undefined ? ["·", t("to come")] : ok === null ? ["–", t("not checked")] : ok ? ["✓", t("passed")] : ["✗", t("failed")];
  return h("span", { class: "sign" }, h("span", { "aria-hidden": "true" }, sign), h("span", { class: "said" }, word));
}

/** @param {string} name @param {Figure[]} figures */
function numbers(name, figures) {
  const place = h("dl", { class: "numbers" });
  const showAll = () => fill(place, figures.map(figure));
  fill(place, figures.slice(0, SHOWN).map(figure));
  const more = h("button", { class: "bare", onclick: () => (showAll(), more.remove()) }, t("Show all {n}", { n: figures.length }));
  return h("details", { "data-key": `${name}-figures` }, h("summary", null, t("The numbers")), place, figures.length > SHOWN ? more : null);
}

/** @param {Figure} figure */
function figure({ label, value }) {
  const copy = h("button", { class: "bare copy", "aria-label": `${t("Copy")}: ${label.slice(0, 80)}` }, t("Copy"));
  copy.onclick = () => void copied(value, copy);
  return h("div", null, h("dt", null, label), h("dd", null, h("code", null, value), copy));
}

/** @param {string} value @param {HTMLElement} button */
async function copied(value, button) {
  try {
    await navigator.clipboard.writeText(value);
    button.textContent = t("Copied");
  } catch {
    const code = button.previousElementSibling;
    if (code) getSelection()?.selectAllChildren(code);
    button.textContent = t("Selected");
  }
}
