// Another tournament like this one.

import { post } from "../api.js";
import { h } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { go } from "../router.js";
import { t } from "../texts.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */

/** @param {Model} model */
export function makeCopying(model) {
  const button = h("button", { onclick: () => copy(model) }, t("Make another like this"));
  return { node: h("div", { class: "below" }, button), draw: () => {} };
}

/** @param {Model} model */
function copy({ tournament }) {
  const name = h("input", {
    id: "y-name",
    class: "across",
    maxlength: 80,
    required: true,
    autocomplete: "off",
    value: tournament.setup.name,
  });
  const work = async () => {
    const path = `/v1/tournaments/${tournament.id}/copy`;
    const made = /** @type {Tournament} */ (await post(path, { name: name.value.trim() }));
    box.close();
    go(`/tournaments/${made.id}`);
  };
  const box = dialog(
    t("Make another like this"),
    form(
      { send: t("Make the tournament"), work, cancel: () => box.close() },
      field("y-name", t("Name"), name, t("It has the same game, format and details. Times and entrants are new.")),
    ),
  );
  name.select();
}
