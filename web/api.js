// Requests to the API. What it refuses is a Problem; where it cannot be reached, Away.

import * as session from "./session.js";
import { language, t } from "./texts.js";

/** @typedef {import("./types.d.ts").Account} Account */

/** A refusal, as the API words it. */
export class Problem extends Error {
  /** @param {number} status @param {import("./types.d.ts").Problem} body @param {number} retryAfter */
  constructor(status, body, retryAfter) {
    super(body.detail);
    this.status = status;
    this.code = body.code;
    this.title = body.title;
    this.detail = body.detail;
    this.body = body;
    /** In seconds; 0 where the API does not say when to ask again. */
    this.retryAfter = retryAfter;
  }
}

/** The card room cannot be reached. */
export class Away extends Error {
  constructor() {
    super(t("The card room cannot be reached."));
  }
}

/** What problems mean, by their codes, in a language that the problems themselves do not speak. @type {Promise<Map<string, string>> | null} */
let meanings = null;

/**
 * A refusal in the page's language. What is wrong with one's own words is told in English besides.
 * @param {number} status @param {import("./types.d.ts").Problem} body @param {number} [retryAfter]
 */
export async function problemOf(status, body, retryAfter = 0) {
  const problem = new Problem(status, body, retryAfter);
  if (language === "en") return problem;
  meanings ??= reach("/v1/problems", { headers: { accept: "application/json", "accept-language": language } })
    .then((response) => /** @type {Promise<{ items: { code: string, meaning: string }[] }>} */ (response.json()))
    .then(({ items }) => new Map(items.map(({ code, meaning }) => [code, meaning])));
  const meaning = (await meanings.catch(() => (meanings = null)))?.get(problem.code);
  if (meaning !== undefined) problem.detail = status === 422 ? `${meaning} (${body.detail})` : meaning;
  return problem;
}

/** How often a write is repeated under its key before it is given up. */
const WRITE_TRIES = 8;
const READ_TRIES = 3;

/** Statuses whose answers have no body. Browsers may give them an empty one, and take none for a new answer. */
const EMPTY = [204, 205, 304];

/** How long a connection may be silent, in milliseconds: it may be gone without a word. */
const PATIENCE = 60_000;

/** How far this computer's clock is behind the card room's, in milliseconds. */
let behind = 0;

/** The card room's time, in milliseconds. */
export function now() {
  return Date.now() + behind;
}

/** @typedef {{ signal?: AbortSignal | undefined, accept?: string, anonymous?: boolean }} Reading */
/** @typedef {{ signal?: AbortSignal | undefined, key?: string, ifMatch?: number, onAway?: () => void, anonymous?: boolean }} Writing */

/**
 * @template T
 * @param {string} path @param {Reading} [options]
 * @returns {Promise<T>}
 */
export async function get(path, options = {}) {
  return /** @type {T} */ (await body(await getAnswer(path, options)));
}

/** The answer as it came. @param {string} path @param {Reading} [options] */
export async function getAnswer(path, options = {}) {
  const response = await patient(
    () =>
      send(
        "GET",
        path,
        undefined,
        { accept: options.accept ?? "application/json", "accept-language": language },
        options,
      ),
    READ_TRIES,
    options,
  );
  if (!response.ok) throw await problemIn(response);
  return response;
}

/**
 * A write. It has a key of its own, so that it is done once however often it is sent.
 * @template T
 * @param {"POST" | "PUT" | "PATCH" | "DELETE"} method @param {string} path @param {unknown} [data] @param {Writing} [options]
 * @returns {Promise<T>}
 */
export async function write(method, path, data, options = {}) {
  /** @type {Record<string, string>} */
  const headers = {
    accept: "application/json",
    "accept-language": language,
    "idempotency-key": options.key ?? freshKey(),
  };
  if (options.ifMatch !== undefined) headers["if-match"] = `"${options.ifMatch}"`;
  const by = { ...options, author: session.account() };
  const response = await patient(() => send(method, path, data, headers, by), WRITE_TRIES, options);
  return /** @type {T} */ (await body(response));
}

/** @template T @param {string} path @param {unknown} [data] @param {Writing} [options] @returns {Promise<T>} */
export const post = (path, data, options) => write("POST", path, data, options);
/** @template T @param {string} path @param {unknown} [data] @param {Writing} [options] @returns {Promise<T>} */
export const put = (path, data, options) => write("PUT", path, data, options);
/** @template T @param {string} path @param {unknown} [data] @param {Writing} [options] @returns {Promise<T>} */
export const patch = (path, data, options) => write("PATCH", path, data, options);
/** @template T @param {string} path @param {unknown} [data] @param {Writing} [options] @returns {Promise<T>} */
export const del = (path, data, options) => write("DELETE", path, data, options);

/** A key for a write. */
export function freshKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {string} method @param {string} path @param {unknown} data @param {Record<string, string>} headers
 * @param {{ signal?: AbortSignal | undefined, anonymous?: boolean, author?: Account | null }} options `author`: who began
 *     it; what one account has begun, no other one sends
 */
async function send(method, path, data, headers, { signal, anonymous, author }) {
  /** @type {RequestInit} */
  const init = { method, headers: { ...headers }, signal: signal ?? null };
  const sent = /** @type {Record<string, string>} */ (init.headers);
  if (data !== undefined) {
    init.body = JSON.stringify(data);
    sent["content-type"] = "application/json";
  }
  const token = anonymous ? null : await session.token();
  if (!anonymous && author !== undefined) insist(author);
  if (token !== null) sent.authorization = `Bearer ${token}`;
  const response = await reach(path, init);
  if (response.status !== 401 || token === null) return response;
  // The token may have ended since, or the keys may have changed.
  const renewed = await session.token(token);
  if (renewed === token || (renewed === null && method !== "GET")) return response;
  if (author !== undefined) insist(author);
  if (renewed === null) delete sent.authorization;
  else sent.authorization = `Bearer ${renewed}`;
  return reach(path, init);
}

/** Refuses to go on for another account. Whoever was nobody may have become a guest meanwhile. @param {Account | null} author */
function insist(author) {
  const now = session.account();
  if (author === null ? now?.guest !== false : now?.id === author.id) return;
  throw refusal("another_account", t("Another account, or none, is signed in now, so this was given up."));
}

/** What the page itself refuses. @param {string} code @param {string} detail */
export function refusal(code, detail) {
  return new Problem(0, { type: "about:blank", status: 0, code, title: detail, detail }, 0);
}

/**
 * One try, to the end of the answer; the caller looks at it.
 * @param {string} path @param {RequestInit} init @param {number} [patience] until the answer begins, and then between its parts
 */
export async function reach(path, init, patience = PATIENCE) {
  const ending = new AbortController();
  const end = () => ending.abort();
  let timer = setTimeout(end, patience);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(end, patience);
  };
  init.signal?.addEventListener("abort", end);
  if (init.signal?.aborted) end();
  try {
    const sentAt = Date.now();
    const response = await fetch(path, { ...init, signal: ending.signal });
    setClock(response, sentAt);
    const isEmpty = EMPTY.includes(response.status) || response.body === null;
    return new Response(isEmpty ? null : await whole(response.body, heard), response);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Away();
  } finally {
    clearTimeout(timer);
    init.signal?.removeEventListener("abort", end);
  }
}

/** @param {ReadableStream<Uint8Array<ArrayBuffer>>} body @param {() => void} heard called at each part */
async function whole(body, heard) {
  const reader = body.getReader();
  const parts = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    heard();
    parts.push(part.value);
  }
  return new Blob(parts);
}

/** @param {Response} response @param {number} sentAt when it was asked for */
function setClock({ headers }, sentAt) {
  const date = headers.get("date");
  // An answer that browsers may keep has the time at which it was new.
  if (date === null || /max-age=[1-9]/.test(headers.get("cache-control") ?? "")) return;
  // The card room wrote it at some time between the two, and in whole seconds: smaller differences are none.
  const onTheWay = (Date.now() - sentAt) / 2;
  const difference = new Date(date).getTime() + 500 - (sentAt + onTheWay);
  if (Math.abs(difference - behind) <= 2000 + onTheWay) return;
  behind = Math.abs(difference) > 2000 ? difference : 0;
}

/** What proxies answer while there is no card room behind them, and the API when it has too much to do. */
const BUSY = [502, 503, 504];

/** @param {number} status @param {number} retryAfter */
function isBusy(status, retryAfter) {
  return BUSY.includes(status) || (status === 429 && retryAfter <= 5);
}

/**
 * Sends until there is an answer: again after a cut, and when the API says that it is busy.
 * @param {() => Promise<Response>} once @param {number} tries @param {{ signal?: AbortSignal | undefined, onAway?: () => void }} options
 */
async function patient(once, tries, options) {
  for (let tried = 1; ; tried++) {
    let wait = Math.min(8000, 250 * 2 ** tried) * (0.75 + Math.random() / 2);
    try {
      const response = await once();
      const retryAfter = Number(response.headers.get("retry-after") ?? 0);
      if (!isBusy(response.status, retryAfter) || tried >= tries) return response;
      wait = Math.max(wait, retryAfter * 1000);
    } catch (error) {
      // A problem is that of a session which could not be renewed.
      const isPassing = error instanceof Away || (error instanceof Problem && isBusy(error.status, error.retryAfter));
      if (!isPassing || tried >= tries) throw error;
      if (error instanceof Away) options.onAway?.();
    }
    await pause(wait, options.signal);
  }
}

/** @param {Response} response */
async function body(response) {
  if (!response.ok) throw await problemIn(response);
  if (response.status === 204) return null;
  return (response.headers.get("content-type") ?? "").includes("json") ? response.json() : response.text();
}

/** The problem that an answer tells, or none that is known: a proxy's page tells nothing. @param {Response} response */
export async function problemIn(response) {
  const { status, statusText, headers } = response;
  const isJson = (headers.get("content-type") ?? "").includes("json");
  const told = isJson ? await response.json().catch(() => ({})) : {};
  const detail = t("The card room answered {status}.", { status });
  return problemOf(status, { code: "unknown", title: statusText, detail, ...told }, Number(headers.get("retry-after") ?? 0));
}

/**
 * Waits, or fails when `signal` is aborted.
 * @param {number} milliseconds @param {AbortSignal | undefined} [signal]
 * @returns {Promise<void>}
 */
export function pause(milliseconds, signal) {
  return new Promise((done, failed) => {
    const stop = () => {
      clearTimeout(timer);
      failed(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      done();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
