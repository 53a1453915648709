// The organiser's desk: entering, starting, pausing, tables that are late, entrants, organisers, calling off.

import { post } from "../api.js";
import { fill, h, update } from "../dom.js";
import { form } from "../fields.js";
import { dialog } from "../frame.js";
import { copyButton } from "../pages/copy.js";
import { working } from "../pages/play.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { count } from "../words.js";
import { makeCalls } from "./calls.js";
import { missingCount } from "./check_in.js";
import { makeCopying } from "./copying.js";
import { makeEditing } from "./editing.js";
import { makeAnnouncing } from "./announcements.js";
import { enterForm } from "./enter.js";
import { makeEntrants } from "./entrants.js";
import { makeHall } from "./hall.js";
import { isArena, isEntryOpen } from "./model.js";
import { makeOrganisers } from "./organisers.js";
import { makePausing } from "./pausing.js";
import { showPenalties } from "./penalties.js";
import { makePrescribing } from "./prescribing.js";
import { makeWaiting } from "./waiting.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {(now: Tournament) => void} Apply */
/** @typedef {{ node: HTMLElement, draw: () => void }} Part */

/** @param {Model} model @param {Apply} apply @param {AbortSignal} signal @returns {Part} */
export function makeDesk(model, apply, signal) {
  const node = h("section", { class: "panel desk noprint", "aria-label": t("Organiser's desk"), hidden: true });
  /** @type {Part[]} */
  let parts = [];
  let drawn = "";
  let building = new AbortController();
  const draw = () => {
    const { status } = model.tournament;
    const role = model.isDirector ? "director" : model.isOrganiser ? "referee" : "";
    const now = `${role} ${status} ${isEntryOpen(model.tournament)} ${session.account()?.username}`;
    if (now !== drawn) {
      drawn = now;
      // The parts before these load nothing more.
      building.abort();
      building = new AbortController();
      const built = AbortSignal.any([signal, building.signal]);
      parts = model.isOrganiser ? partsOf(model, apply, built) : [];
      node.hidden = parts.length === 0;
      fill(
        node,
        h("h2", null, t("Organiser's desk")),
        parts.map((part) => part.node),
      );
    }
    for (const part of parts) part.draw();
  };
  return { node, draw };
}

/** What the reader may do now; a referee has less. @param {Model} model @param {Apply} apply @param {AbortSignal} signal @returns {Part[]} */
function partsOf(model, apply, signal) {
  const { isDirector, tournament } = model;
  const { status } = tournament;
  const isOver = status === "finished" || status === "aborted";
  const isOpen = status === "open";
  /** @type {[boolean, () => Part[]][]} */
  const all = [
    [isOpen && isDirector, () => [starting(model, apply), makePrescribing(model, apply), entering(model, apply)]],
    [status === "active", () => running(model, apply, signal)],
    [!isOver, () => [makeAnnouncing(model, apply)]],
    [status !== "aborted", () => [makeEntrants(model, apply)]],
    [status === "active" && isDirector, () => [makeWaiting(model, apply, signal)]],
    [status === "active" && isDirector && isEntryOpen(tournament), () => [entering(model, apply)]],
    [!isOver, () => [makeOrganisers(model, apply)]],
    [!isOver && isDirector, () => [makeEditing(model, apply)]],
    [!isOpen, () => [penalties(model, apply)]],
    [!isOpen, () => [makeCopying(model)]],
    [!isOver && isDirector, () => [callingOff(model, apply)]],
  ];
  return all.flatMap(([has, parts]) => (has ? parts() : []));
}

/** @param {Model} model @param {Apply} apply @param {AbortSignal} signal @returns {Part[]} */
function running(model, apply, signal) {
  const calls = makeCalls(model, apply);
  const hall = makeHall(model, apply, signal, () => {
    pausing?.draw();
    calls.draw();
  });
  const pausing = model.isDirector ? makePausing(model, apply, hall.isRoundOver) : null;
  return pausing === null ? [calls, hall] : [calls, pausing, makePrescribing(model, apply), hall];
}

/** @param {Model} model @param {Apply} apply @returns {Part} */
function starting(model, apply) {
  const node = h("div");
  const start = async () => {
    apply(/** @type {Tournament} */ (await post(`/v1/tournaments/${model.tournament.id}/start`)));
    box?.close();
  };
  /** @type {HTMLDialogElement | null} */
  let box = null;
  const ask = () => {
    const number = count(model.tournament.entrants, "{n} entrant.", "{n} entrants.");
    const missing = missingCount(model);
    const absent =
      missing === 0 ? "" : count(missing, "{n} is not here, and gets no seat.", "{n} are not here, and get no seat.");
    const { waiting } = model.tournament;
    const left =
      waiting === 0
        ? ""
        : missing > 0
          ? t("Whoever is on the waiting list and is here takes such a place.")
          : count(waiting, "{n} on the waiting list gets no place.", "{n} on the waiting list get no place.");
    const late = model.tournament.setup.late_entry;
    const then = isArena(model.tournament)
      ? t("The first tables are drawn at once. Players can come until the time is up.")
      : late === null
        ? t("Nobody can enter after the start, and the first round is drawn at once.")
        : t("The first round is drawn at once. Late entrants can begin until round {round}.", {
            round: late.until_round,
          });
    const text = [number, absent, left, then].filter((part) => part !== "").join(" ");
    box = dialog(
      t("Start the tournament?"),
      form({ send: t("Start"), work: start, cancel: () => box?.close() }, h("p", null, text)),
    );
  };
  const draw = () => {
    const { entrants, waiting, invite, id } = model.tournament;
    const address = `${location.origin}/tournaments/${id}${invite === null ? "" : `?invite=${encodeURIComponent(invite)}`}`;
    update(
      node,
      h(
        "p",
        null,
        count(entrants, "{n} entrant so far.", "{n} entrants so far."),
        waiting > 0 && ` ${count(waiting, "{n} waits for a place.", "{n} wait for a place.")}`,
        " ",
        t("Players enter by themselves at this address:"),
      ),
      h("p", null, h("code", null, address)),
      h(
        "div",
        { class: "row" },
        h("button", { class: "likely", onclick: ask, disabled: entrants < 2 }, t("Start the tournament")),
        copyButton(address, t("Copy the address")),
      ),
    );
  };
  return { node, draw };
}

/** @param {Model} model @param {Apply} apply @returns {Part} */
function entering(model, apply) {
  const node = h(
    "details",
    { open: model.tournament.status === "open" },
    h("summary", null, t("Enter players and bots")),
    enterForm(model.tournament, apply),
  );
  return { node, draw: () => {} };
}

/** @param {Model} model @param {Apply} apply @returns {Part} */
function penalties(model, apply) {
  const show = h("button", { onclick: () => showPenalties(model, apply) }, t("Penalties"));
  return { node: h("div", { class: "below" }, show), draw: () => {} };
}

/** @param {Model} model @param {Apply} apply @returns {Part} */
function callingOff(model, apply) {
  const work = async () => {
    apply(/** @type {Tournament} */ (await post(`/v1/tournaments/${model.tournament.id}/abort`)));
    box?.close();
  };
  /** @type {HTMLDialogElement | null} */
  let box = null;
  const ask = async () => {
    const text = t("All its tables stop. The standings stay as they are. This cannot be undone.");
    box = dialog(
      t("Call the tournament off?"),
      form({ send: t("Call it off"), work, cancel: () => box?.close() }, h("p", null, text)),
    );
  };
  return { node: h("div", { class: "below" }, working(t("Call the tournament off"), ask, "bare bad")), draw: () => {} };
}
