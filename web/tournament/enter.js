// Entering many: a pasted list of names, one a line, and bots. What cannot be entered is named by its line.

import { Problem, post } from "../api.js";
import { fill, h } from "../dom.js";
import { field, form } from "../fields.js";
import { select } from "../pages/new_game.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { LEVELS, count, sentence } from "../words.js";

/** @typedef {import("../types.d.ts").NewEntry} NewEntry */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {{ line: number, entry: NewEntry }} Row */

/** So many rows are taken at once. */
const MOST = 500;

/** @param {Tournament} tournament @param {(now: Tournament) => void} apply */
export function enterForm({ id, setup }, apply) {
  const hasTeams = setup.teams !== null;
  const isGuest = session.account()?.guest === true;
  const { names, bots, policy } = inputs();
  const told = h("div", { role: "status" });
  const send = async () => {
    const listed = rowsOf(names.value, hasTeams);
    const added = Array.from({ length: Number(bots.value) }, () => ({ line: 0, entry: bot(policy.value) }));
    const rows = [...listed, ...added];
    fill(told);
    if (rows.length === 0) return fill(told, h("p", { class: "quiet" }, t("Write a name, or choose bots.")));
    let entered = 0;
    for (let left = rows; left.length > 0; ) {
      const some = left.slice(0, MOST);
      try {
        const entries = some.map((row) => row.entry);
        apply(/** @type {Tournament} */ (await post(`/v1/tournaments/${id}/entries/bulk`, { entries })));
      } catch (error) {
        const refused = error instanceof Problem ? refusedRows(error, some) : [];
        if (refused.length === 0) throw error;
        return fill(told, entered > 0 && good(entered), refusal(refused, names));
      }
      entered += some.length;
      // What was entered goes from the list, whatever becomes of the rest.
      const gone = leaveOut(names, some);
      left = left.slice(MOST).map((row) => ({ ...row, line: row.line === 0 ? 0 : row.line - gone }));
      bots.value = String(left.filter((row) => row.line === 0).length);
    }
    names.value = "";
    fill(told, good(entered));
  };
  return form(
    { send: t("Enter them"), className: "", work: send },
    field(
      "d-names",
      hasTeams ? t("Names of accounts with their teams, one a line: ann, Foxes") : t("Names of accounts, one a line"),
      names,
      isGuest ? undefined : t("A line that says bot enters a bot."),
    ),
    isGuest &&
      h(
        "p",
        { class: "quiet" },
        t("Bots are entered by those who have an account."),
        " ",
        h("a", { href: "/me" }, t("Make one.")),
      ),
    h(
      "div",
      { class: "row fields", hidden: isGuest },
      field("d-bots", t("Bots besides"), bots),
      field("d-policy", t("They play"), policy),
    ),
    told,
  );
}

function inputs() {
  const names = h("textarea", {
    id: "d-names",
    class: "across",
    rows: 6,
    spellcheck: "false",
    autocapitalize: "none",
    autocomplete: "off",
  });
  const numbers = Array.from(
    { length: 33 },
    (_, at) => /** @type {[string, string]} */ ([String(at), at === 0 ? t("none") : String(at)]),
  );
  return { names, bots: select("d-bots", numbers, "0"), policy: select("d-policy", LEVELS, "steady") };
}

/** A line that enters a bot: "bot", or "expert bot". */
const A_BOT = new RegExp(`^(?:(${LEVELS.map(([policy]) => policy).join("|")}) )?bot$`, "i");

/** A bot that plays so, or steadily if the word says nothing. @param {string} word @returns {NewEntry} */
function bot(word) {
  return { bot: LEVELS.find(([policy]) => policy === word)?.[0] ?? "steady" };
}

/** A line without numbers and marks before it, and marks at its end. @param {string} raw */
function trimmed(raw) {
  return raw.replace(/^\s*(?:\d+[.)]|[-*•])?\s*/, "").replace(/[\s,;]+$/, "");
}

/** The names of a pasted list, each once. @param {string} text */
export function namesOf(text) {
  return [...new Set(text.split(/\r?\n/).map(trimmed))].filter((name) => name !== "");
}

/** The rows of a pasted list; names that stand twice are left out. @param {string} text @param {boolean} hasTeams @returns {Row[]} */
export function rowsOf(text, hasTeams) {
  const seen = new Set();
  return text.split(/\r?\n/).flatMap((raw, at) => {
    const all = trimmed(raw);
    const [, before, after] = (hasTeams ? /^([^,;\t]+)[,;\t]\s*(.+)$/.exec(all) : null) ?? [];
    const name = (before ?? all).trim();
    const team = after === undefined ? {} : { team: after };
    const line = at + 1;
    if (name === "") return [];
    const wanted = A_BOT.exec(name);
    if (wanted !== null) return [{ line, entry: { ...bot((wanted[1] ?? "").toLowerCase()), ...team } }];
    const key = name.toLowerCase();
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ line, entry: { player: name, ...team } }];
  });
}

/** Which rows the API refused, and why. @param {Problem} problem @param {Row[]} rows */
function refusedRows(problem, rows) {
  return [...problem.body.detail.matchAll(/row (\d+): ([^;]+)/g)].flatMap(([, number, why]) => {
    const row = rows[Number(number) - 1];
    return row === undefined ? [] : [{ row, why: why ?? "" }];
  });
}

/** @param {number} entered */
function good(entered) {
  return h("p", { class: "good" }, count(entered, "{n} entrant entered.", "{n} entrants entered."));
}

/** Takes rows out of the list, and tells how many lines they were. @param {HTMLTextAreaElement} names @param {Row[]} rows */
function leaveOut(names, rows) {
  const lines = new Set(rows.map((row) => row.line).filter((line) => line > 0));
  names.value = names.value
    .split(/\r?\n/)
    .filter((_, at) => !lines.has(at + 1))
    .join("\n");
  return lines.size;
}

/** @param {{ row: Row, why: string }[]} refused @param {HTMLTextAreaElement} names */
function refusal(refused, names) {
  const again = () => {
    leaveOut(
      names,
      refused.map(({ row }) => row),
    );
    names.form?.requestSubmit();
  };
  return h(
    "div",
    { class: "panel" },
    h(
      "p",
      { class: "bad" },
      count(refused.length, "The list was not taken, because of {n} line:", "The list was not taken, because of {n} lines:"),
    ),
    h(
      "ul",
      null,
      refused.map(({ row, why }) =>
        h("li", null, row.line > 0 ? `${t("Line {number}", { number: row.line })}: ` : "", sentence(why)),
      ),
    ),
    h("button", { type: "button", onclick: again }, t("Leave these out and enter the rest")),
  );
}
