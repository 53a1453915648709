// All that a page checks of a bundle: the seven steps, and what the rules say.

import { hasCrypto } from "./bytes.js";
import { rules } from "./core.js";
import { verify } from "./steps.js";
import { language, t } from "../texts.js";

/** @typedef {import("./json.js").Json} Json */
/** @typedef {import("./core.js").Report} Report */
/** @typedef {"legality" | "result"} ByRules */
/** @typedef {Omit<import("./steps.js").Step, "name"> & { name: import("./steps.js").Name | ByRules }} Step */
/** @typedef {{ step: Step } | { at: [number, number] } | { end: true }} Told what a worker tells */

/** How many steps there are. */
export const STEPS = 9;

const PROVES = {
  legality: t("Each action is one that the rules allowed just then, by who may do it, and each card is where the rules put it."),
  result: t("Whoever replays the log by the rules comes to this result."),
};

/** What its passed checks say, in a language that the core does not speak. */
const PASSED = {
  legality: t("each entry is one that the rules allow"),
  result: t("the result is what the rules make of the log"),
};

/** What the core calls the checks of the rules. */
const CALLED = { legality: "legality", result: "outcome" };

/**
 * Checks a bundle here and now.
 *
 * @param {string} text
 * @param {Json[] | null} keys
 * @param {(done: number, all: number) => void} tell
 * @param {string | null} asked the game that was asked for, unless any will do
 * @returns {AsyncGenerator<Step, void, void>}
 */
export async function* check(text, keys, tell, asked) {
  // Where WebCrypto is away, the core computes the hashes, too.
  let report = hasCrypto() ? null : await rules(text);
  let isBundle = true;
  for await (const step of verify(text, { keys, asked, tell })) {
    if (step.name === "form") isBundle = step.ok !== false || step.figures.length > 0;
    yield report && typeof report !== "string" ? inPlaceOf(step, report) : step;
  }
  if (!isBundle) report = t("there is nothing to check");
  report ??= await rules(text);
  for (const name of /** @type {const} */ (["legality", "result"])) yield byRules(name, report);
}

/**
 * @param {import("./steps.js").Step} step
 * @param {Report} report
 * @returns {Step}
 */
function inPlaceOf(step, report) {
  const found = step.ok === null ? report.checks.find(({ name }) => name === step.name) : undefined;
  if (!found) return step;
  return { ...step, ok: found.ok, seq: found.seq, detail: t("{detail} (computed by the card room's own code in this browser)", { detail: found.detail }) };
}

/**
 * @param {ByRules} name
 * @param {Report | string} report
 * @returns {Step}
 */
function byRules(name, report) {
  const proves = PROVES[name];
  const found = typeof report === "string" ? undefined : report.checks.find((one) => one.name === CALLED[name]);
  if (found) {
    const detail = found.ok && language !== "en" ? PASSED[name] : found.detail;
    return { name, ok: found.ok, seq: found.seq, detail, figures: [], proves };
  }
  const detail = typeof report === "string" ? report : t("the rules say nothing of it");
  return { name, ok: null, seq: null, detail, figures: [], proves };
}

/**
 * The same beside the page, so that no bundle can hold it up.
 *
 * @param {string} text
 * @param {Json[] | null} keys
 * @param {(step: Step) => void} onStep
 * @param {(done: number, all: number) => void} tell how far a long step has got
 * @param {AbortSignal} signal
 * @param {string | null} asked the game that was asked for, unless any will do
 * @returns {Promise<void>} when all steps are told, or `signal` is aborted
 */
export function checkBeside(text, keys, onStep, tell, signal, asked) {
  return new Promise((done, failed) => {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: language });
    const end = () => {
      worker.terminate();
      done();
    };
    worker.onmessage = (/** @type {MessageEvent<Told>} */ { data }) => {
      if ("step" in data) onStep(data.step);
      else if ("at" in data) tell(...data.at);
      else end();
    };
    worker.onerror = () => {
      worker.terminate();
      failed(new RangeError(t("The checks could not be loaded, or this browser cannot run them. Load the page again.")));
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    worker.postMessage({ text, keys, asked });
  });
}
