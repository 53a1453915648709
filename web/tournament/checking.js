// How anybody checks a tournament that is over: its bundle, and the commands that check it with its games.

import { fill, h } from "../dom.js";
import { copyButton } from "../pages/copy.js";
import { filled, t } from "../texts.js";

/** What checks it, with the program. */
const COMMANDS = `
curl -s {origin}/v1/tournaments/{id}/audit > cup.jsonl
curl -s "{origin}/v1/audit/games?tournament={id}" >> cup.jsonl
cardroom audit cup.jsonl --keys {origin}/.well-known/jwks.json
`;

/** @param {import("./model.js").Model} model */
export function makeChecking(model) {
  const node = h("section", { class: "noprint", "aria-label": t("Check it"), hidden: true });
  const draw = () => {
    const { id, status } = model.tournament;
    const isOver = status === "finished" || status === "aborted";
    // What has been copied is said in the button, so it is drawn once.
    if (node.hidden !== isOver) return;
    node.hidden = !isOver;
    if (isOver) fill(node, body(id));
  };
  return { node, draw };
}

/** @param {string} id */
function body(id) {
  const commands = filled(COMMANDS.trim(), { origin: location.origin, id });
  return [
    h("h2", null, t("Check it")),
    h(
      "p",
      null,
      t(
        "The bundle holds the log, the seed of the lots and the standings, signed by the house. Together with the bundles of the games it proves that each round was drawn as it had to be, that each table was dealt and played by the rules, and that results, points and places follow from that.",
      ),
    ),
    h(
      "pre",
      { class: "commands", tabindex: 0, "aria-label": t("The commands that check it") },
      h("code", null, commands),
    ),
    h("p", { class: "small quiet" }, t("Games are in the export ten seconds after their end.")),
    h(
      "div",
      { class: "row" },
      copyButton(commands, t("Copy the commands")),
      h("a", { class: "button", href: `/v1/tournaments/${id}/audit`, download: true }, t("Download the bundle")),
    ),
  ];
}
