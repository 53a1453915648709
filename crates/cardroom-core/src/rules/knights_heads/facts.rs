//! The facts of Knights' Heads, with shown hands, the reasons for which pots go where they go, and how hidden cards are
//! told.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::deck::{Face, KnightsCard};
use super::hands::{Faces, Hand};
use crate::rules::facts::{Audience, Facts};
use crate::rules::seats::Seat;

/// A hand on the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Shown {
    pub seat: u8,
    #[schema(inline)]
    pub cards: Vec<KnightsCard>,
    /// Those of the cards that came to it as rabble.
    #[schema(inline)]
    pub got: Vec<KnightsCard>,
    #[schema(inline)]
    pub made: Hand,
    /// The hand and the faces that it is compared by.
    #[schema(example = "court of knights")]
    pub words: String,
    /// The faces that it is compared by, highest first.
    #[schema(inline, value_type = Vec<Face>)]
    pub faces: Faces,
    /// How many of the cards are notable.
    pub notables: u8,
    /// How many courts of knights the cards hold; they count whether or not the hand wins.
    pub courts_of_knights: u8,
}

/// Why a pot went where it went: what put the winner before the best of the others, if anybody won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    AllFolded,
    Hand,
    /// Of equal hands, higher faces.
    Faces,
    /// Of equal hands of the same faces, more notable cards.
    Notables,
    /// Nobody had a valid hand: it was split between the seats that contested it.
    Returned,
    /// Nobody had a valid hand: it waits for the next deal.
    Carried,
}

/// What happened. `pot` is 0 for the main pot, and counts up from it; cards are null where you may not see
/// them.
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
    Dealt {
        seat: u8,
        #[schema(inline)]
        cards: Vec<Option<KnightsCard>>,
    },
    Passed {
        seat: u8,
    },
    Bet {
        seat: u8,
        by: u32,
    },
    Matched {
        seat: u8,
        chips: u32,
    },
    Raised {
        seat: u8,
        by: u32,
        /// With what it owed.
        chips: u32,
    },
    /// It has matched, and ends the betting.
    Called {
        seat: u8,
        chips: u32,
    },
    Folded {
        seat: u8,
    },
    RabblePicked {
        seat: u8,
        #[schema(inline)]
        cards: Vec<Option<KnightsCard>>,
    },
    /// All have picked.
    RabbleReceived {
        seat: u8,
        from: u8,
        #[schema(inline)]
        cards: Vec<Option<KnightsCard>>,
    },
    LuckDealt {
        seat: u8,
        #[schema(inline, required)]
        card: Option<KnightsCard>,
    },
    /// Chips that nobody matched.
    UnmatchedReturned {
        seat: u8,
        chips: u32,
    },
    Shown(Shown),
    /// A pot, or this seat's share of it.
    PotWon {
        /// Which pot: 0 is the main pot, and the side pots follow.
        #[serde(rename = "pot_number")]
        pot: u8,
        seat: u8,
        chips: u64,
        #[schema(inline)]
        why: Why,
        #[schema(example = "court of knights over court of messengers")]
        words: String,
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
pub(super) fn tell_hidden(
    facts: &mut Facts<Fact>,
    seat: Seat,
    fact: impl Fn(fn(KnightsCard) -> Option<KnightsCard>) -> Fact,
) {
    facts.tell_to(Audience::Only(seat), || fact(Some));
    facts.tell_to(Audience::AllBut(seat), || fact(|_| None));
}
