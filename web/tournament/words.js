// How a tournament reads: its settings, its state, and what its figures count.

import { BOTS, count, fine, list, person, span, titled, whole } from "../words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").Standing} Standing */

/** @param {Tournament} tournament @param {string} kind */
export function settings({ setup }, kind) {
  const { format } = setup;
  const rounds =
    format.type === "rounds"
      ? `${count(format.rounds, "round")}${format.seating === "swiss" ? ", Swiss pairing" : ""}`
      : `knockout, ${format.advance === 1 ? "one" : format.advance} of each table ${format.advance === 1 ? "goes" : "go"} on`;
  const parts = [kind, rounds, `tables of ${setup.table_size} at most`, `${span(setup.turn_seconds)} for a turn`];
  if (setup.bank_seconds > 0) parts.push(`${span(setup.bank_seconds)} in reserve`);
  if (setup.duplicate) parts.push("duplicate");
  if (setup.fill !== null) parts.push("bots fill the tables");
  if (setup.spectator_delay > 0) parts.push(`spectators ${count(setup.spectator_delay, "hand")} behind`);
  return parts.join(" · ");
}

/** Where it stands, in a sentence. @param {Model} model */
export function state({ tournament, standings }) {
  const { status, setup, rounds, entrants } = tournament;
  if (status === "open") {
    const most = setup.admission.type === "limited" ? ` of ${setup.admission.max}` : "";
    return `Open to enter. ${entrants === 0 ? "Nobody has entered yet." : `${whole(entrants)}${most} ${entrants === 1 ? "has" : "have"} entered.`}`;
  }
  if (status === "active") {
    const of = setup.format.type === "rounds" ? ` of ${setup.format.rounds}` : "";
    return rounds.length === 0 ? "The first round is being drawn." : `Round ${rounds.length}${of} is being played.`;
  }
  if (status === "aborted") return "It was called off. The standings stay as they were.";
  const best = standings.filter((one) => one.place === 1).map((one) => entrantName(one.player));
  if (best.length === 0) return "It is over.";
  if (best.length > 8) return `It is over. ${whole(best.length)} share the first place.`;
  return `It is over. ${list(best)} ${best.length === 1 ? "wins" : "share the first place"}.`;
}

/** What the result counts, short. @param {Tournament} tournament */
export function resultName({ setup }) {
  return { chips: "Chips", places: "Beaten", placing_points: "Points" }[setup.result.type];
}

/** What the result counts, in words. @param {Tournament} tournament */
export function resultMeaning({ setup }) {
  return {
    chips: "chips won and lost over all games",
    places: "the share of opponents beaten, one at most for each game",
    placing_points: "points for the places in each game",
  }[setup.result.type];
}

/** What the other prize counts, short. @param {Tournament} tournament */
export function scoreName({ setup }) {
  return {
    courts_of_knights: "Courts",
    winning_hands: "Hands",
    weighted_hands: "Score",
    hand_table: "Score",
    places: "Score",
    chips: "Score",
  }[setup.scoring.type];
}

/** What the other prize counts, in words. @param {Tournament} tournament */
export function scoreMeaning({ setup }) {
  return {
    courts_of_knights: "courts of knights that were shown",
    winning_hands: "hands won",
    weighted_hands: "hands won, the higher the more",
    hand_table: "hands won, with the organiser's points",
    places: "a point for each opponent who came in behind",
    chips: "chips won",
  }[setup.scoring.type];
}

/** @param {Tournament} tournament @param {number} value */
export function resultText({ setup }, value) {
  return setup.result.type === "chips" && value > 0 ? `+${fine(value)}` : fine(value);
}

/** How an entrant stands, where it is worth a word. @param {Standing} one */
export function standingText({ status }) {
  return {
    entered: "",
    playing: "",
    finished: "",
    eliminated: "out",
    withdrawn: "withdrew",
    disqualified: "disqualified",
  }[status];
}

/** An entrant's name: "steady 2" is "Steady bot 2"; null is a bot that fills a seat. @param {string | null} name */
export function entrantName(name) {
  if (name === null) return "a bot";
  const [, policy, number] = /^([a-z]+) (\d+)$/.exec(name) ?? [];
  return policy === undefined ? person(name) : `${BOTS[policy] ?? titled(policy)} ${number}`;
}
