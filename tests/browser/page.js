// Looks until there is something to see, for as long as a call may take.
const soon = async (look) => {
  const until = performance.now() + 5000;
  for (;;) {
    const found = look();
    if (found || performance.now() > until) return found;
    await new Promise((done) => setTimeout(done, 30));
  }
};

const isSeen = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && node.getClientRects().length > 0;

const all = (selector, text) =>
  [...document.querySelectorAll(selector)].filter((node) => isSeen(node) && node.textContent.includes(text));

// Where the first of these can be pressed; null while it is away, disabled, or under something else.
const place = (selector, text) => {
  const node = all(selector, text).find((one) => !one.matches(":disabled, [aria-disabled=true]"));
  if (!node) return null;
  node.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const { left, top, width, height } = node.getBoundingClientRect();
  for (const [across, down] of [[0.5, 0.5], [0.15, 0.5], [0.15, 0.15], [0.5, 0.85], [0.85, 0.5]]) {
    const [x, y] = [left + width * across, top + height * down];
    const found = document.elementFromPoint(x, y);
    if (!found || !node.contains(found)) continue;
    // Whether it is pressed there: the page may move between the look and the click.
    window.isHit = false;
    node.addEventListener("click", () => (window.isHit = true), { capture: true, once: true });
    return { x, y };
  }
  return null;
};

// What the table offers somebody who sees it: whose turn it is, the buttons of the bar, and the cards of the hand.
const offer = () => {
  if (!document.querySelector(".t-board")) return { state: "away" };
  if (document.querySelector(".t-board .desk tbody")) return { state: "over" };
  if (document.querySelector("dialog[open]")) return { state: "asked" };
  const sheet = document.querySelector(".sheet .likely:not(:disabled)") !== null;
  const isMine = sheet || document.querySelector(".t-bar .likely:not(:disabled)") !== null;
  const actions = [...document.querySelectorAll(".t-bar [data-action]:not(:disabled)")].map((button) => {
    const title = button.textContent;
    const [, chosen, most] = /\((\d+) of (\d+)\)$/.exec(title) ?? [null, "0", title.endsWith(" a card") ? "1" : "0"];
    return { at: Number(button.dataset.action), type: button.dataset.type, wants: Number(most) - Number(chosen) };
  });
  const cards = [...document.querySelectorAll(".t-hand button.card")].map((card) => ({
    at: Number(card.dataset.card),
    usable: card.getAttribute("aria-disabled") !== "true",
    chosen: card.getAttribute("aria-pressed") === "true",
  }));
  const refusal = document.querySelector(".t-bar .refusal")?.textContent ?? "";
  return { state: isMine ? "mine" : "waits", sheet, actions, cards, refusal };
};

// Lets the page draw what it has heard.
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))));
