// Mail: the account's address, what a link in a mail does, and a way back in without the password.

import { Problem, del, get, now, post, put } from "../api.js";
import { h } from "../dom.js";
import { field, form, passwordInput } from "../fields.js";
import { rewrite } from "../router.js";
import { t } from "../texts.js";
import { span, trouble } from "../words.js";
import { folded } from "./folded.js";

/** @typedef {import("../types.d.ts").MailAddresses} MailAddresses */

export function mailAddress() {
  return folded(t("Mail address"), async (again) => {
    const found = /** @type {MailAddresses} */ (await get("/v1/me/mail-address"));
    const [address, proof] = [addressInput(), passwordInput("ma-password", "current-password")];
    const change = async () => {
      await put("/v1/me/mail-address", { address: address.value, password: proof.value });
      await again();
    };
    const hint = t("A mail with a link goes there. The address counts once you have opened the link.");
    return [
      h("p", null, found.address ?? t("None."), h("span", { class: "quiet" }, " ", t("Only you see it."))),
      found.new_address_expires_at !== null &&
        h("p", { class: "wait" }, waiting(found.new_address ?? "", new Date(found.new_address_expires_at).getTime() - now())),
      form(
        { send: found.address === null ? t("Add the address") : t("Change it"), className: "", work: change },
        field("ma-address", t("New address"), address, hint),
        field("ma-password", t("Password"), proof),
      ),
      (found.address !== null || found.new_address !== null) && forgetting(again),
    ];
  });
}

/** @param {string} address @param {number} left in milliseconds */
function waiting(address, left) {
  return left > 0
    ? t("{address} waits for you to open the link in the mail, for another {time}.", {
        address,
        time: span(Math.ceil(left / 1000)),
      })
    : t("{address} was not confirmed in time.", { address });
}

/** @param {() => Promise<void>} again */
function forgetting(again) {
  const proof = passwordInput("mf-password", "current-password");
  const work = async () => {
    await del("/v1/me/mail-address", { password: proof.value });
    await again();
  };
  return h(
    "details",
    null,
    h("summary", null, t("Forget the address")),
    form({ send: t("Forget it"), className: "bad", work }, field("mf-password", t("Password"), proof)),
  );
}

function addressInput() {
  return h("input", { id: "ma-address", type: "email", required: true, maxlength: 254, autocomplete: "email" });
}

/** Sends a link to the address of the account that this field names. @param {HTMLInputElement} name */
export function byMail(name) {
  const told = h("p", { role: "status" });
  const ask = async () => {
    told.textContent = "";
    if (!name.reportValidity()) return;
    button.disabled = true;
    try {
      await post("/v1/auth/recover/mail", { username: name.value }, { anonymous: true });
      told.textContent = t("If this account has a mail address, a link is on its way. It works for an hour.");
    } catch (error) {
      told.textContent = trouble(error);
    } finally {
      button.disabled = false;
    }
  };
  const button = h("button", { type: "button", onclick: ask }, t("Send me a link by mail"));
  return h("div", { class: "below" }, button, told);
}

/** The name and the code of a link in a mail about a lost password. */
export function recoveryLink() {
  const [, name = "", code = ""] = /^#([A-Za-z0-9_-]+)=([0-9a-z-]+)$/.exec(location.hash) ?? [];
  return { name, code };
}

/** What came of a link that confirms an address; null where the page was opened by none. */
export async function confirmed() {
  const [, code] = /^#([0-9a-z-]+)$/.exec(location.hash) ?? [];
  if (code === undefined || !location.search.startsWith("?confirm")) return null;
  let told = h("p", { class: "good", role: "status" }, t("Your mail address is confirmed."));
  try {
    await post("/v1/auth/confirm-mail-address", { code }, { anonymous: true });
  } catch (error) {
    told = h("p", { class: "refusal", role: "alert" }, trouble(error));
    // Where nothing was decided, the code is good for another try.
    if (!(error instanceof Problem) || error.status === 429 || error.status >= 500) return told;
  }
  // The page may have been left.
  if (location.hash === `#${code}`) rewrite(location.pathname);
  return told;
}
