// @ts-check
// What the browser does with a notice that comes while no page is open: it shows it in words, and opens the game or the
// tournament when somebody presses it. It stands alone, because it has an address of its own.

/**
 * @typedef {object} Notice
 * @property {{ id: string, kind: string } | undefined} [game]
 * @property {string | null | undefined} [game_id]
 * @property {{ id: string, name: string } | undefined} [tournament]
 * @property {string | undefined} [player]
 * @property {number | undefined} [round]
 * @property {number | null | undefined} [table]
 * @property {string | undefined} [reason]
 * @property {string | undefined} [status]
 * @property {string | undefined} [text]
 * @property {string | undefined} [answer]
 * @property {string | undefined} [role]
 */
/** @typedef {Event & { waitUntil: (work: Promise<unknown>) => void }} Lasting */
/** @typedef {Lasting & { data: { json: () => unknown } | null }} PushEvent */
/** @typedef {Lasting & { notification: Notification }} ClickEvent */
/** @typedef {{ url: string, focus: () => Promise<unknown>, postMessage: (message: string, ports: MessagePort[]) => void }} Client */
/**
 * @typedef {object} Service
 * @property {ServiceWorkerRegistration} registration
 * @property {{ matchAll: (options: object) => Promise<Client[]>, openWindow: (url: string) => Promise<unknown> }} clients
 * @property {() => Promise<void>} skipWaiting
 * @property {(type: string, listener: (event: never) => void) => void} addEventListener
 */

const worker = /** @type {Service} */ (/** @type {unknown} */ (self));

/** It knows no page, so it speaks the browser's language. */
const isGerman = navigator.language.startsWith("de");
/** How long a page has to say what it shows, in milliseconds: the player who has pressed a notice waits for it. */
const PATIENCE = 400;

/** @param {string} english @param {string} german @param {Notice} [notice] */
function both(english, german, notice = {}) {
  const values = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (notice));
  return (isGerman ? german : english).replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) => String(values[name]));
}

/** @type {Record<string, (notice: Notice) => string>} */
const WORDS = {
  your_turn: () => both("It is your turn", "Du bist am Zug"),
  seat_taken: ({ player }) =>
    both("{player} has sat down at your table", "{player} hat sich an deinen Tisch gesetzt", {
      player: player ?? both("A bot", "Ein Bot"),
    }),
  seat_left: (notice) => both("{player} has left your table", "{player} hat deinen Tisch verlassen", notice),
  removed: () => both("You were removed from your seat", "Dein Platz wurde dir genommen"),
  game_started: () => both("Your game has started", "Dein Spiel hat begonnen"),
  resigned: (notice) => both("{player} has resigned", "{player} hat aufgegeben", notice),
  abort_agreed: (notice) => both("{player} wants to call the game off", "{player} möchte das Spiel abbrechen", notice),
  game_over: ({ status }) =>
    status === "aborted"
      ? both("Your game was called off", "Dein Spiel wurde abgebrochen")
      : both("Your game is over", "Dein Spiel ist zu Ende"),
  rematch_offered: () => both("A rematch is offered to you", "Dir wird eine Revanche angeboten"),
  tournament_entered: () => both("You were entered", "Du wurdest angemeldet"),
  tournament_started: () => both("The tournament has started", "Das Turnier hat begonnen"),
  round_drawn: (notice) =>
    typeof notice.table === "number"
      ? both("Round {round}: you sit at table {table}", "Durchgang {round}: Du sitzt an Tisch {table}", notice)
      : both("Round {round} was drawn", "Durchgang {round} wurde ausgelost", notice),
  place_freed: () => both("A place is free: you are in", "Ein Platz ist frei: Du bist dabei"),
  organiser_named: ({ role }) =>
    role === "referee"
      ? both("You are a referee", "Du bist Schiedsrichter")
      : both("You are a director", "Du bist in der Turnierleitung"),
  disqualified: (notice) => both("You were disqualified: {reason}", "Du wurdest disqualifiziert: {reason}", notice),
  reinstated: () => both("You are in the tournament again", "Du bist wieder im Turnier"),
  penalised: (notice) => both("You have a penalty: {reason}", "Du hast eine Strafe: {reason}", notice),
  marked_absent: (notice) =>
    both(
      "You did not play round {round}: say that you are there",
      "Durchgang {round} hast du nicht gespielt: Sag, dass du da bist",
      notice,
    ),
  referee_called: (notice) => both("{player} calls a referee: {text}", "{player} ruft die Leitung: {text}", notice),
  call_answered: (notice) =>
    notice.answer
      ? both("A referee answers you: {answer}", "Die Leitung antwortet dir: {answer}", notice)
      : both("A referee has seen to your call", "Die Leitung hat sich um deinen Ruf gekümmert"),
  tournament_over: ({ status }) =>
    status === "aborted"
      ? both("The tournament was called off", "Das Turnier wurde abgebrochen")
      : both("The tournament is over", "Das Turnier ist zu Ende"),
  test: () => both("This is a test", "Das ist ein Test"),
};

worker.addEventListener("push", (/** @type {PushEvent} */ event) => {
  event.waitUntil(show(event.data));
});

worker.addEventListener("notificationclick", (/** @type {ClickEvent} */ event) => {
  event.notification.close();
  event.waitUntil(openPage(String(event.notification.data)));
});

/** @param {PushEvent["data"]} data */
async function show(data) {
  const message = /** @type {{ type?: string, data?: Notice }} */ (parsed(data));
  const notice = message.data ?? {};
  // A drawn round names its game by its id alone.
  const game = notice.game ?? (notice.game_id ? { id: notice.game_id, kind: "" } : undefined);
  const place = notice.tournament?.name ?? (await named(game?.kind ?? ""));
  const words =
    WORDS[message.type ?? ""]?.(notice) ??
    both("Something has happened in the card room", "Im Kartenzimmer ist etwas geschehen");
  // A title is cut short, so an announcement stands below.
  const [title, body] = message.type === "announcement" ? [place, notice.text ?? ""] : [words, place];
  const address = game ? `/games/${game.id}` : notice.tournament ? `/tournaments/${notice.tournament.id}` : "/me";
  // A newer notice of the same place takes the place of the older one, and is heard all the same.
  const options = { body, tag: address, renotify: true, data: address };
  await worker.registration.showNotification(title, options);
}

/** @param {PushEvent["data"]} data */
function parsed(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

/** How the card room calls a kind; "royal_gambit" is "Royal gambit" while it cannot be asked. @param {string} kind */
async function named(kind) {
  if (kind === "") return "";
  try {
    const response = await fetch("/v1/kinds", {
      headers: { "accept-language": isGerman ? "de" : "en" },
      signal: AbortSignal.timeout(3000),
    });
    const { items } = /** @type {{ items: { kind: string, name: string }[] }} */ (await response.json());
    const told = items.find((one) => one.kind === kind);
    if (told !== undefined) return told.name;
  } catch {
    // A notice has to be shown, also without the card room.
  }
  const text = kind.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Goes to a page that shows it already, or opens one. @param {string} address */
async function openPage(address) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const places = await Promise.all(pages.map(shownBy));
  const shown = pages[places.indexOf(address)];
  const open = () => worker.clients.openWindow(address);
  await (shown === undefined ? open() : shown.focus().catch(open));
}

/** What a page shows. It is asked, because its `url` is the one at which it was loaded. @param {Client} page @returns {Promise<string>} */
function shownBy(page) {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => done(String(data));
    setTimeout(() => done(new URL(page.url).pathname), PATIENCE);
    page.postMessage("where", [port2]);
  });
}
