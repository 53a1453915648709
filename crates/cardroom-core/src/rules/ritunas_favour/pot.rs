//! The pot of Rituna's Favour: what is paid into it, and where it goes.

use std::mem::take;

use arrayvec::ArrayVec;

use super::facts::{Fact, Why};
use super::hand::{Hand, Holder};
use super::options::Dealer;
use super::state::{MAX_HANDS, Phase, RitunasFavour};
use crate::rules::betting::{able_to_pay, next_dealer, shares};
use crate::rules::facts::Facts;
use crate::rules::seats::{Seat, SeatSet};
use crate::rules::stakes::NoWinner;

impl RitunasFavour {
    /// The seats that can pay for the next hand.
    pub(super) fn able_to_pay(&self) -> SeatSet {
        able_to_pay(&self.stacks, u64::from(self.options.charge_of(self.hand + 1)))
    }

    pub(super) fn charge(&mut self, holder: Holder, facts: &mut Facts<Fact>) {
        let chips = u64::from(self.options.charge_of(self.hand));
        match holder {
            Holder::Seat(seat) => self.stacks[usize::from(seat)] -= chips,
            Holder::House => self.bank -= chips as i64,
        }
        self.pot += chips;
        facts.tell(|| Fact::Charged { seat: holder.seat(), chips });
    }

    /// Nobody is left to decide: the best hand wins.
    pub(super) fn show(&mut self, facts: &mut Facts<Fact>) {
        let kings = self.options.kings;
        let strengths = || self.hands.iter().filter_map(|hand| hand.strength(kings));
        let Some(best) = strengths().max() else {
            return self.leave_pot(facts);
        };
        let why = match strengths().filter(|&other| other < best).max() {
            Some(next) if next.total == best.total && next.queen == best.queen => Why::MoreCards,
            Some(next) if next.total == best.total => Why::Queen,
            _ => Why::Total,
        };
        self.award(|hand| hand.strength(kings) == Some(best), why, facts);
    }

    /// Pays the pot to the hands that win it, a share each.
    pub(super) fn award(&mut self, wins: impl Fn(&Hand) -> bool, why: Why, facts: &mut Facts<Fact>) {
        let winners: ArrayVec<usize, MAX_HANDS> =
            (0..self.hands.len()).filter(|&at| wins(&self.hands[at])).collect();
        let stake = take(&mut self.pot) + take(&mut self.carried);
        for (&at, chips) in winners.iter().zip(shares(stake, winners.len())) {
            let holder = self.hands[at].holder;
            self.pay(holder, chips);
            facts.tell(|| Fact::PotWon { seat: holder.seat(), split_hand: self.nth(at), chips, why });
        }
        // A hand that two split hands of a seat have won together is one hand won.
        let seats: SeatSet = winners.iter().filter_map(|&at| self.hands[at].holder.seat()).collect();
        for seat in seats.iter() {
            self.hands_won[usize::from(seat)] += 1;
        }
        self.end_hand(facts);
    }

    /// All are bust.
    fn leave_pot(&mut self, facts: &mut Facts<Fact>) {
        // It is carried only where a hand follows without it. Dealt out, it can make a hand follow.
        if self.options.no_winner == NoWinner::Carry && self.next_dealer().is_some() {
            self.carried += take(&mut self.pot);
            facts.tell(|| Fact::Carried { chips: self.carried });
        } else {
            let holders: ArrayVec<Holder, MAX_HANDS> = self.holders().collect();
            let stake = take(&mut self.pot) + take(&mut self.carried);
            for (&holder, chips) in holders.iter().zip(shares(stake, holders.len())) {
                self.pay(holder, chips);
                facts.tell(|| Fact::PotReturned { seat: holder.seat(), chips });
            }
        }
        self.end_hand(facts);
    }

    /// Deals out a carried pot for which no hand will be played, between those who would have taken part in that hand.
    pub(super) fn split_carried(&mut self, dealer: Seat) {
        let holders: ArrayVec<Holder, MAX_HANDS> = self.next_holders(dealer).collect();
        let carried = take(&mut self.carried);
        for (&holder, chips) in holders.iter().zip(shares(carried, holders.len())) {
            self.pay(holder, chips);
        }
    }

    fn pay(&mut self, holder: Holder, chips: u64) {
        match holder {
            Holder::Seat(seat) => self.stacks[usize::from(seat)] += chips,
            Holder::House => self.bank += chips as i64,
        }
    }

    /// The seats that are dealt to in the next hand, in that order, and the house where it deals.
    pub(super) fn next_holders(&self, dealer: Seat) -> impl Iterator<Item = Holder> + use<> {
        let house = (self.options.dealer == Dealer::House).then_some(Holder::House);
        self.able_to_pay().from_left_of(dealer).map(Holder::Seat).chain(house)
    }

    /// The seat that has the button in the next hand, if one follows this.
    fn next_dealer(&self) -> Option<Seat> {
        let button = self.button().expect("a hand that ends was dealt");
        next_dealer(button, self.able_to_pay()).filter(|_| self.hand < self.options.hands)
    }

    fn end_hand(&mut self, facts: &mut Facts<Fact>) {
        facts.tell(|| Fact::HandEnded { hand: self.hand, stacks: self.stacks.to_vec() });
        self.phase = match self.next_dealer() {
            Some(dealer) => Phase::Shuffle { dealer },
            None => Phase::Over,
        };
    }
}
