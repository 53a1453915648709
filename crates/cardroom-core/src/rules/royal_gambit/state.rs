//! The state of a game of Royal Gambit: options, stage, totals, and phase with the hand that is played.

use serde::{Deserialize, Serialize};

use super::facts::Stage;
use super::options::Options;
use super::table::{Decision, Table};
use crate::rules::seats::{PerSeat, Seat, SeatSet};

/// A game of Royal Gambit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RoyalGambit {
    pub(super) options: Options,
    pub(super) hand: u32,
    pub(super) stage: Stage,
    pub(super) totals: PerSeat<u32>,
    pub(super) phase: Phase,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Phase {
    /// The first dealer is to be drawn.
    Drawing,
    /// The deck is to be shuffled for these seats.
    Shuffling {
        dealer: Seat,
        seats: SeatSet,
    },
    Playing {
        table: Table,
        decision: Decision,
    },
    /// The table stays as the last hand left it.
    Over {
        table: Table,
    },
}
