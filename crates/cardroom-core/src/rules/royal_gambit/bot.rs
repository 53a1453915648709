//! Royal Gambit, steadily: every card that lies open is counted, so the chance of a bust is known. Hit while
//! the next card promises more than it threatens; and always rather than lose for sure.

use serde_json::{Value, json};

use super::facts::Stage;
use super::seen;
use super::state::{Phase, RoyalGambit};
use super::table::{Decision, Row, Table, holds, worth};
use crate::rules::bot::Observation;
use crate::rules::cards::{KING, QUEEN};
use crate::rules::seats::Seat;

const RANKS: usize = 13;
const OF_EACH: u8 = 4;

/// What a seat does.
pub enum Choice {
    Hit,
    Stay,
    Give(Seat),
    Spy(Seat),
}

pub fn steady(seen: &Observation) -> Value {
    match careful(&seen::game(seen), seen.seat) {
        Choice::Hit => json!({"type": "hit"}),
        Choice::Stay => json!({"type": "stay"}),
        Choice::Give(seat) => json!({"type": "give", "seat": seat}),
        Choice::Spy(seat) => json!({"type": "spy", "seat": seat}),
    }
}

/// The same, where the game is at hand. Nothing depends on the order of the deck.
pub fn careful(game: &RoyalGambit, seat: Seat) -> Choice {
    let Phase::Playing { table, decision } = &game.phase else { return Choice::Stay };
    let position = Position::new(game, table);
    match decision {
        // A seven in the row can bust, so it goes to the seat that is ahead.
        Decision::Give { to, .. } => {
            let ahead = to.iter().max_by_key(|&seat| position.total(seat) + position.worth(seat));
            Choice::Give(ahead.expect("a seven can be given to somebody"))
        }
        Decision::Spy { on, .. } => {
            let worst = on.iter().max_by_key(|&target| position.harm(target, seat));
            Choice::Spy(worst.expect("a jack can be sent to somebody"))
        }
        Decision::Turn { .. } if !table.deck.is_empty() && position.wants_more(seat) => Choice::Hit,
        Decision::Turn { .. } => Choice::Stay,
    }
}

/// What is looked at.
struct Position<'g> {
    game: &'g RoyalGambit,
    table: &'g Table,
    /// By rank, from the ace: how many cards have not been seen in this hand.
    unseen: [u8; RANKS],
}

impl Position<'_> {
    fn new<'g>(game: &'g RoyalGambit, table: &'g Table) -> Position<'g> {
        let mut unseen = [OF_EACH; RANKS];
        for card in table.rows.iter().flatten().chain(&table.discarded) {
            unseen[usize::from(card.rank() - 1)] -= 1;
        }
        Position { game, table, unseen }
    }

    fn row(&self, seat: Seat) -> &Row {
        &self.table.rows[usize::from(seat)]
    }

    fn total(&self, seat: Seat) -> u32 {
        self.game.totals[usize::from(seat)]
    }

    /// What a seat's row scores, or would score.
    fn worth(&self, seat: Seat) -> u32 {
        if self.table.bust.contains(seat) { 0 } else { worth(self.row(seat)) }
    }

    fn wants_more(&self, seat: Seat) -> bool {
        let own = self.worth(seat);
        let rivals = (0..self.table.rows.len() as Seat).filter(|&other| other != seat);
        let ahead = rivals.map(|other| {
            // What a seat that has stayed scored is in its total.
            let is_in = self.table.still_in.contains(other);
            self.total(other) + if is_in { self.worth(other) / 2 } else { 0 }
        });
        // In these hands a lower total is as good as none.
        let is_last_chance =
            self.game.stage != Stage::Ordinary && ahead.max() >= Some(self.total(seat) + own);
        let (threat, promise) = self.next_card(seat);
        own == 0 || is_last_chance || promise > threat
    }

    /// What a flip threatens and promises, in points out of all cards that may come.
    fn next_card(&self, seat: Seat) -> (u32, u32) {
        let (row, worth) = (self.row(seat), self.worth(seat));
        let doubles = if holds(row, KING) { 2 } else { 1 };
        let (mut threat, mut promise) = (0, 0);
        for (left, rank) in self.unseen.into_iter().zip(1..) {
            let left = u32::from(left);
            match rank {
                _ if holds(row, rank) && holds(row, QUEEN) => {}
                _ if holds(row, rank) => threat += left * worth,
                1..=5 => promise += left * u32::from(rank) * doubles,
                KING => promise += left * worth,
                _ => {}
            }
        }
        (threat, promise)
    }

    /// How much two flips would hurt a seat: oneself most, except with nothing to lose.
    fn harm(&self, target: Seat, own: Seat) -> (bool, u32) {
        let (threat, promise) = self.next_card(target);
        if target == own { (threat == 0, promise) } else { (threat > 0, threat) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::Options;
    use super::*;
    use crate::rules::cards::{French, Rank};
    use crate::rules::seats::{PerSeat, SeatSet};

    /// Whether seat 0 wants more with a row that most cards bust, worth 15, against one rival with this row and total.
    fn wants_more(stage: Stage, (has_stayed, row, total): (bool, &[Rank], u32)) -> bool {
        let card = |rank: &Rank| French::at(rank - 1);
        let mut table = Table::laid(1, [0, 1].into_iter().collect(), 2, &[]);
        table.rows[0] = [1, 2, 3, 4, 5].iter().map(card).collect();
        table.rows[1] = row.iter().map(card).collect();
        if has_stayed {
            table.still_in = SeatSet::one(0);
        }
        let totals: PerSeat<u32> = [0, total].into_iter().collect();
        let decision = Decision::Turn { by: 0 };
        let phase = Phase::Playing { table, decision };
        let game = RoyalGambit { options: Options::default(), hand: 1, stage, totals, phase };
        let Phase::Playing { table, .. } = &game.phase else { unreachable!("it is played") };
        Position::new(&game, table).wants_more(0)
    }

    #[test]
    fn in_a_last_hand_it_takes_a_risk_if_a_rival_is_ahead_or_may_soon_be() {
        let fifteen: &[Rank] = &[1, 2, 3, 4, 5];
        for (rival, risks) in [
            ((true, &[][..], 15), true),
            ((true, fifteen, 14), false),
            // What lies in a running row counts half, because it may bust.
            ((false, fifteen, 8), true),
            ((false, fifteen, 7), false),
            ((false, &[], 14), false),
        ] {
            assert_eq!(wants_more(Stage::Extra, rival), risks, "{rival:?}");
            assert!(!wants_more(Stage::Ordinary, rival), "{rival:?}");
        }
    }
}
