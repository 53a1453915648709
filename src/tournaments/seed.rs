//! When the seed of a tournament is shown: the cards of all its games follow from it.

use cardroom_core::tournament::Tournament;
use serde_json::Value;
use uuid::Uuid;

use crate::runtime::error::ServiceError;
use crate::tournaments::log::broken;
use crate::tournaments::service::Tournaments;

/// The field of the entries that end a tournament.
const SEED: &str = "server_seed";

impl Tournaments {
    /// Whether the seed of a tournament is public: it is over, and so are all its games. When a tournament is called off, its
    /// tables are still played until each of them has been called off as well.
    ///
    /// # Errors
    /// [`ServiceError::Store`].
    pub async fn shows_seed(&self, tournament: &Tournament) -> Result<bool, ServiceError> {
        Ok(tournament.is_over() && !self.games.database.has_running_games(tournament.id).await?)
    }

    /// The entries of a tournament's log after `after`, at most `limit`, as anybody may read them by now.
    ///
    /// # Errors
    /// `tournament_not_found`.
    pub async fn shown_log(&self, id: Uuid, after: u32, limit: i64) -> Result<Vec<String>, ServiceError> {
        let entries = self.log(id, after, limit).await?;
        if !entries.iter().any(|entry| entry.contains(SEED))
            || self.shows_seed(&*self.look(id).await?).await?
        {
            return Ok(entries);
        }
        entries.into_iter().map(|entry| without_seed(id, &entry)).collect()
    }
}

/// An entry of a tournament's log without the seed, if it has one.
///
/// # Errors
/// [`ServiceError::BrokenTournament`] where the entry cannot be read.
pub fn without_seed(id: Uuid, entry: &str) -> Result<String, ServiceError> {
    let mut entry: Value = serde_json::from_str(entry).map_err(|error| broken(id, &error))?;
    if let Some(seed) = entry.pointer_mut("/data").and_then(|data| data.get_mut(SEED)) {
        *seed = Value::Null;
    }
    Ok(entry.to_string())
}
