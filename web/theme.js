// The theme and the language that were chosen, before anything is painted. This is no module, because modules run after
// the first paint.
{
  const root = document.documentElement;
  // In a frame of another site, the address says what fits that site.
  const asked = new URLSearchParams(root.dataset.embedded === undefined ? "" : location.search);
  const chosen = (/** @type {string} */ name) => {
    try {
      return asked.get(name) ?? localStorage.getItem(name);
    } catch {
      // Without storage, browser and system are asked.
      return null;
    }
  };
  const known = ["en", "de"];
  const wanted = [chosen("language") ?? "", ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  const lang = wanted.find((tag) => known.includes(tag)) ?? "en";
  root.lang = lang;
  // The table of another language is fetched beside the modules that wait for it.
  const here = document.currentScript;
  if (lang !== "en" && here instanceof HTMLScriptElement) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = new URL(`texts/${lang}.js`, here.src).href;
    document.head.append(link);
  }
  const theme = chosen("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  if (chosen("suits") === "four") root.dataset.suits = "four";
}
