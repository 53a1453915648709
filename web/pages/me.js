// What is mine: games that wait for me first, other games, tournaments, and my account.

import { h, fill, update } from "../dom.js";
import { colourButtons } from "../frame.js";
import { allKinds } from "../kinds/told.js";
import { dataOf, password, recoveryCodes, sessions } from "../me/account.js";
import { loadMine, makeMyGames, myTournaments } from "../me/games.js";
import { confirmed, mailAddress } from "../me/mail.js";
import { hasPush, push } from "../me/push.js";
import { newAccount, recoveryBeside, signingIn } from "../me/signing_in.js";
import { tokens } from "../me/tokens.js";
import { myWebhooks, turnedOff, webhooks } from "../me/webhooks.js";
import { onNews } from "../notices.js";
import * as session from "../session.js";
import { mySeries } from "./series_list.js";
import { t } from "../texts.js";
import { day, person } from "../words.js";

/** @typedef {import("../types.d.ts").Account} Account */

/** @param {import("../router.js").Visit} visit */
export async function render(visit) {
  const { main, query, signal, title } = visit;
  title(t("My games"));
  const kinds = await allKinds();
  const names = new Map(kinds.map((kind) => [kind.kind, kind.name]));
  if (signal.aborted) return;
  const link = await confirmed();
  if (signal.aborted) return;
  const games = h("div");
  const cups = h("div");
  const leagues = h("div");
  const account = h("div");
  const alarm = h("div");
  let hooks = h("details");
  let myGames = makeMyGames(names, signal);
  // Whether the page is still shown, to the player who asked.
  const same = () => {
    const username = session.account()?.username;
    return () => !signal.aborted && session.account()?.username === username;
  };
  const teller = () => {
    const isStill = same();
    return (/** @type {import("../types.d.ts").Webhook[]} */ all) => {
      if (isStill()) fill(alarm, turnedOff(all, hooks));
    };
  };
  const look = async () => {
    const tell = teller();
    if (session.account()?.guest !== false) return fill(alarm);
    return tell(await myWebhooks());
  };
  const load = async () => {
    const isStill = same();
    const who = session.account();
    if (who === null) return;
    const mine = await loadMine(signal);
    if (!isStill()) return;
    update(games, myGames(mine));
    update(cups, myTournaments(mine.cups, names));
    if (who.guest) return;
    const series = await mySeries(who.username, signal);
    if (isStill()) update(leagues, series);
  };
  const show = () => {
    const who = session.account();
    const isRecovery = query.has("recover");
    if (who === null || (isRecovery && who.guest))
      return fill(main, h("h1", null, t("My games")), link, signingIn(isRecovery));
    hooks = webhooks(teller());
    fill(account, accountOf(who, hooks));
    fill(
      main,
      h("h1", null, t("My games")),
      link,
      isRecovery && recoveryBeside(who),
      alarm,
      h("div", { class: "columns" }, h("div", null, games, cups, leagues), account),
    );
    return undefined;
  };
  session.onChange(() => {
    // What comes next is another player's: this goes at once.
    for (const part of [games, cups, leagues, alarm]) fill(part);
    myGames = makeMyGames(names, signal);
    show();
    void look().catch(() => {});
    void load().catch(() => {});
  }, signal);
  onNews(() => void load().catch(() => {}), signal);
  show();
  void look().catch(() => {});
  await load();
}

/** @param {Account} account @param {HTMLElement} hooks */
function accountOf(account, hooks) {
  return [
    h("h2", null, account.guest ? t("You are a guest") : t("My account")),
    account.guest
      ? h(
          "section",
          { class: "panel narrowform" },
          h(
            "p",
            null,
            t(
              "A name and a password keep your games, and you can be ranked. A guest who is away for 30 days may be forgotten.",
            ),
          ),
          newAccount(t("Keep the account")),
        )
      : h(
          "p",
          null,
          h("a", { href: `/players/${encodeURIComponent(account.username)}` }, person(account.username)),
          h(
            "span",
            { class: "quiet" },
            `, ${t("here since {day}", { day: day(account.created_at) })}${account.program ? `, ${t("a program")}` : ""}`,
          ),
        ),
    h(
      "div",
      { class: "parts" },
      !account.guest && password(),
      !account.guest && recoveryCodes(),
      !account.guest && mailAddress(),
      sessions(),
      !account.guest && hasPush() && push(),
      !account.guest && tokens(),
      !account.guest && hooks,
    ),
    account.guest &&
      h("p", { class: "small quiet" }, t("Access tokens, webhooks and notices of the browser are for accounts.")),
    h("h3", null, t("Colours and language")),
    h("div", { class: "row" }, colourButtons()),
    h("h3", null, t("My data")),
    dataOf(account),
    h("div", { class: "row below" }, h("button", { onclick: () => void session.logout() }, t("Sign out"))),
  ];
}
