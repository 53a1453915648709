//! The 26 hands, highest first, and which of two is better.
//!
//! Cards are counted (by face, by sex, sets of a face …), and each line of the table says how many of what a
//! hand needs. A need is always *at least*: where the table of the rules says *exactly*, the line's needs
//! add up to the ten cards there are. So the same lines serve before the luck card: whatever card follows,
//! nine cards make no less with it than without it.
//!
//! Counts stand side by side in one number, so that adding cards up counts all of them at once. No line is tried:
//! each two counts have a list, worked out from the table, of the lines that so many of them are enough for, and
//! what is made is the first line that stands in every list.

mod lanes;
mod table;
mod tally;
#[cfg(test)]
mod tests;

use self::lanes::sum;
use self::table::TABLE;
pub use self::table::{Faces, Hand, Ranked};
use self::tally::Tally;
use super::deck::{Face, KnightsCard};

/// Ranks up to ten different cards. Without `triplet_counts` a triplet is nothing.
#[inline]
pub fn rank(cards: &[KnightsCard], triplet_counts: bool) -> Ranked {
    debug_assert!(cards.len() <= 10, "a hand holds ten cards");
    let tally = Tally::of(cards);
    let not_counted = if triplet_counts { 0 } else { 1 << Hand::Triplet as u8 };
    let line = &TABLE[(tally.lines() & !not_counted).trailing_zeros() as usize];
    Ranked { hand: line.hand, faces: tally.faces(line.sets), notables: sum(tally.notables) as u8 }
}

/// How many courts of knights lie in these cards, of whatever else they may be a part.
pub fn courts_of_knights(cards: &[KnightsCard]) -> u8 {
    let knights = cards.iter().filter(|card| card.face() == Face::Knight).count();
    (knights / 4) as u8
}
