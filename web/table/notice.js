// It is my turn: the title, the icon, one soft sound if it was allowed, and one sentence aloud.

import { call } from "../frame.js";
import { t } from "../texts.js";
import { list, lowered } from "../words.js";
import { priced } from "./actions.js";
import { playsOf } from "./plays.js";

/** @typedef {import("./model.js").Model} Model */

/** @type {AudioContext | null} */
let audio = null;

/** Whether a sound was allowed. */
export function hasSound() {
  try {
    return localStorage.getItem("sound") === "on";
  } catch {
    return false;
  }
}

/** Allows the sound, or not. It has to follow a click. @param {boolean} isOn */
export function allowSound(isOn) {
  try {
    localStorage.setItem("sound", isOn ? "on" : "off");
  } catch {
    // It holds until the page is left.
  }
  if (isOn) chime();
}

/** @param {Model} model */
export function isMyTurn({ game, you }) {
  return you !== null && game.status === "active" && !game.paused && game.to_act.includes(you);
}

/** Shows in the tab whether it is my turn. @param {string} name @param {boolean} isMine */
export function mark(name, isMine) {
  const title = isMine ? t("Your turn · {name}", { name }) : name;
  if (document.title !== title) document.title = title;
  icon(isMine);
}

/** @param {boolean} isMine */
export function icon(isMine) {
  const link = document.querySelector("link[rel=icon]");
  const href = new URL(isMine ? "../icon-turn.svg" : "../icon.svg", import.meta.url).pathname;
  if (link instanceof HTMLLinkElement && link.getAttribute("href") !== href) link.setAttribute("href", href);
}

/** Says once that it is my turn, and what I may do. @param {Model} model @param {import("./model.js").Drawing} drawing */
export function announce(model, drawing) {
  const plays = playsOf(model.game.legal_actions, model.kind);
  const titles = plays.map((play) => lowered(priced(model, drawing, play)));
  call(t("Your turn: {actions}", { actions: list(titles) }));
  if (hasSound()) chime();
}

function chime() {
  try {
    audio ??= new AudioContext();
    // After a reload it waits until something has been pressed.
    if (audio.state === "suspended") void audio.resume().catch(() => {});
    const [tone, volume, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
    tone.frequency.value = 523;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.06, at + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.55);
  } catch {
    // A browser without sound.
  }
}
