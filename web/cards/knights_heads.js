// The cards of Knights' Heads: a device for each face, its number in the corner, and a brass corner for the notable ones.

import { s } from "../dom.js";
import { language, t } from "../texts.js";
import { count } from "../words.js";
import { MARKS } from "./suits.js";

/** What stands below the device of a notable card. @type {Record<string, string>} */
const LINES = {
  "scepter of blessing": t("scepter"),
  "throne of judgment": t("throne"),
  elven: t("elven"),
  "half-celestial": t("celestial"),
  dead: t("dead"),
  "being dubbed": t("dubbed"),
  "quaffing ale": t("with ale"),
  "smoking a pipe": t("with a pipe"),
  wizard: t("wizard"),
  cleric: t("cleric"),
  winged: t("winged"),
  "hawk on the shoulder": t("with a hawk"),
  nude: t("nude"),
  "dances suggestively": t("suggestive"),
  "fiery torches": t("torches"),
  daggers: t("daggers"),
  bald: t("bald"),
  "left-handed": t("left-handed"),
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

/** Cards of a face, counted. @type {Record<string, (number: number) => string>} */
export const COUNTED = {
  king: (n) => count(n, "{n} king", "{n} kings"),
  queen: (n) => count(n, "{n} queen", "{n} queens"),
  knight: (n) => count(n, "{n} knight", "{n} knights"),
  armorer: (n) => count(n, "{n} armorer", "{n} armorers"),
  merchant: (n) => count(n, "{n} merchant", "{n} merchants"),
  messenger: (n) => count(n, "{n} messenger", "{n} messengers"),
  dancer: (n) => count(n, "{n} dancer", "{n} dancers"),
  juggler: (n) => count(n, "{n} juggler", "{n} jugglers"),
  blacksmith: (n) => count(n, "{n} blacksmith", "{n} blacksmiths"),
};

/** @param {import("../types.d.ts").CardInfo} info @param {string} name in words */
export function heads(info, name) {
  const face = info.face ?? "";
  const isNotable = typeof info.notable === "string";
  const isRoyal = ["king", "queen", "knight"].includes(face);
  const line = isNotable ? (LINES[info.notable ?? ""] ?? info.notable) : plainLine(face, name);
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
    s(
      "text",
      { x: 50, y: 127, class: "line", "text-anchor": "middle", "font-size": (line?.length ?? 0) > 11 ? 13 : 15 },
      line,
    ),
  );
}

/** What stands below the others: the face, which other languages tell with its sex. @param {string} face @param {string} name */
function plainLine(face, name) {
  return language === "en" ? face : name.replace(/ \d+$/, "");
}
