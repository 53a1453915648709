// A hand's permalink: one sentence that says what happened, the cards, and each step. It can be printed.

import { get } from "../api.js";
import { row } from "../cards/card.js";
import { fill, h } from "../dom.js";
import { drawingOf, toldKind } from "../kinds/told.js";
import * as session from "../session.js";
import { modelOf } from "../table/model.js";
import { comparisonOf, gameReviewOf, isDuplicate, reviewOf } from "../table/review.js";
import { gamePath, inviteHere, pagePath } from "../table/reading.js";
import { loadHands, noStory, sentences } from "../table/story.js";
import { t } from "../texts.js";
import { count, list, minute, sentence } from "../words.js";
import { working } from "./play.js";

/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {import("../types.d.ts").Hand} Hand */
/** @typedef {import("../table/model.js").Fact} Fact */
/** @typedef {import("../table/model.js").Model} Model */
/** @typedef {import("../table/model.js").Drawing} Drawing */

/** Facts that say how a hand ended, the most telling first. */
const RESULTS = ["pot_won", "moon_shot", "pot_returned", "carried", "scored", "stayed"];

/** @param {import("../router.js").Visit} visit */
export async function render(visit) {
  // Cards of one's own do not stay for who comes next.
  let newest = 0;
  const anew = async () => {
    const nth = ++newest;
    fill(visit.main);
    try {
      await show(visit);
    } catch (error) {
      // What was asked for another player says nothing of this one's.
      if (nth === newest) visit.fail(error);
    }
  };
  session.onChange(() => void anew(), visit.signal);
  await anew();
}

/** @param {import("../router.js").Visit} visit */
async function show({ params, main, signal, title }) {
  const { id = "", n = "" } = params;
  const viewer = session.account()?.username;
  if (inviteHere() !== null) await session.welcome();
  const game = /** @type {Game} */ (await get(gamePath(id), { signal }));
  const [hand, kind, drawing] = await Promise.all([
    /** @type {Promise<Hand>} */ (get(gamePath(id, `/hands/${encodeURIComponent(n)}`), { signal })),
    toldKind(game.kind),
    drawingOf(game.kind),
  ]);
  const state = /** @type {Game} */ (
    await get(gamePath(id, "", { version: hand.to_version ?? game.version }), { signal })
  );
  const story = noStory();
  const isReviewed = game.status === "finished" && hand.to_version !== null;
  const [hasLikes] = await Promise.all([
    isReviewed && isDuplicate(id, signal).catch(() => false),
    loadHands(id, story, signal).catch(() => {}),
  ]);
  if (signal.aborted || session.account()?.username !== viewer) return;
  // A permalink reads the same for everybody: by names, without "you".
  const model = modelOf({ ...state, you: null }, kind, true);
  const facts = hand.entries.flatMap((entry) => /** @type {Fact[]} */ (entry.facts));
  const name = t("{game}, hand {number}", { game: kind.name, number: hand.hand });
  title(name);
  const others = story.hands.map((one) => one.hand);
  const step = (/** @type {number} */ to, /** @type {string} */ text) =>
    others.includes(to) && h("a", { class: "button", href: pagePath(id, `/hands/${to}`) }, text);
  fill(
    main,
    h("p", { class: "quiet small" }, `${name}, ${minute(hand.entries[0]?.at ?? game.created_at)}`),
    h("h1", { class: "happened" }, summary(facts, model, drawing)),
    h(
      "div",
      { class: "row noprint" },
      step(hand.hand - 1, t("Hand before")),
      step(hand.hand + 1, t("Next hand")),
      h("a", { class: "button likely", href: pagePath(id, "", { version: hand.from_version }) }, t("Replay it")),
      h("a", { class: "button", href: pagePath(id) }, t("The table")),
      h("button", { onclick: () => print() }, t("Print")),
    ),
    atTheEnd(drawing.ended?.(model, facts, hand.hand), hand),
    dealt(facts, model),
    h("h2", null, t("Step by step")),
    h(
      "ol",
      { class: "steps" },
      hand.entries.flatMap((entry) => {
        const texts = sentences(
          { seq: entry.seq, hand: hand.hand, facts: /** @type {Fact[]} */ (entry.facts), text: null },
          model,
          drawing,
        );
        return texts.length === 0 ? [] : [h("li", { value: entry.seq }, texts.join(" "))];
      }),
    ),
    isReviewed && review(id, hand.hand, model, hasLikes, signal),
    hand.to_version === null && h("p", { class: "wait" }, t("This hand is still being played.")),
  );
}

/** The reviews of the hand and of the game, when they are asked for: they are work. @param {string} id @param {number} hand @param {Model} model @param {boolean} hasLikes @param {AbortSignal} signal */
function review(id, hand, model, hasLikes, signal) {
  const place = () => h("div", { "aria-live": "polite" });
  const [ofHand, elsewhere, ofGame] = [place(), place(), place()];
  const compare = async () => fill(elsewhere, await comparisonOf(id, hand, model, signal));
  const askHand = async () => fill(ofHand, await reviewOf(id, hand, model, signal));
  const askGame = async () => fill(ofGame, await gameReviewOf(id, model, signal));
  fill(ofHand, working(t("What should they have done?"), askHand));
  if (hasLikes) fill(elsewhere, working(t("What did others do with these cards?"), compare));
  fill(ofGame, working(t("Who was lucky in the whole game?"), askGame));
  return [h("h2", { class: "noprint" }, t("Review")), h("div", { class: "noprint reviews" }, ofHand, hasLikes && elsewhere, ofGame)];
}

/** The table as the hand left it. @param {import("../types.d.ts").Child} shown @param {Hand} hand */
function atTheEnd(shown, hand) {
  if (!shown) return null;
  return [h("h2", null, hand.to_version === null ? t("The table so far") : t("The table at the end")), shown];
}

/** What happened, in one sentence. @param {Fact[]} facts @param {Model} model @param {import("../table/model.js").Drawing} drawing */
function summary(facts, model, drawing) {
  for (const type of RESULTS) {
    const found = facts.filter((fact) => fact.type === type);
    if (found.length === 0) continue;
    if (type === "stayed" || type === "scored") return scored(found, facts, model);
    return sentence(
      byPot(found)
        .map((facts) => shared(facts, model, drawing))
        .join("; "),
    );
  }
  const isBust = facts.some((fact) => fact.type === "bust");
  return isBust ? t("Everybody is bust, and nobody scores.") : t("The hand is not over yet.");
}

/** @param {Fact[]} facts */
function byPot(facts) {
  const pots = [...new Set(facts.map((fact) => fact.pot_number))];
  return pots.map((pot) => facts.filter((fact) => fact.pot_number === pot));
}

/** Who got a pot; those who share it are named together. @param {Fact[]} facts @param {Model} model @param {Drawing} drawing */
function shared(facts, model, drawing) {
  const [first] = facts;
  const text = first === undefined ? "" : (drawing.tell(first, model.voice, model) ?? "");
  const names = [...new Set(facts.map((fact) => model.voice.name(typeof fact.seat === "number" ? fact.seat : null)))];
  if (names.length < 2) return text;
  const [, why] = text.split(": ");
  return t("{names} share the pot", { names: list(names) }) + (why === undefined ? "" : `: ${why}`);
}

/** @param {Fact[]} found @param {Fact[]} facts @param {Model} model */
function scored(found, facts, model) {
  const points = (/** @type {Fact} */ fact) =>
    Number(fact.score !== undefined && fact.added === undefined ? fact.score : fact.added);
  const best = [...found].sort((a, b) => points(b) - points(a));
  const texts = best.map((fact) =>
    t("{name} scores {points}", { name: model.voice.name(Number(fact.seat)), points: points(fact) }),
  );
  const bust = [
    ...new Set(facts.filter((fact) => fact.type === "bust").map((fact) => model.voice.name(Number(fact.seat)))),
  ];
  const also = count(bust.length, "; {names} is bust", "; {names} are bust", { names: list(bust) });
  return `${list(texts)}${bust.length > 0 ? also : ""}.`;
}

/** Who was dealt what, as far as one may know. @param {Fact[]} facts @param {Model} model */
function dealt(facts, model) {
  const rows = facts.filter((fact) => fact.type === "dealt" && Array.isArray(fact.cards));
  if (rows.length === 0) return null;
  return [
    h("h2", null, t("Dealt")),
    h(
      "ul",
      { class: "plain shown" },
      rows.map((fact) =>
        h(
          "li",
          null,
          h("strong", null, model.voice.name(typeof fact.seat === "number" ? fact.seat : null)),
          row(
            model.deck,
            /** @type {(string | null)[]} */ (fact.cards),
            t("Cards of {name}", { name: model.voice.object(typeof fact.seat === "number" ? fact.seat : null) }),
            "dealt",
          ),
        ),
      ),
    ),
  ];
}
