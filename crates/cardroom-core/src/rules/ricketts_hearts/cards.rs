//! Sets of cards, and what a card is worth in a trick and in the score.

use std::ops::{BitAnd, BitOr, Not};

use serde::{Deserialize, Serialize};

use crate::rules::cards::{ACE, French, KING, QUEEN, Rank};

pub const SEATS: usize = 4;

/// A set of French cards: bit n stands for the card at place n of the deck, so that a suit is thirteen bits
/// side by side, and a rule is one mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CardSet(u64);

const SUIT: u64 = (1 << KING) - 1;
pub const SPADES: u8 = 3;

pub const HEARTS: CardSet = CardSet::suit(2);
pub const QUEEN_OF_SPADES: CardSet = CardSet(1 << (SPADES * KING + QUEEN - 1));
/// The cards that count.
pub const PENALTIES: CardSet = CardSet(HEARTS.0 | QUEEN_OF_SPADES.0);

/// What all of them count together.
pub const ALL_POINTS: u8 = 26;

const QUEEN_POINTS: u8 = 13;

impl CardSet {
    pub const EMPTY: CardSet = CardSet(0);

    pub const fn suit(suit: u8) -> CardSet {
        CardSet(SUIT << (suit * KING))
    }

    pub fn one(card: French) -> CardSet {
        CardSet(1 << card.place())
    }

    pub fn insert(&mut self, card: French) {
        *self = *self | CardSet::one(card);
    }

    pub fn remove(&mut self, card: French) {
        *self = *self & !CardSet::one(card);
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// The cards that are `wanted`, or, where there are none, all.
    pub fn prefer(self, wanted: CardSet) -> CardSet {
        let found = self & wanted;
        if found.is_empty() { self } else { found }
    }

    /// What it counts to the seat that won it.
    pub fn points(self) -> u8 {
        (self & HEARTS).len() + (self & QUEEN_OF_SPADES).len() * QUEEN_POINTS
    }

    /// In the order of the deck.
    pub fn iter(self) -> impl Iterator<Item = French> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let place = left.trailing_zeros() as u8;
            left &= left.wrapping_sub(1);
            (place < u64::BITS as u8).then(|| French::at(place))
        })
    }
}

impl BitAnd for CardSet {
    type Output = CardSet;

    fn bitand(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }
}

impl BitOr for CardSet {
    type Output = CardSet;

    fn bitor(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }
}

impl Not for CardSet {
    type Output = CardSet;

    fn not(self) -> CardSet {
        CardSet(!self.0)
    }
}

impl FromIterator<French> for CardSet {
    fn from_iter<I: IntoIterator<Item = French>>(cards: I) -> CardSet {
        let mut set = CardSet::EMPTY;
        cards.into_iter().for_each(|card| set.insert(card));
        set
    }
}

/// The rank in a trick, where the ace is high.
pub fn height(card: French) -> Rank {
    if card.rank() == ACE { KING + 1 } else { card.rank() }
}

/// By rank, ace high, and among equals by suit: the order in which the clock picks cards for an absent player.
pub fn by_height(card: French) -> (Rank, u8) {
    (height(card), card.suit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_its_cards_back_in_the_order_of_the_deck() {
        let whole: CardSet = French::deck().collect();
        assert_eq!(whole.len(), 52);
        assert!(whole.iter().eq(French::deck()));
        assert_eq!(CardSet::EMPTY.iter().next(), None);
    }

    #[test]
    fn the_cards_that_count_are_the_hearts_and_the_queen_of_spades() {
        let names: Vec<String> = PENALTIES.iter().map(|card| format!("{card:?}")).collect();
        assert_eq!(names.join(" "), "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH QS");
        assert_eq!(PENALTIES.points(), ALL_POINTS);
        assert_eq!((!PENALTIES).points(), 0);
    }
}
