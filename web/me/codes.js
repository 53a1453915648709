// Recovery codes, which are shown once.

import { h } from "../dom.js";
import { dialog } from "../frame.js";
import { copyButton } from "../pages/copy.js";
import { t } from "../texts.js";

/** @param {string[]} codes */
export function showCodes(codes) {
  const box = dialog(
    t("Your recovery codes"),
    h(
      "p",
      null,
      t(
        "Each opens your account once if the password is lost. They are shown only now: keep them where you find them without your password.",
      ),
    ),
    h(
      "ol",
      { class: "plain codes" },
      codes.map((code) => h("li", null, h("code", null, code))),
    ),
    h(
      "div",
      { class: "row" },
      copyButton(codes.join("\n"), t("Copy all")),
      h("button", { class: "likely", onclick: () => box.close() }, t("I have kept them")),
    ),
  );
  box.dataset.stays = "";
}
