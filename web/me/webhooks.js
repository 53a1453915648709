// Webhooks: where my notices are sent, whether they arrive, and what came back.

import { del, get, post, put } from "../api.js";
import { fill, h } from "../dom.js";
import { field, form, tick } from "../fields.js";
import { dialog } from "../frame.js";
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
  place_freed: t("Place freed"),
  organiser_named: t("Organiser named"),
  tournament_started: t("Tournament started"),
  round_drawn: t("Round drawn"),
  disqualified: t("Disqualified"),
  reinstated: t("Reinstated"),
  marked_absent: t("Marked absent"),
  penalised: t("Penalised"),
  referee_called: t("Referee called"),
  call_answered: t("Call answered"),
  announcement: t("Announcement"),
  tournament_over: t("Tournament over"),
};
const TYPES = /** @type {NoticeType[]} */ (Object.keys(TITLES));

/** @param {string} type */
const titleOf = (type) => TITLES[type] ?? titled(type);

const SECRET_HINT = t("It signs what is sent to the webhook, and is shown only now.");

/** All of mine. @returns {Promise<Webhook[]>} */
export async function myWebhooks() {
  const page = /** @type {{ items: Webhook[] }} */ (await get("/v1/webhooks?limit=50"));
  return page.items;
}

/** @param {(all: Webhook[]) => void} onLoaded told what there is, also after each change */
export function webhooks(onLoaded) {
  return folded(t("Webhooks"), async (again) => {
    const page = { items: await myWebhooks() };
    onLoaded(page.items);
    return [
      h("p", { class: "quiet" }, t("Notices are sent to an address of yours as they happen, signed.")),
      page.items.length === 0
        ? h("p", { class: "quiet" }, t("There are none."))
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
    h("h2", null, off.length === 1 ? t("A webhook gets no notices any more") : t("Webhooks get no notices any more")),
    off.map((one) => h("p", null, h("code", null, one.url), h("br"), reason(one))),
    h("button", { class: "likely", onclick: open }, t("To the webhooks")),
  );
}

/** Why nothing is sent, in a sentence. @param {Webhook} one */
function reason({ disabled_reason: why, disabled_at: at }) {
  const since = at === null ? "" : ` ${t("on {time}", { time: minute(at) })}`;
  if (why === "gone") return t("Turned off{since}: its address answered that it is gone for good (410).", { since });
  if (why === "failing") return t("Turned off{since}: its address had taken nothing for three days.", { since });
  return t("You turned it off{since}.", { since });
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
      `${t("since {day}", { day: day(one.created_at) })}; ${one.events === null ? t("all notices") : one.events.map(titleOf).join(", ")}`,
      one.enabled &&
        one.failing_since !== null &&
        h("span", { class: "wait" }, t("; failing since {time}", { time: ago(one.failing_since) })),
    ),
    !one.enabled &&
      h(
        "p",
        { class: one.disabled_reason === "owner" ? "wait" : "bad" },
        `${reason(one)} ${t("Turned on again, it is sent what has happened since.")}`,
      ),
    h(
      "div",
      { class: "row" },
      working(t("Test"), test),
      working(t("Last messages"), last),
      h("button", { onclick: () => change(one, again) }, t("Change it")),
      working(t("New secret"), renew),
      working(one.enabled ? t("Turn off") : t("Turn on"), turn, one.enabled ? "" : "likely"),
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
    `${titleOf(one.message.type)}, ${minute(one.attempted_at)}: ${answer} (${one.took_ms} ms)`,
    one.attempts > 1 && `, ${t("tried {n} times", { n: one.attempts })}`,
  );
}

/** Another address or other notices for a webhook. @param {Webhook} one @param {() => Promise<void>} again */
function change(one, again) {
  const settings = settingsOf("c", one);
  const sent = tick("c-enabled", t("Notices are sent"), one.enabled || one.disabled_reason !== "owner");
  const work = async () => {
    await put(`/v1/webhooks/${one.id}`, { ...settings.read(), enabled: sent.box.checked });
    box.close();
    await again();
  };
  const box = dialog(
    t("Change the webhook"),
    form(
      { send: t("Save"), work, cancel: () => box.close() },
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
  const types = TYPES.map((type) => ({ type, ...tick(`${id}-${type}`, titleOf(type), isTold(type)) }));
  // What a newer program tells besides stays as it is.
  const others = (one?.events ?? []).filter((type) => !TYPES.includes(type));
  return {
    nodes: [
      field(`${id}-url`, t("Address"), url, t("https, at a public address.")),
      h(
        "fieldset",
        { class: "ticks pairs" },
        h("legend", null, t("Which notices")),
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
    secret(t("The webhook's secret"), SECRET_HINT, made.secret);
    await again();
  };
  return h(
    "details",
    null,
    h("summary", null, t("New webhook")),
    form({ send: t("Add the webhook"), work }, settings.nodes),
  );
}
