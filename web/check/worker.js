// Checks a bundle beside the page and tells what became of each step.

/** How many milliseconds lie between two words about how far it has got. */
const PAUSE = 100;

/** @typedef {{ text: string, keys: import("./json.js").Json[] | null, asked: string | null }} Asked */

onmessage = (/** @type {MessageEvent<Asked>} */ { data }) => {
  // The page hears of an error, but of no rejection.
  run(data).catch((error) => setTimeout(() => { throw error; }));
};

/** @param {Asked} asked */
async function run({ text, keys, asked }) {
  // What comes before the texts are there is not lost.
  const { check } = await import("./check.js");
  let told = 0;
  const tell = (/** @type {number} */ done, /** @type {number} */ all) => {
    if (performance.now() < told + PAUSE) return;
    told = performance.now();
    post({ at: [done, all] });
  };
  for await (const step of check(text, keys, tell, asked)) post({ step });
  post({ end: true });
}

/** @param {import("./check.js").Told} told */
function post(told) {
  postMessage(told);
}
