//! One hand while it is bet on: turns, chips, trades.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::card::{DECK, NaykuhCard};
use super::facts::{Fact, tell_cards};
use super::hand::{Cards, HAND};
use crate::rules::betting::Bets;
use crate::rules::facts::Facts;
use crate::rules::seats::{PerSeat, Seat, SeatSet};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    pub dealer: Seat,
    /// The seats that were dealt to.
    pub seats: SeatSet,
    /// The seat that the hand waits for.
    pub turn: Seat,
    /// The seats that have not had a turn: each seat gets one, to trade, whatever becomes of the betting.
    pub unheard: SeatSet,
    pub bets: Bets,
    /// What each seat holds; nothing once it has folded.
    pub cards: PerSeat<Cards>,
    /// How many cards each seat has traded.
    pub traded: PerSeat<u8>,
    /// The top is the last.
    pub deck: ArrayVec<NaykuhCard, DECK>,
}

impl Table {
    /// `seats` can all pay the ante; `carried` is what earlier hands left.
    pub fn dealt(
        dealer: Seat,
        seats: SeatSet,
        stacks: PerSeat<u32>,
        ante: u32,
        carried: u64,
        order: &[NaykuhCard],
    ) -> Table {
        let mut table = Table {
            dealer,
            seats,
            turn: seats.from_left_of(dealer).next().expect("a hand has seats"),
            unheard: seats,
            cards: stacks.iter().map(|_| Cards::new()).collect(),
            traded: stacks.iter().map(|_| 0).collect(),
            bets: Bets::new(stacks, seats, ante, carried),
            deck: order.iter().rev().copied().collect(),
        };
        for _round in 0..HAND {
            for seat in seats.from_left_of(dealer) {
                let card = table.draw();
                table.cards[usize::from(seat)].push(card);
            }
        }
        table.cards.iter_mut().for_each(|cards| cards.sort_unstable());
        table
    }

    /// Nobody has raised, or the seat has nothing to answer a raise with.
    pub fn may_check(&self, seat: Seat, ante: u32) -> bool {
        self.bets.bet == ante || !self.bets.can_bet(seat)
    }

    pub fn may_call(&self, seat: Seat) -> bool {
        self.bets.owed(seat) > 0 && self.bets.can_bet(seat)
    }

    /// What `seat` may trade from: its hand, until it has traded.
    pub fn tradable(&self, seat: Seat) -> &[NaykuhCard] {
        match self.traded[usize::from(seat)] {
            0 => &self.cards[usize::from(seat)],
            _ => &[],
        }
    }

    pub fn check(&mut self, seat: Seat, facts: &mut Facts<Fact>) {
        // It owes nothing, or has nothing left to pay with.
        self.bets.match_bet(seat);
        facts.tell(|| Fact::Checked { seat });
    }

    pub fn call(&mut self, seat: Seat, facts: &mut Facts<Fact>) {
        let chips = self.bets.match_bet(seat);
        facts.tell(|| Fact::Called { seat, chips });
    }

    pub fn raise(&mut self, seat: Seat, by: u32, facts: &mut Facts<Fact>) {
        let before = self.bets.put_in[usize::from(seat)];
        self.bets.raise(seat, by);
        let chips = self.bets.put_in[usize::from(seat)] - before;
        facts.tell(|| Fact::Raised { seat, by, chips });
    }

    pub fn fold(&mut self, seat: Seat, facts: &mut Facts<Fact>) {
        self.bets.fold(seat);
        self.cards[usize::from(seat)].clear();
        facts.tell(|| Fact::Folded { seat });
    }

    /// `discards` are in the seat's hand. They stay out of the hand that is played.
    pub fn trade(&mut self, seat: Seat, discards: &[NaykuhCard], facts: &mut Facts<Fact>) {
        if discards.is_empty() {
            return;
        }
        let drawn: Cards = discards.iter().map(|_| self.draw()).collect();
        let cards = &mut self.cards[usize::from(seat)];
        for discard in discards {
            let at = cards.iter().position(|card| card == discard).expect("the menu offers held cards");
            cards.remove(at);
        }
        cards.extend(drawn.iter().copied());
        cards.sort_unstable();
        self.traded[usize::from(seat)] = discards.len() as u8;
        tell_cards(facts, seat, |sees| Fact::Traded {
            seat,
            discarded: discards.iter().map(|&card| sees(card)).collect(),
            drawn: drawn.iter().map(|&card| sees(card)).collect(),
        });
    }

    /// The seat whose turn it is after `seat` has acted; none: the hand is over.
    pub fn turn_after(&mut self, seat: Seat) -> Option<Seat> {
        self.unheard.remove(seat);
        if self.bets.last_seat().is_some() {
            return None;
        }
        if seat != self.turn {
            // It has folded out of turn.
            return Some(self.turn);
        }
        let betting = self.bets.next_after(seat);
        let waits_for = |&next: &Seat| betting == Some(next) || self.unheard.contains(next);
        self.bets.still_in.from_left_of(seat).find(waits_for)
    }

    fn draw(&mut self) -> NaykuhCard {
        self.deck.pop().expect("six seats deal and trade no more than the deck")
    }
}
