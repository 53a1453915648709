//! A hand of Royal Gambit: each row as the hand left it.

use std::collections::BTreeMap;

use super::facts::Fact;
use crate::rules::cards::French;
use crate::rules::facts::Names;

use crate::rules::hand_story::{HandStory, PlayerStory, list, verb};

#[derive(Default)]
struct Seat {
    row: Vec<French>,
    is_bust: bool,
    /// What it stayed for, and what it has in all.
    stayed: Option<(u32, u32)>,
}

impl Seat {
    fn leave(&mut self, cards: &[French]) {
        self.row.retain(|card| !cards.contains(card));
    }

    fn score(&self) -> u32 {
        self.stayed.map_or(0, |(score, _)| score)
    }
}

pub fn story(facts: &[&Fact], names: Names<'_>) -> HandStory {
    let mut seats: BTreeMap<u8, Seat> = BTreeMap::new();
    for &fact in facts {
        match fact {
            Fact::HandBegan { seats: taking_part, .. } => {
                seats.extend(taking_part.iter().map(|seat| (*seat, Seat::default())));
            }
            Fact::Flipped { seat, card, .. } => seats.entry(*seat).or_default().row.push(*card),
            Fact::Pardoned { seat, queen, card } => {
                seats.entry(*seat).or_default().leave(&[*queen, *card]);
            }
            Fact::Given { from, to, card } => {
                seats.entry(*from).or_default().leave(&[*card]);
                seats.entry(*to).or_default().row.push(*card);
            }
            Fact::Bust { seat } => seats.entry(*seat).or_default().is_bust = true,
            Fact::Stayed { seat, score, total } => {
                seats.entry(*seat).or_default().stayed = Some((*score, *total));
            }
            _ => {}
        }
    }
    let most = seats.values().map(Seat::score).max().unwrap_or(0);
    let best = seats.iter().filter(|(_, row)| row.score() == most);
    let best: Vec<&str> = best.map(|(seat, _)| names.of(*seat)).collect();
    let happened = match most {
        0 if seats.values().all(|row| row.is_bust) => "Everybody is bust, and nobody scores".to_owned(),
        0 => "Nobody scores".to_owned(),
        score => format!("{} {} {score}", list(&best), verb(&best, "scores", "score")),
    };
    let players = seats.into_iter().map(|(seat, row)| row.told(names.of(seat), most)).collect();
    HandStory { happened, players }
}

impl Seat {
    fn told(self, name: &str, most: u32) -> PlayerStory {
        let note = match self.stayed {
            _ if self.is_bust => "bust".to_owned(),
            Some((score, total)) => format!("stays for {score}, {total} in all"),
            None => "did not stay".to_owned(),
        };
        let score = self.score();
        PlayerStory {
            name: name.to_owned(),
            cards: self.row.iter().map(|card| Some(card.info())).collect(),
            note,
            has_won: most > 0 && score == most,
            rank: (score.into(), if self.is_bust { -1 } else { 0 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::cards::CardName;

    use super::super::facts::{Cause, Stage};
    use super::*;

    #[test]
    fn a_row_loses_what_was_given_away_and_what_pardoned_it() {
        let names = ["ann".to_owned(), "bob".to_owned()];
        let card = |name: &str| French::try_from(CardName::from(name).unwrap()).unwrap();
        let flipped = |seat, name| Fact::Flipped { seat, card: card(name), why: Cause::Hit };
        let facts = [
            Fact::HandBegan { hand: 1, stage: Stage::Ordinary, dealer: 0, seats: vec![0, 1] },
            flipped(1, "QH"),
            flipped(1, "5C"),
            flipped(1, "5D"),
            Fact::Pardoned { seat: 1, queen: card("QH"), card: card("5D") },
            flipped(1, "7S"),
            Fact::Given { from: 1, to: 0, card: card("7S") },
            Fact::Stayed { seat: 1, score: 5, total: 12 },
            Fact::Bust { seat: 0 },
        ];
        let HandStory { happened, players } = story(&facts.iter().collect::<Vec<_>>(), Names(&names));
        assert_eq!(happened, "bob scores 5");
        let [ann, bob] = &players[..] else { panic!("there are two") };
        assert_eq!((ann.note.as_str(), bob.note.as_str()), ("bust", "stays for 5, 12 in all"));
        assert_eq!(ann.cards, [Some(card("7S").info())]);
        assert_eq!(bob.cards, [Some(card("5C").info())]);
        assert!(bob.has_won && !ann.has_won && bob.rank > ann.rank);
    }
}
