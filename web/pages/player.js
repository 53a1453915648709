// A player: results by kind, and their games.

import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { allKinds } from "../kinds/told.js";
import { t } from "../texts.js";
import { STATUS, day, fine, minute, person, whole } from "../words.js";
import { listRow, listTable } from "./list.js";
import { working } from "./play.js";

/** @typedef {import("../types.d.ts").Profile} Profile */
/** @typedef {import("../types.d.ts").LobbyGame} LobbyGame */
/** @typedef {import("../types.d.ts").Schemas["PlayerLuck"]} PlayerLuck */
/** @typedef {Map<string, string>} Names */

/** @param {import("../router.js").Visit} visit */
export async function render({ params, main, signal, title }) {
  const path = encodeURIComponent(params.name ?? "");
  const [profile, kinds, games] = await Promise.all([
    /** @type {Promise<Profile>} */ (get(`/v1/players/${path}`, { signal })),
    allKinds(),
    /** @type {Promise<{ items: LobbyGame[] }>} */ (get(`/v1/games?player=${path}&limit=20`, { signal })),
  ]);
  if (signal.aborted) return;
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
        ? t("A guest since {day}.", { day: day(profile.created_at) })
        : t("Here since {day}.", { day: day(profile.created_at) }),
    ),
    h("h2", null, t("Results")),
    results(profile, names),
    luckOf(profile, names, signal),
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

/**
 * What the player won without the luck of the deals, kind by kind. It takes a moment, so it is loaded once somebody asks.
 *
 * @param {Profile} profile @param {Names} names @param {AbortSignal} signal
 */
function luckOf(profile, names, signal) {
  const rated = profile.kinds.filter((kind) => kind.rating !== null);
  if (rated.length === 0) return null;
  const node = h("div", { class: "luck", "aria-live": "polite" });
  const ask = async () => {
    const rows = [];
    const failures = [];
    for (const { kind } of rated) {
      const name = names.get(kind) ?? kind;
      try {
        const path = `/v1/players/${encodeURIComponent(profile.username)}/luck/${kind}`;
        const { games, won, luck, won_without_luck } = /** @type {PlayerLuck} */ (await get(path, { signal }));
        rows.push(
          listRow(
            {},
            [name],
            [t("{won} of {games}", { won: fine(won), games }), "number"],
            [`${luck > 0 ? "+" : ""}${fine(luck)}`, "number"],
            [fine(won_without_luck), "number"],
          ),
        );
      } catch (error) {
        if (signal.aborted) throw error;
        failures.push(error);
        rows.push(listRow({}, [name], ["–", "number"], ["–", "number"], ["–", "number"]));
      }
    }
    // One kind that takes too long does not hide the others.
    if (failures.length === rated.length) throw failures[0];
    fill(
      node,
      h("h3", null, t("Won without luck")),
      h(
        "p",
        { class: "hint" },
        t(
          "The rating stays as it is. This is an estimate beside it, from the newest 50 games that counted: what the deals were worth is subtracted from the games that were won.",
        ),
      ),
      listTable([[t("Game")], [t("Won"), "number"], [t("Luck"), "number"], [t("Without luck"), "number"]], rows),
      failures.length > 0
        ? h("p", { class: "hint" }, t("What has a dash could not be worked out now. Try it again later."))
        : null,
    );
  };
  fill(node, working(t("How lucky was {player}?", { player: person(profile.username) }), ask));
  return node;
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
