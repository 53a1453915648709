// Plays a game of every kind and a tournament, and knows none of them: it reads `legal_actions`.
// The client is made by openapi-typescript and openapi-fetch.
//
//   node play.ts http://127.0.0.1:8080
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/schema.ts";
import { choose, patient, pause, shortest } from "./menu.ts";

type Schemas = components["schemas"];

const room = process.argv[2] ?? "http://127.0.0.1:8080";
/** The service gives some answers as pages or tables, too; this client asks for JSON only. */
type Json = `application/${string}json`;
const anybody = createClient<paths, Json>({ baseUrl: room, fetch: patient });

/** Somebody who is signed in. */
class Player {
  readonly name: string;
  readonly api: typeof anybody;

  constructor(session: Schemas["Session"]) {
    this.name = session.account.username;
    const headers = { Authorization: `Bearer ${session.access_token}` };
    this.api = createClient<paths, Json>({ baseUrl: room, fetch: patient, headers });
  }

  static async guest(): Promise<Player> {
    return new Player(given(await anybody.POST("/v1/auth/guest")));
  }
}

/** The data of an answer; a refusal is an error. */
function given<T>(answer: { data?: T; error?: Schemas["Problem"] }): T {
  if (answer.data === undefined) throw new Error(`${answer.error?.code}: ${answer.error?.detail}`);
  return answer.data;
}

/** Plays for all players at this table until the game is over. */
async function playOut(id: string, players: readonly Player[]): Promise<void> {
  const path = { params: { path: { id } } };
  let game = given(await anybody.GET("/v1/games/{id}", path));
  while (game.status === "active") {
    const turn = game.seats.filter((seat) => game.to_act.includes(seat.seat));
    const player = players.find(({ name }) => turn.some((seat) => seat.player === name));
    if (player === undefined) {
      await pause(100); // A bot is thinking.
      game = given(await anybody.GET("/v1/games/{id}", path));
      continue;
    }
    game = given(await player.api.GET("/v1/games/{id}", path));
    if (game.legal_actions.length === 0) continue; // The clock was faster.
    const body = choose(game.legal_actions);
    game = given(await player.api.POST("/v1/games/{id}/actions", { ...path, body }));
  }
}

/** One game of a kind among these players, and whether the house has kept its word. */
async function oneGame(kind: Schemas["KindSummary"], players: readonly Player[]): Promise<void> {
  const [creator, ...others] = players.slice(0, kind.seats.max);
  if (creator === undefined) throw new Error("nobody is there");
  const seats = Math.max(kind.seats.min, others.length + 1);
  const { id } = given(
    await creator.api.POST("/v1/games", {
      body: { kind: kind.kind, seats, sit: true, options: shortest(kind.options_schema) },
    }),
  );
  const path = { params: { path: { id } } };
  for (const other of others) {
    given(await other.api.POST("/v1/games/{id}/seats", { ...path, body: { client_seed: `luck of ${other.name}` } }));
  }
  for (let seat = others.length + 1; seat < seats; seat++) {
    given(await creator.api.POST("/v1/games/{id}/bots", { ...path, body: { policy: "steady" } }));
  }
  await playOut(id, players);

  const bundle = given(await creator.api.GET("/v1/games/{id}/audit", path));
  const report = given(await anybody.POST("/v1/audit/verify", { body: bundle }));
  for (const { place, score, seat } of bundle.outcome?.places ?? []) {
    const { player, bot } = bundle.game.seats[seat] ?? {};
    console.log(`  ${place}. ${player ?? bot ?? "nobody"}: ${score}`);
  }
  const failed = report.checks.filter((check) => !check.ok);
  console.log(`  ${bundle.log.length} entries, ${report.checks.length} checks, ${failed.length} failed`);
  if (!report.ok) throw new Error(`the audit failed: ${failed.map((check) => check.detail).join("; ")}`);
}

/** A tournament of two rounds among these players and two bots, and its standings. */
async function tournament(kind: Schemas["KindSummary"], players: readonly Player[]): Promise<void> {
  const password = crypto.randomUUID();
  const username = `ts_${password.slice(0, 8)}`;
  const { api } = new Player(given(await anybody.POST("/v1/auth/register", { body: { username, password } })));
  const { id } = given(
    await api.POST("/v1/tournaments", {
      body: {
        name: "Cup of the strangers",
        kind: kind.kind,
        options: shortest(kind.options_schema),
        format: { type: "rounds", rounds: 2, seating: "swiss" },
      },
    }),
  );
  const path = { params: { path: { id } } };
  for (const player of players) given(await player.api.POST("/v1/tournaments/{id}/entries", { ...path, body: {} }));
  const bots: Schemas["NewEntry"][] = [{ bot: "steady" }, { bot: "random" }];
  given(await api.POST("/v1/tournaments/{id}/entries/bulk", { ...path, body: { entries: bots } }));
  let cup = given(await api.POST("/v1/tournaments/{id}/start", path));
  while (cup.status === "active") {
    const games = cup.rounds.flatMap(({ tables }) => tables.map(({ game }) => game));
    await Promise.all(games.map((game) => playOut(game, players)));
    await pause(100); // The next round begins.
    cup = given(await api.GET("/v1/tournaments/{id}", path));
  }
  const standings = given(await anybody.GET("/v1/tournaments/{id}/standings", path));
  console.log(`${cup.setup.name}: ${cup.status}`);
  for (const { place, player, result, score } of standings.items) {
    console.log(`  ${place ?? "-"}. ${player}: ${result}, score ${score ?? "-"}`);
  }
}

const players = [await Player.guest(), await Player.guest(), await Player.guest()];
const kinds = given(await anybody.GET("/v1/kinds")).items;
for (const kind of kinds) {
  console.log(`${kind.name}: ${kind.summary}`);
  await oneGame(kind, players);
}
const last = kinds.at(-1);
if (last !== undefined) await tournament(last, players);
