// The organisers at the desk: who they are, naming and dismissing them, and stepping down.

import { del, post } from "../api.js";
import { h, update } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { select } from "../pages/new_game.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { person } from "../words.js";
import { reload } from "./model.js";
import { ROLES, myRole } from "./roles.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {Tournament["organisers"][number]} Organiser */
/** @typedef {(now: Tournament) => void} Apply */

/** @param {Model} model @param {Apply} apply */
export function makeOrganisers(model, apply) {
  const rows = h("ul", { class: "plain lines" });
  const naming = namingForm(model, apply);
  const node = h("details", null, h("summary", null, t("Organisers")), rows, naming);
  const draw = () => {
    const isOwner = myRole(model.tournament) === "owner";
    naming.hidden = !isOwner;
    update(
      rows,
      model.tournament.organisers.map((one) => line(model, apply, one, isOwner)),
    );
  };
  return { node, draw };
}

/** @param {Model} model @param {Apply} apply @param {Organiser} one @param {boolean} isOwner whether the reader is the owner */
function line(model, apply, one, isOwner) {
  const isMe = session.account()?.username === one.player;
  const mayGo = one.role !== "owner" && (isMe || isOwner);
  const name = person(one.player);
  const onclick = () => dismiss(model, apply, one, isMe);
  return h(
    "li",
    { "data-key": one.player },
    h("span", null, name, h("span", { class: "small quiet" }, ` ${ROLES[one.role]}${isMe ? ` ${t("(you)")}` : ""}`)),
    mayGo &&
      (isMe
        ? h("button", { class: "bare", onclick }, t("Step down"))
        : h("button", { class: "bare", "aria-label": t("Dismiss {name}", { name }), onclick }, t("Dismiss"))),
  );
}

/** @param {Model} model @param {Apply} apply @param {Organiser} one @param {boolean} isMe */
function dismiss({ tournament }, apply, one, isMe) {
  const work = async () => {
    const path = `/v1/tournaments/${tournament.id}/organisers/${encodeURIComponent(one.player)}`;
    apply(/** @type {Tournament} */ (await del(path)));
    box.close();
  };
  const name = person(one.player);
  const box = dialog(
    isMe ? t("Step down?") : t("Dismiss {name}?", { name }),
    form(
      { send: isMe ? t("Step down") : t("Dismiss"), work, cancel: () => box.close() },
      h(
        "p",
        null,
        isMe
          ? t("You organise this tournament no longer. The owner can name you again.")
          : t("{name} organises this tournament no longer. You can name them again.", { name }),
      ),
    ),
  );
}

/** @param {Model} model @param {Apply} apply */
function namingForm(model, apply) {
  const name = h("input", {
    id: "d-organiser",
    class: "across",
    required: true,
    minlength: 3,
    maxlength: 32,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
  });
  const role = select(
    "d-role",
    [
      ["director", t("Director")],
      ["referee", t("Referee")],
    ],
    "director",
  );
  role.classList.add("across");
  const hint = h("p", { class: "hint", id: "d-role-hint" });
  const show = () => {
    hint.textContent =
      role.value === "director"
        ? t("A director does all that stands here, but names nobody.")
        : t(
            "A referee makes announcements, answers calls, sets clocks and results, gives penalties and checks entrants in.",
          );
  };
  role.setAttribute("aria-describedby", hint.id);
  role.onchange = show;
  show();
  const work = async () => {
    const wanted = { player: name.value.trim(), role: role.value };
    const { id } = model.tournament;
    await post(`/v1/tournaments/${id}/organisers`, wanted);
    name.value = "";
    await reload(id, apply);
  };
  return h(
    "div",
    { class: "below" },
    form(
      { send: t("Name as organiser"), className: "", work },
      field("d-organiser", t("Name of the account"), name),
      h("div", { class: "field" }, h("label", { for: "d-role" }, t("As what")), role, hint),
    ),
  );
}
