//! The rabble: three cards from each seat that is still in to the next one on its left.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::deck::KnightsCard;
use crate::rules::seats::{PerSeat, Seat, SeatSet};

/// How many cards a seat passes.
pub const RABBLE: usize = 3;

/// The cards that a seat passes, in the order in which it named them.
pub type Three = ArrayVec<KnightsCard, RABBLE>;

/// What each seat gives; nothing where it has not picked, or is not asked to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rabble(PerSeat<Three>);

impl Rabble {
    pub fn none(seats: usize) -> Rabble {
        Rabble((0..seats).map(|_| Three::new()).collect())
    }

    pub fn pick(&mut self, seat: Seat, cards: Three) {
        self.0[usize::from(seat)] = cards;
    }

    pub fn gave(&self, seat: Seat) -> &Three {
        &self.0[usize::from(seat)]
    }

    /// The seats that have picked. Once all seats that are asked have picked, these are the givers and the receivers.
    pub fn givers(&self) -> SeatSet {
        (0..).zip(&self.0).filter(|(_, cards)| !cards.is_empty()).map(|(seat, _)| seat).collect()
    }

    /// The seat that receives what `giver` gives, once all have picked.
    pub fn receiver(&self, giver: Seat) -> Option<Seat> {
        let givers = self.givers();
        givers.from_left_of(giver).next().filter(|_| givers.contains(giver))
    }

    /// The seat that gives to `receiver`, once all have picked.
    pub fn giver(&self, receiver: Seat) -> Option<Seat> {
        self.givers().iter().find(|&giver| self.receiver(giver) == Some(receiver))
    }
}
