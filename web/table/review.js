// The review of a hand: who had the cards, what each decision cost, and what else there was to do.

import { get } from "../api.js";
import { h } from "../dom.js";
import { listRow, listTable } from "../pages/list.js";
import { t } from "../texts.js";
import { count, tenths } from "../words.js";
import { gamePath } from "./reading.js";

/** @typedef {import("../types.d.ts").HandReview} HandReview */
/** @typedef {HandReview["decisions"][number]} Decision */
/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Child} Child */

/** Worths are told in percent. @param {number} worth */
const percent = (worth) => tenths(worth * 100);
/** @param {number} worth @param {number} error */
const near = (worth, error) => `${percent(worth)} ± ${percent(error)}`;

/** The review of a hand that is over, once somebody wants it. @param {string} id @param {number} hand @param {Model} model @param {AbortSignal} signal @returns {Promise<Child>} */
export async function reviewOf(id, hand, model, signal) {
  const review = /** @type {HandReview} */ (await get(gamePath(id, `/hands/${hand}/review`), { signal }));
  return [
    h(
      "p",
      { class: "hint" },
      t(
        "What an action is worth: how likely the seat wins the game, in percent, by what the seat knew. It is an estimate from {worlds} worlds, with its standard error.",
        { worlds: review.worlds },
      ),
    ),
    listTable(
      [
        [t("Player")],
        [t("Before"), "end"],
        [t("With these cards"), "end"],
        [t("Luck"), "end"],
        [t("After"), "end"],
        [t("Own decisions cost"), "end"],
      ],
      review.seats.map((seat) =>
        listRow(
          {},
          [model.voice.name(seat.seat)],
          [percent(seat.before), "end"],
          [percent(seat.dealt), "end"],
          [`${seat.luck > 0 ? "+" : ""}${near(seat.luck, seat.luck_error)}`, "end"],
          [percent(seat.after), "end"],
          [near(seat.cost, seat.cost_error), "end"],
        ),
      ),
    ),
    review.decisions.length === 0
      ? h("p", null, t("Nobody had a choice in this hand."))
      : h(
          "ol",
          { class: "steps" },
          review.decisions.map((decision) => h("li", { value: decision.seq }, decided(decision, model))),
        ),
    review.decisions_left_out > 0 &&
      h(
        "p",
        null,
        count(review.decisions_left_out, "{n} more decision was not reviewed.", "{n} more decisions were not reviewed."),
      ),
  ];
}

/** A decision, and behind it all that there was to do. @param {Decision} decision @param {Model} model */
function decided(decision, model) {
  const { cost, cost_error: error, actions } = decision;
  // Less than two standard errors may be nothing.
  const verdict = cost > 2 * error ? t("cost {cost}", { cost: near(cost, error) }) : t("as good as any");
  const taken = JSON.stringify(decision.taken);
  return h(
    "details",
    null,
    h(
      "summary",
      null,
      `${model.voice.name(decision.seat)}: ${acted(decision.taken, model)}: `,
      cost > 2 * error ? h("strong", null, verdict) : verdict,
    ),
    listTable(
      [[t("Action")], [t("Worth"), "end"]],
      actions.map(({ action, worth, error }) =>
        listRow(
          { class: JSON.stringify(action) === taken ? "mine" : "" },
          [acted(action, model)],
          [near(worth, error), "end"],
        ),
      ),
    ),
  );
}

/** An action in words: "Raise, 5". @param {Decision["taken"]} action @param {Model} model */
function acted(action, model) {
  const { type, ...params } = /** @type {{ type: string } & Record<string, unknown>} */ (action);
  const title = model.kind.actions.find((one) => one.type === type)?.title ?? type;
  const value = (/** @type {string} */ name, /** @type {unknown} */ of) => {
    if (name === "seat" && typeof of === "number") return model.voice.object(of);
    if (Array.isArray(of)) return model.voice.cards(of);
    return typeof of === "string" ? model.voice.card(of) : String(of);
  };
  return [title, ...Object.entries(params).map(([name, of]) => value(name, of))].join(", ");
}
