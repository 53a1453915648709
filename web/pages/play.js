// Making a game: at once against bots, or with options from the kind's schema.

import { post } from "../api.js";
import { h } from "../dom.js";
import { go } from "../router.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { trouble } from "../words.js";

/** @typedef {import("../types.d.ts").KindSummary} KindSummary */
/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {import("../types.d.ts").Json} Json */
/** @typedef {{ type?: string | string[], title?: string, description?: string, default?: Json, minimum?: number, maximum?: number, oneOf?: { const: Json, title: string, description?: string }[], enum?: Json[] }} OptionSchema */

/** Bots that answer at once are hard to follow: they take this long, in milliseconds. */
export const BOT_DELAY = 700;
/** A table against bots has so many seats, where the kind allows it. */
const SEATS = 4;

/** A game against bots that begins at once. @param {KindSummary} kind @param {string} [policy] how they play @returns {Promise<void>} */
export async function playNow(kind, policy = "steady") {
  await session.ensure();
  const seats = Math.max(kind.seats.min, Math.min(SEATS, kind.seats.max));
  const bots = Array.from({ length: seats - 1 }, () => policy);
  const game = /** @type {Game} */ (
    await post("/v1/games", { kind: kind.kind, seats, sit: true, bots, bot_delay_ms: BOT_DELAY, visibility: "public" })
  );
  go(`/games/${game.id}`);
}

/** The buttons whose work is being done. @type {WeakSet<Element>} */
const busy = new WeakSet();

/** A button that says what went wrong in its own place. @param {string} title @param {() => Promise<void>} work @param {string} [className] */
export function working(title, work, className = "") {
  const press = async (/** @type {Event} */ { currentTarget: button }) => {
    // The button in the page may be that of an earlier drawing, and one that is drawn anew is no longer disabled.
    if (!(button instanceof HTMLButtonElement) || busy.has(button)) return;
    const tell = (/** @type {string} */ text) => button.nextElementSibling?.replaceChildren(text);
    busy.add(button);
    button.disabled = true;
    tell("");
    try {
      await work();
    } catch (error) {
      tell(trouble(error));
    }
    busy.delete(button);
    button.disabled = false;
  };
  const refusal = h("span", { class: "refusal small", role: "alert" });
  return h("span", { class: "row" }, h("button", { class: className, onclick: press }, title), refusal);
}

/**
 * The fields of a kind's options, and what is in them.
 * @param {KindSummary} kind @param {string[]} [leftOut] options that cannot be chosen here
 */
export function optionFields(kind, leftOut = []) {
  const properties = /** @type {Record<string, OptionSchema>} */ (
    /** @type {unknown} */ (kind.options_schema.properties ?? {})
  );
  const fields = Object.entries(properties)
    .filter(([name]) => !leftOut.includes(name))
    .map(([name, schema]) => ({ name, schema, field: fieldOf(name, schema) }));
  return {
    nodes: fields.map(({ field }) => field.node),
    /** Only what differs from the usual. @returns {Record<string, Json>} */
    read() {
      return Object.fromEntries(
        fields.flatMap(({ name, schema, field }) =>
          JSON.stringify(field.value()) === JSON.stringify(schema.default ?? null) ? [] : [[name, field.value()]],
        ),
      );
    },
  };
}

/** @param {string} name @param {OptionSchema} schema @returns {{ node: HTMLElement, value: () => Json }} */
function fieldOf(name, schema) {
  const id = `o-${name}`;
  const label = schema.title ?? name;
  const hint = schema.description && h("p", { class: "hint", id: `${id}-hint` }, schema.description);
  const types = [schema.type ?? []].flat();
  const choices =
    schema.oneOf ??
    schema.enum?.map((value) => ({ const: value, title: String(value) })) ??
    (types.includes("boolean")
      ? [
          { const: true, title: t("Yes") },
          { const: false, title: t("No") },
        ]
      : null);
  if (choices !== null) {
    const select = h(
      "select",
      { id, "aria-describedby": hint ? `${id}-hint` : null },
      choices.map((choice, at) =>
        h("option", { value: String(at), selected: choice.const === schema.default }, choice.title),
      ),
    );
    return {
      node: h("div", { class: "field" }, h("label", { for: id }, label), select, hint),
      value: () => choices[Number(select.value)]?.const ?? null,
    };
  }
  if (types.includes("array")) return numbersField(id, label, schema, hint);
  const input = h("input", {
    id,
    type: "number",
    inputmode: "numeric",
    min: schema.minimum,
    max: schema.maximum,
    value: typeof schema.default === "number" ? String(schema.default) : "",
    placeholder: types.includes("null") ? t("no limit") : null,
    required: typeof schema.default === "number",
    "aria-describedby": hint ? `${id}-hint` : null,
  });
  return {
    node: h("div", { class: "field" }, h("label", { for: id }, label), input, hint),
    value: () => (input.value === "" ? null : Number(input.value)),
  };
}

/**
 * Several numbers, with commas between them.
 * @param {string} id @param {string} label @param {OptionSchema} schema @param {import("../types.d.ts").Child} hint
 */
function numbersField(id, label, schema, hint) {
  const input = h("input", {
    id,
    pattern: "\\s*(\\d+(\\s*,\\s*\\d+)*)?\\s*",
    value: Array.isArray(schema.default) ? schema.default.join(", ") : "",
    autocomplete: "off",
    "aria-describedby": hint ? `${id}-hint` : null,
  });
  return {
    node: h("div", { class: "field" }, h("label", { for: id }, label), input, hint),
    value: () => {
      if (input.value.trim() !== "") return input.value.split(",").map(Number);
      return schema.default === null ? null : [];
    },
  };
}
