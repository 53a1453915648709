// The standings of a series, a column for each tournament, and the tournaments themselves.

import { del } from "../api.js";
import { h } from "../dom.js";
import { listRow, listTable } from "../pages/list.js";
import { working } from "../pages/play.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { STATUS, count, fine, ordinal, person } from "../words.js";

/** @typedef {import("../types.d.ts").Series} Series */
/** @typedef {import("../types.d.ts").SeriesStanding} Line */
/** @typedef {import("../types.d.ts").SeriesTournament} Tournament */

/** @param {Series} series @param {Line[]} lines */
export function standingsOf(series, lines) {
  if (lines.length === 0)
    return h(
      "p",
      { class: "quiet", "data-key": "nothing" },
      t("Nothing counts yet: no tournament of the series is over."),
    );
  const finished = numbered(series).filter(([one]) => one.status === "finished");
  const heads = finished.map(([, number]) => /** @type {[string, string]} */ ([String(number), "number"]));
  const me = session.account()?.username;
  const hasRest = lines.some((line) => line.tournaments.some((one) => !one.counts));
  return h(
    "div",
    { class: "crosstable", "data-key": "standings" },
    listTable(
      [[t("Place"), "number place"], [t("Name")], [t("Points"), "number"], ...heads],
      lines.map((line) =>
        listRow(
          { key: line.player, class: line.player === me ? "mine" : "" },
          [line.place, "number place"],
          [
            h("a", { class: "plainlink", href: `/players/${encodeURIComponent(line.player)}` }, person(line.player)),
            "name",
          ],
          [h("strong", null, fine(line.points)), "number"],
          ...finished.map(
            ([one]) => /** @type {[import("../dom.js").Child, string]} */ ([figure(line, one), "number"]),
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "small quiet" },
      t("The numbers are those of the tournaments below."),
      hasRest && ` ${t("What is struck through does not count.")}`,
    ),
  );
}

/** What a tournament gave. @param {Line} line @param {Tournament} tournament */
function figure(line, { tournament }) {
  const result = line.tournaments.find((one) => one.tournament === tournament);
  if (result === undefined) return "";
  const told = t("{place} in {name}", { place: ordinal(result.place), name: result.name });
  return h(result.counts ? "span" : "s", { title: told }, fine(result.points));
}

/** Its tournaments, the oldest first, with the numbers that they have here. @param {Series} series */
function numbered(series) {
  return series.tournaments.map((one, at) => /** @type {[Tournament, number]} */ ([one, at + 1]));
}

/** @param {Series} series @param {((now: Series) => Promise<void>) | null} changed for the owner */
export function tournamentsOf(series, changed) {
  if (series.tournaments.length === 0)
    return h("p", { class: "quiet", "data-key": "nothing" }, t("The series has no tournament yet."));
  const out = async (/** @type {Tournament} */ one) => {
    await changed?.(/** @type {Series} */ (await del(`/v1/series/${series.id}/tournaments/${one.tournament}`)));
  };
  return h(
    "ol",
    { class: "plain lines", "data-key": "tournaments" },
    numbered(series).map(([one, number]) =>
      h(
        "li",
        { "data-key": one.tournament },
        h(
          "div",
          null,
          `${number}. `,
          h("a", { href: `/tournaments/${one.tournament}` }, one.name),
          h(
            "div",
            { class: "small quiet" },
            `${STATUS[one.status] ?? one.status}, ${count(one.entrants, "{n} entrant", "{n} entrants")}`,
          ),
        ),
        changed !== null &&
          h(
            "div",
            { class: "noprint" },
            working(t("Take out"), () => out(one), "bare"),
          ),
      ),
    ),
  );
}
