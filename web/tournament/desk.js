// The organiser's desk: entering, starting, pausing, tables that are late, entrants, organisers, calling off.

import { post } from "../api.js";
import { fill, h, update } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { copyButton } from "../pages/copy.js";
import { working } from "../pages/play.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { count, person } from "../words.js";
import { makeCalls } from "./calls.js";
import { hereCount } from "./check_in.js";
import { makeEditing } from "./editing.js";
import { makeAnnouncing } from "./announcements.js";
import { enterForm } from "./enter.js";
import { makeEntrants } from "./entrants.js";
import { makeHall } from "./hall.js";
import { isEntryOpen } from "./model.js";
import { makePausing } from "./pausing.js";
import { showPenalties } from "./penalties.js";

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
  const draw = () => {
    const { status } = model.tournament;
    const now = `${model.isOrganiser} ${status} ${isEntryOpen(model.tournament)} ${session.account()?.username}`;
    if (now !== drawn) {
      drawn = now;
      parts = model.isOrganiser ? partsOf(model, apply, signal) : [];
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

/** @param {Model} model @param {Apply} apply @param {AbortSignal} signal */
function partsOf(model, apply, signal) {
  const { status } = model.tournament;
  const isOver = status === "finished" || status === "aborted";
  return [
    ...(status === "open" ? [starting(model, apply), entering(model, apply)] : []),
    ...(status === "active" ? running(model, apply, signal) : []),
    ...(isOver ? [] : [makeAnnouncing(model, apply)]),
    ...(status === "aborted" ? [] : [makeEntrants(model, apply)]),
    ...(status === "active" && isEntryOpen(model.tournament) ? [entering(model, apply)] : []),
    ...(isOver ? [] : [organisers(model, apply), makeEditing(model, apply)]),
    ...(status === "open" ? [] : [penalties(model, apply)]),
    ...(isOver ? [] : [callingOff(model, apply)]),
  ];
}

/** @param {Model} model @param {Apply} apply @param {AbortSignal} signal @returns {Part[]} */
function running(model, apply, signal) {
  const calls = makeCalls(model, apply);
  const hall = makeHall(model, apply, signal, () => {
    pausing.draw();
    calls.draw();
  });
  const pausing = makePausing(model, apply, hall.isRoundOver);
  return [calls, pausing, hall];
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
    const missing = model.here === null ? 0 : model.here.size - (hereCount(model) ?? 0);
    const absent =
      missing === 0 ? "" : count(missing, "{n} is not here, and gets no seat.", "{n} are not here, and get no seat.");
    const late = model.tournament.setup.late_entry;
    const then =
      late === null
        ? t("Nobody can enter after the start, and the first round is drawn at once.")
        : t("The first round is drawn at once. Late entrants can begin until round {round}.", {
            round: late.until_round,
          });
    const text = [number, absent, then].filter((part) => part !== "").join(" ");
    box = dialog(
      t("Start the tournament?"),
      form({ send: t("Start"), work: start, cancel: () => box?.close() }, h("p", null, text)),
    );
  };
  const draw = () => {
    const { entrants, invite, id } = model.tournament;
    const address = `${location.origin}/tournaments/${id}${invite === null ? "" : `?invite=${encodeURIComponent(invite)}`}`;
    update(
      node,
      h(
        "p",
        null,
        count(entrants, "{n} entrant so far.", "{n} entrants so far."),
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
    enterForm(model.tournament.id, apply),
  );
  return { node, draw: () => {} };
}

/** @param {Model} model @param {Apply} apply @returns {Part} */
function penalties(model, apply) {
  const show = h("button", { onclick: () => showPenalties(model, apply) }, t("Penalties"));
  return { node: h("div", { class: "below" }, show), draw: () => {} };
}

/** @param {Model} model @param {Apply} apply @returns {Part} */
function organisers(model, apply) {
  const names = h("p");
  const name = h("input", {
    id: "d-organiser",
    class: "across",
    required: true,
    minlength: 3,
    maxlength: 32,
    autocomplete: "off",
    autocapitalize: "none",
  });
  const work = async () => {
    const path = `/v1/tournaments/${model.tournament.id}/organisers`;
    apply(/** @type {Tournament} */ (await post(path, { player: name.value.trim() })));
    name.value = "";
  };
  const me = session.account();
  const mayName = me !== null && (me.role === "admin" || me.username === model.tournament.created_by);
  const node = h(
    "details",
    null,
    h("summary", null, t("Organisers")),
    names,
    mayName &&
      form(
        { send: t("Name as organiser"), className: "", work },
        field(
          "d-organiser",
          t("Name of the account"),
          name,
          t("Organisers do all that stands here, but only you name others."),
        ),
      ),
  );
  const draw = () => {
    const text = model.tournament.organisers.map(person).join(", ");
    if (names.textContent !== text) names.textContent = text;
  };
  return { node, draw };
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
