// What the owner of a series does: adding tournaments, changing what is told, deleting it.

import { del, get, patch, put } from "../api.js";
import { fill, h } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { select } from "../pages/new_game.js";
import { go } from "../router.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { STATUS, trouble } from "../words.js";
import { descriptionInput } from "./new_series.js";

/** @typedef {import("../types.d.ts").Series} Series */
/** @typedef {import("../types.d.ts").ListedTournament} ListedTournament */
/** @typedef {(now: Series) => Promise<void>} Changed */

/** @param {() => Series} series as it is now @param {Changed} changed @param {AbortSignal} signal */
export function makeSeriesDesk(series, changed, signal) {
  return h(
    "section",
    { class: "panel desk noprint", "aria-label": t("For the owner") },
    h("h2", null, t("Add a tournament")),
    adding(series, changed, signal),
    h(
      "div",
      { class: "row" },
      h("button", { onclick: () => edit(series(), changed) }, t("Edit the name and details")),
      h("button", { class: "bare bad", onclick: () => ask(series()) }, t("Delete the series")),
    ),
  );
}

/** @param {() => Series} series @param {Changed} changed @param {AbortSignal} signal */
function adding(series, changed, signal) {
  const place = h("div");
  const address = h("input", { id: "s-address", class: "across", autocomplete: "off" });
  /** @param {[string, string][]} choices @param {string} [failure] */
  const show = (choices, failure) => {
    const chosen = select("s-cup", [...choices, ["", t("Another, by its address")]], choices[0]?.[0] ?? "");
    const other = field("s-address", t("Address of a tournament that you organise"), address);
    const choose = () => {
      other.hidden = chosen.value !== "";
      address.required = chosen.value === "";
    };
    chosen.onchange = choose;
    choose();
    const work = async () => {
      const id = chosen.value === "" ? idIn(address.value) : chosen.value;
      await changed(/** @type {Series} */ (await put(`/v1/series/${series().id}/tournaments/${id}`)));
      address.value = "";
      await load();
    };
    const told = failure !== undefined && h("p", { class: "refusal" }, failure);
    fill(place, told, form({ send: t("Add it"), work }, field("s-cup", t("Tournament"), chosen), other));
  };
  const load = async () => {
    const path = "/v1/me/tournaments?limit=200";
    const { items } = /** @type {{ items: ListedTournament[] }} */ (await get(path, { signal }));
    const within = new Set(series().tournaments.map((one) => one.tournament));
    const mine = items.filter((one) => one.created_by === session.account()?.username && !within.has(one.id));
    show(mine.map((one) => [one.id, `${one.name}, ${STATUS[one.status]}`]));
  };
  load().catch((error) => {
    if (!signal.aborted) show([], trouble(error));
  });
  return place;
}

/** The id in an address. @param {string} address */
function idIn(address) {
  return encodeURIComponent(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(address)?.[0] ?? address.trim());
}

/** @param {Series} series @param {Changed} changed */
function edit(series, changed) {
  const name = h("input", {
    id: "s-name",
    class: "across",
    maxlength: 80,
    required: true,
    autocomplete: "off",
    value: series.name,
  });
  const described = descriptionInput(series.description ?? "");
  const work = async () => {
    const description = described.value.trim() === "" ? null : described.value.trim();
    const change = { name: name.value.trim(), description };
    await changed(/** @type {Series} */ (await patch(`/v1/series/${series.id}`, change)));
    box.close();
  };
  const box = dialog(
    t("Name and details"),
    form(
      { send: t("Save"), work, cancel: () => box.close() },
      field("s-name", t("Name"), name),
      field("s-description", t("Description"), described),
    ),
  );
}

/** @param {Series} series */
function ask(series) {
  const work = async () => {
    await del(`/v1/series/${series.id}`);
    box.close();
    go("/series");
  };
  const box = dialog(
    t("Delete the series?"),
    form(
      { send: t("Delete the series"), className: "bad", work, cancel: () => box.close() },
      h("p", null, t("Its tournaments stay as they are. This cannot be undone.")),
    ),
  );
}
