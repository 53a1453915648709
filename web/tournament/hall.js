// The tables of the round that is being played, as the organiser sees them: those that are late first.

import { get } from "../api.js";
import { h, update } from "../dom.js";
import { drawingOf } from "../kinds/told.js";
import { number, run } from "../table/clock.js";
import { modelOf } from "../table/model.js";
import { t } from "../texts.js";
import { count, list, seated } from "../words.js";
import { isArena, newestTables, tablesOf } from "./model.js";
import { decideButton } from "./table_acts.js";
import { entrantName } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {import("../types.d.ts").RoundTable} RoundTable */
/** @typedef {(now: import("../types.d.ts").Tournament) => void} Apply */
/** @typedef {{ round: number, table: RoundTable, game: Game | null }} Seen */

/** So often a table is looked at, in milliseconds, and so many at once. */
const PACE = 8000;
const AT_ONCE = 4;

/** @param {Model} model @param {Apply} apply @param {AbortSignal} signal @param {() => void} onLook called when the tables were looked at */
export function makeHall(model, apply, signal, onLook) {
  const rows = h("ul", { class: "plain lines" });
  const told = h("p", { class: "quiet small", role: "status" });
  const node = h("details", { open: true }, h("summary", null, t("Tables")), told, rows);
  /** @type {Map<string, Game>} */
  const games = new Map();
  /** @type {import("../table/model.js").Drawing | null} */
  let drawing = null;
  let seen = 0;
  run(rows, signal);
  const draw = () => {
    const round = model.tournament.round;
    // A new round's tables are looked at without waiting.
    if (round !== seen) {
      seen = round;
      void look().catch(() => {});
    }
    const all = tablesNow();
    const over = all.filter(isOver).length;
    told.textContent = progress(model, over, isArena(model.tournament) ? all.length : tableCount(model.tournament));
    // In an arena, those that are over are nobody's business any more.
    const tables = isArena(model.tournament) ? all.filter((one) => !isOver(one)) : all;
    const isLate = (/** @type {Seen} */ seen) => !isOver(seen) && over * 2 >= tables.length;
    tables.sort(
      (a, b) =>
        Number(isOver(a)) - Number(isOver(b)) ||
        (a.game?.version ?? 0) - (b.game?.version ?? 0) ||
        a.table.table - b.table.table,
    );
    update(
      rows,
      tables.map((seen) => line(seen, drawing, model, isLate(seen), apply)),
    );
  };
  /** @returns {Seen[]} */
  const tablesNow = () => {
    return newestTables(model).map((one) => ({ ...one, game: games.get(one.table.game) ?? null }));
  };
  const look = async () => {
    drawing ??= await drawingOf(model.kind.kind);
    const running = tablesNow().filter((one) => !isOver(one));
    for (let at = 0; at < running.length && !signal.aborted; at += AT_ONCE) {
      const some = running.slice(at, at + AT_ONCE);
      const found = await Promise.all(
        some.map(({ table }) => /** @type {Promise<Game>} */ (get(`/v1/games/${table.game}`, { signal }))),
      );
      for (const game of found) games.set(game.id, game);
    }
    draw();
    onLook();
  };
  const isRoundOver = () => isKnownWhole(model) && tablesNow().every(isOver);
  const again = async () => {
    if (signal.aborted || model.tournament.status !== "active") return;
    if (!document.hidden) await look().catch(() => {});
    setTimeout(() => void again(), PACE);
  };
  void again();
  return { node, draw, isRoundOver };
}

/** How many tables the newest round has. @param {import("../types.d.ts").Tournament} tournament */
function tableCount({ rounds }) {
  return rounds.at(-1)?.table_count ?? 0;
}

/** Whether all tables of the newest round are known. @param {Model} model */
function isKnownWhole(model) {
  const { tournament } = model;
  return isArena(tournament) || tablesOf(model, tournament.round).length === tableCount(tournament);
}

/** How far the round has come. @param {Model} model @param {number} over how many tables are over @param {number} all */
function progress({ tournament }, over, all) {
  const round = tournament.round;
  if (round === 0) return tournament.paused ? t("No round has been drawn.") : t("The round is being drawn.");
  if (isArena(tournament)) return count(all - over, "{n} table is being played.", "{n} tables are being played.");
  return t("{n} of {all} over in round {round}.", { n: over, all, round });
}

/** @param {Seen} seen */
function isOver({ table, game }) {
  if (table.result !== null) return true;
  return game !== null && (game.status === "finished" || game.status === "aborted");
}

/** @param {Seen} seen @param {import("../table/model.js").Drawing | null} drawing @param {Model} model @param {boolean} isLate @param {Apply} apply */
function line(seen, drawing, model, isLate, apply) {
  const { round, table, game } = seen;
  const names = list(table.players.map(entrantName));
  const state = isOver(seen)
    ? h("span", { class: "good" }, table.result === null ? t("over") : t("result set"))
    : table.paused
      ? h("span", { class: "wait" }, t("the clock stands"))
      : isLate && h("span", { class: "wait" }, t("late"));
  return h(
    "li",
    { "data-key": table.game },
    h(
      "span",
      null,
      h("strong", null, t("Table {number}", { number: table.table })),
      " ",
      state,
      h("div", { class: "small quiet" }, names),
      table.result === null &&
        game !== null &&
        game.status === "active" &&
        h("div", { class: "small" }, waits(game, drawing, model.kind, table.paused)),
    ),
    h(
      "div",
      { class: "acts" },
      h(
        "a",
        {
          class: "button",
          href: `/games/${table.game}`,
          "aria-label": t("Look at table {number}", { number: table.table }),
        },
        t("Look"),
      ),
      decideButton(model, apply, round, table, !isOver(seen)),
    ),
  );
}

/** Where a table stands, and for whom it waits. @param {Game} game @param {import("../table/model.js").Drawing | null} drawing @param {Model["kind"]} kind @param {boolean} isPaused */
function waits(game, drawing, kind, isPaused) {
  const where =
    drawing === null || game.view === null ? "" : drawing.progress(modelOf({ ...game, you: null }, kind, false));
  const deadline = isPaused ? null : game.deadline;
  const waited = game.seats.filter((seat) => game.to_act.includes(seat.seat));
  const away = game.seats.filter((seat) => seat.away === true).map(seated);
  const waiting = waited.length > 0 ? t("waits for {names}", { names: list(waited.map(seated)) }) : "";
  const text = [where, waiting].filter((part) => part !== "").join(", ");
  return [
    text.charAt(0).toUpperCase() + text.slice(1),
    deadline !== null && [
      ", ",
      ...t("{time} left")
        .split("{time}")
        .flatMap((text, at) => (at === 0 ? [text] : [number(deadline), text])),
    ],
    away.length > 0 && h("span", { class: "bad" }, `, ${t("away: {names}", { names: list(away) })}`),
  ];
}
