// What the organisers have said to everybody: the newest on the page, all of it on demand, and the form that says more.

import { get, post } from "../api.js";
import { h } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { working } from "../pages/play.js";
import { t } from "../texts.js";
import { minute, person } from "../words.js";
import { reload } from "./model.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Announcement} Announcement */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").Page<Announcement>} Announcements */

/** So many stand on the page. */
export const SHOWN = 3;

/** @param {Model} model */
export function announcements({ tournament, news }) {
  const { announcements: said } = news;
  if (said.length === 0) return null;
  return h(
    "section",
    { class: "panel announcements", "aria-label": t("Announcements") },
    h("ul", { class: "plain" }, said.slice(0, SHOWN).map(line)),
    said.length > SHOWN && h("button", { class: "bare noprint", onclick: () => showAll(tournament.id) }, t("Show all")),
  );
}

/** @param {Announcement} one */
function line(one) {
  return h(
    "li",
    { "data-key": String(one.seq) },
    h("p", { class: "announced" }, one.text),
    h("p", { class: "small quiet" }, `${person(one.by)}, ${minute(one.at)}`),
  );
}

/** @param {string} id */
function showAll(id) {
  const rows = h("ul", { class: "plain announcements" });
  /** @type {string | null} */
  let next = null;
  const load = async () => {
    const query = new URLSearchParams({ limit: "50" });
    if (next !== null) query.set("cursor", next);
    const page = /** @type {Announcements} */ (await get(`/v1/tournaments/${id}/announcements?${query}`));
    rows.append(...page.items.map(line));
    next = page.next;
    more.hidden = next === null;
  };
  const more = h("div", { class: "below", hidden: true }, working(t("More"), load));
  const told = h("p", { class: "bad", role: "alert" });
  const box = dialog(
    t("Announcements"),
    rows,
    told,
    more,
    h("div", { class: "row below" }, h("button", { onclick: () => box.close() }, t("Close"))),
  );
  void load().catch(() => {
    told.textContent = t("The announcements could not be loaded.");
  });
}

/** @param {Model} model @param {(now: Tournament) => void} apply */
export function makeAnnouncing(model, apply) {
  const text = h("textarea", { id: "d-announce", class: "across", rows: 3, required: true, maxlength: 500 });
  const work = async () => {
    const { id } = model.tournament;
    await post(`/v1/tournaments/${id}/announcements`, { text: text.value.trim() });
    text.value = "";
    node.open = false;
    await reload(id, apply);
  };
  const node = h(
    "details",
    null,
    h("summary", null, t("Make an announcement")),
    form(
      { send: t("Announce"), className: "", work },
      field(
        "d-announce",
        t("What everybody should know"),
        text,
        t("It stands on this page, and comes to the entrants as a notice."),
      ),
    ),
  );
  return { node, draw: () => {} };
}
