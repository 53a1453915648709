//! The facts of Rituna's Favour, and the reasons for which a hand wins the pot.

use serde::Serialize;
use utoipa::ToSchema;

use crate::rules::cards::French;

/// What happened. A `seat` of null is the house; `split_hand` is 1 for the second of two split hands, else 0.
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
    Charged {
        #[schema(required)]
        seat: Option<u8>,
        chips: u64,
    },
    /// An opening hand.
    Dealt {
        #[schema(required)]
        seat: Option<u8>,
        #[schema(inline)]
        cards: Vec<French>,
    },
    /// Two sevens were played as they are.
    Kept {
        #[schema(required)]
        seat: Option<u8>,
    },
    /// Two sevens went back into the deck.
    Returned {
        #[schema(required)]
        seat: Option<u8>,
        #[schema(inline)]
        cards: Vec<French>,
    },
    /// The opening hand after that.
    Redealt {
        #[schema(required)]
        seat: Option<u8>,
        #[schema(inline)]
        cards: Vec<French>,
    },
    /// Two sevens became two hands.
    Split {
        #[schema(required)]
        seat: Option<u8>,
        #[schema(inline)]
        hands: Vec<Vec<French>>,
    },
    Took {
        #[schema(required)]
        seat: Option<u8>,
        split_hand: u8,
        #[schema(inline)]
        card: French,
        total: u8,
    },
    Stuck {
        #[schema(required)]
        seat: Option<u8>,
        split_hand: u8,
        total: u8,
    },
    Bust {
        #[schema(required)]
        seat: Option<u8>,
        split_hand: u8,
        total: u8,
    },
    /// Two queens were dealt.
    Favour {
        #[schema(required)]
        seat: Option<u8>,
    },
    /// The pot, or this hand's share of it.
    PotWon {
        #[schema(required)]
        seat: Option<u8>,
        split_hand: u8,
        chips: u64,
        #[schema(inline)]
        why: Why,
    },
    /// A share of a pot that nobody won.
    PotReturned {
        #[schema(required)]
        seat: Option<u8>,
        chips: u64,
    },
    /// Nobody won; so much now waits for the next hand's winner.
    Carried {
        chips: u64,
    },
    HandEnded {
        hand: u16,
        stacks: Vec<u64>,
    },
}

/// What put the winner before the best of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    Favour,
    Total,
    Queen,
    MoreCards,
}
