// Webhooks: where my notices are sent, whether they arrive, and what came back.

import { del, get, post, put } from "../api.js";
import { fill, h } from "../dom.js";
import { field, form, tick } from "../fields.js";
import { dialog } from "../frame.js";
import { working } from "../pages/play.js";
import { ago, day, minute, spaced, titled } from "../words.js";
import { folded } from "./folded.js";
import { secret } from "./tokens.js";

/** @typedef {import("../types.d.ts").Webhook} Webhook */
/** @typedef {import("../types.d.ts").CreatedWebhook} CreatedWebhook */
/** @typedef {import("../types.d.ts").WebhookSecret} WebhookSecret */
/** @typedef {import("../types.d.ts").Delivery} Delivery */
/** @typedef {import("../types.d.ts").NoticeType} NoticeType */

/** @type {NoticeType[]} */
const TYPES = [
  "your_turn",
  "game_started",
  "game_over",
  "seat_taken",
  "seat_left",
  "removed",
  "resigned",
  "abort_agreed",
  "rematch_offered",
  "tournament_entered",
  "tournament_started",
  "round_drawn",
  "disqualified",
  "tournament_over",
];

const SECRET_HINT = "It signs what is sent to the webhook, and is shown only now.";

/** All of mine. @returns {Promise<Webhook[]>} */
export async function myWebhooks() {
  const page = /** @type {{ items: Webhook[] }} */ (await get("/v1/webhooks?limit=50"));
  return page.items;
}

/** @param {(all: Webhook[]) => void} onLoaded told what there is, also after each change */
export function webhooks(onLoaded) {
  return folded("Webhooks", async (again) => {
    const page = { items: await myWebhooks() };
    onLoaded(page.items);
    return [
      h("p", { class: "quiet" }, "Notices are sent to an address of yours as they happen, signed."),
      page.items.length === 0
        ? h("p", { class: "quiet" }, "There are none.")
        : page.items.map((one) => webhook(one, again)),
      newWebhook(again),
    ];
  });
}

/** Those that the card room has turned off: nobody may have noticed. @param {Webhook[]} all @param {HTMLDetailsElement} part where something can be done about it */
export function turnedOff(all, part) {
  const off = all.filter((one) => one.disabled_reason === "gone" || one.disabled_reason === "failing");
  if (off.length === 0) return null;
  const open = () => {
    part.open = true;
    part.scrollIntoView();
    part.querySelector("summary")?.focus();
  };
  return h(
    "section",
    { class: "panel alarm", role: "alert" },
    h("h2", null, off.length === 1 ? "A webhook gets no notices any more" : "Webhooks get no notices any more"),
    off.map((one) => h("p", null, h("code", null, one.url), h("br"), reason(one))),
    h("button", { class: "likely", onclick: open }, "To the webhooks"),
  );
}

/** Why nothing is sent, in a sentence. @param {Webhook} one */
function reason({ disabled_reason: why, disabled_at: at }) {
  const since = at === null ? "" : ` ${minute(at)}`;
  if (why === "gone") return `Turned off${since}: its address answered that it is gone for good (410).`;
  if (why === "failing") return `Turned off${since}: its address had taken nothing for three days.`;
  return `You turned it off${since}.`;
}

/** @param {Webhook} one @param {() => Promise<void>} again */
function webhook(one, again) {
  const told = h("div", { class: "below", role: "status" });
  const path = `/v1/webhooks/${one.id}`;
  const test = async () => fill(told, deliveryLine(/** @type {Delivery} */ (await post(`${path}/test`))));
  const last = async () => {
    const page = /** @type {{ items: Delivery[] }} */ (await get(`${path}/deliveries?limit=10`));
    fill(
      told,
      page.items.length === 0 ? h("p", { class: "quiet" }, "Nothing was sent yet.") : page.items.map(deliveryLine),
    );
  };
  const renew = async () =>
    secret("The new secret", SECRET_HINT, /** @type {WebhookSecret} */ (await post(`${path}/secret`)).secret);
  const turn = async () => {
    await put(path, { url: one.url, events: one.events, enabled: !one.enabled });
    await again();
  };
  const remove = async () => {
    await del(path);
    await again();
  };
  return h(
    "section",
    { class: "hook" },
    h("p", null, h("code", null, one.url)),
    h(
      "p",
      { class: "small quiet" },
      `since ${day(one.created_at)}; ${one.events === null ? "all notices" : one.events.map(spaced).join(", ")}`,
      one.enabled &&
        one.failing_since !== null &&
        h("span", { class: "wait" }, `; failing since ${ago(one.failing_since)}`),
    ),
    !one.enabled &&
      h(
        "p",
        { class: one.disabled_reason === "owner" ? "wait" : "bad" },
        `${reason(one)} Turned on again, it is sent what has happened since.`,
      ),
    h(
      "div",
      { class: "row" },
      working("Test", test),
      working("Last messages", last),
      h("button", { onclick: () => change(one, again) }, "Change"),
      working("New secret", renew),
      working(one.enabled ? "Turn off" : "Turn on", turn, one.enabled ? "" : "likely"),
      working("Remove", remove, "bare bad"),
    ),
    told,
  );
}

/** @param {Delivery} one */
function deliveryLine(one) {
  const answer = one.response_status === null ? (one.error ?? "no answer") : `answered ${one.response_status}`;
  return h(
    "p",
    { class: `small ${one.status === "delivered" ? "good" : one.status === "failed" ? "bad" : "wait"}` },
    `${titled(one.message.type)}, ${minute(one.attempted_at)}: ${answer} (${one.took_ms} ms)${one.attempts > 1 ? `, tried ${one.attempts} times` : ""}`,
  );
}

/** Another address or other notices for a webhook. @param {Webhook} one @param {() => Promise<void>} again */
function change(one, again) {
  const settings = settingsOf("c", one);
  const sent = tick("c-enabled", "Notices are sent", one.enabled || one.disabled_reason !== "owner");
  const work = async () => {
    await put(`/v1/webhooks/${one.id}`, { ...settings.read(), enabled: sent.box.checked });
    box.close();
    await again();
  };
  const box = dialog(
    "Change the webhook",
    form(
      { send: "Save", work, cancel: () => box.close() },
      !one.enabled && h("p", { class: one.disabled_reason === "owner" ? "wait" : "bad" }, reason(one)),
      settings.nodes,
      sent.node,
    ),
  );
}

/** The fields of a webhook, and what is in them. @param {string} id @param {Webhook | null} one */
function settingsOf(id, one) {
  const url = h("input", {
    id: `${id}-url`,
    class: "across",
    type: "url",
    required: true,
    maxlength: 2000,
    placeholder: "https://",
    autocomplete: "off",
    value: one?.url ?? "",
  });
  const isTold = (/** @type {NoticeType} */ type) => one === null || one.events === null || one.events.includes(type);
  const types = TYPES.map((type) => ({ type, ...tick(`${id}-${type}`, titled(type), isTold(type)) }));
  // What a newer program tells besides stays as it is.
  const others = (one?.events ?? []).filter((type) => !TYPES.includes(type));
  return {
    nodes: [
      field(`${id}-url`, "Address", url, "https, at a public address."),
      h(
        "fieldset",
        { class: "ticks pairs" },
        h("legend", null, "Which notices"),
        types.map(({ node }) => node),
      ),
    ],
    read() {
      const wanted = types.filter(({ box }) => box.checked).map(({ type }) => type);
      return { url: url.value.trim(), events: wanted.length === TYPES.length ? null : [...wanted, ...others] };
    },
  };
}

/** @param {() => Promise<void>} again */
function newWebhook(again) {
  const settings = settingsOf("w", null);
  const work = async () => {
    const made = /** @type {CreatedWebhook} */ (await post("/v1/webhooks", settings.read()));
    await again();
    secret("The webhook's secret", SECRET_HINT, made.secret);
  };
  return h("details", null, h("summary", null, "New webhook"), form({ send: "Add the webhook", work }, settings.nodes));
}
