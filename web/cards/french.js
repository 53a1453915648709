// French cards: a big index in two corners, one large suit in the middle, letters for the courts.

import { s } from "../dom.js";
import { MARKS } from "./marks.js";

/** @type {Record<string, string>} */
const INDEX = {
  ace: "A",
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
  ten: "10",
  jack: "J",
  queen: "Q",
  king: "K",
};

/** @param {string} rank @param {string} suit */
export function french(rank, suit) {
  const index = INDEX[rank] ?? rank;
  const isTen = index.length > 1;
  const corner = () =>
    s(
      "text",
      {
        x: 21,
        y: 37,
        class: "index",
        "text-anchor": "middle",
        "font-size": isTen ? 34 : 40,
        "letter-spacing": isTen ? -3 : 0,
      },
      index,
    );
  const isCourt = ["jack", "queen", "king"].includes(rank);
  const middle = isCourt
    ? [
        s("text", { x: 57, y: 90, class: "index", "text-anchor": "middle", "font-size": 52 }, index),
        s("rect", { x: 36, y: 44, width: 42, height: 58, rx: 3, class: "rule" }),
      ]
    : s("path", { d: MARKS[suit] ?? "", transform: "translate(34 50) scale(2)" });
  return s(
    "svg",
    { viewBox: "0 0 100 140", class: suit, "aria-hidden": "true" },
    corner(),
    s("path", { d: MARKS[suit] ?? "", transform: "translate(9 44)" }),
    middle,
    s("g", { transform: "rotate(180 50 70)", class: "far" }, corner()),
  );
}
