// Building and changing what is on the page. Nothing here takes text for markup.

/** @typedef {import("./types.d.ts").Child} Child */
/** @typedef {Record<string, unknown>} Props */

const SVG = "http://www.w3.org/2000/svg";

/** Handlers are properties, not attributes: the page's policy refuses scripts in attributes. */
const HANDLERS = ["onclick", "oninput", "onchange", "onsubmit", "onkeydown", "ontoggle", "onclose"];

/**
 * An HTML element. `class`, handlers and attributes stand in `props`; those that are null, undefined or false are left out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Props | null} [props] @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props, ...children) {
  const node = document.createElement(tag);
  dress(node, props ?? {});
  append(node, children);
  return node;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag @param {Props | null} [props] @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function s(tag, props, ...children) {
  const node = document.createElementNS(SVG, tag);
  dress(node, props ?? {});
  append(node, children);
  return node;
}

/** @param {HTMLElement | SVGElement} node @param {Props} props */
function dress(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) Reflect.set(node, name, value);
    else if (name === "style")
      for (const [key, v] of Object.entries(/** @type {object} */ (value))) node.style.setProperty(key, String(v));
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected")
      Reflect.set(node, name, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {Node} node @param {Child[]} children */
function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child);
    else if (child instanceof Node) node.appendChild(child);
    else if (child !== null && child !== undefined && child !== false)
      node.appendChild(document.createTextNode(String(child)));
  }
}

/**
 * Puts these children in the place of those that are there.
 * @param {Element} node @param {...Child} children
 */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
}

/**
 * Makes the children of `node` like these and touches only what differs: focus, scrolling and transitions stay.
 * Elements with the same `data-key` are the same element.
 * @param {Element} node @param {...Child} children
 */
export function update(node, ...children) {
  const holder = document.createDocumentFragment();
  append(holder, children);
  morphChildren(node, holder);
}

/** @param {Node} old @param {Node} fresh */
function morphChildren(old, fresh) {
  /** @type {Map<string, ChildNode>} */
  const keyed = new Map();
  for (const child of old.childNodes) {
    const key = keyOf(child);
    if (key !== null) keyed.set(key, child);
  }
  let at = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    const key = keyOf(next);
    const known = key === null ? null : (keyed.get(key) ?? null);
    if (known !== null && known !== at && isLike(known, next)) {
      old.insertBefore(known, at);
      at = known;
    }
    if (at !== null && isLike(at, next)) {
      const here = at;
      at = at.nextSibling;
      morph(here, next);
    } else {
      old.insertBefore(next, at);
    }
  }
  while (at !== null) {
    const rest = at.nextSibling;
    old.removeChild(at);
    at = rest;
  }
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute("data-key") : null;
}

/** @param {Node} a @param {Node} b */
function isLike(a, b) {
  return a.nodeName === b.nodeName && keyOf(a) === keyOf(b);
}

/** @param {Node} old @param {Node} fresh */
function morph(old, fresh) {
  if (!(old instanceof Element) || !(fresh instanceof Element)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  // What somebody has opened stays open.
  const isKept = (/** @type {string} */ name) => name === "style" || (name === "open" && old.nodeName === "DETAILS");
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !isKept(name)) old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes])
    if (old.getAttribute(name) !== value && !isKept(name)) old.setAttribute(name, value);
  // The policy refuses styles in attributes, but not in properties.
  if (old instanceof HTMLElement && fresh instanceof HTMLElement && old.style.cssText !== fresh.style.cssText)
    old.style.cssText = fresh.style.cssText;
  for (const name of HANDLERS) {
    const handler = Reflect.get(fresh, name);
    if (Reflect.get(old, name) !== handler) Reflect.set(old, name, handler);
  }
  for (const name of ["value", "checked", "disabled"]) {
    if (name in fresh && Reflect.get(old, name) !== Reflect.get(fresh, name))
      Reflect.set(old, name, Reflect.get(fresh, name));
  }
  morphChildren(old, fresh);
}

/**
 * The element with this id, which the shell has.
 * @param {string} id
 */
export function byId(id) {
  const node = document.getElementById(id);
  if (node === null) throw new Error(`the shell has no #${id}`);
  return node;
}

/** Whether somebody types: then keys are text and no commands. @param {EventTarget | null} target */
export function isTyping(target) {
  return (
    target instanceof HTMLElement &&
    target.matches("input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, select")
  );
}
