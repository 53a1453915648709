//! Facts: which viewers may know them, where a game tells them, and how they leave the rules: as JSON, in words, and
//! with what a hand history has to know of them.

use std::any::Any;
use std::borrow::Cow;
use std::fmt::{self, Debug, Display};
use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::rules::cards::Card;
use crate::rules::seats::Seat;

/// The viewers that may know a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    Everyone,
    Only(Seat),
    /// For a fact that is told besides an [`Audience::Only`] of the same seat, with less in it. Once nothing is hidden,
    /// everyone is told the other fact.
    AllBut(Seat),
}

impl Audience {
    /// Whether `viewer` (`None`: someone at no seat) belongs to it.
    pub fn includes(self, viewer: Option<Seat>) -> bool {
        match self {
            Audience::Everyone => true,
            Audience::Only(seat) => viewer == Some(seat),
            Audience::AllBut(seat) => viewer != Some(seat),
        }
    }
}

/// Where a game tells what happened. A replay whose facts nobody reads drops them.
#[derive(Debug)]
pub struct Facts<F>(Option<Vec<(Audience, F)>>);

impl<F> Facts<F> {
    /// A list that keeps its facts.
    pub fn kept() -> Self {
        Facts(Some(Vec::new()))
    }

    /// A list that drops its facts, because nobody asked for them.
    pub fn ignored() -> Self {
        Facts(None)
    }

    /// Tells a fact to everyone. The fact is only built if facts are kept.
    pub fn tell(&mut self, fact: impl FnOnce() -> F) {
        self.tell_to(Audience::Everyone, fact);
    }

    /// Tells a fact to its audience.
    pub fn tell_to(&mut self, audience: Audience, fact: impl FnOnce() -> F) {
        if let Some(facts) = &mut self.0 {
            facts.push((audience, fact()));
        }
    }

    /// Whether facts are kept.
    pub fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    /// The facts for all audiences.
    pub fn iter(&self) -> impl Iterator<Item = &F> {
        self.0.iter().flatten().map(|(_, fact)| fact)
    }

    /// What was told, in order.
    pub fn into_vec(self) -> Vec<(Audience, F)> {
        self.0.unwrap_or_default()
    }
}

/// Facts with their types erased, each with its audience.
pub type AnyFacts = Facts<AnyFact>;

/// What a kind tells of what happened. Worked out, never stored as truth.
///
/// In JSON, objects told apart by `type`. Every kind tells everyone `hand_began` when a hand is dealt and `hand_ended`
/// when it is over, with its number from 1 as `hand`: these delimit the hand histories.
pub trait Fact: Serialize + Clone + Debug + ToSchema + Send + Sync + 'static {
    /// What the fact is to a hand history.
    fn mark(&self) -> Mark;

    /// The fact as one says it at the table: a clause with the players' names, without a full stop.
    fn describe(&self, names: Names<'_>) -> String;
}

/// A fact with its type erased. In JSON it is the fact itself.
#[derive(Clone)]
pub struct AnyFact(Arc<dyn Erased>);

/// What can be asked of a fact of any kind.
trait Erased: Send + Sync {
    fn json(&self) -> Box<RawValue>;
    fn mark(&self) -> Mark;
    fn describe(&self, names: Names<'_>) -> String;
    fn as_any(&self) -> &dyn Any;
}

impl<F: Fact> Erased for F {
    fn json(&self) -> Box<RawValue> {
        to_raw_value(self).expect("facts have string keys and plain values")
    }

    fn mark(&self) -> Mark {
        Fact::mark(self)
    }

    fn describe(&self, names: Names<'_>) -> String {
        Fact::describe(self, names)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What a fact is to a hand history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The first of the hand of this number.
    HandBegan(u32),
    /// The last of the hand of this number.
    HandEnded(u32),
    /// What the hand brought a player.
    Result,
    /// Anything else.
    Detail,
}

/// The players' names, by seat.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a>(pub &'a [String]);

impl AnyFact {
    pub fn of(fact: impl Fact) -> AnyFact {
        AnyFact(Arc::new(fact))
    }

    pub fn json(&self) -> Box<RawValue> {
        self.0.json()
    }

    /// What the fact is to a hand history.
    pub fn mark(&self) -> Mark {
        self.0.mark()
    }

    /// The fact as one says it at the table.
    pub fn describe(&self, names: Names<'_>) -> String {
        self.0.describe(names)
    }

    /// The fact as its kind knows it; none where it is another kind's.
    pub fn as_kind<F: Fact>(&self) -> Option<&F> {
        self.0.as_any().downcast_ref()
    }
}

impl fmt::Debug for AnyFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.json().get())
    }
}

impl Serialize for AnyFact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

/// The document puts the facts of all kinds in its place.
impl ToSchema for AnyFact {
    fn name() -> Cow<'static, str> {
        "Fact".into()
    }
}

impl PartialSchema for AnyFact {
    fn schema() -> RefOr<Schema> {
        Object::new().into()
    }
}

impl<'a> Names<'a> {
    /// The name of the player at `seat`.
    pub fn of(self, seat: Seat) -> &'a str {
        &self.0[usize::from(seat)]
    }

    /// Each player with a number: `numbers` holds one for each seat, seat 0 first.
    pub fn with<N: Display>(self, numbers: &[N]) -> String {
        let each: Vec<String> =
            self.0.iter().zip(numbers).map(|(name, number)| format!("{name} {number}")).collect();
        each.join(", ")
    }
}

/// Cards side by side.
pub fn cards<C: Card>(cards: &[C]) -> String {
    let names: Vec<_> = cards.iter().map(|card| card.name()).collect();
    names.join(" ")
}

/// The same, with `?` for those that are not to be seen.
pub fn seen<C: Card>(cards: &[Option<C>]) -> String {
    let name = |card: &Option<C>| card.map_or_else(|| "?".to_owned(), |card| card.name().to_string());
    cards.iter().map(name).collect::<Vec<_>>().join(" ")
}
