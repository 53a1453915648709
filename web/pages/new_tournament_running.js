// How a new tournament runs: whether players check in and may come late, and whether each round waits for the organiser.

import { h } from "../dom.js";
import { field, numberInput, tick } from "../fields.js";
import { select } from "./new_game.js";
import { t } from "../texts.js";

/** @typedef {import("../types.d.ts").NewTournament} NewTournament */

export function runningFields() {
  const late = tick("t-late", t("Players may still come after the start"));
  const until = numberInput("t-until", 2, 2, 100);
  const missed = missedField();
  const waits = tick("t-waits", t("Each next round waits for my word"));
  const checkIn = checkInFields();
  const noShows = noShowFields();
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
    node: h(
      "details",
      null,
      h("summary", null, t("Check-in, late players and pauses")),
      checkIn.node,
      late.node,
      ofLate,
      noShows.node,
      waits.node,
    ),
    /**
     * Nobody comes late to a knockout, or to a single round; anybody comes to an arena, whose rounds overlap.
     * @param {NewTournament["format"]} format
     */
    follow(format) {
      mayBeLate = format.type === "rounds" && format.rounds >= 2;
      until.max = String(format.type === "rounds" ? format.rounds : 100);
      waits.node.hidden = waits.box.disabled = format.type === "arena";
      noShows.follow(format.type === "rounds" || format.type === "arena");
      show();
    },
    /** @returns {Partial<NewTournament>} */
    read: () => ({
      pause_after_rounds: waits.box.checked && !waits.box.disabled,
      ...checkIn.read(),
      ...noShows.read(),
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

function missedField() {
  return select(
    "t-missed",
    [
      ["nothing", t("Nothing")],
      ["mean", t("The mean of the games they play")],
    ],
    "nothing",
  );
}

function checkInFields() {
  const checks = tick("t-checks", t("Before the start, entrants say that they are here; the others get no seat"));
  const minutes = numberInput("t-minutes", 30, 1, 1440);
  const ofChecks = field("t-minutes", t("From how many minutes before the start"), minutes);
  const show = () => {
    ofChecks.hidden = !checks.box.checked;
    minutes.disabled = ofChecks.hidden;
  };
  checks.box.onchange = show;
  show();
  return {
    node: [checks.node, ofChecks],
    /** @returns {Partial<NewTournament>} */
    read: () => (checks.box.checked ? { check_in_minutes: Number(minutes.value) } : {}),
  };
}

/** In a knockout, an entrant who does not play is out anyway. */
function noShowFields() {
  const watches = tick("t-no-shows", t("Who does not play is out until they say that they are there"));
  const limit = numberInput("t-absent", 3, 1, 100);
  const ofLimit = field(
    "t-absent",
    t("Absent after so many decisions by the clock"),
    limit,
    t("One after another, at the end of a game."),
  );
  let canComeBack = true;
  const show = () => {
    watches.node.hidden = !canComeBack;
    ofLimit.hidden = !canComeBack || !watches.box.checked;
    limit.disabled = ofLimit.hidden;
  };
  watches.box.onchange = show;
  show();
  return {
    node: [watches.node, ofLimit],
    follow(/** @type {boolean} */ may) {
      canComeBack = may;
      show();
    },
    /** @returns {Partial<NewTournament>} */
    read: () => (ofLimit.hidden ? {} : { no_show_limit: Number(limit.value) }),
  };
}
