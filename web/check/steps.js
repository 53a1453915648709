// The seven steps that a browser can check by itself. Each tells what was compared, and what is wrong where something is.

import { encode, fromHex, hasCrypto, hex, hmacSha256, sha256 } from "./bytes.js";
import { before, dealt, Words } from "./chances.js";
import { fault, isBundle, LIMITS } from "./form.js";
import { canonical, read, same } from "./json.js";
import { Seats } from "./seats.js";
import { judge } from "./signature.js";
import { t } from "../texts.js";

/** @typedef {import("./json.js").Json} Json */
/** @typedef {import("./form.js").Bundle} Bundle */
/** @typedef {import("./form.js").Created} Created */
/** @typedef {import("./form.js").Entry} Entry */
/** @typedef {import("./signature.js").Figure} Figure */
/** @typedef {"form" | "commitment" | "game" | "chances" | "chain" | "signature" | "outcome"} Name */
/** @typedef {{ ok: boolean | null, seq?: number | null, detail: string, figures?: Figure[] }} Verdict */
/**
 * What became of a step; `ok` is null where it could not be checked here, and `seq` the first entry that is wrong.
 * @typedef {{ name: Name, ok: boolean | null, seq: number | null, detail: string, figures: Figure[], proves: string }} Step
 */
/** @typedef {{ bundle: Bundle, made: Created, keys: Json[] | null, asked: string | null, tell: (done: number, all: number) => void }} Case */

/** What each step proves, in one sentence. */
const PROVES = {
  form: t("Everything that follows has one meaning: no part is missing, hidden or there twice."),
  commitment: t("The house fixed its secret before anybody sat down, and has shown the same secret at the end."),
  game: t("The players' own words, which nobody could foresee, are those that went into every chance."),
  chances: t("Every pick and every order of the cards follows from the seeds, so nobody chose a card."),
  chain: t("No entry was changed, dropped, moved or added after it was written."),
  signature: t("The house stands by this log as a whole and cannot deny it later."),
  outcome: t("The result that the bundle tells is the one that stands in the log."),
};

const NEEDS_CRYPTO = ["commitment", "game", "chances", "chain", "signature"];

/** How many salts are computed at once. */
const BATCH = 256;

/** @type {[Name, (here: Case) => Verdict | Promise<Verdict>][]} */
const STEPS = [
  ["form", form],
  ["commitment", commitment],
  ["game", seats],
  ["chances", chances],
  ["chain", chain],
  ["signature", ({ bundle, keys }) => judge(bundle, keys)],
  ["outcome", outcome],
];

/**
 * Checks a bundle, step by step.
 *
 * @param {string} text
 * @param {{ keys?: Json[] | null, asked?: string | null, tell?: (done: number, all: number) => void }} [options]
 *     `keys`: the house's, as its JWKS lists them; without them the key counts that the signature brings. `asked`: the
 *     game that the bundle has to be of, unless any will do. `tell`: is told how far a long step has got
 * @returns {AsyncGenerator<Step, void, void>}
 */
export async function* verify(text, { keys = null, asked = null, tell = () => {} } = {}) {
  let bundle;
  try {
    bundle = taken(text);
  } catch (error) {
    yield step("form", { ok: false, detail: t("this is no bundle: {why}", { why: message(error) }) });
    for (const [name] of STEPS.slice(1)) yield step(name, { ok: null, detail: t("there is nothing to check") });
    return;
  }
  const made = /** @type {Created} */ (/** @type {unknown} */ (bundle.log[0]?.data ?? {}));
  for (const [name, judged] of STEPS) {
    if (NEEDS_CRYPTO.includes(name) && !hasCrypto()) {
      yield step(name, { ok: null, detail: t("this browser computes no hashes for a page that did not come over HTTPS") });
      continue;
    }
    try {
      yield step(name, await judged({ bundle, made, keys, asked, tell }));
    } catch (error) {
      yield step(name, { ok: false, detail: t("it cannot be checked: {why}", { why: message(error) }) });
    }
  }
}

/**
 * @param {Name} name
 * @param {Verdict} verdict
 * @returns {Step}
 */
function step(name, { ok, seq = null, detail, figures = [] }) {
  return { name, ok, seq, detail, figures, proves: PROVES[name] };
}

/** @param {unknown} error */
function message(error) {
  if (error instanceof TypeError) return t("the log cannot be followed");
  return error instanceof Error && error.message ? error.message : String(error);
}

/**
 * The parts of a bundle, if this is one; its entries are still anything.
 *
 * @param {string} text
 * @returns {Bundle}
 */
function taken(text) {
  if (text.length > LIMITS.bytes || encode(text).length > LIMITS.bytes) throw new Error(t("it has more than 32 MiB"));
  const value = read(text);
  if (!isBundle(value)) throw new Error(t("a part is missing, unknown or of another form"));
  const bundle = /** @type {Bundle} */ (/** @type {unknown} */ (value));
  if (bundle.log.length > LIMITS.entries) throw new Error(t("it has more than 100,000 entries"));
  return bundle;
}

/**
 * @param {Case} here
 * @returns {Verdict}
 */
function form({ bundle: { game, log }, asked }) {
  const wrong = fault(log);
  const figures = [
    { label: t("Game"), value: String(game.id) },
    { label: t("Kind and version of its rules"), value: `${String(game.kind)}, ${String(game.rules_version)}` },
    { label: t("Entries"), value: `${log.length}` },
  ];
  // An address may name a game in capitals, and without the hyphens.
  const plain = (/** @type {string} */ id) => id.toLowerCase().replaceAll("-", "");
  if (asked !== null && plain(String(game.id)) !== plain(asked))
    return { ok: false, detail: t("it is the bundle of game {id}, not of {asked}", { id: String(game.id), asked }), figures };
  const late = log.find((entry) => canonical(/** @type {Json} */ (/** @type {unknown} */ (entry))).length > LIMITS.part);
  if (late) return { ok: false, seq: late.seq, detail: t("an entry has more than 128 KiB"), figures };
  if (wrong) return { ok: false, ...wrong, figures };
  return { ok: true, detail: t("each of {n} entries is of a form that logs have, in an order that games have", { n: log.length }), figures };
}

/**
 * @param {Case} here
 * @returns {Promise<Verdict>}
 */
async function commitment({ bundle: { fairness, log }, made }) {
  const hash = hex(await sha256(fromHex(fairness.server_seed)));
  const shown = log.at(-1)?.data.server_seed;
  const figures = [
    { label: t("Server seed"), value: fairness.server_seed },
    { label: t("Its SHA-256"), value: hash },
    { label: t("Commitment in entry 1"), value: String(made.commitment) },
  ];
  const no = (/** @type {string} */ detail, seq = 0) => ({ ok: false, seq: seq || null, detail, figures });
  if (fairness.commitment !== hash) return no(t("the commitment of the bundle is not the SHA-256 of its server seed"));
  if (made.commitment !== hash) return no(t("the game was begun with the commitment to another seed"), 1);
  if (shown !== fairness.server_seed) return no(t("the game was ended with another server seed"), log.length);
  return { ok: true, detail: t("the SHA-256 of the server seed is what the first entry commits to"), figures };
}

/**
 * @param {Case} here
 * @returns {Promise<Verdict>}
 */
async function seats({ bundle: { game, log }, made }) {
  const seated = new Seats(made.seats);
  /** @type {{ seq: number, detail: string } | null} */
  let wrong = null;
  for (const [at, entry] of log.entries()) {
    const detail = seated.take(entry);
    if (detail) wrong ??= { seq: at + 1, detail };
  }
  const list = seated.list();
  const figures = await Promise.all(list.map(async ({ seat, player, bot, client_seed }) => ({
    label: t("Seat {seat}, {who}: {word}, as SHA-256", { seat, who: player ?? t("bot {name}", { name: String(bot) }), word: JSON.stringify(client_seed) }),
    value: hex(await sha256(client_seed)),
  })));
  if (wrong) return { ok: false, ...wrong, figures };
  const { kind, rules_version, options } = made;
  const due = { id: game.id ?? null, kind, rules_version, options, seats: list };
  const parts = /** @type {(keyof typeof due)[]} */ (["kind", "rules_version", "options", "seats"]);
  const part = parts.find((name) => !same(game[name], due[name])) ?? (same(game, due) ? null : t("something more"));
  if (part) return { ok: false, detail: t("the head of the bundle does not tell what the log tells: {part}", { part }), figures };
  return { ok: true, detail: t("{n} seats, their words and the game's options are those of the log", { n: list.length }), figures };
}

/**
 * @param {Case} here
 * @returns {Promise<Verdict>}
 */
async function chances({ bundle: { game, fairness, log }, made, tell }) {
  const due = made.tournament?.shuffle_id ?? made.tournament?.id ?? game.id;
  if (fairness.shuffle_id !== due) return { ok: false, seq: 1, detail: t("they are those of {id}, not of {due}", { id: fairness.shuffle_id, due: String(due) }) };
  const hmac = await hmacSha256(fromHex(fairness.server_seed));
  const seated = new Seats(made.seats);
  const ofGame = made.tournament ? t("Tournament") : t("Game");
  const figures = [{ label: made.tournament?.shuffle_id ? t("Shared by the tables of a round") : ofGame, value: fairness.shuffle_id }];
  let [count, seeds] = [0, ""];
  /** @type {string[]} */
  let last = [];
  for (const [at, entry] of log.entries()) {
    seated.take(entry);
    if (entry.type === "started") seeds = await hashed(seated);
    if (entry.type !== "chance") continue;
    const words = new Words(hmac, `${fairness.algorithm}:${fairness.shuffle_id}:${count}:${seeds}`);
    const { wrong, order, label } = await chance(entry, count, words, made, last);
    if (wrong) return { ok: false, seq: at + 1, detail: wrong, figures };
    if (count === 0) figures.push({ label: t("Message of chance k, block i, for HMAC-SHA256"), value: `${fairness.algorithm}:${fairness.shuffle_id}:k:${seeds}:i` });
    if (words.first) figures.push({ label: t("Chance {k}, block 0, which {does}", { k: count, does: label ?? "" }), value: hex(words.first) });
    [last, count] = [order ?? last, count + 1];
    tell(at, log.length);
  }
  return { ok: true, detail: t("{n} picks and orders follow from the seeds of the house and the players", { n: count }), figures };
}

/**
 * The players' words as they go into the chances.
 *
 * @param {Seats} seated
 */
async function hashed(seated) {
  const seeds = await Promise.all(seated.list().map(({ client_seed }) => sha256(client_seed)));
  return seeds.map(hex).join(",");
}

/**
 * One chance made again.
 *
 * @param {Entry} entry
 * @param {number} count how many chances there were before
 * @param {Words} words
 * @param {Created} made
 * @param {string[]} last the order before this one
 * @returns {Promise<{ wrong?: string, order?: string[], label?: string }>}
 */
async function chance({ data }, count, words, made, last) {
  if (data.k !== count) return { wrong: t("it is called chance {k}, and is chance {due}", { k: String(data.k), due: count }) };
  if (data.pick) {
    const { of, result } = /** @type {{ of: number, result: number }} */ (data.pick);
    const due = of > 0 ? await words.below(of) : null;
    if (due !== result) return { wrong: t("the seeds pick {due} of {of}, the log {result}", { due: String(due), of, result }) };
    return { label: t("picks {due} of {of}", { due, of }) };
  }
  const { result } = /** @type {{ result: string[] }} */ (data.shuffle);
  const lists = before(made, result, last);
  if (lists.length === 0) return { wrong: t("this page does not know the cards of {kind}", { kind: made.kind }) };
  if (!lists.some((list) => list.length === result.length)) return { wrong: t("{n} cards are no deck of this game", { n: result.length }) };
  const due = dealt(lists, await words.order(result.length), result);
  const at = due.findIndex((card, place) => card !== result[place]);
  if (at >= 0) return { wrong: t("the seeds put {due} at place {place} of the order, the log {result}", { due: due[at] ?? "", place: at + 1, result: result[at] ?? "" }) };
  return { order: result, label: t("begins the order {cards} …", { cards: result.slice(0, 4).join(" ") }) };
}

/**
 * @param {Case} here
 * @returns {Promise<Verdict>}
 */
async function chain({ bundle: { fairness, log }, tell }) {
  const hmac = await hmacSha256(fromHex(fairness.server_seed));
  let before = new Uint8Array(32);
  for (let from = 0; from < log.length; from += BATCH) {
    const part = log.slice(from, from + BATCH);
    const salts = await Promise.all(part.map((_, at) => hmac(`salt:${from + at + 1}`)));
    for (const [at, { hash, ...entry }] of part.entries()) {
      const seq = from + at + 1;
      before = await sha256(before, salts[at] ?? "", canonical(/** @type {Json} */ (/** @type {unknown} */ (entry))));
      const due = hex(before);
      if (entry.seq !== seq) return { ok: false, seq, detail: t("entry {seq} calls itself {other}", { seq, other: String(entry.seq) }) };
      if (hash !== due) {
        const figures = [{ label: t("Hash of entry {seq}, computed", { seq }), value: due }, { label: t("Hash in the log"), value: String(hash) }];
        return { ok: false, seq, detail: t("the hash does not follow from this entry and those before it"), figures };
      }
    }
    tell(from + part.length, log.length);
  }
  const figures = [
    { label: t("Hash of entry {seq}", { seq: 1 }), value: log[0]?.hash ?? "" },
    { label: t("Salt of entry {seq}", { seq: log.length }), value: hex(await hmac(`salt:${log.length}`)) },
    { label: t("Hash of entry {seq}", { seq: log.length }), value: hex(before) },
  ];
  return { ok: true, detail: t("each of {n} hashes follows from its entry and from all before it", { n: log.length }), figures };
}

/**
 * @param {Case} here
 * @returns {Verdict}
 */
function outcome({ bundle: { outcome: told, log } }) {
  const due = log.at(-1)?.data.outcome ?? null;
  const figures = told ? told.places.map(({ seat, place, score }) => ({ label: t("Seat {seat}", { seat }), value: t("place {place}, {score}", { place, score }) })) : [];
  if (!same(/** @type {Json} */ (/** @type {unknown} */ (told)), due)) return { ok: false, seq: log.length, detail: t("the bundle tells another result than its log"), figures };
  return { ok: true, detail: told ? t("the result is that of the log") : t("the game was called off, so there is no result"), figures };
}
