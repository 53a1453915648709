// Beside the table: the guide to the rules, the options of this game, and what makes it fair.

import { h } from "../dom.js";
import { isPage } from "../router.js";
import { t } from "../texts.js";
import { minute, span, titled } from "../words.js";

/** @typedef {import("./model.js").Model} Model */

/** @param {Model} model */
export function sideOf(model) {
  return [
    h(
      "details",
      { "data-key": "guide", open: innerWidth >= 1100 },
      h("summary", null, t("How it is played")),
      guide(model),
    ),
    h("details", { "data-key": "options" }, h("summary", null, t("Options of this game")), options(model)),
    h("details", { "data-key": "fairness" }, h("summary", null, t("Why it is fair")), fairness(model)),
  ];
}

/** @param {Model} model */
function guide({ kind }) {
  const { aim, turn, scoring } = kind.guide;
  return [
    h("p", null, aim.text),
    h("h3", null, t("Your turn")),
    h(
      "ul",
      null,
      kind.actions.map((action) => h("li", null, h("strong", null, action.title), action.text && `: ${action.text}`)),
    ),
    turn.length > 0 && [
      h("h3", null, t("A hand")),
      h(
        "ol",
        null,
        turn.map((step) => h("li", null, step.text)),
      ),
    ],
    scoring.length > 0 && [
      h("h3", null, t("What counts")),
      h(
        "ul",
        null,
        scoring.map((step) => h("li", null, step.text)),
      ),
    ],
    h("p", null, h("a", { href: `/kinds/${kind.kind}` }, t("All the rules, cards and odds"))),
  ];
}

/** @param {Model} model */
function options({ kind, game }) {
  const set = /** @type {Record<string, import("../types.d.ts").Json>} */ (game.options);
  const rows = kind.options.flatMap((option) => {
    const value = set[option.name];
    if (value === undefined) return [];
    const told = option.values.find((one) => one.value === value);
    return [h("dt", null, option.title), h("dd", null, told?.title ?? plain(value))];
  });
  const more = [
    h("dt", null, t("Time for a turn")),
    h("dd", null, game.turn_seconds === null ? t("no limit") : span(game.turn_seconds)),
    game.bank_seconds > 0 && [h("dt", null, t("Time in reserve")), h("dd", null, span(game.bank_seconds))],
    h("dt", null, t("Rated")),
    h("dd", null, game.rated ? t("yes") : t("no")),
    h("dt", null, t("Made")),
    h("dd", null, minute(game.created_at)),
  ];
  return h("dl", { class: "facts small" }, rows, more);
}

/** @param {import("../types.d.ts").Json} value @returns {string} */
function plain(value) {
  if (value === null) return t("none");
  if (Array.isArray(value)) return value.map(plain).join(", ");
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  return typeof value === "string" ? titled(value) : String(value);
}

/** @param {Model} model */
function fairness({ game }) {
  const isOver = game.status === "finished" || game.status === "aborted";
  return [
    h(
      "p",
      null,
      t(
        "Before anybody sat down, the house fixed the seed of all shuffles and published its fingerprint. Players may add words of their own. When the game is over the seed is published, and anybody can work out every shuffle and compare.",
      ),
    ),
    h(
      "dl",
      { class: "facts small" },
      h("dt", null, t("Fingerprint")),
      h("dd", null, h("code", null, game.fairness.commitment)),
      h("dt", null, t("Seed")),
      h(
        "dd",
        null,
        game.fairness.server_seed === null
          ? t("secret until the game is over")
          : h("code", null, game.fairness.server_seed),
      ),
    ),
    isOver &&
      isPage("/check") &&
      h("p", null, h("a", { href: `/check?game=${game.id}` }, t("Check this game in your browser"))),
    isOver &&
      h(
        "p",
        null,
        h(
          "a",
          { href: `/v1/games/${game.id}/audit`, download: `game-${game.id}.json` },
          t("Download everything to check it elsewhere"),
        ),
      ),
  ];
}
