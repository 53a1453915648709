//! A hand of Ricketts House Hearts. All cards were played, so the picture shows those that count, with whoever took them.

use std::collections::BTreeMap;

use cardroom_core::rules::cards::{ACE, French, KING, QUEEN};
use cardroom_core::rules::facts::Names;
use cardroom_core::rules::ricketts_hearts::Fact;

use super::telling::{Ranked, Told, list, verb};
use crate::http::page::preview::cards::Face;
use crate::http::page::preview::picture::Player;

const HEARTS: u8 = 2;
const SPADES: u8 = 3;

#[derive(Default)]
struct Seat {
    counting: Vec<French>,
    added: i32,
    score: i32,
}

pub fn told(facts: &[&Fact], names: Names<'_>) -> Told {
    let mut seats: BTreeMap<u8, Seat> = BTreeMap::new();
    let mut shooter = None;
    for &fact in facts {
        match fact {
            Fact::TrickTaken { seat, cards, .. } => {
                let counting = cards.iter().filter(|card| counts(**card));
                seats.entry(*seat).or_default().counting.extend(counting);
            }
            Fact::MoonShot { seat } => shooter = Some(*seat),
            Fact::Scored { seat, added, score } => {
                let seat = seats.entry(*seat).or_default();
                (seat.added, seat.score) = (*added, *score);
            }
            Fact::Wrapped { seat, .. } => seats.entry(*seat).or_default().score = 0,
            _ => {}
        }
    }
    let fewest = seats.values().map(|seat| seat.added).min().unwrap_or(0);
    let best = seats.iter().filter(|(_, seat)| seat.added == fewest);
    let best: Vec<&str> = best.map(|(seat, _)| names.of(*seat)).collect();
    let happened = match (shooter, fewest) {
        (Some(seat), _) => format!("{} has shot the moon", names.of(seat)),
        (None, 0) => format!("{} {} no points", list(&best), verb(&best, "takes", "take")),
        (None, points) => {
            format!("{} {} the fewest points: {points}", list(&best), verb(&best, "takes", "take"))
        }
    };
    let players = seats.into_iter().map(|(seat, taken)| taken.told(names.of(seat), fewest)).collect();
    Told { happened, players }
}

fn counts(card: French) -> bool {
    card.suit() == HEARTS || (card.suit() == SPADES && card.rank() == QUEEN)
}

impl Seat {
    fn told(mut self, name: &str, fewest: i32) -> Ranked {
        // The queen of spades first, then the hearts, the ace above the king.
        let height = |card: &French| if card.rank() == ACE { KING + 1 } else { card.rank() };
        self.counting.sort_by_key(|card| std::cmp::Reverse((card.suit(), height(card))));
        let player = Player {
            name: name.to_owned(),
            cards: self.counting.iter().map(|card| Face::of(&card.info())).collect(),
            note: format!("{:+}, {} in all", self.added, self.score),
            has_won: self.added == fewest,
        };
        Ranked { rank: (0, -i64::from(self.added)), player }
    }
}
