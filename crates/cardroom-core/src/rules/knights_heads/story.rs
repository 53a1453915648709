//! A hand of Knights' Heads.

use std::collections::BTreeMap;

use super::deck::KnightsCard;
use super::facts::{Fact, Shown};
use crate::rules::facts::Names;

use crate::rules::hand_story::{HandStory, Held, PlayerStory, note};
use crate::rules::pot_story::{Award, Pots, got, why};

#[derive(Default)]
struct Seat<'a> {
    cards: Held<KnightsCard>,
    shown: Option<&'a Shown>,
    has_folded: bool,
    won: u64,
    back: u64,
}

pub fn story(facts: &[&Fact], names: Names<'_>) -> HandStory {
    let mut seats: BTreeMap<u8, Seat<'_>> = BTreeMap::new();
    let mut pots = Pots::default();
    for &fact in facts {
        match fact {
            Fact::Dealt { seat, cards } | Fact::RabbleReceived { seat, cards, .. } => {
                seats.entry(*seat).or_default().cards.take(cards);
            }
            Fact::RabblePicked { seat, cards } => seats.entry(*seat).or_default().cards.give(cards),
            Fact::LuckDealt { seat, card } => seats.entry(*seat).or_default().cards.take(&[*card]),
            Fact::Folded { seat } => seats.entry(*seat).or_default().has_folded = true,
            Fact::Shown(shown) => {
                let seat = seats.entry(shown.seat).or_default();
                seat.cards = Held(shown.cards.iter().copied().map(Some).collect());
                seat.shown = Some(shown);
            }
            Fact::PotWon { pot, seat, chips, .. } => {
                seats.entry(*seat).or_default().won += chips;
                pots.won(Award { pot: *pot, name: names.of(*seat), chips: *chips }, why(fact, names));
            }
            Fact::PotReturned { seat, chips, .. } => {
                seats.entry(*seat).or_default().back += chips;
                pots.not_won(0, why(fact, names));
            }
            Fact::Carried { chips, .. } => pots.not_won(*chips, why(fact, names)),
            _ => {}
        }
    }
    let players = seats.into_iter().map(|(seat, held)| held.told(names.of(seat))).collect();
    HandStory { happened: pots.happened(), players }
}

impl Seat<'_> {
    fn told(self, name: &str) -> PlayerStory {
        // "pair of triplets: queens and dancers"; the sentence says more of the hand that won.
        let hand = self.shown.and_then(|shown| shown.words.split(": ").next()).unwrap_or_default();
        let folded = if self.has_folded { "folds" } else { "" };
        // Hands are numbered from the best on.
        let rank = self.shown.map_or(-99, |shown| -(shown.made as i64));
        PlayerStory {
            name: name.to_owned(),
            cards: self.cards.sorted().infos(|card| card.info()),
            note: note(&[&got(self.won, self.back), hand, folded]),
            has_won: self.won > 0,
            rank: (self.won, rank),
        }
    }
}
