// Holding the next round back, and letting it come.

import { post } from "../api.js";
import { h } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { working } from "../pages/play.js";
import { t } from "../texts.js";
import { isLastRound } from "./model.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {(now: Tournament) => void} Apply */

/** @param {Model} model @param {Apply} apply @param {() => boolean} isRoundOver */
export function makePausing(model, apply, isRoundOver) {
  const node = h("div");
  const resume = async () => apply(/** @type {Tournament} */ (await post(`${path(model)}/resume`)));
  const goesOn = {
    begun: working(t("Draw the first round"), resume, "likely"),
    drawn: working(t("Draw the next round"), resume, "likely"),
    ended: working(t("End the tournament"), resume, "likely"),
    alone: working(t("Do not hold it back"), resume, ""),
  };
  const hold = h("button", { onclick: () => pause(model, apply) }, t("Pause"));
  let drawn = "";
  const draw = () => {
    const { paused } = model.tournament;
    const [isLast, isOver] = [isLastRound(model.tournament), isRoundOver()];
    const isFirst = model.tournament.rounds.length === 0;
    const now = `${paused} ${isLast} ${isOver} ${isFirst}`;
    // A button that is at work stays.
    if (now === drawn) return;
    drawn = now;
    const button = !paused
      ? hold
      : isFirst
        ? goesOn.begun
        : !isOver
          ? goesOn.alone
          : isLast
            ? goesOn.ended
            : goesOn.drawn;
    node.replaceChildren(
      h(
        "div",
        { class: "row apart" },
        h(
          "p",
          { class: paused ? "wait" : "quiet" },
          paused && isFirst ? t("The first round waits for you.") : words(paused, isLast, isOver),
        ),
        button,
      ),
    );
  };
  return { node, draw };
}

/** @param {boolean} paused @param {boolean} isLast @param {boolean} isOver */
function words(paused, isLast, isOver) {
  if (!paused)
    return isLast
      ? t("The tournament ends when the last table is over.")
      : t("The next round is drawn when the last table is over.");
  if (!isOver)
    return isLast
      ? t("You hold the end back. The tables play on.")
      : t("You hold the next round back. The tables play on.");
  return isLast
    ? t("All tables are over. The end waits for you.")
    : t("All tables are over. The next round waits for you.");
}

/** @param {Model} model */
function path({ tournament }) {
  return `/v1/tournaments/${tournament.id}`;
}

/** @param {Model} model @param {Apply} apply */
function pause(model, apply) {
  const reason = h("input", { id: "d-pause", class: "across", maxlength: 200, autocomplete: "off" });
  const work = async () => {
    apply(/** @type {Tournament} */ (await post(`${path(model)}/pause`, { reason: reason.value.trim() })));
    box.close();
  };
  const box = dialog(
    t("Pause the tournament?"),
    form(
      { send: t("Pause"), work, cancel: () => box.close() },
      h("p", null, t("No round is drawn until you say so. The running tables play on, and their clocks run.")),
      field("d-pause", t("Reason"), reason, t("Everybody reads it. It may be left out.")),
    ),
  );
}
