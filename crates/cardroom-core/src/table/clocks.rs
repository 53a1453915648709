//! Clocks in an organiser's hand: at a tournament's table they are stopped and started again, and time is added.

use super::checks::not_organiser;
use super::decide::{Command, Step};
use super::state::{Active, Actor, Stage, Table};
use super::timing::{Now, Timer};
use crate::log::entry::{Event, Paused, TimeAdded};
use crate::rules::{Refusal, within};

/// The most that is added at a time, in seconds.
pub const MAX_TIME_ADDED: u32 = 86_400;

/// How often the clocks of a game can be stopped, or time be added to a seat: more often than a tournament asks for.
const MAX_INTERVENTIONS: u16 = 12_000;

impl Step {
    /// What an organiser does to the clocks. Nothing follows where they stand or run as they should already.
    pub(super) fn change_clocks(
        &mut self,
        actor: &Actor,
        command: &Command,
        now: Now<'_>,
    ) -> Result<(), Refusal> {
        let (active, at) = (self.table.directed(actor)?, self.table.time_of(now));
        self.table.check_settled()?;
        let is_paused = self.table.is_paused();
        let events = match command {
            Command::Pause if !is_paused => vec![(None, Event::Paused(self.table.paused(now)))],
            Command::Resume if is_paused => vec![(None, Event::Resumed)],
            Command::AddTime { totals } => active.time_to_add(totals),
            _ => return Ok(()),
        };
        let made = active.timing.as_ref().map_or(0, |timing| timing.interventions);
        if usize::from(made) + events.len() > usize::from(MAX_INTERVENTIONS) {
            return Err(too_often());
        }
        events.iter().try_for_each(|(_, event)| active.check_clocks(event))?;
        events.into_iter().for_each(|(seat, event)| self.add(actor.by(), seat, event, at));
        Ok(())
    }
}

impl Table {
    /// The running game of a tournament, for its organiser.
    pub(super) fn directed(&self, actor: &Actor) -> Result<&Active, Refusal> {
        self.check_active()?;
        self.check_directed()?;
        match &self.stage {
            Stage::Active(active) if actor.admin => Ok(active),
            _ => Err(not_organiser()),
        }
    }

    /// The entry that stops the clocks now.
    fn paused(&self, now: Now<'_>) -> Paused {
        let granted = |seat| {
            let waits = self.to_act().contains(seat);
            let granted = if waits { self.granted(seat, now).as_millis() } else { 0 };
            u32::try_from(granted).unwrap_or(u32::MAX)
        };
        let granted_ms: Vec<u32> = (0..self.assignments.len() as u8).map(granted).collect();
        if granted_ms.iter().all(|&granted| granted == 0) { Paused::default() } else { Paused { granted_ms } }
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

fn too_often() -> Refusal {
    Refusal::new("game_not_active", "the clocks of this game were changed too often")
}

impl Active {
    /// What is still to be added, until each seat has been given so much in all; one entry where each is given the same.
    fn time_to_add(&self, totals: &[u32]) -> Vec<(Option<u8>, Event)> {
        let Some(timing) = &self.timing else { return Vec::new() };
        let seats = timing.seats.iter().zip(totals);
        let missing =
            |(timer, total): (&Timer, &u32)| total.saturating_sub(timer.seconds_added).min(MAX_TIME_ADDED);
        let missing: Vec<u32> = seats.map(missing).collect();
        let added = |seconds| Event::TimeAdded(TimeAdded { seconds });
        match missing.first() {
            Some(&seconds)
                if seconds > 0
                    && missing.len() == timing.seats.len()
                    && missing.iter().all(|&other| other == seconds) =>
            {
                vec![(None, added(seconds))]
            }
            _ => {
                let each = (0..).zip(missing).filter(|(_, seconds)| *seconds > 0);
                each.map(|(seat, seconds)| (Some(seat), added(seconds))).collect()
            }
        }
    }

    /// Whether this can happen to the clocks.
    pub(super) fn check_clocks(&self, event: &Event) -> Result<(), Refusal> {
        let refused = |detail: &'static str| Err(Refusal::new("game_not_active", detail));
        let Some(timing) = &self.timing else { return refused("the game has no clocks") };
        let is_paused = timing.paused_at.is_some();
        match event {
            Event::Resumed if is_paused => return Ok(()),
            Event::Resumed => return refused("the clocks run"),
            Event::Paused(_) if is_paused => return refused("the clocks stand still already"),
            Event::Paused(Paused { granted_ms }) if granted_ms.len() > timing.seats.len() => {
                return refused("there are not so many seats");
            }
            Event::TimeAdded(TimeAdded { seconds }) => within("seconds", *seconds, 1..=MAX_TIME_ADDED)?,
            _ => {}
        }
        if timing.interventions >= MAX_INTERVENTIONS {
            return Err(too_often());
        }
        Ok(())
    }
}
