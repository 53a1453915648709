// Runs the steps of the page /check on bundles, outside of a browser.
//
//     node check.mjs [--keys JWKS] FILE…     each a bundle, or an export with one on each line
//
// Told are the steps that say no, as the scripts in docs/ tell what is wrong.
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";

import { verify } from "../../web/check/steps.js";

globalThis.crypto ??= webcrypto;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// The texts of a file, each with where it stands.
function bundles(name) {
  const data = readFileSync(name);
  if (!name.endsWith(".jsonl")) return [[name, data]];
  const lines = data.toString("latin1").split("\n").filter(Boolean);
  return lines.map((line, at) => [`${name}:${at + 1}`, Buffer.from(line, "latin1")]);
}

async function wrong(data, keys) {
  let text;
  try {
    text = utf8.decode(data);
  } catch {
    return ["form: this is no UTF-8"];
  }
  const steps = [];
  for await (const step of verify(text, { keys })) steps.push(step);
  if (steps.length !== 7) throw new Error(`there are ${steps.length} steps`);
  return steps.filter(({ ok }) => ok !== true).map(({ name, ok, detail }) => `${name}${ok === null ? "?" : ""}: ${detail}`);
}

let names = process.argv.slice(2);
let keys = null;
if (names[0] === "--keys") {
  ({ keys } = JSON.parse(readFileSync(names[1], "utf8")));
  names = names.slice(2);
}
const all = names.flatMap(bundles);
let failed = 0;
for (const [where, data] of all) {
  const found = await wrong(data, keys);
  if (found.length === 0) continue;
  failed += 1;
  console.log(`${where}: WRONG, ${found.join("; WRONG, ")}`);
}
console.log(`${all.length - failed} of ${all.length} bundles are as they claim`);
process.exitCode = failed > 0 || all.length === 0 ? 1 : 0;
