//! How the cards that a seat does not see may lie with the three others. Every way in which no seat holds a suit that it has
//! shown to be out of is as likely.

use super::cards::{CardSet, SEATS};
use crate::rules::bot::Luck;
use crate::rules::cards::French;

/// How many seats hold what is unseen.
const OTHERS: usize = SEATS - 1;

/// What one of the three others may hold.
#[derive(Debug)]
pub struct Room {
    pub seat: usize,
    /// How many unseen cards it holds.
    pub cards: usize,
    /// What it has shown not to hold.
    pub lacks: CardSet,
}

/// How the unseen cards may lie.
pub struct Unseen {
    classes: Vec<Class>,
    /// Each way to split the classes, by how many cards of each go to each of the three; and in how many ways cards can lie
    /// in this one and those before it.
    splits: Vec<(u64, Vec<[usize; OTHERS]>)>,
    seats: [usize; OTHERS],
}

/// Cards that the same seats may hold.
struct Class {
    holders: [bool; OTHERS],
    cards: Vec<French>,
}

impl Unseen {
    pub fn new(cards: CardSet, others: &[Room; OTHERS]) -> Unseen {
        let mut classes: Vec<Class> = Vec::new();
        for card in cards.iter() {
            let lacks = |other: &Room| !(other.lacks & CardSet::one(card)).is_empty();
            let holders = std::array::from_fn(|nth| !lacks(&others[nth]));
            match classes.iter_mut().find(|class| class.holders == holders) {
                Some(class) => class.cards.push(card),
                None => classes.push(Class { holders, cards: vec![card] }),
            }
        }
        // What only few may hold leaves few ways for the rest.
        classes.sort_by_key(|class| class.holders.iter().filter(|&&may_hold| may_hold).count());
        let mut unseen =
            Unseen { classes, splits: Vec::new(), seats: std::array::from_fn(|nth| others[nth].seat) };
        unseen.split(std::array::from_fn(|nth| others[nth].cards), 1, &mut Vec::new());
        unseen
    }

    /// Notes all ways to split the classes that follow on those in `begun`, if the three have this room left. The cards of
    /// `begun` can lie in so many ways.
    fn split(&mut self, room: [usize; OTHERS], ways: u64, begun: &mut Vec<[usize; OTHERS]>) {
        let Some(Class { holders, cards }) = self.classes.get(begun.len()) else {
            // 39 cards with three seats lie in fewer ways than a u64 holds.
            let before = self.splits.last().map_or(0, |(ways, _)| *ways);
            return self.splits.push((before + ways, begun.clone()));
        };
        let (holders, count) = (*holders, cards.len());
        let most = |nth: usize| if holders[nth] { room[nth].min(count) } else { 0 };
        for first in count.saturating_sub(most(1) + most(2))..=most(0) {
            let others = count - first;
            for second in others.saturating_sub(most(2))..=most(1).min(others) {
                let third = others - second;
                begun.push([first, second, third]);
                let left = [room[0] - first, room[1] - second, room[2] - third];
                self.split(left, ways * chosen(count, first) * chosen(others, second), begun);
                begun.pop();
            }
        }
    }

    /// These hands with the unseen cards in them, in any way that there is.
    pub fn deal(&self, mut hands: [CardSet; SEATS], luck: &mut Luck) -> [CardSet; SEATS] {
        let Some((ways, _)) = self.splits.last() else { return hands };
        let drawn = ((u128::from(luck.word()) * u128::from(*ways)) >> u64::BITS) as u64;
        let (_, split) = &self.splits[self.splits.partition_point(|(ways, _)| *ways <= drawn)];
        for (class, counts) in self.classes.iter().zip(split) {
            let mut cards = class.cards.clone();
            luck.shuffle(&mut cards);
            let mut cards = cards.into_iter();
            for (seat, count) in self.seats.iter().zip(counts) {
                cards.by_ref().take(*count).for_each(|card| hands[*seat].insert(card));
            }
        }
        hands
    }

    /// These hands with the unseen cards in them, in each way that there is.
    #[cfg(test)]
    pub fn all(&self, hands: [CardSet; SEATS]) -> Vec<[CardSet; SEATS]> {
        use crate::search::solved::choices;

        let mut all = Vec::new();
        for (_, split) in &self.splits {
            let mut ways = vec![hands];
            for (class, [first, second, _]) in self.classes.iter().zip(split) {
                let mut dealt = Vec::new();
                for (to_first, left) in choices(&class.cards, *first) {
                    for (to_second, to_third) in choices(&left, *second) {
                        for mut hands in ways.iter().copied() {
                            for (seat, cards) in self.seats.iter().zip([&to_first, &to_second, &to_third]) {
                                cards.iter().for_each(|card| hands[*seat].insert(*card));
                            }
                            dealt.push(hands);
                        }
                    }
                }
                ways = dealt;
            }
            all.extend(ways);
        }
        all
    }
}

/// In how many ways so many of these can be chosen.
fn chosen(of: usize, count: usize) -> u64 {
    (0..count as u64).fold(1, |ways, nth| ways * (of as u64 - nth) / (nth + 1))
}
