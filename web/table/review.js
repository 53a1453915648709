// The review of a hand: how lucky each seat was, what each decision cost, and what the alternatives were worth; and how
// other tables played the same cards.

import { get } from "../api.js";
import { h } from "../dom.js";
import { part } from "../kinds/generic.js";
import { listRow, listTable } from "../pages/list.js";
import { t } from "../texts.js";
import { count, list, tenths, whole } from "../words.js";
import { gamePath } from "./reading.js";
import { namesInLog } from "./voice.js";

/** @typedef {import("../types.d.ts").HandReview} HandReview */
/** @typedef {import("../types.d.ts").GameReview} GameReview */
/** @typedef {import("../types.d.ts").HandComparison} HandComparison */
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

/** Whether the tables of a round were dealt the same cards. @param {string} id @param {AbortSignal} signal */
export async function isDuplicate(id, signal) {
  const log = /** @type {import("../types.d.ts").LogPage} */ (await get(gamePath(id, "/log", { limit: 1 }), { signal }));
  const made = /** @type {{ tournament?: { shuffle_id?: string } } | undefined} */ (log.items[0]?.data);
  return made?.tournament?.shuffle_id !== undefined;
}

/** How other tables played the same cards. @param {string} id @param {number} hand @param {Model} model @param {AbortSignal} signal @returns {Promise<Child>} */
export async function comparisonOf(id, hand, model, signal) {
  const compared = /** @type {HandComparison} */ (await get(gamePath(id, `/hands/${hand}/comparison`), { signal }));
  if (compared.tables.length < 2) return h("p", null, t("No other table has played this hand with the same cards."));
  return [
    h("h3", null, count(compared.tables.length, "{n} table with these cards", "{n} tables with these cards")),
    listTable(
      [[t("Table")], [t("What it brought")]],
      compared.tables.map((table) => {
        const names = namesInLog(table.seats.map(({ player }) => player));
        return listRow(
          { class: table.game === id ? "mine" : "" },
          [h("a", { href: `/games/${table.game}/hands/${hand}` }, table.game === id ? t("here") : t("elsewhere"))],
          [list(table.seats.map(({ seat, score }) => `${names[seat]} ${signed(score)}`))],
        );
      }),
    ),
    h("p", { class: "hint" }, t("What was done at all tables where the seat saw the same.")),
    h(
      "ol",
      { class: "steps" },
      compared.decisions.map((decision) => h("li", { value: decision.seq }, likewise(decision, model))),
    ),
    compared.tables_left_out > 0 &&
      h(
        "p",
        null,
        count(compared.tables_left_out, "{n} more table was not looked at.", "{n} more tables were not looked at."),
      ),
  ];
}

/** A decision, and behind it what was done elsewhere. @param {HandComparison["decisions"][number]} decision @param {Model} model */
function likewise(decision, model) {
  const taken = JSON.stringify(decision.taken);
  const all = decision.choices.reduce((sum, choice) => sum + choice.tables, 0);
  const same = decision.choices.find((choice) => JSON.stringify(choice.action) === taken)?.tables ?? 0;
  return h(
    "details",
    null,
    h(
      "summary",
      null,
      `${model.voice.name(decision.seat)}: ${acted(decision.taken, model)}: `,
      same === all ? t("so did all {all}", { all }) : t("so did {same} of {all}", { same, all }),
    ),
    listTable(
      [[t("Action")], [t("Tables"), "end"], [t("Brought in the mean"), "end"]],
      decision.choices.map((choice) =>
        listRow(
          { class: JSON.stringify(choice.action) === taken ? "mine" : "" },
          [acted(choice.action, model)],
          [whole(choice.tables), "end"],
          [`${choice.score_mean > 0 ? "+" : ""}${tenths(choice.score_mean)}`, "end"],
        ),
      ),
    ),
  );
}

/** @param {number} score */
const signed = (score) => `${score > 0 ? "+" : ""}${whole(score)}`;

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
      actions.map(({ action, worth, worth_error: error }) =>
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
