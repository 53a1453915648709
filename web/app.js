// Starts the page: which module shows which address, and the frame around all of them.

import { Problem } from "./api.js";
import { fill, h } from "./dom.js";
import { frame } from "./frame.js";
import { notices } from "./notices.js";
import { start } from "./router.js";
import { t } from "./texts.js";
import { trouble } from "./words.js";

/** @type {import("./router.js").Route[]} */
const ROUTES = [
  { pattern: "/", load: () => import("./pages/home.js") },
  { pattern: "/games", load: () => import("./pages/lobby.js") },
  { pattern: "/games/:id", load: () => import("./pages/table.js") },
  { pattern: "/games/:id/hands/:n", load: () => import("./pages/hand.js") },
  { pattern: "/kinds/:kind", load: () => import("./pages/kind.js") },
  { pattern: "/check", load: () => import("./pages/check.js") },
  { pattern: "/leaderboards/:kind", load: () => import("./pages/leaderboard.js") },
  { pattern: "/players/:name", load: () => import("./pages/player.js") },
  { pattern: "/tournaments", load: () => import("./pages/tournaments.js") },
  { pattern: "/tournaments/:id", load: () => import("./pages/tournament.js") },
  { pattern: "/tournaments/:id/certificates/:ranking", load: () => import("./pages/certificate.js") },
  { pattern: "/series", load: () => import("./pages/series_list.js") },
  { pattern: "/series/:id", load: () => import("./pages/series.js") },
  { pattern: "/me", load: () => import("./pages/me.js") },
];

/** @param {unknown} error @param {HTMLElement} main */
function failed(error, main) {
  const isMissing = error instanceof Problem && (error.status === 404 || error.code === "invalid_parameter");
  document.title = isMissing ? t("Not found") : t("Card room");
  if (!(error instanceof Problem)) console.error(error);
  fill(
    main,
    h("h1", null, isMissing ? t("Nothing is here.") : t("This did not work.")),
    h("p", null, trouble(error)),
    h(
      "div",
      { class: "row" },
      h("button", { onclick: () => location.reload() }, t("Load again")),
      h("a", { class: "button", href: "/" }, t("To the card room")),
    ),
  );
}

frame();
start(ROUTES, failed);
notices();
