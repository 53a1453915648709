// The format of a new tournament: rounds, a knockout, groups before one, a freezeout, or an arena.

import { field, numberInput } from "../fields.js";
import { t } from "../texts.js";
import { select } from "./new_game.js";
import { isForChips } from "./new_tournament_counting.js";

/** @typedef {import("../types.d.ts").KindSummary} KindSummary */
/** @typedef {import("../types.d.ts").NewTournament} NewTournament */
/** @typedef {NewTournament["format"]} Format */
/** @typedef {import("../types.d.ts").Seating} Seating */
/** @typedef {{ node: import("../types.d.ts").Child, read: () => Partial<NewTournament> }} Part */

/** Which fields belong to a format. Whatever is not named here is a tournament of rounds. @type {Record<string, string[]>} */
const FIELDS = {
  knockout: ["advance"],
  groups: ["groups", "rounds", "qualify", "advance"],
  freezeout: [],
  arena: ["minutes"],
};

/** @param {KindSummary} kind @param {(format: Format) => void} onChange @returns {Part} */
export function formatFields(kind, onChange) {
  const format = select(
    "t-format",
    [
      ["random", t("Rounds, seats drawn at random")],
      ["swiss", t("Rounds, neighbours in the standings meet (Swiss)")],
      ["balanced", t("Rounds, everybody meets as many others as can be")],
      ["knockout", t("Knockout")],
      ["groups", t("Groups, then a knockout")],
      .../** @type {[string, string][]} */ (
        isForChips(kind) ? [["freezeout", t("Freezeout: chips go from round to round")]] : []
      ),
      ["arena", t("Arena: the next table as soon as one is free")],
    ],
    "random",
  );
  const inputs = {
    groups: numberInput("t-groups", 4, 2, 1000),
    rounds: numberInput("t-rounds", 3, 1, 100),
    qualify: numberInput("t-qualify", 2, 1, 100),
    advance: numberInput("t-advance", 1, 1, Math.max(1, kind.seats.max - 1)),
    minutes: numberInput("t-length", 60, 1, 720),
  };
  const names = {
    groups: t("How many groups"),
    rounds: t("How many rounds"),
    qualify: t("How many of each group go on"),
    advance: t("How many of each table go on"),
    minutes: t("For how many minutes players get tables"),
  };
  const keys = /** @type {(keyof typeof inputs)[]} */ (Object.keys(inputs));
  const fields = keys.map((key) => ({ key, input: inputs[key], node: field(inputs[key].id, names[key], inputs[key]) }));
  const chosen = () => {
    const [rounds, advance] = [Number(inputs.rounds.value), Number(inputs.advance.value)];
    const [groups, qualify] = [Number(inputs.groups.value), Number(inputs.qualify.value)];
    /** @type {Record<string, Format>} */
    const formats = {
      knockout: { type: "knockout", advance },
      groups: { type: "groups", groups, rounds, qualify, advance },
      freezeout: { type: "freezeout" },
      arena: { type: "arena", minutes: Number(inputs.minutes.value) },
    };
    const seating = /** @type {Seating} */ (format.value);
    return formats[format.value] ?? /** @type {Format} */ ({ type: "rounds", rounds, seating });
  };
  const show = () => {
    const wanted = FIELDS[format.value] ?? ["rounds"];
    for (const { key, input, node } of fields) node.hidden = input.disabled = !wanted.includes(key);
    onChange(chosen());
  };
  format.onchange = show;
  inputs.rounds.oninput = show;
  show();
  return {
    node: [field("t-format", t("Format"), format), fields.map(({ node }) => node)],
    read: () => ({ format: chosen() }),
  };
}
