// The account itself: its password, recovery codes, sessions, being a program, its data, and its end.

import { del, get, post, put } from "../api.js";
import { fill, h } from "../dom.js";
import { field, form, passwordInput } from "../fields.js";
import { dialog } from "../frame.js";
import { working } from "../pages/play.js";
import { go } from "../router.js";
import * as session from "../session.js";
import { save } from "../tournament/export.js";
import { t } from "../texts.js";
import { ago, count, day, person } from "../words.js";
import { showCodes } from "./codes.js";
import { folded, lines } from "./folded.js";

/** @typedef {import("../types.d.ts").Account} Account */
/** @typedef {import("../types.d.ts").SessionInfo} SessionInfo */
/** @typedef {import("../types.d.ts").RecoveryCodes} RecoveryCodes */
/** @typedef {import("../types.d.ts").RecoveryCodesLeft} RecoveryCodesLeft */

export function password() {
  return folded(t("Change the password"), async () => {
    const [now, wanted] = [passwordInput("p-now", "current-password"), passwordInput("p-new", "new-password")];
    const done = h("p", { class: "good", role: "status" });
    const work = async () => {
      done.textContent = "";
      await put("/v1/me/password", { current_password: now.value, new_password: wanted.value });
      now.value = "";
      wanted.value = "";
      done.textContent = t("The password is changed, and all other sessions have ended.");
    };
    return form(
      { send: t("Change it"), work },
      field("p-now", t("Current password"), now),
      field("p-new", t("New password"), wanted, t("8 characters at least. All other sessions end.")),
      done,
    );
  });
}

export function recoveryCodes() {
  return folded(t("Recovery codes"), async (again) => {
    const { left } = /** @type {RecoveryCodesLeft} */ (await get("/v1/me/recovery-codes"));
    const proof = passwordInput("rc-password", "current-password");
    const renew = async () => {
      const { codes } = /** @type {RecoveryCodes} */ (await post("/v1/me/recovery-codes", { password: proof.value }));
      showCodes(codes);
      await again();
    };
    return [
      h(
        "p",
        { class: left < 3 ? "wait" : "" },
        `${count(left, "{n} code left.", "{n} codes left.")} ${t("One opens the account if the password is lost.")}`,
      ),
      form(
        { send: t("Make ten new codes"), className: "", work: renew },
        field("rc-password", t("Password"), proof, t("The old codes stop working.")),
      ),
    ];
  });
}

export function sessions() {
  return folded(t("Where I am signed in"), async (again) => {
    const page = /** @type {{ items: SessionInfo[] }} */ (await get("/v1/me/sessions?limit=100"));
    const end = async (/** @type {SessionInfo} */ one) => {
      await del(`/v1/me/sessions/${one.id}`);
      await again();
    };
    const endOthers = async () => {
      await del("/v1/me/sessions");
      await again();
    };
    const rows = page.items.map((one) => ({
      what: [
        one.current ? h("strong", null, t("Here")) : t("Signed in {day}", { day: day(one.created_at) }),
        h(
          "div",
          { class: "small quiet" },
          t("last seen {time}, ends {day} if it is not used", {
            time: ago(one.refreshed_at),
            day: day(one.expires_at),
          }),
        ),
      ],
      actions: !one.current && working(t("End"), () => end(one)),
    }));
    const others = page.items.some((one) => !one.current);
    return [
      lines(rows, t("No sessions.")),
      others && h("div", { class: "below" }, working(t("End all others"), endOthers)),
    ];
  });
}

/** @param {Account} account */
export function program(account) {
  if (account.program) return h("p", { class: "quiet" }, t("This account is a program, and says so at every table."));
  const ask = () => {
    const work = async () => {
      await post("/v1/me/program");
      await session.renew();
      box.close();
    };
    const box = dialog(
      t("Is this account a program?"),
      form(
        { send: t("It is, for ever"), work, cancel: () => box.close() },
        named(account),
        h(
          "p",
          null,
          t(
            "Profiles and tables say so, and its ratings move to the leaderboards of programs. This holds for ever and cannot be taken back.",
          ),
        ),
      ),
    );
  };
  return h("button", { onclick: ask }, t("My account is a program"));
}

export function download() {
  return working(t("Download all that is held about me"), async () => {
    save("cardroom.json", JSON.stringify(await get("/v1/me/export"), null, 2), "application/json");
  });
}

/** @param {Account} account */
export function deletion(account) {
  const ask = () => {
    const proof = passwordInput("x-password", "current-password");
    const work = async () => {
      await del("/v1/me", account.guest ? {} : { password: proof.value });
      session.forget(account);
      box.close();
      go("/");
    };
    const box = dialog(
      t("Delete the account?"),
      form(
        { send: t("Delete it for ever"), className: "bad", work, cancel: () => box.close() },
        named(account),
        h(
          "p",
          null,
          t(
            "You leave all games and tournaments, and the house plays for your seats. Your sessions, tokens, webhooks and ratings go at once.",
          ),
        ),
        h(
          "p",
          null,
          h("strong", null, t("What stays:")),
          " ",
          t(
            "your name in the logs of games that you have played, because it is part of what was signed. Nobody gets the name again.",
          ),
        ),
        !account.guest && field("x-password", t("Password"), proof),
      ),
    );
  };
  return h("button", { class: "bare bad", onclick: ask }, t("Delete my account"));
}

/** Which account a question is about. @param {Account} account */
function named({ username }) {
  return h("p", null, t("This is about the account {name}.", { name: person(username) }));
}

/** The account's data. @param {Account} account */
export function dataOf(account) {
  const place = h("div", { class: "row" });
  fill(place, download(), !account.guest && program(account), deletion(account));
  return place;
}
