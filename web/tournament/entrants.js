// The entrants at the organiser's desk: finding one, and what can be done with them.

import { post } from "../api.js";
import { h, update } from "../dom.js";
import { field, form } from "../fields.js";
import { dialog } from "../frame.js";
import { t } from "../texts.js";
import { trouble } from "../words.js";
import { penalise } from "./penalties.js";
import { changeTeam } from "./teams.js";
import { checkIn, checkInOpens, hasCheckIn, hereCount, isCheckInOpen, mayComeBack } from "./check_in.js";
import { entrantName, standingText } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../types.d.ts").Tournament} Tournament */
/** @typedef {import("../types.d.ts").Standing} Standing */
/** @typedef {(now: Tournament) => void} Apply */
/** @typedef {(model: Model, apply: Apply, one: Standing) => void} Act */
/** @typedef {(one: Standing, isHere: boolean) => Promise<void>} Say */

/** How many are drawn at once: a hall has more than a phone can show. */
const MOST = 60;

/** @param {Model} model @param {Apply} apply */
export function makeEntrants(model, apply) {
  const search = h("input", { id: "d-search", type: "search", autocomplete: "off", oninput: () => draw() });
  const rows = h("ul", { class: "plain lines" });
  const total = h("span", { class: "quiet small" });
  const opens = h("p", { class: "quiet", hidden: true });
  const refusal = h("p", { class: "refusal", role: "alert" });
  const node = h(
    "details",
    null,
    h("summary", null, t("Entrants"), " ", total),
    field("d-search", t("Find a name"), search),
    opens,
    refusal,
    rows,
  );
  const say = async (/** @type {Standing} */ one, /** @type {boolean} */ isHere) => {
    refusal.textContent = "";
    try {
      const now = await checkIn(model.tournament, one.player, isHere);
      model.here?.set(one.entrant, isHere);
      apply(now);
    } catch (error) {
      refusal.textContent = trouble(error);
    }
  };
  const draw = () => {
    const [all, here] = [model.standings.length, hereCount(model)];
    total.textContent = here === null ? String(all) : t("{here} of {n} are here", { here, n: all });
    opens.textContent = hasCheckIn(model.tournament) ? checkInOpens(model.tournament) : "";
    opens.hidden = opens.textContent === "";
    const wanted = search.value.trim().toLowerCase();
    const found = model.standings.filter(
      (one) => one.player.toLowerCase().includes(wanted) || entrantName(one.player).toLowerCase().includes(wanted),
    );
    update(
      rows,
      found.slice(0, MOST).map((one) => line(model, apply, one, say)),
      found.length > MOST &&
        h("li", { class: "quiet" }, t("and {n} more: find them by name.", { n: found.length - MOST })),
      found.length === 0 &&
        h("li", { class: "quiet" }, wanted === "" ? t("Nobody yet.") : t("Nobody has such a name.")),
    );
  };
  return { node, draw };
}

/** @param {Model} model @param {Apply} apply @param {Standing} one @param {Say} say */
function line(model, apply, one, say) {
  const name = entrantName(one.player);
  const acts = actsFor(model, one);
  return h(
    "li",
    { "data-key": String(one.entrant) },
    h(
      "span",
      null,
      name,
      standingText(one) !== "" && h("span", { class: "small quiet" }, ` ${standingText(one)}`),
      one.team != null && h("div", { class: "small quiet" }, one.team),
    ),
    h(
      "div",
      { class: "acts" },
      presence(model, one, say),
      acts.length > 0 &&
        h(
          "button",
          {
            class: "bare",
            "aria-label": t("Decide about {name}", { name }),
            onclick: () => choose(model, apply, one, acts),
          },
          t("Decide"),
        ),
    ),
  );
}

/** Whether an entrant is here, and saying so for them. @param {Model} model @param {Standing} one @param {Say} say */
function presence({ tournament, here }, one, say) {
  const name = entrantName(one.player);
  const isHere = here?.get(one.entrant);
  const mayCome = one.status === "absent" && mayComeBack(tournament, one);
  if (!mayCome && isHere === undefined) return null;
  if (one.bot !== null || !(mayCome || isCheckInOpen(tournament))) return isHere && h("span", { class: "good" }, t("is here"));
  return h(
    "button",
    {
      class: isHere ? "good" : "",
      "aria-pressed": String(isHere === true),
      "aria-label": t("{name} is here", { name }),
      onclick: () => void say(one, isHere !== true),
    },
    isHere ? t("✓ here") : t("Is here"),
  );
}

/** What can be done with an entrant now. @param {Model} model @param {Standing} one @returns {[string, Act][]} */
function actsFor({ tournament: { status, setup }, isDirector }, one) {
  const isRunning = status === "active";
  const isIn = one.status !== "disqualified" && one.status !== "withdrawn";
  const isAbsent = one.status === "absent";
  const mayReturn = one.status === "disqualified" || ((one.status === "withdrawn" || isAbsent) && isRunning);
  const mayPenalise = isRunning || status === "finished";
  const mayReplace =
    (status === "open" || isRunning) && (isIn ? one.status !== "eliminated" : one.status === "withdrawn");
  /** @type {[boolean, string, Act][]} */
  const all = [
    [mayPenalise, t("Penalise"), penalise],
    [setup.teams !== null && isIn && status !== "finished", t("Change the team"), changeTeam],
    [mayReplace, t("Replace"), replace],
    [
      mayReturn,
      isAbsent
        ? t("Let in")
        : one.status === "withdrawn"
          ? t("Take the withdrawal back")
          : t("Take the disqualification back"),
      reinstate,
    ],
    [one.status !== "disqualified", t("Disqualify"), disqualify],
  ];
  // A referee can penalise an entrant, and nothing else.
  const mine = all.filter(([, , act]) => isDirector || act === penalise);
  return mine.flatMap(([may, name, act]) => (may ? [/** @type {[string, Act]} */ ([name, act])] : []));
}

/** @param {Model} model @param {Apply} apply @param {Standing} one @param {[string, Act][]} acts */
function choose(model, apply, one, acts) {
  const box = dialog(
    entrantName(one.player),
    standingText(one) !== "" && h("p", { class: "quiet" }, standingText(one)),
    h(
      "div",
      { class: "choices" },
      acts.map(([name, act]) =>
        h(
          "button",
          {
            class: act === disqualify ? "bad" : "",
            onclick: () => {
              box.close();
              act(model, apply, one);
            },
          },
          name,
        ),
      ),
    ),
    h("div", { class: "row below" }, h("button", { class: "bare", onclick: () => box.close() }, t("Close"))),
  );
}

/** @param {Tournament} tournament @param {Standing} one @param {string} act */
function pathOf(tournament, one, act) {
  return `/v1/tournaments/${tournament.id}/entries/${encodeURIComponent(one.player)}/${act}`;
}

/** @type {Act} */
function disqualify({ tournament }, apply, one) {
  const reason = h("input", { id: "d-reason", class: "across", required: true, maxlength: 200, autocomplete: "off" });
  const work = async () => {
    const path = pathOf(tournament, one, "disqualify");
    apply(/** @type {Tournament} */ (await post(path, { reason: reason.value.trim() })));
    box.close();
  };
  const box = dialog(
    t("Disqualify {name}?", { name: entrantName(one.player) }),
    form(
      { send: t("Disqualify"), work, cancel: () => box.close() },
      h(
        "p",
        null,
        t(
          "The standings are as if nobody had sat there; the seat at a running table is played on, and does not count. You can take it back.",
        ),
      ),
      field("d-reason", t("Reason"), reason, t("The entrant and everybody who reads the log see it.")),
    ),
  );
}

/** @type {Act} */
function reinstate({ tournament }, apply, one) {
  const name = entrantName(one.player);
  const wasOut = one.status === "disqualified";
  const isAbsent = one.status === "absent";
  const isOver = tournament.status === "finished";
  const work = async () => {
    apply(/** @type {Tournament} */ (await post(pathOf(tournament, one, "reinstate"))));
    box.close();
  };
  const texts = [
    wasOut ? t("The results of {name} count again.", { name }) : "",
    isOver ? "" : t("{name} plays from the next round on.", { name }),
  ].filter((text) => text !== "");
  const box = dialog(
    isAbsent
      ? t("Let {name} in?", { name })
      : wasOut
        ? t("Take the disqualification back?")
        : t("Take the withdrawal back?"),
    form(
      { send: isAbsent ? t("Let in") : t("Take it back"), work, cancel: () => box.close() },
      h("p", null, texts.join(" ")),
    ),
  );
}

/** @type {Act} */
function replace({ tournament }, apply, one) {
  const name = entrantName(one.player);
  const player = h("input", {
    id: "d-player",
    class: "across",
    required: true,
    minlength: 3,
    maxlength: 32,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
  });
  const work = async () => {
    const path = pathOf(tournament, one, "replace");
    apply(/** @type {Tournament} */ (await post(path, { player: player.value.trim() })));
    box.close();
  };
  const told =
    tournament.status === "open"
      ? t("The other player takes this place in the list.")
      : t(
          "The other player has all that was earned, and plays from the next round on. At a running table, {name} plays on.",
          {
            name,
          },
        );
  const box = dialog(
    t("Replace {name}?", { name }),
    form(
      { send: t("Replace"), work, cancel: () => box.close() },
      h("p", null, told),
      field("d-player", t("Name of the account"), player),
    ),
  );
}
