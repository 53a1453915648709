// The same as play.ts, with the client that @hey-api/openapi-ts makes: a function for each operation.
//
//   node hey-api.ts http://127.0.0.1:8080
import { type Client, createClient } from "./generated/hey-api/client/index.ts";
import * as api from "./generated/hey-api/index.ts";
import { choose, patient, pause, shortest } from "./menu.ts";

/** How requests are sent, and by whom. A refusal is thrown. */
type Sender = { client: Client; throwOnError: true };

const baseUrl = process.argv[2] ?? "http://127.0.0.1:8080";
const anybody: Sender = { client: createClient({ baseUrl, fetch: patient }), throwOnError: true };

/** Somebody who is signed in. */
class Player {
  readonly name: string;
  readonly sender: Sender;

  constructor({ account, access_token }: api.Session) {
    this.name = account.username;
    this.sender = { client: createClient({ baseUrl, fetch: patient, auth: access_token }), throwOnError: true };
  }

  static async guest(): Promise<Player> {
    return new Player((await api.guest(anybody)).data);
  }
}

/** Plays for all players at this table until the game is over. */
async function playOut(id: string, players: readonly Player[]): Promise<void> {
  const path = { id };
  let { data: game } = await api.getGame({ ...anybody, path });
  while (game.status === "active") {
    const turn = game.seats.filter((seat) => game.to_act.includes(seat.seat));
    const player = players.find(({ name }) => turn.some((seat) => seat.player === name));
    if (player === undefined) await pause(100); // A bot is thinking.
    const sender = player?.sender ?? anybody;
    ({ data: game } = await api.getGame({ ...sender, path }));
    if (game.legal_actions.length === 0) continue; // The bot still thinks, or the clock was faster.
    ({ data: game } = await api.act({ ...sender, path, body: choose(game.legal_actions) }));
  }
}

/** One game of a kind among these players, and whether the house has kept its word. */
async function oneGame(kind: api.KindSummary, players: readonly Player[]): Promise<void> {
  const [creator, ...others] = players.slice(0, kind.seats.max);
  if (creator === undefined) throw new Error("nobody is there");
  const seats = Math.max(kind.seats.min, others.length + 1);
  const body = { kind: kind.kind, seats, sit: true, options: shortest(kind.options_schema) };
  const { id } = (await api.createGame({ ...creator.sender, body })).data;
  const path = { id };
  for (const other of others) {
    await api.sitDown({ ...other.sender, path, body: { client_seed: `luck of ${other.name}` } });
  }
  for (let seat = others.length + 1; seat < seats; seat++) {
    await api.seatBot({ ...creator.sender, path, body: { policy: "steady" } });
  }
  await playOut(id, players);

  const { data: bundle } = await api.getAudit({ ...creator.sender, path });
  const { data: report } = await api.verifyAudit({ ...anybody, body: bundle });
  for (const { place, score, seat } of bundle.outcome?.places ?? []) {
    const { player, bot } = bundle.game.seats[seat] ?? {};
    console.log(`  ${place}. ${player ?? bot ?? "nobody"}: ${score}`);
  }
  const failed = report.checks.filter((check) => !check.ok);
  console.log(`  ${bundle.log.length} entries, ${report.checks.length} checks, ${failed.length} failed`);
  if (!report.ok) throw new Error(`the audit failed: ${failed.map((check) => check.detail).join("; ")}`);
}

/** A tournament of two rounds among these players and two bots, and its standings. */
async function tournament(kind: api.KindSummary, players: readonly Player[]): Promise<void> {
  const password = crypto.randomUUID();
  const session = await api.register({ ...anybody, body: { username: `hey_${password.slice(0, 8)}`, password } });
  const { sender } = new Player(session.data);
  const created = await api.createTournament({
    ...sender,
    body: {
      name: "Cup of the strangers",
      kind: kind.kind,
      options: shortest(kind.options_schema),
      format: { type: "rounds", rounds: 2, seating: "swiss" },
    },
  });
  const path = { id: created.data.id };
  for (const player of players) await api.enterTournament({ ...player.sender, path, body: {} });
  await api.enterMany({ ...sender, path, body: { entries: [{ bot: "steady" }, { bot: "random" }] } });
  let { data: cup } = await api.startTournament({ ...sender, path });
  while (cup.status === "active") {
    const games = cup.rounds.flatMap(({ tables }) => tables.map(({ game }) => game));
    await Promise.all(games.map((game) => playOut(game, players)));
    await pause(100); // The next round begins.
    ({ data: cup } = await api.getTournament({ ...sender, path }));
  }
  const { data: standings } = await api.getStandings({ ...anybody, path });
  console.log(`${cup.setup.name}: ${cup.status}`);
  for (const { place, player, result, score } of standings.items) {
    console.log(`  ${place ?? "-"}. ${player}: ${result}, score ${score ?? "-"}`);
  }
}

const players = [await Player.guest(), await Player.guest(), await Player.guest()];
const kinds = (await api.listKinds(anybody)).data.items;
for (const kind of kinds) {
  console.log(`${kind.name}: ${kind.summary}`);
  await oneGame(kind, players);
}
const last = kinds.at(-1);
if (last !== undefined) await tournament(last, players);
