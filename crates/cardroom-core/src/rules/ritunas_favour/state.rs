//! The state of a game of Rituna's Favour: options, stacks, pot and bank, the deck and the hands on the table, and the
//! phase.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::hand::Hand;
use super::options::Options;
use crate::rules::cards::French;
use crate::rules::seats::{PerSeat, Seat};

/// Ten seats and the house; and four sevens are enough for two to split.
pub(super) const MAX_HANDS: usize = 13;

/// A game of Rituna's Favour.
///
/// No field says which seats are out: a seat that cannot pay is not dealt to, and a seat without a hand can win
/// nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RitunasFavour {
    pub(super) options: Options,
    /// How many hands have been dealt.
    pub(super) hand: u16,
    pub(super) stacks: PerSeat<u64>,
    pub(super) hands_won: PerSeat<u16>,
    /// The house pays from it, and may owe.
    pub(super) bank: i64,
    pub(super) pot: u64,
    /// What earlier hands left; it goes with the pot.
    pub(super) carried: u64,
    /// The top is the first.
    pub(super) deck: ArrayVec<French, 52>,
    /// In the order dealt, so the dealer's stand last; two of one seat stand side by side. They lie there
    /// until the next deal.
    pub(super) hands: ArrayVec<Hand, MAX_HANDS>,
    pub(super) phase: Phase,
}

/// `at` is a place in the list of hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Phase {
    FirstDealer,
    /// For the next hand.
    Shuffle {
        dealer: Seat,
    },
    /// A seat chooses what to do with its two sevens.
    LuckySevens {
        at: usize,
    },
    /// Its sevens lie under the deck, which is to be shuffled.
    Redeal {
        at: usize,
    },
    Turns {
        at: usize,
    },
    Over,
}
