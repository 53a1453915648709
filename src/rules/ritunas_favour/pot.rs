//! Who pays into the pot of Rituna's Favour, and who it goes to.

use std::mem::take;

use arrayvec::ArrayVec;

use super::super::betting::{NoWinner, able_to_pay, shares};
use super::super::{Facts, SeatSet};
use super::hand::{Hand, Holder};
use super::view::{Fact, Why};
use super::{MAX_HANDS, Phase, RitunasFavour};

impl RitunasFavour {
    pub(super) fn able_to_pay(&self) -> SeatSet {
        able_to_pay(&self.stacks, u64::from(self.options.charge))
    }

    pub(super) fn charge(&mut self, holder: Holder, facts: &mut Facts<Fact>) {
        let chips = u64::from(self.options.charge);
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
            facts.tell(|| Fact::PotWon { seat: holder.seat(), hand: self.nth(at), chips, why });
        }
        // A hand that two split hands of a seat have won together is one hand won.
        let seats: SeatSet = winners.iter().filter_map(|&at| self.hands[at].holder.seat()).collect();
        for seat in seats.iter() {
            self.hands_won[usize::from(seat)] += 1;
        }
        self.end_hand(self.is_last_hand(), facts);
    }

    /// All are bust.
    fn leave_pot(&mut self, facts: &mut Facts<Fact>) {
        let last = self.is_last_hand();
        if self.options.no_winner == NoWinner::Carry && !last {
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
        self.end_hand(last, facts);
    }

    fn pay(&mut self, holder: Holder, chips: u64) {
        match holder {
            Holder::Seat(seat) => self.stacks[usize::from(seat)] += chips,
            Holder::House => self.bank += chips as i64,
        }
    }

    fn is_last_hand(&self) -> bool {
        self.hand == self.options.hands || self.able_to_pay().len() < 2
    }

    fn end_hand(&mut self, last: bool, facts: &mut Facts<Fact>) {
        facts.tell(|| Fact::HandEnded { hand: self.hand, stacks: self.stacks.to_vec() });
        let button = self.button().expect("a hand that ends was dealt");
        self.phase = match self.able_to_pay().from_left_of(button).next() {
            Some(dealer) if !last => Phase::Shuffle { dealer },
            _ => Phase::Over,
        };
    }
}
