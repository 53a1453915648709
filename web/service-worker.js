// @ts-check
// What the browser does with a notice that comes while no page is open: it shows it in words, and opens the game or the
// tournament when somebody presses it. It stands alone, because it has an address of its own.

/**
 * @typedef {object} Notice
 * @property {{ id: string, kind: string } | undefined} [game]
 * @property {{ id: string, name: string } | undefined} [tournament]
 * @property {string | undefined} [player]
 * @property {number | undefined} [round]
 * @property {number | null | undefined} [table]
 * @property {string | undefined} [reason]
 * @property {string | undefined} [status]
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

/** How long a page has to say what it shows, in milliseconds: who presses a notice waits for it. */
const PATIENCE = 400;

/** @type {Record<string, (notice: Notice) => string>} */
const WORDS = {
  your_turn: () => "It is your turn",
  seat_taken: ({ player }) => `${player ?? "A bot"} has sat down at your table`,
  seat_left: ({ player }) => `${player} has left your table`,
  removed: () => "You were removed from your seat",
  game_started: () => "Your game has started",
  resigned: ({ player }) => `${player} has resigned`,
  abort_agreed: ({ player }) => `${player} wants to call the game off`,
  game_over: ({ status }) => (status === "aborted" ? "Your game was called off" : "Your game is over"),
  rematch_offered: () => "A rematch is offered to you",
  tournament_entered: () => "You were entered",
  tournament_started: () => "The tournament has started",
  round_drawn: ({ round, table }) =>
    typeof table === "number" ? `Round ${round}: you sit at table ${table}` : `Round ${round} was drawn`,
  disqualified: ({ reason }) => `You were disqualified: ${reason}`,
  tournament_over: ({ status }) => (status === "aborted" ? "The tournament was called off" : "The tournament is over"),
  test: () => "This is a test",
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
  const message = /** @type {{ type?: string, data?: Notice & { game?: unknown } }} */ (parsed(data));
  const notice = message.data ?? {};
  // A drawn round names its game by its id alone.
  const game = typeof notice.game === "string" ? { id: notice.game, kind: "" } : notice.game;
  const title = WORDS[message.type ?? ""]?.(notice) ?? "Something has happened in the card room";
  const body = notice.tournament?.name ?? (await named(game?.kind ?? ""));
  const address = game ? `/games/${game.id}` : notice.tournament ? `/tournaments/${notice.tournament.id}` : "/me";
  // A newer notice of the same place takes the place of the older one.
  await worker.registration.showNotification(title, { body, tag: address, data: address });
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
    const response = await fetch("/v1/kinds", { signal: AbortSignal.timeout(3000) });
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
