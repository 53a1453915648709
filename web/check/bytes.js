// Bytes, how they are written, and what WebCrypto makes of them.

import { t } from "../texts.js";

const utf8 = new TextEncoder();

/** @param {string} text */
export function encode(text) {
  return utf8.encode(text);
}

/** @param {ArrayBuffer | Uint8Array} data */
export function hex(data) {
  return Array.from(new Uint8Array(data), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} digits lower-case hex */
export function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/**
 * Base64 of the alphabet for addresses, without padding, in the one way of writing it.
 *
 * @param {string} text
 */
export function fromBase64Url(text) {
  if (!/^[\w-]*$/.test(text)) throw new Error(t("it is no base64url"));
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const again = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  if (again !== text) throw new Error(t("it is no base64url"));
  return bytes;
}

/** Whether this browser, at this address, lets a page compute hashes. */
export function hasCrypto() {
  return typeof globalThis.crypto === "object" && Boolean(globalThis.crypto.subtle);
}

/** @param {...(string | Uint8Array)} parts */
export async function sha256(...parts) {
  const pieces = parts.map((part) => (typeof part === "string" ? encode(part) : part));
  const data = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  pieces.reduce((at, piece) => (data.set(piece, at), at + piece.length), 0);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data));
}

/**
 * HMAC-SHA256 under a key.
 *
 * @param {Uint8Array<ArrayBuffer>} key
 * @returns {Promise<(message: string) => Promise<Uint8Array>>}
 */
export async function hmacSha256(key) {
  const known = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (message) => new Uint8Array(await crypto.subtle.sign("HMAC", known, encode(message)));
}

/**
 * Whether an Ed25519 signature holds.
 *
 * @param {string} x the public key, base64url
 * @param {string} message
 * @param {Uint8Array<ArrayBuffer>} signature
 */
export async function ed25519(x, message, signature) {
  const key = await crypto.subtle.importKey("raw", fromBase64Url(x), { name: "Ed25519" }, false, ["verify"]);
  return crypto.subtle.verify({ name: "Ed25519" }, key, signature, encode(message));
}
