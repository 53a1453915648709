// A kind of game: how it is played, its cards, options, hands and odds.

import { get } from "../api.js";
import { card, deckOf, row } from "../cards/card.js";
import { fill, h } from "../dom.js";
import { toldKind } from "../kinds/told.js";
import { t } from "../texts.js";
import { fine, players, spaced, whole } from "../words.js";
import { listRow, listTable } from "./list.js";
import { playNow, working } from "./play.js";

/** @typedef {import("../types.d.ts").KindText} KindText */
/** @typedef {import("../types.d.ts").Odds} Odds */
/** @typedef {{ key: string, text: string }} Text */

/** @param {import("../router.js").Visit} visit */
export async function render({ params, main, signal, title }) {
  const kind = await toldKind(params.kind ?? "");
  if (signal.aborted) return;
  title(t("{game}: the rules", { game: kind.name }));
  const { guide } = kind;
  const odds = h("div", { id: "odds" });
  fill(
    main,
    h("h1", null, kind.name),
    h("p", { class: "lead" }, guide.aim.text),
    h("p", { class: "quiet" }, about(kind)),
    h(
      "div",
      { class: "row noprint" },
      working(t("Play now"), () => playNow(kind), "likely"),
      h("a", { class: "button", href: `/games?kind=${kind.kind}` }, t("Lobby")),
      h("a", { class: "button", href: `/leaderboards/${kind.kind}` }, t("Best players")),
    ),
    h(
      "nav",
      { class: "row noprint jumps", "aria-label": t("On this page") },
      jump("rules", t("Rules")),
      kind.hands.length > 0 && jump("hands", t("Hands")),
      jump("cards", t("Cards")),
      jump("options", t("Options")),
      jump("odds", t("Odds")),
    ),
    h(
      "div",
      { class: "columns", id: "rules" },
      h("div", null, steps(t("Before the game"), guide.setup, false), steps(t("A hand"), guide.turn, true)),
      h(
        "div",
        null,
        actions(kind),
        steps(t("What counts"), guide.scoring, false),
        steps(t("Ties"), guide.ties, false),
        steps(t("Variants"), guide.variants, false),
      ),
    ),
    hands(kind),
    cards(kind),
    options(kind),
    odds,
    steps(t("Lore"), guide.lore, false),
    h("p", { class: "small quiet" }, guide.credits.author.text, " ", guide.credits.source.text),
  );
  const found = /** @type {Odds | null} */ (await get(`/v1/kinds/${kind.kind}/odds`, { signal }).catch(() => null));
  if (signal.aborted) return;
  if (found !== null) fill(odds, oddsOf(found));
  if (location.hash !== "") document.querySelector(location.hash)?.scrollIntoView();
}

/** @param {string} id @param {string} text */
const jump = (id, text) => h("a", { href: `#${id}` }, text);

/** @param {KindText} kind */
function about({ seats, guide }) {
  const { minutes, min_age } = guide.facts;
  return [
    players(seats.min, seats.max),
    minutes
      ? minutes.min === minutes.max
        ? t("{n} minutes", { n: minutes.min })
        : t("{min} to {max} minutes", { min: minutes.min, max: minutes.max })
      : "",
    min_age ? t("from {n} years", { n: min_age }) : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** @param {string} title @param {Text[]} texts @param {boolean} isOrdered */
function steps(title, texts, isOrdered) {
  if (texts.length === 0) return null;
  return h(
    "section",
    null,
    h("h2", null, title),
    h(
      isOrdered ? "ol" : "ul",
      null,
      texts.map((text) => h("li", null, text.text)),
    ),
  );
}

/** @param {KindText} kind */
function actions({ actions: all }) {
  return h(
    "section",
    null,
    h("h2", null, t("What you can do")),
    h(
      "dl",
      null,
      all.map((action) => [h("dt", null, h("strong", null, action.title)), h("dd", null, action.text)]),
    ),
  );
}

/** @param {KindText} kind */
function hands(kind) {
  if (kind.hands.length === 0) return null;
  const deck = deckOf(kind);
  const rows = kind.hands.map((hand) => {
    const told = [h("strong", null, hand.title), h("div", { class: "small quiet" }, hand.takes)];
    const example = row(deck, hand.example, t("For example, {hand}", { hand: hand.title }), "tiny");
    return listRow({}, [hand.number, "number"], [[told, example]]);
  });
  const table = listTable([[t("No."), "number"], [t("Hand, with an example")]], rows);
  table.classList.add("hands-list");
  return h("section", { id: "hands" }, h("h2", null, t("The hands, the best first")), table);
}

/** Cards that do the same stand together. @param {KindText} kind */
function cards(kind) {
  const deck = deckOf(kind);
  /** @type {Map<string, { text: string, cards: string[] }>} */
  const roles = new Map();
  for (const told of kind.cards) {
    const title = told.role?.title ?? t("Cards");
    const group = roles.get(title) ?? { text: told.role?.text ?? "", cards: [] };
    group.cards.push(told.card);
    roles.set(title, group);
  }
  const twins = kind.deck.some((info) => info.copies > 1);
  const groups = [...roles].map(([title, { text, cards: codes }]) =>
    h(
      "li",
      null,
      h("h3", null, title),
      h("p", null, text),
      h(
        "div",
        { class: "tiny" },
        codes.map((code) => card(deck, code)),
      ),
    ),
  );
  return h(
    "section",
    { id: "cards" },
    h("h2", null, t("The cards")),
    twins && h("p", { class: "quiet" }, t("Every card is in the deck twice.")),
    h("ul", { class: "plain roles" }, groups),
  );
}

/** @param {KindText} kind */
function options(kind) {
  const properties = /** @type {Record<string, { default?: unknown }>} */ (
    /** @type {unknown} */ (kind.options_schema.properties ?? {})
  );
  const rows = kind.options.map((option) => {
    const usual = properties[option.name]?.default;
    const values = option.values.map((value) =>
      h(
        "li",
        null,
        h("strong", null, value.title),
        value.value === usual && ` (${t("usual")})`,
        value.text && `: ${value.text}`,
      ),
    );
    const plain =
      values.length > 0 || option.text
        ? null
        : h(
            "p",
            { class: "small quiet" },
            usual === null || usual === undefined
              ? t("Usually without a limit.")
              : t("Usually {value}.", { value: spaced(String(usual)) }),
          );
    return h(
      "li",
      null,
      h("h3", null, option.title),
      option.text && h("p", null, option.text),
      plain,
      values.length > 0 && h("ul", null, values),
    );
  });
  return h("section", { id: "options" }, h("h2", null, t("Options")), h("ul", { class: "plain roles" }, rows));
}

/** @param {Odds} odds */
function oddsOf({ tables }) {
  return [
    h("h2", null, t("Odds")),
    h("p", { class: "quiet" }, t("Worked out from the rules, not estimated.")),
    h(
      "div",
      { class: "roles" },
      tables.map((table) =>
        h(
          "section",
          null,
          h("h3", null, table.title),
          h("p", { class: "small quiet" }, table.method.text),
          h(
            "table",
            { class: "list odds" },
            h(
              "thead",
              null,
              h(
                "tr",
                null,
                h("th", { scope: "col" }, t("Case")),
                h("th", { scope: "col", class: "number" }, t("Chance")),
              ),
            ),
            h(
              "tbody",
              null,
              table.rows.map((line) =>
                h("tr", null, h("td", null, line.title), h("td", { class: "number" }, chance(line.probability))),
              ),
            ),
          ),
        ),
      ),
    ),
  ];
}

/** @param {number} probability */
function chance(probability) {
  const percent = probability * 100;
  if (percent === 0 || percent >= 0.01) return `${fine(percent)} %`;
  return t("1 in {n}", { n: whole(1 / probability) });
}
