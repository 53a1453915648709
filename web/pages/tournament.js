// A tournament: its standings live, rounds and tables, entering, the organiser's desk; for a projector with `?screen=projector`.

import { get } from "../api.js";
import { fill, h, update } from "../dom.js";
import { away, say } from "../frame.js";
import { toldKind } from "../kinds/told.js";
import * as session from "../session.js";
import { follow } from "../stream.js";
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
import { isRunning, loadNews, loadStandings, placesBefore } from "../tournament/model.js";
import { pages } from "../tournament/pages.js";
import { hasPenalties, showPenalties } from "../tournament/penalties.js";
import { showOnScreen } from "../tournament/projector.js";
import { fairness, rounds } from "../tournament/rounds.js";
import { meaning, standingsTable } from "../tournament/standings.js";
import { entrantName, held, settings, state } from "../tournament/words.js";
import { t } from "../texts.js";
import { minute, person } from "../words.js";

/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../tournament/model.js").Model} Model */

/** Hands end between the entries of a tournament's log: so often the standings are asked for while a round runs, in ms. */
const PACE = 5000;

/** @param {import("../router.js").Visit} visit */
export async function render(visit) {
  const { params, query, signal, title } = visit;
  const id = params.id ?? "";
  const tournament = /** @type {Tournament} */ (await get(`/v1/tournaments/${encodeURIComponent(id)}`, { signal }));
  const [kind, standings, news] = await Promise.all([
    toldKind(tournament.setup.kind),
    loadStandings(tournament.id, signal),
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
    news,
    before: null,
    here: null,
    calls: null,
    isOrganiser: organises(tournament),
  };
  const draw =
    query.get("screen") === "projector" ? showOnScreen(visit, model) : page(visit, model, (now) => apply(now));
  const apply = (/** @type {Tournament} */ now) => {
    if (now.version < model.tournament.version) return;
    model.tournament = now;
    model.isOrganiser = organises(now);
    title(now.setup.name);
    draw();
    due(0);
  };
  const due = refresher(loader(model, draw, signal), () => isRunning(model.tournament), signal);
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
    const wanted = `${now.rounds.length}`;
    const mayKnow = hasCheckIn(now) && model.isOrganiser;
    const [fresh, before, news, here, calls] = await Promise.all([
      loadStandings(now.id, signal),
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
      JSON.stringify(fresh) === JSON.stringify(model.standings);
    if (isSame) return;
    places = wanted;
    told = now.version;
    hear(model.news, news);
    hearCalls(model, calls);
    model.news = news;
    model.standings = fresh;
    model.here = here;
    model.calls = calls;
    model.before = before;
    draw();
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

/** @param {Tournament} tournament */
function organises(tournament) {
  const me = session.account();
  return me !== null && (me.role === "admin" || tournament.organisers.includes(me.username));
}

/**
 * Loads again soon, and then from time to time while something may change; one load at a time.
 * @param {() => Promise<void>} load @param {() => boolean} goesOn @param {AbortSignal} signal
 */
function refresher(load, goesOn, signal) {
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
    // The line about the connection says what is wrong.
    await load().catch(() => {});
    isBusy = false;
    if (goesOn()) due(PACE);
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
      const before = model.tournament.rounds.length;
      const now =
        event === "tournament"
          ? /** @type {Tournament} */ (data)
          : /** @type {{ tournament: Tournament }} */ (data).tournament;
      apply(now);
      if (now.rounds.length > before) say(t("Round {round} begins.", { round: now.rounds.length }));
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

/** @param {import("../router.js").Visit} visit @param {Model} model @param {(now: Tournament) => void} apply */
function page({ main, query, signal }, model, apply) {
  const places = { head: h("div"), details: h("div"), news: h("div"), standings: h("div"), rounds: h("div") };
  const entry = makeEntry(model, apply, query.get("invite") ?? "");
  const desk = makeDesk(model, apply, signal);
  const checking = makeChecking(model);
  const crosstable = makeCrosstable(model, signal);
  const wake = alarm(() => draw(), signal);
  const parts = pages(() => draw(), signal);
  let hasTies = false;
  const ties = h(
    "button",
    {
      class: "bare noprint",
      "aria-pressed": "false",
      onclick: () => {
        hasTies = !hasTies;
        ties.setAttribute("aria-pressed", String(hasTies));
        draw();
      },
    },
    t("Tie-breaks"),
  );
  const onPenalties = (/** @type {import("../types.d.ts").Standing} */ one) => showPenalties(model, apply, one);
  const penalties = h("button", { class: "bare noprint", onclick: () => showPenalties(model, apply) }, t("Penalties"));
  fill(
    main,
    places.head,
    places.news,
    entry.node,
    places.details,
    desk.node,
    h("div", { class: "row apart" }, h("h2", null, t("Standings")), h("div", { class: "row" }, penalties, ties)),
    places.standings,
    crosstable.node,
    places.rounds,
    checking.node,
    downloads(model),
  );
  main.classList.add("tournament");
  const draw = () => {
    update(places.head, head(model));
    update(places.news, announcements(model));
    update(places.details, details(model));
    wake(model.tournament);
    for (const part of [entry, checking, crosstable, desk]) part.draw();
    penalties.hidden = !hasPenalties(model);
    ties.hidden = model.standings.length === 0;
    const listed = parts.of("standings", model.standings, (one) => one.entrant === model.tournament.you?.entrant);
    update(
      places.standings,
      model.standings.length === 0
        ? h("p", { class: "quiet" }, t("Whoever enters is listed here."))
        : [standingsTable(model, { hasTies, isScreen: false, onPenalties }, listed.items), listed.more, meaning(model)],
    );
    update(places.rounds, rounds(model, parts, apply), fairness(model));
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
    h("p", { class: "small quiet onlyprint" }, by + over),
  ];
}
