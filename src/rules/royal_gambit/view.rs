//! What is shown and told. Everything lies face up, so it is the same for all.

use serde::Serialize;
use utoipa::ToSchema;

use super::super::cards::French;
use super::super::{Seat, SeatSet};
use super::RoyalGambit;
use super::table::{Decision, Table, worth};

/// The table, the same for everybody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = RoyalGambitView)]
pub struct View {
    /// The hand's number, from 1.
    pub hand: u32,
    #[schema(inline)]
    pub stage: Stage,
    /// Null until the first dealer is drawn.
    pub dealer: Option<Seat>,
    /// How many cards are left in the deck.
    pub deck_left: u8,
    /// The cards that pardons have taken out of the hand.
    #[schema(inline)]
    pub discarded: Vec<French>,
    /// Seat 0 first.
    pub seats: Vec<SeatView>,
    /// What the game waits for; null when it waits for no seat.
    pub decision: Option<DecisionView>,
    /// The flips that jacks have ordered and that are still to come, the next first.
    pub flips_owed: Vec<Owed>,
}

/// What a hand is played for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RoyalGambitStage)]
pub enum Stage {
    /// Nobody has reached the target.
    Ordinary,
    /// One more hand, for all but the favourites.
    Extra,
    /// A tie for first is played out by the seats that share it.
    Tie,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = RoyalGambitSeat)]
pub struct SeatView {
    pub seat: Seat,
    #[schema(inline)]
    pub status: Status,
    /// Its cards, the oldest first. A row that has bust counts as turned down.
    #[schema(inline)]
    pub row: Vec<French>,
    /// What the row scores, or would score if the seat stayed now.
    pub worth: u32,
    pub total: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RoyalGambitStatus)]
pub enum Status {
    In,
    Stayed,
    Bust,
    /// Not in this hand.
    Out,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = RoyalGambitDecision)]
pub struct DecisionView {
    pub seat: Seat,
    #[schema(inline)]
    pub of: DecisionKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RoyalGambitDecisionKind)]
pub enum DecisionKind {
    /// To hit or to stay.
    Turn,
    /// Who gets a seven.
    Give,
    /// Whom a jack is sent to.
    Spy,
}

/// Flips that a jack has ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = RoyalGambitFlipsOwed)]
pub struct Owed {
    pub seat: Seat,
    pub flips: u8,
}

/// What happened. Everything is face up, so everybody is told everything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = RoyalGambitFact)]
pub enum Fact {
    HandBegan {
        hand: u32,
        #[schema(inline)]
        stage: Stage,
        dealer: Seat,
        /// The seats that take part.
        seats: Vec<Seat>,
    },
    Flipped {
        seat: Seat,
        #[schema(inline)]
        card: French,
        #[schema(inline)]
        because: Cause,
    },
    /// A queen and the card that would have bust the seat are discarded.
    Pardoned {
        seat: Seat,
        #[schema(inline)]
        queen: French,
        #[schema(inline)]
        card: French,
    },
    Bust {
        seat: Seat,
    },
    Given {
        from: Seat,
        to: Seat,
        #[schema(inline)]
        card: French,
    },
    /// A seven that nobody could be given.
    Kept {
        seat: Seat,
        #[schema(inline)]
        card: French,
    },
    Spied {
        by: Seat,
        on: Seat,
    },
    /// A jack that tens kept from everybody.
    Blocked {
        seat: Seat,
    },
    /// Flips that a jack had ordered and that fell away.
    Lapsed {
        seat: Seat,
        flips: u8,
    },
    Stayed {
        seat: Seat,
        score: u32,
        total: u32,
    },
    HandEnded {
        hand: u32,
        /// Seat 0 first.
        totals: Vec<u32>,
    },
}

/// Why a card was flipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RoyalGambitCause)]
pub enum Cause {
    Hit,
    AutoHit,
    Jack,
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
            deck_left: 52,
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
            deck_left: table.deck.len() as u8,
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
