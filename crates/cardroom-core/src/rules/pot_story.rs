//! What the kinds with pots share: who got how much of them, and why.

use crate::rules::facts::{Fact, Names};
use crate::rules::hand_story::{list, verb};

/// What one hand got of one pot.
pub struct Award<'a> {
    pub pot: u8,
    pub name: &'a str,
    pub chips: u64,
}

/// The pots of a hand.
#[derive(Default)]
pub struct Pots<'a> {
    won: Vec<Award<'a>>,
    /// Why the first pot that somebody won went there, or else why nobody won.
    why: Option<String>,
    carried: u64,
}

impl<'a> Pots<'a> {
    pub fn won(&mut self, award: Award<'a>, why: String) {
        self.why.get_or_insert(why);
        self.won.push(award);
    }

    /// Chips that nobody won: they went back, or, if so many were `carried`, they wait for the next hand.
    pub fn not_won(&mut self, carried: u64, why: String) {
        self.carried += carried;
        if self.won.is_empty() {
            self.why.get_or_insert(why);
        }
    }

    /// What happened, in a sentence.
    pub fn happened(&self) -> String {
        let why = self.why.as_deref().unwrap_or_default();
        let Some(Award { pot, .. }) = self.won.first() else {
            return match self.carried {
                0 => format!("Nobody wins: {why}"),
                chips => format!("Nobody wins, and {chips} wait for the next hand: {why}"),
            };
        };
        let first = || self.won.iter().filter(|award| award.pot == *pot);
        let mut names: Vec<&str> = first().map(|award| award.name).collect();
        names.dedup();
        let chips: u64 = first().map(|award| award.chips).sum();
        format!("{} {} {chips}: {why}", list(&names), verb(&names, "wins", "share"))
    }
}

/// The reason in what is said at the table: "ann wins 20: the highest total up to 24".
pub fn why(fact: &impl Fact, names: Names<'_>) -> String {
    let said = fact.describe(names);
    said.split_once(": ").map_or(String::new(), |(_, why)| why.to_owned())
}

/// What the cards brought: `won` chips, or `back` those that nobody won.
pub fn got(won: u64, back: u64) -> String {
    match (won, back) {
        (0, 0) => String::new(),
        (0, back) => format!("gets {back}"),
        (won, _) => format!("wins {won}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn award(pot: u8, name: &str, chips: u64) -> Award<'_> {
        Award { pot, name, chips }
    }

    #[test]
    fn the_sentence_is_about_the_main_pot_or_about_the_first_that_somebody_won() {
        let mut pots = Pots::default();
        pots.won(award(0, "ann", 20), "a triplet".to_owned());
        pots.won(award(1, "bob", 10), "a twin".to_owned());
        assert_eq!(pots.happened(), "ann wins 20: a triplet");
        pots.won(award(0, "cat", 20), "a triplet".to_owned());
        assert_eq!(pots.happened(), "ann and cat share 40: a triplet");
    }

    #[test]
    fn a_pot_that_nobody_won_is_told_as_such() {
        let mut pots = Pots::default();
        pots.not_won(0, "all are bust".to_owned());
        assert_eq!(pots.happened(), "Nobody wins: all are bust");
        pots.not_won(15, "all are bust".to_owned());
        assert_eq!(pots.happened(), "Nobody wins, and 15 wait for the next hand: all are bust");
    }
}
