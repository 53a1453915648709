//! How a game ends: places and winners.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Outcome {
    /// Every seat, by place, then by seat.
    pub places: Vec<Placing>,
    /// The seats at place 1.
    pub winners: Vec<u8>,
}

/// A seat's place in the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Placing {
    pub seat: u8,
    /// From 1; equals share a place, and the next is skipped (1, 1, 3).
    pub place: u8,
    /// The final stack, score or total, by the kind's rules.
    pub score: i64,
}

/// Which scores come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Best {
    Highest,
    Lowest,
}

impl Outcome {
    /// Places by score alone; `scores` holds one for each seat, seat 0 first.
    pub fn by_score(scores: &[i64], best: Best) -> Outcome {
        let better = |a: i64, b: i64| match best {
            Best::Highest => a > b,
            Best::Lowest => a < b,
        };
        let mut places: Vec<Placing> = scores
            .iter()
            .zip(0..)
            .map(|(&score, seat)| {
                let ahead = scores.iter().filter(|&&other| better(other, score)).count();
                Placing { seat, place: ahead as u8 + 1, score }
            })
            .collect();
        places.sort_by_key(|placing| placing.place);
        let winners = places.iter().filter(|p| p.place == 1).map(|p| p.seat).collect();
        Outcome { places, winners }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_share_a_place_and_the_next_is_skipped() {
        let outcome = Outcome::by_score(&[5, 9, 9, 1], Best::Highest);
        let places: Vec<_> = outcome.places.iter().map(|p| (p.seat, p.place)).collect();
        assert_eq!(places, [(1, 1), (2, 1), (0, 3), (3, 4)]);
        assert_eq!(outcome.winners, [1, 2]);
        assert_eq!(Outcome::by_score(&[5, 9], Best::Lowest).winners, [0]);
    }
}
