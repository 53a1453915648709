// Personal access tokens, for bots and scripts.

import { del, get, post } from "../api.js";
import { h } from "../dom.js";
import { field, form, tick } from "../fields.js";
import { dialog } from "../frame.js";
import { copyButton } from "../pages/copy.js";
import { select } from "../pages/new_game.js";
import { working } from "../pages/play.js";
import { t } from "../texts.js";
import { ago, day } from "../words.js";
import { folded, lines } from "./folded.js";

/** @typedef {import("../types.d.ts").PersonalToken} PersonalToken */
/** @typedef {import("../types.d.ts").CreatedPersonalToken} Created */

const SCOPES = /** @type {const} */ ([
  ["read", t("Read: see what I see")],
  ["play", t("Play: make games, sit down, act, enter tournaments")],
  ["organise", t("Organise: make and run tournaments")],
]);

/** @type {Record<string, string>} */
const SCOPE_NAMES = { read: t("read"), play: t("play"), organise: t("organise") };

export function tokens() {
  return folded(t("Access tokens for programs"), async (again) => {
    const page = /** @type {{ items: PersonalToken[] }} */ (await get("/v1/me/tokens?limit=50"));
    const end = async (/** @type {PersonalToken} */ one) => {
      await del(`/v1/me/tokens/${one.id}`);
      await again();
    };
    const rows = page.items.map((one) => ({
      what: [
        one.name,
        h(
          "div",
          { class: "small quiet" },
          [
            one.scopes.map((scope) => SCOPE_NAMES[scope] ?? scope).join(", "),
            t("ends {day}", { day: day(one.expires_at) }),
            one.used_at === null ? t("never used") : t("used {time}", { time: ago(one.used_at) }),
          ].join("; "),
        ),
      ],
      actions: working(t("End"), () => end(one)),
    }));
    return [
      h(
        "p",
        { class: "quiet" },
        t("A bot or a script sends a token instead of a password. It can do nothing to the account itself."),
      ),
      lines(rows, t("There are none.")),
      newToken(again),
    ];
  });
}

/** @param {() => Promise<void>} again */
function newToken(again) {
  const name = h("input", { id: "k-name", required: true, maxlength: 100, autocomplete: "off" });
  const scopes = SCOPES.map(([scope, title]) => ({ scope, ...tick(`k-${scope}`, title, scope !== "organise") }));
  const days = select(
    "k-days",
    [
      ["7", t("{n} days", { n: 7 })],
      ["30", t("{n} days", { n: 30 })],
      ["90", t("{n} days", { n: 90 })],
      ["366", t("a year")],
    ],
    "90",
  );
  const work = async () => {
    const wanted = scopes.filter(({ box }) => box.checked).map(({ scope }) => scope);
    const made = /** @type {Created} */ (
      await post("/v1/me/tokens", { name: name.value.trim(), scopes: wanted, days: Number(days.value) })
    );
    secret(t("The token"), t("It is shown only now. Send it as Authorization: Bearer."), made.token);
    await again();
  };
  return h(
    "details",
    null,
    h("summary", null, t("New token")),
    form(
      { send: t("Make the token"), work },
      field("k-name", t("What it is for"), name),
      h(
        "fieldset",
        { class: "ticks" },
        h("legend", null, t("What it may do")),
        scopes.map(({ node }) => node),
      ),
      field("k-days", t("It holds for"), days),
    ),
  );
}

/** Shows something that is told only once. @param {string} title @param {string} hint @param {string} text */
export function secret(title, hint, text) {
  const box = dialog(
    title,
    h("p", null, hint),
    h("p", null, h("code", null, text)),
    h(
      "div",
      { class: "row" },
      copyButton(text, t("Copy")),
      h("button", { class: "likely", onclick: () => box.close() }, t("I have kept it")),
    ),
  );
  box.dataset.stays = "";
}
