//! The state of a game of Sevens: options, hand number, last hand, and phase with the hand that is played.

use serde::{Deserialize, Serialize};

use super::options::Options;
use super::settled::Settled;
use super::table::Table;
use crate::rules::seats::{PerSeat, Seat, SeatSet};

/// A game of Sevens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sevens {
    pub(super) options: Options,
    /// How many hands have been dealt.
    pub(super) hand: u16,
    /// The hand before this one is still shown: the next is dealt at once.
    pub(super) last_hand: Option<Settled>,
    /// The seats that everybody was told to be out.
    pub(super) out: SeatSet,
    pub(super) phase: Phase,
}

#[expect(clippy::large_enum_variant, reason = "a state that is cloned for every action keeps no heap")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Phase {
    FirstDealer {
        stacks: PerSeat<u32>,
    },
    /// For the next hand.
    Shuffle {
        dealer: Seat,
        stacks: PerSeat<u32>,
        carried: u64,
    },
    Betting(Table),
    Over {
        stacks: PerSeat<u32>,
    },
}
