// The rules of the games, built for the browser: `core.wasm`, which not every build of the program has.

import { t } from "../texts.js";

/** @typedef {{ name: string, ok: boolean, seq: number | null, detail: string }} Check */
/** @typedef {{ ok: boolean, checks: Check[] }} Report */
/** @typedef {{ memory: WebAssembly.Memory, alloc: (length: number) => number, audit: () => number, report: () => number }} Core */

/**
 * What the rules say of a bundle: a report, or in words why there is none.
 *
 * @param {string} text
 * @returns {Promise<Report | string>}
 */
export async function rules(text) {
  const core = await load();
  if (typeof core === "string") return core;
  try {
    return told(core, text);
  } catch (error) {
    return t("the rules could not be run on it: {why}", {
      why: error instanceof Error ? error.message : String(error),
    });
  }
}

/** @returns {Promise<Core | string>} */
async function load() {
  if (typeof WebAssembly !== "object") return t("this browser runs no WebAssembly");
  try {
    const response = await fetch(new URL("../core.wasm", import.meta.url));
    if (!response.ok) return t("this card room was built without the rules for the browser");
    const { instance } = await WebAssembly.instantiate(await response.arrayBuffer());
    return /** @type {Core} */ (/** @type {unknown} */ (instance.exports));
  } catch (error) {
    return t("the rules could not be loaded: {why}", { why: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * @param {Core} core
 * @param {string} text
 * @returns {Report | string}
 */
function told(core, text) {
  const bundle = new TextEncoder().encode(text);
  const at = core.alloc(bundle.length);
  if (at === 0) return t("it is larger than a bundle may be");
  new Uint8Array(core.memory.buffer, at, bundle.length).set(bundle);
  const length = core.audit();
  // The memory may have grown since, so its old view is gone.
  const answer = new TextDecoder().decode(new Uint8Array(core.memory.buffer, core.report(), length));
  /** @type {{ report?: Report, no_bundle?: string }} */
  const { report, no_bundle } = JSON.parse(answer);
  return report ?? no_bundle ?? t("the rules say nothing of it");
}
