//! What was done at a tournament's tables in its owner's name: calling games off, stopping clocks and adding time. Each such
//! act in a game's log follows from one in the tournament's log, or is marked as an administrator's.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use crate::log::entry::{Aborted, Entry, Event};
use crate::rules::Seat;
use crate::tournament::{ClockChange, Status, Tournament, TournamentEntry};

/// What a game's log tells.
#[derive(Default)]
pub(super) struct Done {
    pub(super) called_off: bool,
    pub(super) has_stopped: bool,
    /// By seat, and for all seats.
    pub(super) seconds_added: HashMap<Option<Seat>, u64>,
}

/// What a tournament's log asks for.
#[derive(Default)]
pub(super) struct Asked {
    void: HashSet<Uuid>,
    all_were_stopped: bool,
    stopped: HashSet<Uuid>,
    /// By seat.
    seconds: HashMap<Uuid, Vec<u64>>,
}

impl Done {
    pub(super) fn of<'e>(log: impl Iterator<Item = &'e Entry>) -> Done {
        let mut done = Done::default();
        for entry in log {
            match &entry.event {
                Event::Aborted(Aborted { admin: false, .. }) => done.called_off = true,
                Event::Paused(_) => done.has_stopped = true,
                Event::TimeAdded(added) => {
                    *done.seconds_added.entry(entry.seat).or_default() += u64::from(added.seconds);
                }
                _ => {}
            }
        }
        done
    }

    fn seconds(&self, seat: Seat) -> u64 {
        let added = |to| self.seconds_added.get(&to).copied().unwrap_or_default();
        added(None) + added(Some(seat))
    }
}

impl Asked {
    /// An entry of the tournament's log, and the tournament after it.
    pub(super) fn take(&mut self, entry: &TournamentEntry, after: &Tournament) {
        self.void.extend(entry.voided_game());
        match after.clock_change(&entry.event) {
            Some(ClockChange::All { stopped: true }) => self.all_were_stopped = true,
            Some(ClockChange::Game { game, stopped: true }) => drop(self.stopped.insert(game)),
            Some(ClockChange::TimeAdded { game, seconds }) => {
                let sums = self.seconds.entry(game).or_default();
                sums.resize(sums.len().max(seconds.len()), 0);
                sums.iter_mut().zip(seconds).for_each(|(sum, seconds)| *sum += u64::from(seconds));
            }
            Some(ClockChange::All { stopped: false } | ClockChange::Game { stopped: false, .. }) | None => {}
        }
    }

    /// What nobody has asked for, in words. Several acts of the tournament can become one of the game, or none if it is over
    /// first, and replicas can stop a clock once more for the same request. So time must not be more than was asked for, and
    /// clocks stand still only where somebody has asked for that at all.
    pub(super) fn objection(&self, game: Uuid, done: &Done, tournament: &Tournament) -> Option<&'static str> {
        let is_void = self.void.contains(&game) || tournament.status() == Status::Aborted;
        if done.called_off && !is_void {
            return Some("it was called off, and no organiser asked for it");
        }
        if done.has_stopped && !self.all_were_stopped && !self.stopped.contains(&game) {
            return Some("its clocks were stopped, and no organiser asked for it");
        }
        let asked = self.seconds.get(&game).map_or(&[][..], Vec::as_slice);
        let is_unasked = |seat: Option<Seat>| match seat {
            None => asked.is_empty(),
            Some(seat) => usize::from(seat) >= asked.len(),
        };
        let is_more = |(seat, &most): (Seat, &u64)| done.seconds(seat) > most;
        if done.seconds_added.keys().copied().any(is_unasked) || (0..).zip(asked).any(is_more) {
            return Some("players were given time, and no organiser asked for it");
        }
        None
    }
}
