// Webhooks: where my notices are sent, whether they arrive, and what came back.

import { del, get, post, put } from "../api.js";
import { fill, h } from "../dom.js";
import { field, form, tick } from "../fields.js";
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

export function webhooks() {
  return folded("Webhooks", async (again) => {
    const page = /** @type {{ items: Webhook[] }} */ (await get("/v1/webhooks?limit=50"));
    return [
      h("p", { class: "quiet" }, "Notices are sent to an address of yours as they happen, signed."),
      page.items.length === 0
        ? h("p", { class: "quiet" }, "There are none.")
        : page.items.map((one) => webhook(one, again)),
      newWebhook(again),
    ];
  });
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
      !one.enabled &&
        h(
          "span",
          { class: "bad" },
          `; off${one.disabled_reason === "owner" || one.disabled_reason === null ? "" : `, because it ${one.disabled_reason === "gone" ? "is gone" : "takes nothing"}`}`,
        ),
      one.failing_since !== null && h("span", { class: "wait" }, `; failing since ${ago(one.failing_since)}`),
    ),
    h(
      "div",
      { class: "row" },
      working("Test", test),
      working("Last messages", last),
      working("New secret", renew),
      working(one.enabled ? "Turn off" : "Turn on", turn),
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

/** @param {() => Promise<void>} again */
function newWebhook(again) {
  const url = h("input", {
    id: "w-url",
    class: "across",
    type: "url",
    required: true,
    maxlength: 2000,
    placeholder: "https://",
    autocomplete: "off",
  });
  const types = TYPES.map((type) => ({ type, ...tick(`w-${type}`, titled(type), true) }));
  const work = async () => {
    const wanted = types.filter(({ box }) => box.checked).map(({ type }) => type);
    const events = wanted.length === TYPES.length ? null : wanted;
    const made = /** @type {CreatedWebhook} */ (await post("/v1/webhooks", { url: url.value.trim(), events }));
    await again();
    secret("The webhook's secret", SECRET_HINT, made.secret);
  };
  return h(
    "details",
    null,
    h("summary", null, "New webhook"),
    form(
      { send: "Add the webhook", work },
      field("w-url", "Address", url, "https, at a public address."),
      h(
        "fieldset",
        { class: "ticks pairs" },
        h("legend", null, "Which notices"),
        types.map(({ node }) => node),
      ),
    ),
  );
}
