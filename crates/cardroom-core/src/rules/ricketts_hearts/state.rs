//! The state of a game of Ricketts House Hearts: options, scores, last hand, and phase with the hand that is played.

use serde::{Deserialize, Serialize};

use super::deal::Deal;
use super::options::Options;
use super::score::{Scores, Settled};
use super::tricks::Tricks;
use crate::rules::seats::Seat;

/// A game of Ricketts House Hearts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RickettsHearts {
    pub(super) options: Options,
    /// How many hands have been dealt.
    pub(super) hand: u32,
    pub(super) scores: Scores,
    /// The hand before this one is still shown: the next is dealt at once.
    pub(super) last_hand: Option<Settled>,
    pub(super) phase: Phase,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Phase {
    FirstDealer,
    /// For the next hand.
    Shuffle {
        dealer: Seat,
    },
    Passing(Deal),
    Tricks(Tricks),
    /// All tricks are taken, by `shooter` all that count.
    Moon {
        tricks: Tricks,
        shooter: Seat,
    },
    Over,
}
