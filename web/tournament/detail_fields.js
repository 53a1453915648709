// The fields for what is told about a tournament. Times are those of a clock at the venue.

import { h } from "../dom.js";
import { field } from "../fields.js";
import { select } from "../pages/new_game.js";
import { t } from "../texts.js";
import { HERE, clockOf, momentOf, zoneName, zoneOf, zones } from "../zones.js";

/** @typedef {import("../types.d.ts").TournamentDetails} Details */
/** @typedef {import("../types.d.ts").DetailsPatch} Patch */
/** @typedef {"starts_at" | "registration_opens_at" | "registration_closes_at"} When */

/** What a tournament has of which nothing is told. @type {Details} */
export const NOTHING_TOLD = {
  description: null,
  venue: null,
  result_prize: null,
  score_prize: null,
  starts_at: null,
  time_zone: null,
  registration_opens_at: null,
  registration_closes_at: null,
};

/** @param {Details} old */
export function detailFields(old) {
  const described = h("textarea", { id: "t-description", class: "across", rows: 4, maxlength: 2000 });
  described.value = old.description ?? "";
  const venue = line("t-venue", old.venue);
  const won = line("t-won", old.result_prize);
  const scored = line("t-scored", old.score_prize);
  const zone = select(
    "t-zone",
    zones(old.time_zone ?? HERE).map((one) => /** @type {[string, string]} */ ([one, zoneName(one)])),
    old.time_zone ?? HERE,
  );
  const starts = moment("t-starts", old, "starts_at", zone);
  const opens = moment("t-opens", old, "registration_opens_at", zone);
  const closes = moment("t-closes", old, "registration_closes_at", zone);
  return {
    node: [
      field("t-description", t("Description"), described),
      field("t-venue", t("Where it is played"), venue),
      field("t-starts", t("When it begins"), starts.input, t("An organiser starts it.")),
      field("t-opens", t("Players can enter from"), opens.input),
      field("t-closes", t("Players can enter until"), closes.input),
      field("t-zone", t("Time zone of these times"), zone),
      field("t-won", t("Prize of the winner"), won),
      field("t-scored", t("The other prize"), scored),
    ],
    /** @returns {Details} */
    read() {
      const times = {
        starts_at: starts.read(),
        registration_opens_at: opens.read(),
        registration_closes_at: closes.read(),
      };
      const hasTimes = Object.values(times).some((at) => at !== null);
      return {
        ...times,
        description: textOf(described),
        venue: textOf(venue),
        result_prize: textOf(won),
        score_prize: textOf(scored),
        time_zone: hasTimes ? zone.value : old.time_zone,
      };
    },
  };
}

/** What differs. @param {Details} old @param {Details} now @returns {Patch} */
export function changes(old, now) {
  const names = /** @type {(keyof Details)[]} */ (Object.keys(now));
  return Object.fromEntries(names.filter((name) => now[name] !== old[name]).map((name) => [name, now[name]]));
}

/** @param {string} id @param {string | null} text */
function line(id, text) {
  return h("input", { id, class: "across", maxlength: 200, autocomplete: "off", value: text ?? "" });
}

/** @param {HTMLInputElement | HTMLTextAreaElement} input */
function textOf(input) {
  const text = input.value.trim();
  return text === "" ? null : text;
}

/** A time that stays to the second where nobody changes it. @param {string} id @param {Details} old @param {When} what @param {HTMLSelectElement} zone */
function moment(id, old, what, zone) {
  const before = old[what];
  const shown = before === null ? "" : clockOf(before, zoneOf(old.time_zone));
  const input = h("input", { id, class: "across", type: "datetime-local", max: "9999-12-31T23:59", value: shown });
  return {
    input,
    read() {
      if (input.value === "") return null;
      const isSame = input.value === shown && zone.value === (old.time_zone ?? HERE);
      return isSame ? before : momentOf(input.value.slice(0, 16), zone.value);
    },
  };
}
