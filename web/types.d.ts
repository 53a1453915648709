// The API's types, as `openapi-typescript` makes them from the document: see CONTRIBUTING.md.
import type { components } from "./schema.d.ts";

export type Schemas = components["schemas"];
export type Account = Schemas["Account"];
export type Session = Schemas["Session"];
export type Problem = Schemas["Problem"];
export type Game = Schemas["Game"];
export type Seat = Schemas["Seat"];
export type Fact = Schemas["Fact"];
export type Entry = Schemas["Entry"];
export type EntryEvent = Schemas["EntryEvent"];
export type LegalAction = Schemas["LegalAction"];
export type Domain = Schemas["Domain"];
export type Action = Schemas["Action"];
export type LobbyGame = Schemas["LobbyGame"];
export type KindSummary = Schemas["KindSummary"];
export type ToldKind = Schemas["ToldKind"];
export type CardInfo = Schemas["CardInfo"];
export type Hand = Schemas["Hand"];
export type HandSummary = Schemas["HandSummary"];
export type Profile = Schemas["Profile"];
export type Ranked = Schemas["Ranked"];
export type Odds = Schemas["Odds"];
export type ListedTournament = Schemas["ListedTournament"];

/** A page of a list. */
export interface Page<T> {
  items: T[];
  next: string | null;
}

/** What is shown of an object of which nobody said what it is. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** What can stand within an element; null, undefined and false leave no trace. */
export type Child = Node | string | number | null | undefined | false | Child[];
