// Notices of the browser (Web Push): they come even when no page is open.

import { Problem, del, get, post } from "../api.js";
import { h } from "../dom.js";
import { working } from "../pages/play.js";
import { WORKER } from "../session.js";
import { t } from "../texts.js";
import { day } from "../words.js";
import { folded, lines } from "./folded.js";

/** @typedef {import("../types.d.ts").PushSubscription} Subscribed */
/** @typedef {import("../types.d.ts").PushKey} PushKey */

/** What is worth a notice while no page is open. */
const EVENTS = [
  "your_turn",
  "game_started",
  "removed",
  "rematch_offered",
  "tournament_started",
  "round_drawn",
  "place_freed",
  "organiser_named",
  "disqualified",
  "reinstated",
  "marked_absent",
  "penalised",
  "referee_called",
  "call_answered",
  "announcement",
  "tournament_over",
];

/** Whether this browser has them; only a secure context does. */
export function hasPush() {
  return isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

export function push() {
  return folded(t("Notices of this browser"), async (again) => {
    const page = /** @type {{ items: Subscribed[] }} */ (await get("/v1/me/push-subscriptions?limit=50"));
    const here = await current();
    const isOn = page.items.some((one) => one.endpoint === here?.endpoint && one.enabled);
    const turnOn = async () => {
      await subscribe();
      await again();
    };
    const remove = async (/** @type {Subscribed} */ one) => {
      await del(`/v1/me/push-subscriptions/${one.id}`);
      // The card room sends nothing to it any more, even if the push service cannot be reached now.
      if (one.endpoint === here?.endpoint) await here.unsubscribe().catch(() => false);
      await again();
    };
    const rows = page.items.map((one) => ({
      what: [
        one.endpoint === here?.endpoint ? h("strong", null, t("This browser")) : new URL(one.endpoint).host,
        h(
          "div",
          { class: "small quiet" },
          t("since {day}", { day: day(one.created_at) }) + (one.enabled ? "" : t("; it is gone")),
        ),
      ],
      actions: working(t("End"), () => remove(one)),
    }));
    return [
      h(
        "p",
        { class: "quiet" },
        t(
          "The browser says that it is your turn, even when no page is open. What it says is encrypted, and tells no cards.",
        ),
      ),
      !isOn && working(t("Turn on in this browser"), turnOn, "likely"),
      h("div", { class: "below" }, lines(rows, t("No browser is told."))),
    ];
  });
}

async function current() {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** @returns {Promise<void>} */
async function subscribe() {
  const allowed = await Notification.requestPermission();
  if (allowed !== "granted")
    throw refused(t("The browser does not allow it. Allow notifications for this site in its settings."));
  const { public_key: key } = /** @type {PushKey} */ (await get("/v1/push-key"));
  await navigator.serviceWorker.register(WORKER);
  const registration = await navigator.serviceWorker.ready;
  const subscribed = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch(() => {
      throw refused(t("The browser has no push service just now."));
    });
  await post("/v1/me/push-subscriptions", { ...subscribed.toJSON(), events: EVENTS });
}

/** Something that the browser refused, in words for the player. @param {string} detail */
function refused(detail) {
  return new Problem(
    0,
    { type: "about:blank", status: 0, code: "refused_by_browser", title: t("refused by the browser"), detail },
    0,
  );
}
