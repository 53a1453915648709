//! Tables whose game went wrong: an organiser has one played once more, or says how it ended.

use std::sync::Arc;

use jiff::Timestamp;
use uuid::Uuid;

use super::acts::{ResultCancelled, ResultSet, TableRedone, TableScores};
use super::bounds::{check_number, check_text};
use super::decide::REASON_MAX;
use super::game_results::{End, Game, GameResults};
use super::interventions::{Intervention, SetResult};
use super::log::{RoundBegan, RoundTable};
use super::state::Tournament;
use crate::rules::{Outcome, Refusal, within};

/// How often tables of a tournament may be played once more.
const MAX_REDONE: usize = 1000;
/// How often results may be set.
const MAX_RESULTS_SET: usize = 10_000;
/// The most that a seat can have at the end.
const SCORE_MAX: i64 = 2_000_000_000;

impl Tournament {
    /// What organisers did to a table; none for most tables. Rounds and tables count from 1.
    pub fn intervention(&self, round: u16, table: u16) -> Option<&Intervention> {
        self.interventions.get(&(round, table))
    }

    /// What a table's game has brought: what an organiser has set, before what was played.
    pub(super) fn counted_game<'a>(
        &'a self,
        game_results: &'a GameResults,
        round: &RoundBegan,
        table: &RoundTable,
    ) -> Option<&'a Game> {
        let set = self.intervention(round.round, table.table).and_then(|found| found.result.as_ref());
        set.map(|set| &set.game).or_else(|| game_results.game(table.game))
    }

    /// Whether all tables of a round have ended.
    pub(super) fn is_round_over(&self, round: &RoundBegan, game_results: &GameResults) -> bool {
        round
            .tables
            .iter()
            .all(|table| self.counted_game(game_results, round, table).is_some_and(|game| game.end.is_some()))
    }

    /// Whether nothing counts that was played at a table: its game was called off, and nobody has set its result.
    pub(super) fn was_called_off(
        &self,
        game_results: &GameResults,
        round: &RoundBegan,
        table: &RoundTable,
    ) -> bool {
        self.counted_game(game_results, round, table).is_some_and(|game| game.end == Some(End::Aborted))
    }

    /// `replaced` is the game that the organiser means.
    pub(super) fn redo(
        &self,
        place: (u16, u16),
        reason: &str,
        replaced: Uuid,
        game: Uuid,
    ) -> Result<TableRedone, Refusal> {
        self.check_active()?;
        self.table_with(place, replaced)?;
        if !self.is_newest_table(place) {
            return Err(Refusal::new("round_over", "a later round has begun; only its result can be set"));
        }
        if self.setup().duplicate {
            let detail = "the tables of a duplicate round share their cards, which are known by now";
            return Err(Refusal::new("duplicate_table", detail));
        }
        check_text("reason", reason, REASON_MAX)?;
        let redone: usize = self.interventions.values().map(|found| found.earlier_games.len()).sum();
        check_number("tables that are played once more", redone, MAX_REDONE)?;
        let (round, table) = place;
        Ok(TableRedone { round, table, game, replaced, reason: reason.to_owned() })
    }

    pub(super) fn set_result(
        &self,
        place: (u16, u16),
        reason: &str,
        game: Uuid,
        result: &TableScores,
    ) -> Result<ResultSet, Refusal> {
        self.check_may_judge(place)?;
        let table = self.table_with(place, game)?;
        check_text("reason", reason, REASON_MAX)?;
        check_number("results that were set", self.results_set as usize, MAX_RESULTS_SET)?;
        self.placed(table, result)?;
        let (round, table) = place;
        let TableScores { scores, places } = result.clone();
        Ok(ResultSet { round, table, game, reason: reason.to_owned(), scores, places })
    }

    /// None where no result is set: asking twice does no harm.
    pub(super) fn cancel_result(&self, place: (u16, u16)) -> Result<Option<ResultCancelled>, Refusal> {
        self.check_may_judge(place)?;
        let game = self.table(place)?.game;
        let is_set = self.interventions.get(&place).is_some_and(|found| found.result.is_some());
        let (round, table) = place;
        Ok(is_set.then_some(ResultCancelled { round, table, game }))
    }

    /// Results can be set until the tournament is called off. In a knockout, and in its groups, the results of earlier rounds
    /// have decided which entrants went on.
    fn check_may_judge(&self, place: (u16, u16)) -> Result<(), Refusal> {
        self.check_not_aborted()?;
        self.table(place)?;
        let newest = self.rounds.len() as u16;
        if self.setup().format.is_knockout_round(newest) && place.0 != newest {
            return Err(Refusal::new("round_over", "the next round of the knockout has begun"));
        }
        Ok(())
    }

    /// The table, if `game` is its game: another organiser may have had it played once more.
    fn table_with(&self, place: (u16, u16), game: Uuid) -> Result<&RoundTable, Refusal> {
        let table = self.table(place)?;
        if table.game != game {
            return Err(Refusal::new("other_game", "the table plays another game by now"));
        }
        Ok(table)
    }

    pub(super) fn table(&self, (round, table): (u16, u16)) -> Result<&RoundTable, Refusal> {
        let began = self.rounds.get(usize::from(round).wrapping_sub(1));
        let found = began.and_then(|began| began.tables.get(usize::from(table).wrapping_sub(1)));
        found.ok_or_else(|| Refusal::new("table_not_found", "there is no such table"))
    }

    /// The places that a result gives, seat 0 first.
    fn placed(
        &self,
        table: &RoundTable,
        TableScores { scores, places }: &TableScores,
    ) -> Result<Vec<u8>, Refusal> {
        let seats = table.seats.len();
        let invalid = |detail: String| Err(Refusal::new("invalid_body", detail));
        if scores.len() != seats {
            return invalid(format!("scores: one for each of the {seats} seats"));
        }
        scores.iter().try_for_each(|&score| within("scores", score, -SCORE_MAX..=SCORE_MAX))?;
        if !table.stacks.is_empty() {
            let brought = table.stacks.iter().map(|&stack| i64::from(stack)).sum::<i64>();
            if scores.iter().any(|&score| score < 0) || scores.iter().sum::<i64>() != brought {
                return invalid(format!(
                    "scores: what the seats brought, {brought} chips in all, is theirs after it"
                ));
            }
        }
        let Some(places) = places else {
            let mut placings = Outcome::by_score(scores, self.kind().best).places;
            placings.sort_unstable_by_key(|placing| placing.seat);
            return Ok(placings.into_iter().map(|placing| placing.place).collect());
        };
        let is_right = |place: &u8| {
            let ahead = places.iter().filter(|other| *other < place).count();
            usize::from(*place) == ahead + 1
        };
        if places.len() != seats || !places.iter().all(is_right) {
            return invalid(format!("places: one for each of the {seats} seats, like 1, 1, 3"));
        }
        Ok(places.clone())
    }

    pub(super) fn can_be_redone(&self, redone: &TableRedone) -> Result<(), String> {
        let TableRedone { round, table, replaced, game, reason } = redone;
        let due = self.redo((*round, *table), reason, *replaced, *game);
        due.map_err(|refusal| refusal.detail.to_string())?;
        let is_known = |table: &RoundTable| table.game == redone.game;
        let mut earlier = self.interventions.values().flat_map(|found| &found.earlier_games);
        if self.rounds.iter().any(|round| round.tables.iter().any(is_known))
            || earlier.any(|game| *game == redone.game)
        {
            return Err("each table has a game of its own".to_owned());
        }
        Ok(())
    }

    pub(super) fn can_be_set(&self, set: &ResultSet) -> Result<(), String> {
        let due = self.set_result((set.round, set.table), &set.reason, set.game, &set.result());
        due.map(drop).map_err(|refusal| refusal.detail.to_string())
    }

    pub(super) fn can_be_cancelled(&self, cancelled: &ResultCancelled) -> Result<(), String> {
        match self.cancel_result((cancelled.round, cancelled.table)) {
            Ok(Some(due)) if due.game == cancelled.game => Ok(()),
            Ok(_) => Err("no result of this game is set".to_owned()),
            Err(refusal) => Err(refusal.detail.to_string()),
        }
    }

    pub(super) fn apply_redone(&mut self, redone: &TableRedone) {
        let TableRedone { round, table, game, replaced, .. } = redone;
        let began = Arc::make_mut(&mut self.rounds[usize::from(*round) - 1]);
        let seated = &mut began.tables[usize::from(*table) - 1];
        seated.game = *game;
        for &entrant in seated.seats.iter().flatten() {
            let registration = &mut self.entrants[entrant as usize];
            registration.seated_account = registration.entrant.account();
        }
        let found = Arc::make_mut(&mut self.interventions).entry((*round, *table)).or_default();
        found.earlier_games.push(*replaced);
        // It was the result of the earlier game.
        found.result = None;
        self.unsettle(*round, *table);
    }

    pub(super) fn apply_set(&mut self, set: &ResultSet, at: Timestamp, by: String) {
        let place = (set.round, set.table);
        let places = self.table(place).and_then(|table| self.placed(table, &set.result()));
        let places = places.expect("the entry has been checked");
        let game = Game::ended(set.scores.clone(), places);
        let result = SetResult { reason: set.reason.clone(), at, by, game };
        Arc::make_mut(&mut self.interventions).entry(place).or_default().result = Some(result);
        self.results_set += 1;
    }

    pub(super) fn apply_cancelled(&mut self, cancelled: &ResultCancelled) {
        let place = (cancelled.round, cancelled.table);
        if let Some(found) = Arc::make_mut(&mut self.interventions).get_mut(&place) {
            found.result = None;
        }
    }
}
