// A tournament: its standings live, rounds and tables, entering, the organiser's desk; for a projector with `?screen=projector`.

import { get } from "../api.js";
import { fill, h, update } from "../dom.js";
import { away, say } from "../frame.js";
import { toldKind } from "../kinds/told.js";
import * as session from "../session.js";
import { follow } from "../stream.js";
import { seriesLinks } from "../series/words.js";
import { style } from "../style.js";
import { announcements, SHOWN } from "../tournament/announcements.js";
import { alarm } from "../tournament/alarm.js";
import { hasCalls, loadCalls } from "../tournament/calls.js";
import { hasCheckIn, loadPresence } from "../tournament/check_in.js";
import { makeChecking } from "../tournament/checking.js";
import { makeCrosstable } from "../tournament/crosstable.js";
import { details } from "../tournament/details.js";
import { makeDesk } from "../tournament/desk.js";
import { makeEntry } from "../tournament/entry.js";
import { downloads } from "../tournament/export.js";
import { makeLuck } from "../tournament/luck.js";
import {
  isArena,
  isRunning,
  loadNews,
  loadStandings,
  loadTables,
  loadTeams,
  placesBefore,
} from "../tournament/model.js";
import { pages } from "../tournament/pages.js";
import { hasPenalties, showPenalties } from "../tournament/penalties.js";
import { prescribed } from "../tournament/prescribing.js";
import { showOnScreen } from "../tournament/projector.js";
import { fairness, foldEarlier, rounds } from "../tournament/rounds.js";
import { roleIn } from "../tournament/roles.js";
import { meaning, standingsTable } from "../tournament/standings.js";
import { makeTeams } from "../tournament/team_standings.js";
import { entrantName, held, settings, state } from "../tournament/words.js";
import { t } from "../texts.js";
import { minute, person } from "../words.js";

/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../tournament/model.js").Model} Model */

/** Hands end between the entries of a tournament's log: so often the standings are asked for while a round runs, in ms. */
const PACE = 5000;
/** Large standings come in many pages, and are asked for the less often: so many ms pass for each of their rows. */
const PACE_OF_A_ROW = 5;

/** @param {import("../router.js").Visit} visit */
export async function render(visit) {
  const { params, query, signal, title } = visit;
  const id = params.id ?? "";
  const tournament = /** @type {Tournament} */ (await get(`/v1/tournaments/${encodeURIComponent(id)}`, { signal }));
  const [kind, standings, teams, news] = await Promise.all([
    toldKind(tournament.setup.kind),
    loadStandings(tournament.id, signal),
    loadTeams(tournament, signal),
    loadNews(tournament, SHOWN, signal),
    style("tournament", signal),
  ]);
  if (signal.aborted) return;
  title(tournament.setup.name);
  /** @type {Model} */
  const model = {
    tournament,
    kind,
    standings,
    teams,
    news,
    before: null,
    here: null,
    calls: null,
    tables: new Map(),
    opened: new Set(),
    ...roleIn(tournament),
  };
  const draw =
    query.get("screen") === "projector"
      ? showOnScreen(visit, model)
      : page(visit, model, (now) => apply(now), (round, isOpen) => turn(round, isOpen));
  const apply = (/** @type {Tournament} */ now) => {
    if (now.version < model.tournament.version) return;
    model.tournament = now;
    Object.assign(model, roleIn(now));
    title(now.setup.name);
    draw();
    void list().catch(() => {});
    due(0);
  };
  const turn = (/** @type {number} */ round, /** @type {boolean} */ isOpen) => {
    if (isOpen) model.opened.add(round);
    else model.opened.delete(round);
    void list().catch(() => due(0));
  };
  const list = lister(model, draw, signal);
  const load = loader(model, draw, signal);
  const due = refresher(() => Promise.all([load(), list()]), model, signal);
  draw();
  due(0);
  live(model, apply, signal);
}

/**
 * Loads what is not in the tournament itself, and draws where something differs.
 * @param {Model} model @param {() => void} draw @param {AbortSignal} signal
 */
function loader(model, draw, signal) {
  let places = "";
  let told = model.tournament.version;
  return async () => {
    const now = model.tournament;
    const wanted = `${now.round}`;
    const mayKnow = hasCheckIn(now) && model.isOrganiser;
    const [fresh, teams, before, news, here, calls] = await Promise.all([
      loadStandings(now.id, signal),
      loadTeams(now, signal),
      wanted === places ? model.before : placesBefore(now, signal),
      now.version === told ? model.news : loadNews(now, SHOWN, signal),
      !mayKnow ? null : now.version === told && model.here !== null ? model.here : loadPresence(now, signal),
      !hasCalls(model) ? null : now.version === told && model.calls !== null ? model.calls : loadCalls(now.id, signal),
    ]);
    if (signal.aborted) return;
    const isSame =
      wanted === places &&
      now.version === told &&
      here === model.here &&
      calls === model.calls &&
      JSON.stringify([fresh, teams]) === JSON.stringify([model.standings, model.teams]);
    if (isSame) return;
    places = wanted;
    told = now.version;
    hear(model.news, news);
    hearCalls(model, calls);
    model.news = news;
    model.standings = fresh;
    model.teams = teams;
    model.here = here;
    model.calls = calls;
    model.before = before;
    draw();
  };
}

/**
 * Loads the tables that somebody looks at and that the tournament does not show; one load at a time.
 * @param {Model} model @param {() => void} draw @param {AbortSignal} signal
 */
function lister(model, draw, signal) {
  let isBusy = false;
  return async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      // Meanwhile the tournament may have changed, or another round was opened.
      while (await loadTables(model, signal)) draw();
    } finally {
      isBusy = false;
    }
  };
}

/** Says what is new. @param {Model["news"]} before @param {Model["news"]} now */
function hear(before, now) {
  const last = before.announcements[0]?.seq ?? 0;
  for (const one of now.announcements.filter(({ seq }) => seq > last).toReversed()) say(one.text);
}

/** Says to organisers who calls, and to the caller what came of it. @param {Model} model @param {Model["calls"]} now */
function hearCalls({ calls: before, tournament, isOrganiser }, now) {
  for (const call of before === null || now === null ? [] : now.toReversed()) {
    const known = before?.find((one) => one.call === call.call);
    const name = entrantName(call.player);
    if (isOrganiser && known === undefined) say(t("{name} calls a referee: {text}", { name, text: call.text }));
    else if (call.player === tournament.you?.player && known?.answered_at === null && call.answered_at !== null)
      say(call.answer || t("A referee has seen to your call."));
  }
}

/**
 * Loads again soon, and then from time to time while something may change; one load at a time.
 * @param {() => Promise<unknown>} load @param {Model} model @param {AbortSignal} signal
 */
function refresher(load, model, signal) {
  const pace = () => Math.max(PACE, model.standings.length * PACE_OF_A_ROW);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isBusy = false;
  const due = (/** @type {number} */ wait) => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(() => void run(), Math.max(150, wait));
  };
  const run = async () => {
    if (isBusy || document.hidden) return due(PACE);
    isBusy = true;
    // The line about the connection says what is wrong. What could not be loaded is loaded later, after the end, too.
    const isLoaded = await load().then(
      () => true,
      () => false,
    );
    isBusy = false;
    if (isRunning(model.tournament) || !isLoaded) due(pace());
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  return due;
}

/** @param {Model} model @param {(now: Tournament) => void} apply @param {AbortSignal} signal */
function live(model, apply, signal) {
  const path = `/v1/tournaments/${model.tournament.id}`;
  follow(`${path}/stream`, {
    signal,
    onEvent: ({ event, data }) => {
      const before = model.tournament.round;
      const now =
        event === "tournament"
          ? /** @type {Tournament} */ (data)
          : /** @type {{ tournament: Tournament }} */ (data).tournament;
      apply(now);
      if (now.round > before && !isArena(now)) say(t("Round {round} begins.", { round: now.round }));
    },
    onAway: away,
    isOver: () => !isRunning(model.tournament),
  });
  // Another caller may organise it, or have entered.
  session.onChange(() => {
    void get(path, { signal })
      .then((now) => apply(/** @type {Tournament} */ (now)))
      .catch(() => {});
  }, signal);
}

/** Where the parts of the page stand that are drawn anew. */
function placesOf() {
  const place = () => h("div");
  return {
    head: place(),
    details: place(),
    news: place(),
    prescribed: place(),
    teams: place(),
    standings: place(),
    rounds: place(),
  };
}

/** The button that shows the tie-breaks, and hides them. @param {() => void} redraw */
function tiesButton(redraw) {
  let isOn = false;
  const turn = () => {
    isOn = !isOn;
    node.setAttribute("aria-pressed", String(isOn));
    redraw();
  };
  const node = h("button", { class: "bare noprint", "aria-pressed": "false", onclick: turn }, t("Tie-breaks"));
  return { node, isOn: () => isOn };
}

/**
 * @param {import("../router.js").Visit} visit @param {Model} model @param {(now: Tournament) => void} apply
 * @param {(round: number, isOpen: boolean) => void} onOpen called where a reader opens a round, or closes it
 */
function page({ main, query, signal }, model, apply, onOpen) {
  const [places, teams] = [placesOf(), makeTeams(model, () => draw())];
  const entry = makeEntry(model, apply, query.get("invite") ?? "");
  const desk = makeDesk(model, apply, signal);
  const checking = makeChecking(model);
  const crosstable = makeCrosstable(model, signal);
  const luck = makeLuck(model, signal);
  const wake = alarm(() => draw(), signal);
  const parts = pages(() => draw(), signal);
  const ties = tiesButton(() => draw());
  const onPenalties = (/** @type {import("../types.d.ts").Standing} */ one) => showPenalties(model, apply, one);
  const penalties = h("button", { class: "bare noprint", onclick: () => showPenalties(model, apply) }, t("Penalties"));
  fill(
    main,
    places.head,
    places.news,
    entry.node,
    places.details,
    seriesLinks(model.tournament.id, signal),
    desk.node,
    places.prescribed,
    places.teams,
    h("div", { class: "row apart" }, h("h2", null, t("Standings")), h("div", { class: "row" }, penalties, ties.node)),
    places.standings,
    crosstable.node,
    luck.node,
    places.rounds,
    checking.node,
    downloads(model),
  );
  main.classList.add("tournament");
  let newest = 0;
  const draw = () => {
    update(places.head, head(model));
    update(places.news, announcements(model));
    update(places.details, details(model));
    update(places.prescribed, prescribed(model.tournament));
    update(places.teams, teams.draw(parts));
    wake(model.tournament);
    for (const part of [entry, checking, crosstable, luck, desk]) part.draw();
    penalties.hidden = !hasPenalties(model);
    ties.node.hidden = model.standings.length === 0;
    const listed = parts.of("standings", model.standings, (one) => one.entrant === model.tournament.you?.entrant);
    update(
      places.standings,
      model.standings.length === 0
        ? h("p", { class: "quiet" }, t("Whoever enters is listed here."))
        : [
            standingsTable(model, { hasTies: ties.isOn(), isScreen: false, onPenalties }, listed.items),
            listed.more,
            meaning(model),
          ],
    );
    update(places.rounds, rounds(model, parts, apply, onOpen), fairness(model));
    newest = foldEarlier(places.rounds, model.tournament, newest);
  };
  return draw;
}

/** @param {Model} model */
export function head(model) {
  const { tournament, kind } = model;
  const by = t("Organised by {name}", { name: person(tournament.created_by) });
  const over = tournament.ended_at !== null ? `, ${t("ended {time}", { time: minute(tournament.ended_at) })}` : "";
  return [
    h("h1", null, tournament.setup.name),
    h("p", { class: "small quiet" }, settings(tournament, kind.name)),
    h("p", { class: "state" }, state(model)),
    tournament.paused && tournament.status === "active" && h("p", { class: "wait" }, held(model)),
    tournament.status === "finished" &&
      h(
        "div",
        { class: "row noprint" },
        ...[
          ["result", t("Certificate of the winner")],
          ["score", t("Certificate of the other prize")],
        ].map(([ranking, text]) =>
          h("a", { class: "button", href: `/tournaments/${tournament.id}/certificates/${ranking}` }, text),
        ),
      ),
    h("p", { class: "small quiet onlyprint" }, by + over),
  ];
}
