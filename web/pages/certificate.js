// The certificate of those who won a tournament by one of its rankings: a sheet for each of them, and the hash that proves it.

import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { toldKind } from "../kinds/told.js";
import { style } from "../style.js";
import { entrantName, resultMeaning, resultText, scoreMeaning } from "../tournament/words.js";
import { t } from "../texts.js";
import { count, list, sentence, whole } from "../words.js";
import { dayIn, zoneOf } from "../zones.js";

/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").Schemas["Certificate"]} Certificate */
/** @typedef {Certificate["statement"]["winners"][number]} Winner */

/** So many sheets are shown of those who share a place. */
const MOST = 100;

/** @param {import("../router.js").Visit} visit */
export async function render({ params, main, signal, title }) {
  const path = `/v1/tournaments/${encodeURIComponent(params.id ?? "")}`;
  /** @type {[Tournament, { items: Certificate[] }, void]} */
  const [tournament, { items }] = await Promise.all([
    get(path, { signal }),
    get(`${path}/certificates`, { signal }),
    style("certificate", signal),
  ]);
  const kind = await toldKind(tournament.setup.kind);
  if (signal.aborted) return;
  const certificate = items.find(({ statement }) => statement.ranking === params.ranking);
  title(t("Certificate: {name}", { name: tournament.setup.name }));
  main.classList.add("certificates");
  fill(
    main,
    h(
      "div",
      { class: "row noprint" },
      certificate !== undefined && h("button", { class: "likely", onclick: () => print() }, t("Print")),
      h("a", { class: "button", href: `/tournaments/${tournament.id}` }, t("To the tournament")),
    ),
    certificate === undefined
      ? [h("h1", null, tournament.setup.name), h("p", null, t("Nobody has won by this."))]
      : certificate.statement.winners.slice(0, MOST).map((winner) => sheet(tournament, kind.name, certificate, winner)),
  );
}

/** @param {Tournament} tournament @param {string} kind @param {Certificate} certificate @param {Winner} winner */
function sheet(tournament, kind, { hash, statement }, winner) {
  const { ranking, winners, entrants, tournament: told } = statement;
  const others = winners.filter((one) => one !== winner).map((one) => entrantName(one.player));
  const isByResult = ranking === "result";
  const figure = isByResult ? resultText(tournament, numberOf(winner.result)) : whole(winner.score ?? 0);
  const what = isByResult ? resultMeaning(tournament) : scoreMeaning(tournament);
  const facts = [
    [t("Game"), kind],
    [t("Entrants"), whole(entrants)],
    [t("Ended"), dayIn(told.ended_at, zoneOf(told.time_zone))],
    [t("Where"), told.venue],
    [t("Prize"), told.prize],
  ];
  return h(
    "article",
    { class: "certificate" },
    h("p", { class: "word" }, t("Certificate")),
    h("h1", null, told.name),
    h("p", { class: "name" }, entrantName(winner.player)),
    h("p", null, isByResult ? t("has won this tournament with the best result") : t("has won the prize for the best score")),
    h("p", { class: "figure" }, figure),
    h("p", { class: "small quiet" }, sentence(what)),
    others.length > 0 &&
      h(
        "p",
        { class: "small" },
        others.length > 8
          ? count(others.length, "The first place is shared with {n} other.", "The first place is shared with {n} others.")
          : t("The first place is shared with {names}.", { names: list(others) }),
      ),
    h(
      "dl",
      { class: "facts" },
      facts.map(([name, value]) => value !== null && [h("dt", null, name), h("dd", null, value)]),
    ),
    h(
      "footer",
      { class: "small" },
      h("p", { class: "quiet" }, t("Proof")),
      h("p", null, h("code", null, hash)),
      h(
        "p",
        { class: "quiet" },
        t("cardroom audit prints this hash when it has checked the tournament and its games from {address}.", {
          address: `${location.host}/tournaments/${told.id}`,
        }),
      ),
    ),
  );
}

/** A fraction as a number: "61/12". @param {string} text */
function numberOf(text) {
  const [over = 0, under = 1] = text.split("/").map(Number);
  return over / under;
}
