//! Within a hand: rows, and how a flipped card is settled.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::facts::{Cause, Fact, Owed};
use super::options::{Options, Turns};
use crate::rules::cards::{French, JACK, KING, QUEEN, Rank, SEVEN, TEN};
use crate::rules::facts::Facts;
use crate::rules::seats::{PerSeat, Seat, SeatSet};

/// A hand, without what is being decided.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Table {
    pub dealer: Seat,
    pub seats: SeatSet,
    pub still_in: SeatSet,
    pub bust: SeatSet,
    /// The next turn is this seat's or, if it is not still in, that of the first seat on its left that is.
    pub up: Seat,
    /// The top is the last.
    pub deck: ArrayVec<French, 52>,
    pub rows: PerSeat<Row>,
    /// At most four queens, each with the card it pardoned.
    pub discarded: ArrayVec<French, 8>,
    /// The innermost jack is the last.
    pub owed: ArrayVec<Owed, 4>,
}

/// Never two of a rank, but for the card that busts a row without a queen.
pub type Row = ArrayVec<French, 13>;

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum Decision {
    Turn { by: Seat },
    Give { by: Seat, to: SeatSet },
    Spy { by: Seat, on: SeatSet },
}

impl Table {
    pub fn laid(dealer: Seat, seats: SeatSet, rows: usize, order: &[French]) -> Table {
        Table {
            dealer,
            seats,
            still_in: seats,
            bust: SeatSet::EMPTY,
            up: seats.from_left_of(dealer).next().expect("a hand has seats"),
            deck: order.iter().rev().copied().collect(),
            rows: (0..rows).map(|_| Row::new()).collect(),
            discarded: ArrayVec::new(),
            owed: ArrayVec::new(),
        }
    }

    /// Flips what is owed and hits for seats that have nothing to lose, until a seat has to decide; `None`: no seat is
    /// left to.
    pub fn go_on(&mut self, options: Options, facts: &mut Facts<Fact>) -> Option<Decision> {
        loop {
            let choice = if let Some(seat) = self.next_owed(facts) {
                self.flip(seat, Cause::Jack, options, facts)
            } else {
                let by = self.whose_turn()?;
                let nothing_to_lose = worth(&self.rows[usize::from(by)]) == 0;
                if !(options.auto_hit && nothing_to_lose && !self.deck.is_empty()) {
                    return Some(Decision::Turn { by });
                }
                self.hit(by, Cause::AutoHit, options, facts)
            };
            if choice.is_some() {
                return choice;
            }
        }
    }

    /// The seat that flips next for a jack. What the seat or the deck can no longer meet lapses.
    fn next_owed(&mut self, facts: &mut Facts<Fact>) -> Option<Seat> {
        while let Some(Owed { seat, flips }) = self.owed.pop() {
            if self.still_in.contains(seat) && !self.deck.is_empty() {
                if flips > 1 {
                    self.owed.push(Owed { seat, flips: flips - 1 });
                }
                return Some(seat);
            }
            facts.tell(|| Fact::Lapsed { seat, flips });
        }
        None
    }

    fn whose_turn(&self) -> Option<Seat> {
        if self.still_in.contains(self.up) {
            return Some(self.up);
        }
        self.still_in.from_left_of(self.up).next()
    }

    pub fn hit(
        &mut self,
        seat: Seat,
        cause: Cause,
        options: Options,
        facts: &mut Facts<Fact>,
    ) -> Option<Decision> {
        self.up = match options.turns {
            Turns::Sequential => seat,
            Turns::Alternating => self.seats.from_left_of(seat).next().unwrap_or(seat),
        };
        self.flip(seat, cause, options, facts)
    }

    /// Returns what the seat's row scores. The next turn is on the seat's left, whosever turn it was.
    pub fn stay(&mut self, seat: Seat) -> u32 {
        self.up = seat;
        self.still_in.remove(seat);
        worth(&self.rows[usize::from(seat)])
    }

    /// Flips one card onto the seat's row and settles it, as far as no seat has to choose for it.
    fn flip(
        &mut self,
        seat: Seat,
        why: Cause,
        options: Options,
        facts: &mut Facts<Fact>,
    ) -> Option<Decision> {
        let card = self.deck.pop().expect("nobody flips from an empty deck");
        facts.tell(|| Fact::Flipped { seat, card, why });
        let row = &mut self.rows[usize::from(seat)];
        match flip_onto(row, card) {
            Flip::Lies => match card.rank() {
                SEVEN => self.settle_seven(seat, card, facts),
                JACK => self.settle_jack(seat, options.ten_blocks_jack, facts),
                _ => None,
            },
            Flip::Pardoned { queen } => {
                self.discarded.extend([queen, card]);
                facts.tell(|| Fact::Pardoned { seat, queen, card });
                None
            }
            Flip::Busts => {
                self.still_in.remove(seat);
                self.bust.insert(seat);
                facts.tell(|| Fact::Bust { seat });
                None
            }
        }
    }

    fn settle_seven(&self, by: Seat, card: French, facts: &mut Facts<Fact>) -> Option<Decision> {
        let to = self.without_seven();
        if to.is_empty() {
            facts.tell(|| Fact::Kept { seat: by, card });
            return None;
        }
        Some(Decision::Give { by, to })
    }

    fn settle_jack(&self, by: Seat, ten_blocks: bool, facts: &mut Facts<Fact>) -> Option<Decision> {
        let on = self.open_to_jacks(ten_blocks);
        if on.is_empty() {
            facts.tell(|| Fact::Blocked { seat: by });
            return None;
        }
        Some(Decision::Spy { by, on })
    }

    pub fn give(&mut self, from: Seat, to: Seat, facts: &mut Facts<Fact>) {
        let card = self.rows[usize::from(from)].pop().expect("a seven to give is the row's newest card");
        self.rows[usize::from(to)].push(card);
        facts.tell(|| Fact::Given { from, to, card });
    }

    pub fn spy(&mut self, by: Seat, on: Seat, facts: &mut Facts<Fact>) {
        self.owed.push(Owed { seat: on, flips: 2 });
        facts.tell(|| Fact::Spied { by, on });
    }

    /// The seats that a seven can be given to. The row of the seat that flipped it has one by now: that seven.
    pub fn without_seven(&self) -> SeatSet {
        self.still_in.iter().filter(|&seat| !self.row_holds(seat, SEVEN)).collect()
    }

    /// The seats that a jack can be sent to.
    pub fn open_to_jacks(&self, ten_blocks: bool) -> SeatSet {
        self.still_in.iter().filter(|&seat| !(ten_blocks && self.row_holds(seat, TEN))).collect()
    }

    fn row_holds(&self, seat: Seat, rank: Rank) -> bool {
        holds(&self.rows[usize::from(seat)], rank)
    }
}

/// What a flipped card did to the row that it came onto.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flip {
    Lies,
    /// This queen left the row, and the card is not in it.
    Pardoned {
        queen: French,
    },
    Busts,
}

/// Puts a flipped card onto a row. A queen that was there before pardons a rank that is there already.
pub fn flip_onto(row: &mut Row, card: French) -> Flip {
    if !holds(row, card.rank()) {
        row.push(card);
        return Flip::Lies;
    }
    match row.iter().position(|c| c.rank() == QUEEN) {
        Some(at) => Flip::Pardoned { queen: row.remove(at) },
        None => {
            row.push(card);
            Flip::Busts
        }
    }
}

pub fn holds(row: &Row, rank: Rank) -> bool {
    row.iter().any(|card| card.rank() == rank)
}

pub fn worth(row: &Row) -> u32 {
    let points: u32 = row.iter().map(|card| card.rank()).filter(|&rank| rank <= 5).map(u32::from).sum();
    if holds(row, KING) { 2 * points } else { points }
}

impl Decision {
    pub fn by(self) -> Seat {
        match self {
            Decision::Turn { by } | Decision::Give { by, .. } | Decision::Spy { by, .. } => by,
        }
    }
}
