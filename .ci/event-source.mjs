// Follows an account by a real EventSource whose connection is cut ten times: each notice comes once, in order.
//
//   node --experimental-eventsource .ci/event-source.mjs http://127.0.0.1:8080

import net from "node:net";

const CUTS = 10;
const BETWEEN = 3;
const room = new URL(process.argv[2]);

const ask = async (path, token, body = {}) => {
  const answer = await fetch(new URL(path, room), {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

// Connections to the room, which can be cut.
const open = new Set();
let connections = 0;
const proxy = net.createServer((client) => {
  connections += 1;
  const service = net.connect(Number(room.port), room.hostname);
  for (const socket of [client, service]) socket.on("error", () => {});
  client.pipe(service).pipe(client);
  open.add(client);
  client.on("close", () => (open.delete(client), service.destroy()));
});
await new Promise((listening) => proxy.listen(0, "127.0.0.1", listening));

const { access_token: token } = await ask("/v1/auth/guest");
const { ticket } = await ask("/v1/me/stream-ticket", token);
const url = new URL(`http://127.0.0.1:${proxy.address().port}/v1/me/stream`);
url.searchParams.set("ticket", ticket);
const events = new EventSource(url);

const begun = new Promise((first) => events.addEventListener("games", first, { once: true }));
const told = [];
let heard = () => {};
events.addEventListener("notice", (event) => {
  told.push(JSON.parse(event.data));
  heard();
});
const hear = async (number) => {
  while (told.length < number) await new Promise((next) => (heard = next));
};
const timeout = setTimeout(() => {
  console.error(`after ${connections} connections, ${told.length} notices had come`);
  process.exit(1);
}, 120_000);

await begun;
const games = [];
for (let cut = 0; cut <= CUTS; cut += 1) {
  for (let n = 0; n < BETWEEN; n += 1) {
    const { id } = await ask("/v1/games", token, { kind: "sevens" });
    await ask(`/v1/games/${id}/abort`, token);
    games.push(id);
    // Some happens while nobody is connected.
    if (n === 1 && cut < CUTS) for (const socket of open) socket.destroy();
  }
  await hear(games.length);
}
clearTimeout(timeout);
events.close();
proxy.close();
for (const socket of open) socket.destroy();

const came = told.map((notice) => notice.game.id).sort();
if (JSON.stringify(came) !== JSON.stringify(games.sort())) throw new Error("not each notice came once");
if (connections !== CUTS + 1) throw new Error(`${connections} connections`);
console.log(`a real EventSource, cut ${CUTS} times: ${told.length} notices, each once, over ${connections} connections`);
