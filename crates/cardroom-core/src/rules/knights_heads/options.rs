//! What can be chosen when a game of Knights' Heads is created.

use serde::{Deserialize, Serialize};
use utoipa::{PartialSchema, ToSchema};

use crate::rules::refusal::Refusal;
use crate::rules::stakes::{self, Bankroll, Level, Limits, NoWinner, Stacks};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields, from = "Chosen")]
pub struct Options {
    /// Each seat's starting stack.
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub buy_in: u32,
    /// What each seat puts in before the deal, at most the smallest starting stack.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub ante: u32,
    /// How many hands the game lasts.
    #[schema(minimum = 1, maximum = 1000)]
    pub hands: u16,
    #[schema(schema_with = NoWinner::schema)]
    pub no_winner: NoWinner,
    #[schema(schema_with = stakes::min_raise)]
    pub min_raise: u32,
    /// The most that a bet or raise is, at least the least; null: as much as there is.
    #[schema(minimum = 1, maximum = 4_294_967_295_i64)]
    pub max_raise: Option<u32>,
    /// Whether three of a face, and nothing better, is a valid hand.
    pub triplet_counts: bool,
    /// How many hands a level lasts: with each new level the ante doubles. Null: it stays as it is.
    #[schema(minimum = 1, maximum = 1000)]
    pub level_hands: Option<u16>,
    #[schema(schema_with = stakes::stacks)]
    pub stacks: Option<Stacks>,
}

/// The options as they are asked for: one whose default follows from another can be left out.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Chosen {
    buy_in: u32,
    ante: u32,
    hands: u16,
    no_winner: NoWinner,
    min_raise: Option<u32>,
    max_raise: Option<u32>,
    triplet_counts: bool,
    level_hands: Option<u16>,
    stacks: Option<Stacks>,
}

impl Default for Chosen {
    fn default() -> Chosen {
        Chosen {
            buy_in: 200,
            ante: 5,
            hands: 10,
            no_winner: NoWinner::default(),
            min_raise: None,
            max_raise: None,
            triplet_counts: true,
            level_hands: None,
            stacks: None,
        }
    }
}

impl From<Chosen> for Options {
    fn from(chosen: Chosen) -> Options {
        let Chosen {
            buy_in,
            ante,
            hands,
            no_winner,
            min_raise,
            max_raise,
            triplet_counts,
            level_hands,
            stacks,
        } = chosen;
        let min_raise = min_raise.unwrap_or(stakes::default_min_raise(ante));
        Options { buy_in, ante, hands, no_winner, min_raise, max_raise, triplet_counts, level_hands, stacks }
    }
}

impl Default for Options {
    fn default() -> Options {
        Chosen::default().into()
    }
}

impl Options {
    /// # Errors
    /// `invalid_options` where one is out of range, or two contradict each other.
    pub fn check(&self) -> Result<(), Refusal> {
        stakes::check(self.bankroll(), self.ante, self.hands, self.limits())?;
        stakes::check_levels(self.level_hands)
    }

    pub fn bankroll(&self) -> Bankroll {
        Bankroll { buy_in: self.buy_in, stacks: self.stacks }
    }

    /// Whether all seats begin alike, and no level follows.
    pub fn is_level(&self) -> bool {
        self.level_hands.is_none() && self.stacks.is_none()
    }

    /// The same at a level of a tournament, for seats that bring their stacks.
    pub fn at(self, level: Level) -> Options {
        Options {
            ante: level.doubled(self.ante),
            min_raise: level.least_raise(self.min_raise),
            max_raise: self.max_raise.map(|most| level.doubled(most)),
            stacks: Some(level.stacks),
            ..self
        }
    }

    /// The ante of a hand, which counts from 1.
    pub fn ante_of(&self, hand: u16) -> u32 {
        stakes::ante_of(hand, self.ante, self.level_hands)
    }

    pub fn limits(&self) -> Limits {
        Limits { min_raise: self.min_raise, max_raise: self.max_raise }
    }
}
