// What can be taken away: the page for printing, for a projector and for other sites, and tables for other programs.

import { getAnswer } from "../api.js";
import { h } from "../dom.js";
import { copyButton } from "../pages/copy.js";
import { working } from "../pages/play.js";
import { language, t } from "../texts.js";

/** @param {import("./model.js").Model} model */
export function downloads(model) {
  const { id } = model.tournament;
  const file = (/** @type {string} */ what) =>
    `${model.tournament.setup.name.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "")}-${what}.csv`;
  const csv = (/** @type {string} */ title, /** @type {string} */ what, path = `${what}.csv`) =>
    working(title, async () => save(file(what), await table(`/v1/tournaments/${id}/${path}`)));
  return h(
    "section",
    { class: "noprint" },
    h("h2", null, t("To take away")),
    h(
      "div",
      { class: "row" },
      h("button", { onclick: () => print() }, t("Print")),
      h("a", { class: "button", href: `/tournaments/${id}?screen=projector` }, t("Projector")),
      csv(t("Standings (CSV)"), "standings"),
      csv(t("Entrants (CSV)"), "entries"),
      csv(t("Points (CSV)"), "points"),
      model.tournament.setup.teams !== null && csv(t("Teams (CSV)"), "teams", "teams?format=csv&limit=200"),
      csv(t("Crosstable (CSV)"), "crosstable", "crosstable?format=csv&limit=200"),
      model.tournament.details.starts_at !== null &&
        h("a", { class: "button", href: `/v1/tournaments/${id}/calendar.ics`, download: "" }, t("To the calendar")),
      h("a", { class: "button", href: `/v1/tournaments/${id}/feed.atom`, target: "_blank" }, t("News (Atom feed)")),
    ),
    embedding(model),
  );
}

/** What shows the standings on another site. @param {import("./model.js").Model} model */
function embedding({ tournament: { id, setup } }) {
  const frame = h("iframe", {
    src: `${location.origin}/tournaments/${id}/embed?language=${language}`,
    title: t("Standings of {name}", { name: setup.name }),
    width: "100%",
    height: "600",
    loading: "lazy",
  });
  // The browser writes what is special in the name.
  const code = frame.outerHTML;
  return h(
    "details",
    null,
    h("summary", null, t("On a page of your own")),
    h(
      "p",
      null,
      t(
        "These lines show the standings and the running tables on any page, and keep them up to date. With &theme=light or &theme=dark behind the address, the colours are always the same.",
      ),
    ),
    h("pre", { class: "commands", tabindex: 0, "aria-label": t("The lines to copy") }, h("code", null, code)),
    h(
      "div",
      { class: "row" },
      copyButton(code, t("Copy the lines")),
      h("a", { class: "button", href: `/tournaments/${id}/embed`, target: "_blank" }, t("Look at it")),
    ),
  );
}

/** All pages of a table as one; only the first keeps its heads. @param {string} path */
async function table(path) {
  let text = "";
  /** @type {string | null} */
  let next = path;
  while (next !== null) {
    /** @type {Response} */
    const response = await getAnswer(next, { accept: "text/csv" });
    const page = await response.text();
    text += text === "" ? page : page.slice(page.indexOf("\n") + 1);
    next = /<([^>]+)>;\s*rel="?next"?/.exec(response.headers.get("link") ?? "")?.[1] ?? null;
  }
  return text;
}

/** Gives a file to the browser. @param {string} name @param {string} text @param {string} [type] */
export function save(name, text, type = "text/csv") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
