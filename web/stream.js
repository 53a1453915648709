// Following a stream of the API: server-sent events by `fetch`, because `EventSource` sends no token. A stream that
// breaks off goes on after its last event, with nothing lost or twice.

import { pause } from "./api.js";
import * as session from "./session.js";
import { language } from "./texts.js";

/** @typedef {{ event: string, id: string, data: unknown }} StreamEvent */
/**
 * @typedef {object} Following
 * @property {(event: StreamEvent) => void} onEvent
 * @property {(isAway: boolean) => void} [onAway] told when the stream breaks off, and when it is back
 * @property {(response: Response) => void} [onRefused] told when the stream does not exist, or not for this caller
 * @property {() => boolean} [isOver] whether a stream that ended has said all; otherwise it goes on
 * @property {() => boolean} [staysHidden] whether the stream goes on while the tab is hidden
 * @property {boolean} [isForAll] whether the stream is opened without a token, so that it shows what anybody sees
 * @property {string} [after] the id of the last event that is known
 * @property {AbortSignal} signal
 */

/** A stream says something every 15 s; one that is silent for longer than this is dead, in milliseconds. */
const SILENCE = 40_000;
/** One that was silent for so long is not trusted when the tab is seen again, or the network is back. */
const DOUBTFUL = 20_000;
/** How often silence is looked for. Timers stand still while a computer sleeps, so the clock is read. */
const LOOK = 5_000;
const LONGEST_WAIT = 15_000;

/** @param {string} path @param {Following} following */
export function follow(path, following) {
  void keepOn(path, following).catch(() => {
    // The page was left.
  });
}

/** @param {string} path @param {Following} following */
async function keepOn(path, following) {
  let last = following.after;
  let failures = 0;
  let isAnother = false;
  while (!following.signal.aborted) {
    await visible(following);
    const connection = new AbortController();
    const stop = () => connection.abort();
    const hide = () => {
      if (document.hidden && !following.staysHidden?.()) connection.abort();
    };
    // Another caller may see other things: the stream begins anew.
    const change = () => {
      isAnother = true;
      connection.abort();
    };
    if (!following.isForAll) session.onChange(change, connection.signal);
    following.signal.addEventListener("abort", stop);
    document.addEventListener("visibilitychange", hide);
    const silence = listenForSilence(connection);
    try {
      const response = await open(path, last, connection.signal, following.isForAll);
      if (!response.ok) {
        const isOver = response.status !== 429 && response.status < 500;
        if (isOver) return following.onRefused?.(response);
        throw new Error(`${response.status}`);
      }
      following.onAway?.(false);
      for await (const event of events(response, silence)) {
        failures = 0;
        if (event.id !== "") last = event.id;
        following.onEvent(event);
      }
      if (following.isOver?.()) return;
      if (!connection.signal.aborted) failures++;
    } catch (error) {
      if (following.signal.aborted) return;
      if (isAnother) last = following.after;
      else if (!connection.signal.aborted || !document.hidden) {
        failures++;
        following.onAway?.(true);
      }
    } finally {
      isAnother = false;
      connection.abort();
      following.signal.removeEventListener("abort", stop);
      document.removeEventListener("visibilitychange", hide);
    }
    if (failures > 0) await waitForNetwork(Math.min(LONGEST_WAIT, 300 * 2 ** failures), following.signal);
  }
}

/** @param {string} path @param {string | undefined} last @param {AbortSignal} signal @param {boolean} [isForAll] */
async function open(path, last, signal, isForAll = false) {
  /** @type {Record<string, string>} */
  const headers = { accept: "text/event-stream", "accept-language": language };
  if (last !== undefined) headers["last-event-id"] = last;
  const access = isForAll ? null : await session.token();
  if (access !== null) headers.authorization = `Bearer ${access}`;
  const response = await fetch(path, { headers, signal, cache: "no-store" });
  if (response.status !== 401 || access === null) return response;
  const renewed = await session.token(access);
  if (renewed === null) delete headers.authorization;
  else headers.authorization = `Bearer ${renewed}`;
  return fetch(path, { headers, signal, cache: "no-store" });
}

/**
 * Ends a connection that is silent for too long, from its beginning on.
 * @param {AbortController} connection
 */
function listenForSilence(connection) {
  const silence = { heardAt: Date.now(), isTooLong: false };
  /** @param {number} longest */
  const look = (longest) => {
    if (Date.now() - silence.heardAt <= longest) return;
    silence.isTooLong = true;
    connection.abort();
  };
  const wake = () => {
    if (!document.hidden) look(DOUBTFUL);
  };
  const timer = setInterval(() => look(SILENCE), LOOK);
  connection.signal.addEventListener("abort", () => clearInterval(timer));
  document.addEventListener("visibilitychange", wake, { signal: connection.signal });
  addEventListener("online", wake, { signal: connection.signal });
  return silence;
}

/**
 * The events of an answer.
 * @param {Response} response @param {{ heardAt: number, isTooLong: boolean }} silence
 * @returns {AsyncGenerator<StreamEvent>}
 */
async function* events(response, silence) {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (silence.isTooLong) throw new Error("silence");
    if (done) return;
    silence.heardAt = Date.now();
    text += value.replaceAll("\r\n", "\n");
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = parse(text.slice(0, end));
      text = text.slice(end + 2);
      if (event !== null) yield event;
    }
  }
}

/** @param {string} block @returns {StreamEvent | null} */
function parse(block) {
  const event = { event: "message", id: "", data: "" };
  for (const line of block.split("\n")) {
    const [, field, value] = /^(event|id|data): ?(.*)$/.exec(line) ?? [];
    if (field === "data") event.data += value;
    else if (field === "event") event.event = value ?? "";
    else if (field === "id") event.id = value ?? "";
  }
  return event.data === "" ? null : { ...event, data: JSON.parse(event.data) };
}

/** Waits until the tab is seen. @param {Following} following @returns {Promise<void>} */
function visible({ signal, staysHidden }) {
  if (!document.hidden || staysHidden?.()) return Promise.resolve();
  return new Promise((done) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      done();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
  });
}

/** Waits, at most until the browser is on a network again. @param {number} milliseconds @param {AbortSignal} signal */
async function waitForNetwork(milliseconds, signal) {
  const early = new AbortController();
  const wake = () => early.abort();
  addEventListener("online", wake);
  await pause(milliseconds * (0.75 + Math.random() / 2), AbortSignal.any([signal, early.signal])).catch(() => {});
  removeEventListener("online", wake);
}
