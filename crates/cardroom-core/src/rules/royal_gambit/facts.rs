//! The facts of Royal Gambit, with what a hand is played for, the flips that a jack orders, and why a card was flipped.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::rules::cards::French;

/// What a hand is played for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Nobody has reached the target.
    Ordinary,
    /// One more hand, for all but the favourites.
    Extra,
    /// A tie for first is played out by the seats that share it.
    Tie,
}

/// Flips that a jack has ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Owed {
    pub seat: u8,
    pub flips: u8,
}

/// What happened. Everything is face up, so everybody is told everything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Fact {
    HandBegan {
        hand: u32,
        #[schema(inline)]
        stage: Stage,
        dealer: u8,
        /// The seats that take part.
        seats: Vec<u8>,
    },
    Flipped {
        seat: u8,
        #[schema(inline)]
        card: French,
        #[schema(inline)]
        why: Cause,
    },
    /// A queen and the card that would have bust the seat are discarded.
    Pardoned {
        seat: u8,
        #[schema(inline)]
        queen: French,
        #[schema(inline)]
        card: French,
    },
    Bust {
        seat: u8,
    },
    Given {
        from: u8,
        to: u8,
        #[schema(inline)]
        card: French,
    },
    /// A seven that nobody could be given.
    Kept {
        seat: u8,
        #[schema(inline)]
        card: French,
    },
    Spied {
        by: u8,
        on: u8,
    },
    /// A jack that tens kept from everybody.
    Blocked {
        seat: u8,
    },
    /// Flips that a jack had ordered and that fell away.
    Lapsed {
        seat: u8,
        flips: u8,
    },
    Stayed {
        seat: u8,
        score: u32,
        total: u32,
    },
    HandEnded {
        hand: u32,
        /// Seat 0 first.
        totals: Vec<u32>,
    },
}

/// Why a card was flipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    Hit,
    AutoHit,
    Jack,
}
