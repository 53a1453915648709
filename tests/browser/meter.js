// Measures how long a table takes to show what it hears, and what it does meanwhile.
window.meter = (() => {
  const heard = new Map();
  const delays = [];
  const long = [];
  let [rest, shown, said, changes, openedAt] = ["", 0, 0, 0, 0];
  let [drawings, drawn, latestDrawing] = [0, 0, 0];

  // The recorder tells of every part that comes.
  window.heard = (text) => {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const id = /^id: (\d+)$/m.exec(block)?.[1];
      if (id) heard.set(Number(id), { at: performance.now(), before: drawings });
    }
  };

  const newest = () => Number(document.querySelector(".t-story .at")?.textContent ?? 0);

  // A message that is sent in a frame comes after the frame has been painted.
  const painted = new MessageChannel();
  painted.port1.onmessage = () => {
    const [now, version] = [performance.now(), newest()];
    for (const [id, { at }] of heard) if (id > shown && id <= version) delays.push(now - at);
    shown = Math.max(shown, version);
  };
  const look = () => {
    requestAnimationFrame(look);
    if (newest() > shown) painted.port2.postMessage(null);
  };
  look();

  new PerformanceObserver((list) => long.push(...list.getEntries().map((task) => task.duration))).observe({
    type: "longtask",
  });
  new MutationObserver((list) => (said += list.length)).observe(document.querySelector("#said"), { childList: true });
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  // What a drawing changes is told in one call.
  new MutationObserver((list) => {
    changes += list.length;
    const version = newest();
    if (version <= drawn) return;
    drawings += 1;
    for (const [id, { before }] of heard) {
      if (id > drawn && id <= version) latestDrawing = Math.max(latestDrawing, drawings - before);
    }
    drawn = version;
  }).observe(document.body, all);
  document.querySelector("[data-key=options]").addEventListener("toggle", () => (openedAt = newest()));

  const tenth = (number) => Math.round(number * 10) / 10;
  const part = (all, share) => tenth([...all].sort((one, other) => one - other)[Math.floor(all.length * share)] ?? 0);
  const told = () => {
    return {
      heard: heard.size,
      median_ms: part(delays, 0.5),
      p99_ms: part(delays, 0.99),
      last_ms: tenth(delays.at(-1) ?? 0),
      drawings,
      latest_drawing: latestDrawing,
      long_tasks: long.length,
      longest_ms: tenth(Math.max(0, ...long)),
      opened_at: openedAt,
      said,
      changes,
    };
  };

  // Browsers hide a tab by themselves only where there are windows.
  const hide = (isHidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event("visibilitychange"));
    return true;
  };
  return { newest, told, hide };
})();
