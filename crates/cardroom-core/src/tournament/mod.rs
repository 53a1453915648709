//! A tournament as its log: the state that the entries lead to. Pure.
//!
//! [`Tournament::evolve`] takes what has happened; [`decide`] says what happens next; [`pairing`] draws the rounds;
//! [`game_results`] keeps what the games brought, [`scoring`] says what that is worth, and [`standings`] ranks the entrants.

#[cfg(test)]
mod absence_tests;
pub mod acts;
#[cfg(test)]
mod admission_tests;
mod arena;
#[cfg(test)]
mod arena_tests;
#[cfg(feature = "signatures")]
#[cfg(test)]
mod author_tests;
mod authors;
mod balanced;
mod bounds;
mod calls;
#[cfg(test)]
mod certificate_tests;
mod chances;
mod check_in;
pub mod clocks;
pub mod command;
pub mod conditions;
mod copy;
pub mod crosstable;
pub mod decide;
pub mod desk;
#[cfg(test)]
mod desk_tests;
pub mod details;
mod entering;
pub mod entrants;
#[cfg(test)]
mod entry_tests;
mod evolve;
mod format;
mod format_choices;
mod freezeout;
#[cfg(test)]
mod freezeout_tests;
pub mod game_results;
#[cfg(test)]
mod group_tests;
mod groups;
mod interventions;
mod knockout;
pub mod log;
#[cfg(test)]
mod log_tests;
mod lots;
mod meetings;
mod no_shows;
mod notice;
pub mod pairing;
pub mod penalties;
mod plan;
mod points;
mod prescribed;
pub mod ratio;
#[cfg(test)]
mod restless_tests;
mod results;
mod roles;
mod same_cards;
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
pub mod series;
#[cfg(test)]
mod series_tests;
pub mod setup;
#[cfg(test)]
pub(crate) mod simulation;
pub mod standings;
mod state;
mod swiss;
#[cfg(test)]
mod table_tests;
mod tables;
#[cfg(test)]
mod team_tests;
mod teams;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod version_tests;
mod versions;
mod waiting;

pub use self::acts::{Announcement, Call, Penalty, TableScores, TablesPrescribed};
pub use self::clocks::ClockChange;
pub use self::command::{Application, Command, NewEntrant};
pub use self::conditions::{Conditions, NewConditions, Programs};
pub use self::crosstable::{CrosstableCell, CrosstableRow};
pub use self::decide::Step;
pub use self::details::{Details, DetailsPatch, TournamentPatch};
pub use self::entrants::{Entrant, Organiser, Person, Role, Teams, Who};
pub use self::format::{Format, LateEntry, Missed, Seating};
pub use self::game_results::{AwardedHand, End, GameResults};
pub use self::interventions::{Intervention, SetResult};
pub use self::log::{Rematches, RoundBegan, RoundTable, TournamentEntry, TournamentEvent};
pub use self::points::{CountedAward, CountedAwards};
pub use self::ratio::Ratio;
pub use self::scoring::{Scoring, ScoringError};
pub use self::setup::{Admission, NewTournament, ResultBy, Setup};
pub use self::standings::{EntrantStatus, PenaltySum, Row, TieBreaks};
pub use self::state::{Departure, Fault, Registration, Status, Tournament};
pub use self::teams::{TeamMember, TeamRow};
pub use self::versions::{PairingVersion, TieBreakVersion};
pub use crate::rules::scoring::Award;
