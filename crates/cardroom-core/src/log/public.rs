//! Entries as they are published.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::Hex32;
use super::entry::{By, Chance, Drawn, Entry, Event, Policy, Time};

/// An entry as a log's reader gets it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Entry)]
pub struct PublicEntry {
    pub seq: u32,
    /// When it happened, RFC 3339 with microseconds.
    #[schema(
        value_type = String, pattern = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$",
        example = "2026-11-20T18:00:00.000000Z"
    )]
    pub at: Time,
    #[serde(rename = "type")]
    #[schema(value_type = EntryType)]
    pub kind: &'static str,
    #[schema(value_type = ByInfo)]
    pub by: By,
    #[schema(required)]
    pub seat: Option<u8>,
    /// What the type says; what the reader may not know is null.
    #[schema(value_type = Object)]
    pub data: Box<RawValue>,
    /// Binds it to all entries before it.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub hash: Hex32,
}

/// The types of entries.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntryType {
    Created,
    Seated,
    Left,
    /// Before the start, the creator cleared the seat.
    Removed,
    /// Before the start, the player or the bot at the seat moved to another seat.
    Moved,
    /// The creator replaced the invite.
    InviteRenewed,
    Started,
    Chance,
    Acted,
    /// The player left the running game. The house plays for the seat from then on.
    Resigned,
    /// The player agreed to call the game off. It is called off when all have agreed.
    AbortAgreed,
    /// An organiser of the tournament stopped the clocks. Nobody acts until they run again.
    Paused,
    /// The clocks run again.
    Resumed,
    /// An organiser of the tournament gave each player more time in reserve.
    TimeAdded,
    Finished,
    Aborted,
}

/// The author of an entry.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = By)]
pub struct ByInfo {
    #[serde(rename = "type")]
    pub kind: Author,
    /// The player's name at the time. In a tournament's game, the house seats entrants, directs the clocks and calls the game
    /// off in the name of the tournament's owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub player: Option<String>,
    /// The bot's policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub bot: Option<Policy>,
}

/// Who causes entries.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// A person or a program with an account.
    Player,
    Bot,
    /// The turn clock, for a seat whose time had run out, or whose player has resigned.
    Clock,
    /// The house, by the rules.
    System,
}

impl Entry {
    /// The entry as it may be shown. `over`: the game is finished or aborted, and nothing is hidden any more.
    pub fn public(mut self, hash: Hex32, over: bool) -> PublicEntry {
        if let Event::Chance(Chance { drawn: Drawn::Shuffle { result }, .. }) = &mut self.event
            && !over
        {
            *result = None;
        }
        let (kind, data) = self.event.parts();
        let Entry { seq, at, by, seat, event: _ } = self;
        PublicEntry { seq, at, kind, by, seat, data, hash }
    }
}
