//! A hand in short, as it is told to those who were not there: what decided it, and for each player the cards at the end
//! and what they brought.

use crate::rules::cards::{Card, CardInfo};

/// What decided a hand, and what became of its players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandStory {
    /// A sentence without its full stop.
    pub happened: String,
    pub players: Vec<PlayerStory>,
}

/// What a hand came to for one player, or for one of the hands that a player split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerStory {
    pub name: String,
    /// None: a card that the public may not see.
    pub cards: Vec<Option<CardInfo>>,
    /// What it got, in a few words.
    pub note: String,
    pub has_won: bool,
    /// Its place among the others: the highest rank comes first.
    pub rank: (u64, i64),
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

    pub fn infos(&self, info: impl Fn(C) -> CardInfo) -> Vec<Option<CardInfo>> {
        self.0.iter().map(|card| card.map(&info)).collect()
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
