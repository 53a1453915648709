// The seats: name, stack or score, state, and a ring that is the clock.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { BOTS, seated } from "../words.js";
import { lastHour, ring } from "./clock.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Drawing} Drawing */

/** @param {Model} model @param {Drawing} drawing @param {number} seat */
export function seatTile(model, drawing, seat) {
  const { game } = model;
  const at = game.seats.find((one) => one.seat === seat);
  const isFree = at !== undefined && at.player === null && at.bot === null;
  const isTurn = game.to_act.includes(seat) && game.status === "active" && !game.paused;
  const name = seat === model.you ? t("You") : isFree ? seated(at) : (model.names[seat] ?? "");
  const face = game.status === "open" || game.view === null ? { figure: "" } : drawing.seat(model, seat);
  const words = [
    face.state,
    at?.resigned ? t("resigned") : at?.away ? t("away") : "",
    isTurn ? (seat === model.you ? t("your turn") : face.state ? "" : t("to act")) : "",
  ]
    .filter(Boolean)
    .join(", ");
  const deadline = isTurn && !model.isPast ? game.deadline : null;
  return h(
    "li",
    {
      class: `seat ${isTurn ? "turn" : ""} ${face.isOut ? "out" : ""} ${isFree ? "free" : ""} ${seat === model.you ? "own" : ""}`,
      "data-key": `seat-${seat}`,
    },
    h("span", { class: "ringbox" }, ring(name, deadline, game.turn_seconds, isTurn), face.isDealer && dealer()),
    h(
      "div",
      { class: "who" },
      h("p", { class: "name", title: at?.bot ? (BOTS[at.bot] ?? null) : null }, name),
      h(
        "p",
        { class: "figure" },
        face.figure !== "" && h("strong", null, face.figure),
        words !== "" && h("span", { class: isTurn ? "now" : "quiet" }, ` ${words}`),
        deadline !== null && [" ", lastHour(deadline)],
      ),
    ),
    face.body && h("div", { class: "body" }, face.body),
  );
}

function dealer() {
  return h("span", { class: "dealer", title: t("deals"), role: "img", "aria-label": t("deals") }, t("D"));
}
