//! The crosstable: what each entrant got in each round, and against whom.

use std::collections::HashMap;

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::game_results::GameResults;
use super::ratio::Ratio;
use super::results::Results;
use super::standings::Row;
use super::state::Tournament;

/// An entrant's line of the crosstable.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CrosstableRow {
    /// The entrant's number.
    pub entrant: u32,
    pub player: String,
    /// As in the standings.
    #[schema(required)]
    pub place: Option<u32>,
    /// As in the standings: with penalties, and with what missed rounds count.
    #[schema(value_type = f64)]
    pub result: Ratio,
    /// The rounds that the entrant was in, the first first.
    pub rounds: Vec<CrosstableCell>,
}

/// What an entrant got in a round.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CrosstableCell {
    /// From 1.
    pub round: u16,
    /// From 1; null for a bye.
    #[schema(required)]
    pub table: Option<u16>,
    /// From 0; null for a bye.
    #[schema(required)]
    pub seat: Option<u8>,
    /// Null for a bye.
    #[schema(required)]
    pub game: Option<Uuid>,
    /// The result at this table; null for a bye, and where it is not known or does not count.
    #[schema(value_type = Option<f64>, required)]
    pub result: Option<Ratio>,
    /// What the seat ended with: a stack, score or total. Null for a bye, where the table has not ended or may not be told
    /// of, and for a disqualified entrant.
    #[schema(required)]
    pub table_score: Option<i64>,
    /// The mean of what the others ended with who had the same cards: those at this seat of the round's other tables. Null
    /// where the tables of a round are not dealt the same cards, and where `table_score` is null.
    #[schema(value_type = Option<f64>, required)]
    pub same_cards_mean: Option<Ratio>,
    /// The numbers of the entrants at the same table, by seat.
    pub opponents: Vec<u32>,
}

impl Tournament {
    /// The crosstable of these lines of the standings.
    pub fn crosstable(&self, game_results: &GameResults, rows: &[Row]) -> Vec<CrosstableRow> {
        let results = Results::new(self, game_results);
        let told: HashMap<(u16, u16), &[(u32, i128)]> =
            results.games.iter().map(|game| ((game.round, game.table), &*game.results)).collect();
        let mut lines: Vec<CrosstableRow> = rows.iter().map(line).collect();
        let mut line_of = vec![None; self.entrants.len()];
        for (at, row) in rows.iter().enumerate() {
            line_of[row.entrant as usize] = Some(at);
        }
        for began in &self.rounds {
            let round = began.round;
            let scores = self.round_scores(began, game_results);
            for table in &began.tables {
                let known = told.get(&(round, table.table)).copied().unwrap_or_default();
                let seated =
                    || table.seats.iter().zip(0..).filter_map(|(entrant, seat)| Some(((*entrant)?, seat)));
                for (entrant, seat) in seated() {
                    let Some(at) = line_of[entrant as usize] else { continue };
                    let result = known.iter().find(|(of, _)| *of == entrant);
                    lines[at].rounds.push(CrosstableCell {
                        round,
                        table: Some(table.table),
                        seat: Some(seat),
                        game: Some(table.game),
                        result: result.map(|(_, units)| results.number(*units)),
                        table_score: scores.of(table.table, seat),
                        same_cards_mean: scores.same_cards_mean(table.table, seat),
                        opponents: seated()
                            .map(|(other, _)| other)
                            .filter(|other| *other != entrant)
                            .collect(),
                    });
                }
            }
            for entrant in &began.byes {
                let Some(at) = line_of[*entrant as usize] else { continue };
                let bye = CrosstableCell {
                    round,
                    table: None,
                    seat: None,
                    game: None,
                    result: None,
                    table_score: None,
                    same_cards_mean: None,
                    opponents: Vec::new(),
                };
                lines[at].rounds.push(bye);
            }
        }
        lines
    }
}

fn line(row: &Row) -> CrosstableRow {
    CrosstableRow {
        entrant: row.entrant,
        player: row.player.clone(),
        place: row.place,
        result: row.result,
        rounds: Vec::new(),
    }
}
