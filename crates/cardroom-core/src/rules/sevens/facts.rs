//! The facts of Sevens, with the reasons for which pots go where they go, and how hidden cards are told.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::card::NaykuhCard;
use crate::rules::facts::{Audience, Facts};
use crate::rules::seats::Seat;

/// Why a pot went where it went: what put the winner before the best of the others, if anybody won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    AllFolded,
    Total,
    /// Of equal totals, more cards of one suit.
    OneSuit,
    /// Nobody qualified: it was split between the seats that contested it.
    Returned,
    /// Nobody qualified: it waits for the next hand.
    Carried,
}

/// What happened. `pot` is 0 for the main pot, and counts up from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Fact {
    /// A seat cannot pay and is out for the rest of the game.
    Out {
        seat: u8,
    },
    HandBegan {
        hand: u16,
        dealer: u8,
    },
    Anted {
        seat: u8,
        chips: u32,
    },
    /// Null where you may not see a card.
    Dealt {
        seat: u8,
        #[schema(inline)]
        cards: Vec<Option<NaykuhCard>>,
    },
    Checked {
        seat: u8,
    },
    Called {
        seat: u8,
        chips: u32,
    },
    Raised {
        seat: u8,
        by: u32,
        /// With what it owed.
        chips: u32,
    },
    Folded {
        seat: u8,
    },
    /// Null where you may not see a card.
    Traded {
        seat: u8,
        #[schema(inline)]
        discarded: Vec<Option<NaykuhCard>>,
        #[schema(inline)]
        drawn: Vec<Option<NaykuhCard>>,
    },
    /// Chips that nobody matched.
    UnmatchedReturned {
        seat: u8,
        chips: u32,
    },
    Shown {
        seat: u8,
        #[schema(inline)]
        cards: Vec<NaykuhCard>,
        total: u8,
    },
    /// A pot, or this seat's share of it.
    PotWon {
        /// Which pot: 0 is the main pot, and the side pots follow.
        #[serde(rename = "pot_number")]
        pot: u8,
        seat: u8,
        chips: u64,
        #[schema(inline)]
        why: Why,
    },
    /// A share of a pot that nobody won.
    PotReturned {
        /// Which pot: 0 is the main pot, and the side pots follow.
        #[serde(rename = "pot_number")]
        pot: u8,
        seat: u8,
        chips: u64,
    },
    /// Nobody won it; it goes into the next hand's main pot.
    Carried {
        /// Which pot: 0 is the main pot, and the side pots follow.
        #[serde(rename = "pot_number")]
        pot: u8,
        chips: u64,
    },
    HandEnded {
        hand: u16,
        stacks: Vec<u32>,
    },
}

/// Tells of a seat's cards: to the seat itself, and with nothing but their number to all others.
pub(super) fn tell_cards(
    facts: &mut Facts<Fact>,
    seat: Seat,
    fact: impl Fn(fn(NaykuhCard) -> Option<NaykuhCard>) -> Fact,
) {
    facts.tell_to(Audience::Only(seat), || fact(Some));
    facts.tell_to(Audience::AllBut(seat), || fact(|_| None));
}
