//! The acts of organisers while a tournament runs, as they stand in the log, and what the log makes of them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::details::Details;
use super::entrants::Who;

/// How finely a penalty changes a result: in thousandths.
pub const THOUSANDTHS: i64 = 1000;

/// Something is said to everybody in the tournament.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announced {
    pub text: String,
}

/// Something is added to what an entrant has earned, or taken off.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Penalised {
    pub entrant: u32,
    /// From 1, in the order in which they were given.
    pub penalty: u32,
    pub reason: String,
    /// Negative where it is taken off.
    pub result_thousandths: i64,
    pub score: i64,
}

/// A penalty counts no more.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PenaltyCancelled {
    pub penalty: u32,
}

/// An entrant who withdrew or was disqualified is in again, from the next round on. The results of a disqualified
/// entrant count again.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reinstated {
    pub entrant: u32,
}

/// Another player takes an entrant's place, with all that the entrant has earned, from the next round on.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replaced {
    pub entrant: u32,
    pub who: Who,
}

/// No round is drawn until the tournament is resumed. Tables play on, unless their clocks are stopped.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paused {
    /// Empty where no reason was given.
    pub reason: String,
    /// Whether the clocks of all tables stand still, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stop_clocks: bool,
}

/// The clocks of a table stand still, or run again.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtTable {
    pub round: u16,
    pub table: u16,
    /// The table's game.
    pub game: Uuid,
}

/// Each player at a table has more time in reserve, or one of them.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeAdded {
    pub round: u16,
    pub table: u16,
    /// The table's game.
    pub game: Uuid,
    pub seconds: u32,
    /// Left out where it is for everybody at the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entrant: Option<u32>,
}

/// A round is over, and these entrants did not play it: the clock decided for them until the end. They are out until they
/// check in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundEnded {
    pub round: u16,
    /// In ascending order.
    pub absent: Vec<u32>,
}

/// An entrant asks for a referee.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefereeCalled {
    /// From 1, in the order in which they came.
    pub call: u32,
    pub entrant: u32,
    pub text: String,
}

/// An organiser has seen to a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallAnswered {
    pub call: u32,
    /// Empty where nothing was said.
    pub answer: String,
}

/// An organiser is one no longer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dismissed {
    pub account: Uuid,
    pub player: String,
}

/// An entrant is in another team now, or in none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeamChanged {
    pub entrant: u32,
    /// Left out where it is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
}

/// An organiser has prescribed the tables of the next round. The lots decide the seats at each table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablesPrescribed {
    pub round: u16,
    /// The entrants at each table.
    pub tables: Vec<Vec<u32>>,
    /// The entrants who sit out, ascending.
    pub byes: Vec<u32>,
}

/// The next round is drawn as all others are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrescriptionCancelled {
    pub round: u16,
}

/// An entrant is there.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedIn {
    pub entrant: u32,
}

/// An entrant is not there after all; in an arena, the entrant takes a break.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckInCancelled {
    pub entrant: u32,
}

/// What is told about the tournament was changed: all of it, as it is now.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edited {
    pub name: String,
    pub details: Details,
}

/// A table of the running round is played once more. Its earlier game counts for nothing.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableRedone {
    pub round: u16,
    pub table: u16,
    /// The game that is played now.
    pub game: Uuid,
    /// The game before it.
    pub replaced: Uuid,
    pub reason: String,
}

/// What the seats of a table have at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableScores {
    /// Stack, score or total, as the kind counts; seat 0 first, bots too.
    pub scores: Vec<i64>,
    /// The places, seat 0 first; equals share a place, and the next is skipped (1, 1, 3). If there are none, the scores decide.
    pub places: Option<Vec<u8>>,
}

/// How a table ended, by an organiser's word.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultSet {
    pub round: u16,
    pub table: u16,
    /// The table's game.
    pub game: Uuid,
    pub reason: String,
    /// As in [`TableScores`].
    pub scores: Vec<i64>,
    /// As in [`TableScores`]; left out where the scores decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<Vec<u8>>,
}

impl ResultSet {
    pub(super) fn result(&self) -> TableScores {
        TableScores { scores: self.scores.clone(), places: self.places.clone() }
    }
}

/// The table's own result counts again.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultCancelled {
    pub round: u16,
    pub table: u16,
    /// The table's game.
    pub game: Uuid,
}

/// A penalty, as the log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Penalty {
    /// From 1, in the order in which they were given.
    pub number: u32,
    pub entrant: u32,
    pub reason: String,
    /// In thousandths; negative where it is taken off.
    pub result: i64,
    pub score: i64,
    pub at: Timestamp,
    /// The organiser's name.
    pub by: String,
    /// When it was cancelled, and by whom.
    pub cancelled: Option<(Timestamp, String)>,
}

/// A call for a referee, as the log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// From 1, in the order in which they came.
    pub number: u32,
    /// The name of the player who called, also where another player has the entrant's place by now.
    pub player: String,
    pub account: Option<Uuid>,
    pub text: String,
    pub at: Timestamp,
    /// When it was answered, by whom and how; none while it is open.
    pub answer: Option<(Timestamp, String, String)>,
}

/// An announcement, as the log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    /// The entry.
    pub seq: u32,
    pub at: Timestamp,
    /// The organiser's name.
    pub by: String,
    pub text: String,
}
