// The player at this browser. All tabs share one session; its refresh token works once, so one tab at a time renews it.

import { Problem, freshKey, problemIn, reach, refusal } from "./api.js";
import { language, t } from "./texts.js";

/** @typedef {import("./types.d.ts").Account} Account */
/**
 * `key`: names the refresh. If the answer gets lost, the refresh is repeated under it, also after the page was loaded anew.
 * @typedef {{ account: Account, access: string, refresh: string, until: number, key: string }} Stored
 */

const KEY = "session";
/** Stands there in place of an account's session that the card room has ended, until somebody signs in or reads that. */
const ENDED = "ended";
/** What shows the notices of the browser. */
export const WORKER = "/service-worker.js";
/** An access token is renewed this long before it ends, in milliseconds. */
const EARLY = 30_000;

/** @type {Set<(account: Account | null) => void>} */
const followers = new Set();
/** For browsers that keep nothing. @type {string | null} */
let unkept = null;

addEventListener("storage", (event) => {
  if (event.key === KEY) compare();
});

/** The account, or null for somebody who has not signed in. */
export function account() {
  return read()?.account ?? null;
}

/** Whether the card room has ended the session, and not the player. */
export function hasEnded() {
  return kept() === ENDED;
}

/** The player has read that the session has ended. */
export function dismiss() {
  if (hasEnded()) write(null);
}

/**
 * Calls back when somebody signs in or out, in any tab.
 * @param {(account: Account | null) => void} callback @param {AbortSignal} [signal]
 */
export function onChange(callback, signal) {
  if (signal?.aborted) return;
  followers.add(callback);
  signal?.addEventListener("abort", () => followers.delete(callback));
}

/**
 * An access token that is good now, or null. `refused`: a token that the API no longer takes.
 * @param {string} [refused]
 */
export async function token(refused) {
  const stored = read();
  if (stored === null) return null;
  if (isGood(stored, refused)) return stored.access;
  return alone(async () => {
    // Another tab may have been faster.
    const now = read();
    if (now === null) return null;
    if (isGood(now, refused)) return now.access;
    // An answer that comes late changes nothing for those who have signed in or out meanwhile.
    const isStill = () => read()?.refresh === now.refresh;
    try {
      const renewed = await refresh(now);
      if (isStill()) keep(renewed);
    } catch (error) {
      if (!(error instanceof Problem) || (error.status !== 401 && error.status !== 422)) throw error;
      if (isStill()) {
        // A guest cannot sign in again.
        write(now.account.guest ? null : ENDED);
        void silence();
      }
    }
    return read()?.access ?? null;
  });
}

/** Makes sure that somebody is signed in: as a guest, if nobody is. A player whose session has just ended is told so first. */
export async function ensure() {
  const before = account();
  if ((await token()) !== null) return;
  if (before !== null && hasEnded()) throw refusal("session_ended", t("Your session has ended."));
  await alone(async () => {
    if (read() === null) keep(await ask("/v1/auth/guest", undefined));
  });
}

/** The same for a visitor who comes to see something. A player whose session has ended reads that, and stays nobody. */
export async function welcome() {
  await token();
  if (!hasEnded()) await ensure();
}

/** @param {string} username @param {string} password */
export async function login(username, password) {
  await replace(() => ask("/v1/auth/login", { username, password }));
}

/** Signs in, and out whoever was signed in before. @param {() => Promise<import("./types.d.ts").Session>} begin */
async function replace(begin) {
  const [before, now] = await alone(async () => {
    const session = await begin();
    const before = read();
    keep(session);
    return [before, session.account];
  });
  if (before === null) return;
  if (before.account.id !== now.id) void silence();
  void end(before).catch(() => null);
}

/**
 * A new account; a guest keeps its games. Gives the recovery codes, which are told only once.
 * @param {string} username @param {string} password @returns {Promise<string[]>}
 */
export async function register(username, password) {
  // A guest's token that has ended is renewed first.
  await token();
  return alone(async () => {
    const now = read();
    const session = now?.account.guest
      ? await ask("/v1/auth/upgrade", { username, password }, now.access)
      : await ask("/v1/auth/register", { username, password });
    keep(session);
    return session.recovery_codes ?? [];
  });
}

/** A new password for an account, for one of its recovery codes. @param {string} username @param {string} code @param {string} password */
export async function recover(username, code, password) {
  await replace(() => ask("/v1/auth/recover", { username, code, password }));
}

/** Asks anew what the account is, after it has changed. */
export async function renew() {
  const current = await token();
  if (current !== null) await token(current);
}

/** The account is gone, and so is everything about it here. @param {Account} gone */
export function forget(gone) {
  if (account()?.id === gone.id) write(null);
}

/** Signs out in all tabs. */
export async function logout() {
  void silence();
  const stored = await alone(async () => {
    const now = read();
    write(null);
    return now;
  });
  if (stored !== null) await end(stored).catch(() => null);
}

/** Ends a session at the card room. @param {Stored} stored */
async function end(stored) {
  const renewed = async () => (await refresh(stored)).access_token;
  const over = (/** @type {string} */ access) => ask("/v1/auth/logout", undefined, access);
  if (!isGood(stored, undefined)) return void (await over(await renewed()));
  // The token may have ended before its time, as far as this computer's clock knows it.
  await over(stored.access).catch(async (error) => {
    if (error instanceof Problem && error.status === 401) await over(await renewed());
  });
}

/**
 * Ends the notices of this browser: what concerns an account is not shown to the next player here. The push service
 * tells the card room.
 */
async function silence() {
  const registration = await navigator.serviceWorker?.getRegistration(WORKER).catch(() => undefined);
  const subscription = await registration?.pushManager?.getSubscription().catch(() => null);
  if (!subscription) return;
  const isOver = await subscription.unsubscribe().catch(() => false);
  // Where the push service is not reached, the browser still forgets whom the notices were for.
  if (!isOver) await registration?.unregister().catch(() => false);
}

/** @param {Stored} stored @param {string | undefined} refused */
function isGood(stored, refused) {
  return stored.access !== refused && stored.until - EARLY > Date.now();
}

/** Runs `work` in one tab at a time. Without locks, the tabs have to be lucky. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
async function alone(work) {
  return navigator.locks === undefined ? work() : navigator.locks.request("session", work);
}

/** @param {Stored} stored */
async function refresh(stored) {
  return ask("/v1/auth/refresh", { refresh_token: stored.refresh }, undefined, stored.key);
}

/** @param {string} path @param {unknown} data @param {string} [access] @param {string} [key] */
async function ask(path, data, access, key = freshKey()) {
  /** @type {Record<string, string>} */
  const headers = { accept: "application/json", "accept-language": language, "idempotency-key": key };
  if (access !== undefined) headers.authorization = `Bearer ${access}`;
  if (data !== undefined) headers["content-type"] = "application/json";
  /** @type {RequestInit} */
  const init = { method: "POST", headers, keepalive: true };
  if (data !== undefined) init.body = JSON.stringify(data);
  const response = await reach(path, init);
  if (!response.ok) throw await problemIn(response);
  return /** @type {import("./types.d.ts").Session} */ (response.status === 204 ? null : await response.json());
}

/** @param {import("./types.d.ts").Session} session */
function keep(session) {
  const until = Date.now() + session.expires_in * 1000;
  const { account, access_token: access, refresh_token: refresh } = session;
  write({ account, access, refresh, until, key: freshKey() });
}

/** @returns {Stored | null} */
function read() {
  const stored = kept();
  return stored === ENDED ? null : stored;
}

/** @returns {Stored | typeof ENDED | null} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return unkept === null ? null : JSON.parse(unkept);
  }
}

/** @param {Stored | typeof ENDED | null} stored */
function write(stored) {
  unkept = stored === null ? null : JSON.stringify(stored);
  try {
    if (unkept === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, unkept);
  } catch {
    // The session lasts as long as this page.
  }
  compare();
}

/** Whom the followers were told of last. */
let told = who(account());

/** @param {Account | null} account */
function who(account) {
  return account === null ? null : `${account.username} ${account.program}`;
}

/** Tells the followers, if somebody else is here now; a renewed token is no news. */
function compare() {
  const now = account();
  if (who(now) === told) return;
  told = who(now);
  for (const follower of [...followers]) follower(now);
}
