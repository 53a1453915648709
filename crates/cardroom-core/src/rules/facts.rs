//! Facts: who may know them, where a game tells them, and how they leave the rules: as JSON, in words, and with what a
//! hand history has to know of them.

use std::borrow::Cow;
use std::fmt::{self, Display};

use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::cards::Card;
use super::{Game, Seat};

/// Who may know a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    Everyone,
    Only(Seat),
    /// For what is told besides an [`Audience::Only`] of the same seat, with less in it. Once nothing is hidden,
    /// everyone is told the other.
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

/// Where a game tells what happened. Replays that nobody watches leave it off.
#[derive(Debug)]
pub struct Facts<F>(Option<Vec<(Audience, F)>>);

impl<F> Facts<F> {
    /// Facts that are kept.
    pub fn kept() -> Self {
        Facts(Some(Vec::new()))
    }

    /// Facts that nobody asked for.
    pub fn ignored() -> Self {
        Facts(None)
    }

    /// Tells a fact to everyone. It is only made if somebody listens.
    pub fn tell(&mut self, fact: impl FnOnce() -> F) {
        self.tell_to(Audience::Everyone, fact);
    }

    /// Tells a fact to those who may know it.
    pub fn tell_to(&mut self, audience: Audience, fact: impl FnOnce() -> F) {
        if let Some(facts) = &mut self.0 {
            facts.push((audience, fact()));
        }
    }

    /// Whether anybody listens.
    pub fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    /// What was told, in order.
    pub fn into_vec(self) -> Vec<(Audience, F)> {
        self.0.unwrap_or_default()
    }
}

/// Facts with their types erased, each with those who may know it.
pub type AnyFacts = Facts<AnyFact>;

/// A fact with its type erased. In JSON it is the fact itself.
pub struct AnyFact {
    pub json: Box<RawValue>,
    results: &'static [&'static str],
    words: Box<dyn Fn(Names<'_>) -> String>,
}

/// What a fact is to a hand history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The first of the hand of this number.
    HandBegan(u32),
    /// The last of the hand of this number.
    HandEnded(u32),
    /// What the hand brought somebody.
    Result,
    /// Anything else.
    Detail,
}

/// Who sits where, by name.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a>(pub &'a [String]);

impl AnyFact {
    pub(super) fn of<G: Game>(fact: G::Fact) -> AnyFact {
        AnyFact {
            json: to_raw_value(&fact).expect("facts have string keys and plain values"),
            results: G::HAND_RESULTS,
            words: Box::new(move |names| G::words(&fact, names)),
        }
    }

    pub fn mark(&self) -> Mark {
        let fact: Value = serde_json::from_str(self.json.get()).expect("a fact is JSON");
        let hand = || fact["hand"].as_u64().expect("every kind numbers its hands") as u32;
        match fact["type"].as_str() {
            Some("hand_began") => Mark::HandBegan(hand()),
            Some("hand_ended") => Mark::HandEnded(hand()),
            Some(name) if self.results.contains(&name) => Mark::Result,
            _ => Mark::Detail,
        }
    }

    /// The fact as one says it at the table.
    pub fn words(&self, names: Names<'_>) -> String {
        (self.words)(names)
    }
}

impl fmt::Debug for AnyFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.json.get())
    }
}

impl Serialize for AnyFact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
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
    /// Who sits at `seat`.
    pub fn of(self, seat: Seat) -> &'a str {
        &self.0[usize::from(seat)]
    }

    /// Who has how much: `numbers` holds one for each seat, seat 0 first.
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

/// Runs `body` with facts of the game's own type and passes them on, if anybody listens.
pub(super) fn told<G: Game>(facts: &mut AnyFacts, body: impl FnOnce(&mut Facts<G::Fact>)) {
    if !facts.are_kept() {
        return body(&mut Facts::ignored());
    }
    let mut own = Facts::kept();
    body(&mut own);
    for (audience, fact) in own.into_vec() {
        facts.tell_to(audience, || AnyFact::of::<G>(fact));
    }
}
