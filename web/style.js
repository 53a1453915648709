// Styles that few pages need.

import { h } from "./dom.js";

/** Loads a style of `style/`, unless it is there. @param {string} name @param {AbortSignal} signal @returns {Promise<void>} */
export async function style(name, signal) {
  const href = new URL(`style/${name}.css`, import.meta.url).href;
  const links = [...document.head.querySelectorAll("link")];
  if (signal.aborted || links.some((link) => link.href === href)) return;
  const link = h("link", { rel: "stylesheet", href });
  document.head.append(link);
  await new Promise((done) => {
    link.onload = link.onerror = done;
  });
}
