// When a table is drawn: once a frame however much happens, never while the tab is hidden, and where much happens for
// long only so often that most of the time is left for clicks.

/** The part of the time that drawing may take, in the long run. */
const SHARE = 0.7;
/** How long drawing may take before that counts, in milliseconds. */
const SLACK = 120;

/** @param {() => void} draw @param {AbortSignal} signal @returns {() => void} asks for a drawing */
export function paced(draw, signal) {
  let isDue = false;
  /** How long drawing took, less what has been allowed since. */
  let owed = 0;
  let since = 0;
  const painted = new MessageChannel();
  const settle = (/** @type {number} */ now) => {
    owed = Math.max(0, owed - (now - since) * SHARE);
    since = now;
  };
  const frame = () => {
    isDue = false;
    if (signal.aborted) return;
    const began = performance.now();
    settle(began);
    draw();
    // A message comes after the browser has laid out and painted what was drawn.
    painted.port1.onmessage = () => {
      const ended = performance.now();
      settle(ended);
      owed += ended - began;
    };
    painted.port2.postMessage(null);
  };
  signal.addEventListener("abort", () => painted.port1.close());
  return () => {
    if (isDue || signal.aborted) return;
    isDue = true;
    settle(performance.now());
    const wait = (owed - SLACK) / SHARE;
    if (wait > 0) setTimeout(() => requestAnimationFrame(frame), wait);
    else requestAnimationFrame(frame);
  };
}
