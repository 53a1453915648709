//! What `legal_actions` looks like, for the OpenAPI document.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

/// One action that is open to the caller.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalAction {
    /// Put it into the action's `type`.
    #[serde(rename = "type")]
    #[schema(example = "raise")]
    pub name: String,
    /// What the action's parameters may be, by name. Every combination is legal.
    pub params: BTreeMap<String, Domain>,
}

/// The values that a parameter may take.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Domain {
    /// A whole number, bounds included.
    Integer { min: u32, max: u32 },
    /// One of these cards.
    Card { from: Vec<String> },
    /// From `min` to `max` of these cards, none more often than it stands here; their order is kept.
    Cards { from: Vec<String>, min: u8, max: u8 },
    /// One of these seats.
    Seat { from: Vec<u8> },
    /// One of these words.
    Choice { from: Vec<String> },
}
