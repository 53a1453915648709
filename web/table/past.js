// The table as it was: a slider and keys through all versions, each asked of the API with the viewer's own rights.

import { get } from "../api.js";
import { h } from "../dom.js";
import { gamePath } from "./reading.js";
import { t } from "../texts.js";
import { trouble } from "../words.js";

/** @typedef {import("../types.d.ts").Game} Game */
/**
 * @typedef {object} Past
 * @property {number | null} version the version that is shown; null is now
 * @property {Game | null} game the game at that version, once it is here
 * @property {string} refusal why the version that was wanted is not shown
 * @property {(version: number | null) => void} show
 */

/** How many states are kept at hand. */
const KEPT = 300;

/**
 * @param {string} id @param {() => number} newest @param {() => void} onChange @param {AbortSignal} signal
 * @returns {Past}
 */
export function pastOf(id, newest, onChange, signal) {
  /** @type {Map<number, Promise<Game>>} */
  const states = new Map();
  const at = (/** @type {number} */ version) => {
    const known = states.get(version);
    if (known !== undefined) return known;
    const asked = /** @type {Promise<Game>} */ (get(gamePath(id, "", { version }), { signal }));
    states.set(version, asked);
    asked.catch(() => states.delete(version));
    const [oldest] = states.keys();
    if (states.size > KEPT && oldest !== undefined) states.delete(oldest);
    return asked;
  };
  /** @type {Past} */
  const past = {
    version: null,
    game: null,
    refusal: "",
    show(version) {
      past.refusal = "";
      past.version =
        version === null || version >= newest() ? (version === null ? null : newest()) : Math.max(1, version);
      if (past.version === null) {
        past.game = null;
        onChange();
        return;
      }
      const wanted = past.version;
      at(wanted)
        .then((game) => {
          if (past.version !== wanted) return;
          past.game = game;
          onChange();
          // What is next is asked before it is wanted.
          for (const near of [wanted - 1, wanted + 1]) if (near >= 1 && near <= newest()) at(near).catch(() => {});
        })
        .catch((error) => {
          if (past.version !== wanted || signal.aborted) return;
          // What is seen goes on having the version that stands beside it.
          past.version = past.game?.version ?? null;
          past.refusal = trouble(error);
          onChange();
        });
      onChange();
    },
  };
  return past;
}

/** The slider. @param {Past} past @param {number} newest @param {boolean} isOver */
export function stepper(past, newest, isOver) {
  const version = past.version ?? newest;
  const refusal = past.refusal !== "" && h("p", { class: "refusal", role: "alert" }, past.refusal);
  const slide = (/** @type {Event} */ event) => past.show(Number(/** @type {HTMLInputElement} */ (event.target).value));
  if (past.version === null) {
    const look = () => past.show(newest - (isOver ? 0 : 1));
    const text = isOver ? t("Step through the game") : t("Look back");
    return [h("p", { class: "stepper" }, h("button", { class: "bare", onclick: look }, text)), refusal];
  }
  return h(
    "div",
    { class: "stepper panel" },
    refusal,
    h("label", { for: "version" }, t("Version {version} of {newest}", { version, newest })),
    h(
      "div",
      { class: "row" },
      h("button", { "aria-label": t("A version back"), onclick: () => past.show(version - 1) }, "◂"),
      h("input", { id: "version", type: "range", min: 1, max: newest, value: String(version), oninput: slide }),
      h("button", { "aria-label": t("A version on"), onclick: () => past.show(version + 1) }, "▸"),
      h("button", { onclick: () => past.show(null) }, isOver ? t("To the end") : t("Back to now")),
    ),
  );
}
