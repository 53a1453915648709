// A new game: its kind, seats, bots, clock and options.

import { post } from "../api.js";
import { fill, h } from "../dom.js";
import { tick } from "../fields.js";
import { dialog } from "../frame.js";
import { go } from "../router.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { LEVELS, span } from "../words.js";
import { BOT_DELAY, optionFields, playNow, working } from "./play.js";

/** @typedef {import("../types.d.ts").KindSummary} KindSummary */
/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {[string, string]} Choice */

/** Times for a turn that can be chosen, in seconds. */
const TIMES = [30, 60, 120, 300, 86_400];

/** @param {string} id @param {Iterable<Choice>} choices value and text @param {string} chosen */
export function select(id, choices, chosen) {
  const options = [...choices].map(([value, text]) => h("option", { value, selected: value === chosen }, text));
  return h("select", { id }, options);
}

/** Asks what game it shall be. @param {KindSummary[]} kinds @param {string} chosen */
export function newGame(kinds, chosen) {
  const names = kinds.map((one) => /** @type {Choice} */ ([one.kind, one.name]));
  const kind = select("new-kind", names, chosen || (kinds[0]?.kind ?? ""));
  const rest = h("div");
  const box = dialog(t("New game"), field("new-kind", t("Game"), kind), rest);
  const show = () => {
    const now = kinds.find((one) => one.kind === kind.value);
    if (now !== undefined) fill(rest, ...form(now, () => box.close()));
  };
  kind.onchange = show;
  show();
}

/** @param {string} id @param {string} label @param {HTMLElement} input @param {string} [hint] */
function field(id, label, input, hint) {
  const told = hint === undefined ? null : h("p", { class: "hint" }, hint);
  return h("div", { class: "field" }, h("label", { for: id }, label), input, told);
}

/** @param {KindSummary} kind */
function inputs(kind) {
  const { min, max } = kind.seats;
  const numbers = Array.from({ length: max - min + 1 }, (_, at) => String(min + at));
  const bots = Array.from(
    { length: max },
    (_, at) => /** @type {Choice} */ ([String(at), at === 0 ? t("none") : String(at)]),
  );
  const times = TIMES.map((seconds) => /** @type {Choice} */ ([String(seconds), span(seconds)]));
  return {
    seats: select(
      "seats",
      numbers.map((number) => /** @type {Choice} */ ([number, number])),
      String(Math.max(min, Math.min(4, max))),
    ),
    bots: select("bots", bots, "0"),
    policy: select("policy", LEVELS, "steady"),
    time: select("time", [...times, ["", t("no limit")]], "120"),
    secret: tick("private", t("Private: only who has the address may sit down")),
    seed: h("input", { id: "seed", maxlength: 64, autocomplete: "off" }),
    options: optionFields(kind),
  };
}

/** @param {KindSummary} kind @param {() => void} close */
function form(kind, close) {
  const { seats, bots, policy, time, secret, seed, options } = inputs(kind);
  const create = async () => {
    await session.ensure();
    const number = Number(seats.value);
    const wanted = {
      kind: kind.kind,
      seats: number,
      sit: true,
      options: options.read(),
      visibility: secret.box.checked ? "private" : "public",
      turn_seconds: time.value === "" ? null : Number(time.value),
      bots: Array.from({ length: Math.min(number - 1, Number(bots.value)) }, () => policy.value),
      bot_delay_ms: BOT_DELAY,
      ...(seed.value === "" ? {} : { client_seed: seed.value }),
    };
    const game = /** @type {Game} */ (await post("/v1/games", wanted));
    close();
    go(`/games/${game.id}`);
  };
  const quick = () => playNow(kind, policy.value).then(close);
  const word = field(
    "seed",
    t("A word of your own for the shuffles"),
    seed,
    t("Anybody can check afterwards that it went in."),
  );
  const times = field("time", t("Time for a turn"), time);
  return [
    h("p", { class: "quiet" }, kind.summary),
    h("div", { class: "row fields" }, field("seats", t("Seats"), seats), field("bots", t("Of them bots"), bots), times),
    field("policy", t("Bots play"), policy),
    secret.node,
    h("details", null, h("summary", null, t("Options")), options.nodes, word),
    h(
      "div",
      { class: "row" },
      working(t("Make the game"), create, "likely"),
      working(t("Play bots now"), quick),
      h("button", { type: "button", class: "bare", onclick: close }, t("Cancel")),
    ),
  ];
}
