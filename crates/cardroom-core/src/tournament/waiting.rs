//! The waiting list. Where all places of a limited tournament are taken, players wait in the order of entry. A place
//! that becomes free before the start is the first one's who waits; an entry of its own is not needed for that.

use super::log::{Disqualified, TournamentEntry, TournamentEvent, Withdrawn};
use super::setup::Admission;
use super::state::{Departure, Registration, Status, Tournament};

impl Tournament {
    /// How many play at most while others wait; none without a waiting list.
    pub(super) fn capacity(&self) -> Option<usize> {
        match self.setup().admission {
            Admission::Limited { max, waiting_list: true } => Some(max as usize),
            _ => None,
        }
    }

    /// Whether players wait where all places are taken.
    pub(super) fn has_waiting_list(&self) -> bool {
        self.status == Status::Open && self.capacity().is_some()
    }

    /// The number of the first entrant who waits for a place; none where nobody does.
    pub(super) fn first_waiting(&self) -> Option<u32> {
        let places = self.capacity().filter(|_| self.started_at.is_none())?;
        let mut there = self.entrants.iter().filter(|registration| registration.departure.is_none());
        there.nth(places).map(|registration| registration.entrant.number)
    }

    /// Says of each entrant whether they wait for a place, or got none by the start.
    pub fn waits(&self) -> impl Fn(&Registration) -> bool {
        let first = self.first_waiting();
        move |registration| match registration.departure {
            None => first.is_some_and(|first| registration.entrant.number >= first),
            departure => departure == Some(Departure::Waiting),
        }
    }

    /// How many wait for a place, or got none by the start.
    pub fn waiting(&self) -> usize {
        let waits = self.waits();
        self.entrants.iter().filter(|registration| waits(registration)).count()
    }

    /// The entrant to whom this entry, the newest, gave a place.
    pub(super) fn moved_up(&self, entry: &TournamentEntry) -> Option<u32> {
        let (TournamentEvent::Withdrawn(Withdrawn { entrant: gone })
        | TournamentEvent::Disqualified(Disqualified { entrant: gone, .. })) = entry.event
        else {
            return None;
        };
        let places = self.capacity().filter(|_| self.status == Status::Open)?;
        let mut there = self.entrants.iter().filter(|registration| registration.departure.is_none());
        let last = there.nth(places.checked_sub(1)?)?.entrant.number;
        // If the one who left had waited, nobody moves up.
        (gone < last).then_some(last)
    }

    /// Entrants without a place when the tournament starts are not in it.
    pub(super) fn leave_out_waiting(&mut self) {
        let Some(first) = self.first_waiting() else { return };
        let waiting = self.entrants.iter_mut().skip(first as usize);
        for registration in waiting.filter(|registration| registration.departure.is_none()) {
            registration.departure = Some(Departure::Waiting);
        }
    }
}
