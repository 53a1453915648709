//! What the kinds need to tell a hand: words, and the cards that a seat holds.

use cardroom_core::rules::cards::Card;

use crate::http::page::preview::cards::Face;
use crate::http::page::preview::picture::Player;

/// What decided a hand, and what became of its players.
pub struct Told {
    pub happened: String,
    pub players: Vec<Ranked>,
}

/// A player, and its place among the others: the highest rank comes first.
pub struct Ranked {
    pub rank: (u64, i64),
    pub player: Player,
}

/// "ann, bob and cat".
pub fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

/// "takes" of one, "take" of several.
pub fn verb<'a>(names: &[&str], one: &'a str, many: &'a str) -> &'a str {
    if names.len() == 1 { one } else { many }
}

/// Parts of a note, of which some are empty.
pub fn note(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

/// Cards that a seat holds, of which some may be unknown.
pub struct Held<C>(pub Vec<Option<C>>);

impl<C> Default for Held<C> {
    fn default() -> Self {
        Held(Vec::new())
    }
}

impl<C: Card> Held<C> {
    pub fn take(&mut self, cards: &[Option<C>]) {
        self.0.extend_from_slice(cards);
    }

    /// Takes cards away; for an unknown one, any that is unknown.
    pub fn give(&mut self, cards: &[Option<C>]) {
        for card in cards {
            if let Some(at) = self.0.iter().position(|held| held == card) {
                self.0.remove(at);
            }
        }
    }

    /// In the order of the deck, the unknown ones last.
    pub fn sorted(mut self) -> Self {
        self.0.sort_by_key(|card| (card.is_none(), *card));
        self
    }

    pub fn faces(&self, face: impl Fn(C) -> Face) -> Vec<Face> {
        self.0.iter().map(|card| card.map_or(Face::Back, &face)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_one_says_them() {
        assert_eq!(list(&["ann"]), "ann");
        assert_eq!(list(&["ann", "bob"]), "ann and bob");
        assert_eq!(list(&["ann", "bob", "cat"]), "ann, bob and cat");
        assert_eq!(note(&["wins 5", "", "with 23"]), "wins 5, with 23");
    }
}
