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
  document.documentElement.lang = wanted.find((tag) => known.includes(tag)) ?? "en";
}
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (localStorage.getItem("suits") === "four") document.documentElement.dataset.suits = "four";
} catch {
  // Without storage the system's theme is used.
}
