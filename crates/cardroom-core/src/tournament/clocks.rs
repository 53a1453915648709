//! The clocks of a tournament's tables: organisers stop them, let them run again, and give more time. The tables' games
//! follow, each with entries of its own.

use std::sync::Arc;

use uuid::Uuid;

use super::acts::{AtTable, TimeAdded};
use super::command::Command;
use super::desk::check_number;
use super::log::TournamentEvent;
use super::state::Tournament;
use crate::rules::{Refusal, within};
use crate::table::MAX_TIME_ADDED;

/// How often organisers can stop clocks or add time.
const MAX_CLOCK_CHANGES: usize = 1000;

/// How many of these it counts to stop the clocks of all tables, because each table's log has an entry more by it.
const STOP_ALL: u32 = 20;

/// What an entry does to the clocks of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockChange {
    /// The clocks of all games of the tournament stand still, or run.
    All { stopped: bool },
    /// Those of one game do.
    Game { game: Uuid, stopped: bool },
    /// Each player at a game has more time.
    TimeAdded { game: Uuid, seconds: u32 },
}

impl Tournament {
    /// Whether the clocks of a table stand still, or shall.
    pub fn is_table_paused(&self, round: u16, table: u16) -> bool {
        let alone = self.intervention(round, table).is_some_and(|found| found.is_paused);
        usize::from(round) == self.rounds().len() && (self.clocks_stopped || alone)
    }

    /// Whether the clocks of all tables stand still.
    pub fn clocks_stopped(&self) -> bool {
        self.clocks_stopped
    }

    /// What an entry does to the clocks of games.
    pub fn clock_change(&self, event: &TournamentEvent) -> Option<ClockChange> {
        match event {
            TournamentEvent::Paused(paused) if paused.stop_clocks => Some(ClockChange::All { stopped: true }),
            TournamentEvent::Resumed => Some(ClockChange::All { stopped: false }),
            TournamentEvent::TablePaused(at) => Some(ClockChange::Game { game: at.game, stopped: true }),
            TournamentEvent::TableResumed(at) => Some(ClockChange::Game { game: at.game, stopped: false }),
            TournamentEvent::TimeAdded(added) => {
                Some(ClockChange::TimeAdded { game: added.game, seconds: added.seconds })
            }
            // The new game of a table that stood still stands still, too.
            TournamentEvent::TableRedone(redone) => {
                let stopped = self.is_table_paused(redone.round, redone.table);
                stopped.then_some(ClockChange::Game { game: redone.game, stopped })
            }
            _ => None,
        }
    }

    /// The logs of games do not grow for ever.
    pub(super) fn check_clock_changes(&self) -> Result<(), Refusal> {
        check_number("changes of clocks", self.clock_changes as usize, MAX_CLOCK_CHANGES)
    }

    /// None where the clocks stand or run already as they should.
    pub(super) fn change_clocks(&self, command: &Command) -> Result<Option<TournamentEvent>, Refusal> {
        let (Command::PauseTable { round, table }
        | Command::ResumeTable { round, table }
        | Command::AddTime { round, table, .. }) = command
        else {
            return Ok(None);
        };
        self.check_active()?;
        let (round, table) = (*round, *table);
        let game = self.table((round, table))?.game;
        if usize::from(round) != self.rounds.len() {
            return Err(Refusal::new("round_over", "a later round has begun"));
        }
        if !matches!(command, Command::ResumeTable { .. }) {
            self.check_clock_changes()?;
        }
        let at = AtTable { round, table, game };
        let is_paused = self.intervention(round, table).is_some_and(|found| found.is_paused);
        Ok(match command {
            Command::PauseTable { .. } if !is_paused => Some(TournamentEvent::TablePaused(at)),
            Command::ResumeTable { .. } if is_paused && self.clocks_stopped => {
                return Err(Refusal::new(
                    "tournament_paused",
                    "the clocks of all tables are stopped: resume all",
                ));
            }
            Command::ResumeTable { .. } if is_paused => Some(TournamentEvent::TableResumed(at)),
            Command::AddTime { seconds, .. } => {
                within("seconds", *seconds, 1..=MAX_TIME_ADDED)?;
                Some(TournamentEvent::TimeAdded(TimeAdded { round, table, game, seconds: *seconds }))
            }
            _ => None,
        })
    }

    /// Whether such an entry can stand here in the log.
    pub(super) fn can_change_clocks(&self, event: &TournamentEvent) -> Result<(), String> {
        let (command, game) = match *event {
            TournamentEvent::TablePaused(AtTable { round, table, game }) => {
                (Command::PauseTable { round, table }, game)
            }
            TournamentEvent::TableResumed(AtTable { round, table, game }) => {
                (Command::ResumeTable { round, table }, game)
            }
            TournamentEvent::TimeAdded(TimeAdded { round, table, game, seconds }) => {
                (Command::AddTime { round, table, seconds }, game)
            }
            _ => return Err("this does nothing to the clocks".to_owned()),
        };
        let due = self.change_clocks(&command).map_err(|refusal| refusal.detail)?;
        let is_meant = match due {
            Some(TournamentEvent::TablePaused(at) | TournamentEvent::TableResumed(at)) => at.game == game,
            Some(TournamentEvent::TimeAdded(added)) => added.game == game,
            _ => false,
        };
        if is_meant { Ok(()) } else { Err("the clocks of this game stand or run so already".to_owned()) }
    }

    pub(super) fn apply_clocks(&mut self, event: &TournamentEvent) {
        match event {
            TournamentEvent::Paused(paused) if paused.stop_clocks => {
                self.clocks_stopped = true;
                self.clock_changes += STOP_ALL;
            }
            TournamentEvent::TablePaused(at) | TournamentEvent::TableResumed(at) => {
                let found = Arc::make_mut(&mut self.interventions).entry((at.round, at.table)).or_default();
                found.is_paused = matches!(event, TournamentEvent::TablePaused(_));
                self.clock_changes += 1;
            }
            TournamentEvent::TimeAdded(_) => self.clock_changes += 1,
            TournamentEvent::Resumed => {
                self.clocks_stopped = false;
                if self.interventions.values().any(|found| found.is_paused) {
                    let interventions = Arc::make_mut(&mut self.interventions);
                    interventions.values_mut().for_each(|found| found.is_paused = false);
                }
            }
            _ => {}
        }
    }
}
