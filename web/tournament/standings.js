// The standings: place, change since the last round, name, result, score; tie-breaks on demand; points lead to their hands.

import { get } from "../api.js";
import { h } from "../dom.js";
import { dialog } from "../frame.js";
import { listRow, listTable } from "../pages/list.js";
import { working } from "../pages/play.js";
import { t } from "../texts.js";
import { count, fine, lowered, minute, ordinal, person, sentence, titled, whole } from "../words.js";
import { hasPenalties, signed } from "./penalties.js";
import { entrantName, resultMeaning, resultName, resultText, scoreMeaning, scoreName, standingText } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Standing} Standing */
/** @typedef {import("../types.d.ts").Point} Point */
/** @typedef {import("../types.d.ts").Page<Point>} Points */

/**
 * @typedef {object} Options
 * @property {boolean} hasTies
 * @property {boolean} isScreen
 * @property {(one: Standing) => void} [onPenalties] shows an entrant's penalties
 */

/** @param {Model} model @param {Options} options @param {Standing[]} [standings] those that are drawn */
export function standingsTable(model, options, standings = model.standings) {
  const { tournament } = model;
  const ties = options.hasTies ? "number wide" : "never";
  const moved = model.before === null ? "never" : "change";
  const rows = standings.map((one) => row(model, one, options));
  return listTable(
    [
      [t("Place"), "number place"],
      [t("Change"), moved],
      [t("Name")],
      [t("Head to head"), ties],
      [t("Opponents"), ties],
      [t("Best game"), ties],
      [resultName(tournament), "number"],
      [scoreName(tournament), "number score"],
    ],
    rows,
  );
}

/** @param {Model} model @param {Standing} one @param {Options} options */
function row(model, one, options) {
  const { hasTies, isScreen } = options;
  const { tournament } = model;
  const ties = hasTies ? "number wide" : "never";
  const { head_to_head: head, opponents, best_game: best } = one.tie_breaks;
  const isMine = one.entrant === tournament.you?.entrant;
  const below = [
    one.team ?? "",
    one.group === undefined || one.group === null ? "" : t("group {n}", { n: one.group }),
    standingText(one),
    one.byes > 0 && !isScreen ? t("{n} sat out", { n: one.byes }) : "",
  ].filter((text) => text !== "");
  const told = [
    head === null ? "" : `${t("head to head")} ${head}`,
    opponents === null ? "" : `${t("opponents")} ${fine(opponents)}`,
    best === null ? "" : `${t("best game")} ${fine(best)}`,
  ].filter((text) => text !== "");
  return listRow(
    { key: String(one.entrant), class: isMine ? "mine" : "" },
    [one.place ?? "–", "number place"],
    [change(model, one), model.before === null ? "never" : "change"],
    [
      [
        isScreen || one.bot !== null
          ? entrantName(one.player)
          : h("a", { class: "plainlink", href: `/players/${encodeURIComponent(one.player)}` }, person(one.player)),
        isMine && h("span", { class: "small quiet noprint" }, ` ${t("(you)")}`),
        below.length > 0 && h("div", { class: "small quiet" }, below.join(", ")),
        hasTies && told.length > 0 && h("div", { class: "small quiet narrow" }, told.join(", ")),
      ],
      "name",
    ],
    [head ?? "–", ties],
    [opponents === null ? "–" : fine(opponents), ties],
    [best === null ? "–" : fine(best), ties],
    [[resultText(tournament, one.result), penalty(one, one.penalties.result, options)], "number"],
    [[scoreOf(model, one, isScreen), penalty(one, one.penalties.score, options)], "number score"],
  );
}

/** The score; it leads to its points. @param {Model} model @param {Standing} one @param {boolean} isScreen */
function scoreOf(model, one, isScreen) {
  const score = one.score === null ? "–" : whole(one.score);
  if (isScreen || model.tournament.round === 0) return score;
  return h(
    "button",
    {
      class: "bare figure",
      "aria-label": `${t("Points of {name}", { name: entrantName(one.player) })}: ${score}`,
      onclick: () => showPoints(model, one),
    },
    score,
  );
}

/** What penalties changed of a figure; it leads to their reasons. @param {Standing} one @param {number} value @param {Options} options */
function penalty(one, value, { isScreen, onPenalties }) {
  if (value === 0) return null;
  const text = `(${signed(value)})`;
  if (isScreen || onPenalties === undefined) return ` ${text}`;
  const name = entrantName(one.player);
  const props = {
    class: "bare figure penalty",
    "aria-label": `${t("Penalties of {name}", { name })}: ${signed(value)}`,
    onclick: () => onPenalties(one),
  };
  return [" ", h("button", props, text)];
}

/** Places won or lost since the last round. @param {Model} model @param {Standing} one */
function change({ before }, one) {
  const was = before?.get(one.entrant);
  if (was === undefined || one.place === null) return "";
  const up = was - one.place;
  if (up === 0) return h("span", { class: "quiet" }, "=", h("span", { class: "sayonly" }, " ", t("no change")));
  return h(
    "span",
    { class: up > 0 ? "good" : "bad" },
    h("span", { "aria-hidden": true }, `${up > 0 ? "▲" : "▼"} ${Math.abs(up)}`),
    h("span", { class: "sayonly" }, up > 0 ? t("up {n}", { n: up }) : t("down {n}", { n: -up })),
  );
}

/** What the figures mean. @param {Model} model */
export function meaning(model) {
  const { tournament, before } = model;
  const texts = [
    `${resultName(tournament)}: ${resultMeaning(tournament)}`,
    `${scoreName(tournament)}: ${scoreMeaning(tournament)}`,
  ];
  if (hasPenalties(model)) texts.push(t("In brackets: what penalties changed, which is counted already"));
  if (before !== null) texts.push(t("Change: places won or lost since the last round began"));
  return h("p", { class: "small quiet" }, texts.map(sentence).join(" "));
}

/** Where somebody's points come from. @param {Model} model @param {Standing} one */
function showPoints({ tournament, kind }, one) {
  const name = entrantName(one.player);
  const body = h("tbody");
  /** @type {string | null} */
  let next = null;
  const load = async () => {
    const query = new URLSearchParams({ player: one.player, limit: "50" });
    if (next !== null) query.set("cursor", next);
    const page = /** @type {Points} */ (await get(`/v1/tournaments/${tournament.id}/points?${query}`));
    body.append(...page.items.map((point) => pointRow(point, kind)));
    next = page.next;
    more.hidden = next === null;
    nothing.hidden = body.childElementCount > 0;
    table.hidden = !nothing.hidden;
  };
  const more = h("div", { class: "below", hidden: true }, working(t("More"), load));
  const nothing = h("p", { class: "quiet" }, t("No points yet."));
  const table = listTable([[t("For")], [t("Points"), "number"], [""]], body);
  table.hidden = true;
  const facts = [
    count(one.games, "{n} game", "{n} games"),
    `${lowered(resultName(tournament))} ${resultText(tournament, one.result)}`,
    one.byes > 0 ? t("sat out {n}", { n: one.byes }) : "",
  ].filter((text) => text !== "");
  const box = dialog(
    t("Points of {name}", { name }),
    h("p", { class: "quiet" }, `${facts.join(", ")}. ${t("Points count {what}.", { what: scoreMeaning(tournament) })}`),
    nothing,
    table,
    more,
    h("div", { class: "row below" }, h("button", { onclick: () => box.close() }, t("Close"))),
  );
  // A link leads to another page, and the dialog would stay above it.
  box.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a") !== null) box.close();
  });
  void load().catch(() => {
    nothing.textContent = t("The points could not be loaded.");
  });
}

/** What the points are for; the API says it in English. @param {string} reason @param {Model["kind"]} kind */
function reasonOf(reason, kind) {
  const [, place, all] = /^(\d+)\w\w of (\d+)$/.exec(reason) ?? [];
  if (place !== undefined && all !== undefined) return t("{place} of {all}", { place: ordinal(Number(place)), all });
  const [, chips] = /^ended with (-?\d+) chips$/.exec(reason) ?? [];
  if (chips !== undefined) return t("ended with {n} chips", { n: chips });
  return kind.hands.find((hand) => hand.name === reason)?.title ?? reason;
}

/** @param {Point} point @param {Model["kind"]} kind */
function pointRow(point, kind) {
  const href = `/games/${point.game}/hands/${point.hand}`;
  return listRow(
    {},
    [
      [
        titled(reasonOf(point.reason, kind)),
        h(
          "div",
          { class: "small quiet" },
          `${t("round {round}, table {table}", { round: point.round, table: point.table })}, ${minute(point.at)}`,
        ),
      ],
    ],
    [point.points > 0 ? `+${whole(point.points)}` : whole(point.points), "number"],
    [
      h(
        "a",
        {
          class: "button",
          href,
          "aria-label": t("Hand {number} at table {table}", { number: point.hand, table: point.table }),
        },
        t("Hand {number}", { number: point.hand }),
      ),
      "end",
    ],
  );
}
