// The review of a hand: how lucky each seat was, what each decision cost, and what the alternatives were worth.

import { get } from "../api.js";
import { h } from "../dom.js";
import { part } from "../kinds/generic.js";
import { listRow, listTable } from "../pages/list.js";
import { t } from "../texts.js";
import { count, tenths } from "../words.js";
import { gamePath } from "./reading.js";

/** @typedef {import("../types.d.ts").HandReview} HandReview */
/** @typedef {import("../types.d.ts").GameReview} GameReview */
/** @typedef {HandReview["decisions"][number]} Decision */
/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Child} Child */

/** Worths are told from 0 to 100. @param {number} worth */
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
        "Before, with these cards and after: about how likely the seat was to win the game, in percent. Luck is what the cards changed in that.",
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
      ? h("p", null, t("There was nothing to think about in this hand."))
      : [
          h(
            "p",
            { class: "hint" },
            t(
              "A worth says how well a seat stands, from 0 to 100. What an action is worth is an estimate by what the seat knew, from {worlds} worlds, with its standard error.",
              { worlds: review.worlds },
            ),
          ),
          h(
            "ol",
            { class: "steps" },
            review.decisions.map((decision) => h("li", { value: decision.seq }, decided(decision, model))),
          ),
        ],
    review.actions_left_out > 0 &&
      h(
        "p",
        null,
        count(review.actions_left_out, "{n} more action was not reviewed.", "{n} more actions were not reviewed."),
      ),
  ];
}

/** The reviews of all hands, added up. @param {string} id @param {Model} model @param {AbortSignal} signal @returns {Promise<Child>} */
export async function gameReviewOf(id, model, signal) {
  const review = /** @type {GameReview} */ (await get(gamePath(id, "/review"), { signal }));
  return [
    h("h3", null, count(review.hands, "{n} hand of this game", "{n} hands of this game")),
    listTable(
      [[t("Player")], [t("Luck"), "end"], [t("Own decisions cost"), "end"], [t("Mistakes"), "end"]],
      review.seats.map((seat) =>
        listRow(
          {},
          [model.voice.name(seat.seat)],
          [`${seat.luck > 0 ? "+" : ""}${near(seat.luck, seat.luck_error)}`, "end"],
          [near(seat.cost, seat.cost_error), "end"],
          [t("{mistakes} of {decisions}", { mistakes: seat.mistakes, decisions: seat.decisions }), "end"],
        ),
      ),
    ),
    review.hands_left_out > 0 &&
      h("p", null, count(review.hands_left_out, "{n} more hand was not reviewed.", "{n} more hands were not reviewed.")),
  ];
}

/** A decision, and behind it all that there was to do. @param {Decision} decision @param {Model} model */
function decided(decision, model) {
  const { cost, cost_error: error, is_mistake: isMistake, actions } = decision;
  const verdict =
    cost === 0
      ? t("as good as any")
      : isMistake
        ? h("strong", null, t("cost {cost}", { cost: near(cost, error) }))
        : t("cost {cost}, which may be chance", { cost: near(cost, error) });
  const taken = JSON.stringify(decision.taken);
  return h(
    "details",
    null,
    h(
      "summary",
      null,
      `${model.voice.name(decision.seat)}: ${acted(decision.taken, model)}: `,
      verdict,
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
  const { type, ...params } = /** @type {{ type: string } & Record<string, import("../types.d.ts").Json>} */ (action);
  const title = model.kind.actions.find((one) => one.type === type)?.title ?? type;
  return [title, ...Object.entries(params).map(([name, value]) => part(model, model.voice, name, value))].join(", ");
}
