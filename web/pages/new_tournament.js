// A new tournament: its name, game, format, tables, clock, admission, and what counts.

import { post } from "../api.js";
import { fill, h } from "../dom.js";
import { field, form, numberInput, tick } from "../fields.js";
import { toldKind } from "../kinds/told.js";
import { go } from "../router.js";
import { NOTHING_TOLD, changes, detailFields } from "../tournament/detail_fields.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { LEVELS, span } from "../words.js";
import { select } from "./new_game.js";
import { admissionFields, conditionFields, teamFields } from "./new_tournament_admission.js";
import { countingFields } from "./new_tournament_counting.js";
import { formatFields } from "./new_tournament_format.js";
import { runningFields } from "./new_tournament_running.js";
import { optionFields } from "./play.js";

/** @typedef {import("../types.d.ts").KindSummary} KindSummary */
/** @typedef {import("../types.d.ts").NewTournament} NewTournament */
/** @typedef {import("../types.d.ts").Policy} Policy */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").Child} Child */
/** @typedef {{ node: Child, read: () => Partial<NewTournament> }} Part */

/** Times for a turn, in seconds. A tournament always has one. */
const TIMES = [15, 30, 60, 120, 300, 86_400];
const RESERVES = [0, 60, 120, 300, 600];

/** @param {import("../router.js").Visit} visit @param {KindSummary[]} kinds */
export async function newTournament({ main, query, signal, title }, kinds) {
  title(t("New tournament"));
  const name = h("input", { id: "t-name", class: "across", maxlength: 80, required: true, autocomplete: "off" });
  const kind = select(
    "t-kind",
    kinds.map((one) => /** @type {[string, string]} */ ([one.kind, one.name])),
    query.get("kind") ?? "",
  );
  const rest = h("div");
  // Another game is told of in the same words.
  const told = toldFields();
  /** @type {Part[]} */
  let parts = [];
  const show = async () => {
    const chosen = kinds.find((one) => one.kind === kind.value) ?? kinds[0];
    if (chosen === undefined) return;
    const full = await toldKind(chosen.kind);
    if (signal.aborted || kind.value !== full.kind) return;
    parts = partsOf(chosen, full, told);
    fill(
      rest,
      h("p", { class: "quiet small" }, chosen.summary),
      parts.map((part) => part.node),
    );
  };
  const create = async () => {
    await session.ensure();
    const settings = Object.assign({}, ...parts.map((part) => part.read()));
    const made = await post("/v1/tournaments", { name: name.value.trim(), kind: kind.value, ...settings });
    go(`/tournaments/${/** @type {Tournament} */ (made).id}`);
  };
  kind.onchange = () => void show().catch(() => {});
  fill(
    main,
    h("h1", null, t("New tournament")),
    session.account()?.guest !== false && guestHint(),
    h(
      "div",
      { class: "narrowform" },
      form(
        { send: t("Make the tournament"), work: create, cancel: () => go("/tournaments") },
        field("t-name", t("Name"), name),
        field("t-kind", t("Game"), kind),
        rest,
      ),
    ),
  );
  await show();
}

/** @param {KindSummary} kind @param {import("../types.d.ts").KindText} full @param {Part} told @returns {Part[]} */
function partsOf(kind, full, told) {
  const [admission, teams, running, more] = [admissionFields(), teamFields(), runningFields(), moreFields()];
  const counting = countingFields(kind, full);
  const format = formatFields(kind, (chosen) => {
    for (const part of [admission, teams, running, more, counting]) part.follow(chosen);
  });
  return [
    format,
    tableFields(kind),
    admission,
    conditionFields(),
    teams,
    running,
    told,
    counting,
    more,
    gameFields(kind),
  ];
}

function guestHint() {
  return h(
    "p",
    { class: "quiet" },
    t("A guest may make a tournament, but only an account may enter bots and let them fill seats."),
    " ",
    h("a", { href: "/me" }, t("Make an account first.")),
  );
}

/** @param {KindSummary} kind @returns {Part} */
function tableFields(kind) {
  const { min, max } = kind.seats;
  const sizes = Array.from({ length: max - Math.max(2, min) + 1 }, (_, at) => String(Math.max(2, min) + at));
  const size = select(
    "t-size",
    sizes.map((one) => /** @type {[string, string]} */ ([one, one])),
    String(Math.min(4, max)),
  );
  const time = select(
    "t-time",
    TIMES.map((one) => /** @type {[string, string]} */ ([String(one), span(one)])),
    "60",
  );
  return {
    node: h(
      "div",
      { class: "row fields" },
      field("t-size", t("Players at a table, at most"), size),
      field("t-time", t("Time for a turn"), time),
    ),
    read: () => ({ table_size: Number(size.value), turn_seconds: Number(time.value) }),
  };
}

/** What is told about it. @returns {Part} */
function toldFields() {
  const fields = detailFields(NOTHING_TOLD);
  return {
    node: h("details", null, h("summary", null, t("Description, venue, times and prizes")), fields.node),
    read: () => ({ details: changes(NOTHING_TOLD, fields.read()) }),
  };
}

function moreFields() {
  const fillWith = select(
    "t-fill",
    [
      ["", t("Nobody: some sit out a round")],
      ...LEVELS.map(([policy, text]) => /** @type {[string, string]} */ ([policy, t("Bots that play {how}", { how: text })])),
    ],
    "",
  );
  const reserve = select(
    "t-bank",
    RESERVES.map((one) => /** @type {[string, string]} */ ([String(one), one === 0 ? t("none") : span(one)])),
    "0",
  );
  const delay = numberInput("t-delay", 0, 0, 100);
  const pace = select(
    "t-pace",
    [
      ["0", t("at once")],
      ["700", t("after a moment")],
      ["2000", t("after {time}", { time: span(2) })],
    ],
    "0",
  );
  const ofFill = field("t-fill", t("Who takes empty seats"), fillWith);
  const duplicate = tick(
    "t-duplicate",
    t("Duplicate: all tables of a round get the same cards, and like seats are compared"),
  );
  return {
    node: h(
      "details",
      null,
      h("summary", null, t("Empty seats, reserve and spectators")),
      ofFill,
      field("t-bank", t("Time in reserve for each game"), reserve),
      field("t-pace", t("Bots act"), pace),
      field("t-delay", t("Spectators are behind by so many hands"), delay),
      duplicate.node,
    ),
    /** Bots that fill seats have no chips to take from round to round. @param {NewTournament["format"]} format */
    follow({ type }) {
      duplicate.node.hidden = duplicate.box.disabled = !["rounds", "knockout"].includes(type);
      ofFill.hidden = fillWith.disabled = type === "freezeout";
    },
    /** @returns {Partial<NewTournament>} */
    read: () => ({
      bank_seconds: Number(reserve.value),
      bot_delay_ms: Number(pace.value),
      spectator_delay_hands: Number(delay.value),
      duplicate: duplicate.box.checked && !duplicate.box.disabled,
      ...(fillWith.value === "" || fillWith.disabled ? {} : { fill: /** @type {Policy} */ (fillWith.value) }),
    }),
  };
}

/** @param {KindSummary} kind @returns {Part} */
function gameFields(kind) {
  // All seats of a tournament's table begin alike.
  const options = optionFields(kind, ["stacks"]);
  return {
    node: h("details", null, h("summary", null, t("Options of {game}", { game: kind.name })), options.nodes),
    read: () => ({ options: /** @type {NonNullable<NewTournament["options"]>} */ (options.read()) }),
  };
}
