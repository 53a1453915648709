//! The clocks of a tournament's tables: organisers stop them, let them run again, and give more time. The tables' games
//! follow, each with entries of its own.

use std::sync::Arc;

use uuid::Uuid;

use super::acts::{AtTable, TimeAdded};
use super::bounds::check_number;
use super::command::Command;
use super::log::TournamentEvent;
use super::state::Tournament;
use crate::rules::{Refusal, within};
use crate::table::MAX_TIME_ADDED;

/// How often organisers can stop clocks or add time.
const MAX_CLOCK_CHANGES: usize = 1000;

/// How many of these it counts to stop the clocks of all tables, because each table's log has an entry more by it.
const STOP_ALL: u32 = 20;

/// What an entry does to the clocks of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClockChange {
    /// The clocks of all games of the tournament stand still, or run.
    All { stopped: bool },
    /// Those of one game do.
    Game { game: Uuid, stopped: bool },
    /// So many seconds more, seat 0 first.
    TimeAdded { game: Uuid, seconds: Vec<u32> },
}

impl Tournament {
    /// Whether the clocks of a table stand still, or shall.
    pub fn is_table_paused(&self, round: u16, table: u16) -> bool {
        let alone = self.intervention(round, table).is_some_and(|found| found.is_paused);
        (self.clocks_stopped || alone) && self.is_newest_table((round, table))
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
                let (_, table) = self.table_of(added.game)?;
                let is_meant = |seat: &Option<u32>| added.entrant.is_none() || *seat == added.entrant;
                let seats = table.seats.iter().map(|seat| if is_meant(seat) { added.seconds } else { 0 });
                Some(ClockChange::TimeAdded { game: added.game, seconds: seats.collect() })
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

    /// Time for one player is for a player at this table.
    fn check_sits(&self, added: &TimeAdded) -> Result<(), Refusal> {
        let table = self.table((added.round, added.table))?;
        if added.entrant.is_some() && !table.seats.contains(&added.entrant) {
            return Err(Refusal::new("entrant_not_found", "this player does not sit at the table"));
        }
        Ok(())
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
        if !self.is_newest_table((round, table)) {
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
            Command::AddTime { seconds, player, .. } => {
                within("seconds", *seconds, 1..=MAX_TIME_ADDED)?;
                let entrant = player.as_ref().map(|player| self.find(player)).transpose()?;
                let added = TimeAdded { round, table, game, seconds: *seconds, entrant };
                self.check_sits(&added)?;
                Some(TournamentEvent::TimeAdded(added))
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
            TournamentEvent::TimeAdded(ref added) => {
                let TimeAdded { round, table, game, seconds, .. } = *added;
                self.check_sits(added).map_err(|refusal| refusal.detail)?;
                (Command::AddTime { round, table, seconds, player: None }, game)
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
