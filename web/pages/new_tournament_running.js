// How a new tournament runs: whether players may come late, and whether each round waits for the organiser.

import { h } from "../dom.js";
import { field, numberInput, tick } from "../fields.js";
import { select } from "./new_game.js";
import { t } from "../texts.js";

/** @typedef {import("../types.d.ts").NewTournament} NewTournament */

export function runningFields() {
  const late = tick("t-late", t("Players may still come after the start"));
  const until = numberInput("t-until", 2, 2, 100);
  const missed = select(
    "t-missed",
    [
      ["nothing", t("Nothing")],
      ["mean", t("The mean of the games they play")],
    ],
    "nothing",
  );
  const waits = tick("t-waits", t("Each next round waits for my word"));
  const ofLate = h(
    "div",
    null,
    field("t-until", t("The last round in which they can begin"), until),
    field("t-missed", t("What the rounds count that they missed"), missed),
  );
  let mayBeLate = true;
  const show = () => {
    late.node.hidden = !mayBeLate;
    ofLate.hidden = !mayBeLate || !late.box.checked;
    until.disabled = ofLate.hidden;
  };
  late.box.onchange = show;
  show();
  return {
    node: h("details", null, h("summary", null, t("Late players and pauses")), late.node, ofLate, waits.node),
    /** The number of rounds was chosen; nobody comes late to a knockout, or to a single round. @param {number | null} rounds */
    follow(rounds) {
      mayBeLate = rounds !== null && rounds >= 2;
      until.max = String(rounds ?? 100);
      show();
    },
    /** @returns {Partial<NewTournament>} */
    read: () => ({
      pause_after_rounds: waits.box.checked,
      ...(ofLate.hidden
        ? {}
        : {
            late_entry: {
              until_round: Number(until.value),
              missed: missed.value === "mean" ? /** @type {const} */ ("mean") : /** @type {const} */ ("nothing"),
            },
          }),
    }),
  };
}
