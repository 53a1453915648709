// The lobby: the games that can be joined or watched, and a new one.

import { fill, h, update } from "../dom.js";
import { allKinds } from "../kinds/told.js";
import { rewrite } from "../router.js";
import { lobbyRows, watchLobby } from "./lobby_rows.js";
import { newGame, select } from "./new_game.js";
import { t } from "../texts.js";

/** @type {[string, string][]} */
const STATES = [
  ["", t("Open and running")],
  ["open", t("Open")],
  ["active", t("Running")],
];

/** @param {import("../router.js").Visit} visit */
export async function render({ main, query, signal, title }) {
  title(t("The lobby"));
  const kinds = await allKinds();
  if (signal.aborted) return;
  const names = new Map(kinds.map((kind) => [kind.kind, kind.name]));
  const list = h("div");
  let games = /** @type {import("../types.d.ts").LobbyGame[]} */ ([]);
  const kind = select("kind", [["", t("All games")], ...names], query.get("kind") ?? "");
  const status = select("status", STATES, query.get("status") ?? "");
  const show = () => {
    const wanted = new URLSearchParams();
    if (kind.value !== "") wanted.set("kind", kind.value);
    if (status.value !== "") wanted.set("status", status.value);
    rewrite(location.pathname + (wanted.size > 0 ? `?${wanted}` : ""));
    const isWanted = (/** @type {string} */ value, /** @type {string} */ chosen) => chosen === "" || value === chosen;
    const shown = games.filter((game) => isWanted(game.kind, kind.value) && isWanted(game.status, status.value));
    const rank = (/** @type {{ status: string }} */ game) => (game.status === "open" ? 0 : 1);
    shown.sort((a, b) => rank(a) - rank(b));
    update(
      list,
      shown.length > 0
        ? lobbyRows(shown, names)
        : h("p", { class: "quiet" }, t("No such game is open or running. Make one, or play against bots.")),
    );
  };
  kind.onchange = show;
  status.onchange = show;
  fill(
    main,
    h(
      "div",
      { class: "row apart" },
      h("h1", null, t("The lobby")),
      h(
        "div",
        { class: "row" },
        h("button", { class: "likely", onclick: () => newGame(kinds, kind.value) }, t("New game")),
      ),
    ),
    h(
      "div",
      { class: "filters" },
      h("label", { for: "kind" }, t("Game"), kind),
      h("label", { for: "status" }, t("State"), status),
    ),
    list,
  );
  watchLobby(signal, (now) => {
    games = now;
    show();
  });
}
