// A new series: its name, and what tournaments give.

import { post } from "../api.js";
import { fill, h } from "../dom.js";
import { field, form, numberInput, tick } from "../fields.js";
import { signIn } from "../frame.js";
import { select } from "../pages/new_game.js";
import { go } from "../router.js";
import * as session from "../session.js";
import { t } from "../texts.js";

/** @typedef {import("../types.d.ts").Series} Series */
/** @typedef {import("../types.d.ts").Schemas["SeriesPoints"]} Points */

/** Points for places that the form begins with. */
const PLACES = "25, 18, 15, 12, 10, 8, 6, 4, 2, 1";

/** @param {import("../router.js").Visit} visit */
export function newSeries({ main, signal, title }) {
  title(t("New series"));
  const show = () => {
    const isMember = session.account()?.guest === false;
    const needs = [
      h("p", null, t("A series belongs to an account. Sign in, or make one.")),
      h("button", { class: "likely", onclick: () => signIn() }, t("Sign in")),
    ];
    fill(main, h("h1", null, t("New series")), isMember ? seriesForm() : needs);
  };
  session.onChange(show, signal);
  show();
}

function seriesForm() {
  const name = h("input", { id: "s-name", class: "across", maxlength: 80, required: true, autocomplete: "off" });
  const described = descriptionInput("");
  const points = pointsFields();
  const { box, node: ticked } = tick("s-some", t("Only the best tournaments of a player count"));
  const best = numberInput("s-best", 3, 1, 100);
  const ofBest = field("s-best", t("How many"), best);
  const show = () => {
    ofBest.hidden = !box.checked;
    best.disabled = !box.checked;
  };
  box.onchange = show;
  show();
  const work = async () => {
    const description = described.value.trim();
    const made = /** @type {Series} */ (
      await post("/v1/series", {
        name: name.value.trim(),
        points: points.read(),
        ...(description === "" ? {} : { description }),
        ...(box.checked ? { best: Number(best.value) } : {}),
      })
    );
    go(`/series/${made.id}`);
  };
  return h(
    "div",
    { class: "narrowform" },
    form(
      { send: t("Make the series"), work },
      field("s-name", t("Name"), name),
      field("s-description", t("Description"), described),
      points.node,
      ticked,
      ofBest,
    ),
  );
}

/** @param {string} text */
export function descriptionInput(text) {
  const described = h("textarea", { id: "s-description", class: "across", rows: 3, maxlength: 2000 });
  described.value = text;
  return described;
}

function pointsFields() {
  const what = select(
    "s-what",
    [
      ["places", t("Points for places")],
      ["result", t("The result of the tournament")],
      ["score", t("The score, which is the other prize")],
    ],
    "places",
  );
  const points = h("input", {
    id: "s-points",
    class: "across",
    value: PLACES,
    required: true,
    pattern: "\\s*\\d+(\\s*,\\s*\\d+)*\\s*",
  });
  const hint = t("Equals share the points of the places that they take up.");
  const ofPoints = field("s-points", t("Points, the first place's first"), points, hint);
  const show = () => {
    ofPoints.hidden = what.value !== "places";
    points.disabled = ofPoints.hidden;
  };
  what.onchange = show;
  show();
  return {
    node: [field("s-what", t("What a tournament gives"), what), ofPoints],
    /** @returns {Points} */
    read() {
      if (what.value === "result") return { type: "result" };
      if (what.value === "score") return { type: "score" };
      return { type: "places", points: points.value.split(",").map(Number) };
    },
  };
}
