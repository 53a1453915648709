//! The seeds that games and tournaments commit to, as their rows hold them.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::schema::{games, tournaments};
use crate::store::wrapping::{GAME_SEEDS, MasterKeys, TOURNAMENT_SEEDS};

impl MasterKeys {
    pub(super) fn wrap_game_seed(&self, game_id: Uuid, seed: &[u8; 32]) -> Vec<u8> {
        self.wrap(GAME_SEEDS, &game_id.to_string(), seed)
    }

    pub(super) fn unwrap_game_seed(&self, game_id: Uuid, wrapped: &[u8]) -> Result<[u8; 32], StoreError> {
        self.unwrap(GAME_SEEDS, &game_id.to_string(), wrapped)
    }

    pub(super) fn wrap_tournament_seed(&self, id: Uuid, seed: &[u8; 32]) -> Vec<u8> {
        self.wrap(TOURNAMENT_SEEDS, &id.to_string(), seed)
    }
}

impl Database {
    /// The seed that a game commits to.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer, or the seed's master key is not given.
    pub async fn server_seed(&self, game_id: Uuid) -> Result<Option<[u8; 32]>, StoreError> {
        let wrapped: Option<Vec<u8>> = games::table
            .find(game_id)
            .select(games::server_seed)
            .first(&mut self.connection().await?)
            .await
            .optional()?;
        wrapped.map(|wrapped| self.master_keys.unwrap_game_seed(game_id, &wrapped)).transpose()
    }

    /// The seed that a tournament commits to.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer, or the seed's master key is not given.
    pub async fn tournament_seed(&self, id: Uuid) -> Result<Option<[u8; 32]>, StoreError> {
        let wrapped: Option<Vec<u8>> = tournaments::table
            .find(id)
            .select(tournaments::server_seed)
            .first(&mut self.connection().await?)
            .await
            .optional()?;
        let unwrap = |wrapped: Vec<u8>| self.master_keys.unwrap(TOURNAMENT_SEEDS, &id.to_string(), &wrapped);
        wrapped.map(unwrap).transpose()
    }
}
