//! Worlds of Royal Gambit: all cards lie open, so only the order of the deck is drawn.

use super::Action;
use super::bot::{self, Choice};
use super::facts::Stage;
use super::seen;
use super::state::{Phase, RoyalGambit};
use super::table::Decision;
use crate::rules::bot::{Luck, Observation};
use crate::rules::seats::{PerSeat, Seat};
use crate::search::{Worlds, chips};

/// About how many points a hand brings.
const A_HAND: f64 = 9.0;
/// How far a lead can swing in a hand: by the points of a good row, or with a king by more.
const SWING: f64 = 20.0;

impl Worlds for RoyalGambit {
    const DOUBT: f64 = 2.0;
    const SKILLED: u32 = 24;
    const EXPERT: u32 = 1000;
    const LUCK_SHARE: f64 = 0.85;

    type Known = RoyalGambit;

    fn known(seen: &Observation) -> RoyalGambit {
        seen::game(seen)
    }

    fn world(known: &RoyalGambit, luck: &mut Luck) -> RoyalGambit {
        let mut world = known.clone();
        if let Phase::Playing { table, .. } = &mut world.phase {
            luck.shuffle(&mut table.deck);
        }
        world
    }

    fn candidates(&self, _seat: Seat) -> Vec<Action> {
        match &self.phase {
            Phase::Playing { table, decision: Decision::Turn { .. } } => {
                let hit = (!table.deck.is_empty()).then_some(Action::Hit {});
                hit.into_iter().chain([Action::Stay {}]).collect()
            }
            Phase::Playing { decision: Decision::Give { to, .. }, .. } => {
                to.iter().map(|seat| Action::Give { seat }).collect()
            }
            Phase::Playing { decision: Decision::Spy { on, .. }, .. } => {
                on.iter().map(|seat| Action::Spy { seat }).collect()
            }
            _ => vec![Action::Stay {}],
        }
    }

    fn careful(&self, seat: Seat) -> Action {
        match bot::careful(self, seat) {
            Choice::Hit => Action::Hit {},
            Choice::Stay => Action::Stay {},
            Choice::Give(seat) => Action::Give { seat },
            Choice::Spy(seat) => Action::Spy { seat },
        }
    }

    fn is_settled(&self) -> bool {
        !matches!(self.phase, Phase::Playing { .. })
    }

    fn worth(&self, seat: Seat) -> f64 {
        let totals: PerSeat<u64> = self.totals.iter().map(|&total| total.into()).collect();
        let highest = self.totals.iter().copied().max().unwrap_or(0);
        let left = match &self.phase {
            Phase::Over { .. } => 0,
            // Only the seats of a tie can still win.
            Phase::Shuffling { seats, .. } if self.stage == Stage::Tie && !seats.contains(seat) => {
                return 0.0;
            }
            _ => 1 + (f64::from(self.options.target_score.saturating_sub(highest)) / A_HAND) as u32,
        };
        chips::worth(&totals, seat, left, SWING)
    }
}
