// A kind that nobody has drawn: all that its view says, with cards as cards.

import { row } from "../cards/card.js";
import { h } from "../dom.js";
import { t } from "../texts.js";
import { count, spaced, titled } from "../words.js";

/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../types.d.ts").Json} Json */

/** @type {import("../table/model.js").Drawing} */
export const generic = {
  seat(model, seat) {
    const own = seatOf(model, seat);
    const figures = Object.entries(own).filter(([name, value]) => typeof value === "number" && name !== "seat");
    const states = Object.entries(own).flatMap(([name, value]) =>
      typeof value === "string" ? [spaced(value)] : value === true ? [spaced(name)] : [],
    );
    const cards = Object.entries(own).flatMap(([name, value]) =>
      isCards(model, value) && value.length > 0 ? [row(model.deck, value, titled(name), "tiny tight")] : [],
    );
    return {
      figure: figures.map(([name, value]) => `${spaced(name)} ${value}`).join(", "),
      state: states.join(", "),
      body: seat === model.you ? null : cards,
    };
  },
  middle(model) {
    const rows = Object.entries(model.view).filter(([name]) => name !== "seats");
    const drawn = rows.flatMap(([name, value]) => {
      const shown = draw(model, name, value);
      return shown === null ? [] : [h("dt", null, titled(name)), h("dd", null, shown)];
    });
    return h("dl", { class: "facts" }, drawn);
  },
  own(model) {
    if (model.you === null) return { cards: [] };
    const found = Object.values(seatOf(model, model.you)).find((value) => isCards(model, value) && value.length > 0);
    return { cards: isCards(model, found) ? found : [] };
  },
  tell(fact, voice, model) {
    const title = model.kind.facts.find((told) => told.type === fact.type)?.title ?? titled(fact.type);
    const parts = Object.entries(fact).flatMap(([name, value]) =>
      name === "type" || value === null ? [] : [part(model, voice, name, /** @type {Json} */ (value))],
    );
    return parts.length === 0 ? title : `${title}: ${parts.join(", ")}`;
  },
  progress({ view }) {
    if (typeof view.hand !== "number") return "";
    return typeof view.hands === "number"
      ? t("hand {number} of {all}", { number: view.hand, all: view.hands })
      : t("hand {number}", { number: view.hand });
  },
};

/** What the view says of a seat. @param {Model} model @param {number} seat @returns {Record<string, Json>} */
export function seatOf(model, seat) {
  const { seats } = model.view;
  const found = Array.isArray(seats) ? (seats.find((one) => isObject(one) && one.seat === seat) ?? seats[seat]) : null;
  return isObject(found) ? found : {};
}

/** @param {Json | undefined} value @returns {value is Record<string, Json>} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {Model} model @param {Json | undefined} value @returns {value is (string | null)[]} */
function isCards(model, value) {
  return (
    Array.isArray(value) && value.every((one) => one === null || (typeof one === "string" && model.deck.infos.has(one)))
  );
}

/** @param {Model} model @param {string} name @param {Json} value @returns {import("../dom.js").Child} */
function draw(model, name, value) {
  if (value === null || (Array.isArray(value) && value.length === 0)) return null;
  if (isCards(model, value)) return row(model.deck, value, titled(name), "small");
  if (typeof value === "string" && model.deck.infos.has(value)) return row(model.deck, [value], titled(name), "small");
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  if (["turn", "dealer", "seat", "leader"].includes(name) && typeof value === "number") return model.voice.name(value);
  if (typeof value === "string") return spaced(value);
  if (typeof value !== "object") return String(value);
  const entries = Array.isArray(value)
    ? value.map((one, at) => /** @type {[string, Json]} */ ([String(at + 1), one]))
    : Object.entries(value);
  const inner = h(
    "ul",
    { class: "plain small" },
    entries.map(([key, one]) =>
      h("li", null, Array.isArray(value) ? null : `${spaced(key)}: `, draw(model, key, one) ?? t("none")),
    ),
  );
  return h(
    "details",
    { "data-key": name },
    h("summary", null, Array.isArray(value) ? count(value.length, "{n} item", "{n} items") : t("Show")),
    inner,
  );
}

/** A part of a fact or an action, in words. @param {Model} model @param {import("../table/voice.js").Voice} voice @param {string} name @param {Json} value */
export function part(model, voice, name, value) {
  if (
    ["seat", "from", "to", "by", "on", "dealer"].includes(name) &&
    typeof value === "number" &&
    value < model.names.length
  )
    return name === "seat" ? voice.object(value) : `${name} ${voice.object(value)}`;
  if (typeof value === "string" && model.deck.infos.has(value)) return voice.card(value);
  if (isCards(model, value)) return voice.cards(value);
  return `${spaced(name)} ${typeof value === "object" ? JSON.stringify(value) : value}`;
}
