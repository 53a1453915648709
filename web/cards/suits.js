// Cards with suits, French ones and those of Sevens, and the marks on all our cards.

import { s } from "../dom.js";

/** @typedef {{ d: string, rule?: string }} Mark */

/** The marks on our cards, each drawn in a square of 24 by 24. @type {Record<string, string>} */
export const MARKS = {
  hearts:
    "M12 21.500C6.500 16.800 2 13 2 8.300A5.200 5.200 0 0 1 12 6a5.200 5.200 0 0 1 10 2.300c0 4.700-4.500 8.500-10 13.200z",
  diamonds: "M12 1.500 20.500 12 12 22.500 3.500 12z",
  spades:
    "M12 1.500c3.800 4.800 9 7.700 9 12.400a4.600 4.600 0 0 1-7.900 3.200q.4 3 2.400 5.400h-7q2-2.400 2.400-5.400A4.600 4.600 0 0 1 3 13.900C3 9.200 8.200 6.300 12 1.500z",
  clubs:
    "M12 1.700a4.500 4.500 0 0 1 3.700 7.100 4.600 4.600 0 1 1-2.500 8.200q.5 3 2.300 5.500h-7q1.800-2.500 2.300-5.500a4.600 4.600 0 1 1-2.500-8.200A4.500 4.500 0 0 1 12 1.700z",
  coins:
    "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zm0 2.200a7.800 7.800 0 1 0 0 15.600 7.800 7.800 0 0 0 0-15.600zM12 6a6 6 0 1 1 0 12 6 6 0 0 1 0-12zm-2 4v4h4v-4z",
  grain:
    "M11.200 23v-6.500C8 16.500 6.500 14.800 6.500 12c2.300 0 4 .9 4.700 2.600v-2.300C8 12.300 6.500 10.600 6.500 7.800c2.300 0 4 .9 4.700 2.600V8.800C9.700 7.800 9.300 5.600 12 1c2.700 4.600 2.300 6.800.8 7.800v1.600c.7-1.700 2.400-2.600 4.700-2.600 0 2.800-1.500 4.500-4.700 4.500v2.300c.7-1.700 2.400-2.600 4.700-2.600 0 2.800-1.500 4.500-4.700 4.500V23z",
  ships:
    "M11.200 1.500v13H3.500c1-5 4-9.500 7.700-13zm1.600 2c3.600 2.600 6.300 6.500 7 11h-7zM2 16.500h20c-.8 3.200-2.800 5.500-5.500 6h-9c-2.700-.5-4.700-2.800-5.500-6z",
  king: "M3 7.500 7.500 12 12 3.500l4.500 8.500L21 7.500l-2 10.500H5zM5 19.500h14V22H5z",
  queen:
    "M2.500 11c3 1.300 5 .6 6.500-1.700L12 5l3 4.300c1.500 2.300 3.500 3 6.500 1.700v5.500c-6 2.600-13 2.600-19 0zM12 1.500a1.600 1.600 0 1 1 0 3.200 1.600 1.600 0 0 1 0-3.200z",
  knight: "M12 2c5 0 8 3.500 8 8.500V22h-5.500l-1.700-7h-1.600l-1.700 7H4V10.500C4 5.500 7 2 12 2zM6.500 10v2h11v-2z",
  armorer:
    "M2 5h20c0 3-2.500 5-6 5.300V12l2.500 2.500V17h-13v-2.500L8 12v-1.700C4.500 10 2 8 2 5zM4.500 18.500h15V21h-15z",
  merchant:
    "M11 2h2v2.200l7 1.300 3 8.500a3.700 3.700 0 0 1-7.400 0l2.600-7.200L13 5.900V19h4v2.500H7V19h4V5.900L5.800 6.800 8.400 14A3.700 3.700 0 0 1 1 14l3-8.500 7-1.300zM4.700 9.300 3 14h3.400zm14.600 0L17.600 14H21z",
  messenger:
    "M22 3v14c-6-3.500-9.800-4.400-13-4.400A3 3 0 0 0 6 15.500 3.200 3.200 0 0 0 9.200 19c1.700 0 2.800-1.200 2.800-2.600l2 .6c0 2.600-2 4.500-4.800 4.500A5.700 5.700 0 0 1 3.500 16V9.500H2v-2h7c3.200 0 7-1 13-4.500z",
  dancer:
    "M5 2c9 1 14 3.500 14 7.500 0 3-3.500 4-7 4.800-2.500.6-4.500 1.200-4.500 2.700 0 2 3.500 3.200 10 3.500l-.5 2.500C9 23 4 21 4 17c0-3.400 3.700-4.500 7.300-5.400 2.400-.6 4.200-1.100 4.200-2.300C15.500 7 11.500 5.600 4.700 5z",
  juggler:
    "M12 2a3.800 3.800 0 1 1 0 7.600A3.800 3.800 0 0 1 12 2zM5.800 13.200a3.800 3.800 0 1 1 0 7.600 3.800 3.800 0 0 1 0-7.600zm12.400 0a3.800 3.800 0 1 1 0 7.600 3.800 3.800 0 0 1 0-7.600z",
  blacksmith: "M3 3h13.500L21 6.500V10h-4.500V8.800H14V22.500h-4V8.800H3z",
  male: "M14 2h8v8h-2.500V6.300l-4.300 4.200a7 7 0 1 1-1.800-1.800l4.300-4.200H14zM9.500 10a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9z",
  female:
    "M12 1.500a7 7 0 0 1 1.300 13.900V18H16v2.500h-2.700V23h-2.600v-2.500H8V18h2.700v-2.600A7 7 0 0 1 12 1.500zM12 4a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9z",
};

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

/** A French card: a big index in two corners, one large suit in the middle, letters for the courts. @param {string} rank @param {string} suit */
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

/** A card of Sevens: the number large, the suit as a simple mark. Twins look alike. @param {number} number @param {string} suit */
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
