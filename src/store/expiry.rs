//! Expiry of unused things: games and tournaments that wait in vain, and guests who have never played.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use jiff::Timestamp;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;

impl Database {
    /// Claims the turn to look for unused things, if no replica has claimed it after `last`. True for one of all
    /// replicas that ask.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn take_expiry(&self, now: Timestamp, last: Timestamp) -> Result<bool, StoreError> {
        // A clock that was wrong may have written a time in the future.
        let turn = "UPDATE service SET expired_at = $1 WHERE expired_at <= $2 OR expired_at > $1";
        let taken = diesel::sql_query(turn)
            .bind::<Timestamptz, _>(now.to_diesel())
            .bind::<Timestamptz, _>(last.to_diesel())
            .execute(&mut self.connection().await?)
            .await?;
        Ok(taken == 1)
    }

    /// Open games at which no person has sat after `empty`, and open games that were created no later than `made`; at
    /// most `limit` of each.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn unused_games(
        &self,
        empty: Option<Timestamp>,
        made: Option<Timestamp>,
        limit: i64,
    ) -> Result<Vec<Uuid>, StoreError> {
        // Ids begin with the time in milliseconds, so no game that is older than the next millisecond has a larger id.
        let next =
            |made: Timestamp| Uuid::from_u128(u128::from(made.as_millisecond().unsigned_abs() + 1) << 80);
        // A comparison with NULL finds no row.
        let found: Vec<Found> = diesel::sql_query(
            "(SELECT game_id AS id FROM games WHERE status = 'open' AND empty_since <= $1
              ORDER BY empty_since LIMIT $3)
             UNION
             (SELECT game_id AS id FROM games WHERE status = 'open' AND created_at <= $2 AND game_id < $4
              ORDER BY game_id LIMIT $3)",
        )
        .bind::<Nullable<Timestamptz>, _>(empty.map(ToDiesel::to_diesel))
        .bind::<Nullable<Timestamptz>, _>(made.map(ToDiesel::to_diesel))
        .bind::<BigInt, _>(limit)
        .bind::<Nullable<SqlUuid>, _>(made.map(next))
        .load(&mut self.connection().await?)
        .await?;
        Ok(found.into_iter().map(|Found { id }| id).collect())
    }

    /// Open tournaments that were created no later than `made` and were to start no later, at most `limit`. No
    /// plan counts for more than a year.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn unused_tournaments(&self, made: Timestamp, limit: i64) -> Result<Vec<Uuid>, StoreError> {
        // Ids begin with the time, so the smallest ids are the oldest tournaments.
        let found: Vec<Found> = diesel::sql_query(
            "SELECT tournament_id AS id FROM tournaments WHERE status = 'open' AND created_at <= $1
                 AND least(coalesce(starts_at, created_at), created_at + interval '1 year') <= $1
             ORDER BY tournament_id LIMIT $2",
        )
        .bind::<Timestamptz, _>(made.to_diesel())
        .bind::<BigInt, _>(limit)
        .load(&mut self.connection().await?)
        .await?;
        Ok(found.into_iter().map(|Found { id }| id).collect())
    }

    /// Deletes guests who were created no later than `made`, have never played, and have no refresh token that is valid
    /// for longer than `held`; at most `limit`. Returns the number of deleted guests.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn delete_unused_guests(
        &self,
        made: Timestamp,
        held: Timestamp,
        limit: i64,
    ) -> Result<i64, StoreError> {
        let Deleted { guests } = diesel::sql_query(
            "WITH gone AS (
                 DELETE FROM accounts WHERE id IN (
                     SELECT id FROM accounts
                     WHERE password_hash IS NULL AND deleted_at IS NULL AND NOT has_played AND role = 'player' AND created_at <= $1
                       AND NOT EXISTS (
                           SELECT FROM refresh_tokens WHERE account_id = accounts.id AND expires_at > $2)
                     ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)
                 RETURNING id
             ), tokens AS (DELETE FROM refresh_tokens USING gone WHERE account_id = gone.id)
             SELECT count(*) AS guests FROM gone",
        )
        .bind::<Timestamptz, _>(made.to_diesel())
        .bind::<Timestamptz, _>(held.to_diesel())
        .bind::<BigInt, _>(limit)
        .get_result(&mut self.connection().await?)
        .await?;
        Ok(guests)
    }

    /// Deletes the ratings of deleted accounts whose games are all over and counted.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn delete_ratings(&self) -> Result<usize, StoreError> {
        let deleted = diesel::sql_query(
            "WITH done AS (
                 DELETE FROM ratings_to_delete AS waiting WHERE NOT EXISTS (
                     SELECT FROM game_players JOIN games USING (game_id)
                     WHERE account_id = waiting.account_id AND (ended_at IS NULL OR EXISTS (
                         SELECT FROM unrated_games WHERE unrated_games.game_id = games.game_id)))
                 RETURNING account_id
             )
             DELETE FROM ratings USING done WHERE ratings.account_id = done.account_id",
        );
        Ok(deleted.execute(&mut self.connection().await?).await?)
    }
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

#[derive(QueryableByName)]
struct Deleted {
    #[diesel(sql_type = BigInt)]
    guests: i64,
}
