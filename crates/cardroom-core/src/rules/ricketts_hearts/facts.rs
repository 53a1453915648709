//! The facts of Ricketts House Hearts, and how a seat's hidden cards are told.

use serde::Serialize;
use utoipa::ToSchema;

use super::moon::MoonChoice;
use super::passing::Passing;
use crate::rules::cards::French;
use crate::rules::facts::{Audience, Facts};
use crate::rules::seats::Seat;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Received {
    pub from: u8,
    /// Null where you may not see it.
    #[schema(inline, required)]
    pub card: Option<French>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Fact {
    HandBegan {
        hand: u32,
        dealer: u8,
        #[schema(inline)]
        passing: Passing,
    },
    /// Null where you may not see a card.
    Dealt {
        seat: u8,
        #[schema(inline)]
        cards: Vec<Option<French>>,
    },
    /// Null where you may not see a card.
    Passed {
        seat: u8,
        #[schema(inline)]
        cards: Vec<Option<French>>,
    },
    /// All have passed, and this comes to a seat.
    Received {
        seat: u8,
        #[schema(inline)]
        cards: Vec<Received>,
    },
    Played {
        seat: u8,
        #[schema(inline)]
        card: French,
    },
    TrickTaken {
        seat: u8,
        /// In the order played.
        #[schema(inline)]
        cards: Vec<French>,
        points: u8,
    },
    /// A seat has taken all that counts.
    MoonShot {
        seat: u8,
    },
    MoonChosen {
        seat: u8,
        #[schema(inline)]
        choice: MoonChoice,
    },
    /// What a hand puts onto a seat's score.
    Scored {
        seat: u8,
        added: i32,
        score: i32,
    },
    /// A score was one that goes back to 0.
    Wrapped {
        seat: u8,
        score: i32,
    },
    HandEnded {
        hand: u32,
        scores: Vec<i32>,
    },
}

/// Tells of a seat's cards: to the seat itself, and with nothing but their number to all others.
pub(super) fn tell_cards(
    facts: &mut Facts<Fact>,
    seat: Seat,
    fact: impl Fn(fn(French) -> Option<French>) -> Fact,
) {
    facts.tell_to(Audience::Only(seat), || fact(Some));
    facts.tell_to(Audience::AllBut(seat), || fact(|_| None));
}
