// A table: one page for all kinds. It shows what the view says and plays from `legal_actions`.

import { Problem, get, problemIn } from "../api.js";
import { fill, h, isTyping, update } from "../dom.js";
import { away, call } from "../frame.js";
import { drawingOf, toldKind } from "../kinds/told.js";
import { moved } from "../notices.js";
import { rewrite } from "../router.js";
import * as session from "../session.js";
import { follow } from "../stream.js";
import { controls, noIntent } from "../table/actions.js";
import { speak } from "../table/aloud.js";
import { run } from "../table/clock.js";
import { modelOf, order } from "../table/model.js";
import { allowSound, announce, hasSound, icon, isMyTurn, mark } from "../table/notice.js";
import { paced } from "../table/pace.js";
import { pastOf, stepper } from "../table/past.js";
import { gamePath, inviteHere } from "../table/reading.js";
import { afterEnd, beforeStart, leaving } from "../table/seating.js";
import { seatTile } from "../table/seats.js";
import { send } from "../table/sending.js";
import { sideOf } from "../table/side.js";
import { latest, loadHands, noStory, recall, sentences, storyOf, tell } from "../table/story.js";
import { t } from "../texts.js";
import { STATUS, lowered, trouble } from "../words.js";

/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {import("../types.d.ts").EntryEvent} EntryEvent */

/**
 * All that a table on the page has.
 * @typedef {object} Room
 * @property {Game} game the newest that is known
 * @property {import("../types.d.ts").KindText} kind
 * @property {import("../table/model.js").Drawing} drawing
 * @property {ReturnType<typeof scene>} places
 * @property {import("../table/story.js").Story} story
 * @property {import("../table/actions.js").Intent} intent
 * @property {import("../table/past.js").Past} past
 * @property {import("../table/seating.js").Desk} desk
 * @property {(() => import("../types.d.ts").Child) | null | undefined} referee what a player calls a referee with: null at a table
 *   of no tournament, undefined until that is known
 * @property {AbortSignal} signal
 * @property {boolean} wasMyTurn
 * @property {boolean} isAnew whether somebody else looks on than saw `game`
 * @property {(error: unknown) => void} fail shows that instead of the table
 * @property {() => void} schedule has it drawn
 */

/** @param {import("../router.js").Visit} visit */
export async function render({ params, query, main, signal, fail }) {
  const id = params.id ?? "";
  main.className = "at-table";
  // An invite is for those who have a name here; a guest has one.
  if (inviteHere() !== null) await session.welcome();
  const game = /** @type {Game} */ (await get(gamePath(id), { signal }));
  const [kind, drawing] = await Promise.all([toldKind(game.kind), drawingOf(game.kind)]);
  if (signal.aborted) return;
  const room = open(main, signal, game, kind, drawing, fail);
  update(room.places.side, sideOf(modelOf(game, kind, false)));
  const wanted = Number(query.get("version"));
  if (wanted > 0) room.past.show(wanted);
  notice(room);
  draw(room);
  run(main, signal);
  keys(main, room);
  signal.addEventListener("abort", () => {
    icon(false);
    call("");
  });
  session.onChange(() => void beginAnew(room), signal);
  listen(room);
  await loadHands(game.id, room.story, signal).catch(() => {});
  await remember(room);
  await findReferee(room).catch(() => {});
}

/** What only a player of a tournament needs, comes last. @param {Room} room */
async function findReferee(room) {
  const { game, signal } = room;
  const player = game.you === null ? null : (game.seats[game.you]?.player ?? null);
  if (player === null || game.status !== "active") return;
  const { refereeFor } = await import("../table/referee.js");
  room.referee = await refereeFor(game.id, player, () => room.schedule(), signal);
  room.schedule();
}

/**
 * @param {HTMLElement} main @param {AbortSignal} signal @param {Game} game
 * @param {import("../types.d.ts").KindText} kind @param {import("../table/model.js").Drawing} drawing
 * @param {(error: unknown) => void} fail
 * @returns {Room}
 */
function open(main, signal, game, kind, drawing, fail) {
  const redraw = () => room.schedule();
  /** @type {Room} */
  const room = {
    game,
    kind,
    drawing,
    places: scene(main),
    story: noStory(),
    intent: noIntent(),
    past: newPast(game.id, () => room, signal),
    desk: { take: (fresh) => take(room, fresh), redraw, signal, state: { refusal: "", isBusy: false, policy: "steady" } },
    // The games of tournaments are never open.
    referee: game.status === "open" ? null : undefined,
    signal,
    wasMyTurn: false,
    isAnew: false,
    fail,
    schedule: paced(() => draw(room), signal),
  };
  return room;
}

/** @param {string} id @param {() => Room} room @param {AbortSignal} signal */
function newPast(id, room, signal) {
  return pastOf(
    id,
    () => room().game.version,
    () => void remember(room()),
    signal,
  );
}

/** Somebody has signed in or out: what the one before saw goes, and the table is asked for anew. @param {Room} room */
async function beginAnew(room) {
  const { game, signal } = room;
  const intent = noIntent();
  const past = newPast(game.id, () => room, signal);
  Object.assign(room, { isAnew: true, wasMyTurn: false, story: noStory(), intent, past, referee: undefined });
  // A hand does not stay while the answer is waited for.
  if (game.you !== null) for (const place of [room.places.hand, room.places.board, room.places.bar]) fill(place);
  try {
    const fresh = /** @type {Game} */ (await get(gamePath(game.id), { signal }));
    if (room.intent !== intent) return;
    take(room, fresh);
    await loadHands(game.id, room.story, signal).catch(() => {});
    await remember(room);
    await findReferee(room).catch(() => {});
  } catch (error) {
    const isHidden = error instanceof Problem && HIDDEN.includes(error.status);
    // A hand does not stay, either, where nothing is heard.
    if (room.intent === intent && (isHidden || (room.isAnew && game.you !== null))) room.fail(error);
  }
}

/** How the API says that a table is not for this viewer. */
const HIDDEN = [401, 403, 404];

/** Tells the hand that is shown from its beginning. @param {Room} room */
async function remember(room) {
  const model = modelOf(room.game, room.kind, false);
  await recall(model, room.story, room.past.version ?? room.game.version, room.signal);
  room.schedule();
}

/** @param {Room} room @param {Game} fresh @param {boolean} [isOwn] whether it is how I have left the game */
function take(room, fresh, isOwn = false) {
  // What comes late is not told on another page.
  if (room.signal.aborted) return;
  // Another viewer may have to see an older version.
  if (!room.isAnew && fresh.version < room.game.version) return;
  const isNews = fresh.version > room.game.version;
  const isAgain = isOwn && isNews;
  room.isAnew = false;
  const hasChanged = fresh.status !== room.game.status;
  room.game = fresh;
  // The seed is told when the game is over.
  if (hasChanged) update(room.places.side, sideOf(modelOf(fresh, room.kind, false)));
  // What was refused before says nothing about this decision.
  const isMine = notice(room, isAgain);
  if (isNews && isMine) room.intent.refusal = "";
  room.schedule();
}

/**
 * Tells in the tab and aloud whether it is my turn; and tells the caller.
 * @param {Room} room @param {boolean} [isAgain] whether I have acted since: then it may be my turn once more
 */
function notice(room, isAgain = false) {
  const model = modelOf(room.game, room.kind, false);
  const isMine = isMyTurn(model);
  mark(room.kind.name, isMine);
  if (isMine && (isAgain || !room.wasMyTurn)) announce(model, room.drawing);
  if (!isMine && room.wasMyTurn) call("");
  room.wasMyTurn = isMine;
  moved({ id: room.game.id, name: room.kind.name }, isMine);
  return isMine;
}

/**
 * @param {Room} room @param {import("../types.d.ts").Action} action
 * @param {import("../table/model.js").Model} drawn what it was chosen from
 */
async function act(room, action, drawn) {
  const { intent } = room;
  if (intent.isSending) return;
  Object.assign(intent, { isSending: true, refusal: "" });
  room.schedule();
  try {
    const fresh = await send(action, drawn, (game) => modelOf(game, room.kind, false), room.signal);
    // Somebody may have signed out meanwhile.
    if (room.intent !== intent) return;
    Object.assign(intent, { chosen: [], sheet: null, isMore: false });
    take(room, fresh, true);
  } catch (error) {
    intent.refusal = refused(error, room.game, room.kind);
    if (error instanceof Problem && error.body.version !== undefined) void reload(room);
  }
  intent.isSending = false;
  room.schedule();
}

/** @param {Room} room */
async function reload(room) {
  const { intent } = room;
  const fresh = await get(gamePath(room.game.id), { signal: room.signal }).catch(() => null);
  const { refusal } = intent;
  if (fresh !== null && room.intent === intent) take(room, /** @type {Game} */ (fresh));
  // By this version it was refused.
  intent.refusal = refusal;
}

/** @param {Room} room */
function draw(room) {
  // What one player saw is not drawn for the next.
  if (room.isAnew && room.game.you !== null) return;
  const { game, kind, drawing, past, places, story, intent, desk } = room;
  const isPast = past.version !== null;
  const model = modelOf({ ...((isPast && past.game) || game), you: game.you }, kind, isPast);
  const version = past.version ?? game.version;
  const redraw = () => room.schedule();
  const hadFocus = [places.hand, places.bar].some((place) => place.contains(document.activeElement));
  const { hand, bar } = controls({ model, drawing, intent, redraw, act: (action) => void act(room, action, model) });
  update(places.head, head(model, drawing));
  update(places.board, board(model, drawing, game, desk));
  update(
    places.latest,
    latest(story, model, drawing, version, 3).map((text) => h("p", null, text)),
  );
  update(places.hand, ownTile(model, drawing), hand);
  update(places.bar, isPast ? null : bar);
  places.bar.classList.toggle("empty", isPast || bar === null);
  update(places.aside, model.game.view === null ? null : drawing.aside?.(model));
  const steps = game.status === "open" ? null : stepper(past, game.version, game.status !== "active");
  update(places.past, steps, isPast ? null : [leaving(model, desk, room.referee === null), game.status === "active" && room.referee?.()]);
  places.past.classList.toggle("stepping", isPast);
  const told = storyOf(story, model, drawing, version, (to) => past.show(to));
  update(places.story, h("h2", null, t("What happened")), told);
  // What was pressed may be gone. Somebody who plays by keyboard goes on from the hand, not from the top of the page.
  if (hadFocus && document.activeElement?.matches("body, :disabled")) places.hand.focus({ preventScroll: true });
  rewrite(location.pathname + queryAt(past.version));
}

/** @param {Room} room @param {EntryEvent} event */
function hear(room, event) {
  const isOwn = event.entry.type === "acted" && event.entry.seat === event.game.you;
  take(room, event.game, isOwn);
  const model = modelOf(event.game, room.kind, false);
  tell(room.story, event, model);
  const entry = room.story.entries.get(event.entry.seq);
  if (entry !== undefined && !document.hidden) speak(sentences(entry, model, room.drawing));
  room.schedule();
}

/** @param {Room} room */
function listen(room) {
  follow(gamePath(room.game.id, "/stream"), {
    signal: room.signal,
    // A player has to see in the tab's title when it is their turn.
    staysHidden: () => room.game.you !== null && room.game.status === "active",
    onAway: away,
    onEvent: ({ event, data }) => {
      if (event === "game") take(room, /** @type {Game} */ (data));
      else if (event === "entry") hear(room, /** @type {EntryEvent} */ (data));
    },
    onRefused: (response) => {
      if (HIDDEN.includes(response.status)) void problemIn(response).then(room.fail);
    },
    isOver: () => room.game.status === "finished" || room.game.status === "aborted",
  });
}

/** Where the parts of a table stand. @param {HTMLElement} main */
function scene(main) {
  const place = (/** @type {string} */ name, /** @type {string | null} */ label) =>
    h("div", { class: `t-${name}`, role: label === null ? null : "region", "aria-label": label });
  const places = {
    head: place("head", null),
    board: place("board", t("The table")),
    latest: place("latest", null),
    hand: place("hand", t("Your seat")),
    bar: place("bar", null),
    aside: place("aside", null),
    past: place("past", null),
    story: place("story", t("What happened")),
    side: place("side", t("About this game")),
  };
  places.hand.tabIndex = -1;
  fill(
    main,
    h(
      "div",
      { class: "t-middle" },
      places.head,
      places.board,
      places.latest,
      places.hand,
      places.bar,
      places.aside,
      places.past,
    ),
    places.story,
    places.side,
  );
  return places;
}

/** @param {import("../table/model.js").Model} model @param {import("../table/model.js").Drawing} drawing */
function head(model, drawing) {
  const { game, kind } = model;
  const where =
    game.status === "active" && game.view !== null ? drawing.progress(model) : (STATUS[game.status] ?? game.status);
  const text = () => (hasSound() ? t("Sound on") : t("Sound off"));
  // The button in the page may be that of an earlier drawing.
  const sound = (/** @type {Event} */ { currentTarget }) => {
    allowSound(!hasSound());
    if (currentTarget instanceof Element) currentTarget.textContent = text();
  };
  const button = h("button", { class: "bare small", onclick: sound }, text());
  return [
    h(
      "h1",
      null,
      kind.name,
      " ",
      h("span", { class: "quiet small" }, model.isPast ? t("as it was, {where}", { where }) : where),
    ),
    model.you !== null && game.status === "active" && button,
  ];
}

/** @param {import("../table/model.js").Model} model @param {import("../table/model.js").Drawing} drawing @param {Game} now @param {import("../table/seating.js").Desk} desk */
function board(model, drawing, now, desk) {
  const { game } = model;
  const tile = (/** @type {number} */ seat) => seatTile(model, drawing, seat);
  const others = order(model).filter((seat) => seat !== model.you);
  const strip = h("ul", { class: "seats", "aria-label": t("The others") }, others.map(tile));
  if (game.status === "open" || game.view === null) return [strip, !model.isPast && beforeStart(model, desk)];
  const over = !model.isPast && (now.status === "finished" || now.status === "aborted") ? afterEnd(model, desk) : null;
  const own = drawing.others?.(model, tile);
  const middle = h("div", { class: "middle" }, drawing.middle(model));
  if (own === undefined) return [over, strip, middle];
  return [over, own, drawing.others !== undefined && model.kind.kind !== "ricketts_hearts" && middle];
}

/** @param {import("../table/model.js").Model} model @param {import("../table/model.js").Drawing} drawing */
function ownTile(model, drawing) {
  return model.you === null
    ? null
    : h("ul", { class: "seats mine", "aria-label": t("Your seat") }, seatTile(model, drawing, model.you));
}

/** What was refused, and what may be done instead. @param {unknown} error @param {Game} game @param {import("../types.d.ts").KindText} kind */
function refused(error, game, kind) {
  if (!(error instanceof Problem)) return trouble(error);
  const what = error.code === "stale_version" ? t("The table has moved on, so this was not done.") : trouble(error);
  const actions = error.body.legal_actions ?? game.legal_actions;
  const titles = actions.map((action) => kind.actions.find((one) => one.type === action.type)?.title ?? action.type);
  if (titles.length === 0) return what;
  return `${what} ${t("You may: {actions}.", { actions: lowered(titles.join(", ")) })}`;
}

/** The address' query, with the version that is shown. @param {number | null} version */
function queryAt(version) {
  const query = new URLSearchParams(location.search);
  if (version === null) query.delete("version");
  else query.set("version", String(version));
  return query.size === 0 ? "" : `?${query}`;
}

/** @param {HTMLElement} main @param {Room} room */
function keys(main, room) {
  const press = (/** @type {KeyboardEvent} */ event) => {
    const { key } = event;
    // Many keyboards write brackets with AltGr, which is Ctrl and Alt, or with Option, which is Alt.
    const isBracket = key === "[" || key === "]";
    const isCommand = isBracket ? event.ctrlKey && !event.altKey : event.ctrlKey || event.altKey;
    if (isCommand || event.metaKey || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    // A key that is held decides once.
    if (event.repeat && key >= "1" && key <= "9") return event.preventDefault();
    const { past } = room;
    const newest = room.game.version;
    if (key === "[") past.show((past.version ?? newest) - 1);
    else if (key === "]") past.show(past.version === null || past.version + 1 > newest ? null : past.version + 1);
    else if (key >= "1" && key <= "9")
      main
        .querySelector(`[data-action="${Number(key) - 1}"]`)
        ?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else if ((key === "ArrowLeft" || key === "ArrowRight") && !(event.target instanceof HTMLInputElement))
      walk(main, key === "ArrowLeft" ? -1 : 1);
    else if (key === "Escape")
      main.querySelector("[data-close]")?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", press, { signal: room.signal });
}

/** Walks the cards of the hand. @param {HTMLElement} main @param {number} by */
function walk(main, by) {
  const cards = /** @type {HTMLElement[]} */ ([...main.querySelectorAll(".hand button.card")]);
  if (cards.length === 0) return;
  const at = cards.findIndex((one) => one === document.activeElement);
  cards[at < 0 ? (by > 0 ? 0 : cards.length - 1) : (at + by + cards.length) % cards.length]?.focus();
}
