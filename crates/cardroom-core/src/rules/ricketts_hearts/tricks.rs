//! The thirteen tricks of a hand.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::cards::{ALL_POINTS, CardSet, HEARTS, PENALTIES, SEATS, height};
use super::deal::{Deal, left_of};
use super::facts::Fact;
use crate::rules::cards::French;
use crate::rules::facts::Facts;
use crate::rules::seats::Seat;

/// How many tricks a hand has.
pub const TRICKS: usize = 13;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tricks {
    pub deal: Deal,
    /// The seat that leads, or led, the trick that lies on the table.
    pub leader: Seat,
    /// The trick on the table, the card led first.
    pub trick: ArrayVec<French, SEATS>,
    pub taken: ArrayVec<Trick, TRICKS>,
}

/// A trick of four cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trick {
    pub leader: Seat,
    /// In the order played.
    pub cards: [French; SEATS],
    /// The seat that played the highest card of the suit led.
    pub taker: Seat,
    /// What it counts.
    pub points: u8,
}

impl Tricks {
    pub fn new(deal: Deal) -> Tricks {
        let leader = left_of(deal.dealer, 1);
        Tricks { deal, leader, trick: ArrayVec::new(), taken: ArrayVec::new() }
    }

    pub fn turn(&self) -> Seat {
        left_of(self.leader, self.trick.len() as u8)
    }

    pub fn are_all_taken(&self) -> bool {
        self.taken.is_full()
    }

    /// A heart or the queen of spades has been played.
    pub fn hearts_are_broken(&self) -> bool {
        let held = self.deal.hands.into_iter().fold(CardSet::EMPTY, |held, hand| held | hand);
        held & PENALTIES != PENALTIES
    }

    /// What the seat whose turn it is may play.
    pub fn playable(&self) -> CardSet {
        let hand = self.deal.hand(self.turn());
        match self.trick.first() {
            None if self.hearts_are_broken() => hand,
            None => hand.prefer(!HEARTS),
            Some(led) => {
                let suit = CardSet::suit(led.suit());
                let cannot_follow = (hand & suit).is_empty();
                let is_first = self.taken.is_empty();
                hand.prefer(if cannot_follow && is_first { !PENALTIES } else { suit })
            }
        }
    }

    pub fn play(&mut self, card: French, facts: &mut Facts<Fact>) {
        let seat = self.turn();
        self.deal.hands[usize::from(seat)].remove(card);
        self.trick.push(card);
        facts.tell(|| Fact::Played { seat, card });
        if let Ok(cards) = self.trick.as_slice().try_into() {
            let trick = Trick::of(self.leader, cards);
            facts.tell(|| Fact::TrickTaken {
                seat: trick.taker,
                cards: cards.to_vec(),
                points: trick.points,
            });
            self.leader = trick.taker;
            self.taken.push(trick);
            self.trick.clear();
        }
    }
}

impl Trick {
    fn of(leader: Seat, cards: [French; SEATS]) -> Trick {
        let led = cards[0].suit();
        let in_suit = (0..).zip(cards).filter(|(_, card)| card.suit() == led);
        let (places, _) = in_suit.max_by_key(|&(_, card)| height(card)).expect("the card led is of its suit");
        let points = cards.into_iter().collect::<CardSet>().points();
        Trick { leader, cards, taker: left_of(leader, places), points }
    }
}

/// What each seat has taken.
pub fn points(taken: &[Trick]) -> [u8; SEATS] {
    let mut points = [0; SEATS];
    for trick in taken {
        points[usize::from(trick.taker)] += trick.points;
    }
    points
}

/// The seat that has taken all that counts.
pub fn shooter(taken: &[Trick]) -> Option<Seat> {
    (0..).zip(points(taken)).find(|&(_, points)| points == ALL_POINTS).map(|(seat, _)| seat)
}
