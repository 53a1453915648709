// A button that copies.

import { h } from "../dom.js";
import { t } from "../texts.js";

/** @param {string} text @param {string} title */
export function copyButton(text, title) {
  const press = async (/** @type {Event} */ { currentTarget: button }) => {
    // The button in the page may be that of an earlier drawing.
    if (!(button instanceof HTMLButtonElement)) return;
    // Without a secure context, browsers have no clipboard for pages.
    const isCopied = await copy(text);
    button.textContent = isCopied ? t("Copied") : t("Select it and copy");
    setTimeout(() => (button.textContent = title), 2500);
  };
  return h("button", { type: "button", onclick: press }, title);
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
