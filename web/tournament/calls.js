// Calls for a referee: an entrant asks at the table or on the tournament's page, and an organiser sees to it.

import { get, post } from "../api.js";
import { h, update } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { t } from "../texts.js";
import { ago, minute, person } from "../words.js";
import { newestTables } from "./model.js";
import { entrantName } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").RefereeCall} Call */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {(now: Tournament) => void} Apply */

/** So many calls can an entrant have open. */
const MOST_OPEN = 3;
/** So many of one's own calls are shown, if they are answered. */
const SHOWN = 2;

/** All calls, the newest first. @param {string} id @param {AbortSignal} signal */
export async function loadCalls(id, signal) {
  /** @type {Call[]} */
  const calls = [];
  /** @type {string | null} */
  let next = "";
  while (next !== null) {
    const query = new URLSearchParams({ limit: "200", ...(next === "" ? {} : { cursor: next }) });
    /** @type {import("../types.d.ts").Page<Call>} */
    const page = await get(`/v1/tournaments/${id}/calls?${query}`, { signal });
    calls.push(...page.items);
    next = page.next;
  }
  return calls;
}

/** Whether the calls are of use to the reader: to organisers, and to entrants. @param {Model} model */
export function hasCalls({ tournament, isOrganiser }) {
  return tournament.status === "active" && (isOrganiser || tournament.you !== null);
}

/** @param {Call} call */
const isOpen = (call) => call.answered_at === null;

/** The calls at the desk: the open ones, the oldest first, and those that were answered. @param {Model} model @param {Apply} apply */
export function makeCalls(model, apply) {
  const open = h("ul", { class: "plain lines" });
  const total = h("span", { class: "quiet small" });
  const answered = h("ul", { class: "plain lines" });
  const folded = h("details", null, h("summary", null, t("Answered calls"), " ", total), answered);
  const title = h("h3", null, t("Calls for a referee"));
  const node = h("div", { class: "calls", hidden: true }, title, open, folded);
  const draw = () => {
    const calls = model.calls ?? [];
    const waiting = calls.filter(isOpen).reverse();
    const done = calls.filter((call) => !isOpen(call));
    node.hidden = calls.length === 0;
    title.hidden = open.hidden = waiting.length === 0;
    folded.hidden = done.length === 0;
    total.textContent = String(done.length);
    update(
      open,
      waiting.map((call) => line(model, call, () => answer(model, call, apply))),
    );
    update(
      answered,
      done.map((call) => line(model, call, null)),
    );
  };
  return { node, draw };
}

/** @param {Model} model @param {Call} call @param {(() => void) | null} see */
function line(model, call, see) {
  const name = entrantName(call.player);
  const table = newestTables(model).findLast(({ table }) => table.players.includes(call.player))?.table;
  return h(
    "li",
    { "data-key": String(call.call) },
    h(
      "span",
      null,
      h("strong", null, name),
      see !== null &&
        table !== undefined && [
          ", ",
          h("a", { href: `/games/${table.game}` }, t("Table {number}", { number: table.table })),
        ],
      h("div", { class: "asis" }, call.text),
      answerOf(call),
      h("div", { class: "small quiet" }, see === null ? minute(call.at) : `${minute(call.at)}, ${ago(call.at)}`),
    ),
    see !== null &&
      h("button", { "aria-label": t("Seen to: the call of {name}", { name }), onclick: see }, t("Seen to")),
  );
}

/** What came of a call. @param {Call} call */
function answerOf({ answered_at: at, answered_by: by, answer }) {
  if (at === null) return null;
  const who = `${person(by ?? "")}, ${minute(at)}`;
  return h("div", { class: "good asis" }, answer === null || answer === "" ? t("Seen to") : answer, ` (${who})`);
}

/** @param {Model} model @param {Call} call @param {Apply} apply */
function answer({ tournament }, call, apply) {
  const text = h("input", { id: "d-answer", class: "across", maxlength: 200, autocomplete: "off" });
  const work = async () => {
    const path = `/v1/tournaments/${tournament.id}/calls/${call.call}/answer`;
    apply(/** @type {Tournament} */ (await post(path, { answer: text.value.trim() })));
    box.close();
  };
  const box = dialog(
    t("Seen to the call of {name}?", { name: entrantName(call.player) }),
    form(
      { send: t("Seen to"), work, cancel: () => box.close() },
      h("p", { class: "asis" }, call.text),
      field("d-answer", t("Answer"), text, t("The caller is told. It may be left out.")),
    ),
  );
}

/** Asks what a referee is needed for, and calls one. @param {string} id of the tournament @param {() => void} onCalled */
export function callReferee(id, onCalled) {
  const text = h("input", { id: "d-call", class: "across", required: true, maxlength: 200, autocomplete: "off" });
  const work = async () => {
    await post(`/v1/tournaments/${id}/calls`, { text: text.value.trim() });
    box.close();
    onCalled();
  };
  const box = dialog(
    t("Call a referee?"),
    form(
      { send: t("Call a referee"), work, cancel: () => box.close() },
      field("d-call", t("What is it about?"), text, t("The organisers are told at once. Everybody can read it.")),
    ),
  );
}

/** One's own calls: those that are open, and the newest answers. @param {Call[]} calls @param {string} player */
export function ownCalls(calls, player) {
  const own = calls.filter((call) => call.player === player);
  const answered = own.filter((call) => !isOpen(call)).slice(0, SHOWN);
  return own.filter((call) => isOpen(call) || answered.includes(call));
}

/** Whether another call can be made. @param {Call[]} own */
export function mayCall(own) {
  return own.filter(isOpen).length < MOST_OPEN;
}

/** @param {Call[]} own */
export function ownCallsList(own) {
  if (own.length === 0) return null;
  return h(
    "section",
    { class: "panel called", "data-key": "calls", "aria-label": t("My calls for a referee") },
    h(
      "ul",
      { class: "plain" },
      own.map((call) =>
        h(
          "li",
          { "data-key": String(call.call) },
          h("p", { class: "asis" }, t("Your call: {text}", { text: call.text })),
          answerOf(call) ?? h("p", { class: "wait" }, t("A referee was called, {time}.", { time: minute(call.at) })),
        ),
      ),
    ),
  );
}
