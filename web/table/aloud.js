// What happens at a table, said aloud. Speech is slower than a table can be: what comes meanwhile is said together,
// and of much only the latest.

import { say } from "../frame.js";

/** What comes so soon after something else is said with it, in milliseconds. */
const TOGETHER = 250;
/** How long it takes to say a letter, in milliseconds, for somebody who listens fast. */
const LETTER = 30;
const LONGEST = 5000;
/** The most sentences that are said together. */
const MOST = 6;

/** @type {string[]} */
let unsaid = [];
let isDue = false;
let quietAt = 0;

/** @param {string[]} texts */
export function speak(texts) {
  unsaid.push(...texts);
  if (unsaid.length > MOST) unsaid = unsaid.slice(-MOST);
  if (isDue || unsaid.length === 0) return;
  isDue = true;
  setTimeout(
    () => {
      const text = unsaid.join(" ");
      isDue = false;
      unsaid = [];
      quietAt = performance.now() + Math.min(LONGEST, text.length * LETTER);
      say(text);
    },
    Math.max(TOGETHER, quietAt - performance.now()),
  );
}
