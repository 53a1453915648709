// The house's word for a log: a JWS (EdDSA) over the game's id, the number of entries and the last hash.

import { ed25519, fromBase64Url } from "./bytes.js";
import { isObject, read, same } from "./json.js";
import { t } from "../texts.js";

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
  if (parts.length !== 3 || !head || !body || !signed) return no(t("there is no signature of three parts"));
  const header = object(head);
  if (header.alg !== "EdDSA" || header.typ !== TYPE) return no(t("it is not of the type {type}, by EdDSA", { type: TYPE }));
  const key = (keys ?? [header.jwk ?? null]).find((known) => isObject(known) && known.kid === header.kid);
  if (!isObject(key)) return no(keys ? t("the house has no key {key}", { key: text(header.kid) }) : t("it brings no key of its name"));
  if (key.kty !== "OKP" || key.crv !== "Ed25519" || typeof key.x !== "string") return no(t("its key is of another sort"));
  const figures = [
    { label: keys ? t("Key, as the house publishes it") : t("Key, as the signature brings it"), value: `${text(key.kid)}: ${key.x}` },
    { label: t("Signed"), value: new TextDecoder().decode(fromBase64Url(body)) },
    { label: t("Signature"), value: signed },
  ];
  let holds;
  try {
    holds = await ed25519(key.x, `${head}.${body}`, fromBase64Url(signed));
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== "NotSupportedError") throw error;
    return { ok: null, detail: t("this browser does not know Ed25519, so the signature was not checked"), figures };
  }
  if (!holds) return { ...no(t("it does not hold: the key did not sign this")), figures };
  const here = { game: game.id ?? null, version: log.length, hash: log.at(-1)?.hash ?? null };
  if (!same(object(body), here)) return { ...no(t("it was made for another log")), figures };
  const detail = keys
    ? t("the log as a whole is signed, by the house's key {key}", { key: text(key.kid) })
    : t("the log as a whole is signed, by the key that it brings; only the house's keys tell whose that is");
  return { ok: true, detail, figures };
}

/** @param {string} part base64url */
function object(part) {
  const value = read(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(fromBase64Url(part)));
  if (!isObject(value)) throw new Error(t("a part of it is no object"));
  return value;
}

/** @param {Json | undefined} value */
function text(value) {
  return typeof value === "string" ? value : t("without a name");
}

/** @param {string} detail */
function no(detail) {
  return { ok: false, detail, figures: [] };
}
