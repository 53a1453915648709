// What the card room tells of its kinds, asked for once; and the drawing of each.

import { get } from "../api.js";

/** @typedef {import("../types.d.ts").KindText} KindText */
/** @typedef {import("../types.d.ts").KindSummary} KindSummary */

/** @type {Map<string, Promise<KindText>>} */
const told = new Map();
/** @type {Promise<KindSummary[]> | null} */
let all = null;

/** @type {Record<string, () => Promise<import("../table/model.js").Drawing>>} */
const DRAWINGS = {
  ritunas_favour: async () => (await import("./ritunas_favour.js")).drawing,
  sevens: async () => (await import("./sevens.js")).drawing,
  ricketts_hearts: async () => (await import("./ricketts_hearts.js")).drawing,
  knights_heads: async () => (await import("./knights_heads.js")).drawing,
  royal_gambit: async () => (await import("./royal_gambit.js")).drawing,
};

/** @param {string} kind */
export function toldKind(kind) {
  const known = told.get(kind);
  if (known !== undefined) return known;
  const asked = /** @type {Promise<KindText>} */ (get(`/v1/kinds/${encodeURIComponent(kind)}`));
  told.set(kind, asked);
  asked.catch(() => told.delete(kind));
  return asked;
}

/** All kinds. @returns {Promise<KindSummary[]>} */
export function allKinds() {
  all ??= get("/v1/kinds").then((page) => /** @type {{ items: KindSummary[] }} */ (page).items);
  all.catch(() => {
    all = null;
  });
  return all;
}

/** The drawing of a kind; `?plain` in the address shows any kind as one that nobody has drawn. @param {string} kind */
export async function drawingOf(kind) {
  const own = DRAWINGS[kind];
  if (own !== undefined && !new URLSearchParams(location.search).has("plain")) return own();
  return (await import("./generic.js")).generic;
}
