//! One hand of Rituna's Favour: what it counts, and what it beats.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::options::Kings;
use crate::rules::cards::{French, QUEEN, Rank};
use crate::rules::seats::Seat;

/// Above it a hand is bust.
pub const TARGET: u8 = 24;

/// Four aces, twos and threes make 24, four worthless kings add nothing, and one more card busts.
const MAX_CARDS: usize = 17;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hand {
    pub holder: Holder,
    pub cards: ArrayVec<French, MAX_CARDS>,
    pub stuck: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Holder {
    Seat(Seat),
    House,
}

/// What hands that are not bust are compared by, field by field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Strength {
    pub total: u8,
    pub queen: bool,
    pub cards: usize,
}

impl Hand {
    pub fn of(holder: Holder) -> Hand {
        Hand { holder, cards: ArrayVec::new(), stuck: false }
    }

    pub fn total(&self, kings: Kings) -> u8 {
        self.cards.iter().map(|&card| kings.value(card)).sum()
    }

    pub fn is_bust(&self, kings: Kings) -> bool {
        self.total(kings) > TARGET
    }

    pub fn is_pair_of(&self, rank: Rank) -> bool {
        self.cards.len() == 2 && self.cards.iter().all(|card| card.rank() == rank)
    }

    /// `None` for a hand that is bust.
    pub fn strength(&self, kings: Kings) -> Option<Strength> {
        (!self.is_bust(kings)).then(|| Strength {
            total: self.total(kings),
            queen: self.cards.iter().any(|card| card.rank() == QUEEN),
            cards: self.cards.len(),
        })
    }
}

impl Holder {
    /// `None` for the house.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Holder::Seat(seat) => Some(seat),
            Holder::House => None,
        }
    }
}
