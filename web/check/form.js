// The form of a bundle: which parts it has, what an entry of each type says, and in which order entries come.

import { isObject } from "./json.js";
import { t } from "../texts.js";

/** @typedef {import("./json.js").Json} Json */
/** @typedef {(value: Json) => boolean} Form */
/** @typedef {{ kind: string, rules_version: number, options: { [name: string]: Json }, seats: number,
 *     commitment: string, tournament?: { id: string, shuffle_id?: string } }} Created */
/** @typedef {{ seq: number, at: string, type: string, by: { type: string, player?: string, bot?: string },
 *     seat: number | null, data: { [name: string]: Json }, hash: string }} Entry */
/** @typedef {{ places: { seat: number, place: number, score: number }[], winners: number[] }} Outcome */
/** @typedef {{ format: string, game: { [name: string]: Json }, log: Entry[], outcome: Outcome | null, signature: string,
 *     fairness: { algorithm: string, commitment: string, server_seed: string, shuffle_id: string } }} Bundle */

/** As much as the house checks, so that no bundle takes for ever: bytes, entries, bytes of an entry. */
export const LIMITS = { bytes: 32 * 1024 * 1024, entries: 100_000, part: 128 * 1024 };

/**
 * One object on each line: its name, then each field with its form. A field with `?` may be missing, `|` stands between
 * forms, `[…]` is a list, `[…]+` one that is not empty, `'…'` the word itself; the rest are names of `PLAIN` or of lines.
 */
const OBJECTS = `
  bundle     format:'cardroom.audit/1' game:object fairness:fairness log:[object] outcome:null|outcome signature:text
  fairness   algorithm:'cardroom/1' commitment:hex server_seed:hex shuffle_id:id
  outcome    places:[placing] winners:[seat]
  placing    seat:seat place:u8 score:score
  player     type:'player' player:text
  bot        type:'bot' bot:policy
  clock      type:'clock'
  system     type:'system'
  sits       seat:seat was:seat player:null|text bot:null|policy
  tournament id:id round:u16 table:u16 scoring:object spectator_delay_hands?:some shuffle_id?:id
  made       kind:text rules_version:u16 options:object seats:u8 visibility:'public'|'private' account:id commitment:hex turn_seconds?:u32 bank_seconds?:some bot_delay_ms?:some rated?:false tournament?:tournament
  sat_down   player:text account:id client_seed:text program?:true
  bot_sat    bot:policy client_seed:''
  empty
  cleared    account?:id
  to         to:seat
  begun      seats:[sits]
  picked     k:u32 pick:pick
  pick       of:u8 result:u8
  shuffled   k:u32 shuffle:shuffle
  shuffle    result:[text]
  action     action:object granted_ms?:some
  stopped    granted_ms?:[u32]+
  added      seconds:some
  end        outcome:outcome server_seed:hex
  called_off server_seed:hex admin?:true`;

/** An entry's type, by whom it is, whether it stands at a seat, and what it says. */
const ENTRIES = `
  created        player            null made
  seated         player            seat sat_down|bot_sat
  left           player            seat empty
  removed        player            seat cleared
  moved          player            seat to
  invite_renewed player            null empty
  started        player|system     null begun
  chance         system            null picked|shuffled
  acted          player|bot|clock  seat action
  resigned       player            seat empty
  abort_agreed   player            seat empty
  paused         player            null stopped
  resumed        player            null empty
  time_added     player            null|seat added
  finished       system            null end
  aborted        player|system     null called_off`;

const BEFORE_THE_START = ["seated", "left", "removed", "moved", "invite_renewed"];
const AT_PLAY = ["chance", "acted", "resigned", "abort_agreed"];
/** Organisers do these, in a tournament's game. */
const DIRECTED = ["paused", "resumed", "time_added"];

/** @type {Map<string, Form>} */
const PLAIN = new Map(Object.entries({
  null: (value) => value === null,
  false: (value) => value === false,
  true: (value) => value === true,
  object: isObject,
  text: (value) => typeof value === "string",
  policy: written(/^(random|novice|steady|skilled|expert)$/),
  hex: written(/^[0-9a-f]{64}$/),
  id: written(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  time: written(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  seat: between(0, 15),
  u8: between(0, 0xff),
  u16: between(0, 0xffff),
  u32: between(0, 0xffff_ffff),
  some: between(1, 0xffff_ffff),
  score: between(-(2 ** 53), 2 ** 53),
}));

const FORMS = compiled();

/**
 * @param {RegExp} pattern
 * @returns {Form}
 */
function written(pattern) {
  return (value) => typeof value === "string" && pattern.test(value);
}

/**
 * @param {number} least
 * @param {number} most
 * @returns {Form}
 */
function between(least, most) {
  return (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

function compiled() {
  const forms = new Map(PLAIN);
  /** @type {(name: string) => Form} */
  const form = (name) => {
    if (name.includes("|")) {
      const either = name.split("|").map(form);
      return (value) => either.some((fits) => fits(value));
    }
    if (name.startsWith("'")) return (value) => value === name.slice(1, -1);
    if (!name.startsWith("[")) return (value) => Boolean(forms.get(name)?.(value));
    const least = name.endsWith("+") ? 1 : 0;
    const item = form(name.slice(1, name.lastIndexOf("]")));
    return (value) => Array.isArray(value) && value.length >= least && value.every(item);
  };
  for (const [name = "", ...fields] of lines(OBJECTS)) forms.set(name, object(fields, form));
  for (const [type, by, seat, data] of lines(ENTRIES)) {
    const fields = ["seq:u32", "at:time", `type:'${type}'`, `by:${by}`, `seat:${seat}`, `data:${data}`, "hash:hex"];
    forms.set(`entry ${type}`, object(fields, form));
  }
  return forms;
}

/** @param {string} table */
function lines(table) {
  return table.trim().split("\n").map((line) => line.trim().split(/\s+/));
}

/**
 * An object of these fields and no others.
 *
 * @param {string[]} fields
 * @param {(name: string) => Form} form
 * @returns {Form}
 */
function object(fields, form) {
  /** @type {Map<string, Form>} */
  const known = new Map();
  /** @type {string[]} */
  const needed = [];
  for (const field of fields) {
    const colon = field.indexOf(":");
    const name = field.slice(0, colon).replace("?", "");
    known.set(name, form(field.slice(colon + 1)));
    if (field[colon - 1] !== "?") needed.push(name);
  }
  return (value) => isObject(value)
    && needed.every((name) => Object.hasOwn(value, name))
    && Object.keys(value).every((name) => known.get(name)?.(value[name] ?? null));
}

/**
 * Whether a value has all parts of a bundle; its entries are not looked at.
 *
 * @param {Json} value
 */
export function isBundle(value) {
  return Boolean(FORMS.get("bundle")?.(value));
}

/**
 * The first entry that no log has like this, and why.
 *
 * @param {Entry[]} log
 * @returns {{ seq: number | null, detail: string } | null}
 */
export function fault(log) {
  let [stage, before] = ["new", ""];
  const isTournament = Boolean(log[0]?.data.tournament);
  for (const [at, entry] of log.entries()) {
    const seq = at + 1;
    const { type, at: time } = entry;
    const fits = FORMS.get(`entry ${type}`);
    if (!fits) return { seq, detail: t("no log has an entry of the type {type}", { type: JSON.stringify(type) }) };
    if (!fits(/** @type {Json} */ (/** @type {unknown} */ (entry)))) return { seq, detail: t("it is not written as logs write `{type}`", { type }) };
    if (time < before) return { seq, detail: t("time runs backwards, from {before} to {time}", { before, time }) };
    const next = after(stage, entry, isTournament);
    if (!next) return { seq, detail: t("no game has `{type}` at this point", { type }) };
    [stage, before] = [next, time];
  }
  return stage === "over" ? null : { seq: log.length, detail: t("the log ends before the game does") };
}

/**
 * @param {string} stage
 * @param {Entry} entry
 * @param {boolean} isTournament
 */
function after(stage, { type, by }, isTournament) {
  if (stage === "new") return type === "created" ? "open" : null;
  if (stage === "open") {
    if (BEFORE_THE_START.includes(type)) return "open";
    if (type === "started") return "active";
    return type === "aborted" ? "over" : null;
  }
  if (stage !== "active") return null;
  if (AT_PLAY.includes(type) || (isTournament && DIRECTED.includes(type))) return "active";
  return type === "finished" || (type === "aborted" && by.type === "player") ? "over" : null;
}
