//! The game as a seat sees it: all cards lie open, so only the order of the deck is hidden.

use serde::Deserialize;

use super::facts::{Owed, Stage};
use super::options::Options;
use super::state::{Phase, RoyalGambit};
use super::table::{Decision, Row, Table};
use super::view::{DecisionKind, Status};
use crate::rules::bot::Observation;
use crate::rules::cards::French;
use crate::rules::seats::{Seat, SeatSet};

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

/// The game that a seat sees, with the deck in the order of a new one.
pub fn game(seen: &Observation) -> RoyalGambit {
    let (view, options): (View, Options) = (seen.view(), seen.options());
    let table = view.table();
    let by = view.decision.seat;
    let decision = match view.decision.of {
        DecisionKind::Turn => Decision::Turn { by },
        DecisionKind::Give => Decision::Give { by, to: table.without_seven() },
        DecisionKind::Spy => Decision::Spy { by, on: table.open_to_jacks(options.ten_blocks_jack) },
    };
    RoyalGambit {
        options,
        hand: view.hand,
        stage: view.stage,
        totals: view.seats.iter().map(|seat| seat.total).collect(),
        phase: Phase::Playing { table, decision },
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
