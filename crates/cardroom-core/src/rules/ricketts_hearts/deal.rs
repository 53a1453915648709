//! A hand as dealt, and the passing of cards before it is played.

use serde::{Deserialize, Serialize};

use super::cards::{CardSet, SEATS};
use super::facts::{Fact, Received, tell_cards};
use super::passing::{Passed, Route};
use crate::rules::cards::French;
use crate::rules::facts::Facts;
use crate::rules::seats::{Seat, SeatSet};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deal {
    pub dealer: Seat,
    /// What each seat holds. What it has passed on, it holds no more; what it receives, it holds when all
    /// have passed.
    pub hands: [CardSet; SEATS],
    /// What each seat has passed on, in the order in which it goes round.
    pub passed: [Option<Passed>; SEATS],
}

/// The seat that is so many places to the left.
pub fn left_of(seat: Seat, places: u8) -> Seat {
    (seat + places) % SEATS as Seat
}

impl Deal {
    /// One card at a time, from the left of the dealer.
    pub fn dealt(dealer: Seat, order: &[French]) -> Deal {
        let mut hands = [CardSet::EMPTY; SEATS];
        for (nth, &card) in order.iter().enumerate() {
            hands[(usize::from(dealer) + 1 + nth) % SEATS].insert(card);
        }
        Deal { dealer, hands, passed: [None; SEATS] }
    }

    pub fn hand(&self, seat: Seat) -> CardSet {
        self.hands[usize::from(seat)]
    }

    /// The seats that have not passed yet.
    pub fn yet_to_pass(&self) -> SeatSet {
        (0..).zip(&self.passed).filter(|(_, passed)| passed.is_none()).map(|(seat, _)| seat).collect()
    }

    pub fn pass(&mut self, seat: Seat, cards: Passed, facts: &mut Facts<Fact>) {
        cards.iter().for_each(|&card| self.hands[usize::from(seat)].remove(card));
        self.passed[usize::from(seat)] = Some(cards);
        tell_cards(facts, seat, |sees| Fact::Passed {
            seat,
            cards: cards.iter().map(|&card| sees(card)).collect(),
        });
    }

    /// Hands out what was passed: all have.
    pub fn exchange(&mut self, route: Route, facts: &mut Facts<Fact>) {
        for seat in 0..SEATS as Seat {
            let hand = &mut self.hands[usize::from(seat)];
            received(&self.passed, route, seat).for_each(|(_, card)| hand.insert(card));
            tell_cards(facts, seat, |sees| Fact::Received {
                seat,
                cards: received(&self.passed, route, seat)
                    .map(|(from, card)| Received { from, card: sees(card) })
                    .collect(),
            });
        }
    }
}

/// What comes to `seat` and from whom, its left neighbour first.
pub fn received(
    passed: &[Option<Passed>; SEATS],
    route: Route,
    seat: Seat,
) -> impl Iterator<Item = (Seat, French)> {
    let givers = (1..SEATS as u8).map(move |places| left_of(seat, places));
    givers.flat_map(move |giver| {
        let cards = passed[usize::from(giver)].into_iter().flatten();
        cards
            .zip(route)
            .filter(move |&(_, places)| left_of(giver, places) == seat)
            .map(move |(card, _)| (giver, card))
    })
}
