//! Which points count.

use std::collections::HashMap;

use uuid::Uuid;

use super::game_results::{End, GameResults};
use super::log::{RoundBegan, RoundTable};
use super::scoring::Scoring;
use super::state::{Departure, Tournament};
use crate::rules::scoring::Award;

/// A table, and the round it was drawn in.
pub type DrawnTable<'t> = (&'t RoundBegan, &'t RoundTable);

impl Tournament {
    /// All tables by their games, for those who look for many.
    pub fn tables_by_game(&self) -> HashMap<Uuid, DrawnTable<'_>> {
        let tables =
            self.rounds().iter().flat_map(|round| round.tables.iter().map(|table| (&**round, table)));
        tables.map(|(round, table)| (table.game, (round, table))).collect()
    }

    /// An award as it counts, and its entrant; nothing where it does not count. It counts for an entrant who is not
    /// disqualified, whose first qualifier came no later where one is required, at a table of which may be told yet.
    /// Points for places leave out disqualified opponents behind.
    pub fn counted(
        &self,
        game_results: &GameResults,
        drawn: DrawnTable<'_>,
        hand: u32,
        mut award: Award,
    ) -> Option<(u32, Award)> {
        let entrant = self.scorer(game_results, drawn, award.seat, hand)?;
        let (_, table) = drawn;
        // The places that were played for, also where an organiser has set others.
        if let Some(End::Finished { places, .. }) = &game_results.game(table.game)?.end
            && matches!(self.setup().scoring, Scoring::Places)
        {
            award.points = self.behind(table, places, places[usize::from(award.seat)]);
        }
        (award.points != 0).then_some((entrant, award))
    }

    fn scorer(
        &self,
        game_results: &GameResults,
        (round, table): DrawnTable<'_>,
        seat: u8,
        hand: u32,
    ) -> Option<u32> {
        let entrant = (*table.seats.get(usize::from(seat))?)?;
        let is_out = self.entrants().get(entrant as usize)?.departure == Some(Departure::Disqualified);
        if is_out || self.was_called_off(game_results, round, table) || !self.is_told(round, game_results) {
            return None;
        }
        let waits = self.setup().scoring.waits_for_qualifier();
        let has_qualified = || {
            game_results.first_qualifier(table.game, seat).is_some_and(|first| first <= hand)
                || self.had_qualified_before(game_results, entrant, round.round)
        };
        (!waits || has_qualified()).then_some(entrant)
    }

    /// Whether the entrant has had an award with a qualifier in an earlier round.
    fn had_qualified_before(&self, game_results: &GameResults, entrant: u32, round: u16) -> bool {
        self.rounds().iter().take_while(|earlier| earlier.round < round).any(|earlier| {
            earlier.tables.iter().any(|table| {
                let seat = table.seats.iter().position(|sitter| *sitter == Some(entrant));
                seat.is_some_and(|seat| {
                    !self.was_called_off(game_results, earlier, table)
                        && game_results.first_qualifier(table.game, seat as u8).is_some()
                })
            })
        })
    }
}

impl GameResults {
    /// The hand in which a seat first had an award with a qualifier.
    fn first_qualifier(&self, game: Uuid, seat: u8) -> Option<u32> {
        let points = &self.game(game)?.points;
        points.iter().find(|points| points.seat == seat && points.qualifiers > 0).map(|points| points.hand)
    }
}
