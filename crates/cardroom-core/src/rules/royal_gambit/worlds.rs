//! Worlds of Royal Gambit: all cards lie open, so only the order of the deck is drawn.

use serde::Deserialize;

use super::bot;
use super::facts::{Owed, Stage};
use super::state::{Phase, RoyalGambit};
use super::table::{Decision, Row, Table};
use super::view::{DecisionKind, Status};
use super::{Action, Options};
use crate::rules::bot::{Luck, Observation};
use crate::rules::cards::French;
use crate::rules::seats::{PerSeat, Seat, SeatSet};
use crate::search::{Worlds, chips};

#[derive(Deserialize)]
struct View {
    hand: u32,
    stage: Stage,
    dealer: Seat,
    discarded: Vec<French>,
    seats: Vec<SeatView>,
    decision: DecisionView,
    flips_owed: Vec<Owed>,
}

#[derive(Deserialize)]
struct SeatView {
    status: Status,
    row: Row,
    total: u32,
}

#[derive(Deserialize)]
struct DecisionView {
    seat: Seat,
    of: DecisionKind,
}

/// About how many points a hand brings.
const A_HAND: f64 = 9.0;
/// How far a lead can swing in a hand: by the points of a good row, or with a king by more.
const SWING: f64 = 20.0;

/// What a seat knows: the whole game, with the deck in some order.
pub fn known(seen: &Observation) -> RoyalGambit {
    let (view, options): (View, Options) = (seen.view(), seen.options());
    let table = view.table();
    let decision = table.asked(view.decision.seat, view.decision.of, options);
    RoyalGambit {
        options,
        hand: view.hand,
        stage: view.stage,
        totals: view.seats.iter().map(|seat| seat.total).collect(),
        phase: Phase::Playing { table, decision },
    }
}

impl Worlds for RoyalGambit {
    type Known = RoyalGambit;

    fn known(seen: &Observation) -> RoyalGambit {
        known(seen)
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
        bot::careful(self, seat)
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

impl View {
    fn table(&self) -> Table {
        let seats_that = |is: &dyn Fn(Status) -> bool| -> SeatSet {
            self.seats.iter().zip(0..).filter(|(seat, _)| is(seat.status)).map(|(_, seat)| seat).collect()
        };
        let open = self.seats.iter().flat_map(|seat| &seat.row).chain(&self.discarded);
        let open: Vec<French> = open.copied().collect();
        Table {
            dealer: self.dealer,
            seats: seats_that(&|status| status != Status::Out),
            still_in: seats_that(&|status| status == Status::In),
            bust: seats_that(&|status| status == Status::Bust),
            // Where a jack has made somebody flip, the view does not tell whose turn it was.
            up: self.decision.seat,
            deck: French::deck().filter(|card| !open.contains(card)).collect(),
            rows: self.seats.iter().map(|seat| seat.row.clone()).collect(),
            discarded: self.discarded.iter().copied().collect(),
            owed: self.flips_owed.iter().rev().copied().collect(),
        }
    }
}
