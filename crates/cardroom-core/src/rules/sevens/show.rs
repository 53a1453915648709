//! The end of a hand of Sevens: the show, the winners of each pot, and what becomes of a pot that nobody wins.

use arrayvec::ArrayVec;

use super::facts::{Fact, Why};
use super::hand::{Cards, Strength, strength, total};
use super::settled::{Award, Settled};
use super::state::{Phase, Sevens};
use super::table::Table;
use crate::rules::betting::{self, Pot, Share};
use crate::rules::facts::Facts;
use crate::rules::seats::{MAX_SEATS, PerSeat, Seat, SeatSet};
use crate::rules::stakes::NoWinner;

impl Sevens {
    /// Pays out a hand that waits for no seat.
    pub(super) fn settle(&mut self, mut table: Table, facts: &mut Facts<Fact>) {
        let unmatched = table.bets.take_back_unmatched();
        if let Some((seat, chips)) = unmatched {
            facts.tell(|| Fact::UnmatchedReturned { seat, chips });
        }
        let shown = show(&table, facts);
        let mut awards: ArrayVec<Award, MAX_SEATS> =
            table.bets.pots().iter().map(|&pot| award(pot, &table)).collect();
        for (nth, award) in (0..).zip(&awards) {
            pay(&mut table, nth, *award, facts);
        }
        // A pot is carried only where a hand follows without it. One that is dealt out can make a hand follow.
        let carries = self.options.no_winner == NoWinner::Carry && self.next_dealer(&table).is_some();
        let mut carried = 0;
        for (nth, award) in (0..).zip(&mut awards).filter(|(_, award)| award.to.is_empty()) {
            if carries {
                carried += award.pot.chips;
                facts.tell(|| Fact::Carried { pot: nth, chips: award.pot.chips });
            } else {
                *award = Award { to: award.pot.seats, why: Why::Returned, ..*award };
                pay(&mut table, nth, *award, facts);
            }
        }
        self.last_hand = Some(Settled { hand: self.hand, dealer: table.dealer, shown, unmatched, awards });
        self.go_on(table, carried, facts);
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
fn show(table: &Table, facts: &mut Facts<Fact>) -> PerSeat<Cards> {
    if table.bets.last_seat().is_some() {
        return table.cards.iter().map(|_| Cards::new()).collect();
    }
    for seat in table.bets.still_in.from_left_of(table.dealer) {
        let cards = &table.cards[usize::from(seat)];
        facts.tell(|| Fact::Shown { seat, cards: cards.to_vec(), total: total(cards) });
    }
    // A seat that has folded holds none.
    table.cards.clone()
}

/// The seats that win `pot`, and why. A pot that nobody qualifies for is carried, until it is known whether it can be.
fn award(pot: Pot, table: &Table) -> Award {
    if table.bets.last_seat().is_some() {
        return Award { pot, to: pot.seats, why: Why::AllFolded };
    }
    let strength_of = |seat: Seat| strength(&table.cards[usize::from(seat)]);
    let strengths = || pot.seats.iter().filter_map(strength_of);
    let Some(best) = strengths().max() else {
        return Award { pot, to: SeatSet::EMPTY, why: Why::Carried };
    };
    let to = pot.seats.iter().filter(|&seat| strength_of(seat) == Some(best)).collect();
    let tied = |other: Strength| other.total == best.total && other.one_suit < best.one_suit;
    let why = if strengths().any(tied) { Why::OneSuit } else { Why::Total };
    Award { pot, to, why }
}

fn pay(table: &mut Table, nth: u8, award: Award, facts: &mut Facts<Fact>) {
    for share in award.shares(table.dealer) {
        table.bets.pay(share);
        let Share { seat, chips } = share;
        facts.tell(|| match award.why {
            Why::Returned => Fact::PotReturned { pot: nth, seat, chips },
            why => Fact::PotWon { pot: nth, seat, chips, why },
        });
    }
}
