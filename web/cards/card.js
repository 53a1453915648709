// Cards, drawn from what a kind says of its deck. A card of a deck that nobody has drawn shows its name.

import { h, s } from "../dom.js";
import { heads } from "./knights_heads.js";
import { MARKS, french, sevens } from "./suits.js";
import { t } from "../texts.js";

/** @typedef {import("../types.d.ts").CardInfo} CardInfo */
/**
 * What is known of the cards of a kind.
 * @typedef {object} Deck
 * @property {Map<string, CardInfo>} infos
 * @property {Map<string, string>} names in words
 * @property {Map<string, { title: string, text: string }>} roles what a card does
 * @property {Map<string | null, SVGSVGElement>} faces the cards that have been drawn; to copy a drawing is quick
 */

/** @type {WeakMap<import("../types.d.ts").KindText, Deck>} */
const decks = new WeakMap();

/** @param {import("../types.d.ts").KindText} kind @returns {Deck} */
export function deckOf(kind) {
  const known = decks.get(kind);
  if (known !== undefined) return known;
  const deck = read(kind);
  decks.set(kind, deck);
  return deck;
}

/** @param {import("../types.d.ts").KindText} kind @returns {Deck} */
function read(kind) {
  return {
    infos: new Map(kind.deck.map((info) => [info.card, info])),
    names: new Map(kind.cards.map((card) => [card.card, card.name.text])),
    roles: new Map(
      kind.cards.flatMap((card) =>
        card.role === null ? [] : [[card.card, { title: card.role.title, text: card.role.text ?? "" }]],
      ),
    ),
    faces: new Map(),
  };
}

/** What a card is called; null is a card that is hidden. @param {Deck} deck @param {string | null} card */
export function cardName(deck, card) {
  return card === null ? t("a hidden card") : (deck.names.get(card) ?? card);
}

/**
 * A card on the table.
 * @param {Deck} deck @param {string | null} card @param {{ class?: string, key?: string | undefined }} [options]
 */
export function card(deck, card, options = {}) {
  const name = cardName(deck, card);
  return h(
    "span",
    {
      class: `card ${card === null ? "back" : ""} ${options.class ?? ""}`,
      role: "img",
      "aria-label": name,
      title: card === null ? null : name,
      "data-key": options.key,
    },
    face(deck, card),
  );
}

/** What is seen of a card. @param {Deck} deck @param {string | null} card */
export function face(deck, card) {
  let drawn = deck.faces.get(card);
  if (drawn === undefined) deck.faces.set(card, (drawn = drawFace(deck, card)));
  return drawn.cloneNode(true);
}

/** @param {Deck} deck @param {string | null} card */
function drawFace(deck, card) {
  if (card === null) return back();
  const info = deck.infos.get(card);
  if (info?.face !== undefined) return heads(info, cardName(deck, card));
  if (info?.rank !== undefined && info.suit !== undefined) return french(info.rank, info.suit);
  if (info?.number !== undefined && info.suit !== undefined) return sevens(info.number, info.suit);
  return s(
    "svg",
    { viewBox: "0 0 100 140", "aria-hidden": "true" },
    s("text", { x: 50, y: 78, class: "index", "text-anchor": "middle", "font-size": 26 }, card),
  );
}

/** Cards in a row, as a list. @param {Deck} deck @param {(string | null)[]} cards @param {string} label @param {string} [className] */
export function row(deck, cards, label, className = "") {
  return h(
    "ul",
    { class: `cards ${className}`, "aria-label": label },
    cards.map((code) => h("li", null, card(deck, code))),
  );
}

/** The place of a card that is not there. */
export function outline() {
  return h("span", { class: "card outline", "aria-hidden": "true" });
}

/** A mark in a line of text. @param {string} name */
export function mark(name) {
  return s(
    "svg",
    { viewBox: "0 0 24 24", class: `mark ${name}`, "aria-hidden": "true" },
    s("path", { d: MARKS[name] ?? "", "fill-rule": "evenodd" }),
  );
}

function back() {
  const lines = [];
  for (let at = -140; at <= 100; at += 14) lines.push(`M${at} 0l140 140M${at + 140} 0l-140 140`);
  return s(
    "svg",
    { viewBox: "0 0 100 140", "aria-hidden": "true" },
    s(
      "svg",
      { x: 8, y: 8, width: 84, height: 124, viewBox: "8 8 84 124" },
      s("path", { d: lines.join(""), class: "weave" }),
    ),
    s("rect", { x: 8, y: 8, width: 84, height: 124, rx: 4, class: "edge" }),
  );
}
