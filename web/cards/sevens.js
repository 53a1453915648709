// Sevens' cards: the number large, the suit as a simple mark. Twins look alike.

import { s } from "../dom.js";
import { MARKS } from "./marks.js";

/** @param {number} number @param {string} suit */
export function sevens(number, suit) {
  const mark = MARKS[suit] ?? "";
  return s(
    "svg",
    { viewBox: "0 0 100 140", class: suit, "aria-hidden": "true" },
    s("text", { x: 21, y: 38, class: "index", "text-anchor": "middle", "font-size": 42 }, number),
    s("path", { d: mark, "fill-rule": "evenodd", transform: "translate(9 46)" }),
    s("path", { d: mark, "fill-rule": "evenodd", transform: "translate(34 52) scale(2.2)" }),
    s(
      "text",
      {
        x: -21,
        y: -102,
        class: "index far",
        "text-anchor": "middle",
        "font-size": 42,
        transform: "translate(0 0) rotate(180)",
        dx: -58,
        dy: 0,
      },
      number,
    ),
  );
}
