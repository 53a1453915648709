// Keeps what the page is sent, for tests that look for what must not be in it.
// Each begins with its address.
window.received = [];
// How many answers are still to come.
window.pending = 0;
// A test may want to know when something comes: `window.heard` is told of each part.
const ask = window.fetch;
window.fetch = async (...asked) => {
  window.pending += 1;
  const response = await ask(...asked).finally(() => (window.pending -= 1));
  const at = window.received.push(`${response.url}\n`) - 1;
  const keep = async () => {
    const letters = new TextDecoder();
    const reader = response.clone().body?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
      const text = letters.decode(part.value, { stream: true });
      window.received[at] += text;
      window.heard?.(text);
    }
  };
  keep().catch(() => {});
  return response;
};
