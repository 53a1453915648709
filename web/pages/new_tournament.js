// A new tournament: its name, game, format, tables, clock, admission, and what counts.

import { post } from "../api.js";
import { fill, h } from "../dom.js";
import { field, form, numberInput, tick } from "../fields.js";
import { toldKind } from "../kinds/told.js";
import { go } from "../router.js";
import { NOTHING_TOLD, changes, detailFields } from "../tournament/detail_fields.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { span } from "../words.js";
import { select } from "./new_game.js";
import { countingFields } from "./new_tournament_counting.js";
import { runningFields } from "./new_tournament_running.js";
import { optionFields } from "./play.js";

/** @typedef {import("../types.d.ts").KindSummary} KindSummary */
/** @typedef {import("../types.d.ts").NewTournament} NewTournament */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").Seating} Seating */
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
    const running = runningFields();
    parts = [
      formatFields(chosen, running.follow),
      tableFields(chosen),
      admissionFields(),
      running,
      told,
      countingFields(chosen, full),
      moreFields(),
      gameFields(chosen),
    ];
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

function guestHint() {
  return h(
    "p",
    { class: "quiet" },
    t("A guest may make a tournament, but only an account may enter bots and let them fill seats."),
    " ",
    h("a", { href: "/me" }, t("Make an account first.")),
  );
}

/** @param {KindSummary} kind @param {(rounds: number | null) => void} onRounds how many rounds were chosen; null: a knockout @returns {Part} */
function formatFields(kind, onRounds) {
  const format = select(
    "t-format",
    [
      ["random", t("Rounds, seats drawn at random")],
      ["swiss", t("Rounds, neighbours in the standings meet (Swiss)")],
      ["balanced", t("Rounds, everybody meets as many others as can be")],
      ["knockout", t("Knockout")],
    ],
    "random",
  );
  const rounds = numberInput("t-rounds", 3, 1, 100);
  const advance = numberInput("t-advance", 1, 1, Math.max(1, kind.seats.max - 1));
  const ofRounds = field("t-rounds", t("How many rounds"), rounds);
  const ofKnockout = field("t-advance", t("How many of each table go on"), advance);
  const show = () => {
    const isKnockout = format.value === "knockout";
    ofRounds.hidden = isKnockout;
    ofKnockout.hidden = !isKnockout;
    rounds.disabled = isKnockout;
    advance.disabled = !isKnockout;
    onRounds(isKnockout ? null : Number(rounds.value));
  };
  format.onchange = show;
  rounds.oninput = show;
  show();
  return {
    node: [field("t-format", t("Format"), format), ofRounds, ofKnockout],
    read: () => ({
      format:
        format.value === "knockout"
          ? { type: "knockout", advance: Number(advance.value) }
          : { type: "rounds", rounds: Number(rounds.value), seating: /** @type {Seating} */ (format.value) },
    }),
  };
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
    node: h("details", null, h("summary", null, t("Description, place, times and prizes")), fields.node),
    read: () => ({ details: changes(NOTHING_TOLD, fields.read()) }),
  };
}

/** @returns {Part} */
function admissionFields() {
  const admission = select(
    "t-admission",
    [
      ["open", t("Everybody")],
      ["limited", t("Everybody, until it is full")],
      ["invite", t("Only with an invite")],
    ],
    "open",
  );
  const most = numberInput("t-most", 16, 2, 10_000);
  const ofLimited = field("t-most", t("How many may enter"), most);
  const show = () => {
    ofLimited.hidden = admission.value !== "limited";
    most.disabled = ofLimited.hidden;
  };
  admission.onchange = show;
  show();
  return {
    node: [field("t-admission", t("Who may enter"), admission), ofLimited],
    read: () => ({
      admission:
        admission.value === "limited"
          ? { type: "limited", max: Number(most.value) }
          : { type: admission.value === "invite" ? "invite" : "open" },
    }),
  };
}

/** @returns {Part} */
function moreFields() {
  const fillWith = select(
    "t-fill",
    [
      ["", t("Nobody: some sit out a round")],
      ["steady", t("Steady bots")],
      ["random", t("Random bots")],
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
  const duplicate = tick(
    "t-duplicate",
    t("Duplicate: all tables of a round get the same cards, and like seats are compared"),
  );
  return {
    node: h(
      "details",
      null,
      h("summary", null, t("Empty seats, reserve and spectators")),
      field("t-fill", t("Who takes empty seats"), fillWith),
      field("t-bank", t("Time in reserve for each game"), reserve),
      field("t-pace", t("Bots act"), pace),
      field("t-delay", t("Spectators are behind by so many hands"), delay),
      duplicate.node,
    ),
    read: () => ({
      bank_seconds: Number(reserve.value),
      bot_delay_ms: Number(pace.value),
      spectator_delay: Number(delay.value),
      duplicate: duplicate.box.checked,
      ...(fillWith.value === "" ? {} : { fill: fillWith.value === "steady" ? "steady" : "random" }),
    }),
  };
}

/** @param {KindSummary} kind @returns {Part} */
function gameFields(kind) {
  const options = optionFields(kind);
  return {
    node: h("details", null, h("summary", null, t("Options of {game}", { game: kind.name })), options.nodes),
    read: () => ({ options: /** @type {NonNullable<NewTournament["options"]>} */ (options.read()) }),
  };
}
