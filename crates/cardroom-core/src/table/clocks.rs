//! Clocks in an organiser's hand: at a tournament's table they are stopped and started again, and time is added.

use jiff::Timestamp;

use super::decide::{Command, Step};
use super::state::{Active, Actor, Stage, Table};
use crate::log::entry::{Event, TimeAdded};
use crate::rules::{Refusal, within};

/// The most that is added at a time, in seconds.
pub const MAX_TIME_ADDED: u32 = 86_400;

/// How often the clocks of a game can be stopped, or time be added: more often than a tournament asks for.
const MAX_INTERVENTIONS: u16 = 3000;

impl Step {
    /// What an organiser does to the clocks. Nothing follows where they stand or run as they should already.
    pub(super) fn change_clocks(
        &mut self,
        actor: &Actor,
        command: &Command,
        at: Timestamp,
    ) -> Result<(), Refusal> {
        let active = self.table.directed(actor)?;
        let is_paused = self.table.is_paused();
        let event = match command {
            Command::Pause if !is_paused => Event::Paused,
            Command::Resume if is_paused => Event::Resumed,
            Command::AddTime { seconds } => Event::TimeAdded(TimeAdded { seconds: *seconds }),
            _ => return Ok(()),
        };
        active.check_clocks(&event)?;
        self.add(actor.by(), None, event, at);
        Ok(())
    }
}

impl Table {
    /// The running game of a tournament, for its organiser.
    fn directed(&self, actor: &Actor) -> Result<&Active, Refusal> {
        let active = match &self.stage {
            Stage::Active(active) => active,
            Stage::Open(_) => return Err(super::decide::not_active()),
            Stage::Finished { .. } | Stage::Aborted { .. } => return Err(super::decide::game_over()),
        };
        if self.tournament().is_none() || !actor.admin {
            return Err(Refusal::new(
                "not_organiser",
                "only an organiser of the tournament stops its clocks",
            ));
        }
        Ok(active)
    }

    pub(super) fn check_running(&self) -> Result<(), Refusal> {
        if self.is_paused() {
            return Err(Refusal::new(
                "game_paused",
                "an organiser has stopped the clocks; wait until they run",
            ));
        }
        Ok(())
    }
}

impl Active {
    /// Whether this can happen to the clocks.
    pub(super) fn check_clocks(&self, event: &Event) -> Result<(), Refusal> {
        let refused = |detail: &'static str| Err(Refusal::new("game_not_active", detail));
        let Some(timing) = &self.timing else { return refused("the game has no clocks") };
        let is_paused = timing.paused_at.is_some();
        match event {
            Event::Resumed if is_paused => return Ok(()),
            Event::Resumed => return refused("the clocks run"),
            Event::Paused if is_paused => return refused("the clocks stand still already"),
            Event::TimeAdded(TimeAdded { seconds }) => within("seconds", *seconds, 1..=MAX_TIME_ADDED)?,
            _ => {}
        }
        if timing.interventions >= MAX_INTERVENTIONS {
            return refused("the clocks of this game were changed too often");
        }
        Ok(())
    }
}
