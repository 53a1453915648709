// The roles of organisers, and what each may do: the owner, directors and referees.

import * as session from "../session.js";
import { t } from "../texts.js";

/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").OrganiserRole} Role */

/** What the roles are called. @type {Record<Role, string>} */
export const ROLES = { owner: t("owner"), director: t("director"), referee: t("referee") };

/** The reader's role; an admin may do what the owner may. @param {Tournament} tournament @returns {Role | null} */
export function myRole({ organisers }) {
  const me = session.account();
  if (me === null) return null;
  return me.role === "admin" ? "owner" : (organisers.find(({ player }) => player === me.username)?.role ?? null);
}

/** What the reader may do. @param {Tournament} tournament */
export function roleIn(tournament) {
  const role = myRole(tournament);
  return { isOrganiser: role !== null, isDirector: role === "owner" || role === "director" };
}
