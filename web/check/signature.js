// The house's word for a log: a JWS (EdDSA) over the game's id, the number of entries and the last hash.

import { ed25519, fromBase64Url } from "./bytes.js";
import { isObject, read, same } from "./json.js";

/** @typedef {import("./json.js").Json} Json */
/** @typedef {import("./form.js").Bundle} Bundle */
/** @typedef {{ label: string, value: string }} Figure */

/** So that nothing else which the house signs passes for this. */
const TYPE = "cardroom-audit+jwt";

/**
 * @param {Bundle} bundle
 * @param {Json[] | null} keys the house's; null takes the key that the signature brings
 * @returns {Promise<{ ok: boolean | null, detail: string, figures: Figure[] }>}
 */
export async function judge({ game, log, signature }, keys) {
  const parts = signature.split(".");
  const [head, body, signed] = parts;
  if (parts.length !== 3 || !head || !body || !signed) return no("there is no signature of three parts");
  const header = object(head);
  if (header.alg !== "EdDSA" || header.typ !== TYPE) return no(`it is not of the type ${TYPE}, by EdDSA`);
  const key = (keys ?? [header.jwk ?? null]).find((known) => isObject(known) && known.kid === header.kid);
  if (!isObject(key)) return no(keys ? `the house has no key ${text(header.kid)}` : "it brings no key of its name");
  if (key.kty !== "OKP" || key.crv !== "Ed25519" || typeof key.x !== "string") return no("its key is of another sort");
  const figures = [
    { label: keys ? "Key, as the house publishes it" : "Key, as the signature brings it", value: `${text(key.kid)}: ${key.x}` },
    { label: "Signed", value: new TextDecoder().decode(fromBase64Url(body)) },
    { label: "Signature", value: signed },
  ];
  let holds;
  try {
    holds = await ed25519(key.x, `${head}.${body}`, fromBase64Url(signed));
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== "NotSupportedError") throw error;
    return { ok: null, detail: "this browser does not know Ed25519, so the signature was not checked", figures };
  }
  if (!holds) return { ...no("it does not hold: the key did not sign this"), figures };
  const here = { game: game.id ?? null, version: log.length, hash: log.at(-1)?.hash ?? null };
  if (!same(object(body), here)) return { ...no("it was made for another log"), figures };
  const whose = keys ? `by the house's key ${text(key.kid)}` : "by the key that it brings; only the house's keys tell whose that is";
  return { ok: true, detail: `the log as a whole is signed, ${whose}`, figures };
}

/** @param {string} part base64url */
function object(part) {
  const value = read(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(fromBase64Url(part)));
  if (!isObject(value)) throw new Error("a part of it is no object");
  return value;
}

/** @param {Json | undefined} value */
function text(value) {
  return typeof value === "string" ? value : "without a name";
}

/** @param {string} detail */
function no(detail) {
  return { ok: false, detail, figures: [] };
}
