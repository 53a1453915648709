// The standings of the teams, with their members folded in.

import { h } from "../dom.js";
import { listRow, listTable } from "../pages/list.js";
import { t } from "../texts.js";
import { count, whole } from "../words.js";
import { entrantName, resultName, resultText, scoreName } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").TeamStanding} Team */
/** @typedef {import("../types.d.ts").TeamMember} Member */

/** @param {Model} model @param {() => void} redraw */
export function makeTeams(model, redraw) {
  /** @type {Set<string>} */
  const opened = new Set();
  const turn = (/** @type {string} */ team) => {
    if (!opened.delete(team)) opened.add(team);
    redraw();
  };
  return {
    /** @param {import("./pages.js").Pages} pages */
    draw(pages) {
      const { tournament, teams } = model;
      if (tournament.setup.teams === null) return null;
      const isMine = (/** @type {Team} */ one) => one.team === tournament.you?.team;
      const page = pages.of("teams", teams, isMine);
      return [
        h("h2", null, t("Teams")),
        teams.length === 0
          ? h("p", { class: "quiet" }, t("Nobody is in a team yet."))
          : [teamsTable(model, page.items, { opened, turn }), page.more, meaning(model)],
      ];
    },
  };
}

/**
 * @param {Model} model @param {Team[]} teams those that are drawn
 * @param {{ opened: Set<string>, turn: (team: string) => void }} [folds] left out where nothing can be pressed
 */
export function teamsTable(model, teams, folds) {
  const { tournament } = model;
  const rows = teams.flatMap((one) => {
    const isOpen = folds?.opened.has(one.team) === true;
    const name =
      folds === undefined
        ? one.team
        : h(
            "button",
            { class: "bare fold", "aria-expanded": String(isOpen), onclick: () => folds.turn(one.team) },
            h("span", { class: "quiet", "aria-hidden": true }, isOpen ? "▾" : "▸"),
            h(
              "span",
              null,
              one.team,
              " ",
              h("span", { class: "small quiet" }, count(one.members.length, "{n} member", "{n} members")),
            ),
          );
    const line = listRow(
      { key: one.team, class: one.team === tournament.you?.team ? "mine" : "" },
      [one.place ?? "–", "number place"],
      [name, "name"],
      [resultText(tournament, one.result), "number"],
      [one.score === null ? "–" : whole(one.score), "number score"],
    );
    return [line, ...(isOpen ? one.members.map((member) => memberRow(model, one, member)) : [])];
  });
  return listTable(
    [
      [t("Place"), "number place"],
      [t("Team")],
      [resultName(tournament), "number"],
      [scoreName(tournament), "number score"],
    ],
    rows,
  );
}

/** @param {Model} model @param {Team} team @param {Member} member */
function memberRow({ tournament }, team, member) {
  const { score } = member;
  return listRow(
    { key: `${team.team}/${member.entrant}`, class: "member" },
    ["", "number place"],
    [entrantName(member.player), "name"],
    [figure(resultText(tournament, member.result), member.result_counts), "number"],
    [score === null ? "–" : figure(whole(score), member.score_counts), "number score"],
  );
}

/** A member's figure; struck out where it does not count for the team. @param {string} text @param {boolean} counts */
function figure(text, counts) {
  return counts ? text : [h("s", { class: "quiet" }, text), h("span", { class: "sayonly" }, ` ${t("does not count")}`)];
}

/** @param {Model} model */
function meaning({ tournament, teams }) {
  const counts = tournament.setup.teams?.counts ?? null;
  const isSome = counts !== null && teams.some(({ members }) => members.length > counts);
  if (counts === null) return h("p", { class: "small quiet" }, t("A team has what all its members have together."));
  return h(
    "p",
    { class: "small quiet" },
    count(
      counts,
      "A team has what its best member has, for each of the two prizes.",
      "A team has what its best {n} members have together, for each of the two prizes.",
    ),
    isSome && ` ${t("What does not count is struck out.")}`,
  );
}
