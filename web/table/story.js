// The story: what happened, in words, from the facts of the stream and of the hand histories.

import { get } from "../api.js";
import { h, update } from "../dom.js";
import { t } from "../texts.js";
import { sentence, span } from "../words.js";
import { gamePath, pagePath } from "./reading.js";
import { winnersOf } from "./seating.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Drawing} Drawing */
/** @typedef {import("./model.js").Fact} Fact */
/** @typedef {{ seq: number, hand: number | null, facts: Fact[], text: string | null }} Told */
/** @typedef {{ hand: number, from_version: number, to_version: number | null }} HandSpan */
/**
 * @typedef {object} Story
 * @property {Map<number, Told>} entries by version
 * @property {HandSpan[]} hands
 * @property {Set<number>} loaded the hands whose entries were asked for
 * @property {HTMLOListElement} list where its entries are shown
 * @property {HTMLElement} nav where the hands that are over are shown
 */

/** The story keeps this many entries; earlier hands have pages of their own. */
const KEPT = 400;

/** The story shows this many entries. */
const SHOWN = 80;

/**
 * What was said of an entry, and the line that shows it: neither changes as long as the same people sit there.
 * @type {WeakMap<Told, { voice: string, texts: string[], line: HTMLLIElement | null }>}
 */
const said = new WeakMap();

/** @returns {Story} */
export function noStory() {
  const list = h("ol", { class: "plain story" });
  const nav = h("nav", { "aria-label": t("Hands that are over") });
  return { entries: new Map(), hands: [], loaded: new Set(), list, nav };
}

/** Adds what the stream told. @param {Story} story @param {import("../types.d.ts").EntryEvent} event @param {Model} model */
export function tell(story, { entry, facts, game }, model) {
  const told = /** @type {Fact[]} */ (facts);
  for (const fact of told) {
    if (
      fact.type === "hand_began" &&
      typeof fact.hand === "number" &&
      !story.hands.some((one) => one.hand === fact.hand)
    )
      story.hands.push({ hand: fact.hand, from_version: entry.seq, to_version: null });
    if (fact.type === "hand_ended")
      for (const one of story.hands) if (one.hand === fact.hand) one.to_version = entry.seq;
  }
  story.entries.set(entry.seq, {
    seq: entry.seq,
    hand: story.hands.at(-1)?.hand ?? null,
    facts: told,
    text: happened(entry, game, model),
  });
  for (const seq of story.entries.keys()) {
    if (story.entries.size <= KEPT) break;
    story.entries.delete(seq);
  }
}

/** What an entry says besides its facts. @param {import("../types.d.ts").Entry} entry @param {import("../types.d.ts").Game} game @param {Model} model */
function happened(entry, game, model) {
  switch (entry.type) {
    case "seated":
      return model.voice.does(entry.seat, "{who} [sits|sit] down");
    case "left":
      return t("A seat is free again");
    case "started":
      return t("The game begins");
    case "resigned":
      return model.voice.does(entry.seat, "{who} [leaves|leave] the game to the house");
    case "finished":
      return `${t("The game is over.")} ${winnersOf(model, game)}`.trim();
    case "aborted":
      return t("The game was called off");
    case "acted":
      return entry.by.type === "clock" ? t("The time ran out, and the clock plays") : null;
    default:
      return ofClocks(entry, model);
  }
}

/** What an organiser did to the clocks. @param {import("../types.d.ts").Entry} entry @param {Model} model */
function ofClocks({ type, seat, data }, model) {
  const time = span(Number(data["seconds"]));
  switch (type) {
    case "paused":
      return t("The organiser has stopped the clocks");
    case "resumed":
      return t("The organiser has started the clocks");
    case "time_added":
      return seat === null
        ? t("The organiser gives everybody {time} more", { time })
        : model.voice.does(seat, "{who} [gets|get] {time} more from the organiser", { time });
    default:
      return null;
  }
}

/** The hands of a game. @param {string} id @param {Story} story @param {AbortSignal} signal */
export async function loadHands(id, story, signal) {
  /** @type {string | null} */
  let next = "";
  /** @type {HandSpan[]} */
  const hands = [];
  while (next !== null) {
    /** @type {import("../types.d.ts").Page<HandSpan>} */
    const page = await get(gamePath(id, "/hands", { limit: 200, ...(next === "" ? {} : { cursor: next }) }), {
      signal,
    });
    hands.push(...page.items);
    next = page.next;
  }
  for (const hand of hands) {
    const known = story.hands.find((one) => one.hand === hand.hand);
    if (known === undefined) story.hands.push(hand);
    else known.to_version ??= hand.to_version;
  }
  story.hands.sort((a, b) => a.hand - b.hand);
}

/**
 * Makes sure that the story of the hand at this version is there.
 * @param {Model} model @param {Story} story @param {number} version @param {AbortSignal} signal
 */
export async function recall(model, story, version, signal) {
  const { id } = model.game;
  const hand = [...story.hands].reverse().find((one) => one.from_version <= version);
  if (hand === undefined || story.loaded.has(hand.hand)) return;
  story.loaded.add(hand.hand);
  try {
    await loadHand(id, story, hand.hand, signal);
    await loadClocks(model, story, hand, hand.to_version ?? version, signal);
  } catch {
    story.loaded.delete(hand.hand);
  }
}

/** The entries of one hand. @param {string} id @param {Story} story @param {number} hand @param {AbortSignal} signal */
async function loadHand(id, story, hand, signal) {
  /** @type {import("../types.d.ts").Hand} */
  const told = await get(gamePath(id, `/hands/${hand}`), { signal });
  for (const entry of told.entries) {
    const known = story.entries.get(entry.seq);
    if (known !== undefined && known.facts.length > 0) continue;
    story.entries.set(entry.seq, {
      seq: entry.seq,
      hand,
      facts: /** @type {Fact[]} */ (entry.facts),
      text: known?.text ?? null,
    });
  }
}

/** What happened to the clocks in a hand: its own entries leave it out. @param {Model} model @param {Story} story @param {HandSpan} hand @param {number} to @param {AbortSignal} signal */
async function loadClocks(model, story, { hand, from_version: from }, to, signal) {
  let after = from;
  while (after < to && story.entries.has(after + 1)) after++;
  if (after >= to) return;
  /** @type {{ items: import("../types.d.ts").Entry[] }} */
  const log = await get(gamePath(model.game.id, "/log", { after, limit: 200 }), { signal });
  for (const entry of log.items) {
    const text = ofClocks(entry, model);
    if (text !== null && entry.seq <= to && !story.entries.has(entry.seq))
      story.entries.set(entry.seq, { seq: entry.seq, hand, facts: [], text });
  }
}

/** The sentences of an entry. @param {Told} told @param {Model} model @param {Drawing} drawing @returns {string[]} */
export function sentences(told, model, drawing) {
  return saidOf(told, model, drawing).texts;
}

/** @param {Told} told @param {Model} model @param {Drawing} drawing */
function saidOf(told, model, drawing) {
  const voice = `${model.you} ${model.names.join(" ")}`;
  let known = said.get(told);
  if (known?.voice !== voice) {
    known = { voice, texts: worded(told, model, drawing), line: null };
    said.set(told, known);
  }
  return known;
}

/** @param {Told} told @param {Model} model @param {Drawing} drawing @returns {string[]} */
function worded(told, model, drawing) {
  const texts = told.facts.map((fact) => {
    try {
      return drawing.tell(fact, model.voice, model);
    } catch {
      // A fact of a newer program.
      return model.kind.facts.find((one) => one.type === fact.type)?.title ?? null;
    }
  });
  return [told.text, ...texts].flatMap((text) => (text === null ? [] : [sentence(text)]));
}

/** What has happened until a version, the newest first. @param {Story} story @param {number} version */
function until(story, version) {
  return [...story.entries.values()].filter((told) => told.seq <= version).sort((a, b) => b.seq - a.seq);
}

/** The latest sentences, the newest last. @param {Story} story @param {Model} model @param {Drawing} drawing @param {number} version @param {number} most */
export function latest(story, model, drawing, version, most) {
  /** @type {string[]} */
  const found = [];
  for (const told of until(story, version)) {
    found.unshift(...sentences(told, model, drawing));
    if (found.length >= most) break;
  }
  return found.slice(-most);
}

/**
 * The story of the hand that is shown, the newest first, and the hands to jump to.
 * @param {Story} story @param {Model} model @param {Drawing} drawing @param {number} version @param {(version: number) => void} jump
 */
export function storyOf(story, model, drawing, version, jump) {
  const shown = until(story, version);
  const hand = shown[0]?.hand ?? null;
  const entries = shown.filter((told) => told.hand === hand || told.hand === null).slice(0, SHOWN);
  const lines = entries.flatMap((told) => lineOf(told, model, drawing, jump) ?? []);
  update(story.list, lines);
  const over = story.hands.filter((one) => one.to_version !== null);
  return [
    hand !== null && h("h3", null, t("Hand {number}", { number: hand })),
    lines.length > 0 ? story.list : h("p", { class: "quiet" }, t("Nothing has happened yet.")),
    over.length > 0 && handsOver(story.nav, model.game.id, over),
  ];
}

/** @param {Told} told @param {Model} model @param {Drawing} drawing @param {(version: number) => void} jump */
function lineOf(told, model, drawing, jump) {
  const known = saidOf(told, model, drawing);
  if (known.texts.length === 0) return null;
  const { seq } = told;
  known.line ??= h(
    "li",
    { "data-key": `e-${seq}` },
    h(
      "div",
      null,
      known.texts.map((text) => h("p", null, text)),
    ),
    h(
      "button",
      {
        class: "bare at",
        title: t("See the table at this moment"),
        "aria-label": t("See the table at version {version}", { version: seq }),
        onclick: () => jump(seq),
      },
      seq,
    ),
  );
  return known.line;
}

/** @param {HTMLElement} nav @param {string} game @param {HandSpan[]} over */
function handsOver(nav, game, over) {
  if (nav.querySelectorAll("a").length !== over.length)
    update(
      nav,
      h("h3", null, t("Earlier hands")),
      h(
        "p",
        { class: "hands" },
        over.map((one) => h("a", { href: pagePath(game, `/hands/${one.hand}`) }, one.hand)),
      ),
    );
  return nav;
}
