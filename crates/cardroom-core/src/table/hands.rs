//! Hand histories: a log cut into hands, by the facts with which every kind begins and ends them.

use std::fmt::Write;

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::projection::{LogProjection, ReadEntry};
use super::seat_assignments::SeatAssignment;
use super::state::Table;
use crate::log::entry::{Acted, Event, Time};
use crate::rules::facts::{Mark, Names};
use crate::rules::registry::{AnyFact, KindName};

/// What happened in a hand, as the reader may know it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Hand {
    #[serde(flatten)]
    pub span: Span,
    /// From the deal on.
    pub entries: Vec<HandEntry>,
}

/// A hand in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct HandSummary {
    #[serde(flatten)]
    pub span: Span,
    /// The facts that say what the hand brought to whom, and why.
    pub results: Vec<AnyFact>,
}

/// Which hand it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct Span {
    /// From 1.
    pub hand: u32,
    #[schema(value_type = KindName)]
    pub kind: &'static str,
    #[serde(skip)]
    kind_name: &'static str,
    /// The `seq` of the deal.
    pub from_version: u32,
    /// The `seq` of the entry that ended it; null while it runs, and where the game was called off in it.
    #[schema(required)]
    pub to_version: Option<u32>,
    /// Seat 0 first.
    pub players: Vec<String>,
}

/// An action or a chance, and what followed from it.
#[derive(Debug, Serialize, ToSchema)]
pub struct HandEntry {
    pub seq: u32,
    #[schema(value_type = String, format = DateTime)]
    pub at: Time,
    /// The seat that acted; null where it was chance.
    #[schema(required)]
    pub seat: Option<u8>,
    #[schema(required)]
    pub player: Option<String>,
    /// As in the log: cards that the reader may not know are null.
    #[schema(value_type = Option<Object>, required)]
    pub action: Option<Box<RawValue>>,
    pub facts: Vec<AnyFact>,
}

impl LogProjection {
    /// The hands that have begun. The facts must have been kept.
    pub fn into_hands(self) -> Vec<Hand> {
        let LogProjection { table, entries } = self;
        let mut hands: Vec<Hand> = Vec::new();
        for read in entries {
            let seq = read.entry.seq;
            let marks: Vec<Mark> = read.facts.iter().map(AnyFact::mark).collect();
            hands.extend(marks.iter().find_map(|mark| match mark {
                Mark::HandBegan(hand) => Some(Hand { span: table.span(*hand, seq), entries: Vec::new() }),
                _ => None,
            }));
            let Some(hand) = hands.last_mut().filter(|hand| hand.span.to_version.is_none()) else { continue };
            hand.entries.extend(entry(read, &hand.span.players));
            let ended = marks.iter().any(|mark| matches!(mark, Mark::HandEnded(_)));
            hand.span.to_version = ended.then_some(seq);
        }
        hands
    }
}

impl Table {
    fn span(&self, hand: u32, from_version: u32) -> Span {
        let kind = self.about.kind;
        let players = self.names();
        Span { hand, kind: kind.kind, kind_name: kind.name, from_version, to_version: None, players }
    }

    /// What those at the table are called, seat 0 first.
    pub fn names(&self) -> Vec<String> {
        self.assignments.iter().map(SeatAssignment::name).collect()
    }
}

/// What the rules were given; no other entry belongs to a hand.
fn entry(read: ReadEntry, players: &[String]) -> Option<HandEntry> {
    let ReadEntry { entry, hash: _, facts } = read;
    let action = match entry.event {
        Event::Chance(_) => None,
        Event::Acted(Acted { action, .. }) => Some(action),
        _ => return None,
    };
    let player = entry.seat.map(|seat| players[usize::from(seat)].clone());
    Some(HandEntry { seq: entry.seq, at: entry.at, seat: entry.seat, player, action, facts })
}

impl Hand {
    /// Its first entry and its last, if it was played to its end.
    pub fn played(&self) -> Option<(u32, u32)> {
        Some((self.span.from_version, self.span.to_version?))
    }

    /// The hand as it stands in a list.
    pub fn summary(self) -> HandSummary {
        let facts = self.entries.into_iter().flat_map(|entry| entry.facts);
        HandSummary { span: self.span, results: facts.filter(|fact| fact.mark() == Mark::Result).collect() }
    }

    /// The hand for a player to read: a line for each fact.
    pub fn text(&self) -> String {
        self.span.text(self.entries.iter().flat_map(|entry| &entry.facts))
    }
}

impl HandSummary {
    /// What the hand brought, for a player to read.
    pub fn text(&self) -> String {
        self.span.text(&self.results)
    }
}

impl Span {
    fn text<'a>(&self, facts: impl IntoIterator<Item = &'a AnyFact>) -> String {
        let Span { hand, kind_name, from_version, players, .. } = self;
        let until = self.to_version.map_or_else(|| "on".to_owned(), |version| format!("to {version}"));
        let mut text = format!("Hand {hand} of {kind_name}, from entry {from_version} {until}\n");
        writeln!(text, "Players: {}", players.join(", ")).expect("a string takes all that is written");
        for fact in facts {
            writeln!(text, "  {}", fact.describe(Names(players)))
                .expect("a string takes all that is written");
        }
        text
    }
}
