// For a visitor without an account: sign in, make one, or come back with a recovery code. A guest can keep the games.

import { h } from "../dom.js";
import { field, form, passwordInput } from "../fields.js";
import { go } from "../router.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { showCodes } from "./codes.js";
import { byMail, recoveryLink } from "./mail.js";

/** @typedef {import("../types.d.ts").Account} Account */

/** @param {string} id */
function nameInput(id) {
  return h("input", {
    id,
    required: true,
    minlength: 3,
    maxlength: 32,
    pattern: "[A-Za-z0-9_\\-]+",
    autocomplete: "username",
    autocapitalize: "none",
    spellcheck: "false",
  });
}

const NAME_HINT = t("3 to 32 letters, digits, _ or -. Everybody sees it.");
const PASSWORD_HINT = t("8 characters at least. One that is easy to guess is refused.");

/** @param {boolean} isRecovery */
export function signingIn(isRecovery) {
  const [name, password] = [nameInput("s-name"), passwordInput("s-password", "current-password")];
  const signIn = form(
    { send: t("Sign in"), work: () => session.login(name.value, password.value) },
    field("s-name", t("Name"), name),
    field("s-password", t("Password"), password),
  );
  return h(
    "div",
    { class: "narrowform" },
    session.account() === null &&
      h("p", null, t("Nobody is signed in here. To play, no account is needed: Play now makes you a guest.")),
    h("section", { class: "panel" }, h("h2", null, t("Sign in")), signIn),
    h("details", { open: isRecovery }, h("summary", null, t("The password is lost")), recovery()),
    h("details", null, h("summary", null, t("Make an account")), newAccount(t("Make the account"))),
  );
}

/** The way back into an account, for somebody who is signed in to this one or another. @param {Account} account */
export function recoveryBeside(account) {
  return h(
    "section",
    { class: "panel narrowform" },
    h("h2", null, t("The password is lost")),
    h(
      "p",
      null,
      t("You are signed in as {name}. A new password signs you in to the account that it is for.", {
        name: account.username,
      }),
    ),
    recovery(),
  );
}

function recovery() {
  const [name, password] = [nameInput("r-name"), passwordInput("r-password", "new-password")];
  const code = h("input", {
    id: "r-code",
    required: true,
    maxlength: 64,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
  });
  const link = recoveryLink();
  [name.value, code.value] = [link.name, link.code];
  const work = async () => {
    await session.recover(name.value, code.value, password.value);
    go("/me");
  };
  return form(
    { send: t("Set the new password"), work },
    h(
      "p",
      { class: "quiet" },
      t(
        "A recovery code opens your account once. All your sessions and tokens end. Without a code, have a link sent to your mail address, or ask whoever runs this card room.",
      ),
    ),
    field("r-name", t("Name"), name),
    link.code === "" && byMail(name),
    field("r-code", t("Recovery code"), code),
    field("r-password", t("New password"), password, PASSWORD_HINT),
  );
}

/** A new account; for a guest, the account that is kept. @param {string} send */
export function newAccount(send) {
  const [name, password] = [nameInput("n-name"), passwordInput("n-password", "new-password")];
  const work = async () => showCodes(await session.register(name.value, password.value));
  return form(
    { send, work },
    field("n-name", t("Name"), name, NAME_HINT),
    field("n-password", t("Password"), password, PASSWORD_HINT),
  );
}
