// What both clients share: how somebody plays who knows no game, and how a client waits its turn at a busy service.
import type { components } from "./generated/schema.ts";

type Schemas = components["schemas"];

/** An action from one line of the menu, each parameter drawn from its domain. Every such action is legal. */
export function choose(menu: readonly Schemas["LegalAction"][]): Schemas["Action"] {
  const line = pick(menu);
  const action: Schemas["Action"] = { type: line.type };
  for (const [name, domain] of Object.entries(line.params)) action[name] = draw(domain);
  return action;
}

function draw(domain: Schemas["Domain"]): number | string | string[] {
  switch (domain.type) {
    case "integer":
      return between(domain.min, domain.max);
    case "cards":
      return shuffled(domain.from).slice(0, between(domain.min, domain.max));
    case "seat":
      return pick(domain.from);
    case "card":
    case "choice":
      return pick(domain.from);
  }
}

/** The options that make a game of any kind a short one: the fewest hands, the lowest target. */
export function shortest(schema: Schemas["KindSummary"]["options_schema"]): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const name of ["hands", "target_score"]) {
    const least = at(at(at(schema, "properties"), name), "minimum");
    if (least !== undefined) options[name] = least;
  }
  return options;
}

/** A field of something of which nobody said what it is. */
function at(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}

/** `fetch`, which waits as long as the service says (429, 503) and asks again. */
export async function patient(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  for (;;) {
    const answer = await fetch(request.clone());
    const wait = answer.headers.get("Retry-After");
    if (answer.ok || wait === null) return answer;
    await pause(Number(wait) * 1000);
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

export function pick<T>(from: readonly T[]): T {
  const one = from[between(0, from.length - 1)];
  if (one === undefined) throw new Error("there is nothing to choose from");
  return one;
}

function between(min: number, max: number): number {
  return min + Math.floor(Math.random() * (max - min + 1));
}

function shuffled<T>(from: readonly T[]): T[] {
  const left = [...from];
  return from.map(() => pick(left.splice(between(0, left.length - 1), 1)));
}
