//! What can be chosen when a game of Rituna's Favour is created.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use utoipa::{PartialSchema, ToSchema};

use crate::rules::cards::{French, KING};
use crate::rules::refusal::{Refusal, within};
use crate::rules::stakes::{self, Bankroll, Level, NoWinner, Stacks};

/// The least totals that the house can be told to stick on.
pub const HOUSE_STICKS_ON: RangeInclusive<u8> = 1..=24;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Each seat's starting stack.
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub buy_in: u32,
    /// What each seat pays into the pot for a hand, at most the smallest starting stack. With 0 the game is played for hands won.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub charge: u32,
    /// How many hands the game lasts.
    #[schema(minimum = 1, maximum = 1000)]
    pub hands: u16,
    #[schema(schema_with = NoWinner::schema)]
    pub no_winner: NoWinner,
    #[schema(schema_with = Kings::schema)]
    pub kings: Kings,
    #[schema(schema_with = LuckySevens::schema)]
    pub lucky_sevens: LuckySevens,
    #[schema(schema_with = Dealer::schema)]
    pub dealer: Dealer,
    /// The house takes cards while its total is below this.
    #[schema(minimum = 1, maximum = 24)]
    pub house_sticks_on: u8,
    /// How many hands a level lasts: with each new level the charge doubles. Null: it stays as it is.
    #[schema(minimum = 1, maximum = 1000)]
    pub level_hands: Option<u16>,
    #[schema(schema_with = stakes::stacks)]
    pub stacks: Option<Stacks>,
}

/// What the kings are good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(default = "removed")]
pub enum Kings {
    #[default]
    Removed,
    /// In the deck, worth 0.
    Worthless,
    /// In the deck, worth 13.
    Greedy,
}

/// What an opening hand of two sevens may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(default = "off")]
pub enum LuckySevens {
    #[default]
    Off,
    /// They may be exchanged for two new cards.
    Redeal,
    /// They may be played as two hands.
    Split,
}

/// The dealer, which plays last: a seat or the house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(default = "rotating")]
pub enum Dealer {
    /// The seat with the button deals, and plays like the others.
    #[default]
    Rotating,
    /// The house holds one more hand, and plays it by rule.
    House,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            buy_in: 200,
            charge: 5,
            hands: 10,
            no_winner: NoWinner::default(),
            kings: Kings::default(),
            lucky_sevens: LuckySevens::default(),
            dealer: Dealer::default(),
            house_sticks_on: 19,
            level_hands: None,
            stacks: None,
        }
    }
}

impl Options {
    /// # Errors
    /// `invalid_options` where one is out of range, or the charge is more than anybody has.
    pub fn check(&self) -> Result<(), Refusal> {
        stakes::check_chips(self.bankroll(), "charge", self.charge, self.hands)?;
        within("house_sticks_on", self.house_sticks_on, HOUSE_STICKS_ON)?;
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
        Options { charge: level.doubled(self.charge), stacks: Some(level.stacks), ..self }
    }

    /// The charge for a hand, which counts from 1.
    pub fn charge_of(&self, hand: u16) -> u32 {
        stakes::ante_of(hand, self.charge, self.level_hands)
    }
}

impl Kings {
    /// The cards that are played with, in deck order.
    pub fn deck(self) -> impl Iterator<Item = French> {
        French::deck().filter(move |card| self != Kings::Removed || card.rank() != KING)
    }

    /// What a card counts towards 24.
    pub fn value(self, card: French) -> u8 {
        match (self, card.rank()) {
            (Kings::Worthless, KING) => 0,
            (_, rank) => rank,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn accepted(options: serde_json::Value) -> bool {
        serde_json::from_value::<Options>(options).is_ok_and(|options| options.check().is_ok())
    }

    #[test]
    fn options_are_accepted_up_to_their_bounds_and_not_beyond() {
        for (name, least, most) in [
            ("buy_in", 5, 1_000_000),
            ("charge", 0, 200),
            ("hands", 1, 1000),
            ("house_sticks_on", 1, 24),
            ("level_hands", 1, 1000),
        ] {
            assert!(accepted(json!({name: least})) && accepted(json!({name: most})), "{name}");
            assert!(!accepted(json!({name: least - 1})) && !accepted(json!({name: most + 1})), "{name}");
        }
    }

    #[test]
    fn a_charge_above_the_buy_in_is_refused_also_where_it_is_the_default() {
        assert!(!accepted(json!({"buy_in": 4})));
        assert!(accepted(json!({"buy_in": 4, "charge": 4})));
    }

    #[test]
    fn what_the_game_does_not_have_is_refused() {
        assert!(!accepted(json!({"ante": 5})));
        assert!(!accepted(json!({"max_raise": null})));
        assert!(!accepted(json!({"kings": "wild"})));
    }

    #[test]
    fn the_schema_refers_to_nothing_outside_itself_and_names_the_real_defaults() {
        let schema = serde_json::to_value(Options::schema()).unwrap();
        assert!(!schema.to_string().contains("$ref"), "{schema}");
        let defaults = serde_json::to_value(Options::default()).unwrap();
        for (name, default) in defaults.as_object().unwrap() {
            assert_eq!(&schema["properties"][name]["default"], default, "{name}");
        }
    }
}
