//! What can be chosen when a game of Sevens is created.

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
    /// The most that a raise raises by, at least the least; null: as much as there is.
    #[schema(minimum = 1, maximum = 4_294_967_295_i64)]
    pub max_raise: Option<u32>,
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
            level_hands: None,
            stacks: None,
        }
    }
}

impl From<Chosen> for Options {
    fn from(chosen: Chosen) -> Options {
        let Chosen { buy_in, ante, hands, no_winner, min_raise, max_raise, level_hands, stacks } = chosen;
        let min_raise = min_raise.unwrap_or(stakes::default_min_raise(ante));
        Options { buy_in, ante, hands, no_winner, min_raise, max_raise, level_hands, stacks }
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
            ("buy_in", 5, 1_000_000_u32),
            ("ante", 0, 200),
            ("hands", 1, 1000),
            ("min_raise", 1, 200),
            // By default the least raise is the ante.
            ("max_raise", 5, u32::MAX),
            ("level_hands", 1, 1000),
        ] {
            assert!(accepted(json!({name: least})) && accepted(json!({name: most})), "{name}");
            let (below, above) = (i64::from(least) - 1, i64::from(most) + 1);
            assert!(!accepted(json!({name: below})) && !accepted(json!({name: above})), "{name}");
        }
    }

    #[test]
    fn options_that_contradict_each_other_with_the_defaults_in_are_refused() {
        assert!(!accepted(json!({"buy_in": 4})), "the ante is 5");
        assert!(accepted(json!({"buy_in": 4, "ante": 4})));
        assert!(!accepted(json!({"min_raise": 11, "max_raise": 10})));
        assert!(accepted(json!({"min_raise": 10, "max_raise": 10})));
        assert!(!accepted(json!({"ante": 20, "max_raise": 10})), "the least raise is 20");
        assert!(accepted(json!({"ante": 20, "max_raise": 10, "min_raise": 1})));
        assert!(accepted(json!({"ante": 0, "max_raise": 1})), "the least raise is 1");
    }

    #[test]
    fn the_least_raise_is_as_much_as_the_ante_and_at_least_1_where_it_is_left_out() {
        let least = |options| serde_json::from_value::<Options>(options).unwrap().min_raise;
        assert_eq!(least(json!({})), 5);
        assert_eq!(least(json!({"ante": 20})), 20);
        assert_eq!(least(json!({"ante": 0})), 1);
        assert_eq!(least(json!({"ante": 20, "min_raise": 7})), 7);
    }

    #[test]
    fn what_the_game_does_not_have_is_refused() {
        assert!(!accepted(json!({"charge": 5})));
        assert!(!accepted(json!({"triplet_counts": true})));
        assert!(!accepted(json!({"no_winner": "keep"})));
        assert!(!accepted(json!({"ante": null})));
    }

    #[test]
    fn the_schema_refers_to_nothing_outside_itself_and_tells_an_accepted_option_from_another() {
        let schema = serde_json::to_value(Options::schema()).unwrap();
        assert!(!schema.to_string().contains("$ref"), "{schema}");
        let fits = |options: serde_json::Value| jsonschema::is_valid(&schema, &options);
        assert!(fits(serde_json::to_value(Options::default()).unwrap()));
        assert!(fits(json!({"no_winner": "carry", "min_raise": 1, "max_raise": null})));
        for unfit in [
            json!({"hands": 0}),
            json!({"min_raise": 0}),
            json!({"min_raise": null}),
            json!({"pots": 1}),
            json!({"ante": null}),
        ] {
            assert!(!fits(unfit.clone()), "{unfit}");
        }
        let defaults = serde_json::to_value(Options::default()).unwrap();
        for (name, default) in defaults.as_object().unwrap() {
            let told = (name != "min_raise").then_some(default);
            assert_eq!(schema["properties"][name].get("default"), told, "{name}");
        }
    }
}
