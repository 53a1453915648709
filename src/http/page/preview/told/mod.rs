//! A hand as its picture tells it: from the facts that the public may know, what decided it, and for each player the
//! cards at the end and what they brought.

mod knights_heads;
mod pots;
mod ricketts_hearts;
mod ritunas_favour;
mod royal_gambit;
mod sevens;

use cardroom_core::rules::cards::Card;
use cardroom_core::rules::facts::{Fact, Mark, Names};
use cardroom_core::rules::registry::{self, AnyFact};
use cardroom_core::table::hands::Hand;

use super::cards::Face;
use super::picture::{Picture, Player};

/// How much of a guest's name is shown: of "guest-b090597a05919a06" the page shows "Guest b090".
const GUEST: usize = 4;

/// What decided a hand, and what became of its players.
struct Told {
    happened: String,
    players: Vec<Ranked>,
}

/// A player, and its place among the others: the highest rank comes first.
struct Ranked {
    rank: (u64, i64),
    player: Player,
}

/// The picture of a hand as the public may know it. None while it runs, and where the game was called off in it.
pub fn picture(hand: &Hand) -> Option<Picture> {
    hand.span.to_version?;
    let facts: Vec<&AnyFact> = hand.entries.iter().flat_map(|entry| &entry.facts).collect();
    let names: Vec<String> = hand.span.players.iter().map(|name| person(name)).collect();
    let names = Names(&names);
    let Told { happened, mut players } = match hand.span.kind {
        "knights_heads" => knights_heads::told(&own(&facts), names),
        "ricketts_hearts" => ricketts_hearts::told(&own(&facts), names),
        "ritunas_favour" => ritunas_favour::told(&own(&facts), names),
        "royal_gambit" => royal_gambit::told(&own(&facts), names),
        "sevens" => sevens::told(&own(&facts), names),
        _ => results(&facts, names),
    };
    players.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
    Some(Picture {
        kind: registry::by_name(hand.span.kind)?.name.to_owned(),
        hand: hand.span.hand,
        happened,
        players: players.into_iter().map(|ranked| ranked.player).collect(),
    })
}

/// The facts of a kind.
fn own<'a, F: Fact>(facts: &[&'a AnyFact]) -> Vec<&'a F> {
    facts.iter().filter_map(|fact| fact.as_kind()).collect()
}

/// A kind that nobody has told has a picture without cards.
fn results(facts: &[&AnyFact], names: Names<'_>) -> Told {
    let result = facts.iter().find(|fact| fact.mark() == Mark::Result);
    Told { happened: result.map(|fact| fact.describe(names)).unwrap_or_default(), players: Vec::new() }
}

/// What the picture calls a player.
fn person(name: &str) -> String {
    match name.strip_prefix("guest-").and_then(|number| number.get(..GUEST)) {
        Some(number) => format!("Guest {number}"),
        None => name.to_owned(),
    }
}

/// "ann, bob and cat".
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

/// "takes" of one, "take" of several.
fn verb<'a>(names: &[&str], one: &'a str, many: &'a str) -> &'a str {
    if names.len() == 1 { one } else { many }
}

/// Parts of a note, of which some are empty.
fn note(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

/// Cards that a seat holds, of which some may be unknown.
struct Held<C>(Vec<Option<C>>);

impl<C> Default for Held<C> {
    fn default() -> Self {
        Held(Vec::new())
    }
}

impl<C: Card> Held<C> {
    fn take(&mut self, cards: &[Option<C>]) {
        self.0.extend_from_slice(cards);
    }

    /// Takes cards away; for an unknown one, any that is unknown.
    fn give(&mut self, cards: &[Option<C>]) {
        for card in cards {
            if let Some(at) = self.0.iter().position(|held| held == card) {
                self.0.remove(at);
            }
        }
    }

    /// In the order of the deck, the unknown ones last.
    fn sorted(mut self) -> Self {
        self.0.sort_by_key(|card| (card.is_none(), *card));
        self
    }

    fn faces(&self, face: impl Fn(C) -> Face) -> Vec<Face> {
        self.0.iter().map(|card| card.map_or(Face::Back, &face)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_are_called_by_the_beginning_of_their_number_and_all_others_by_their_names() {
        assert_eq!(person("guest-b090597a05919a06"), "Guest b090");
        for name in ["ann", "guest-", "steady (seat 2)"] {
            assert_eq!(person(name), name);
        }
    }

    #[test]
    fn names_are_listed_as_one_says_them() {
        assert_eq!(list(&["ann"]), "ann");
        assert_eq!(list(&["ann", "bob"]), "ann and bob");
        assert_eq!(list(&["ann", "bob", "cat"]), "ann, bob and cat");
        assert_eq!(note(&["wins 5", "", "with 23"]), "wins 5, with 23");
    }
}
