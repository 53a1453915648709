//! The rows of games: their seeds (see `seeds.rs`), and an index over the logs for lists (see `lists.rs`).

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::schema::games;
use crate::store::status::Status;
use crate::store::wrapping::MasterKeys;

/// The id of the transaction, by which a replica that follows the lobby finds the games that have changed.
const THIS_TRANSACTION: &str = "pg_current_xact_id()::text::bigint";

/// A game that is created together with its log's first entries.
#[derive(Clone)]
pub struct NewGame {
    pub server_seed: [u8; 32],
    pub kind: String,
    pub rules_version: i16,
    pub options: String,
    pub seats: i16,
    pub visibility: &'static str,
    pub created_by: Uuid,
    pub created_at: jiff::Timestamp,
    pub idempotency_key: Option<String>,
    pub turn_seconds: Option<i32>,
    pub bank_seconds: i32,
    /// Whether its result counts for ratings.
    pub is_rated: bool,
    /// The game of which this one is a rematch.
    pub rematch_of: Option<Uuid>,
    /// The network from which a guest created it; `None` if its creator is no guest.
    pub guest_network: Option<String>,
}

/// What an append makes of its game's row, which is written once for all its entries.
#[derive(Debug, Default)]
pub(super) struct RowChange {
    /// The game's version after it.
    pub version: u32,
    /// Something that lists show has changed; otherwise the row stays as it is.
    pub is_listed: bool,
    pub status: Option<Status>,
    pub ended_at: Option<Timestamp>,
    /// How many bots have sat down, less those that were removed.
    pub more_bots: i16,
    /// A person has sat down.
    pub is_taken: bool,
    /// When a person stood up or was removed.
    pub left_at: Option<Timestamp>,
}

/// Inserts the row of a game that is created. `row`: what else the append makes of it.
pub(super) async fn insert(
    connection: &mut AsyncPgConnection,
    keys: &MasterKeys,
    game_id: Uuid,
    new: NewGame,
    row: &RowChange,
) -> Result<(), StoreError> {
    let empty_since = (!row.is_taken).then_some(new.created_at);
    diesel::insert_into(games::table)
        .values((
            games::game_id.eq(game_id),
            games::server_seed.eq(keys.wrap_game_seed(game_id, &new.server_seed)),
            games::kind.eq(new.kind),
            games::rules_version.eq(new.rules_version),
            games::options.eq(new.options),
            games::seats.eq(new.seats),
            games::visibility.eq(new.visibility),
            games::status.eq(row.status.unwrap_or(Status::Open)),
            games::created_by.eq(new.created_by),
            games::created_at.eq(new.created_at.to_diesel()),
            games::idempotency_key.eq(new.idempotency_key),
            games::turn_seconds.eq(new.turn_seconds),
            games::bank_seconds.eq(new.bank_seconds),
            games::is_rated.eq(new.is_rated),
            games::rematch_of.eq(new.rematch_of),
            games::guest_network.eq(new.guest_network.filter(|_| row.ended_at.is_none())),
            games::empty_since.eq(empty_since.map(ToDiesel::to_diesel)),
            games::bots.eq(row.more_bots),
            games::ended_at.eq(row.ended_at.map(ToDiesel::to_diesel)),
            games::version.eq(row.version.cast_signed()),
            games::changed.eq(sql(THIS_TRANSACTION)),
        ))
        .prepared()
        .execute(connection)
        .await?;
    Ok(())
}

/// Changes the row of a game. Its players have changed already.
pub(super) async fn change(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
    row: &RowChange,
) -> Result<(), StoreError> {
    // The lobby does not show the games of tournaments.
    diesel::sql_query(format!(
        "UPDATE games SET version = $2, changed = CASE WHEN tournament_id IS NULL THEN {THIS_TRANSACTION} ELSE changed END,
             status = coalesce($3, status), ended_at = coalesce($4, ended_at),
             guest_network = CASE WHEN $4 IS NULL THEN guest_network END, bots = bots + $5,
             empty_since = CASE
                 WHEN $7 IS NOT NULL AND NOT EXISTS (SELECT FROM game_players WHERE game_players.game_id = $1) THEN $7
                 WHEN NOT $6 THEN empty_since END
         WHERE game_id = $1"
    ))
    .bind::<SqlUuid, _>(game_id)
    .bind::<Integer, _>(row.version.cast_signed())
    .bind::<Nullable<Text>, _>(row.status)
    .bind::<Nullable<Timestamptz>, _>(row.ended_at.map(ToDiesel::to_diesel))
    .bind::<SmallInt, _>(row.more_bots)
    .bind::<Bool, _>(row.is_taken)
    .bind::<Nullable<Timestamptz>, _>(row.left_at.map(ToDiesel::to_diesel))
    .prepared()
    .execute(connection)
    .await?;
    Ok(())
}

impl Database {
    /// The game that a creator's request created.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn game_claimed(&self, caller: Uuid, key: &str) -> Result<Option<Uuid>, StoreError> {
        Ok(games::table
            .filter(games::created_by.eq(caller).and(games::idempotency_key.eq(key)))
            .select(games::game_id)
            .first(&mut self.connection().await?)
            .await
            .optional()?)
    }

    /// The game of which this one is a rematch.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn played_before(&self, rematch: Uuid) -> Result<Option<Uuid>, StoreError> {
        let found = games::table.find(rematch).select(games::rematch_of);
        Ok(found.first(&mut self.connection().await?).await.optional()?.flatten())
    }

    /// The rematch of this game.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn rematch_of(&self, game_id: Uuid) -> Result<Option<Uuid>, StoreError> {
        Ok(games::table
            .filter(games::rematch_of.eq(game_id))
            .select(games::game_id)
            .first(&mut self.connection().await?)
            .await
            .optional()?)
    }
}
