//! A hand of Sevens.

use std::collections::BTreeMap;

use super::card::NaykuhCard;
use super::facts::Fact;
use crate::rules::facts::Names;

use crate::rules::hand_story::{HandStory, Held, PlayerStory, note};
use crate::rules::pot_story::{Award, Pots, got, why};

/// With a higher total a hand cannot win.
const MOST: u8 = 7;

#[derive(Default)]
struct Seat {
    cards: Held<NaykuhCard>,
    total: Option<u8>,
    has_folded: bool,
    won: u64,
    back: u64,
}

pub fn story(facts: &[&Fact], names: Names<'_>) -> HandStory {
    let mut seats: BTreeMap<u8, Seat> = BTreeMap::new();
    let mut pots = Pots::default();
    for &fact in facts {
        match fact {
            Fact::Dealt { seat, cards } => seats.entry(*seat).or_default().cards.take(cards),
            Fact::Traded { seat, discarded, drawn } => {
                let seat = seats.entry(*seat).or_default();
                seat.cards.give(discarded);
                seat.cards.take(drawn);
            }
            Fact::Folded { seat } => seats.entry(*seat).or_default().has_folded = true,
            Fact::Shown { seat, cards, total } => {
                let seat = seats.entry(*seat).or_default();
                seat.cards = Held(cards.iter().copied().map(Some).collect());
                seat.total = Some(*total);
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

impl Seat {
    fn told(self, name: &str) -> PlayerStory {
        let total = self.total.map_or(String::new(), |total| format!("total {total}"));
        let folded = if self.has_folded { "folds" } else { "" };
        // The highest total up to seven comes first, then those above it, then those who showed nothing.
        let rank = self.total.map_or(-99, |total| i64::from(if total > MOST { 0 } else { total }));
        PlayerStory {
            name: name.to_owned(),
            cards: self.cards.sorted().infos(|card| card.info()),
            note: note(&[&got(self.won, self.back), &total, folded]),
            has_won: self.won > 0,
            rank: (self.won, rank),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::cards::CardName;

    use super::super::facts::Why;
    use super::*;

    fn card(name: &str) -> NaykuhCard {
        NaykuhCard::try_from(CardName::from(name).unwrap()).unwrap()
    }

    #[test]
    fn cards_that_the_public_may_not_see_have_their_backs_up() {
        let names = ["ann".to_owned(), "bob".to_owned()];
        let facts = [
            Fact::Dealt { seat: 0, cards: vec![None; 3] },
            Fact::Dealt { seat: 1, cards: vec![None; 3] },
            Fact::Traded { seat: 0, discarded: vec![None; 2], drawn: vec![None; 2] },
            Fact::Folded { seat: 0 },
            Fact::PotWon { pot: 0, seat: 1, chips: 20, why: Why::AllFolded },
        ];
        let HandStory { happened, players } = story(&facts.iter().collect::<Vec<_>>(), Names(&names));
        assert_eq!(happened, "bob wins 20: all others have folded");
        let notes: Vec<&str> = players.iter().map(|ranked| ranked.note.as_str()).collect();
        assert_eq!(notes, ["folds", "wins 20"]);
        assert!(players.iter().all(|ranked| ranked.cards == vec![None; 3]));
        assert!(players[1].rank > players[0].rank && players[1].has_won);
    }

    #[test]
    fn a_seven_comes_first_and_what_is_above_it_after_all_that_can_win() {
        let names = ["ann", "bob", "cat", "dan"].map(str::to_owned);
        let shown = |seat, total| Fact::Shown { seat, cards: Vec::new(), total };
        let facts = [shown(0, 7), shown(1, 8), shown(2, 3), Fact::Folded { seat: 3 }];
        let HandStory { players, .. } = story(&facts.iter().collect::<Vec<_>>(), Names(&names));
        let rank = |at: usize| players[at].rank;
        assert!(rank(0) > rank(2) && rank(2) > rank(1) && rank(1) > rank(3));
        assert_eq!(players[1].note, "total 8");
    }

    #[test]
    fn a_trade_changes_the_cards_that_are_known() {
        let names = ["ann".to_owned()];
        let known = |names: &[&str]| names.iter().map(|name| Some(card(name))).collect();
        let facts = [
            Fact::Dealt { seat: 0, cards: known(&["6S", "1C", "1C"]) },
            Fact::Traded { seat: 0, discarded: known(&["1C"]), drawn: known(&["2G"]) },
        ];
        let HandStory { players, .. } = story(&facts.iter().collect::<Vec<_>>(), Names(&names));
        let expected = ["1C", "2G", "6S"].map(|name| Some(card(name).info()));
        assert_eq!(players[0].cards, expected);
    }
}
