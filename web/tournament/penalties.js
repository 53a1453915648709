// Penalties: the list with its reasons, which everybody can read, and giving and cancelling them.

import { del, get, post } from "../api.js";
import { fill, h } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { select } from "../pages/new_game.js";
import { working } from "../pages/play.js";
import { language, t } from "../texts.js";
import { minute, person, sentence } from "../words.js";
import { reload } from "./model.js";
import { entrantName, resultMeaning, resultName, scoreMeaning, scoreName } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Penalty} Penalty */
/** @typedef {import("../types.d.ts").Standing} Standing */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").Page<Penalty>} Penalties */
/** @typedef {(now: Tournament) => void} Apply */

const SIGNED = new Intl.NumberFormat(language, { maximumFractionDigits: 2, signDisplay: "exceptZero" });
/** Results have steps of a thousandth. */
const EXACT = new Intl.NumberFormat(language, { maximumFractionDigits: 3, signDisplay: "exceptZero" });

/** A change with its sign, as standings tell it: "+3", "-0.5". @param {number} value */
export const signed = (value) => SIGNED.format(value);

/** Whether anybody has a penalty that counts. @param {Model} model */
export function hasPenalties({ standings }) {
  return standings.some(({ penalties }) => penalties.result !== 0 || penalties.score !== 0);
}

/**
 * All of them, or those of one entrant. Organisers can cancel them.
 * @param {Model} model @param {Apply} apply @param {Standing} [one]
 */
export function showPenalties(model, apply, one) {
  const rows = h("ul", { class: "plain lines" });
  const told = h("p", { class: "quiet", role: "status" });
  /** @type {string | null} */
  let next = null;
  const load = async (/** @type {boolean} */ isAnew) => {
    const query = new URLSearchParams({ limit: "100" });
    if (next !== null && !isAnew) query.set("cursor", next);
    const page = /** @type {Penalties} */ (await get(`/v1/tournaments/${model.tournament.id}/penalties?${query}`));
    const found = page.items.filter((penalty) => one === undefined || penalty.entrant === one.entrant);
    const lines = found.map((penalty) => line(model, penalty, () => cancel(model, penalty, apply, () => load(true))));
    if (isAnew) fill(rows, lines);
    else rows.append(...lines);
    next = page.next;
    more.hidden = next === null;
    told.textContent = rows.childElementCount === 0 ? t("No penalties.") : "";
  };
  const more = h(
    "div",
    { class: "below", hidden: true },
    working(t("More"), () => load(false)),
  );
  const title = one === undefined ? t("Penalties") : t("Penalties of {name}", { name: entrantName(one.player) });
  const box = dialog(
    title,
    rows,
    told,
    more,
    h("div", { class: "row below" }, h("button", { onclick: () => box.close() }, t("Close"))),
  );
  void load(true).catch(() => {
    told.textContent = t("The penalties could not be loaded.");
  });
}

/** @param {Model} model @param {Penalty} penalty @param {() => void} ask */
function line({ tournament, isOrganiser }, penalty, ask) {
  const name = entrantName(penalty.player);
  const isOff = penalty.cancelled_at !== null;
  const mayCancel = isOrganiser && !isOff && tournament.status !== "aborted";
  return h(
    "li",
    null,
    h(
      "span",
      null,
      h("strong", null, name),
      h("div", { class: isOff ? "quiet" : "bad" }, changes(tournament, penalty)),
      h("div", null, penalty.reason),
      h("div", { class: "small quiet" }, `${person(penalty.by)}, ${minute(penalty.at)}`),
      penalty.cancelled_at !== null &&
        h(
          "div",
          { class: "small quiet" },
          t("Cancelled by {name}, {time}", {
            name: person(penalty.cancelled_by ?? ""),
            time: minute(penalty.cancelled_at),
          }),
        ),
    ),
    mayCancel &&
      h(
        "button",
        { class: "bare", "aria-label": t("Cancel the penalty of {name}", { name }), onclick: ask },
        t("Cancel it"),
      ),
  );
}

/** What a penalty changes, as it was given: "Points -0.5, Score -10". @param {Tournament} tournament @param {{ result: number, score: number }} penalty */
function changes(tournament, { result, score }) {
  return [
    result === 0 ? "" : `${resultName(tournament)} ${EXACT.format(result)}`,
    score === 0 ? "" : `${scoreName(tournament)} ${EXACT.format(score)}`,
  ]
    .filter((text) => text !== "")
    .join(", ");
}

/** @param {Model} model @param {Penalty} penalty @param {Apply} apply @param {() => Promise<void>} again */
function cancel({ tournament }, penalty, apply, again) {
  const work = async () => {
    const path = `/v1/tournaments/${tournament.id}/penalties/${penalty.penalty}`;
    apply(/** @type {Tournament} */ (await del(path)));
    box.close();
    await again();
  };
  const box = dialog(
    t("Cancel the penalty?"),
    form(
      { send: t("Cancel the penalty"), work },
      h("p", null, `${entrantName(penalty.player)}: ${changes(tournament, penalty)}. ${sentence(penalty.reason)}`),
      h("p", { class: "quiet" }, t("It stays in the list, and counts no more.")),
    ),
    h("div", { class: "row below" }, h("button", { class: "bare", onclick: () => box.close() }, t("Keep it"))),
  );
}

/** @param {Model} model @param {Apply} apply @param {Standing} one */
export function penalise({ tournament }, apply, one) {
  const way = select(
    "d-way",
    [
      ["off", t("Take off")],
      ["add", t("Add")],
    ],
    "off",
  );
  const amount = (/** @type {string} */ id, /** @type {string} */ step) =>
    h("input", {
      id,
      type: "number",
      inputmode: "decimal",
      min: 0,
      max: 1_000_000,
      step,
      value: "0",
      required: true,
      oninput: check,
    });
  const result = amount("d-result", "0.001");
  const score = amount("d-score", "1");
  const reason = h("input", { id: "d-reason", class: "across", required: true, maxlength: 200, autocomplete: "off" });
  const work = async () => {
    const sign = way.value === "off" ? -1 : 1;
    const data = {
      player: one.player,
      reason: reason.value.trim(),
      // No zero with a sign.
      result: Number(result.value) === 0 ? 0 : sign * Number(result.value),
      score: Number(score.value) === 0 ? 0 : sign * Number(score.value),
    };
    await post(`/v1/tournaments/${tournament.id}/penalties`, data);
    box.close();
    await reload(tournament.id, apply);
  };
  function check() {
    const isNothing = Number(result.value) === 0 && Number(score.value) === 0;
    result.setCustomValidity(isNothing ? t("Give one of the two numbers.") : "");
  }
  check();
  const box = dialog(
    t("Penalise {name}?", { name: entrantName(one.player) }),
    form(
      { send: t("Penalise"), work, cancel: () => box.close() },
      field("d-reason", t("Reason"), reason, t("Everybody reads it.")),
      field("d-way", t("What the penalty does"), way),
      field("d-result", resultName(tournament), result, sentence(resultMeaning(tournament))),
      field("d-score", scoreName(tournament), score, sentence(scoreMeaning(tournament))),
    ),
  );
}
