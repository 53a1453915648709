//! What stands in a log. How it is written there: [`super::wire`].

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Hex32;
use crate::rules::cards::CardName;
use crate::rules::{Outcome, Seat};

/// One thing that happened to a game.
#[derive(Debug, Clone)]
pub struct Entry {
    /// From 1, without gaps.
    pub seq: u32,
    pub at: Time,
    pub by: By,
    /// The seat it concerns; none for what concerns the whole game.
    pub seat: Option<Seat>,
    pub event: Event,
}

/// What happened. Inputs only: everything else follows from them.
#[derive(Debug, Clone)]
pub enum Event {
    Created(Created),
    Seated(Seated),
    Left,
    Removed(Removed),
    Moved(Moved),
    InviteRenewed,
    Started(Started),
    Chance(Chance),
    Acted(Acted),
    Resigned,
    AbortAgreed,
    Paused(Paused),
    Resumed,
    TimeAdded(TimeAdded),
    Finished(Finished),
    Aborted(Aborted),
}

/// A game was created, and the house committed to its seed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Created {
    pub kind: String,
    pub rules_version: u16,
    /// The version of the laws that all kinds share: of clocks, bots, resignations and games that nobody plays on. Left
    /// out while it is 1.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub table_version: u16,
    /// Every option, defaults filled in.
    pub options: Box<RawValue>,
    /// How many seats there are to be taken.
    pub seats: u8,
    pub visibility: Visibility,
    /// Seconds for each decision; none where decisions are not timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_seconds: Option<u32>,
    /// Seconds that each seat has in reserve for the whole game.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bank_seconds: u32,
    /// Milliseconds that a bot waits before it acts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bot_delay_ms: u32,
    /// Whether the result counts for ratings.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub rated: bool,
    /// Where it is played, if it is a tournament's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<AtTournament>,
    /// The creator's account.
    pub account: Uuid,
    pub commitment: Hex32,
}

/// A table of a tournament.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtTournament {
    pub id: Uuid,
    /// From 1.
    pub round: u16,
    /// From 1, within the round.
    pub table: u16,
    /// What it is that counts, in the tournament's own words.
    pub scoring: Box<RawValue>,
    /// By how many hands viewers at no seat are behind.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub spectator_delay_hands: u32,
    /// The id whose orders are dealt, where the tables of a round share them: the round's. Then nobody sees another
    /// table before the round is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shuffle_id: Option<Uuid>,
}

/// The viewers that may see a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody.
    #[default]
    Public,
    /// Its creator and the players who sit at it; a player needs an invite to sit down.
    Private,
}

impl Visibility {
    /// The word for it, as it stands in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Private => "private",
        }
    }
}

/// A player or a bot sat down.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Seated {
    Player {
        player: String,
        /// Names change when a guest takes one; the account stays.
        account: Uuid,
        /// The player's part in the chances.
        client_seed: String,
        /// Whether the account says that it is a program. Left out if it does not.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        program: bool,
    },
    Bot {
        bot: Policy,
        /// Always empty.
        client_seed: String,
    },
}

/// Before the start, the creator cleared a seat. The account cannot sit down at this game again.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Removed {
    /// The account that sat there; none for a bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<Uuid>,
}

/// Before the start, the player or the bot at a seat moved to another. Whoever sat there changes places with them.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moved {
    pub to: Seat,
}

/// How a bot plays, the weakest first. `random` takes any legal action, and `novice` does so in one decision in three.
/// `steady` plays as a careful player would. `skilled` and `expert` think ahead: they act shortly after the answer to the
/// action before theirs. Each sees what its seat sees, and no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// Any legal action.
    Random,
    /// Steadily, but for one decision in three, which is any legal action.
    Novice,
    /// What a careful player would do.
    Steady,
    /// What comes out best in a few worlds that fit what the seat knows.
    Skilled,
    /// The same in many worlds.
    Expert,
}

impl Policy {
    /// The word for it, as it stands in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Policy::Random => "random",
            Policy::Novice => "novice",
            Policy::Steady => "steady",
            Policy::Skilled => "skilled",
            Policy::Expert => "expert",
        }
    }

    /// Whether it tries its actions in worlds that it imagines. Such a decision can take milliseconds; the others take
    /// microseconds.
    pub fn thinks_ahead(self) -> bool {
        match self {
            Policy::Random | Policy::Novice | Policy::Steady => false,
            Policy::Skilled | Policy::Expert => true,
        }
    }
}

/// The seats as the game is played: numbered anew, without gaps.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Started {
    pub seats: Vec<StartedSeat>,
}

/// A seat, and the player or the bot that sits there.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartedSeat {
    pub seat: Seat,
    /// The seat's number before the start.
    pub was: Seat,
    pub player: Option<String>,
    pub bot: Option<Policy>,
}

/// What the rules asked of chance, and what came out.
#[derive(Debug, Clone)]
pub struct Chance {
    /// The ordinal, from 0.
    pub k: u32,
    pub drawn: Drawn,
}

/// Beside the ordinal in JSON, under its name.
#[derive(Debug, Clone)]
pub enum Drawn {
    Pick {
        of: u8,
        result: u8,
    },
    /// The order of the deck, its top first; null to all while the game is not finished.
    Shuffle {
        result: Option<Vec<CardName>>,
    },
}

/// A seat acted.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acted {
    pub action: Box<RawValue>,
    /// Milliseconds of the decision in which the service was down: the clock does not count them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub granted_ms: u32,
}

/// An organiser stopped the clocks of a tournament's table.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paused {
    /// By seat: milliseconds of the present decision in which the service was down, which the clock does not count. Left
    /// out where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub granted_ms: Vec<u32>,
}

/// An organiser gave a player at a tournament's table more time in reserve: the one at the entry's seat, or each if the
/// entry has none.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeAdded {
    pub seconds: u32,
}

/// The game is over, and its seed is shown.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finished {
    pub outcome: Outcome,
    pub server_seed: Hex32,
}

/// The game was called off.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aborted {
    pub server_seed: Hex32,
    /// An administrator called the running game off, without the agreement of its players, or in a tournament without an
    /// organiser. Left out otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub admin: bool,
}

/// The author of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// A person or a program with an account. In a tournament's game, the house makes its tables, directs their clocks and calls
    /// them off in the name of the tournament's owner; the tournament's log says which organiser asked for it.
    Player { player: String },
    /// A bot, by its policy.
    Bot { bot: Policy },
    /// The turn clock, for a seat whose time had run out, or whose player has resigned.
    Clock {},
    /// The house, by the rules.
    System {},
}

/// A moment in whole microseconds, always written with six decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub Timestamp);

impl Time {
    /// Whether a log can hold it. Clocks add to it, and there is no time after the year 9999.
    ///
    /// # Errors
    /// What is wrong, for the one who reads the log.
    pub fn check(self) -> Result<(), &'static str> {
        const YEAR_9000: i64 = 221_845_392_000;
        if self.0.as_second() < YEAR_9000 { Ok(()) } else { Err("a log ends before the year 9000") }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn first() -> u16 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_first(version: &u16) -> bool {
    *version == 1
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_yes(flag: &bool) -> bool {
    *flag
}

impl Entry {
    /// Whether such an author can cause this event, at a seat or at none: chance and the end are the house's.
    pub fn is_attributed(&self) -> bool {
        let (by_house, by_player) = (self.by == By::System {}, matches!(self.by, By::Player { .. }));
        match self.event {
            Event::Chance(_) | Event::Finished(_) => by_house && self.seat.is_none(),
            Event::Started(_) | Event::Aborted(_) => (by_house || by_player) && self.seat.is_none(),
            Event::Created(_) | Event::InviteRenewed | Event::Paused(_) | Event::Resumed => {
                by_player && self.seat.is_none()
            }
            Event::TimeAdded(_) => by_player,
            Event::Seated(_)
            | Event::Left
            | Event::Removed(_)
            | Event::Moved(_)
            | Event::Resigned
            | Event::AbortAgreed => by_player && self.seat.is_some(),
            Event::Acted(_) => !by_house && self.seat.is_some(),
        }
    }
}
