// Clocks: a ring that empties, and a number where time is short. One timer moves all of them.

import { now } from "../api.js";
import { h, s } from "../dom.js";
import { t } from "../texts.js";
import { countdown } from "../words.js";

const AROUND = 2 * Math.PI * 15;

/**
 * A ring around the first letter of a name. `deadline`: when the time of this seat ends, if it runs.
 * @param {string} name @param {string | null} deadline @param {number | null} seconds @param {boolean} isTurn
 */
export function ring(name, deadline, seconds, isTurn) {
  const left = deadline === null ? 1 : share(deadline, seconds);
  return s(
    "svg",
    { class: `ring ${isTurn ? "runs" : ""}`, viewBox: "0 0 36 36", "aria-hidden": "true" },
    s("circle", { cx: 18, cy: 18, r: 15, class: "track" }),
    isTurn &&
      s("circle", {
        cx: 18,
        cy: 18,
        r: 15,
        class: "left",
        "stroke-dasharray": `${left * AROUND} ${AROUND}`,
        transform: "rotate(-90 18 18)",
        "data-deadline": deadline ?? "",
        "data-seconds": seconds ?? "",
      }),
    s("text", { x: 18, y: 23.5, "text-anchor": "middle", "font-size": 15 }, initial(name)),
  );
}

/** What stands in the ring: bots have their number. @param {string} name */
function initial(name) {
  return /^Bot (\d+)$/.exec(name)?.[1] ?? (name === t("Free seat") ? "" : name.charAt(0).toUpperCase());
}

/** The time that is left, as a number. @param {string} deadline */
export function number(deadline) {
  return h("span", { class: "time", role: "timer", "data-deadline": deadline }, countdown(left(deadline)));
}

/** The same, which is shown in the last hour. @param {string} deadline */
export function lastHour(deadline) {
  const node = number(deadline);
  node.dataset.last = "hour";
  node.hidden = !isShort(deadline);
  return node;
}

/** Whether what is left is a matter of seconds: a clock of more than an hour is none. @param {string} deadline */
function isShort(deadline) {
  return left(deadline) < 3_600_000;
}

/** @param {string} deadline */
function left(deadline) {
  return new Date(deadline).getTime() - now();
}

/** @param {string} deadline @param {number | null} seconds */
function share(deadline, seconds) {
  return seconds === null ? 1 : Math.max(0, Math.min(1, left(deadline) / (seconds * 1000)));
}

/** Moves all clocks within `place`, until `signal`. @param {Element} place @param {AbortSignal} signal */
export function run(place, signal) {
  const timer = setInterval(() => {
    if (document.hidden) return;
    for (const node of place.querySelectorAll("[data-deadline]")) {
      const deadline = node.getAttribute("data-deadline") ?? "";
      if (deadline === "") continue;
      if (node instanceof SVGElement) {
        const seconds = Number(node.getAttribute("data-seconds"));
        node.setAttribute("stroke-dasharray", `${share(deadline, seconds || null) * AROUND} ${AROUND}`);
      } else if (node instanceof HTMLElement) {
        if (node.dataset.last === "hour") node.hidden = !isShort(deadline);
        const text = countdown(left(deadline));
        if (node.textContent !== text) node.textContent = text;
      }
    }
  }, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
}
