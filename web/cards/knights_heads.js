// The cards of Knights' Heads: a device for each face, its number in the corner, and a brass corner for the notable ones.

import { s } from "../dom.js";
import { MARKS } from "./suits.js";

/** What stands below the device of a notable card. @type {Record<string, string>} */
const LINES = {
  "scepter of blessing": "scepter",
  "throne of judgment": "throne",
  elven: "elven",
  "half-celestial": "celestial",
  dead: "dead",
  "being dubbed": "dubbed",
  "quaffing ale": "with ale",
  "smoking a pipe": "with a pipe",
  wizard: "wizard",
  cleric: "cleric",
  winged: "winged",
  "hawk on the shoulder": "with a hawk",
  nude: "nude",
  "dances suggestively": "suggestive",
  "fiery torches": "torches",
  daggers: "daggers",
  bald: "bald",
  "left-handed": "left-handed",
};

/** @type {Record<string, string>} */
const LETTERS = {
  king: "K",
  queen: "Q",
  knight: "N",
  armorer: "A",
  merchant: "M",
  messenger: "E",
  dancer: "D",
  juggler: "J",
  blacksmith: "B",
};

/** @param {import("../types.d.ts").CardInfo} info */
export function heads(info) {
  const face = info.face ?? "";
  const isNotable = typeof info.notable === "string";
  const isRoyal = ["king", "queen", "knight"].includes(face);
  const line = isNotable ? (LINES[info.notable ?? ""] ?? info.notable) : face;
  return s(
    "svg",
    { viewBox: "0 0 100 140", class: `head ${isRoyal ? "royal" : "common"}`, "aria-hidden": "true" },
    isNotable && s("path", { d: "M62 0H100V38z", class: "notable" }),
    s("text", { x: 9, y: 36, class: "index", "font-size": 36 }, LETTERS[face] ?? "?"),
    s("text", { x: 9, y: 61, class: "index", "font-size": 19 }, info.number),
    s("path", { d: MARKS[face] ?? "", "fill-rule": "evenodd", transform: "translate(27 46) scale(2.3)" }),
    s("path", {
      d: MARKS[info.sex ?? ""] ?? "",
      "fill-rule": "evenodd",
      class: "sex",
      transform: "translate(79 76) scale(0.62)",
    }),
    s("text", { x: 50, y: 127, class: "line", "text-anchor": "middle", "font-size": 15 }, line),
  );
}
