//! What is shown and told. Everything lies face up, so it is the same for all.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::facts::{Owed, Stage};
use super::state::RoyalGambit;
use super::table::{Decision, Table, worth};
use crate::rules::cards::French;
use crate::rules::seats::{Seat, SeatSet};

/// The table, the same for everybody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct View {
    /// The hand's number, from 1.
    pub hand: u32,
    #[schema(inline)]
    pub stage: Stage,
    /// Null until the first dealer is drawn.
    #[schema(required)]
    pub dealer: Option<u8>,
    /// How many cards are left in the deck.
    pub cards_left: u8,
    /// The cards that pardons have taken out of the hand.
    #[schema(inline)]
    pub discarded: Vec<French>,
    /// Seat 0 first.
    #[schema(inline)]
    pub seats: Vec<SeatView>,
    /// What the game waits for; null when it waits for no seat.
    #[schema(inline, required)]
    pub decision: Option<DecisionView>,
    /// The flips that jacks have ordered and that are still to come, the next first.
    #[schema(inline)]
    pub flips_owed: Vec<Owed>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatView {
    pub seat: u8,
    #[schema(inline)]
    pub status: Status,
    /// Its cards, the oldest first. A row that has bust counts as turned down.
    #[schema(inline)]
    pub row: Vec<French>,
    /// What the row scores, or would score if the seat stayed now.
    pub worth: u32,
    pub total: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    In,
    Stayed,
    Bust,
    /// Not in this hand.
    Out,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct DecisionView {
    pub seat: u8,
    #[schema(inline)]
    pub of: DecisionKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionKind {
    /// To hit or to stay.
    Turn,
    /// Which seat gets a seven.
    Give,
    /// Which seat a jack is sent to.
    Spy,
}

impl RoyalGambit {
    pub(super) fn view_between_hands(&self, dealer: Option<Seat>, playing: SeatSet) -> View {
        let seat_view = |(&total, seat)| {
            let status = if playing.contains(seat) { Status::In } else { Status::Out };
            SeatView { seat, status, row: Vec::new(), worth: 0, total }
        };
        View {
            hand: self.hand,
            stage: self.stage,
            dealer,
            cards_left: 52,
            discarded: Vec::new(),
            seats: self.totals.iter().zip(0..).map(seat_view).collect(),
            decision: None,
            flips_owed: Vec::new(),
        }
    }

    pub(super) fn view_of_hand(&self, table: &Table, decision: Option<Decision>) -> View {
        let seat_view = |((row, &total), seat)| {
            let status = Status::of(seat, table);
            let worth = if status == Status::Bust { 0 } else { worth(row) };
            SeatView { seat, status, row: row.to_vec(), worth, total }
        };
        View {
            hand: self.hand,
            stage: self.stage,
            dealer: Some(table.dealer),
            cards_left: table.deck.len() as u8,
            discarded: table.discarded.to_vec(),
            seats: table.rows.iter().zip(&self.totals).zip(0..).map(seat_view).collect(),
            decision: decision.map(DecisionView::from),
            flips_owed: table.owed.iter().rev().copied().collect(),
        }
    }
}

impl Status {
    fn of(seat: Seat, table: &Table) -> Status {
        if table.still_in.contains(seat) {
            Status::In
        } else if table.bust.contains(seat) {
            Status::Bust
        } else if table.seats.contains(seat) {
            Status::Stayed
        } else {
            Status::Out
        }
    }
}

impl From<Decision> for DecisionView {
    fn from(decision: Decision) -> DecisionView {
        let of = match decision {
            Decision::Turn { .. } => DecisionKind::Turn,
            Decision::Give { .. } => DecisionKind::Give,
            Decision::Spy { .. } => DecisionKind::Spy,
        };
        DecisionView { seat: decision.by(), of }
    }
}
