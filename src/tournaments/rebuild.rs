//! What is written beside the logs, written anew from the logs alone.

use cardroom_core::table::Table;
use uuid::Uuid;

use crate::games::hand_results;
use crate::runtime::error::ServiceError;
use crate::tournaments::service::Tournaments;

/// How many games are looked up at a time.
const PAGE: i64 = 200;

impl Tournaments {
    /// Deletes the stored results of all tournaments' hands, and reads them from the games' logs again. Returns how
    /// many games those were.
    ///
    /// # Errors
    /// [`ServiceError`] at the first log that cannot be read; what was done before stays done.
    pub async fn rebuild(&self) -> Result<usize, ServiceError> {
        let (mut games, mut after) = (0, None);
        loop {
            let page = self.games.database.tournament_games(after, PAGE).await?;
            let Some(&last) = page.last() else { return Ok(games) };
            for &game in &page {
                self.rebuild_game(game).await?;
            }
            (games, after) = (games + page.len(), Some(last));
        }
    }

    /// The same for one game.
    ///
    /// # Errors
    /// [`ServiceError`] where its log cannot be read.
    pub async fn rebuild_game(&self, id: Uuid) -> Result<(), ServiceError> {
        let (seed, log) = self.games.runtime.store.log(id).await?;
        let entries: Vec<_> = log.iter().map(|(entry, _)| entry.clone()).collect();
        let (table, hands) =
            Table::replay_hands(id, seed, log).map_err(|fault| ServiceError::Fault(id, fault))?;
        let rows = hand_results::rows(&table, &hands, entries.iter())?;
        Ok(self.games.database.replace_hands(id, table.version, rows).await?)
    }
}
