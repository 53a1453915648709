//! What ten cards of Knights' Heads make, for clients that ask.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{PartialSchema, ToSchema};

use super::deck::{Face, KnightsCard};
use super::guide;
use super::hands::{self, Faces, Hand, Ranked};
use super::options::Options;
use crate::rules::json::{read_object, to_json};
use crate::rules::ranking::Ranking;
use crate::rules::refusal::Refusal;
use crate::rules::texts::{Language, Texts};

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
    /// Whether three of a face, and nothing better, is a valid hand, as in the option of this name.
    #[serde(default = "triplet_counts")]
    #[schema(default = triplet_counts)]
    triplet_counts: bool,
}

/// The option's default.
fn triplet_counts() -> bool {
    Options::default().triplet_counts
}

/// What ten cards make.
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
    /// The hand and what it takes, with the faces in brackets.
    #[schema(example = "House Divided: five cards of one face and five of another (queens and jugglers)")]
    words: String,
}

fn rank(cards: &str) -> Result<Box<RawValue>, Refusal> {
    let TenCards { cards, triplet_counts } =
        read_object(cards).map_err(|error| Refusal::new("invalid_body", error.to_string()))?;
    let cards = ten_different(cards)?;
    let ranked = hands::rank(&cards, triplet_counts);
    let words = words(&ranked);
    let Ranked { hand, faces, notables } = ranked;
    let courts_of_knights = hands::courts_of_knights(&cards);
    Ok(to_json(&RankedCards { hand, rank: hand.number(), faces, notables, courts_of_knights, words }))
}

/// `Royal Family: a king, a queen and two knights`, `Court: four cards of one face (knights)`.
fn words(ranked: &Ranked) -> String {
    static TEXTS: LazyLock<Texts> =
        LazyLock::new(|| Texts::of("knights_heads", guide::TEXTS, Language::English));
    let stem = format!("hand.{}", ranked.hand.name().replace(' ', "_"));
    let title = TEXTS.titled(&stem).title;
    let takes = TEXTS.text(&format!("{stem}.takes")).text;
    match ranked.faces {
        faces if faces.is_empty() => format!("{title}: {takes}"),
        faces => format!("{title}: {takes} ({faces})"),
    }
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
