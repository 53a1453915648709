// The rounds and their tables, each with a link to its game.

import { h } from "../dom.js";
import { listRow, listTable } from "../pages/list.js";
import { t } from "../texts.js";
import { count, list, whole } from "../words.js";
import { isArena, tablesOf } from "./model.js";
import { decideButton } from "./table_acts.js";
import { toldOf } from "./table_told.js";
import { byesText, entrantName } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Round} Round */
/** @typedef {import("../types.d.ts").RoundTable} RoundTable */
/** @typedef {(now: import("../types.d.ts").Tournament) => void} Apply */

/**
 * @param {Model} model @param {import("./pages.js").Pages} pages @param {Apply} apply
 * @param {(round: number, isOpen: boolean) => void} onOpen called where a reader opens a round, or closes it
 */
export function rounds(model, pages, apply, onOpen) {
  const { tournament } = model;
  if (tournament.round === 0) return null;
  const isShort = pages.isShort(tournament.rounds.reduce((sum, round) => sum + round.tables.length, 0));
  return [h("h2", null, t("Rounds")), numbers(tournament).map(part)];

  /** @param {number} number */
  function part(number) {
    const [key, shown] = [`round-${number}`, tournament.rounds.find(({ round }) => round === number)];
    const isOpen = number === tournament.round;
    return h(
      "details",
      {
        class: "round",
        "data-key": key,
        open: isOpen,
        ontoggle: (/** @type {Event} */ event) => {
          const { open } = /** @type {HTMLDetailsElement} */ (event.currentTarget);
          if (open) pages.open(key);
          // The newest round opens by itself.
          if (number !== model.tournament.round) onOpen(number, open);
        },
      },
      h(
        "summary",
        null,
        t("Round {round}", { round: number }),
        shown !== undefined &&
          h("span", { class: "quiet small" }, count(shown.table_count, "{n} table", "{n} tables")),
      ),
      (isOpen || pages.isOpened(key) || (isShort && shown !== undefined)) &&
        tables(model, number, shown, pages, apply),
    );
  }
}

/**
 * Folds the round that was the newest before, when another has begun; in an arena, both are played. Returns the newest.
 * @param {HTMLElement} place @param {import("../types.d.ts").Tournament} tournament @param {number} before
 */
export function foldEarlier(place, tournament, before) {
  if (before !== tournament.round && !isArena(tournament))
    place.querySelector(`[data-key="round-${before}"]`)?.removeAttribute("open");
  return tournament.round;
}

/** The rounds that can be looked at, the newest first: of an arena, those that the tournament shows. @param {import("../types.d.ts").Tournament} tournament */
function numbers(tournament) {
  if (isArena(tournament)) return tournament.rounds.map(({ round }) => round).toReversed();
  return Array.from({ length: tournament.round }, (_, at) => tournament.round - at);
}

/**
 * @param {Model} model @param {number} number @param {Round | undefined} round undefined where the tournament does not show it
 * @param {import("./pages.js").Pages} pages @param {Apply} apply
 */
function tables(model, number, round, pages, apply) {
  const { tournament } = model;
  const isNewest = isArena(tournament) || number === tournament.round;
  const isNow = tournament.status === "active" && isNewest;
  const isOwn = (/** @type {RoundTable} */ table) => tournament.you?.game === table.game && isNow;
  const known = tablesOf(model, number);
  if (known.length === 0) return h("p", { class: "quiet" }, t("The tables are being loaded."));
  const page = pages.of(`round-${number}`, known, isOwn);
  const rows = page.items.map((table) => {
    const isMine = isOwn(table);
    const action = isMine ? t("My seat") : isNow && table.result === null ? t("Watch") : t("Replay");
    const href = `/games/${table.game}`;
    return listRow(
      { key: table.game, class: isMine ? "mine" : "" },
      [table.table, "number place"],
      [[list(table.players.map((name, seat) => seatText(table, name, seat))), toldOf(table)], "small"],
      [
        [
          h(
            "a",
            { class: "button", href, "aria-label": t("{action}: table {number}", { action, number: table.table }) },
            action,
          ),
          decideButton(model, apply, number, table),
        ],
        "end",
      ],
    );
  });
  return [
    listTable([[t("Table"), "number place"], [t("Players")], [""]], rows),
    page.more,
    round !== undefined &&
      round.bye_count > 0 &&
      h(
        "p",
        { class: "small quiet below" },
        count(round.bye_count, "{names} sits out.", "{names} sit out.", { names: byesText(round) }),
      ),
    round?.rematches != null && h("p", { class: "small quiet below" }, rematchesText(round.rematches)),
  ];
}

/** Who sits there, and in a freezeout with how many chips. @param {RoundTable} table @param {string | null} name @param {number} seat */
function seatText({ stacks }, name, seat) {
  const stack = stacks[seat];
  return stack === undefined ? entrantName(name) : t("{name} with {chips}", { name: entrantName(name), chips: whole(stack) });
}

/** @param {import("../types.d.ts").Rematches} rematches */
function rematchesText({ pairs, fewest }) {
  if (pairs === 0) return t("Nobody meets anybody again.");
  const again = count(pairs, "{n} pair meets again.", "{n} pairs meet again.");
  return pairs === fewest ? `${again} ${t("With these entrants it cannot be fewer.")}` : again;
}

/** How the seats are drawn, and with what that can be checked. @param {Model} model */
export function fairness({ tournament }) {
  const { commitment, server_seed: seed } = tournament.fairness;
  return h(
    "details",
    { class: "noprint", "data-key": "fairness" },
    h("summary", null, t("How seats are drawn")),
    h(
      "p",
      null,
      t(
        "Tables and seats of each round follow from a seed to which the house bound itself before anybody could enter. The seed is shown when the tournament is over; with the log, anybody can draw the lots again.",
      ),
    ),
    h(
      "dl",
      { class: "facts" },
      h("dt", null, t("Commitment")),
      h("dd", null, h("code", null, commitment)),
      seed !== null && [h("dt", null, t("Seed")), h("dd", null, h("code", null, seed))],
    ),
    h("p", null, h("a", { href: `/v1/tournaments/${tournament.id}/log`, target: "_blank" }, t("The log"))),
  );
}
