// Checks audit bundles of cardroom with nothing but Node.js (18 or later).
//
//     node verify.mjs [--keys JWKS] FILE…     each a bundle, or an export with one on each line; - for standard input
//
// Form, commitment, chain, chances and signature are checked as docs/fairness.md tells. Whether each action was legal
// takes the rules of the games: `cardroom audit` knows them.
import { createHash, createHmac, createPublicKey, verify as isSigned } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const mac = (seed, message) => createHmac("sha256", seed).update(message).digest();
const check = (ok, what) => { if (!ok) throw new Error(what); };

// RFC 8785: names in the order of their UTF-16 code units, which is how JavaScript sorts.
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
};
const same = (a, b) => canonical(a ?? null) === canonical(b ?? null);

// JSON in which no name stands twice in an object, and all numbers are whole and written in one way: what it means,
// written again, is the same text but for spaces and for how letters are written in strings.
function read(text) {
  const value = JSON.parse(text);
  const plain = (part) => (part[0] === '"' ? JSON.stringify(JSON.parse(part)) : "");
  const is = text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, plain) === JSON.stringify(value);
  check(is, "form: a name stands twice in an object, or a number is not written as logs write it");
  return value;
}

// What may stand where: each of these tells whether a value is of a form.
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (pattern) => {
  const whole = new RegExp(`^(?:${pattern})$`, "s");
  return (value) => typeof value === "string" && whole.test(value) && Buffer.from(value).toString() === value;
};
const number = (least, most) => (value) => Number.isSafeInteger(value) && value >= least && value <= most;
const oneOf = (...forms) => (value) => forms.some((form) => form(value));
const items = (form) => (value) => Array.isArray(value) && value.every((item) => form(item));
const some = (form) => (value) => items(form)(value) && value.length > 0;
const record = (needed, optional = {}) => { // an object with these names and no others
  const forms = new Map(Object.entries({ ...needed, ...optional }));
  return (value) => isObject(value)
    && Object.keys(needed).every((name) => Object.hasOwn(value, name))
    && Object.keys(value).every((name) => forms.get(name)?.(value[name]));
};

const [NULL, ANY, OBJECT] = [(value) => value === null, text(".*"), isObject];
const [HEX, ID] = [text("[0-9a-f]{64}"), text("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")];
const TIME = text("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z");
const [SEAT, BYTE, COUNT] = [number(0, 15), number(0, 2 ** 8 - 1), number(0, 2 ** 16 - 1)];
const [WORD, MANY, SCORE] = [number(0, 2 ** 32 - 1), number(1, 2 ** 32 - 1), number(-(2 ** 53), 2 ** 53)];
const POLICY = text("random|novice|steady|skilled|expert");
const FALSE = (value) => value === false;
const TRUE = (value) => value === true;
const PLAYER = record({ type: text("player"), player: ANY });
const BOT = record({ type: text("bot"), bot: POLICY });
const [CLOCK, SYSTEM] = [record({ type: text("clock") }), record({ type: text("system") })];
const PLACING = record({ seat: SEAT, place: BYTE, score: SCORE });
const OUTCOME = record({ places: items(PLACING), winners: items(SEAT) });
const STARTED = record({ seat: SEAT, was: SEAT, player: oneOf(NULL, ANY), bot: oneOf(NULL, POLICY) });
const TOURNAMENT = record(
  { id: ID, round: COUNT, table: COUNT, scoring: OBJECT },
  { spectator_delay_hands: MANY, shuffle_id: ID },
);
const CREATED = record(
  {
    kind: ANY, rules_version: COUNT, options: OBJECT, seats: BYTE, visibility: text("public|private"),
    account: ID, commitment: HEX,
  },
  { turn_seconds: WORD, bank_seconds: MANY, bot_delay_ms: MANY, rated: FALSE, tournament: TOURNAMENT },
);
const SEATED = oneOf(
  record({ player: ANY, account: ID, client_seed: ANY }, { program: TRUE }),
  record({ bot: POLICY, client_seed: text("") }),
);
const CHANCE = oneOf(
  record({ k: WORD, pick: record({ of: BYTE, result: BYTE }) }),
  record({ k: WORD, shuffle: record({ result: items(ANY) }) }),
);
const entry = (by, seat, data) => record({ seq: WORD, at: TIME, type: ANY, by, seat, data, hash: HEX });
const ENTRIES = new Map([ // by whom, at which seat, and what else
  ["created", entry(PLAYER, NULL, CREATED)],
  ["seated", entry(PLAYER, SEAT, SEATED)],
  ["left", entry(PLAYER, SEAT, record({}))],
  ["removed", entry(PLAYER, SEAT, record({}, { account: ID }))],
  ["moved", entry(PLAYER, SEAT, record({ to: SEAT }))],
  ["invite_renewed", entry(PLAYER, NULL, record({}))],
  ["started", entry(oneOf(PLAYER, SYSTEM), NULL, record({ seats: items(STARTED) }))],
  ["chance", entry(SYSTEM, NULL, CHANCE)],
  ["acted", entry(oneOf(PLAYER, BOT, CLOCK), SEAT, record({ action: OBJECT }, { granted_ms: MANY }))],
  ["resigned", entry(PLAYER, SEAT, record({}))],
  ["abort_agreed", entry(PLAYER, SEAT, record({}))],
  ["paused", entry(PLAYER, NULL, record({}, { granted_ms: some(WORD) }))],
  ["resumed", entry(PLAYER, NULL, record({}))],
  ["time_added", entry(PLAYER, oneOf(NULL, SEAT), record({ seconds: MANY }))],
  ["finished", entry(SYSTEM, NULL, record({ outcome: OUTCOME, server_seed: HEX }))],
  ["aborted", entry(oneOf(PLAYER, SYSTEM), NULL, record({ server_seed: HEX }, { admin: TRUE }))],
]);
const BUNDLE = record({
  format: text("cardroom.audit/1"),
  game: OBJECT,
  fairness: record({ algorithm: text("cardroom/1"), commitment: HEX, server_seed: HEX, shuffle_id: ID }),
  log: items(OBJECT),
  outcome: oneOf(NULL, OUTCOME),
  signature: ANY,
});
const COURSE = new RegExp(
  "^created( seated| left| removed| moved| invite_renewed)*" +
    "( started( chance| acted| resigned| abort_agreed| paused| resumed| time_added)*( finished| aborted)| aborted)$",
);

function form(bundle) {
  check(BUNDLE(bundle), "form: this is no bundle");
  bundle.log.forEach((told, at) => {
    check(ENTRIES.get(told.type)?.(told), `form: entry ${at + 1} is not as logs have it`);
    check(at === 0 || bundle.log[at - 1].at <= told.at, `legality: at entry ${at + 1} time runs backwards`);
  });
  check(COURSE.test(bundle.log.map(({ type }) => type).join(" ")), "legality: no game goes like this");
  const isDirected = bundle.log.some(({ type }) => ["paused", "resumed", "time_added"].includes(type));
  check(!isDirected || bundle.log[0].data.tournament, "legality: nobody directs the clocks of this game");
  const end = bundle.log.at(-1);
  const byHouse = end.type === "aborted" && end.by.type === "system";
  const wasPlayed = bundle.log.some(({ type }) => type === "started");
  check(!(byHouse && wasPlayed), "legality: the house calls no game off that is being played");
}

function chain(seed, log) {
  let before = Buffer.alloc(32);
  log.forEach(({ hash, ...entry }, at) => {
    before = sha256(before, mac(seed, `salt:${at + 1}`), canonical(entry));
    check(entry.seq === at + 1 && hash === before.toString("hex"), `chain: entry ${at + 1} is not what was hashed`);
  });
}

function* words(seed, prefix) {
  for (let i = 0; ; i += 1) {
    const block = mac(seed, `${prefix}:${i}`);
    for (let at = 0; at < 32; at += 4) yield block.readUInt32BE(at);
  }
}

function uniform(drawn, m) {
  for (;;) {
    const word = drawn.next().value;
    if (word < 2 ** 32 - (2 ** 32 % m)) return word % m;
  }
}

function deck(kind, options) {
  const all = (suits, ranks) => [...suits].flatMap((suit) => [...ranks].map((rank) => rank + suit));
  if (kind === "sevens") return all("CGS", "112233445566");
  if (kind === "knights_heads") {
    const faces = (face) => Array.from({ length: face === "K" ? 8 : 12 }, (_, n) => `${face}${n + 1}`);
    return [..."KQNAMEDJB"].flatMap(faces);
  }
  return all("CDHS", options.kings === "removed" ? "A23456789TJQ" : "A23456789TJQK");
}

function chances(seed, { game, fairness, log }) {
  const made = log[0].data;
  const resigned = new Set();
  let [seats, hashed, order, count] = [[], "", [], 0];
  for (const { seq, type, by, seat, data } of log) {
    const where = `entry ${seq}`;
    if (type === "seated") {
      check(!seats[seat], `legality: ${where} takes a seat that is taken`);
      seats[seat] = { seat, player: data.player ?? null, bot: data.bot ?? null, client_seed: data.client_seed };
    } else if (type === "left" || type === "removed") {
      check(seats[seat], `legality: ${where} leaves a seat that is free`);
      delete seats[seat];
    } else if (type === "moved") {
      check(seats[seat] && data.to < made.seats, `legality: ${where} moves nobody, or nowhere`);
      [seats[data.to], seats[seat]] = [seats[seat], seats[data.to]];
      seats.forEach((whose, n) => { if (whose) whose.seat = n; });
    } else if (type === "started") {
      const sat = seats.filter(Boolean);
      const names = sat.map(({ seat: was, player, bot }, n) => ({ seat: n, was, player, bot }));
      check(same(data.seats, names), `legality: ${where} seats others than sat down`);
      seats = sat.map((whose, n) => ({ ...whose, seat: n }));
      hashed = seats.map((whose) => sha256(whose.client_seed).toString("hex")).join(",");
    } else if (["acted", "resigned", "abort_agreed"].includes(type)) {
      const sits = seats[seat] && same(seats[seat].bot, by.bot);
      check(sits, `legality: ${where} is by somebody who does not sit there`);
      const gone = resigned.has(seat) && by.type !== "clock";
      check(!gone, `legality: ${where} is by somebody who has resigned`);
      if (type === "resigned") resigned.add(seat);
    } else if (type === "chance") {
      check(data.k === count, `chances: ${where} is out of turn`);
      const drawn = words(seed, `cardroom/1:${fairness.shuffle_id}:${count}:${hashed}`);
      count += 1;
      if (data.pick) {
        const { of, result } = data.pick;
        check(of > 0 && uniform(drawn, of) === result, `chances: ${where} is another pick`);
        continue;
      }
      const { result } = data.shuffle;
      const places = result.map((_, place) => place);
      for (let i = places.length - 1; i > 0; i -= 1) {
        const j = uniform(drawn, i + 1);
        [places[i], places[j]] = [places[j], places[i]];
      }
      const before = [];
      places.forEach((place, at) => { before[place] = result[at]; });
      // Lucky sevens go back under what is left of the deck, and that is shuffled.
      const [rest, sevens] = [before.slice(0, -2), before.slice(-2)];
      const under = same(rest, order.slice(order.length - rest.length));
      const redealt = under && sevens.every((card) => card[0] === "7");
      check(same(before, deck(made.kind, made.options)) || redealt, `chances: ${where} is another order`);
      order = result;
    }
  }
  const { kind, rules_version, options } = made;
  const told = { id: game.id ?? null, kind, rules_version, options, seats: seats.filter(Boolean) };
  check(same(game, told), "game: it is not the log's");
}

function decoded(part) {
  const data = Buffer.from(part, "base64url");
  check(data.toString("base64url") === part, "signature: no base64url");
  return data;
}

function signature({ game, log, signature: jws }, keys) {
  const parts = jws.split(".");
  check(parts.length === 3, "signature: no JWS");
  const [head, body, signed] = parts;
  const { alg, typ, kid, jwk } = read(decoded(head).toString());
  check(alg === "EdDSA" && typ === "cardroom-audit+jwt", "signature: of another type");
  const key = (keys ?? [jwk]).find((known) => known?.kid === kid);
  check(key, "signature: by a key that is not the house's");
  check(key.kty === "OKP" && key.crv === "Ed25519", "signature: by a key of another sort");
  const publicKey = createPublicKey({ key, format: "jwk" });
  const holds = isSigned(null, `${head}.${body}`, publicKey, decoded(signed));
  check(holds, "signature: it does not hold");
  const here = { game: game.id, version: log.length, hash: log.at(-1).hash };
  check(same(read(decoded(body).toString()), here), "signature: it was made for another log");
}

function verify(bundle, keys) {
  form(bundle);
  const { game, fairness, log, outcome } = bundle;
  const [seed, made, end] = [Buffer.from(fairness.server_seed, "hex"), log[0].data, log.at(-1).data];
  const committed = sha256(seed).toString("hex");
  check(fairness.commitment === committed && made.commitment === committed, "commitment: to another seed");
  check(end.server_seed === fairness.server_seed, "commitment: the game ended with another seed");
  const shuffleId = made.tournament?.shuffle_id ?? made.tournament?.id ?? game.id;
  check(fairness.shuffle_id === shuffleId, "chances: they are another game's");
  chain(seed, log);
  chances(seed, bundle);
  check(same(outcome, end.outcome), "outcome: it is not the log's");
  signature(bundle, keys);
}

// The texts of a file, each with where it stands.
function bundles(name) {
  const data = readFileSync(name === "-" ? 0 : name);
  const all = data.toString("latin1").split("\n").map((line, at) => [`${name}:${at + 1}`, line]);
  const lines = all.filter(([, line]) => line.trim());
  const isExport = lines.every(([, line]) => /^\s*\{.*\}\s*$/s.test(line));
  return isExport ? lines.map(([where, line]) => [where, Buffer.from(line, "latin1")]) : [[name, data]];
}

let names = process.argv.slice(2);
let keys;
if (names[0] === "--keys") {
  ({ keys } = JSON.parse(readFileSync(names[1], "utf8")));
  names = names.slice(2);
}
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const all = names.flatMap(bundles);
let wrong = 0;
for (const [where, data] of all) {
  try {
    verify(read(utf8.decode(data)), keys);
  } catch (error) {
    wrong += 1;
    console.log(`${where}: WRONG, ${error.message}`);
  }
}
console.log(`${all.length - wrong} of ${all.length} bundles are as they claim`);
process.exitCode = wrong > 0 || all.length === 0 ? 1 : 0;
