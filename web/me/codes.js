// Recovery codes, which are shown once.

import { h } from "../dom.js";
import { dialog } from "../frame.js";
import { copyButton } from "../pages/copy.js";

/** @param {string[]} codes */
export function showCodes(codes) {
  const box = dialog(
    "Your recovery codes",
    h(
      "p",
      null,
      "Each opens your account once if the password is lost. They are shown only now: keep them where you find them without your password.",
    ),
    h(
      "ol",
      { class: "plain codes" },
      codes.map((code) => h("li", null, h("code", null, code))),
    ),
    h(
      "div",
      { class: "row" },
      copyButton(codes.join("\n"), "Copy all"),
      h("button", { class: "likely", onclick: () => box.close() }, "I have kept them"),
    ),
  );
}
