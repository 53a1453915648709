// The theme and the language that were chosen, before anything is painted. This is no module, because modules run after
// the first paint.
{
  const known = ["en", "de"];
  let language = null;
  try {
    language = localStorage.getItem("language");
  } catch {
    // Without storage the browser's languages are asked.
  }
  const wanted = [language ?? "", ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  const lang = wanted.find((tag) => known.includes(tag)) ?? "en";
  document.documentElement.lang = lang;
  // The table of another language is fetched beside the modules that wait for it.
  const here = document.currentScript;
  if (lang !== "en" && here instanceof HTMLScriptElement) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = new URL(`texts/${lang}.js`, here.src).href;
    document.head.append(link);
  }
}
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (localStorage.getItem("suits") === "four") document.documentElement.dataset.suits = "four";
} catch {
  // Without storage the system's theme is used.
}
