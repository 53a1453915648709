// Addresses and pages: links lead on without a reload, and every state that has an address is in it.

import { byId, fill, h } from "./dom.js";
import { t } from "./texts.js";

/**
 * What a page gets. `signal` is aborted when the page is left.
 * @typedef {object} Visit
 * @property {Record<string, string>} params what stands in the address
 * @property {URLSearchParams} query
 * @property {HTMLElement} main where the page goes
 * @property {AbortSignal} signal
 * @property {(title: string) => void} title
 * @property {(error: unknown) => void} fail ends the visit, and says why in the page's place
 */
/** @typedef {{ render: (visit: Visit) => void | Promise<void> }} Page */
/** @typedef {{ pattern: string, load: () => Promise<Page> }} Route */

/** @type {Route[]} */
let routes = [];
/** @type {(error: unknown, main: HTMLElement) => void} */
let onFailure = () => {};
/** @type {((path: string) => void)[]} */
const followers = [];
let leaving = new AbortController();
/** The address of the page that is shown, without its hash. */
let shown = "";

/** @param {Route[]} table @param {(error: unknown, main: HTMLElement) => void} failure */
export function start(table, failure) {
  routes = table;
  onFailure = failure;
  addEventListener("popstate", () => {
    // A place on the same page is no other page, and what was filled in there stays. A code in the hash is no place.
    const isPlace = location.hash === "" || document.getElementById(location.hash.slice(1)) !== null;
    if (here() !== shown || !isPlace) void show();
  });
  document.addEventListener("click", followLink);
  void show(true);
}

/** Calls back with each new path. @param {(path: string) => void} callback */
export function onVisit(callback) {
  followers.push(callback);
}

/** Goes to an address of the page. @param {string} address */
export function go(address) {
  if (address === here()) return;
  history.pushState(null, "", address);
  void show();
}

/** Writes the state into the address without another visit. @param {string} address */
export function rewrite(address) {
  if (address !== here()) history.replaceState(null, "", address);
  shown = here();
}

function here() {
  return location.pathname + location.search;
}

/** Whether the page has this address. @param {string} path */
export function isPage(path) {
  return match(path) !== null;
}

/** @param {string} path */
function match(path) {
  const parts = split(path);
  for (const route of routes) {
    const names = split(route.pattern);
    if (names.length !== parts.length) continue;
    /** @type {Record<string, string>} */
    const params = {};
    const fits = names.every((name, at) => {
      const part = parts[at] ?? "";
      if (!name.startsWith(":")) return name === part;
      params[name.slice(1)] = part;
      return part !== "";
    });
    if (fits) return { route, params };
  }
  return null;
}

/** @param {string} path */
function split(path) {
  return path.replace(/\/+$/, "").split("/").map(plain);
}

/** @param {string} part */
function plain(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param {MouseEvent} event */
function followLink(event) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname === location.pathname && link.hash !== "") return;
  if (!isPage(link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

async function show(isFirst = false) {
  leaving.abort();
  leaving = new AbortController();
  const visiting = leaving;
  const { signal } = visiting;
  shown = here();
  const main = byId("main");
  main.className = "";
  const found = match(location.pathname);
  for (const follower of followers) follower(location.pathname);
  if (!isFirst) scrollTo(0, 0);
  if (found === null) {
    document.title = t("Not found");
    fill(
      main,
      h("h1", null, t("There is no page at this address.")),
      h("p", null, h("a", { href: "/" }, t("To the card room"))),
    );
    return;
  }
  const title = (/** @type {string} */ text) => {
    if (!signal.aborted) document.title = text;
  };
  const fail = (/** @type {unknown} */ error) => {
    if (signal.aborted) return;
    visiting.abort();
    main.className = "";
    onFailure(error, main);
  };
  try {
    const page = await found.route.load();
    if (signal.aborted) return;
    fill(main);
    const visit = { params: found.params, query: new URLSearchParams(location.search), main, signal, title, fail };
    await page.render(visit);
  } catch (error) {
    if (signal.aborted) return;
    main.className = "";
    onFailure(error, main);
  }
  if (!isFirst && !signal.aborted && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
}
