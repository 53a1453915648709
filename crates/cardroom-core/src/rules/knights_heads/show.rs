//! The end of a hand of Knights' Heads: the show, and the winners of each pot.

use arrayvec::ArrayVec;

use super::facts::{Fact, Why};
use super::settled::{Award, Settled, shown, words};
use super::state::{KnightsHeads, Phase};
use super::table::{Cards, Table};
use crate::rules::betting::{self, Share};
use crate::rules::facts::Facts;
use crate::rules::seats::{PerSeat, Seat};
use crate::rules::stakes::NoWinner;

impl KnightsHeads {
    /// Pays out a hand that waits for no seat.
    pub(super) fn settle(&mut self, mut table: Table, caller: Option<Seat>, facts: &mut Facts<Fact>) {
        let unmatched = table.bets.take_back_unmatched();
        if let Some((seat, chips)) = unmatched {
            facts.tell(|| Fact::UnmatchedReturned { seat, chips });
        }
        let mut settled = Settled {
            hand: self.hand,
            dealer: table.dealer,
            caller,
            shown: show(&table),
            rabble: table.rabble.clone(),
            unmatched,
            awards: ArrayVec::new(),
            triplet_counts: self.options.triplet_counts,
        };
        for seat in settled.in_order() {
            facts.tell(|| Fact::Shown(shown(&settled, seat)));
        }
        let last_seat = table.bets.last_seat().is_some();
        for (nth, pot) in (0..).zip(table.bets.pots()) {
            let award = match last_seat {
                true => Award { pot, to: pot.seats, why: Why::AllFolded },
                false => settled.award(pot),
            };
            pay(&mut table, nth, award, &settled, facts);
            settled.awards.push(award);
        }
        let carried = self.deal_out_unwon(&mut settled, &mut table, facts);
        self.last_hand = Some(settled);
        self.go_on(table, carried, facts);
    }

    /// Splits the pots that nobody won between the seats that contested them, or returns how much is carried.
    fn deal_out_unwon(&self, settled: &mut Settled, table: &mut Table, facts: &mut Facts<Fact>) -> u64 {
        // A pot is carried only where a hand follows without it. One that is dealt out can make a hand follow.
        let carries = self.options.no_winner == NoWinner::Carry && self.next_dealer(table).is_some();
        let mut carried = 0;
        for nth in 0..settled.awards.len() {
            let award = settled.awards[nth];
            if !award.to.is_empty() {
                continue;
            }
            if carries {
                carried += award.pot.chips;
                facts.tell(|| Fact::Carried { pot: nth as u8, chips: award.pot.chips });
            } else {
                let returned = Award { to: award.pot.seats, why: Why::Returned, ..award };
                pay(table, nth as u8, returned, settled, facts);
                settled.awards[nth] = returned;
            }
        }
        carried
    }

    fn go_on(&mut self, table: Table, carried: u64, facts: &mut Facts<Fact>) {
        let dealer = self.next_dealer(&table);
        let stacks = table.bets.stacks;
        facts.tell(|| Fact::HandEnded { hand: self.hand, stacks: stacks.to_vec() });
        self.phase = match dealer {
            Some(dealer) => Phase::Shuffle { dealer, stacks, carried },
            None => Phase::Over { stacks },
        };
    }

    /// The seat that deals the next hand, if one follows this.
    fn next_dealer(&self, table: &Table) -> Option<Seat> {
        let able = self.able_to_pay(&table.bets.stacks);
        betting::next_dealer(table.dealer, able).filter(|_| self.hand < self.options.hands)
    }
}

/// All seats that are in show, unless all others have folded.
fn show(table: &Table) -> PerSeat<Cards> {
    match table.bets.last_seat() {
        Some(_) => table.cards.iter().map(|_| Cards::new()).collect(),
        // A seat that has folded holds none.
        None => table.cards.clone(),
    }
}

fn pay(table: &mut Table, nth: u8, award: Award, settled: &Settled, facts: &mut Facts<Fact>) {
    for share in award.shares(table.dealer) {
        table.bets.pay(share);
        let Share { seat, chips } = share;
        facts.tell(|| match award.why {
            Why::Returned => Fact::PotReturned { pot: nth, seat, chips },
            why => Fact::PotWon { pot: nth, seat, chips, why, words: words(settled, award) },
        });
    }
}
