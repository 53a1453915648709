// A part of the account that loads when it is opened.

import { fill, h } from "../dom.js";
import { trouble } from "../words.js";

/** @typedef {import("../types.d.ts").Child} Child */

/**
 * `content` gets a function that shows the part anew.
 * @param {string} title @param {(again: () => Promise<void>) => Promise<Child>} content
 */
export function folded(title, content) {
  const place = h("div", { class: "within" });
  const show = async () => {
    try {
      fill(place, await content(show));
    } catch (error) {
      fill(place, h("p", { class: "refusal" }, trouble(error)));
    }
  };
  const node = h(
    "details",
    {
      ontoggle: () => {
        if (node.open && place.childElementCount === 0) void show();
      },
    },
    h("summary", null, title),
    place,
  );
  return node;
}

/** Lines with what each is and what can be done with it. @param {{ what: Child, actions: Child }[]} rows @param {string} nothing */
export function lines(rows, nothing) {
  if (rows.length === 0) return h("p", { class: "quiet" }, nothing);
  return h(
    "ul",
    { class: "plain lines" },
    rows.map(({ what, actions }) => h("li", null, h("div", null, what), h("div", { class: "row" }, actions))),
  );
}
