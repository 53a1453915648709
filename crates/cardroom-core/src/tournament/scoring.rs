//! What the score of a tournament counts: the places or the chips at a game's end, or what a kind brings for itself.

use std::borrow::Cow;
use std::sync::Arc;

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{OneOf, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::rules::json::read_object;
use crate::rules::registry::{AnyFact, Kind, newest};
use crate::rules::scoring::{AnyScoring, Award};
use crate::rules::{Outcome, Placing};

/// What the score counts: a prize beside the result.
#[derive(Debug, Clone)]
pub enum Scoring {
    /// At a game's end, a point for each opponent who came in behind.
    Places,
    /// At a game's end, the chips won or lost in it, in kinds that are played for them.
    Chips,
    OfKind(KindScoring),
}

/// A scoring that a kind brings.
#[derive(Debug, Clone)]
pub struct KindScoring {
    pub kind: &'static Kind,
    pub scoring: Arc<dyn AnyScoring>,
}

/// The scorings that every kind has, as they are written.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Common {
    /// At a game's end, a point for each opponent who came in behind.
    Places {},
    /// At a game's end, the chips won or lost in it, in kinds that are played for them.
    Chips {},
}

/// Why points cannot be counted: a defect of the house, or a log that somebody changed.
#[derive(Debug, thiserror::Error)]
pub enum ScoringError {
    #[error("the scoring cannot be read: {0}")]
    Scoring(serde_json::Error),
    #[error("the scoring is another kind's")]
    OtherKind,
    #[error("chips are to be counted, and the options have no buy-in")]
    NoBuyIn,
}

impl Scoring {
    /// The scoring in a tournament's own words, as its games' logs have it.
    ///
    /// # Errors
    /// [`ScoringError::Scoring`].
    pub fn read(words: &RawValue) -> Result<Scoring, ScoringError> {
        serde_json::from_str(words.get()).map_err(ScoringError::Scoring)
    }

    /// The scoring of a tournament whose organiser chooses none.
    pub fn default_of(kind: &'static Kind) -> Scoring {
        match kind.scorings {
            Some(own) => Scoring::OfKind(KindScoring { kind, scoring: (own.default)() }),
            None => Scoring::Places,
        }
    }

    /// Whether nothing counts for an entrant before its first award with a qualifier.
    pub fn waits_for_qualifier(&self) -> bool {
        matches!(self, Scoring::OfKind(own) if own.scoring.waits_for_qualifier())
    }

    /// Whether an entrant without a qualifier has no score at all.
    pub fn ranks_qualified_only(&self) -> bool {
        matches!(self, Scoring::OfKind(own) if own.scoring.ranks_qualified_only())
    }

    /// What the end of a hand gave, seat by seat. `facts`: what the entry that ended it told everybody.
    ///
    /// # Errors
    /// [`ScoringError::OtherKind`].
    pub fn awards(&self, facts: &[AnyFact]) -> Result<Vec<Award>, ScoringError> {
        match self {
            Scoring::OfKind(own) => own.scoring.awards(facts).ok_or(ScoringError::OtherKind),
            Scoring::Places | Scoring::Chips => Ok(Vec::new()),
        }
    }

    /// What the end of a game gave, seat by seat. `stacks`: what the seats began with, if it was played for chips.
    ///
    /// # Errors
    /// [`ScoringError::NoBuyIn`].
    pub fn awards_at_end(
        &self,
        stacks: Option<&[u32]>,
        outcome: &Outcome,
    ) -> Result<Vec<Award>, ScoringError> {
        let places = || outcome.places.iter().map(|placing| placing.place);
        let award = |seat, points, reason| Award { seat, points, qualifiers: 0, reason, cards: Vec::new() };
        let by_place = |placing: &Placing| {
            let reason = format!("{} of {}", ordinal(placing.place), outcome.places.len());
            award(placing.seat, behind(placing.place, places()), reason)
        };
        match self {
            Scoring::Places => Ok(outcome.places.iter().map(by_place).collect()),
            Scoring::Chips => {
                let by_chips = |placing: &Placing| {
                    let brought = stacks.and_then(|stacks| stacks.get(usize::from(placing.seat)));
                    let brought = i64::from(*brought.ok_or(ScoringError::NoBuyIn)?);
                    let reason = format!("ended with {} chips", placing.score);
                    Ok(award(placing.seat, placing.score - brought, reason))
                };
                outcome.places.iter().map(by_chips).collect()
            }
            Scoring::OfKind(_) => Ok(Vec::new()),
        }
    }
}

impl Serialize for Scoring {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Scoring::Places => Common::Places {}.serialize(serializer),
            Scoring::Chips => Common::Chips {}.serialize(serializer),
            Scoring::OfKind(own) => own.scoring.json().serialize(serializer),
        }
    }
}

/// The kind whose scorings have this `type` reads it.
impl<'de> Deserialize<'de> for Scoring {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scoring, D::Error> {
        let written = Value::deserialize(deserializer)?;
        let text = written.to_string();
        let name =
            written["type"].as_str().ok_or_else(|| D::Error::custom("expected an object with a `type`"))?;
        let own = newest().find_map(|kind| {
            let scorings = kind.scorings.filter(|own| names((own.schema)()).iter().any(|own| own == name))?;
            Some((scorings.read)(&text).map(|scoring| Scoring::OfKind(KindScoring { kind, scoring })))
        });
        let read = own.unwrap_or_else(|| {
            Ok(match read_object(&text)? {
                Common::Places {} => Scoring::Places,
                Common::Chips {} => Scoring::Chips,
            })
        });
        read.map_err(D::Error::custom)
    }
}

/// One of the scorings of every kind that has some, and then of those that all have.
impl PartialSchema for Scoring {
    fn schema() -> RefOr<Schema> {
        let own = newest().filter_map(|kind| kind.scorings).map(|own| (own.schema)());
        let mut all = OneOf::new();
        for schema in own.chain([Common::schema()]) {
            if let RefOr::T(Schema::OneOf(one_of)) = schema {
                all.items.extend(one_of.items);
            }
        }
        all.description = Some("What the score counts: a prize beside the result.".to_owned());
        Schema::OneOf(all).into()
    }
}

impl ToSchema for Scoring {
    fn name() -> Cow<'static, str> {
        "Scoring".into()
    }
}

/// The `type`s of the scorings that a schema describes.
fn names(schema: RefOr<Schema>) -> Vec<String> {
    let schema = serde_json::to_value(schema).expect("a schema is plain JSON");
    let of = |one: &Value| one["properties"]["type"]["enum"][0].as_str().map(str::to_owned);
    schema["oneOf"].as_array().into_iter().flatten().filter_map(of).collect()
}

/// How many came in behind a place.
pub(super) fn behind(place: u8, places: impl Iterator<Item = u8>) -> i64 {
    places.filter(|&other| other > place).count() as i64
}

/// `1st`, `2nd`: there are at most ten places.
fn ordinal(place: u8) -> String {
    match place {
        1 => "1st".to_owned(),
        2 => "2nd".to_owned(),
        3 => "3rd".to_owned(),
        _ => format!("{place}th"),
    }
}
