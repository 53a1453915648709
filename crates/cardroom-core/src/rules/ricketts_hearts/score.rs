//! What a hand does to the scores.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::cards::{ALL_POINTS, SEATS};
use super::facts::Fact;
use super::moon::MoonChoice;
use super::options::Options;
use super::tricks::{TRICKS, Trick, Tricks, points};
use crate::rules::facts::Facts;
use crate::rules::seats::Seat;

/// Below zero where a seat shot the moon.
pub type Scores = [i32; SEATS];

/// A hand that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    pub hand: u32,
    pub dealer: Seat,
    pub tricks: ArrayVec<Trick, TRICKS>,
    pub moon: Option<Moon>,
    pub before: Scores,
    /// Wrapped, where they were to be.
    pub after: Scores,
}

/// The seat that took all that counts, and what it chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moon {
    pub shooter: Seat,
    pub choice: MoonChoice,
}

impl Settled {
    pub fn of(hand: u32, tricks: &Tricks, moon: Option<Moon>, before: Scores, options: &Options) -> Settled {
        let mut settled = Settled {
            hand,
            dealer: tricks.deal.dealer,
            tricks: tricks.taken.clone(),
            moon,
            before,
            after: before,
        };
        for (seat, added) in settled.added().into_iter().enumerate() {
            settled.after[seat] = options.wrapped(before[seat] + added);
        }
        settled
    }

    /// What the hand puts onto each score, before any of them wraps.
    pub fn added(&self) -> Scores {
        let all = i32::from(ALL_POINTS);
        match self.moon {
            None => points(&self.tricks).map(i32::from),
            Some(Moon { shooter, choice: MoonChoice::Minus }) => {
                std::array::from_fn(|seat| if seat == usize::from(shooter) { -all } else { 0 })
            }
            Some(Moon { shooter, choice: MoonChoice::Plus }) => {
                std::array::from_fn(|seat| if seat == usize::from(shooter) { 0 } else { all })
            }
        }
    }

    /// Whether a seat's score was one that goes back to 0. None of these is 0 itself.
    pub fn wrapped(&self, seat: Seat) -> bool {
        let at = usize::from(seat);
        self.before[at] + self.added()[at] != self.after[at]
    }
}

/// Somebody has reached the target, and one seat alone has the lowest score.
pub fn ends_the_game(scores: &Scores, options: &Options) -> bool {
    let lowest = scores.iter().min();
    scores.iter().any(|&score| score >= i32::from(options.target_score))
        && scores.iter().filter(|&score| Some(score) == lowest).count() == 1
}

/// Tells what a hand does to the scores.
pub(super) fn tell_scores(facts: &mut Facts<Fact>, settled: &Settled) {
    if !facts.are_kept() {
        return;
    }
    for (seat, added) in (0..).zip(settled.added()) {
        let score = settled.before[usize::from(seat)] + added;
        facts.tell(|| Fact::Scored { seat, added, score });
        if settled.wrapped(seat) {
            facts.tell(|| Fact::Wrapped { seat, score });
        }
    }
    facts.tell(|| Fact::HandEnded { hand: settled.hand, scores: settled.after.to_vec() });
}
