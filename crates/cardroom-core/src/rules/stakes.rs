//! Stakes: the options that the games for chips have in common.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};

use crate::rules::refusal::{Refusal, within};

/// What becomes of a pot that nobody qualifies for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(default = "split")]
pub enum NoWinner {
    /// It is split between the seats that contested it.
    #[default]
    Split,
    /// It goes into the next hand's main pot. It is split if no hand would follow without it.
    Carry,
}

/// By how much a raise may raise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub min_raise: u32,
    /// None: as much as there is.
    pub max_raise: Option<u32>,
}

/// The ante of a hand, which counts from 1: with each new level it doubles.
pub fn ante_of(hand: u16, ante: u32, level_hands: Option<u16>) -> u32 {
    let Some(hands) = level_hands else { return ante };
    let level = hand.saturating_sub(1) / hands;
    ante.saturating_mul(2_u32.saturating_pow(level.into()))
}

/// Whether a level has a length that it can have.
///
/// # Errors
/// `invalid_options`
pub fn check_levels(level_hands: Option<u16>) -> Result<(), Refusal> {
    level_hands.map_or(Ok(()), |hands| within("level_hands", hands, 1..=1000))
}

/// The option `min_raise` where it is left out.
pub fn default_min_raise(ante: u32) -> u32 {
    ante.max(1)
}

/// The schema of the option `min_raise`. It names no default, because that follows from another option.
pub fn min_raise() -> Schema {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
        .description(Some(
            "The least by which a bet is raised, at most `buy_in`; if left out, as much as the ante, and at least 1.",
        ))
        .minimum(Some(1))
        .maximum(Some(1_000_000))
        .build()
        .into()
}

/// Whether these options make sense in themselves and together.
///
/// # Errors
/// `invalid_options` where one is out of range, or two contradict each other.
pub fn check(buy_in: u32, ante: u32, hands: u16, limits: Limits) -> Result<(), Refusal> {
    within("buy_in", buy_in, 1..=1_000_000)?;
    within("ante", ante, 0..=buy_in)?;
    within("hands", hands, 1..=1000)?;
    let Limits { min_raise, max_raise } = limits;
    within("min_raise", min_raise, 1..=buy_in)?;
    max_raise.map_or(Ok(()), |most| within("max_raise", most, min_raise..=u32::MAX))
}
