//! What each kind says of itself beside its texts: for whom it is, what its cards count, and which hands it ranks.

use serde::Serialize;
use utoipa::ToSchema;

/// For whom a game is, and how long it takes: what its source says of it, and null where the source is silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = GuideFacts)]
pub struct Profile {
    /// How many players a table usually has.
    #[schema(required)]
    pub usual_seats: Option<Range>,
    /// How many minutes a game takes.
    #[schema(required)]
    pub minutes: Option<Range>,
    /// From what age in years the game is recommended.
    #[schema(required)]
    pub min_age: Option<u8>,
}

/// From a number up to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Range {
    pub min: u16,
    pub max: u16,
}

/// `min` to `max`, for a kind's [`Profile`].
pub const fn range(min: u16, max: u16) -> Option<Range> {
    Some(Range { min, max })
}

/// What a card counts and does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CardRole {
    /// What it counts by itself, with the default options; none where cards have no value of their own.
    pub value: Option<i32>,
    /// The group of cards that count and do the same: the texts `role.<role>.title` and `.text` tell of it.
    pub role: Option<&'static str>,
}

/// A hand that a kind ranks, with cards that make it.
#[derive(Debug, Clone)]
pub struct RankedHand {
    /// Its name in logs and views; the texts `hand.<name>.title` and `.takes` tell of it.
    pub name: String,
    /// Its number in the table, 1 for the highest.
    pub number: u8,
    pub example: Vec<&'static str>,
}
