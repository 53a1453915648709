//! A tournament as its log: the state that the entries lead to. Pure.
//!
//! [`Tournament::evolve`] takes what has happened; [`decide`] says what happens next; [`pairing`] draws the rounds;
//! [`game_results`] keeps what the games brought, [`scoring`] says what that is worth, and [`standings`] ranks the entrants.

pub mod acts;
mod balanced;
mod calls;
mod check_in;
pub mod clocks;
pub mod command;
pub mod crosstable;
pub mod decide;
pub mod desk;
#[cfg(test)]
mod desk_tests;
pub mod details;
pub mod entrants;
#[cfg(test)]
mod entry_tests;
mod evolve;
pub mod game_results;
mod interventions;
pub mod log;
mod meetings;
mod no_shows;
mod notice;
pub mod pairing;
mod plan;
mod points;
pub mod ratio;
#[cfg(test)]
mod restless_tests;
mod results;
#[cfg(test)]
mod scale_tests;
mod schedule;
mod score;
pub mod scoring;
#[cfg(test)]
mod scoring_tests;
#[cfg(test)]
mod seating_tests;
mod seats;
pub mod setup;
#[cfg(test)]
mod simulation;
pub mod standings;
mod state;
mod swiss;
#[cfg(test)]
mod table_tests;
mod tables;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod version_tests;
mod versions;

pub use self::acts::{Announcement, Call, Penalty, TableScores};
pub use self::clocks::ClockChange;
pub use self::command::{Command, NewEntrant};
pub use self::crosstable::{CrosstableCell, CrosstableRow};
pub use self::decide::Step;
pub use self::details::{Details, DetailsPatch, TournamentPatch};
pub use self::entrants::{Entrant, Organiser, Who};
pub use self::game_results::{AwardedHand, End, GameResults};
pub use self::interventions::{Intervention, SetResult};
pub use self::log::{Rematches, RoundBegan, RoundTable, TournamentEntry, TournamentEvent};
pub use self::ratio::Ratio;
pub use self::scoring::{Scoring, ScoringError};
pub use self::setup::{Admission, Format, LateEntry, Missed, NewTournament, ResultBy, Seating, Setup};
pub use self::standings::{EntrantStatus, PenaltySum, Row, TieBreaks};
pub use self::state::{Departure, Fault, Person, Registration, Status, Tournament};
pub use self::versions::{PairingVersion, TieBreakVersion};
pub use crate::rules::scoring::Award;
