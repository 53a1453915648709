// Before and after the game: sitting down, bots, the start, an invite, resigning, a rematch, calling it off.

import { del, post } from "../api.js";
import { dialog } from "../frame.js";
import { byClick, h } from "../dom.js";
import { inviteHere } from "./reading.js";
import { go } from "../router.js";
import * as session from "../session.js";
import { t } from "../texts.js";
import { LEVELS, count, list, ordinal, trouble, whole } from "../words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {import("../types.d.ts").Policy} Policy */
/** @typedef {{ take: (game: Game) => void, redraw: () => void, signal: AbortSignal, state: { refusal: string, isBusy: boolean, policy: Policy } }} Desk */

/**
 * Does something about the game and shows what came of it, unless something else is being done. Tells which.
 * @param {Desk} desk @param {() => Promise<Game | null>} work
 */
async function attempt(desk, work) {
  if (desk.state.isBusy) return false;
  desk.state.isBusy = true;
  desk.state.refusal = "";
  desk.redraw();
  try {
    await session.ensure();
    const game = await work();
    if (game !== null) desk.take(game);
  } catch (error) {
    desk.state.refusal = trouble(error);
  }
  desk.state.isBusy = false;
  desk.redraw();
  return true;
}

/**
 * Asks before something is done that is not undone.
 * @param {Desk} desk @param {string} title @param {string} text @param {{ act: string, stay: string }} words
 * @param {() => Promise<Game | null>} work
 */
function ask(desk, title, text, { act, stay }, work) {
  const confirmed = async () => {
    if (await attempt(desk, work)) box.close();
  };
  const buttons = h(
    "div",
    { class: "row" },
    h("button", { class: "likely", onclick: byClick(confirmed) }, act),
    h("button", { onclick: () => box.close() }, stay),
  );
  const box = dialog(title, h("p", null, text), buttons);
}

/** What may be done about the game before it begins. @param {Model} model @param {Desk} desk */
export function beforeStart(model, desk) {
  const { game, kind, you } = model;
  const path = `/v1/games/${game.id}`;
  const isCreator = session.account()?.username === game.created_by;
  const free = game.seats.filter((seat) => seat.player === null && seat.bot === null).length;
  const taken = game.seats.length - free;
  const invite = inviteHere();
  const sit = () => attempt(desk, () => post(`${path}/seats`, invite === null ? {} : { invite }));
  const addBot = () => attempt(desk, () => post(`${path}/bots`, { policy: desk.state.policy }));
  const start = () => attempt(desk, () => post(`${path}/start`));
  const standUp = () => attempt(desk, () => del(`${path}/seats/me`));
  const callOff = () =>
    ask(
      desk,
      t("Call the game off?"),
      t("Nobody can sit down here any more."),
      { act: t("Call it off"), stay: t("Keep it open") },
      // Once somebody has sat down, or the game has begun, it would be another decision.
      () => post(`${path}/abort`, undefined, { ifMatch: game.version }),
    );
  const needed = Math.max(0, kind.seats.min - taken);
  const waits =
    needed > 0
      ? count(needed, "{n} more player is needed.", "{n} more players are needed.")
      : t("It starts by itself when all seats are taken.");
  return h(
    "section",
    { class: "panel desk", "data-key": "desk" },
    h("h2", null, you === null ? t("This table is open") : t("Waiting for the others")),
    h("p", null, `${count(free, "{n} seat is free.", "{n} seats are free.")} ${waits}`),
    desk.state.refusal !== "" && h("p", { class: "refusal", role: "alert" }, desk.state.refusal),
    h(
      "div",
      { class: "row" },
      you === null && free > 0 && h("button", { class: "likely", onclick: byClick(sit) }, t("Sit down")),
      isCreator &&
        free > 0 &&
        h("button", { class: you !== null ? "likely" : "", onclick: byClick(addBot, true) }, t("Add a bot")),
      isCreator && free > 0 && botLevel(desk),
      isCreator && needed === 0 && h("button", { onclick: byClick(start) }, t("Start now")),
      you !== null && h("button", { class: "bare", onclick: byClick(standUp) }, t("Stand up")),
      isCreator && h("button", { class: "bare", onclick: byClick(callOff) }, t("Call it off")),
    ),
    game.visibility === "private" && game.invite !== null && inviteOf(game),
    game.visibility === "public" &&
      h("p", { class: "small quiet" }, t("Anybody with this page's address can sit down.")),
  );
}

/** How well the next bot plays that is added. @param {Desk} desk */
function botLevel({ state }) {
  const choose = (/** @type {Event} */ event) => {
    state.policy = /** @type {Policy} */ (/** @type {HTMLSelectElement} */ (event.currentTarget).value);
  };
  const levels = LEVELS.map(([policy, text]) => h("option", { value: policy, selected: policy === state.policy }, text));
  return h("label", null, t("that plays"), " ", h("select", { id: "bot-level", onchange: choose }, levels));
}

/** @param {Game} game */
function inviteOf(game) {
  const address = `${location.origin}/games/${game.id}?invite=${encodeURIComponent(game.invite ?? "")}`;
  const copy = (/** @type {Event} */ event) => {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    void navigator.clipboard?.writeText(address).then(() => {
      button.textContent = t("Copied");
    });
  };
  return h(
    "p",
    { class: "small" },
    t("Private: anybody who has this address may sit down."),
    " ",
    h("code", null, address),
    " ",
    navigator.clipboard && h("button", { onclick: copy }, t("Copy")),
  );
}

/** How the game ended, and what comes next. @param {Model} model @param {Desk} desk */
export function afterEnd(model, desk) {
  const { game, voice } = model;
  if (game.status === "aborted")
    return h(
      "section",
      { class: "panel desk", "data-key": "desk" },
      h("h2", null, t("The game was called off.")),
      next(model, desk),
    );
  const places = [...(game.outcome?.places ?? [])].sort((a, b) => a.place - b.place);
  return h(
    "section",
    { class: "panel desk", "data-key": "desk" },
    h("h2", null, winnersOf(model)),
    h(
      "table",
      { class: "list" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, t("Place")),
          h("th", { scope: "col" }, t("Player")),
          h("th", { scope: "col", class: "number" }, t("Result")),
        ),
      ),
      h(
        "tbody",
        null,
        places.map((one) =>
          h(
            "tr",
            { class: one.seat === model.you ? "mine" : "" },
            h("td", null, ordinal(one.place)),
            h("td", null, voice.name(one.seat)),
            h("td", { class: "number" }, whole(one.score)),
          ),
        ),
      ),
    ),
    next(model, desk),
  );
}

/** Who won, in a sentence. @param {Model} model @param {Game} [game] */
export function winnersOf({ game: shown, voice }, game = shown) {
  const [first, ...others] = game.outcome?.winners ?? [];
  if (first === undefined) return "";
  if (others.length === 0) return `${voice.does(first, "{who} [wins|win]")}.`;
  return t("{names} win.", { names: list([first, ...others].map((seat) => voice.name(seat))) });
}

/** @param {Model} model @param {Desk} desk */
function next({ game, you }, desk) {
  /** @param {Game} fresh */
  const move = (fresh) => {
    if (!desk.signal.aborted) go(`/games/${fresh.id}`);
    return null;
  };
  const rematch = () => attempt(desk, async () => move(await post(`/v1/games/${game.id}/rematch`, {})));
  const isPerson = game.seats.filter((seat) => seat.player !== null).length === 1;
  return [
    desk.state.refusal !== "" && h("p", { class: "refusal", role: "alert" }, desk.state.refusal),
    h(
      "div",
      { class: "row" },
      you !== null && h("button", { class: "likely", onclick: byClick(rematch) }, isPerson ? t("Play again") : t("Rematch")),
      you === null &&
        game.rematch !== null &&
        h("a", { class: "button", href: `/games/${game.rematch}` }, t("To the rematch")),
      h("a", { class: "button", href: `/check?game=${game.id}` }, t("Check it")),
      h("a", { class: "button", href: "/games" }, t("To the lobby")),
    ),
  ];
}

/**
 * Leaving a game that runs: rarely done, so it asks.
 * @param {Model} model @param {Desk} desk @param {boolean} mayCallOff a tournament's game is called off by its organisers
 */
export function leaving({ game, you }, desk, mayCallOff) {
  if (you === null || game.status !== "active" || game.seats[you]?.resigned) return null;
  const resign = () =>
    ask(
      desk,
      t("Leave the game?"),
      t("The house plays your seat to the end. You cannot come back to it."),
      { act: t("Leave"), stay: t("Stay") },
      () => post(`/v1/games/${game.id}/resign`),
    );
  const agrees = game.seats[you]?.agrees_to_abort;
  const callOff = () =>
    ask(
      desk,
      t("Call the game off?"),
      t("The game is called off when all agree."),
      { act: t("Call it off"), stay: t("Play on") },
      () => post(`/v1/games/${game.id}/abort`),
    );
  return h(
    "div",
    { class: "row leaving" },
    desk.state.refusal !== "" && h("p", { class: "refusal", role: "alert" }, desk.state.refusal),
    h("button", { class: "bare", onclick: byClick(resign) }, t("Leave the game")),
    !agrees && mayCallOff && h("button", { class: "bare", onclick: byClick(callOff) }, t("Call it off")),
    agrees && h("span", { class: "small quiet" }, t("You agree to call it off. The others have to agree, too.")),
  );
}
