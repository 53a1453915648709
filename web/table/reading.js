// Where a game is read. The invite to a private game stands in the page's own address and goes with every request.

/**
 * The path of what a game has.
 * @param {string} id @param {string} [part] begins with a slash @param {Record<string, string | number>} [query]
 */
export function gamePath(id, part = "", query = {}) {
  const all = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const invite = inviteHere();
  if (invite !== null) all.set("invite", invite);
  return `/v1/games/${encodeURIComponent(id)}${part}${all.size > 0 ? `?${all}` : ""}`;
}

/**
 * The address of a game's own page.
 * @param {string} id @param {string} [part] begins with a slash @param {Record<string, string | number>} [query]
 */
export function pagePath(id, part = "", query = {}) {
  return gamePath(id, part, query).replace("/v1", "");
}

/** The invite in the page's address, if there is one. */
export function inviteHere() {
  return new URLSearchParams(location.search).get("invite");
}
