// The admission to a new tournament: how many players, under which conditions, and whether they play in teams.

import { h } from "../dom.js";
import { field, numberInput, tick } from "../fields.js";
import { t } from "../texts.js";
import { namesOf } from "../tournament/enter.js";
import { select } from "./new_game.js";

/** @typedef {import("../types.d.ts").NewTournament} NewTournament */
/** @typedef {import("../types.d.ts").EntryConditions} EntryConditions */
/** @typedef {{ node: import("../types.d.ts").Child, read: () => Partial<NewTournament> }} Part */

/** The highest rating that a condition can name. */
const RATING = 10_000;

export function admissionFields() {
  const admission = select(
    "t-admission",
    [
      ["open", t("Everybody")],
      ["limited", t("Everybody, until it is full")],
      ["invite", t("Only with an invite")],
    ],
    "open",
  );
  const most = numberInput("t-most", 16, 2, 10_000);
  const waits = tick("t-waiting", t("Others wait until a place becomes free before the start"));
  const ofLimited = h("div", null, field("t-most", t("How many may enter"), most), waits.node);
  const show = () => {
    ofLimited.hidden = admission.value !== "limited";
    most.disabled = ofLimited.hidden;
  };
  admission.onchange = show;
  show();
  return {
    node: [field("t-admission", t("Who may enter"), admission), ofLimited],
    /** Nobody waits for the start of an arena: players come to it until its end. @param {NewTournament["format"]} format */
    follow({ type }) {
      waits.node.hidden = waits.box.disabled = type === "arena";
    },
    /** @returns {Partial<NewTournament>} */
    read: () => ({
      admission:
        admission.value === "limited"
          ? { type: "limited", max: Number(most.value), waiting_list: waits.box.checked && !waits.box.disabled }
          : { type: admission.value === "invite" ? "invite" : "open" },
    }),
  };
}

/** @returns {Part} */
export function conditionFields() {
  const accounts = tick("t-accounts", t("Only players with an account; no guests"));
  const programs = select(
    "t-programs",
    [
      ["admitted", t("They may enter")],
      ["refused", t("They may not enter")],
      ["only", t("Only they may enter")],
    ],
    "admitted",
  );
  const from = ratingInput("t-from");
  const to = ratingInput("t-to");
  const check = () => {
    const isWrong = from.value !== "" && to.value !== "" && Number(from.value) > Number(to.value);
    to.setCustomValidity(isWrong ? t("The highest rating is not below the least.") : "");
  };
  from.oninput = to.oninput = check;
  const players = h("textarea", {
    id: "t-players",
    class: "across",
    rows: 3,
    spellcheck: "false",
    autocapitalize: "none",
    autocomplete: "off",
  });
  return {
    node: h(
      "details",
      null,
      h("summary", null, t("Conditions of entry")),
      h("p", { class: "quiet" }, t("For those who enter by themselves. You can enter anybody.")),
      accounts.node,
      field("t-programs", t("Players that are programs"), programs),
      h("div", { class: "row fields" }, field("t-from", t("Rating from"), from), field("t-to", t("Rating to"), to)),
      field("t-players", t("Only these accounts, one a line"), players, t("Everybody, if nothing stands here.")),
    ),
    read() {
      const listed = namesOf(players.value);
      /** @type {EntryConditions} */
      const conditions = {
        accounts_only: accounts.box.checked,
        programs: /** @type {NonNullable<EntryConditions["programs"]>} */ (programs.value),
        rating_from: from.value === "" ? null : Number(from.value),
        rating_to: to.value === "" ? null : Number(to.value),
        players: listed.length === 0 ? null : listed,
      };
      return { conditions };
    },
  };
}

/** @param {string} id */
function ratingInput(id) {
  return h("input", { id, type: "number", inputmode: "numeric", min: 0, max: RATING, placeholder: t("any") });
}

export function teamFields() {
  const plays = tick("t-teams", t("Each player belongs to a team"));
  const size = numberInput("t-team-size", 4, 2, 100);
  const counts = h("input", {
    id: "t-team-counts",
    type: "number",
    inputmode: "numeric",
    min: 1,
    max: 4,
    placeholder: t("all"),
  });
  const ofTeams = h(
    "div",
    null,
    field("t-team-size", t("Members of a team, at most"), size),
    field("t-team-counts", t("How many of the best count"), counts, t("All of them, if nothing stands here.")),
  );
  const node = h(
    "details",
    null,
    h("summary", null, t("Teams")),
    h("p", { class: "quiet" }, t("A team has the sum of its members' results. They sit apart where that can be.")),
    plays.node,
    ofTeams,
  );
  const show = () => {
    ofTeams.hidden = !plays.box.checked;
    size.disabled = counts.disabled = node.hidden || ofTeams.hidden;
    counts.max = size.value;
  };
  plays.box.onchange = show;
  size.oninput = show;
  show();
  return {
    node,
    /** Results of different rounds of a knockout cannot be added up. @param {NewTournament["format"]} format */
    follow({ type }) {
      node.hidden = type !== "rounds";
      show();
    },
    /** @returns {Partial<NewTournament>} */
    read: () =>
      size.disabled
        ? {}
        : { teams: { size: Number(size.value), counts: counts.value === "" ? null : Number(counts.value) } },
  };
}
