//! What can be chosen when a game of Knights' Heads is made.

use serde::{Deserialize, Serialize};
use utoipa::{PartialSchema, ToSchema};

use super::super::Refusal;
use super::super::betting::{self, Limits, NoWinner};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Each seat's starting stack.
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub buy_in: u32,
    /// What each seat puts in before the deal, at most `buy_in`.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub ante: u32,
    /// How many hands the game lasts.
    #[schema(minimum = 1, maximum = 1000)]
    pub hands: u16,
    #[schema(schema_with = NoWinner::schema)]
    pub no_winner: NoWinner,
    /// The least that a bet or raise is, at most `buy_in`; null: as much as the ante, and at least 1.
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub min_raise: Option<u32>,
    /// The most that a bet or raise is, at least the least; null: as much as there is.
    #[schema(minimum = 1, maximum = 4_294_967_295_i64)]
    pub max_raise: Option<u32>,
    /// Whether three of a face, and nothing better, is a valid hand.
    pub triplet_counts: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            buy_in: 200,
            ante: 5,
            hands: 10,
            no_winner: NoWinner::default(),
            min_raise: None,
            max_raise: None,
            triplet_counts: true,
        }
    }
}

impl Options {
    /// # Errors
    /// `invalid_options` where one is out of range, or two contradict each other.
    pub fn check(&self) -> Result<(), Refusal> {
        betting::check_stakes(self.buy_in, self.ante, self.hands, self.limits())
    }

    pub fn limits(&self) -> Limits {
        Limits::new(self.ante, self.min_raise, self.max_raise)
    }
}
