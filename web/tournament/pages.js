// Long lists are drawn a page at a time, because they are drawn anew with each news. Paper has all of them.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { whole } from "../words.js";

/** @typedef {ReturnType<typeof pages>} Pages */

/** So many rows are drawn, and so many more when somebody asks for more. */
const STEP = 100;

/** @param {() => void} redraw @param {AbortSignal} signal */
export function pages(redraw, signal) {
  /** @type {Map<string, number>} */
  const shown = new Map();
  /** @type {Set<string>} */
  const opened = new Set();
  let isPaper = false;
  const turn = (/** @type {boolean} */ isOn) => {
    isPaper = isOn;
    redraw();
  };
  addEventListener("beforeprint", () => turn(true), { signal });
  addEventListener("afterprint", () => turn(false), { signal });
  const show = (/** @type {string} */ name, /** @type {number} */ most) => {
    shown.set(name, most);
    redraw();
  };
  return {
    /**
     * What is drawn of a list, and the way to the rest. `isMine`: these are always drawn.
     * @template T
     * @param {string} name @param {T[]} all @param {(one: T) => boolean} isMine
     */
    of(name, all, isMine) {
      const most = isPaper ? all.length : (shown.get(name) ?? STEP);
      const rest = all.length - most;
      const more =
        rest > 0 &&
        h(
          "div",
          { class: "row below noprint" },
          rest > STEP && h("button", { onclick: () => show(name, most + STEP) }, t("Show {n} more", { n: STEP })),
          h("button", { onclick: () => show(name, Infinity) }, t("Show all {n}", { n: whole(all.length) })),
        );
      return { items: rest > 0 ? all.filter((one, at) => at < most || isMine(one)) : all, more };
    },
    /** Whether a part that folds has been opened. @param {string} name */
    isOpened: (name) => opened.has(name),
    /** @param {string} name */
    open(name) {
      if (opened.has(name)) return;
      opened.add(name);
      redraw();
    },
    /** Whether so many rows are drawn at once, also where they are folded away. @param {number} rows */
    isShort: (rows) => rows <= STEP,
  };
}
