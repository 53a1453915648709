//! What a hand is worth in a tournament, by the scorings that a kind brings for itself.

use std::fmt::Debug;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use crate::rules::facts::{AnyFact, Fact};
use crate::rules::json::{read_object, to_json};
use crate::rules::refusal::Refusal;

/// What one hand, or the end of a game, gave one seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Award {
    pub seat: u8,
    /// 0 for a court of knights that only makes other points count.
    pub points: i64,
    /// How many courts of knights the seat showed in the hand.
    #[serde(rename = "courts")]
    pub qualifiers: u8,
    #[schema(example = "won with a hamlet")]
    pub reason: String,
    /// The cards that show it; none where there was no show.
    pub cards: Vec<String>,
}

/// The scorings of one kind, told apart by their `type` in JSON.
pub trait Scoring: Serialize + DeserializeOwned + ToSchema + Debug + Send + Sync + 'static {
    type Fact: Fact;

    /// Whether it is within its bounds.
    ///
    /// # Errors
    /// `invalid_options`.
    fn check(&self) -> Result<(), Refusal>;

    /// Whether nothing counts for an entrant before its first award with a qualifier.
    fn waits_for_qualifier(&self) -> bool;

    /// Whether an entrant without a qualifier has no score at all.
    fn ranks_qualified_only(&self) -> bool;

    /// What the end of a hand gave, seat by seat. `facts`: what the entry that ended it told everybody.
    fn awards(&self, facts: &[&Self::Fact]) -> Vec<Award>;
}

/// A scoring with its type erased.
pub trait AnyScoring: Debug + Send + Sync {
    /// As [`Scoring::check`].
    ///
    /// # Errors
    /// `invalid_options`.
    fn check(&self) -> Result<(), Refusal>;

    fn waits_for_qualifier(&self) -> bool;

    fn ranks_qualified_only(&self) -> bool;

    /// As [`Scoring::awards`]; none where the facts are another kind's.
    fn awards(&self, facts: &[AnyFact]) -> Option<Vec<Award>>;

    fn json(&self) -> Value;
}

impl<S: Scoring> AnyScoring for S {
    fn check(&self) -> Result<(), Refusal> {
        Scoring::check(self)
    }

    fn waits_for_qualifier(&self) -> bool {
        Scoring::waits_for_qualifier(self)
    }

    fn ranks_qualified_only(&self) -> bool {
        Scoring::ranks_qualified_only(self)
    }

    fn awards(&self, facts: &[AnyFact]) -> Option<Vec<Award>> {
        let own: Option<Vec<&S::Fact>> = facts.iter().map(AnyFact::as_kind).collect();
        Some(Scoring::awards(self, &own?))
    }

    fn json(&self) -> Value {
        serde_json::from_str(to_json(self).get()).expect("what was written is JSON")
    }
}

/// What a kind brings for the scores of tournaments.
#[derive(Debug, Clone, Copy)]
pub struct Scorings {
    /// A scoring from its JSON.
    pub read: fn(&str) -> serde_json::Result<Arc<dyn AnyScoring>>,
    /// The one that a tournament has if nobody chooses.
    pub default: fn() -> Arc<dyn AnyScoring>,
    pub schema: fn() -> RefOr<Schema>,
}

impl Scorings {
    pub fn of<S: Scoring + Default>() -> Scorings {
        Scorings {
            read: |json| Ok(Arc::new(read_object::<S>(json)?)),
            default: || Arc::new(S::default()),
            schema: S::schema,
        }
    }
}
