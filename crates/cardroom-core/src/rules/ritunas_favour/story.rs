//! A hand of Rituna's Favour.

use std::collections::BTreeMap;

use super::facts::Fact;
use crate::rules::cards::French;
use crate::rules::facts::Names;

use crate::rules::hand_story::{HandStory, PlayerStory, note};
use crate::rules::pot_story::{Award, Pots, got, why};

/// One of the hands of a seat, or the house's, whose seat is none.
type Holder = (Option<u8>, u8);

#[derive(Default)]
struct Hand {
    cards: Vec<French>,
    total: Option<u8>,
    is_bust: bool,
    won: u64,
    back: u64,
}

pub fn story(facts: &[&Fact], names: Names<'_>) -> HandStory {
    let mut hands: BTreeMap<Holder, Hand> = BTreeMap::new();
    let mut pots = Pots::default();
    let name = |seat: Option<u8>| seat.map_or("the house", |seat| names.of(seat));
    for &fact in facts {
        match fact {
            Fact::Dealt { seat, cards } | Fact::Redealt { seat, cards } => {
                hands.entry((*seat, 0)).or_default().cards.clone_from(cards);
            }
            Fact::Split { seat, hands: split } => {
                for (cards, at) in split.iter().zip(0..) {
                    hands.entry((*seat, at)).or_default().cards.clone_from(cards);
                }
            }
            Fact::Took { seat, split_hand: hand, card, total } => {
                let hand = hands.entry((*seat, *hand)).or_default();
                hand.cards.push(*card);
                hand.total = Some(*total);
            }
            Fact::Stuck { seat, split_hand: hand, total } => {
                hands.entry((*seat, *hand)).or_default().total = Some(*total);
            }
            Fact::Bust { seat, split_hand: hand, total } => {
                let hand = hands.entry((*seat, *hand)).or_default();
                (hand.total, hand.is_bust) = (Some(*total), true);
            }
            Fact::PotWon { seat, split_hand: hand, chips, .. } => {
                hands.entry((*seat, *hand)).or_default().won += chips;
                pots.won(Award { pot: 0, name: name(*seat), chips: *chips }, why(fact, names));
            }
            Fact::PotReturned { seat, chips } => {
                hands.entry((*seat, 0)).or_default().back += chips;
                pots.not_won(0, why(fact, names));
            }
            Fact::Carried { chips } => pots.not_won(*chips, why(fact, names)),
            _ => {}
        }
    }
    let players = hands.into_iter().map(|((seat, at), hand)| hand.told(name(seat), at)).collect();
    HandStory { happened: pots.happened(), players }
}

impl Hand {
    fn told(self, name: &str, at: u8) -> PlayerStory {
        let total = match self.total {
            Some(total) if self.is_bust => format!("bust with {total}"),
            Some(total) => format!("total {total}"),
            None => String::new(),
        };
        let second = if at > 0 { "second hand" } else { "" };
        let rank = if self.is_bust { -99 } else { self.total.map_or(-1, i64::from) };
        PlayerStory {
            name: name.to_owned(),
            cards: self.cards.iter().map(|card| Some(card.info())).collect(),
            note: note(&[&got(self.won, self.back), &total, second]),
            has_won: self.won > 0,
            rank: (self.won, rank),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_told_and_a_hand_that_is_bust_comes_last() {
        let names = ["ann", "bob"].map(str::to_owned);
        let facts = [
            Fact::Dealt { seat: Some(0), cards: Vec::new() },
            Fact::Dealt { seat: Some(1), cards: Vec::new() },
            Fact::Dealt { seat: None, cards: Vec::new() },
            Fact::Bust { seat: Some(0), split_hand: 0, total: 23 },
            Fact::Stuck { seat: Some(1), split_hand: 0, total: 15 },
        ];
        let HandStory { players, .. } = story(&facts.iter().collect::<Vec<_>>(), Names(&names));
        let told = |name: &str| players.iter().find(|player| player.name == name).unwrap();
        assert_eq!((told("ann").note.as_str(), told("bob").note.as_str()), ("bust with 23", "total 15"));
        assert!(told("bob").rank > told("the house").rank && told("the house").rank > told("ann").rank);
    }
}
