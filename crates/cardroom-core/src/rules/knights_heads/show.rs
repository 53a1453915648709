//! The end of a hand of Knights' Heads: who shows, who wins which pot and by what.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::super::betting::{self, NoWinner, Pot, Share};
use super::super::{Facts, MAX_SEATS, PerSeat, Seat, SeatSet};
use super::hands::{Ranked, rank};
use super::rabble::Rabble;
use super::table::{Cards, Table};
use super::view::{self, Fact, Why};
use super::{KnightsHeads, Phase};

/// A hand that is over, as far as everybody may know it, and its rabble.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    pub hand: u16,
    pub dealer: Seat,
    /// Who called for the show.
    pub caller: Option<Seat>,
    /// What each seat showed; nothing where it did not.
    pub shown: PerSeat<Cards>,
    /// What a shown hand got is known to all; the rest of it to giver and receiver alone.
    pub rabble: Rabble,
    /// Chips that nobody matched, and who took them back.
    pub unmatched: Option<(Seat, u32)>,
    /// The main pot first.
    pub awards: ArrayVec<Award, MAX_SEATS>,
    /// The option, so that shown hands can be judged again.
    pub triplet_counts: bool,
}

pub type Award = betting::Award<Why>;

impl Settled {
    pub fn has_shown(&self, seat: Seat) -> bool {
        !self.shown[usize::from(seat)].is_empty()
    }

    /// What a hand that was shown makes.
    pub fn ranked(&self, seat: Seat) -> Ranked {
        rank(&self.shown[usize::from(seat)], self.triplet_counts)
    }

    /// Who showed, in the order of the show: the caller, if there is one, comes last.
    pub fn in_order(&self) -> impl Iterator<Item = Seat> {
        let shown: SeatSet = (0..self.shown.len() as Seat).filter(|&seat| self.has_shown(seat)).collect();
        shown.from_left_of(self.caller.unwrap_or(self.dealer))
    }

    /// The best hand that contests the pot, and the best of those it beats.
    pub fn contest(&self, pot: Pot) -> (Ranked, Option<Ranked>) {
        let hands = || pot.seats.iter().map(|seat| self.ranked(seat));
        let best = hands().max().expect("a pot is contested by somebody");
        (best, hands().filter(|&hand| hand < best).max())
    }

    /// Who wins `pot`, and why. A pot that nobody qualifies for is carried, until it is known whether it can
    /// be.
    fn award(&self, pot: Pot) -> Award {
        let (best, beaten) = self.contest(pot);
        if best.hand.number().is_none() {
            return Award { pot, to: SeatSet::EMPTY, why: Why::Carried };
        }
        let to = pot.seats.iter().filter(|&seat| self.ranked(seat) == best).collect();
        let why = match beaten {
            Some(other) if other.hand == best.hand && other.faces == best.faces => Why::Notables,
            Some(other) if other.hand == best.hand => Why::Faces,
            _ => Why::Hand,
        };
        Award { pot, to, why }
    }
}

impl KnightsHeads {
    /// Pays out a hand that nobody is waited for in.
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
            facts.tell(|| Fact::Shown(view::shown(&settled, seat)));
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

    /// Splits the pots that nobody won between those who contested them, or returns how much is carried.
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

/// All who are in show, unless all others have folded.
fn show(table: &Table) -> PerSeat<Cards> {
    match table.bets.last_seat() {
        Some(_) => table.cards.iter().map(|_| Cards::new()).collect(),
        // Who has folded holds none.
        None => table.cards.clone(),
    }
}

fn pay(table: &mut Table, nth: u8, award: Award, settled: &Settled, facts: &mut Facts<Fact>) {
    for share in award.shares(table.dealer) {
        table.bets.pay(share);
        let Share { seat, chips } = share;
        facts.tell(|| match award.why {
            Why::Returned => Fact::PotReturned { pot: nth, seat, chips },
            why => Fact::PotWon { pot: nth, seat, chips, why, words: view::words(settled, award) },
        });
    }
}
