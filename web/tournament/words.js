// How a tournament reads: its settings, its state, and what its figures count.

import { t } from "../texts.js";
import { BOTS, count, fine, list, person, sentence, span, titled, whole } from "../words.js";
import { readsIn, zoneOf } from "../zones.js";
import { arenaRuns, isArena, isLastRound } from "./model.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").Standing} Standing */

/** @param {import("../types.d.ts").Seating} seating */
function seating(seating) {
  if (seating === "random") return "";
  return seating === "swiss" ? t(", Swiss pairing") : t(", everybody meets as many others as can be");
}

/** @param {import("../types.d.ts").Teams} teams */
function teams({ size, counts }) {
  if (counts === null || counts >= size) return t("teams of {n} at most", { n: size });
  return t("teams of {n} at most, the best {counts} count", { n: size, counts });
}

/** @param {Tournament["setup"]["format"]} format */
function formatText(format) {
  if (format.type === "rounds") return count(format.rounds, "{n} round", "{n} rounds") + seating(format.seating);
  if (format.type === "arena") return t("an arena of {time}", { time: span(format.minutes * 60) });
  if (format.type === "freezeout") return t("a freezeout, in which the ante doubles with each round");
  const knockout = count(format.advance, "knockout, one of each table goes on", "knockout, {n} of each table go on");
  if (format.type === "knockout") return knockout;
  const rounds = count(format.rounds, "{groups} groups of {n} round", "{groups} groups of {n} rounds", {
    groups: format.groups,
  });
  return `${rounds}, ${count(format.qualify, "one of each goes on", "{n} of each go on")} · ${knockout}`;
}

/** @param {Tournament} tournament @param {string} kind */
export function settings({ setup }, kind) {
  const parts = [
    kind,
    formatText(setup.format),
    t("tables of {n} at most", { n: setup.table_size }),
    t("{time} for a turn", { time: span(setup.turn_seconds) }),
  ];
  if (setup.bank_seconds > 0) parts.push(t("{time} in reserve", { time: span(setup.bank_seconds) }));
  if (setup.teams !== null) parts.push(teams(setup.teams));
  if (setup.duplicate) parts.push(t("duplicate"));
  if (setup.fill !== null) parts.push(t("bots fill the tables"));
  if (setup.late_entry !== null)
    parts.push(t("late entry until round {round}", { round: setup.late_entry.until_round }));
  if (setup.check_in_minutes !== null) parts.push(t("check-in before the start"));
  if (setup.no_show_limit !== null)
    parts.push(
      count(setup.no_show_limit, "absent after {n} decision by the clock", "absent after {n} decisions by the clock"),
    );
  if (setup.pause_after_rounds) parts.push(t("each next round waits for the organiser"));
  if (setup.spectator_delay_hands > 0)
    parts.push(count(setup.spectator_delay_hands, "spectators {n} hand behind", "spectators {n} hands behind"));
  return parts.join(" · ");
}

/** Who sits out in a round: the names that the tournament shows, and how many others. @param {{ byes: string[], bye_count: number }} round */
export function byesText({ byes, bye_count: all }) {
  const names = byes.map(entrantName);
  return list(all > byes.length ? [...names, count(all - byes.length, "{n} other", "{n} others")] : names);
}

/** Where it stands, in a sentence. @param {Pick<Model, "tournament" | "standings" | "teams">} model */
export function state({ tournament, standings, teams }) {
  const { status, setup, entrants, waiting } = tournament;
  if (status === "open") {
    const entered =
      setup.admission.type === "limited"
        ? count(entrants, "{n} of {most} has entered.", "{n} of {most} have entered.", { most: setup.admission.max })
        : count(entrants, "{n} has entered.", "{n} have entered.");
    const more = waiting === 0 ? "" : ` ${count(waiting, "{n} waits for a place.", "{n} wait for a place.")}`;
    return `${t("Open to enter.")} ${entrants === 0 ? t("Nobody has entered yet.") : entered}${more}`;
  }
  if (status === "active") return isArena(tournament) ? arenaState(tournament) : roundState(tournament);
  if (status === "aborted") return t("It was called off. The standings stay as they were.");
  return [t("It is over."), winners(standings), bestTeams(teams)].filter((text) => text !== "").join(" ");
}

/** @param {Tournament} tournament */
function roundState(tournament) {
  const { format } = tournament.setup;
  const round = tournament.round;
  if (round === 0) return tournament.paused ? t("It has begun.") : t("The first round is being drawn.");
  if (format.type === "rounds")
    return tournament.paused
      ? t("Round {round} of {all}.", { round, all: format.rounds })
      : t("Round {round} of {all} is being played.", { round, all: format.rounds });
  if (format.type === "groups" && round <= format.rounds)
    return t("Round {round} of {all} in the groups.", { round, all: format.rounds });
  return tournament.paused ? t("Round {round}.", { round }) : t("Round {round} is being played.", { round });
}

/** @param {Tournament} tournament */
function arenaState(tournament) {
  if (!arenaRuns(tournament)) return t("The time is up. Games that run are played to their end, and count.");
  const ends = tournament.arena_ends_at ?? "";
  return t("Players get tables until {time}.", { time: readsIn(ends, zoneOf(tournament.details.time_zone)) });
}

/** @param {Standing[]} standings */
function winners(standings) {
  const best = standings.filter((one) => one.place === 1).map((one) => entrantName(one.player));
  if (best.length === 0) return "";
  if (best.length > 8) return t("{n} share the first place.", { n: whole(best.length) });
  return count(best.length, "{names} wins.", "{names} share the first place.", { names: list(best) });
}

/** @param {Model["teams"]} teams */
function bestTeams(teams) {
  const best = teams.filter((one) => one.place === 1).map((one) => one.team);
  if (best.length === 0 || best.length > 8) return "";
  return count(best.length, "The best team: {names}.", "The best teams: {names}.", { names: list(best) });
}

/** What waits for the organiser, and why. @param {Model} model */
export function held({ tournament, news }) {
  const text = tournament.clocks_stopped
    ? t("The clocks of all tables stand still until the organiser starts them.")
    : isLastRound(tournament)
      ? t("The end waits for the organiser.")
      : isArena(tournament)
        ? t("Nobody gets a table until the organiser lets it go on.")
        : t("The next round waits for the organiser.");
  return news.pausedFor === "" ? text : `${text} ${sentence(news.pausedFor)}`;
}

/** What the result counts, short. @param {Tournament} tournament */
export function resultName({ setup }) {
  return { chips: t("Chips"), places: t("Beaten"), placing_points: t("Points") }[setup.result_by.type];
}

/** What the result counts, in words. @param {Tournament} tournament */
export function resultMeaning({ setup }) {
  return {
    chips: t("chips won and lost over all games"),
    places: t("the share of opponents beaten, one at most for each game"),
    placing_points: t("points for the places in each game"),
  }[setup.result_by.type];
}

/** What the other prize counts, short. @param {Tournament} tournament */
export function scoreName({ setup }) {
  return {
    courts_of_knights: t("Courts"),
    winning_hands: t("Hands"),
    weighted_hands: t("Score"),
    hand_table: t("Score"),
    places: t("Score"),
    chips: t("Score"),
  }[setup.scoring.type];
}

/** What the other prize counts, in words. @param {Tournament} tournament */
export function scoreMeaning({ setup }) {
  return {
    courts_of_knights: t("courts of knights that were shown"),
    winning_hands: t("hands won"),
    weighted_hands: t("hands won, the higher the more"),
    hand_table: t("hands won, with the organiser's points"),
    places: t("a point for each opponent who came in behind"),
    chips: t("chips won"),
  }[setup.scoring.type];
}

/** @param {Tournament} tournament @param {number} value */
export function resultText({ setup }, value) {
  return setup.result_by.type === "chips" && value > 0 ? `+${fine(value)}` : fine(value);
}

/** How an entrant stands, where it is worth a word. @param {Standing} one */
export function standingText({ status }) {
  return {
    entered: "",
    waiting: t("on the waiting list"),
    playing: "",
    finished: "",
    eliminated: t("out"),
    withdrawn: t("withdrew"),
    absent: t("absent"),
    disqualified: t("disqualified"),
  }[status];
}

/** An entrant's name: "steady 2" is "Steady bot 2"; null is a bot that fills a seat. @param {string | null} name */
export function entrantName(name) {
  if (name === null) return t("a bot");
  const [, policy, number] = /^([a-z]+) (\d+)$/.exec(name) ?? [];
  return policy === undefined ? person(name) : `${BOTS[policy] ?? titled(policy)} ${number}`;
}
