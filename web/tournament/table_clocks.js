// The clock of one table in an organiser's hand: it is stopped and started, and everybody there or one player gets more time.

import { post } from "../api.js";
import { h } from "../dom.js";
import { field, form, numberInput } from "../fields.js";
import { dialog } from "../frame.js";
import { select } from "../pages/new_game.js";
import { working } from "../pages/play.js";
import { t } from "../texts.js";
import { whole } from "../words.js";
import { entrantName } from "./words.js";

/** @typedef {import("./table_acts.js").Place} Place */
/** @typedef {import("../types.d.ts").Tournament} Tournament */

/** What is given at a press, in minutes. */
const MINUTES = [1, 2, 5, 10];
/** The most that is given at once, in minutes. */
const MOST = 1440;

/** The buttons of a table at which somebody plays. @param {Place} place @param {() => void} close */
export function clockChoices(place, close) {
  const { tournament, table } = place;
  const set = (/** @type {"pause" | "resume"} */ what) => async () => {
    await send(place, what);
    close();
  };
  // Where all clocks stand, they start together.
  const turn = tournament.clocks_stopped
    ? null
    : table.paused
      ? working(t("Start the clock"), set("resume"))
      : working(t("Stop the clock"), set("pause"));
  const give = () => {
    close();
    giveTime(place);
  };
  return [turn, h("button", { onclick: give }, t("Give time"))];
}

/** @param {Place} place @param {"pause" | "resume" | "extra-time"} what @param {{ seconds?: number, player?: string }} [wanted] */
async function send({ tournament, round, table, apply }, what, wanted = {}) {
  const path = `/v1/tournaments/${tournament.id}/rounds/${round}/tables/${table.table}/${what}`;
  apply(/** @type {Tournament} */ (await post(path, wanted)));
}

/** @param {Place} place */
function giveTime(place) {
  const minutes = numberInput("d-minutes", 5, 1, MOST);
  const presets = MINUTES.map((n) =>
    h(
      "button",
      {
        type: "button",
        onclick: () => {
          minutes.value = String(n);
          show();
        },
      },
      t("{n} min", { n: whole(n) }),
    ),
  );
  const show = () => {
    for (const [at, button] of presets.entries())
      button.setAttribute("aria-pressed", String(minutes.value === String(MINUTES[at])));
  };
  minutes.oninput = show;
  show();
  const names = place.table.players.filter((name) => name !== null);
  const who = select(
    "d-who",
    [
      ["", t("Everybody at the table")],
      ...names.map((name) => /** @type {[string, string]} */ ([name, entrantName(name)])),
    ],
    "",
  );
  who.classList.add("across");
  const work = async () => {
    const wanted = { seconds: Number(minutes.value) * 60, ...(who.value === "" ? {} : { player: who.value }) };
    await send(place, "extra-time", wanted);
    box.close();
  };
  const box = dialog(
    t("Give time at table {number}", { number: place.table.table }),
    form(
      { send: t("Give time"), work, cancel: () => box.close() },
      field("d-who", t("Who gets it"), who),
      h("div", { class: "row even", role: "group", "aria-label": t("Usual times") }, presets),
      field("d-minutes", t("Minutes"), minutes, t("So much more is in reserve.")),
    ),
  );
}
