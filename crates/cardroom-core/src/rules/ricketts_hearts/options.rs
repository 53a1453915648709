//! What can be chosen when a game of Ricketts House Hearts is created.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};

use crate::rules::refusal::{Refusal, within};

const MAX_WRAP_SCORES: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The game ends after a hand that leaves some score at least here, once one seat alone has the lowest.
    #[schema(minimum = 1, maximum = 1000)]
    pub target_score: u16,
    #[schema(schema_with = wrap_scores)]
    pub wrap_scores: ArrayVec<u32, MAX_WRAP_SCORES>,
}

impl Default for Options {
    fn default() -> Options {
        Options { target_score: 100, wrap_scores: [104, 126].into_iter().collect() }
    }
}

impl Options {
    /// # Errors
    /// `invalid_options` where one is out of range. A wrap score named twice does no harm.
    pub fn check(&self) -> Result<(), Refusal> {
        within("target_score", self.target_score, 1..=1000)?;
        self.wrap_scores.iter().try_for_each(|&score| within("wrap_scores", score, 1..=u32::MAX))
    }

    /// What becomes of a score when a hand has been counted.
    pub fn wrapped(&self, score: i32) -> i32 {
        let wraps = self.wrap_scores.iter().any(|&wrap| i64::from(wrap) == i64::from(score));
        if wraps { 0 } else { score }
    }
}

/// The derived schema would say nothing of the numbers' range.
fn wrap_scores() -> Schema {
    let score = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(u32::MAX));
    ArrayBuilder::new()
        .description(Some("A score that is exactly one of these after a hand becomes 0."))
        .items(score)
        .max_items(Some(MAX_WRAP_SCORES))
        .default(Some(serde_json::json!(Options::default().wrap_scores)))
        .build()
        .into()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use utoipa::PartialSchema;

    use super::*;

    fn accepted(options: &Value) -> bool {
        Options::deserialize(options).is_ok_and(|options| options.check().is_ok())
    }

    #[test]
    fn options_are_accepted_up_to_their_bounds_and_not_beyond_and_the_schema_says_the_same() {
        let schema = serde_json::to_value(Options::schema()).unwrap();
        assert!(!schema.to_string().contains("$ref"), "{schema}");
        for good in [
            json!({}),
            json!({"target_score": 1}),
            json!({"target_score": 1000}),
            json!({"wrap_scores": []}),
            json!({"wrap_scores": [1, 2, 3, 4, 5, 6, 7, u32::MAX]}),
            json!({"wrap_scores": [50, 50]}),
        ] {
            assert!(accepted(&good) && jsonschema::is_valid(&schema, &good), "{good}");
        }
        for bad in [
            json!({"target_score": 0}),
            json!({"target_score": 1001}),
            json!({"target_score": null}),
            json!({"wrap_scores": [0]}),
            json!({"wrap_scores": [-1]}),
            json!({"wrap_scores": 104}),
            json!({"wrap_scores": [1, 2, 3, 4, 5, 6, 7, 8, 9]}),
            json!({"buy_in": 200}),
        ] {
            assert!(!accepted(&bad) && !jsonschema::is_valid(&schema, &bad), "{bad}");
        }
    }

    #[test]
    fn the_schema_tells_the_real_defaults() {
        let schema = serde_json::to_value(Options::schema()).unwrap();
        let defaults = serde_json::to_value(Options::default()).unwrap();
        assert_eq!(defaults, json!({"target_score": 100, "wrap_scores": [104, 126]}));
        for (name, default) in defaults.as_object().unwrap() {
            assert_eq!(schema["properties"][name].get("default"), Some(default), "{name}");
        }
    }
}
