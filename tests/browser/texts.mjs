// Whether the page says everything in each of its languages.
//
//     node texts.mjs          the texts of web/ against the tables in web/texts/
//
// A text is the first argument of `t`, the second and third of `count`, the second of `does`: literally, or a choice
// between literals. Each has to stand in each table with the same values, and the tables hold nothing else. Words that
// stand outside of these calls where a reader could see them are refused, too.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const WEB = fileURLToPath(new URL("../../web/", import.meta.url));

/** Which arguments of a call are texts. */
const TEXTS = { t: [0], count: [1, 2], does: [1] };
/** Both languages stand beside each other in what has no page, and so no table. */
const BOTH = "both";
/** Names that are the same in all languages. */
const NAMES = ["API", "Deutsch", "English"];
/** Properties whose values somebody reads or hears. */
const SHOWN = ["aria-label", "title", "placeholder", "alt", "label"];
/** Properties and calls whose words are for programs. */
const UNSEEN_PROPERTIES = /^(class|className|class|id|for|d|transform|viewBox|style|role|autocomplete|pattern|accept|typ|data-.*)$/;
const UNSEEN_CALLS = /^(Error|DOMException|import|querySelector|querySelectorAll|matches|closest|add|written|s|cards|toggle|focusSoon|matchMedia)$/;

const files = readdirSync(WEB, { recursive: true })
  .filter((name) => name.endsWith(".js") && !name.startsWith("texts/"))
  .sort();
const classes = new Set(
  readdirSync(`${WEB}style`).flatMap((name) =>
    [...readFileSync(`${WEB}style/${name}`, "utf8").matchAll(/\.([a-z][\w-]*)/g)].map(([, word]) => word),
  ),
);

/** The pieces of a script, without its comments. A template's expressions stand between `${` and `}`. */
function pieces(text) {
  const found = [];
  const open = [];
  let [at, line] = [0, 1];
  const take = (kind, end, value) => {
    found.push({ kind, line, value: value ?? text.slice(at, end) });
    line += text.slice(at, end).split("\n").length - 1;
    at = end;
  };
  const template = (from) => {
    let end = from;
    while (end < text.length && text[end] !== "`" && !text.startsWith("${", end)) end += text[end] === "\\" ? 2 : 1;
    const isOver = text[end] === "`";
    take("template", end + (isOver ? 1 : 2), text.slice(from, end));
    if (!isOver) open.push("template");
  };
  while (at < text.length) {
    const rest = text.slice(at);
    const space = /^(\s+|\/\/[^\n]*|\/\*[^]*?\*\/)/.exec(rest);
    if (space !== null) {
      line += space[0].split("\n").length - 1;
      at += space[0].length;
      continue;
    }
    const string = /^("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/.exec(rest);
    const word = /^[\p{L}\p{N}_$#]+/u.exec(rest);
    const before = found.at(-1);
    const isValue = before?.kind === "word" || before?.kind === "string" || [")", "]", "}"].includes(before?.value);
    const regex = isValue && before.value !== "return" ? null : /^\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/.exec(rest);
    if (string !== null) take("string", at + string[0].length, literal(string[0]));
    else if (word !== null) take("word", at + word[0].length);
    else if (rest.startsWith("`")) template(at + 1);
    else if (regex !== null) take("regex", at + regex[0].length);
    else if (rest.startsWith("}") && open.at(-1) === "template") {
      open.pop();
      template(at + 1);
    } else {
      if (rest.startsWith("{")) open.push("block");
      else if (rest.startsWith("}")) open.pop();
      take("mark", at + 1);
    }
  }
  return found;
}

function literal(written) {
  return written.startsWith("'") ? written.slice(1, -1) : JSON.parse(written);
}

/** The arguments of the call whose bracket stands at `open`, each as its pieces. */
function argumentsAt(all, open) {
  const found = [[]];
  let deep = 0;
  for (let at = open + 1; at < all.length; at++) {
    const { kind, value } = all[at];
    if (kind === "mark" && deep === 0 && value === ")") return found;
    if (kind === "mark" && deep === 0 && value === ",") found.push([]);
    else found.at(-1).push(all[at]);
    if (kind === "mark" && "([{".includes(value)) deep++;
    if (kind === "mark" && ")]}".includes(value)) deep--;
  }
  return found;
}

/** The literals that an argument can be; null where it can be anything else. */
function choices(argument) {
  if (argument.length === 1 && argument[0].kind === "string") return [argument[0].value];
  let deep = 0;
  const marks = argument.map(({ kind, value }, at) => {
    if (kind !== "mark") return "";
    if ("([{".includes(value)) deep++;
    if (")]}".includes(value)) deep--;
    return deep === 0 && value === "?" && argument[at + 1]?.value !== "." && argument[at + 1]?.value !== "?" && argument[at - 1]?.value !== "?"
      ? "?"
      : deep === 0 && value === ":"
        ? ":"
        : "";
  });
  const from = marks.indexOf("?");
  if (from < 0) return null;
  let nested = 0;
  const to = marks.findIndex((mark, at) => {
    if (at <= from) return false;
    if (mark === "?") nested++;
    return mark === ":" && nested-- === 0;
  });
  const [one, other] = [choices(argument.slice(from + 1, to)), choices(argument.slice(to + 1))];
  return one === null || other === null ? null : [...one, ...other];
}

/** Where each piece stands: the call or bracket around it, the argument's number and the property's name. */
function placed(all) {
  const frames = [];
  return all.map((piece, at) => {
    const top = frames.at(-1);
    const { kind, value } = piece;
    const next = all[at + 1];
    if (kind === "mark") {
      if ("([{".includes(value)) {
        const before = all[at - 1];
        frames.push({ call: value === "(" && before?.kind === "word" ? before.value : "", argument: 0, property: "", mark: value });
      } else if (")]}".includes(value)) frames.pop();
      else if (value === "," && top !== undefined) {
        top.argument++;
        top.property = "";
      }
    } else if (top?.mark === "{" && (kind === "word" || kind === "string") && next?.value === ":" && [",", "{"].includes(all[at - 1]?.value))
      top.property = value;
    return frames.map((frame) => ({ ...frame }));
  });
}

/** Whether somebody could read it: a sentence, several words, or a word with a capital. */
function isWords(text) {
  if (/^[\w.]*[/#?&=][^ ]*$/.test(text) || !/\p{L}{2}/u.test(text)) return false;
  return /[\p{L}\p{N}][,.;:]? +["(]?\p{L}/u.test(text) || /^\p{Lu}\p{Ll}+[.:]?$/u.test(text);
}

function suspicious(piece, frames, isProperty, isChild) {
  if (isProperty) return false;
  // A table for a program is no sentence.
  if (NAMES.includes(piece.value) || piece.value.startsWith("\n")) return false;
  const text = piece.kind === "template" ? piece.value.replaceAll(/\s+/g, " ") : piece.value;
  const inner = frames.at(-1);
  if (frames.some(({ call }) => Object.hasOwn(TEXTS, call) || call === BOTH)) return piece.kind === "template" && isWords(text);
  if (inner === undefined) return isWords(text);
  if (frames.some(({ property }) => UNSEEN_PROPERTIES.test(property))) return false;
  if (frames.some(({ call }) => UNSEEN_CALLS.test(call))) return false;
  if (text.startsWith("https:")) return false;
  if (isChild || SHOWN.includes(inner.property)) return /\p{L}{2}/u.test(text);
  if (text.split(/\s+/).every((word) => classes.has(word) || word === "")) return false;
  return isWords(text);
}

const problems = [];
/** @type {Map<string, string>} each text, and where it stands */
const keys = new Map();
/** Those that say something of "you" or of others. */
const formed = new Set();
for (const name of files) {
  const all = pieces(readFileSync(WEB + name, "utf8"));
  const frames = placed(all);
  for (const [at, piece] of all.entries()) {
    const where = `web/${name}:${piece.line}`;
    const before = all[at - 1];
    const isCall = piece.kind === "word" && Object.hasOwn(TEXTS, piece.value) && all[at + 1]?.value === "(";
    if (isCall && before?.value !== "function") {
      const given = argumentsAt(all, at + 1);
      for (const number of TEXTS[piece.value]) {
        const texts = choices(given[number] ?? []);
        if (texts === null) problems.push(`${where}: a text of ${piece.value}() is not written literally`);
        else
          for (const text of texts) {
            if (!keys.has(text)) keys.set(text, where);
            if (piece.value === "does") formed.add(text);
          }
      }
    }
    if (piece.kind === "word" && piece.value === BOTH && all[at + 1]?.value === "(" && before?.value !== "function") {
      const [one, other] = argumentsAt(all, at + 1).map(choices);
      if (!one || !other) problems.push(`${where}: a text of ${BOTH}() is not written literally`);
      else if (wants(one[0]) !== wants(other[0])) problems.push(`${where}: other values in ${JSON.stringify(other[0])}`);
    }
    if (piece.kind !== "string" && piece.kind !== "template") continue;
    const inner = frames[at].at(-1);
    const isProperty = inner?.mark === "{" && inner.property === piece.value && all[at + 1]?.value === ":";
    const isChild = inner?.call === "h" && inner.argument > 1 && ["(", ",", "?", ":", "&"].includes(before?.value);
    const isModule = ["from", "import"].includes(before?.value);
    const isIndex = ["[", "=", "case"].includes(before?.value) && /^[a-z]\w*$/.test(piece.value);
    const isCompared = before?.value === "=" && all[at - 2]?.value === "=";
    const isName = all[at + 1]?.value === "in";
    if (isModule || isIndex || isCompared || isName) continue;
    if (suspicious(piece, frames[at], isProperty, isChild)) problems.push(`${where}: not in the page's language: ${JSON.stringify(piece.value)}`);
  }
}

/** What a text wants to be filled in. */
function wants(text) {
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return [...new Set(names)].sort().join(" ");
}

for (const name of readdirSync(`${WEB}texts`).filter((name) => name.endsWith(".js"))) {
  const { default: table } = await import(pathToFileURL(`${WEB}texts/${name}`));
  for (const [text, where] of keys) {
    if (!Object.hasOwn(table, text)) problems.push(`${where}: web/texts/${name} lacks ${JSON.stringify(text)}`);
    else if (wants(text) !== wants(table[text])) problems.push(`web/texts/${name}: other values in ${JSON.stringify(text)}`);
    else if (/\[[^\]]*\|/.test(table[text]) && !formed.has(text))
      problems.push(`web/texts/${name}: forms that nobody chooses in ${JSON.stringify(text)}`);
  }
  for (const text of Object.keys(table)) if (!keys.has(text)) problems.push(`web/texts/${name}: nothing says ${JSON.stringify(text)}`);
}

for (const problem of problems) console.log(problem);
console.log(`${keys.size} texts, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
