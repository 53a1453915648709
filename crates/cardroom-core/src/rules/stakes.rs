//! Stakes: the options that the games for chips have in common.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{
    ArrayBuilder, KnownFormat, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type,
};

use crate::rules::refusal::{Refusal, within};
use crate::rules::seats::{MAX_SEATS, PerSeat};

/// The most chips that the seats of a game begin with, all together.
pub const MOST_CHIPS: u32 = 2_000_000_000;

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

/// Starting stacks that an option names, seat 0 first. They take no heap, so options and states are cheap to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "PerSeat<u32>", from = "PerSeat<u32>")]
pub struct Stacks {
    named: u8,
    chips: [u32; MAX_SEATS],
}

impl Stacks {
    fn named(&self) -> &[u32] {
        &self.chips[..usize::from(self.named)]
    }
}

impl From<PerSeat<u32>> for Stacks {
    fn from(named: PerSeat<u32>) -> Stacks {
        let mut chips = [0; MAX_SEATS];
        chips[..named.len()].copy_from_slice(&named);
        Stacks { named: named.len() as u8, chips }
    }
}

impl From<Stacks> for PerSeat<u32> {
    fn from(stacks: Stacks) -> PerSeat<u32> {
        stacks.named().iter().copied().collect()
    }
}

/// What the seats of a game begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bankroll {
    pub buy_in: u32,
    pub stacks: Option<Stacks>,
}

impl Bankroll {
    /// The stack of each seat, seat 0 first.
    ///
    /// # Errors
    /// `invalid_options` where more stacks are named than there are seats, or a seat cannot pay the ante of the first hand.
    pub fn of_seats(self, seats: u8, ante: u32) -> Result<PerSeat<u32>, Refusal> {
        let named = self.stacks.as_ref().map_or(&[][..], Stacks::named);
        if named.len() > usize::from(seats) {
            let detail = format!("`stacks` names {} seats, but the game has {seats}", named.len());
            return Err(Refusal::options(detail));
        }
        let others = std::iter::repeat_n(&self.buy_in, usize::from(seats) - named.len());
        let stacks: PerSeat<u32> = named.iter().chain(others).copied().collect();
        match stacks.iter().find(|&&stack| stack < ante) {
            Some(stack) => {
                Err(Refusal::options(format!("a seat begins with {stack}, but the first hand costs {ante}")))
            }
            None => Ok(stacks),
        }
    }

    /// The most chips with which a seat can begin.
    fn largest(self) -> u32 {
        let named = self.stacks.as_ref().map_or(&[][..], Stacks::named);
        named.iter().copied().max().unwrap_or(0).max(self.buy_in)
    }

    fn check(self) -> Result<(), Refusal> {
        within("buy_in", self.buy_in, 1..=1_000_000)?;
        let Some(stacks) = self.stacks else { return Ok(()) };
        within("number of stacks", stacks.named, 1..=MAX_SEATS as u8)?;
        stacks.named().iter().try_for_each(|&stack| within("stacks", stack, 1..=MOST_CHIPS))?;
        let all = stacks.named().iter().map(|&stack| u64::from(stack)).sum();
        within("chips of all stacks", all, 1..=u64::from(MOST_CHIPS))
    }
}

/// A level of a tournament whose players take their chips from game to game, and what the seats of a table bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// From 1.
    pub level: u16,
    pub stacks: Stacks,
}

impl Level {
    /// An ante, or a bound of the raises: with each level it doubles.
    pub fn doubled(self, chips: u32) -> u32 {
        ante_of(self.level, chips, Some(1))
    }

    /// A least raise: no more than the largest stack.
    pub fn least_raise(self, chips: u32) -> u32 {
        self.doubled(chips).min(self.stacks.named().iter().copied().max().unwrap_or(chips)).max(1)
    }
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
            "The least by which a bet is raised, at most the largest starting stack; if left out, as much as the ante, \
             and at least 1.",
        ))
        .minimum(Some(1))
        .maximum(Some(1_000_000))
        .build()
        .into()
}

/// The schema of the option `stacks`.
pub fn stacks() -> Schema {
    let stack = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
        .minimum(Some(1))
        .maximum(Some(MOST_CHIPS));
    ArrayBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Array, Type::Null]))
        .description(Some(
            "What each seat begins with, seat 0 first, at most 2,000,000,000 in all; seats that are not named begin with \
             `buy_in`. Null: all seats do. A game with this option is not rated.",
        ))
        .default(Some(Value::Null))
        .items(stack)
        .min_items(Some(1))
        .max_items(Some(MAX_SEATS))
        .build()
        .into()
}

/// Whether what the seats begin with and pay for a hand makes sense.
///
/// # Errors
/// `invalid_options` where an option is out of range. `name` is that of the ante.
pub fn check_chips(chips: Bankroll, name: &str, ante: u32, hands: u16) -> Result<(), Refusal> {
    chips.check()?;
    within(name, ante, 0..=chips.largest())?;
    within("hands", hands, 1..=1000)
}

/// Whether these options make sense in themselves and together.
///
/// # Errors
/// `invalid_options` where one is out of range, or two contradict each other.
pub fn check(chips: Bankroll, ante: u32, hands: u16, limits: Limits) -> Result<(), Refusal> {
    check_chips(chips, "ante", ante, hands)?;
    let Limits { min_raise, max_raise } = limits;
    within("min_raise", min_raise, 1..=chips.largest())?;
    max_raise.map_or(Ok(()), |most| within("max_raise", most, min_raise..=u32::MAX))
}
