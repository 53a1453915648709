//! Which points count.

use std::collections::HashMap;

use uuid::Uuid;

use super::game_results::{End, GameResults};
use super::log::{RoundBegan, RoundTable};
use super::scoring::Scoring;
use super::state::{Departure, Tournament};
use crate::rules::scoring::Award;

/// Tells which awards of a tournament count. What holds for many of them is worked out once.
pub struct CountedAwards<'t> {
    tournament: &'t Tournament,
    game_results: &'t GameResults,
    /// By their games: the tables of which may be told yet and that were not called off.
    tables: HashMap<Uuid, (&'t RoundBegan, &'t RoundTable)>,
    /// By entrant: the round and the hand of the first award with a qualifier. Read where nothing counts before it.
    qualified: HashMap<u32, (u16, u32)>,
}

/// An award as it counts.
pub struct CountedAward {
    pub entrant: u32,
    /// From 1, as the table.
    pub round: u16,
    pub table: u16,
    pub award: Award,
}

impl Tournament {
    /// Which awards count, by these results.
    pub fn counted_awards<'t>(&'t self, game_results: &'t GameResults) -> CountedAwards<'t> {
        let told = self.rounds().iter().filter(|round| self.is_told(round, game_results));
        let tables = told.flat_map(|round| round.tables.iter().map(|table| (&**round, table)));
        let tables: HashMap<_, _> = tables
            .filter(|(round, table)| !self.was_called_off(game_results, round, table))
            .map(|(round, table)| (table.game, (round, table)))
            .collect();
        let mut qualified = HashMap::new();
        for (game, (round, table)) in &tables {
            for points in game_results.game(*game).iter().flat_map(|game| &game.points) {
                let entrant = table.seats.get(usize::from(points.seat)).copied().flatten();
                if let Some(entrant) = entrant.filter(|_| points.qualifiers > 0) {
                    let here = (round.round, points.hand);
                    qualified.entry(entrant).and_modify(|first| *first = here.min(*first)).or_insert(here);
                }
            }
        }
        CountedAwards { tournament: self, game_results, tables, qualified }
    }
}

impl CountedAwards<'_> {
    /// An award of a game's hand as it counts; nothing where it does not count. It counts for an entrant who is not
    /// disqualified, whose first qualifier came no later where one is required, at a table of which may be told yet.
    /// Points for places leave out disqualified opponents behind.
    pub fn of(&self, game: Uuid, hand: u32, mut award: Award) -> Option<CountedAward> {
        let CountedAwards { tournament, game_results, .. } = self;
        let (round, table) = self.tables.get(&game)?;
        let entrant = (*table.seats.get(usize::from(award.seat))?)?;
        let scoring = &tournament.setup().scoring;
        let is_out = tournament.entrants().get(entrant as usize)?.departure == Some(Departure::Disqualified);
        let has_qualified =
            || self.qualified.get(&entrant).is_some_and(|first| *first <= (round.round, hand));
        if is_out || scoring.waits_for_qualifier() && !has_qualified() {
            return None;
        }
        // The places that were played for, also where an organiser has set others.
        if let Some(End::Finished { places, .. }) = &game_results.game(game)?.end
            && matches!(scoring, Scoring::Places)
        {
            award.points = tournament.behind(table, places, places[usize::from(award.seat)]);
        }
        (award.points != 0).then_some(CountedAward { entrant, round: round.round, table: table.table, award })
    }
}
