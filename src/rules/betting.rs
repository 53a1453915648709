//! Stakes, pots and how they are shared: once, for the games that play for chips.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What becomes of a pot that nobody qualifies for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoWinner {
    /// It is split between those who contested it.
    #[default]
    Split,
    /// It goes into the next hand's main pot; after the last hand it is split.
    Carry,
}

/// The shares of `pot` split `ways` ways, which stand clockwise from the left of the dealer: chips are
/// whole, and the odd ones go one each to the first. `ways` is at least 1.
pub fn shares(pot: u64, ways: usize) -> impl Iterator<Item = u64> {
    let (each, odd) = (pot / ways as u64, pot % ways as u64);
    (0..ways as u64).map(move |at| each + u64::from(at < odd))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_chips_go_to_the_first_from_the_left_of_the_dealer() {
        assert_eq!(shares(11, 3).collect::<Vec<_>>(), [4, 4, 3]);
        assert_eq!(shares(2, 3).collect::<Vec<_>>(), [1, 1, 0]);
        assert_eq!(shares(0, 1).collect::<Vec<_>>(), [0]);
    }
}
