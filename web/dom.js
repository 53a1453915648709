// Building and changing what is on the page. Nothing here takes text for markup.

/** @typedef {import("./types.d.ts").Child} Child */
/** @typedef {Record<string, unknown>} Props */

const SVG = "http://www.w3.org/2000/svg";

/** Handlers are properties, not attributes: the page's policy refuses scripts in attributes. */
const HANDLERS = ["onclick", "oninput", "onchange", "onsubmit", "onkeydown", "ontoggle", "onclose"];

/** The nodes that have handlers: to ask every node for each of them takes longer than all else. @type {WeakSet<Node>} */
const handled = new WeakSet();

/** The elements whose value or state is no attribute. */
const FIELDS = new Set(["INPUT", "BUTTON", "SELECT", "TEXTAREA", "OPTION", "FIELDSET"]);

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

/** The button that was pressed last, not counting the second click of a double click. */
let pressed = "";

/**
 * Does the work of a button, but not for the second click of a double click: the first may have put another button there, or
 * the same one for the next decision.
 * @param {() => unknown} work @param {boolean} [mayRepeat] if it is still the same button, each click counts
 */
export const byClick = (work, mayRepeat = false) => (/** @type {MouseEvent} */ event) => {
  const title = /** @type {HTMLElement} */ (event.currentTarget).textContent ?? "";
  const isFirst = event.detail < 2;
  if (isFirst) pressed = title;
  if (isFirst || (mayRepeat && pressed === title)) void work();
};

/** @param {HTMLElement | SVGElement} node @param {Props} props */
function dress(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) {
      Reflect.set(node, name, value);
      handled.add(node);
    } else if (name === "style")
      for (const [key, v] of Object.entries(/** @type {object} */ (value))) node.style.setProperty(key, String(v));
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected")
      Reflect.set(node, name, value);
    // The states of ARIA are words.
    else node.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
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
 * Elements with the same `data-key` are the same element. A child that is in `node` already stays as it is.
 * @param {Element} node @param {...Child} children
 */
export function update(node, ...children) {
  morphChildren(node, nodes(children));
}

/** @param {Child[]} children @returns {Node[]} */
function nodes(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return nodes(child);
    if (child instanceof Node) return [child];
    return child === null || child === undefined || child === false ? [] : [document.createTextNode(String(child))];
  });
}

/** @param {Node} old @param {Node[]} fresh */
function morphChildren(old, fresh) {
  /** @type {Map<string, ChildNode>} */
  const keyed = new Map();
  for (let child = old.firstChild; child !== null; child = child.nextSibling) {
    const key = keyOf(child);
    if (key !== null) keyed.set(key, child);
  }
  const kept = new Set(fresh.filter((next) => next.parentNode === old));
  let at = old.firstChild;
  for (const next of fresh) {
    if (kept.has(next)) {
      if (next !== at) old.insertBefore(next, at);
      at = next.nextSibling;
      continue;
    }
    const key = keyOf(next);
    const known = key === null ? null : (keyed.get(key) ?? null);
    if (known !== null && known !== at && isLike(known, next)) {
      old.insertBefore(known, at);
      at = known;
    }
    if (at !== null && !kept.has(at) && isLike(at, next)) {
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
  // Drawings have no handlers and no state, and the browser compares them faster than this does.
  if (old instanceof SVGElement && old.isEqualNode(fresh)) return;
  morphAttributes(old, fresh);
  if (handled.has(old) || handled.has(fresh)) {
    handled.add(old);
    for (const name of HANDLERS) Reflect.set(old, name, Reflect.get(fresh, name));
  }
  if (FIELDS.has(old.nodeName)) {
    for (const name of ["value", "checked", "disabled"]) {
      if (name in fresh && Reflect.get(old, name) !== Reflect.get(fresh, name))
        Reflect.set(old, name, Reflect.get(fresh, name));
    }
  }
  morphChildren(old, [...fresh.childNodes]);
}

/** @param {Element} old @param {Element} fresh */
function morphAttributes(old, fresh) {
  for (const name of old.getAttributeNames()) {
    // What somebody has opened stays open.
    if (fresh.hasAttribute(name) || (name === "open" && old.nodeName === "DETAILS")) continue;
    old.removeAttribute(name);
  }
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name) ?? "";
    if (old.getAttribute(name) === value || (name === "open" && old.nodeName === "DETAILS")) continue;
    // The policy refuses styles in attributes, but not in properties.
    if (name === "style") /** @type {HTMLElement | SVGElement} */ (old).style.cssText = value;
    else old.setAttribute(name, value);
  }
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
