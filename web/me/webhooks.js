// Webhooks: where my notices are sent, whether they arrive, and what came back.

import { del, get, post, put } from "../api.js";
import { fill, h } from "../dom.js";
import { field, form, tick } from "../fields.js";
import { working } from "../pages/play.js";
import { t } from "../texts.js";
import { ago, day, minute, titled } from "../words.js";
import { folded } from "./folded.js";
import { secret } from "./tokens.js";

/** @typedef {import("../types.d.ts").Webhook} Webhook */
/** @typedef {import("../types.d.ts").CreatedWebhook} CreatedWebhook */
/** @typedef {import("../types.d.ts").WebhookSecret} WebhookSecret */
/** @typedef {import("../types.d.ts").Delivery} Delivery */
/** @typedef {import("../types.d.ts").NoticeType} NoticeType */

/** What the notices are called. @type {Record<string, string>} */
const TITLES = {
  your_turn: t("Your turn"),
  game_started: t("Game started"),
  game_over: t("Game over"),
  seat_taken: t("Seat taken"),
  seat_left: t("Seat left"),
  removed: t("Removed"),
  resigned: t("Resigned"),
  abort_agreed: t("Abort agreed"),
  rematch_offered: t("Rematch offered"),
  tournament_entered: t("Tournament entered"),
  tournament_started: t("Tournament started"),
  round_drawn: t("Round drawn"),
  disqualified: t("Disqualified"),
  tournament_over: t("Tournament over"),
};
const TYPES = /** @type {NoticeType[]} */ (Object.keys(TITLES));

const SECRET_HINT = t("It signs what is sent to the webhook, and is shown only now.");

export function webhooks() {
  return folded(t("Webhooks"), async (again) => {
    const page = /** @type {{ items: Webhook[] }} */ (await get("/v1/webhooks?limit=50"));
    return [
      h("p", { class: "quiet" }, t("Notices are sent to an address of yours as they happen, signed.")),
      page.items.length === 0
        ? h("p", { class: "quiet" }, t("There are none."))
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
      page.items.length === 0 ? h("p", { class: "quiet" }, t("Nothing was sent yet.")) : page.items.map(deliveryLine),
    );
  };
  const renew = async () =>
    secret(t("The new secret"), SECRET_HINT, /** @type {WebhookSecret} */ (await post(`${path}/secret`)).secret);
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
      `${t("since {day}", { day: day(one.created_at) })}; ${one.events === null ? t("all notices") : one.events.map((type) => TITLES[type] ?? titled(type)).join(", ")}`,
      !one.enabled &&
        h(
          "span",
          { class: "bad" },
          one.disabled_reason === "owner" || one.disabled_reason === null
            ? t("; off")
            : one.disabled_reason === "gone"
              ? t("; off, because it is gone")
              : t("; off, because it takes nothing"),
        ),
      one.failing_since !== null &&
        h("span", { class: "wait" }, t("; failing since {time}", { time: ago(one.failing_since) })),
    ),
    h(
      "div",
      { class: "row" },
      working(t("Test"), test),
      working(t("Last messages"), last),
      working(t("New secret"), renew),
      working(one.enabled ? t("Turn off") : t("Turn on"), turn),
      working(t("Remove"), remove, "bare bad"),
    ),
    told,
  );
}

/** @param {Delivery} one */
function deliveryLine(one) {
  const answer =
    one.response_status === null
      ? (one.error ?? t("no answer"))
      : t("answered {status}", { status: one.response_status });
  return h(
    "p",
    { class: `small ${one.status === "delivered" ? "good" : one.status === "failed" ? "bad" : "wait"}` },
    `${TITLES[one.message.type] ?? titled(one.message.type)}, ${minute(one.attempted_at)}: ${answer} (${one.took_ms} ms)`,
    one.attempts > 1 && `, ${t("tried {n} times", { n: one.attempts })}`,
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
  const types = TYPES.map((type) => ({ type, ...tick(`w-${type}`, TITLES[type] ?? titled(type), true) }));
  const work = async () => {
    const wanted = types.filter(({ box }) => box.checked).map(({ type }) => type);
    const events = wanted.length === TYPES.length ? null : wanted;
    const made = /** @type {CreatedWebhook} */ (await post("/v1/webhooks", { url: url.value.trim(), events }));
    await again();
    secret(t("The webhook's secret"), SECRET_HINT, made.secret);
  };
  return h(
    "details",
    null,
    h("summary", null, t("New webhook")),
    form(
      { send: t("Add the webhook"), work },
      field("w-url", t("Address"), url, t("https, at a public address.")),
      h(
        "fieldset",
        { class: "ticks pairs" },
        h("legend", null, t("Which notices")),
        types.map(({ node }) => node),
      ),
    ),
  );
}
