//! A hand of Ricketts House Hearts. All cards were played, so the story shows those that count,
//! each with the player who took it.

use std::collections::BTreeMap;

use super::facts::Fact;
use crate::rules::cards::{ACE, French, KING, QUEEN};
use crate::rules::facts::Names;

use crate::rules::hand_story::{HandStory, PlayerStory, list, verb};

const HEARTS: u8 = 2;
const SPADES: u8 = 3;

#[derive(Default)]
struct Seat {
    counting: Vec<French>,
    added: i32,
    score: i32,
}

pub fn story(facts: &[&Fact], names: Names<'_>) -> HandStory {
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
    HandStory { happened, players }
}

fn counts(card: French) -> bool {
    card.suit() == HEARTS || (card.suit() == SPADES && card.rank() == QUEEN)
}

impl Seat {
    fn told(mut self, name: &str, fewest: i32) -> PlayerStory {
        // The queen of spades first, then the hearts, the ace above the king.
        let height = |card: &French| if card.rank() == ACE { KING + 1 } else { card.rank() };
        self.counting.sort_by_key(|card| std::cmp::Reverse((card.suit(), height(card))));
        PlayerStory {
            name: name.to_owned(),
            cards: self.counting.iter().map(|card| Some(card.info())).collect(),
            note: format!("{:+}, {} in all", self.added, self.score),
            has_won: self.added == fewest,
            rank: (0, -i64::from(self.added)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::facts::Fact;
    use super::*;

    #[test]
    fn points_and_scores_are_told_and_who_has_the_fewest_wins() {
        let names = ["ann", "bob", "cat", "dan"].map(str::to_owned);
        let scored = |seat, added, score| Fact::Scored { seat, added, score };
        let facts = [
            scored(0, 5, 12),
            scored(1, 1, 40),
            scored(2, 20, 100),
            Fact::Wrapped { seat: 2, score: 0 },
            scored(3, 1, 1),
        ];
        let HandStory { happened, players } = story(&facts.iter().collect::<Vec<_>>(), Names(&names));
        assert_eq!(happened, "bob and dan take the fewest points: 1");
        let notes: Vec<&str> = players.iter().map(|player| player.note.as_str()).collect();
        assert_eq!(notes, ["+5, 12 in all", "+1, 40 in all", "+20, 0 in all", "+1, 1 in all"]);
        let won: Vec<bool> = players.iter().map(|player| player.has_won).collect();
        assert_eq!(won, [false, true, false, true]);
        assert!(players[1].rank == players[3].rank && players[1].rank > players[0].rank);
    }
}
