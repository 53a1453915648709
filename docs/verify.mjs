// Checks audit bundles of cardroom with nothing but Node.js (18 or later).
//
//     node verify.mjs [--keys JWKS] FILE      a bundle, or an export with one on each line
//
// Commitment, chain, chances and signature are checked as docs/fairness.md tells. Whether each action was legal
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
  let [seeds, hashed, order, count] = [new Map(), "", [], 0];
  for (const { seq, type, seat, data } of log) {
    const where = `chances: entry ${seq}`;
    if (type === "seated") seeds.set(seat, data.client_seed ?? "");
    if (type === "left") seeds.delete(seat);
    if (type === "started") {
      seeds = new Map(data.seats.map(({ seat, was }) => [seat, seeds.get(was)]));
      hashed = data.seats.map(({ seat }) => sha256(seeds.get(seat)).toString("hex")).join(",");
    }
    if (type !== "chance") continue;
    check(data.k === count, `${where} is out of turn`);
    const drawn = words(seed, `cardroom/1:${fairness.shuffle_id}:${count}:${hashed}`);
    count += 1;
    if (data.pick) {
      check(uniform(drawn, data.pick.of) === data.pick.result, `${where} is another pick`);
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
    const redealt = same(rest, order.slice(order.length - rest.length)) && sevens.every((card) => card[0] === "7");
    check(same(before, deck(game.kind, game.options)) || redealt, `${where} is another order`);
    order = result;
  }
  const told = game.seats.map(({ seat, client_seed: own }) => [seat, own]).sort(([a], [b]) => a - b);
  check(same(told, [...seeds].sort(([a], [b]) => a - b)), "game: the client seeds are not those of the log");
}

function signature({ game, log, signature: jws }, keys) {
  const [head, body, signed] = jws.split(".");
  const decoded = (part) => JSON.parse(Buffer.from(part, "base64url"));
  const { alg, typ, kid, jwk } = decoded(head);
  check(alg === "EdDSA" && typ === "cardroom-audit+jwt", "signature: of another type");
  const key = (keys ?? [jwk]).find((known) => known.kid === kid);
  check(key, "signature: by a key that is not the house's");
  const publicKey = createPublicKey({ key, format: "jwk" });
  const holds = isSigned(null, `${head}.${body}`, publicKey, Buffer.from(signed, "base64url"));
  check(holds, "signature: it does not hold");
  const here = { game: game.id, version: log.length, hash: log.at(-1).hash };
  check(same(decoded(body), here), "signature: it was made for another log");
}

function verify(bundle, keys) {
  const { format, game, fairness, log, outcome } = bundle;
  check(format === "cardroom.audit/1", "this is no bundle");
  const [seed, made, end] = [Buffer.from(fairness.server_seed, "hex"), log[0].data, log.at(-1).data];
  const committed = sha256(seed).toString("hex");
  check(fairness.commitment === committed && made.commitment === committed, "commitment: to another seed");
  check(end.server_seed === fairness.server_seed, "commitment: the game ended with another seed");
  const shuffleId = made.tournament?.shuffle_id ?? game.id;
  check(fairness.algorithm === "cardroom/1" && fairness.shuffle_id === shuffleId, "chances: unknown scheme");
  chain(seed, log);
  const agrees = ["kind", "rules_version", "options"].every((name) => same(made[name], game[name]));
  check(agrees, "game: not the log's");
  chances(seed, bundle);
  check(same(outcome, end.outcome), "outcome: not the log's");
  signature(bundle, keys);
}

let names = process.argv.slice(2);
let keys;
if (names[0] === "--keys") {
  ({ keys } = JSON.parse(readFileSync(names[1], "utf8")));
  names = names.slice(2);
}
const text = readFileSync(names[0] === "-" ? 0 : names[0], "utf8");
const lines = () => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
const bundles = (() => { try { return [JSON.parse(text)]; } catch { return lines(); } })();
let wrong = 0;
for (const bundle of bundles) {
  try {
    verify(bundle, keys);
  } catch (error) {
    wrong += 1;
    console.log(`${bundle.game?.id}: WRONG, ${error.message}`);
  }
}
console.log(`${bundles.length - wrong} of ${bundles.length} bundles are as they claim`);
process.exitCode = wrong > 0 ? 1 : 0;
