// The API's types, as `openapi-typescript` makes them from the document: see CONTRIBUTING.md.
import type { components } from "../examples/typescript/generated/schema.ts";

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
export type KindText = Schemas["KindText"];
export type CardInfo = Schemas["CardInfo"];
export type GameReview = Schemas["GameReview"];
export type HandComparison = Schemas["HandComparison"];
export type HandReview = Schemas["HandReview"];
export type Policy = Schemas["Policy"];
export type Hand = Schemas["Hand"];
export type HandSummary = Schemas["HandSummary"];
export type Profile = Schemas["Profile"];
export type Ranked = Schemas["Ranked"];
export type Odds = Schemas["Odds"];
export type ListedTournament = Schemas["ListedTournament"];
export type Tournament = Schemas["Tournament"];
export type NewTournament = Schemas["NewTournament"];
export type Seating = Schemas["Seating"];
export type Rematches = Schemas["Rematches"];
export type OrganiserRole = Schemas["OrganiserRole"];
export type EntryConditions = Schemas["EntryConditions"];
export type Teams = Schemas["Teams"];
export type TeamStanding = Schemas["TeamStanding"];
export type TeamMember = Schemas["TeamMember"];
export type PrescribedRound = Schemas["PrescribedRound"];
export type Standing = Schemas["Standing"];
export type Standings = Schemas["Standings"];
export type Round = Schemas["Round"];
export type RoundTable = Schemas["RoundTable"];
export type Point = Schemas["Point"];
export type LogPage = Schemas["LogPage"];
export type TournamentLogPage = Schemas["TournamentLogPage"];
export type Announcement = Schemas["TournamentAnnouncement"];
export type RefereeCall = Schemas["RefereeCall"];
export type Penalty = Schemas["Penalty"];
export type Notice = Schemas["Notice"];
export type PersonalToken = Schemas["PersonalToken"];
export type CreatedPersonalToken = Schemas["CreatedPersonalToken"];
export type RecoveryCodes = Schemas["RecoveryCodes"];
export type RecoveryCodesLeft = Schemas["RecoveryCodesLeft"];
export type MailAddresses = Schemas["MailAddresses"];
export type PushSubscription = Schemas["PushSubscription"];
export type PushKey = Schemas["PushKey"];
export type SessionInfo = Schemas["SessionInfo"];
export type Webhook = Schemas["Webhook"];
export type CreatedWebhook = Schemas["CreatedWebhook"];
export type WebhookSecret = Schemas["WebhookSecret"];
export type Delivery = Schemas["Delivery"];
export type NoticeType = Schemas["NoticeType"];
export type NewEntry = Schemas["NewEntry"];
export type NewResult = Schemas["NewResult"];
export type Entrant = Schemas["Entrant"];
export type ListedSeries = Schemas["ListedSeries"];
export type Series = Schemas["Series"];
export type SeriesTournament = Schemas["SeriesTournament"];
export type SeriesStandings = Schemas["SeriesStandings"];
export type SeriesStanding = Schemas["SeriesStanding"];
export type TournamentDetails = Schemas["TournamentDetails"];
export type DetailsPatch = Schemas["DetailsPatch"];

/** A page of a list. */
export interface Page<T> {
  items: T[];
  next: string | null;
}

/** What is shown of an object of which nobody said what it is. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** What can stand within an element; null, undefined and false leave no trace. */
export type Child = Node | string | number | null | undefined | false | Child[];
