// The frame around every page: the rooms, the player's name, the theme, what is said aloud, and keys that work everywhere.

import { byId, fill, h, isTyping } from "./dom.js";
import { go, isPage, onVisit } from "./router.js";
import * as session from "./session.js";
import { language, t } from "./texts.js";
import { person, trouble } from "./words.js";

/** The rooms that the bar names; those that have no page are left out. */
const ROOMS = [
  { href: "/games", name: t("Lobby") },
  { href: "/tournaments", name: t("Tournaments") },
  { href: "/me", name: t("My games") },
];

export function frame() {
  onVisit(closeDialogs);
  onVisit(showRooms);
  byId("main").before(h("div", { class: "notice", id: "ended", role: "alert" }));
  let before = session.account();
  session.onChange((now) => {
    // What an account was asked is not for another. Where nobody was signed in, the dialog may itself have made a guest.
    if (before !== null && before.id !== now?.id) closeDialogs();
    before = now;
    showAccount();
  });
  showShell();
  showAccount();
  showFoot();
  document.addEventListener("keydown", command);
  // A key that is held presses a button once: by the next time, another one may have the focus.
  document.addEventListener("keydown", (event) => {
    if (event.repeat && event.key === "Enter" && !isTyping(event.target)) event.preventDefault();
  });
}

/** The words that stand in the shell already. */
function showShell() {
  if (language === "en") return;
  const texts = { ".skip": t("To the content"), ".brand": t("Card room"), "#main p:first-child": t("The page loads.") };
  for (const [place, text] of Object.entries(texts)) {
    const node = document.querySelector(place);
    if (node !== null) node.textContent = text;
  }
  byId("rooms").setAttribute("aria-label", t("Rooms"));
}

/** Says something to those who listen to the page; once, when they have finished listening. @param {string} text */
export function say(text) {
  const place = byId("said");
  place.append(h("p", null, text));
  while (place.childElementCount > 12) place.firstElementChild?.remove();
}

/** Says something at once. @param {string} text */
export function call(text) {
  byId("called").textContent = text;
}

/** The streams that are away: a page may follow several. @type {Set<string>} */
const gone = new Set();

/** Shows or hides the line that says that the card room is away. @param {boolean} isGone @param {string} [stream] */
export function away(isGone, stream = "") {
  if (isGone) gone.add(stream);
  else gone.delete(stream);
  const isAway = gone.size > 0;
  const line = byId("away");
  const text = isAway ? t("The connection is away. What you see may be old; it goes on by itself.") : "";
  if (line.textContent !== text) line.textContent = text;
  line.hidden = !isAway;
}

/** A dialog with a heading and a way out. @param {string} title @param {...import("./dom.js").Child} children */
export function dialog(title, ...children) {
  const box = h("dialog", { "aria-label": title, onclose: () => box.remove() }, h("h2", null, title), ...children);
  document.body.append(box);
  box.showModal();
  return box;
}

/** A dialog is about the page that it was opened on. What is told only once stays until it was read. */
function closeDialogs() {
  for (const box of document.querySelectorAll("dialog[open]:not([data-stays])"))
    if (box instanceof HTMLDialogElement) box.close();
}

/** @param {string} path */
function showRooms(path) {
  const rooms = ROOMS.filter((room) => isPage(room.href));
  const isHere = (/** @type {string} */ href) => path === href || (path.startsWith(`${href}/`) && href !== "/games");
  fill(
    byId("rooms"),
    rooms.map((room) => h("a", { href: room.href, "aria-current": isHere(room.href) && "page" }, room.name)),
  );
  gone.clear();
  away(false);
}

function showAccount() {
  const account = session.account();
  const place = byId("account");
  fill(byId("ended"), session.hasEnded() && ended());
  if (account === null) {
    fill(place, h("button", { class: "bare", onclick: () => signIn() }, t("Sign in")));
    return;
  }
  const name = h("a", { class: "button bare", href: "/me" }, person(account.username));
  const leave = account.guest
    ? h("button", { class: "bare", onclick: () => signIn() }, t("Sign in"))
    : h("button", { class: "bare", onclick: () => void session.logout() }, t("Sign out"));
  fill(place, name, leave);
}

/** Says that the card room has ended the session. */
function ended() {
  const close = () => {
    session.dismiss();
    showAccount();
  };
  return [
    h("p", null, t("Your session has ended.")),
    h("button", { onclick: () => signIn() }, t("Sign in again")),
    h("button", { class: "bare", onclick: close }, t("Close")),
  ];
}

/** Asks who somebody is. A guest who makes an account keeps its games. */
export function signIn() {
  const isGuest = session.account()?.guest === true;
  const name = h("input", { id: "name", name: "username", autocomplete: "username", required: true, maxlength: 32 });
  const password = h("input", {
    id: "password",
    name: "password",
    type: "password",
    autocomplete: "current-password",
    required: true,
  });
  const refusal = h("p", { class: "refusal", role: "alert" });
  let isBusy = false;
  /** @param {(name: string, password: string) => Promise<void | string[]>} way */
  const attempt = async (way) => {
    if (name.value === "" || password.value === "") {
      refusal.textContent = t("Enter a name and a password.");
      return;
    }
    if (isBusy) return;
    isBusy = true;
    refusal.textContent = "";
    try {
      const codes = await way(name.value, password.value);
      box.close();
      if (codes !== undefined && codes.length > 0) (await import("./me/codes.js")).showCodes(codes);
    } catch (error) {
      refusal.textContent = trouble(error);
    }
    isBusy = false;
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void attempt(session.login);
  };
  const form = h(
    "form",
    { onsubmit: submit },
    h("div", { class: "field" }, h("label", { for: "name" }, t("Name")), name),
    h("div", { class: "field" }, h("label", { for: "password" }, t("Password")), password),
    refusal,
    h("p", null, h("a", { href: "/me?recover", onclick: () => box.close() }, t("The password is lost"))),
    h(
      "div",
      { class: "row" },
      h("button", { class: "likely" }, t("Sign in")),
      h("button", { type: "button", onclick: () => void attempt(session.register) }, t("Make an account")),
      h("button", { type: "button", class: "bare", onclick: () => box.close() }, t("Cancel")),
    ),
  );
  const hint = isGuest
    ? t("You play as a guest. A new account keeps your games; signing in to another leaves them.")
    : t("No account is needed to play: Play now makes you a guest.");
  const box = dialog(t("Who are you?"), h("p", { class: "quiet" }, hint), form);
}

/** @type {Record<string, string>} */
const THEMES = { system: t("Theme: system"), light: t("Theme: light"), dark: t("Theme: dark") };

function showFoot() {
  const check = isPage("/check") && h("a", { href: "/check" }, t("Check a game"));
  fill(
    byId("foot"),
    check,
    h("a", { href: "/docs" }, "API"),
    colourButtons("bare"),
    h("button", { class: "bare", onclick: showKeys }, t("Keys")),
  );
}

/** Buttons that change the theme and the colours of the suits. @param {string} [className] */
export function colourButtons(className = "") {
  const root = document.documentElement;
  const theme = () => root.dataset.theme ?? "system";
  const suits = () => (root.dataset.suits === "four" ? "four" : "two");
  const button = (/** @type {string} */ name, /** @type {() => void} */ onclick) =>
    h("button", { class: className, "data-colours": name, onclick });
  const turn = () => {
    const order = Object.keys(THEMES);
    const next = order[(order.indexOf(theme()) + 1) % order.length] ?? "system";
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    remember("theme", next);
    tell();
  };
  const colours = () => {
    if (suits() === "two") root.dataset.suits = "four";
    else delete root.dataset.suits;
    remember("suits", suits());
    tell();
  };
  const [themes, sorts] = [button("theme", turn), button("suits", colours)];
  // They stand in the foot and on one's own page, and say the same.
  const tell = () => {
    const texts = {
      theme: THEMES[theme()] ?? "",
      suits: suits() === "two" ? t("Suits: two colours") : t("Suits: four colours"),
    };
    for (const one of [themes, sorts, ...document.querySelectorAll("[data-colours]")])
      one.textContent = one.getAttribute("data-colours") === "theme" ? texts.theme : texts.suits;
  };
  tell();
  return [themes, sorts, languageButton(className)];
}

/** The page in its other language. Each is named in itself. @param {string} className */
function languageButton(className) {
  const [next, name] = language === "en" ? ["de", "Deutsch"] : ["en", "English"];
  const change = () => {
    remember("language", next);
    location.reload();
  };
  return h("button", { class: className, lang: next, onclick: change }, name);
}

/** @param {string} name @param {string} value */
function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It holds until the page is left.
  }
}

const KEYS = [
  ["← →", t("walk the cards")],
  [t("space"), t("choose a card")],
  [t("enter"), t("confirm")],
  [t("1 to 9"), t("press an action")],
  ["[ ]", t("a version back, a version on")],
  ["g l", t("to the lobby")],
  ["g m", t("to my games")],
  ["?", t("this list")],
];

function showKeys() {
  const rows = KEYS.map(([key, what]) => [h("dt", null, h("kbd", null, key)), h("dd", null, what)]);
  const box = dialog(
    t("Keys"),
    h("dl", { class: "facts" }, rows),
    h("button", { onclick: () => box.close() }, t("Close")),
  );
}

let afterG = false;

/** @param {KeyboardEvent} event */
function command(event) {
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    isTyping(event.target) ||
    document.querySelector("dialog[open]")
  )
    return;
  const wasG = afterG;
  afterG = event.key === "g";
  if (event.key === "?") showKeys();
  else if (wasG && event.key === "l") go("/games");
  else if (wasG && event.key === "m" && isPage("/me")) go("/me");
  else return;
  event.preventDefault();
}
