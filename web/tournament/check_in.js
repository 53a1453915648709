// Check-in: entrants say shortly before the start that they are here. The others are not seated.

import { del, get, now, post } from "../api.js";
import { h } from "../dom.js";
import { working } from "../pages/play.js";
import { t } from "../texts.js";
import { readsIn, zoneOf } from "../zones.js";
import { arenaRuns, isArena, isEntryOpen } from "./model.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").Standing} Standing */
/** @typedef {import("../types.d.ts").Entrant} Entrant */
/** @typedef {import("../types.d.ts").Page<Entrant>} Entrants */
/** @typedef {(now: Tournament) => void} Apply */

/** From when on entrants can check in; null: at once, or nobody has to. @param {Tournament} tournament */
export function opensAt({ setup, details }) {
  if (setup.check_in_minutes === null || details.starts_at === null) return null;
  return new Date(new Date(details.starts_at).getTime() - setup.check_in_minutes * 60_000).toISOString();
}

/** Whether entrants can say before the start whether they are here. @param {Tournament} tournament */
export function isCheckInOpen(tournament) {
  const opens = opensAt(tournament);
  return hasCheckIn(tournament) && (opens === null || new Date(opens).getTime() <= now());
}

/** Whether entrants have to check in, and the tournament has not begun. @param {Tournament} tournament */
export function hasCheckIn({ status, setup }) {
  return status === "open" && setup.check_in_minutes !== null;
}

/** Until when a check-in is not open, in words; empty where it is. @param {Tournament} tournament */
export function checkInOpens(tournament) {
  const opens = opensAt(tournament);
  if (opens === null || isCheckInOpen(tournament)) return "";
  const time = readsIn(opens, zoneOf(tournament.details.time_zone));
  return t("Check-in opens {time}.", { time });
}

/** Says that an entrant is here, or is not. @param {Tournament} tournament @param {string} player @param {boolean} isHere */
export async function checkIn(tournament, player, isHere) {
  const path = `/v1/tournaments/${tournament.id}/entries/${encodeURIComponent(player)}/check-in`;
  return /** @type {Tournament} */ (await (isHere ? post(path) : del(path)));
}

/** All entrants, in the order of entry. @param {Tournament} tournament @param {AbortSignal} signal */
export async function loadEntrants(tournament, signal) {
  /** @type {Entrant[]} */
  const all = [];
  /** @type {string | number | null} */
  let next = "";
  while (next !== null) {
    const query = new URLSearchParams({ limit: "200", ...(next === "" ? {} : { cursor: String(next) }) });
    const page = /** @type {Entrants} */ (await get(`/v1/tournaments/${tournament.id}/entries?${query}`, { signal }));
    all.push(...page.items);
    next = page.next;
  }
  return all;
}

/** The entrants who are here, by their numbers. @param {Tournament} tournament @param {AbortSignal} signal */
export async function loadPresence(tournament, signal) {
  const there = (await loadEntrants(tournament, signal)).filter((one) => !one.withdrawn && !one.disqualified);
  return new Map(there.map((one) => [one.entrant, one.checked_in]));
}

/** How many are here; null where nobody has to say so. @param {Model} model */
export function hereCount({ here }) {
  return here === null ? null : [...here.values()].filter(Boolean).length;
}

/** How many with a place are not here. @param {Model} model */
export function missingCount({ here, standings }) {
  const missing = standings.filter((one) => one.status !== "waiting" && here?.get(one.entrant) === false);
  return missing.length;
}

/** Whether an absent entrant can say that they are there: until the end, where they had a seat and did not play. @param {Tournament} tournament @param {Standing} one */
export function mayComeBack(tournament, one) {
  if (tournament.status !== "active") return false;
  return isEntryOpen(tournament) || (tournament.setup.no_show_limit !== null && one.round > 0);
}

/**
 * In an arena, whether I get tables.
 * @param {Tournament} tournament @param {boolean} isAway @param {(isHere: boolean) => () => Promise<void>} say
 */
function myBreak(tournament, isAway, say) {
  if (!arenaRuns(tournament)) return null;
  if (isAway) return { text: t("You are on a break, and get no table."), button: working(t("I am back"), say(true), "likely") };
  return {
    text: t("You get the next table as soon as one is free."),
    button: working(t("Take a break"), say(false), "bare"),
  };
}

/** The round that an absent reader did not play; 0 where there is none. @param {Model} model */
export function missedRound({ tournament: { you }, standings }) {
  return you?.absent === true ? (standings.find((one) => one.entrant === you.entrant)?.round ?? 0) : 0;
}

/**
 * My own check-in: where it stands, and what can be pressed. Null where there is none.
 * @param {Model} model @param {Apply} apply
 */
export function myCheckIn(model, apply) {
  const { tournament } = model;
  const { you } = tournament;
  if (you === null) return null;
  const say = (/** @type {boolean} */ isHere) => async () => apply(await checkIn(tournament, you.player, isHere));
  const here = () => h("div", { class: "herebox" }, working(t("I am here"), say(true), "likely large"));
  if (tournament.status === "active" && isArena(tournament)) return myBreak(tournament, you.absent, say);
  const missed = missedRound(model);
  if (tournament.status === "active" && missed > 0)
    return {
      text: t("You did not play round {round}. Say that you are there to play on.", { round: missed }),
      button: here(),
    };
  if (tournament.status === "active" && you.absent)
    return isEntryOpen(tournament)
      ? {
          text: t("You were not here at the start. If you are now, you play from the next round on."),
          button: here(),
        }
      : {
          text: t("You were not here at the start, so you have no seat. The organisers can let you in."),
          button: null,
        };
  if (!hasCheckIn(tournament)) return null;
  if (you.checked_in)
    return {
      text: you.waiting
        ? t("You are here, and get a place that is free at the start.")
        : t("You are here, and have a seat when the tournament starts."),
      button: working(t("I am not here after all"), say(false), "bare"),
    };
  const opens = checkInOpens(tournament);
  const text = t("Say here before the start that you are here. Players who do not say so get no seat.");
  return opens === ""
    ? { text: t("Are you here? Players who do not say so before the start get no seat."), button: here() }
    : { text: `${t("You have entered.")} ${opens} ${text}`, button: null };
}
