// Chance that nobody can steer, scheme `cardroom/1`: each pick and each order made again from the seeds.

import { same } from "./json.js";

/** @typedef {import("./form.js").Created} Created */

/** The words of one chance: 32-bit numbers, eight in each block. */
export class Words {
  /**
   * @param {(message: string) => Promise<Uint8Array>} hmac under the server seed
   * @param {string} prefix
   */
  constructor(hmac, prefix) {
    this.hmac = hmac;
    this.prefix = prefix;
    this.drawn = 0;
    /** @type {Uint8Array} the newest block */
    this.block = new Uint8Array(32);
    /** @type {Uint8Array | null} */
    this.first = null;
  }

  async word() {
    const at = (this.drawn % 8) * 4;
    if (at === 0) {
      this.block = await this.hmac(`${this.prefix}:${this.drawn / 8}`);
      this.first ??= this.block;
    }
    this.drawn += 1;
    return new DataView(this.block.buffer).getUint32(at);
  }

  /**
   * A number below `m`, each as likely as the others.
   *
   * @param {number} m
   */
  async below(m) {
    const whole = 2 ** 32 - (2 ** 32 % m);
    for (;;) {
      const word = await this.word();
      if (word < whole) return word % m;
    }
  }

  /**
   * The places of a list of this length after its shuffle: which place of the old order stands at each.
   *
   * @param {number} length
   */
  async order(length) {
    const places = Array.from({ length }, (_, place) => place);
    for (let at = length - 1; at > 0; at -= 1) {
      const other = await this.below(at + 1);
      [places[at], places[other]] = [places[other] ?? 0, places[at] ?? 0];
    }
    return places;
  }
}

/**
 * A kind's cards in their own order, or null where the kind is not known here.
 *
 * @param {Created} made
 * @returns {string[] | null}
 */
export function deck({ kind, options }) {
  if (kind === "sevens") return cards("CGS", "112233445566");
  if (kind === "knights_heads") {
    return [..."KQNAMEDJB"].flatMap((face) => Array.from({ length: face === "K" ? 8 : 12 }, (_, n) => `${face}${n + 1}`));
  }
  if (!["ritunas_favour", "ricketts_hearts", "royal_gambit"].includes(kind)) return null;
  return cards("CDHS", options.kings === "removed" ? "A23456789TJQ" : "A23456789TJQK");
}

/**
 * @param {string} suits
 * @param {string} ranks
 */
function cards(suits, ranks) {
  return [...suits].flatMap((suit) => [...ranks].map((rank) => rank + suit));
}

/**
 * The lists that a shuffle can begin with: the kind's deck; or, where a pair of lucky sevens is redealt, what was left
 * of the deck with the pair under it.
 *
 * @param {Created} made
 * @param {string[]} result what came of the shuffle
 * @param {string[]} last the order before it
 * @returns {string[][]}
 */
export function before(made, result, last) {
  const whole = deck(made);
  if (!whole) return [];
  if (made.kind !== "ritunas_favour" || result.length >= whole.length || result.length < 2) return [whole];
  const rest = last.slice(last.length - (result.length - 2));
  const pair = result.filter((card) => !rest.includes(card));
  if (pair.length !== 2 || !pair.every((card) => card.startsWith("7"))) return [whole];
  return [[...rest, ...pair], [...rest, ...[...pair].reverse()]];
}

/**
 * What the seeds make of the first of these lists that fits what the log says; of the first where none fits.
 *
 * @param {string[][]} lists
 * @param {number[]} places
 * @param {string[]} result
 */
export function dealt(lists, places, result) {
  const due = lists.map((list) => places.map((place) => list[place] ?? ""));
  return due.find((order) => same(order, result)) ?? due[0] ?? [];
}
