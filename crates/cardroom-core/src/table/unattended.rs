//! Games that no person attends to: those that the house plays by itself, and those that wait for people in vain.

use jiff::Timestamp;
use uuid::Uuid;

use super::decide::Step;
use super::state::{Active, Stage, Table};
use super::turns::Now;
use crate::log::entry::{Aborted, By, Event};
use crate::rules::Seat;

/// After so many entries in which no player has acted, the house plays by itself. A hand among ten bots takes fewer.
const UNATTENDED_AFTER: u32 = 256;

impl Table {
    /// The account that created the game; of a tournament's games, its organiser.
    pub fn creator(&self) -> Uuid {
        self.about.account
    }

    /// Whether a player with an account sits at the table, who has not resigned.
    pub fn has_people(&self) -> bool {
        self.people().next().is_some()
    }

    /// The seats of the players with accounts who have not resigned.
    pub(super) fn people(&self) -> impl Iterator<Item = Seat> + '_ {
        self.accounts().map(|(seat, _)| seat).filter(|&seat| !self.has_resigned(seat))
    }

    /// Whether the house plays this game by itself: no person sits at it, or none has acted for a long time while bots
    /// and the clock played on.
    pub fn is_unattended(&self) -> bool {
        match &self.stage {
            Stage::Open(_) => false,
            Stage::Active(Active { timing: Some(timing), .. }) if timing.unattended > UNATTENDED_AFTER => {
                true
            }
            _ => !self.has_people(),
        }
    }

    /// When the game was created.
    pub fn created_at(&self) -> Timestamp {
        self.about.created_at
    }

    /// Calls an open game off on behalf of the house, because nobody uses it. None where it is not open.
    pub fn call_off(&self, now: Now<'_>) -> Option<Step> {
        let (mut step, at) = (self.step(), self.time_of(now));
        let server_seed = self.seed.reveal();
        matches!(self.stage, Stage::Open(_)).then(|| {
            step.add(By::System {}, None, Event::Aborted(Aborted { server_seed, admin: false }), at);
            step
        })
    }
}
