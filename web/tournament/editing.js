// Changing a tournament's name and what is told about it.

import { patch } from "../api.js";
import { h } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { t } from "../texts.js";
import { changes, detailFields } from "./detail_fields.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {(now: Tournament) => void} Apply */

/** @param {Model} model @param {Apply} apply */
export function makeEditing(model, apply) {
  const button = h("button", { onclick: () => edit(model, apply) }, t("Edit the name and details"));
  return { node: h("div", { class: "below" }, button), draw: () => {} };
}

/** @param {Model} model @param {Apply} apply */
function edit({ tournament }, apply) {
  const old = tournament.setup.name;
  const name = h("input", {
    id: "t-name",
    class: "across",
    maxlength: 80,
    required: true,
    autocomplete: "off",
    value: old,
  });
  const fields = detailFields(tournament.details);
  const work = async () => {
    const details = changes(tournament.details, fields.read());
    const changed = {
      ...(name.value.trim() === old ? {} : { name: name.value.trim() }),
      ...(Object.keys(details).length === 0 ? {} : { details }),
    };
    if (Object.keys(changed).length > 0)
      apply(/** @type {Tournament} */ (await patch(`/v1/tournaments/${tournament.id}`, changed)));
    box.close();
  };
  const box = dialog(
    t("Name and details"),
    form({ send: t("Save"), work, cancel: () => box.close() }, field("t-name", t("Name"), name), fields.node),
  );
}
