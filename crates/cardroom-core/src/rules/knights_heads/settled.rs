//! A hand of Knights' Heads that is over: the hands shown, the rabble, unmatched chips and the pots.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::facts::{Shown, Why};
use super::hands::{Ranked, courts_of_knights, rank};
use super::rabble::Rabble;
use super::table::Cards;
use crate::rules::betting::{self, Pot};
use crate::rules::seats::{MAX_SEATS, PerSeat, Seat, SeatSet};

/// A hand that is over, as far as everybody may know it, and its rabble.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    pub hand: u16,
    pub dealer: Seat,
    /// The seat that called for the show.
    pub caller: Option<Seat>,
    /// What each seat showed; nothing where it did not.
    pub shown: PerSeat<Cards>,
    /// What a shown hand got is known to all; the rest of it to giver and receiver alone.
    pub rabble: Rabble,
    /// Chips that nobody matched, and the seat that took them back.
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

    /// The seats that showed, in the order of the show: the caller, if there is one, comes last.
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

    /// The seats that win `pot`, and why. A pot that nobody qualifies for is carried, until it is known whether it can
    /// be.
    pub fn award(&self, pot: Pot) -> Award {
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

/// A hand that is on the table.
pub(super) fn shown(settled: &Settled, seat: Seat) -> Shown {
    let cards = &settled.shown[usize::from(seat)];
    let ranked = settled.ranked(seat);
    let got = settled.rabble.giver(seat).map(|from| settled.rabble.gave(from).to_vec());
    Shown {
        seat,
        cards: cards.to_vec(),
        got: got.unwrap_or_default(),
        made: ranked.hand,
        words: ranked.to_string(),
        faces: ranked.faces,
        notables: ranked.notables,
        courts_of_knights: courts_of_knights(cards),
    }
}

/// Why a pot went where it went, for people.
pub(super) fn words(settled: &Settled, award: Award) -> String {
    match award.why {
        Why::AllFolded => return "all others folded".to_owned(),
        Why::Returned => return "nobody had a valid hand: split between those who contested it".to_owned(),
        Why::Carried => return "nobody had a valid hand: carried to the next hand".to_owned(),
        Why::Hand | Why::Faces | Why::Notables => {}
    }
    match settled.contest(award.pot) {
        (best, None) => best.to_string(),
        (best, Some(other)) if award.why == Why::Notables => {
            format!("{best}, notable cards {} over {}", best.notables, other.notables)
        }
        (best, Some(other)) => format!("{best} over {other}"),
    }
}
