// A player: results by kind, and their games.

import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { allKinds } from "../kinds/told.js";
import { t } from "../texts.js";
import { STATUS, day, fine, minute, person, whole } from "../words.js";
import { listRow, listTable } from "./list.js";

/** @typedef {import("../types.d.ts").Profile} Profile */
/** @typedef {import("../types.d.ts").LobbyGame} LobbyGame */
/** @typedef {Map<string, string>} Names */

/** @param {import("../router.js").Visit} visit */
export async function render({ params, main, signal, title }) {
  const path = encodeURIComponent(params.name ?? "");
  const [profile, kinds, games] = await Promise.all([
    /** @type {Promise<Profile>} */ (get(`/v1/players/${path}`, { signal })),
    allKinds(),
    /** @type {Promise<{ items: LobbyGame[] }>} */ (get(`/v1/games?player=${path}&limit=20`, { signal })),
  ]);
  /** @type {Names} */
  const names = new Map(kinds.map((kind) => [kind.kind, kind.name]));
  const name = person(profile.username);
  title(name);
  fill(
    main,
    h("h1", null, name),
    h(
      "p",
      { class: "quiet" },
      profile.guest
        ? t("A guest since {day}.", { day: day(profile.since) })
        : t("Here since {day}.", { day: day(profile.since) }),
    ),
    h("h2", null, t("Results")),
    results(profile, names),
    h("h2", null, t("Games")),
    gamesOf(games.items, names),
  );
}

/** @param {Profile} profile @param {Names} names */
function results(profile, names) {
  const played = profile.kinds.filter((kind) => kind.games > 0);
  if (played.length === 0) return h("p", { class: "quiet" }, t("No games yet."));
  const rows = played.map((kind) =>
    listRow(
      {},
      [h("a", { href: `/kinds/${kind.kind}` }, names.get(kind.kind) ?? kind.kind)],
      [whole(kind.games), "number"],
      [whole(kind.finished), "number"],
      [whole(kind.wins), "number"],
      [kind.rating === null ? "–" : fine(kind.rating.rating), "number"],
    ),
  );
  return listTable(
    [[t("Game")], [t("Games"), "number"], [t("Finished"), "number"], [t("Won"), "number"], [t("Rating"), "number"]],
    rows,
  );
}

/** @param {LobbyGame[]} games @param {Names} names */
function gamesOf(games, names) {
  if (games.length === 0) return h("p", { class: "quiet" }, t("No public games."));
  const rows = games.map((game) => {
    const action = game.status === "open" || game.status === "active" ? t("Look") : t("Replay");
    const name = names.get(game.kind) ?? game.kind;
    return listRow(
      {},
      [name],
      [minute(game.created_at), "small"],
      [STATUS[game.status] ?? game.status, "small"],
      [h("a", { class: "button", href: `/games/${game.id}`, "aria-label": `${action}: ${name}` }, action), "end"],
    );
  });
  return listTable([[t("Game")], [t("Made")], [t("State")], [""]], rows);
}
