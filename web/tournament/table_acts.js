// What organisers do where a table went wrong: have it played once more, or say how it ended.

import { del, get, post } from "../api.js";
import { h } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { select } from "../pages/new_game.js";
import { t } from "../texts.js";
import { list, ordinal } from "../words.js";
import { isArena } from "./model.js";
import { clockChoices } from "./table_clocks.js";
import { resultOf } from "./table_told.js";
import { entrantName } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {import("../types.d.ts").NewResult} NewResult */
/** @typedef {import("../types.d.ts").RoundTable} RoundTable */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {(now: Tournament) => void} Apply */
/** @typedef {{ tournament: Tournament, apply: Apply, round: number, table: RoundTable }} Place */

/** The most that a seat can have at the end. */
const MOST = 1_000_000_000;

/** What can be done about a table now. @param {Tournament} tournament @param {number} round @param {RoundTable} table @returns {[string, (place: Place) => void][]} */
function actsFor(tournament, round, table) {
  const { status, setup } = tournament;
  const isLast = isArena(tournament) || round === tournament.round;
  const mayRedo = status === "active" && isLast && !setup.duplicate;
  const maySet = (status === "active" || status === "finished") && (isLast || !isInKnockout(tournament));
  /** @type {[boolean, string, (place: Place) => void][]} */
  const all = [
    [mayRedo, t("Play it once more"), redo],
    [maySet, table.result === null ? t("Set the result") : t("Set another result"), setResult],
    [maySet && table.result !== null, t("Cancel the set result"), cancel],
  ];
  return all.flatMap(([may, name, act]) => (may ? [/** @type {[string, typeof act]} */ ([name, act])] : []));
}

/** Whether the results of earlier rounds have decided who plays. @param {Tournament} tournament */
function isInKnockout(tournament) {
  const { format } = tournament.setup;
  if (format.type === "knockout" || format.type === "freezeout") return true;
  return format.type === "groups" && tournament.round > format.rounds;
}

/**
 * The button that leads to it; nothing where nothing can be done.
 * @param {Model} model @param {Apply} apply @param {number} round @param {RoundTable} table @param {boolean} [isPlaying] whether its clock can be set
 */
export function decideButton({ tournament, isOrganiser }, apply, round, table, isPlaying = false) {
  const acts = isOrganiser ? actsFor(tournament, round, table) : [];
  if (acts.length === 0) return null;
  const label = t("Decide about table {number} of round {round}", { number: table.table, round });
  const onclick = () => choose({ tournament, apply, round, table }, acts, isPlaying);
  return h("button", { class: "bare noprint", "aria-label": label, onclick }, t("Decide"));
}

/** @param {Place} place @param {[string, (place: Place) => void][]} acts @param {boolean} isPlaying */
function choose(place, acts, isPlaying) {
  const box = dialog(
    titleOf(place),
    h("p", { class: "quiet" }, list(place.table.players.map(entrantName))),
    h(
      "div",
      { class: "choices" },
      isPlaying && clockChoices(place, () => box.close()),
      acts.map(([name, act]) =>
        h(
          "button",
          {
            onclick: () => {
              box.close();
              act(place);
            },
          },
          name,
        ),
      ),
    ),
    h("div", { class: "row below" }, h("button", { class: "bare", onclick: () => box.close() }, t("Close"))),
  );
}

/** @param {Place} place */
function titleOf({ round, table }) {
  return t("Table {number}, round {round}", { number: table.table, round });
}

/** @param {Place} place @param {"redo" | "result"} what */
function pathOf({ tournament, round, table }, what) {
  return `/v1/tournaments/${tournament.id}/rounds/${round}/tables/${table.table}/${what}`;
}

function reasonInput() {
  return h("input", { id: "d-reason", class: "across", required: true, maxlength: 200, autocomplete: "off" });
}

/** @param {Place} place */
function redo(place) {
  const reason = reasonInput();
  const work = async () => {
    const wanted = { game: place.table.game, reason: reason.value.trim() };
    place.apply(/** @type {Tournament} */ (await post(pathOf(place, "redo"), wanted)));
    box.close();
  };
  const box = dialog(
    t("Play table {number} once more?", { number: place.table.table }),
    form(
      { send: t("Play it once more"), work, cancel: () => box.close() },
      h(
        "p",
        null,
        t(
          "The same players get a new game at the same seats. What was played counts for nothing, and stops if it runs.",
        ),
      ),
      field("d-reason", t("Reason"), reason, t("Everybody reads it.")),
    ),
  );
}

/** @param {Place} place */
function cancel(place) {
  const { result } = place.table;
  const work = async () => {
    place.apply(/** @type {Tournament} */ (await del(pathOf(place, "result"))));
    box.close();
  };
  const box = dialog(
    t("Cancel the set result?"),
    form(
      { send: t("Cancel the set result"), work },
      result !== null && h("p", null, `${titleOf(place)}: ${resultOf(place.table, result)}.`),
      h(
        "p",
        { class: "quiet" },
        t("What was played counts again. If the game was called off, the table counts for nothing."),
      ),
    ),
    h("div", { class: "row below" }, h("button", { class: "bare", onclick: () => box.close() }, t("Keep it"))),
  );
}

/** @param {Place} place */
function setResult(place) {
  const { table, tournament } = place;
  const names = table.players.map(entrantName);
  const scores = names.map((_, seat) =>
    h("input", { id: `d-score-${seat}`, type: "number", step: 1, min: -MOST, max: MOST, required: true }),
  );
  const places = placeFields(names);
  const reason = reasonInput();
  const work = async () => {
    const chosen = places.read();
    /** @type {NewResult} */
    const data = {
      game: table.game,
      reason: reason.value.trim(),
      scores: scores.map((input) => Number(input.value)),
      ...(chosen === null ? {} : { places: chosen }),
    };
    place.apply(/** @type {Tournament} */ (await post(pathOf(place, "result"), data)));
    box.close();
  };
  const isNewest = isArena(tournament) || place.round === tournament.round;
  const runs = tournament.status === "active" && isNewest;
  const box = dialog(
    t("Set the result of table {number}", { number: table.table }),
    form(
      { send: t("Set the result"), work, cancel: () => box.close() },
      h("p", null, t("What has each player at the end: the stack, score or total, as the game counts it?")),
      h(
        "div",
        { class: "pointtable" },
        scores.map((input, seat) => field(input.id, names[seat] ?? "", input)),
      ),
      places.node,
      field("d-reason", t("Reason"), reason, t("Everybody reads it.")),
      h(
        "p",
        { class: "small quiet" },
        runs && `${t("If the game still runs, it is called off.")} `,
        t("The other ranking counts the hands that were played, as before; penalties change it."),
      ),
    ),
  );
  void known(table).then((found) => {
    // What somebody has typed by now stays.
    for (const [seat, input] of scores.entries()) if (input.value === "") input.value = String(found[seat] ?? "");
  });
}

/** What the seats have as far as is known: as it was set before, or as the game ended. @param {RoundTable} table @returns {Promise<number[]>} */
async function known({ game, result }) {
  if (result !== null) return result.scores;
  const played = await /** @type {Promise<Game>} */ (get(`/v1/games/${game}`)).catch(() => null);
  /** @type {number[]} */
  const scores = [];
  for (const { seat, score } of played?.outcome?.places ?? []) scores[seat] = score;
  return scores;
}

/** Places that are not those of the numbers. @param {string[]} names */
function placeFields(names) {
  const choices = names.map((_, at) => /** @type {[string, string]} */ ([String(at + 1), ordinal(at + 1)]));
  const inputs = names.map((_, seat) => select(`d-place-${seat}`, [["", t("by the number")], ...choices], ""));
  const read = () => (inputs.every((one) => one.value === "") ? null : inputs.map((one) => Number(one.value)));
  const check = () => {
    const chosen = read() ?? [];
    const isRight = chosen.every((place) => place === chosen.filter((other) => other < place).length + 1);
    inputs[0]?.setCustomValidity(
      isRight ? "" : t("Give each a place. Equals share one, and the next is left out: 1, 1, 3."),
    );
  };
  for (const input of inputs) input.onchange = check;
  const node = h(
    "details",
    null,
    h("summary", null, t("Other places than by these numbers")),
    h(
      "div",
      { class: "pointtable" },
      inputs.map((input, seat) => field(input.id, names[seat] ?? "", input)),
    ),
  );
  return { node, read };
}
