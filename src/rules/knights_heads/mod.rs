//! Knights' Heads: bet on ten cards of a deck with nine faces, and of two sexes.
//!
//! Source: "Knights' Heads: a card game", by Andrew Trauger.

pub mod deck;
pub mod hands;
