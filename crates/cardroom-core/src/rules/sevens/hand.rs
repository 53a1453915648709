//! What three cards count, and what they beat.

use arrayvec::ArrayVec;

use super::card::NaykuhCard;

/// A hand holds three cards, in deck order: its order tells nobody which of them came by a trade.
pub type Cards = ArrayVec<NaykuhCard, HAND>;

pub const HAND: usize = 3;

/// Above it, a hand cannot win.
const TARGET: u8 = 7;

/// What hands that can win are compared by, field by field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Strength {
    pub total: u8,
    pub one_suit: u8,
}

/// `None` for a hand that is over seven.
pub fn strength(cards: &Cards) -> Option<Strength> {
    let total = total(cards);
    (total <= TARGET).then(|| Strength { total, one_suit: one_suit(cards) })
}

pub fn total(cards: &Cards) -> u8 {
    cards.iter().map(|card| card.number()).sum()
}

/// How many cards there are of the suit that there is most of.
pub fn one_suit(cards: &Cards) -> u8 {
    let of_suit = |suit| cards.iter().filter(|card| card.suit() == suit).count() as u8;
    cards.iter().map(|card| of_suit(card.suit())).max().unwrap_or(0)
}
