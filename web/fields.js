// The fields of forms: a label, something to fill in, and a hint.

import { h } from "./dom.js";
import { t } from "./texts.js";
import { trouble } from "./words.js";

/** @typedef {import("./types.d.ts").Child} Child */

/** @param {string} id @param {string} label @param {HTMLElement} input @param {string | undefined} [hint] */
export function field(id, label, input, hint) {
  if (hint !== undefined) input.setAttribute("aria-describedby", `${id}-hint`);
  const told = hint === undefined ? null : h("p", { class: "hint", id: `${id}-hint` }, hint);
  return h("div", { class: "field" }, h("label", { for: id }, label), input, told);
}

/** A box to tick, with what it means. @param {string} id @param {string} label @param {boolean} [isTicked] */
export function tick(id, label, isTicked = false) {
  const box = h("input", { id, type: "checkbox", checked: isTicked });
  return { box, node: h("label", { class: "tick", for: id }, box, h("span", null, label)) };
}

/** @param {string} id @param {number} value @param {number} min @param {number} max */
export function numberInput(id, value, min, max) {
  return h("input", { id, type: "number", inputmode: "numeric", min, max, value: String(value), required: true });
}

/** @param {string} id @param {"current-password" | "new-password"} use */
export function passwordInput(id, use) {
  const min = use === "new-password" ? 8 : null;
  return h("input", { id, type: "password", autocomplete: use, required: true, minlength: min, maxlength: 256 });
}

/**
 * A form: `work` runs when it is sent, and what it refuses is said under the fields.
 * @param {{ send: string, className?: string, work: () => Promise<void>, cancel?: () => void }} doing @param {...Child} children
 */
export function form({ send, className = "likely", work, cancel }, ...children) {
  const refusal = h("p", { class: "refusal", role: "alert" });
  const button = h("button", { class: className }, send);
  const submit = async () => {
    button.disabled = true;
    refusal.textContent = "";
    try {
      await work();
    } catch (error) {
      refusal.textContent = trouble(error);
    } finally {
      button.disabled = false;
    }
  };
  const node = h(
    "form",
    {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void submit();
      },
    },
    children,
    refusal,
    h(
      "div",
      { class: "row" },
      button,
      cancel && h("button", { type: "button", class: "bare", onclick: cancel }, t("Cancel")),
    ),
  );
  // A field that is missing something is shown before the browser points at it.
  const reveal = (/** @type {Event} */ event) => {
    const folded = event.target instanceof Element ? event.target.closest("details") : null;
    if (folded !== null) folded.open = true;
  };
  node.addEventListener("invalid", reveal, true);
  return node;
}
