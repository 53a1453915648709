//! Ratings: all games counted again, in the order in which they were counted.

use cardroom_core::rating::{Game, Key, PlayerRatings};
use uuid::Uuid;

use super::log::Log;
use super::{Check, named};
use crate::ratings::{self, figures, row};
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::store::ratings::RatingRow;

/// How many rows are read at a time.
const PAGE: i64 = 500;
/// Figures that differ by less are the same: mathematics is not the same on each machine to the last bit.
const EPSILON: f64 = 1e-6;

impl Check<'_> {
    pub(super) async fn ratings(&mut self) -> Result<(), StoreError> {
        let _held = self.database.hold_ratings().await?;
        let mut ladder = PlayerRatings::new();
        let mut after = 0;
        loop {
            let page = self.database.rated_games(after, PAGE).await?;
            let Some(&(last, _)) = page.last() else { break };
            for &(n, id) in &page {
                self.rated_game(n, id, &mut ladder).await?;
                self.progress("rated games", self.checked.rated_games, 0);
            }
            after = last;
        }
        self.rows_of(ladder).await
    }

    async fn rated_game(&mut self, n: i64, id: Uuid, ladder: &mut PlayerRatings) -> Result<(), StoreError> {
        self.checked.rated_games += 1;
        let game = match self.read_rated(id).await {
            Ok(Some(game)) => game,
            Ok(None) => {
                self.faults(
                    &named("game", id),
                    &["it was counted for the ratings, but does not count".to_owned()],
                );
                return Ok(());
            }
            Err(error) => {
                let fault =
                    format!("it was counted for the ratings, but cannot be read: {}", self.fault_of(error)?);
                self.faults(&named("game", id), &[fault]);
                return Ok(());
            }
        };
        game.count(ladder);
        let accounts: Vec<Uuid> = game.players.iter().map(|player| player.account).collect();
        let stored = self.database.points_of_game(n, &game.kind, &accounts).await?;
        for player in &game.players {
            let Some(due) = ratings::of_all_time(ladder, &game, player) else { continue };
            let point = stored.iter().find(|point| point.account_id == player.account);
            let is_right =
                point.is_some_and(|point| point.game_id == id && is_close(point.rating, due.rating));
            // A deleted account's ratings go with it.
            let is_gone = point.is_none() && self.database.is_deleted(player.account).await?;
            if !(is_right || is_gone) {
                let fault =
                    format!("the rating of account {} after it is not {}", player.account, due.rating);
                self.faults(&named("game", id), &[fault]);
            }
        }
        Ok(())
    }

    async fn read_rated(&self, id: Uuid) -> Result<Option<Game>, ServiceError> {
        let log = Log::read(self.database, &self.archived, id).await?;
        let (table, hands) = log.replayed()?;
        Ok(log.created().and_then(|created| ratings::game_of(created, &table, &hands)))
    }

    /// Compares what was counted with all rows, and leaves out those of deleted accounts.
    async fn rows_of(&mut self, mut ladder: PlayerRatings) -> Result<(), StoreError> {
        let mut after = (Uuid::nil(), String::new(), String::new());
        loop {
            let page = self.database.rating_rows((after.0, &after.1, &after.2), PAGE).await?;
            let Some(last) = page.last() else { break };
            after = (last.account_id, last.kind.clone(), last.period.clone());
            for stored in page {
                self.checked.ratings += 1;
                let (key, _) = figures(stored.clone());
                let due = ladder.remove(&key).map(|due| row((key.clone(), due)));
                if !due.is_some_and(|due| is_same(&stored, &due)) {
                    self.faults(
                        &rating(&key),
                        &["it does not follow from the games that were counted".to_owned()],
                    );
                }
            }
        }
        for key in ladder.into_keys() {
            if !self.database.is_deleted(key.account).await? {
                self.faults(&rating(&key), &["it is missing".to_owned()]);
            }
        }
        Ok(())
    }
}

fn rating(Key { kind, period, account }: &Key) -> String {
    format!("rating of account {account}, {kind}, {period}")
}

fn is_same(stored: &RatingRow, due: &RatingRow) -> bool {
    let rounded = RatingRow { rating: due.rating, mu: due.mu, sigma: due.sigma, ..stored.clone() };
    let are_close = [(stored.rating, due.rating), (stored.mu, due.mu), (stored.sigma, due.sigma)]
        .iter()
        .all(|(a, b)| is_close(*a, *b));
    are_close && rounded == *due
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= EPSILON * (1.0 + b.abs())
}
