// The tournament on a wall: large, with nothing to press. It scrolls by itself where it does not fit.

import { fill, h, update } from "../dom.js";
import { t } from "../texts.js";
import { list } from "../words.js";
import { tablesOf } from "./model.js";
import { standingsTable } from "./standings.js";
import { teamsTable } from "./team_standings.js";
import { byesText, entrantName, held, settings, state } from "./words.js";

/** @typedef {import("./model.js").Model} Model */

/** How long one part of a page that does not fit is shown, in milliseconds. */
const LOOK = 9000;

/** @param {import("../router.js").Visit} visit @param {Model} model */
export function showOnScreen({ main, signal }, model) {
  main.classList.add("projector");
  const place = h("div");
  fill(main, place);
  stayAwake(signal);
  const timer = setInterval(turn, LOOK);
  signal.addEventListener("abort", () => clearInterval(timer));
  return () => {
    const { tournament, kind } = model;
    const now = tournament.status === "active" ? tournament.rounds.at(-1) : undefined;
    update(
      place,
      h("h1", null, tournament.setup.name),
      h("p", { class: "quiet" }, settings(tournament, kind.name)),
      h("p", { class: "state" }, state(model)),
      tournament.paused && tournament.status === "active" && h("p", { class: "wait" }, held(model)),
      model.news.announcements.slice(0, 1).map((one) => h("p", { class: "announced" }, one.text)),
      h(
        "div",
        { class: now === undefined ? "" : "halves" },
        h(
          "div",
          null,
          model.teams.length > 0 && [teamsTable(model, model.teams), h("h2", null, t("Players"))],
          model.standings.length > 0 && standingsTable(model, { hasTies: false, isScreen: true }),
        ),
        now !== undefined &&
          h(
            "ol",
            { class: "plain seating" },
            tablesOf(model, now.round).map((table) =>
              h(
                "li",
                { "data-key": table.game },
                h("strong", null, t("Table {number}", { number: table.table })),
                " ",
                list(table.players.map(entrantName)),
              ),
            ),
            now.bye_count > 0 &&
              h("li", null, h("strong", null, t("Sitting out")), " ", byesText(now)),
          ),
      ),
    );
  };
}

/** The next part, or the first again. */
function turn() {
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  if (scrollHeight <= clientHeight + 8) return;
  const isAtEnd = scrollTop + clientHeight >= scrollHeight - 8;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  scrollTo({ top: isAtEnd ? 0 : scrollTop + clientHeight * 0.85, behavior: isCalm ? "auto" : "smooth" });
}

/** Keeps the screen lit, where the browser can. @param {AbortSignal} signal */
function stayAwake(signal) {
  const ask = async () => {
    if (document.hidden || !("wakeLock" in navigator)) return;
    const lock = await navigator.wakeLock.request("screen").catch(() => null);
    signal.addEventListener("abort", () => void lock?.release());
  };
  document.addEventListener("visibilitychange", () => void ask(), { signal });
  void ask();
}
