// Who sat where, and with which words of their own: what the log says of it, entry by entry.

import { same } from "./json.js";
import { t } from "../texts.js";

/** @typedef {import("./json.js").Json} Json */
/** @typedef {import("./form.js").Entry} Entry */
/** @typedef {{ player: string | null, bot: string | null, client_seed: string }} Sitter */

/** Who sits where, followed through a log. */
export class Seats {
  /** @param {number} many how many may sit down */
  constructor(many) {
    this.many = many;
    /** @type {(Sitter | null)[]} */
    this.taken = Array.from({ length: many }, () => null);
    /** @type {Set<number>} */
    this.resigned = new Set();
  }

  /**
   * Takes an entry in; what is wrong with it, if anything.
   *
   * @param {Entry} entry
   * @returns {string | null}
   */
  take({ type, by, seat, data }) {
    const here = Number(seat);
    const sitter = this.taken[here] ?? null;
    switch (type) {
      case "seated":
        if (sitter || here >= this.many) return t("seat {seat} is not free", { seat: here });
        this.taken[here] = { player: word(data.player), bot: word(data.bot), client_seed: String(data.client_seed) };
        return null;
      case "left":
      case "removed":
        this.taken[here] = null;
        return sitter ? null : t("nobody sits at seat {seat}", { seat: here });
      case "moved":
        return this.move(here, Number(data.to));
      case "started":
        return this.start(data.seats);
      case "acted":
      case "resigned":
      case "abort_agreed":
        return this.act(type, by, here);
      default:
        return null;
    }
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  move(from, to) {
    if (!this.taken[from] || to >= this.many) return t("nobody can go from seat {from} to seat {to}", { from, to });
    [this.taken[from], this.taken[to]] = [this.taken[to] ?? null, this.taken[from] ?? null];
    return null;
  }

  /** @param {Json | undefined} told the seats that the entry lists */
  start(told) {
    const sat = this.taken.flatMap((sitter, was) => (sitter ? [{ sitter, was }] : []));
    const due = sat.map(({ sitter: { player, bot }, was }, seat) => ({ seat, was, player, bot }));
    if (!same(told, due)) return t("it seats others than sat down");
    this.taken = sat.map(({ sitter }) => sitter);
    this.many = sat.length;
    return null;
  }

  /**
   * @param {string} type
   * @param {Entry["by"]} by
   * @param {number} seat
   */
  act(type, by, seat) {
    const sitter = this.taken[seat];
    if (!sitter) return t("nobody sits at seat {seat}", { seat });
    // A resigned seat's clock plays on, and so it does for a player who is late.
    const fits = by.type === "bot" ? sitter.bot === by.bot : sitter.bot === null;
    if (!fits) return t("it is not by who sits at seat {seat}", { seat });
    if (by.type !== "clock" && this.resigned.has(seat)) return t("seat {seat} has resigned before", { seat });
    if (type === "resigned") this.resigned.add(seat);
    return null;
  }

  /**
   * The seats as the head of a bundle lists them.
   *
   * @returns {({ seat: number } & Sitter)[]}
   */
  list() {
    return this.taken.flatMap((sitter, seat) => (sitter ? [{ seat, ...sitter }] : []));
  }
}

/** @param {Json | undefined} value */
function word(value) {
  return typeof value === "string" ? value : null;
}
