//! The passing of Ricketts House Hearts: where a seat's three cards go before each hand.

use serde::Serialize;
use utoipa::ToSchema;

use crate::rules::cards::French;

/// How many cards a seat passes on.
pub const PASSED: usize = 3;

pub type Passed = [French; PASSED];

/// For each of the three cards, how many seats to the left it goes.
pub type Route = [u8; PASSED];

/// Where a seat's three cards go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Passing {
    Left,
    Right,
    Across,
    /// One to the left, one across, one to the right.
    OneEach,
    None,
}

/// The passings of five hands, which then begin again.
const CYCLE: [Passing; 5] = [Passing::Left, Passing::Right, Passing::Across, Passing::OneEach, Passing::None];

impl Passing {
    /// The first hand is number 1.
    pub fn of_hand(hand: u32) -> Passing {
        CYCLE[(hand as usize + CYCLE.len() - 1) % CYCLE.len()]
    }

    pub fn route(self) -> Option<Route> {
        match self {
            Passing::Left => Some([1; PASSED]),
            Passing::Across => Some([2; PASSED]),
            Passing::Right => Some([3; PASSED]),
            Passing::OneEach => Some([1, 2, 3]),
            Passing::None => None,
        }
    }
}
