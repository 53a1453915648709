//! What ten cards of Knights' Heads make, for clients that ask.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{PartialSchema, ToSchema};

use super::deck::{Face, KnightsCard};
use super::hands::{self, Faces, Hand, Ranked};
use crate::rules::json::{read_object, to_json};
use crate::rules::ranking::Ranking;
use crate::rules::refusal::Refusal;

pub const RANKING: Ranking = Ranking {
    summary: "Tells what ten cards make in Knights' Heads.",
    answer: "The highest hand that they fit.",
    schemas: || [("TenCards", TenCards::schema()), ("RankedCards", RankedCards::schema())],
    rank,
};

/// Ten cards of the deck of Knights' Heads.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TenCards {
    /// No card twice.
    #[schema(inline, min_items = 10, max_items = 10)]
    cards: Vec<KnightsCard>,
}

/// What ten cards make, where a triplet counts.
#[derive(Debug, Serialize, ToSchema)]
struct RankedCards {
    #[schema(inline)]
    hand: Hand,
    /// Its number in the table of hands, 1 for the highest; null for `nothing`.
    #[schema(required, minimum = 1, maximum = 26)]
    rank: Option<u8>,
    /// The faces that it is compared by with its equals, highest first.
    #[schema(inline, value_type = Vec<Face>)]
    faces: Faces,
    /// How many of the cards are notable: equal faces are compared by them.
    notables: u8,
    courts_of_knights: u8,
}

fn rank(cards: &str) -> Result<Box<RawValue>, Refusal> {
    let TenCards { cards } =
        read_object(cards).map_err(|error| Refusal::new("invalid_body", error.to_string()))?;
    let cards = ten_different(cards)?;
    let Ranked { hand, faces, notables } = hands::rank(&cards, true);
    let courts_of_knights = hands::courts_of_knights(&cards);
    Ok(to_json(&RankedCards { hand, rank: hand.number(), faces, notables, courts_of_knights }))
}

fn ten_different(mut cards: Vec<KnightsCard>) -> Result<Vec<KnightsCard>, Refusal> {
    if cards.len() != 10 {
        let detail = format!("a hand holds ten cards, and here are {}", cards.len());
        return Err(Refusal::new("invalid_body", detail));
    }
    cards.sort_unstable();
    match cards.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Refusal::new("invalid_body", format!("the deck holds {:?} once", pair[0]))),
        None => Ok(cards),
    }
}
