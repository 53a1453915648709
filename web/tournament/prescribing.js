// Tables by hand: a director says who sits together in the next round. Everybody reads it.

import { del, put } from "../api.js";
import { fill, h } from "../dom.js";
import { form } from "../fields.js";
import { dialog } from "../frame.js";
import { toldKind } from "../kinds/told.js";
import { select } from "../pages/new_game.js";
import { working } from "../pages/play.js";
import { t } from "../texts.js";
import { count, list } from "../words.js";
import { byesText, entrantName } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Standing} Standing */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {(now: Tournament) => void} Apply */
/**
 * What the tables of a round have to be.
 * @typedef {object} Wanted
 * @property {number} least players at a table
 * @property {number} most
 * @property {boolean} isAlike whether the tables are compared, so that there are two at least, all of the same size
 */

/** The next round, if its tables can be said; in a knockout, the results say who plays. @param {Tournament} tournament */
function nextRound(tournament) {
  const { status, setup } = tournament;
  const isRunning = status === "open" || status === "active";
  const next = tournament.round + 1;
  return isRunning && setup.format.type === "rounds" && next <= setup.format.rounds ? next : null;
}

/** Those who play on. @param {Model} model */
function remaining({ standings }) {
  return standings.filter(({ status }) => status === "entered" || status === "playing");
}

/** What was said about the next round, for everybody. @param {Tournament} tournament */
export function prescribed({ prescribed }) {
  if (prescribed === null) return null;
  const { round, tables, table_count: all } = prescribed;
  return h(
    "section",
    { class: "tables", "data-key": "prescribed", "aria-label": t("Who sits together in round {round}", { round }) },
    h("h2", null, t("Who sits together in round {round}", { round })),
    h(
      "ul",
      { class: "plain" },
      tables.map((players, at) =>
        h("li", null, h("strong", null, t("Table {number}", { number: at + 1 })), " ", list(players.map(entrantName))),
      ),
      all > tables.length && h("li", null, count(all - tables.length, "{n} more table", "{n} more tables")),
      prescribed.bye_count > 0 && h("li", null, h("strong", null, t("Sitting out")), " ", byesText(prescribed)),
    ),
    h("p", { class: "small quiet" }, t("An organiser has said so. The lots decide the seats."), " ", changes()),
  );
}

const changes = () => t("If somebody comes or goes before it begins, the lots decide all of it.");

/** The part of the desk. @param {Model} model @param {Apply} apply */
export function makePrescribing(model, apply) {
  const node = h("div", { class: "row apart" });
  const text = h("p", { class: "quiet" });
  const say = h("button", { onclick: () => void prescribe(model, apply) });
  const cancel = working(
    t("Take it back"),
    async () => {
      const round = nextRound(model.tournament);
      if (round !== null) apply(/** @type {Tournament} */ (await del(pathOf(model.tournament, round))));
    },
    "bare",
  );
  node.append(text, h("div", { class: "row" }, say, cancel));
  const draw = () => {
    const round = nextRound(model.tournament);
    const isSaid = model.tournament.prescribed !== null;
    node.hidden = round === null || remaining(model).length < 2;
    if (round === null) return;
    text.textContent = isSaid
      ? t("The tables of round {round} are set.", { round })
      : t("The lots decide who sits together in round {round}.", { round });
    say.textContent = isSaid ? t("Change the tables") : t("Say who sits together");
    cancel.hidden = !isSaid;
  };
  return { node, draw };
}

/** @param {Tournament} tournament @param {number} round */
function pathOf({ id }, round) {
  return `/v1/tournaments/${id}/rounds/${round}/tables`;
}

/** @param {Tournament} tournament @returns {Promise<Wanted>} */
async function wantedOf({ setup }) {
  const { seats } = await toldKind(setup.kind);
  const least = setup.fill === null ? seats.min : 1;
  return { least, most: setup.table_size, isAlike: setup.duplicate };
}

/** @param {Model} model @param {Apply} apply */
async function prescribe(model, apply) {
  const { tournament } = model;
  const round = nextRound(tournament);
  if (round === null) return;
  const wanted = await wantedOf(tournament);
  const entrants = remaining(model);
  const names = entrants.map(({ player }) => player);
  const { tables: said = [], table_count: all = 0 } = tournament.prescribed ?? {};
  const before = all > 0 && said.length === all ? said : proposal(names, wanted.most);
  const chosen = choices(entrants, before, wanted);
  const work = async () => {
    apply(/** @type {Tournament} */ (await put(pathOf(tournament, round), { tables: chosen.read() })));
    box.close();
  };
  const box = dialog(
    t("Who sits together in round {round}", { round }),
    form(
      { send: t("So they sit"), work, cancel: () => box.close() },
      h("p", { class: "quiet" }, t("Choose a table for each. The lots decide the seats."), " ", changes()),
      chosen.node,
    ),
  );
}

/** Tables in the order of the standings, as few as there can be. @param {string[]} players @param {number} most */
function proposal(players, most) {
  const number = Math.max(1, Math.ceil(players.length / most));
  /** @type {string[][]} */
  const tables = [];
  for (let at = 0, from = 0; at < number; at++) {
    const size = Math.ceil((players.length - from) / (number - at));
    tables.push(players.slice(from, from + size));
    from += size;
  }
  return tables;
}

/**
 * A table for each player, what comes of it, and what is wrong with that.
 * @param {Standing[]} entrants @param {string[][]} before @param {Wanted} wanted
 */
function choices(entrants, before, wanted) {
  const players = entrants.map(({ player }) => player);
  const most = Math.max(before.length, Math.floor(players.length / Math.max(1, wanted.least)));
  const numbers = Array.from({ length: most }, (_, at) => String(at + 1));
  const tables = numbers.map((number) => /** @type {[string, string]} */ ([number, t("Table {number}", { number })]));
  const inputs = players.map((player, at) => {
    const table = before.findIndex((names) => names.includes(player));
    return select(`d-seat-${at}`, [...tables, ["", t("sits out")]], table < 0 ? "" : String(table + 1));
  });
  const told = h("ul", { class: "plain seatings" });
  const at = (/** @type {string} */ number) => players.filter((_, seat) => inputs[seat]?.value === number);
  const seatings = () => numbers.map(at);
  const show = () => {
    const all = seatings();
    const last = all.findLastIndex((names) => names.length > 0);
    const wrongs = wrongOf(all.slice(0, last + 1), wanted);
    inputs[0]?.setCustomValidity(wrongs.find((wrong) => wrong !== "") ?? "");
    const out = at("");
    fill(
      told,
      all
        .slice(0, last + 1)
        .map((names, table) => seating(t("Table {number}", { number: table + 1 }), names, wrongs[table])),
      wrongs.length > last + 1 && h("li", { class: "bad" }, wrongs[last + 1]),
      out.length > 0 && seating(t("Sitting out"), out),
    );
  };
  for (const input of inputs) input.onchange = show;
  show();
  const rows = entrants.map(({ player, team }, seat) =>
    h(
      "li",
      null,
      h(
        "label",
        { for: `d-seat-${seat}` },
        entrantName(player),
        team != null && h("div", { class: "small quiet" }, team),
      ),
      inputs[seat],
    ),
  );
  return {
    node: [
      h("ul", { class: "plain lines whichtable" }, rows),
      h("h3", null, t("So they sit")),
      h("div", { role: "status" }, told),
    ],
    read: () => seatings().filter((names) => names.length > 0),
  };
}

/** @param {string} title @param {string[]} names @param {string} [wrong] */
function seating(title, names, wrong = "") {
  return h(
    "li",
    null,
    h("strong", null, title),
    ` (${names.length}) `,
    list(names.map(entrantName)),
    wrong !== "" && h("div", { class: "bad" }, wrong),
  );
}

/** What is wrong with each table, and one more for all of them; empty where nothing is. @param {string[][]} tables @param {Wanted} wanted */
function wrongOf(tables, { least, most, isAlike }) {
  if (tables.length === 0) return [t("Nobody sits anywhere.")];
  const wrongs = tables.map((names, at) => {
    const values = { number: at + 1, least, most };
    if (names.length === 0) return t("Nobody sits at table {number}.", values);
    if (names.length >= least && names.length <= most) return "";
    return least === most
      ? t("Table {number} takes {most} players.", values)
      : t("Table {number} takes {least} to {most} players.", values);
  });
  const isUnlike = tables.length < 2 || tables.some((names) => names.length !== tables[0]?.length);
  if (!isAlike || !isUnlike || (least === 1 && tables.length > 1)) return wrongs;
  return [...wrongs, t("The tables are compared: two at least, and all of the same size.")];
}
