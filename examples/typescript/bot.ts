// Plays for an account: in every game of every kind at which it sits, for as long as the bot runs.
//
//   CARDROOM_TOKEN=… node bot.ts http://127.0.0.1:8080 [TOURNAMENT]
//
// The token is a personal access token with the scope `play`. With the id of a tournament the bot enters it, and ends
// when it is over. It knows no game: `choose` draws from `legal_actions`. A better bot looks at `game.view`.
import type { components } from "./generated/schema.ts";
import { choose, patient, pause } from "./menu.ts";

type Schemas = components["schemas"];
const [room, id] = process.argv.slice(2);
const token = process.env["CARDROOM_TOKEN"];
if (room === undefined || token === undefined) stop("the bot needs an address and CARDROOM_TOKEN");
const cup = id && `/v1/tournaments/${id}`;
const SILENCE = 40_000; // A stream says something every 15 seconds; one that is silent for longer is dead.

function stop(why: string): never {
  console.error(why);
  process.exit(1);
}

/** One request. A refusal is an answer, too. */
async function send(method: string, path: string, init: RequestInit): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...init.headers };
  const answer = await patient(room + path, { ...init, method, headers });
  if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status}`);
  if (answer.status === 401 || answer.status === 403) stop(`${method} ${path}: ${await answer.text()}`);
  return answer;
}

/** Tries again and again for as long as there is no answer. */
async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  for (;; await pause(500 + Math.random() * 1000)) {
    try {
      return await attempt();
    } catch (error) {
      console.error(String(error));
    }
  }
}

/** The status and the body of an answer. A request that is repeated has the same idempotency key. */
function call<T>(method: string, path: string, body?: object, headers = {}): Promise<{ status: number; data: T }> {
  return patiently(async () => {
    const init = { headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(SILENCE) };
    const answer = await send(method, path, init);
    return { status: answer.status, data: JSON.parse(await answer.text()) };
  });
}

/** Acts for as long as the game waits for this bot. */
async function play(path: string): Promise<void> {
  for (;;) {
    const { status, data: game } = await call<Schemas["Game"]>("GET", path);
    if (status >= 300 || !game.to_act.some((seat) => seat === game.you) || game.legal_actions.length === 0) return;
    const headers = { "If-Match": `"${game.version}"`, "Idempotency-Key": crypto.randomUUID() };
    const acted = await call<Schemas["Problem"]>("POST", `${path}/actions`, choose(game.legal_actions), headers);
    // 409 and 412: the game has gone on. Somebody else, or the clock, was faster.
    if (acted.status >= 300 && ![409, 412].includes(acted.status)) stop(acted.data.detail);
  }
}

/** Plays where it is this bot's turn, and ends with its tournament. */
async function lookAround(): Promise<void> {
  const turns = await call<Schemas["Page_LobbyGame"]>("GET", "/v1/me/games?your_turn=true&limit=200");
  for (const game of turns.data.items) await play(`/v1/games/${game.id}`);
  if (cup && !["open", "active"].includes((await call<Schemas["Tournament"]>("GET", cup)).data.status)) process.exit();
}

let last: Record<string, string> = {}; // The id of the stream's last event, to go on from there.

/** Plays whenever the account's stream says so. It ends after an hour, and when the service stops. */
async function follow(): Promise<void> {
  const connection = new AbortController();
  const alarm = setTimeout(() => connection.abort(), SILENCE);
  const stream = await send("GET", "/v1/me/stream", { headers: last, signal: connection.signal });
  if (!stream.ok) last = {}; // What happened since is too much to be told: begin anew.
  let text = "";
  for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    alarm.refresh();
    const lines = (text + piece).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) await hear(line);
  }
}

async function hear(line: string): Promise<void> {
  if (line.startsWith("id: ")) last = { "Last-Event-ID": line.slice(4) };
  if (line === ":") await lookAround(); // Every few seconds: nobody is told that a game which stood still goes on.
  if (!line.startsWith("data: ")) return;
  const data: Schemas["AccountEvent"]["data"] = JSON.parse(line.slice(6));
  if ("games" in data || data.type === "tournament_over") await lookAround();
  else if (data.type === "your_turn") await play(`/v1/games/${data.game.id}`);
}

const entered = cup && (await call<Schemas["Problem"]>("POST", `${cup}/entries`, {}));
const isEntered = !entered || entered.status < 300 || (await call<Schemas["Tournament"]>("GET", cup)).data.you;
if (!isEntered) stop(entered.data.detail);
for (;;) await patiently(follow).then(() => pause(1000));
