// Holding the next round back, stopping the clocks of all tables, and letting it all go on.

import { post } from "../api.js";
import { h } from "../dom.js";
import { field, form, tick } from "../fields.js";
import { dialog } from "../frame.js";
import { working } from "../pages/play.js";
import { t } from "../texts.js";
import { sentence } from "../words.js";
import { isArena, isLastRound } from "./model.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {(now: Tournament) => void} Apply */

/** @param {Model} model @param {Apply} apply @param {() => boolean} isRoundOver */
export function makePausing(model, apply, isRoundOver) {
  const node = h("div");
  const resume = async () => apply(/** @type {Tournament} */ (await post(`${path(model)}/resume`)));
  // The reason stays.
  const stop = async () => {
    const wanted = { reason: model.news.pausedFor, stop_clocks: true };
    apply(/** @type {Tournament} */ (await post(`${path(model)}/pause`, wanted)));
  };
  const goesOn = {
    begun: working(t("Draw the first round"), resume, "likely"),
    drawn: working(t("Draw the next round"), resume, "likely"),
    ended: working(t("End the tournament"), resume, "likely"),
    alone: working(t("Do not hold it back"), resume, ""),
    clocks: working(t("Start the clocks"), resume, "likely"),
  };
  const stops = working(t("Stop the clocks"), stop, "");
  const hold = h("button", { onclick: () => pause(model, apply) }, t("Pause"));
  let drawn = "";
  const draw = () => {
    const { paused, clocks_stopped: isStopped } = model.tournament;
    const reason = paused ? model.news.pausedFor : "";
    const [isLast, isOver] = [isLastRound(model.tournament), isRoundOver()];
    const isFirst = model.tournament.round === 0;
    const now = JSON.stringify([paused, isStopped, reason, isLast, isOver, isFirst]);
    // A button that is at work stays.
    if (now === drawn) return;
    drawn = now;
    const waits = isOver && (isLast || !isArena(model.tournament));
    const next = isFirst ? goesOn.begun : waits ? (isLast ? goesOn.ended : goesOn.drawn) : null;
    const text = isFirst && paused ? t("The first round waits for you.") : words(model.tournament, isOver);
    node.replaceChildren(
      h(
        "div",
        { class: "row apart" },
        h("p", { class: paused ? "wait" : "quiet" }, text, reason !== "" && ` ${sentence(reason)}`),
        !paused ? hold : (next ?? h("div", { class: "row" }, isStopped ? goesOn.clocks : [stops, goesOn.alone])),
      ),
    );
  };
  return { node, draw };
}

/** @param {Tournament} tournament @param {boolean} isOver whether all tables are over */
function words(tournament, isOver) {
  const { paused, clocks_stopped: isStopped } = tournament;
  const isLast = isLastRound(tournament);
  if (isArena(tournament) && !isLast) {
    if (!paused) return t("Players who are free get the next table.");
    return isStopped
      ? t("The clocks of all tables stand still, and nobody gets a table.")
      : t("Nobody gets a table. The games play on.");
  }
  if (!paused)
    return isLast
      ? t("The tournament ends when the last table is over.")
      : t("The next round is drawn when the last table is over.");
  if (isOver)
    return isLast
      ? t("All tables are over. The end waits for you.")
      : t("All tables are over. The next round waits for you.");
  if (isStopped)
    return isLast
      ? t("The clocks of all tables stand still, and you hold the end back.")
      : t("The clocks of all tables stand still, and you hold the next round back.");
  return isLast
    ? t("You hold the end back. The tables play on.")
    : t("You hold the next round back. The tables play on.");
}

/** @param {Model} model */
function path({ tournament }) {
  return `/v1/tournaments/${tournament.id}`;
}

/** @param {Model} model @param {Apply} apply */
function pause(model, apply) {
  const reason = h("input", { id: "d-pause", class: "across", maxlength: 200, autocomplete: "off" });
  const clocks = tick("d-clocks", t("Stop the clocks of all tables"));
  const work = async () => {
    const wanted = { reason: reason.value.trim(), stop_clocks: clocks.box.checked };
    apply(/** @type {Tournament} */ (await post(`${path(model)}/pause`, wanted)));
    box.close();
  };
  const told = h("p");
  const tell = () => {
    told.textContent = clocks.box.checked
      ? t("Nobody plays, and no round is drawn, until you say so.")
      : t("No round is drawn until you say so. The running tables play on, and their clocks run.");
  };
  clocks.box.onchange = tell;
  tell();
  const box = dialog(
    t("Pause the tournament?"),
    form(
      { send: t("Pause"), work, cancel: () => box.close() },
      told,
      clocks.node,
      field("d-pause", t("Reason"), reason, t("Everybody reads it. It may be left out.")),
    ),
  );
}
