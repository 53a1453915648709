// Teams: choosing one or naming a new one, and putting an entrant into another.

import { put } from "../api.js";
import { h, update } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { select } from "../pages/new_game.js";
import { t } from "../texts.js";
import { entrantName } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Standing} Standing */
/** @typedef {import("../types.d.ts").Tournament} Tournament */

/** How the choices of a team and of none begin: a team has any other name. */
const [NEW, NONE] = ["new", "none"];
const TEAM = "team:";

/** The teams by name, each with the number of its members. @param {Standing[]} standings */
function membersOf(standings) {
  /** @type {Map<string, number>} */
  const teams = new Map();
  for (const { team, status } of standings)
    if (team != null && status !== "disqualified") teams.set(team, (teams.get(team) ?? 0) + 1);
  return new Map([...teams].sort(([a], [b]) => a.localeCompare(b)));
}

/**
 * The field for a team: those that are there, or a new one. `draw` follows the teams and leaves alone what is chosen.
 * @param {string} id @param {{ chosen?: string | null, mayBeNone?: boolean }} [options]
 */
export function teamField(id, { chosen = null, mayBeNone = false } = {}) {
  const team = select(id, [], "");
  team.classList.add("across");
  const name = h("input", { id: `${id}-new`, class: "across", maxlength: 40, autocomplete: "off" });
  const ofNew = field(`${id}-new`, t("Name of the new team"), name);
  const show = () => {
    ofNew.hidden = team.value !== NEW;
    name.required = !ofNew.hidden;
  };
  team.onchange = show;
  /** @param {Model} model */
  const draw = ({ tournament, standings }) => {
    const size = tournament.setup.teams?.size ?? 0;
    const before = team.options.length === 0 ? (chosen === null ? (mayBeNone ? NONE : "") : TEAM + chosen) : team.value;
    const teams = [...membersOf(standings)].map(([name, n]) => {
      const text =
        n < size || name === chosen ? t("{name} ({n} of {size})", { name, n, size }) : t("{name} (full)", { name });
      return h("option", { value: TEAM + name, disabled: n >= size && name !== chosen }, text);
    });
    // Where there is no team, the first is a new one.
    const isFirst = teams.length === 0;
    update(
      team,
      !mayBeNone && !isFirst && h("option", { value: "" }, t("Choose a team")),
      mayBeNone && h("option", { value: NONE }, t("No team")),
      teams,
      h("option", { value: NEW }, t("A new team")),
    );
    team.required = true;
    team.value = before;
    if (team.selectedIndex < 0) team.selectedIndex = 0;
    show();
  };
  return {
    node: [field(id, t("Team"), team), ofNew],
    draw,
    /** @returns {string | null} */
    read: () =>
      team.value === NEW ? name.value.trim() : team.value.startsWith(TEAM) ? team.value.slice(TEAM.length) : null,
  };
}

/** @param {Model} model @param {(now: Tournament) => void} apply @param {Standing} one */
export function changeTeam(model, apply, one) {
  const { tournament } = model;
  const team = teamField("d-team", { chosen: one.team ?? null, mayBeNone: true });
  team.draw(model);
  const work = async () => {
    const path = `/v1/tournaments/${tournament.id}/entries/${encodeURIComponent(one.player)}/team`;
    apply(/** @type {Tournament} */ (await put(path, { team: team.read() })));
    box.close();
  };
  const box = dialog(
    t("The team of {name}", { name: entrantName(one.player) }),
    form(
      { send: t("Change the team"), work, cancel: () => box.close() },
      team.node,
      tournament.status !== "open" && h("p", { class: "quiet" }, t("What was earned counts for the new team.")),
    ),
  );
}
