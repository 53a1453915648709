// Checks a game in the browser: a link, or a bundle that is chosen or dropped, and what became of each step.

import { get, getAnswer, Problem, problemIn, reach } from "../api.js";
import { checkBeside } from "../check/check.js";
import { LIMITS } from "../check/form.js";
import { fill, h } from "../dom.js";
import { say } from "../frame.js";
import { go } from "../router.js";
import { style } from "../style.js";
import { language, t } from "../texts.js";
import { sentence, trouble } from "../words.js";
import { heading, list, Steps, tally } from "./check/steps.js";

/** @typedef {import("../check/json.js").Json} Json */
/** @typedef {import("../types.d.ts").Schemas["AuditReport"]} Report */
/** @typedef {{ text: string, name: string, game: string | null }} Bundle `game`: its id, where it came from here */

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** @param {import("../router.js").Visit} visit */
export async function render({ main, query, signal, title }) {
  title(t("Check a game"));
  main.className = "at-check";
  await style("check", signal);
  if (signal.aborted) return;
  const result = h("section", { class: "result", "aria-label": t("What was found") });
  let running = new AbortController();
  signal.addEventListener("abort", () => running.abort());
  /** @param {() => Promise<Bundle>} find */
  const start = async (find) => {
    running.abort();
    running = new AbortController();
    const mine = running.signal;
    try {
      fill(result, h("p", { class: "quiet" }, t("The bundle is fetched.")));
      const bundle = await find();
      if (!mine.aborted) await show(bundle, result, mine);
    } catch (error) {
      if (!mine.aborted) refuse(result, error);
    }
  };
  fill(main, ...entrance(start), result);
  takeDrops(main, signal, start);
  const id = query.get("game");
  if (id !== null) await start(() => fetched(id, signal));
}

/**
 * Where a game is named.
 * @param {(find: () => Promise<Bundle>) => Promise<void>} start
 */
function entrance(start) {
  const named = h("input", { id: "game", name: "game", autocomplete: "off", spellcheck: "false", placeholder: t("Link or id") });
  const refusal = h("p", { class: "refusal", role: "alert" });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    refusal.textContent = "";
    const wanted = idOf(named.value);
    if ("detail" in wanted) refusal.textContent = wanted.detail;
    else if (new URLSearchParams(location.search).get("game") === wanted.id) void start(() => fetched(wanted.id));
    else go(`/check?game=${wanted.id}`);
  };
  const file = h("input", { id: "file", type: "file", class: "said", accept: ".json,application/json" });
  file.onchange = () => {
    const [chosen] = file.files ?? [];
    if (chosen) void start(() => readFile(chosen));
    file.value = "";
  };
  return [
    h("h1", null, t("Check a game")),
    h("p", { class: "lead" }, t("Your browser checks that nobody chose a card. It takes the game's log and its seeds, and believes nobody.")),
    h(
      "form",
      { class: "entrance", onsubmit: submit },
      h("div", { class: "field" }, h("label", { for: "game" }, t("A game that is over")), named),
      h("button", { class: "likely" }, t("Check it")),
      h("span", { class: "or quiet" }, t("or")),
      file,
      h("label", { class: "button", for: "file" }, t("Choose a bundle")),
      h("span", { class: "drop quiet" }, t("A bundle can be dropped anywhere on this page.")),
    ),
    refusal,
  ];
}

/**
 * The game that is meant.
 * @param {string} text
 * @returns {{ id: string } | { detail: string }}
 */
function idOf(text) {
  const id = ID.exec(text.trim().toLowerCase())?.[0];
  if (id === undefined) return { detail: t("Enter the link of a game, or its id of 32 letters and digits.") };
  const isLink = URL.canParse(text.trim());
  if (isLink && new URL(text.trim()).host !== location.host) return { detail: t("That game is in another card room. Get its bundle there, and drop it here.") };
  return { id };
}

/**
 * The bundle of a game of this room, as it is written.
 * @param {string} id @param {AbortSignal} [signal]
 * @returns {Promise<Bundle>}
 */
async function fetched(id, signal) {
  const response = await getAnswer(`/v1/games/${encodeURIComponent(id)}/audit`, { signal });
  return { text: utf8(await response.arrayBuffer()), name: `cardroom-${id}.json`, game: id };
}

/** @param {File} file @returns {Promise<Bundle>} */
async function readFile(file) {
  if (file.size > LIMITS.bytes) throw new RangeError(t("{name} has more than 32 MiB. The command cardroom audit takes bundles of any length.", { name: file.name }));
  return { text: utf8(await file.arrayBuffer()), name: file.name, game: null };
}

/** @param {ArrayBuffer} data */
function utf8(data) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw new RangeError(t("This file is no text, so it is no bundle."));
  }
}

/**
 * @param {HTMLElement} main @param {AbortSignal} signal
 * @param {(find: () => Promise<Bundle>) => Promise<void>} start
 */
function takeDrops(main, signal, start) {
  const over = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    main.classList.toggle("dropping", event.type === "dragover");
    const [file] = event.type === "drop" ? (event.dataTransfer?.files ?? []) : [];
    if (file) void start(() => readFile(file));
  };
  for (const type of /** @type {const} */ (["dragover", "dragleave", "drop"])) document.addEventListener(type, over, { signal });
}

/** @param {HTMLElement} result @param {unknown} error */
function refuse(result, error) {
  const isEarly = error instanceof Problem && error.code === "not_finished";
  const text = isEarly ? t("This game is not over. Its seeds are shown when it is; come back then.") : error instanceof RangeError ? error.message : trouble(error);
  fill(result, h("p", { class: "refusal", role: "alert" }, text));
}

/**
 * Runs the steps and shows each as it comes.
 * @param {Bundle} bundle @param {HTMLElement} result @param {AbortSignal} signal
 */
async function show(bundle, result, signal) {
  /** @type {{ keys: Json[] }} */
  const { keys } = await get("/.well-known/jwks.json", { signal, anonymous: true });
  const stop = new AbortController();
  const steps = new Steps();
  const summary = h("h2", { class: "verdict", tabindex: "-1" }, t("The browser is checking."));
  const progress = h("progress", { "aria-label": t("How far the step has got"), hidden: true });
  const halt = h("button", { class: "bare", onclick: () => stop.abort() }, t("Stop"));
  const head = h("div", { class: "row apart" }, summary, halt);
  const foot = h("div", { class: "after" });
  fill(result, head, progress, about(bundle, signal), list(steps), foot);
  const tell = (/** @type {number} */ done, /** @type {number} */ all) => {
    progress.hidden = false;
    [progress.max, progress.value] = [all, done];
  };
  const either = AbortSignal.any([signal, stop.signal]);
  await checkBeside(bundle.text, keys, (step) => steps.add(step), tell, either, bundle.game);
  if (signal.aborted) return;
  halt.remove();
  progress.remove();
  const told = stop.signal.aborted ? { ok: null, text: t("You stopped the check.") } : tally(steps.done);
  summary.textContent = told.text;
  summary.className = `verdict ${told.ok === null ? "wait" : told.ok ? "good" : "bad"}`;
  say(told.text);
  fill(foot, askTheHouse(bundle, told.ok === null), limits());
}

/** What is being checked. @param {Bundle} bundle @param {AbortSignal} signal */
function about({ text, name, game }, signal) {
  if (game === null) return h("p", null, t("The file {name}.", { name }));
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  signal.addEventListener("abort", () => URL.revokeObjectURL(href));
  const saved = h("a", { href, download: name }, t("Save the bundle"));
  return h("p", { class: "row" }, h("a", { href: `/games/${game}` }, t("To the table")), saved);
}

/** How long the house may take to receive a bundle and to check it, in milliseconds. */
const LONG = 600_000;

/** @param {Bundle} bundle @param {boolean} isNeeded whether a step could not be made here */
function askTheHouse({ text }, isNeeded) {
  const answer = h("div", { role: "status" });
  const ask = async () => {
    fill(answer, h("p", { class: "quiet" }, t("The house is checking.")));
    try {
      const headers = { "content-type": "application/json", "accept-language": language };
      const response = await reach("/v1/audit/verify", { method: "POST", headers, body: text }, LONG);
      if (!response.ok) throw await problemIn(response);
      fill(answer, housesWord(/** @type {Report} */ (await response.json())));
    } catch (error) {
      fill(answer, h("p", { class: "refusal" }, error instanceof Problem && error.code === "not_a_bundle" ? sentence(error.detail) : trouble(error)));
    }
  };
  return h(
    "section",
    { class: "house", "aria-labelledby": "house" },
    h("h2", { id: "house" }, t("Ask the house")),
    h("p", null, isNeeded ? t("What your browser could not check, the house can.") : t("The house can make the same checks."), " ", t("But then you ask the house about the house: it shows that the bundle is whole, and no more than that.")),
    h("button", { onclick: () => void ask() }, t("Ask the house")),
    answer,
  );
}

/** @param {Report} report */
function housesWord({ ok, checks }) {
  return [
    h("p", { class: ok ? "good" : "bad" }, ok ? t("The house finds nothing wrong.") : t("The house finds something wrong.")),
    h("ul", { class: "plain words" }, checks.map((check) => h("li", null, h("b", null, `${heading(check.name)}: ${check.ok ? t("passed") : t("failed")}. `), check.ok && language !== "en" ? null : sentence(check.detail), check.seq === null ? null : ` ${t("Entry {seq}", { seq: check.seq })}.`))),
  ];
}

function limits() {
  return h(
    "details",
    { class: "limits" },
    h("summary", null, t("What no check can prove")),
    h(
      "ul",
      null,
      h("li", null, t("The house knows the seed while the game runs. It cannot deal other cards, but it could tell somebody yours.")),
      h("li", null, t("Players can talk to each other. That is in how they play, not in how cards are dealt.")),
      h("li", null, t("The house could make many games and open only those whose seed it likes. Words of your own, given when you sit down, take that away.")),
      h("li", null, t("Who sat there is the house's word: a name says which account acted, not which person.")),
      h("li", null, t("The house could play another game against itself and sign it. Keep the hash of one of your moves: it stands in one log only.")),
    ),
  );
}
