//! Which awards count, and what they come to.

use super::game_results::{End, Game, GameResults, Points};
use super::log::RoundTable;
use super::scoring::{Scoring, behind};
use super::state::Tournament;

/// The score of an entrant so far.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    points: i64,
    /// Whether there was an award with a qualifier.
    has_qualified: bool,
}

impl Tournament {
    /// By entrant; none where nothing counts yet.
    pub(super) fn scores(&self, game_results: &GameResults) -> Vec<Option<i64>> {
        let scoring = &self.setup().scoring;
        let waits = scoring.waits_for_qualifier();
        let mut sums = vec![Sum::default(); self.entrants.len()];
        for round in self.rounds.iter().filter(|round| self.is_told(round, game_results)) {
            for table in &round.tables {
                if self.was_called_off(game_results, round, table) {
                    continue;
                }
                // Points come from what was played alone, also where an organiser has set the result.
                match game_results.game(table.game) {
                    None => {}
                    Some(Game { end: Some(End::Finished { places, .. }), .. })
                        if matches!(scoring, Scoring::Places) =>
                    {
                        self.count_places(table, places, &mut sums);
                    }
                    Some(game) => count(table, &game.points, waits, &mut sums),
                }
            }
        }
        for penalty in self.standing_penalties() {
            sums[penalty.entrant as usize].points += penalty.score;
        }
        let qualified_only = scoring.ranks_qualified_only();
        sums.iter().map(|sum| (sum.has_qualified || !qualified_only).then_some(sum.points)).collect()
    }

    /// A point for each opponent behind, the disqualified left out: so these are counted anew.
    fn count_places(&self, table: &RoundTable, places: &[u8], sums: &mut [Sum]) {
        for (entrant, place) in table.seats.iter().zip(places) {
            let Some(entrant) = *entrant else { continue };
            sums[entrant as usize].points += self.behind(table, places, *place);
        }
    }

    /// How many came in behind a place at a table, the disqualified left out.
    pub(super) fn behind(&self, table: &RoundTable, places: &[u8], place: u8) -> i64 {
        let others = table.seats.iter().zip(places).filter(|(other, _)| !self.is_disqualified(**other));
        behind(place, others.map(|(_, place)| *place))
    }
}

/// Counts the awards of a game, hand by hand. Where a qualifier is asked for, the hand that brings the first one
/// counts.
fn count(table: &RoundTable, points: &[Points], waits: bool, sums: &mut [Sum]) {
    for points in points {
        let Some(Some(entrant)) = table.seats.get(usize::from(points.seat)) else { continue };
        let sum = &mut sums[*entrant as usize];
        sum.has_qualified |= points.qualifiers > 0;
        if sum.has_qualified || !waits {
            sum.points += points.points;
        }
    }
}
