//! The luck of the cards: what the others made of them at the tables that were dealt the same.

use std::collections::HashMap;

use super::game_results::{End, Game, GameResults};
use super::log::RoundBegan;
use super::ratio::Ratio;
use super::state::Tournament;

/// What was made at the tables of a round that may be told of and have ended.
pub(super) struct RoundScores {
    /// By table, then by seat; none for an entrant who is disqualified.
    tables: HashMap<u16, Vec<Option<i64>>>,
    /// By seat, over all tables that were dealt the same cards: the sum of the scores, and how many there are.
    same_cards: Vec<(i128, u16)>,
}

impl Tournament {
    /// The scores of a round.
    pub(super) fn round_scores(&self, round: &RoundBegan, game_results: &GameResults) -> RoundScores {
        let mut scores = RoundScores { tables: HashMap::new(), same_cards: Vec::new() };
        if !self.is_told(round, game_results) {
            return scores;
        }
        for table in &round.tables {
            let game = self.counted_game(game_results, round, table);
            let Some(Game { end: Some(End::Finished { .. }), scores: made, .. }) = game else { continue };
            let seats = table.seats.iter().zip(made);
            let seats = seats.map(|(entrant, made)| (!self.is_disqualified(*entrant)).then_some(*made));
            scores.tables.insert(table.table, seats.collect());
        }
        if self.setup().duplicate {
            scores.compare();
        }
        scores
    }
}

impl RoundScores {
    fn compare(&mut self) {
        for seats in self.tables.values() {
            self.same_cards.resize(self.same_cards.len().max(seats.len()), (0, 0));
            for ((sum, number), made) in self.same_cards.iter_mut().zip(seats) {
                *sum += i128::from(made.unwrap_or(0));
                *number += u16::from(made.is_some());
            }
        }
    }

    /// What was made at a seat.
    pub fn of(&self, table: u16, seat: u8) -> Option<i64> {
        *self.tables.get(&table)?.get(usize::from(seat))?
    }

    /// The mean of what the others made who had the cards of this seat.
    pub fn same_cards_mean(&self, table: u16, seat: u8) -> Option<Ratio> {
        let own = self.of(table, seat)?;
        let (sum, number) = *self.same_cards.get(usize::from(seat))?;
        (number > 1).then(|| Ratio::new(sum - i128::from(own), i128::from(number) - 1))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::simulation::Sim;
    use super::super::tests::{disqualify, rounds};
    use super::super::{CrosstableCell, Row};
    use super::*;

    /// Three tables of two, whose first seats make these scores of 400; and which of them have ended.
    fn round(duplicate: bool, firsts: &[i64]) -> Sim {
        let more = json!({"duplicate": duplicate, "result_by": {"type": "places"}});
        let mut sim = Sim::started(rounds("sevens", 2, 1, more), 6, 1);
        sim.advance();
        let round = sim.now.rounds()[0].clone();
        for (table, first) in round.tables.iter().zip(firsts) {
            sim.ends(table.game, vec![*first, 400 - first]);
        }
        sim
    }

    /// The cell of each entrant, by table and seat.
    fn cells(sim: &Sim) -> Vec<CrosstableCell> {
        let rows: Vec<Row> = sim.now.standings(&sim.game_results);
        let lines = sim.now.crosstable(&sim.game_results, &rows);
        let mut cells: Vec<CrosstableCell> = lines.into_iter().flat_map(|line| line.rounds).collect();
        cells.sort_by_key(|cell| (cell.table, cell.seat));
        cells
    }

    fn told(sim: &Sim) -> Vec<(Option<i64>, Option<String>)> {
        let mean = |cell: &CrosstableCell| cell.same_cards_mean.map(Ratio::exact);
        cells(sim).iter().map(|cell| (cell.table_score, mean(cell))).collect()
    }

    fn some(score: i64, mean: &str) -> (Option<i64>, Option<String>) {
        (Some(score), Some(mean.to_owned()))
    }

    #[test]
    fn beside_a_score_stands_the_mean_of_those_who_had_the_same_cards() {
        let expected = [
            some(230, "295/2"),
            some(170, "505/2"),
            some(100, "425/2"),
            some(300, "375/2"),
            some(195, "165"),
            some(205, "235"),
        ];
        assert_eq!(told(&round(true, &[230, 100, 195])), expected);
        // Where every table has cards of its own there is no such mean.
        let alone = round(false, &[230, 100]);
        let expected = [Some(230), Some(170), Some(100), Some(300), None, None].map(|score| (score, None));
        assert_eq!(told(&alone), expected);
    }

    #[test]
    fn nothing_is_told_of_a_duplicate_round_before_its_last_table_has_ended() {
        assert_eq!(told(&round(true, &[230, 100])), vec![(None, None); 6]);
    }

    #[test]
    fn those_who_are_out_are_in_no_mean_and_a_seat_without_another_has_none() {
        let mut sim = round(true, &[230, 100, 195]);
        for table in 0..2 {
            let out = sim.now.rounds()[0].tables[table].seats[0].unwrap();
            disqualify(&mut sim, out);
        }
        let told = told(&sim);
        assert_eq!((&told[0], &told[2], &told[4]), (&(None, None), &(None, None), &(Some(195), None)));
        assert_eq!(told[1], some(170, "505/2"));
    }
}
