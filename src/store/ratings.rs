//! Ratings: the games that wait to be counted, the games that were counted, in order, and the resulting figures.

use std::collections::BTreeMap;
use std::io::Write;

use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::prelude::*;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{BigInt, Bool, Double, Jsonb, Text, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::schema::{rated_games, ratings, unrated_games};
use crate::store::session::Session;

/// The advisory lock for counting: only one process counts at a time, so that there is one order.
const LOCK: i64 = 0x0063_6172_6472_6174;

/// How many rows go into one statement.
const CHUNK: usize = 1000;

/// A player's rating in a window.
#[derive(Debug, Clone, PartialEq, Queryable, Selectable, Insertable, AsChangeset, QueryableByName)]
#[diesel(table_name = ratings, primary_key(account_id, kind, period))]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub struct RatingRow {
    pub account_id: Uuid,
    pub kind: String,
    pub period: String,
    pub rating: f64,
    pub mu: f64,
    pub sigma: f64,
    pub games: i32,
    pub wins: i32,
    pub hands: i64,
    pub streak: i32,
    pub best_streak: i32,
    pub counters: StoredCounters,
}

/// A kind's own counters for a player, by name.
#[derive(Debug, Clone, PartialEq, Default, FromSqlRow, AsExpression)]
#[diesel(sql_type = Jsonb)]
pub struct StoredCounters(pub BTreeMap<String, u32>);

/// The first byte of every `jsonb` on the wire.
const JSONB_VERSION: u8 = 1;

impl FromSql<Jsonb, Pg> for StoredCounters {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<StoredCounters> {
        match value.as_bytes().split_first() {
            Some((&JSONB_VERSION, json)) => Ok(StoredCounters(serde_json::from_slice(json)?)),
            _ => Err("this is no jsonb".into()),
        }
    }
}

impl ToSql<Jsonb, Pg> for StoredCounters {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(&[JSONB_VERSION])?;
        serde_json::to_writer(out, &self.0)?;
        Ok(IsNull::No)
    }
}

/// A line of a leaderboard.
#[derive(Debug, Clone, QueryableByName)]
pub struct BoardLine {
    #[diesel(sql_type = Text)]
    pub username: String,
    #[diesel(embed)]
    pub row: RatingRow,
}

/// Only the process that holds this lock counts games.
pub struct RatingLock(Session);

/// Queues a finished game to be counted.
pub(super) async fn await_rating(
    connection: &mut AsyncPgConnection,
    game: Uuid,
    ended_at: jiff::Timestamp,
) -> Result<(), StoreError> {
    diesel::insert_into(unrated_games::table)
        .values((unrated_games::game_id.eq(game), unrated_games::due_at.eq(ended_at.to_diesel())))
        .execute(connection)
        .await?;
    Ok(())
}

impl Database {
    /// Finished games that are due and have not been looked at, the first to come due first, at most `limit`. A
    /// game that is due after `latest` was queued when the clock was ahead, and is returned, too.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn unrated_games(
        &self,
        now: jiff::Timestamp,
        latest: jiff::Timestamp,
        limit: i64,
    ) -> Result<Vec<Uuid>, StoreError> {
        let is_due = unrated_games::due_at.le(now.to_diesel());
        Ok(unrated_games::table
            .filter(is_due.or(unrated_games::due_at.gt(latest.to_diesel())))
            .order((unrated_games::due_at, unrated_games::game_id))
            .select(unrated_games::game_id)
            .limit(limit)
            .load(&mut self.connection().await?)
            .await?)
    }

    /// Puts a game off, because its end must stay secret for now.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn rate_later(&self, game: Uuid, due_at: jiff::Timestamp) -> Result<(), StoreError> {
        diesel::update(unrated_games::table.find(game))
            .set(unrated_games::due_at.eq(due_at.to_diesel()))
            .execute(&mut self.connection().await?)
            .await?;
        Ok(())
    }

    /// Removes a game from the queue: it does not count.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn dismiss(&self, game: Uuid) -> Result<(), StoreError> {
        diesel::delete(unrated_games::table.find(game)).execute(&mut self.connection().await?).await?;
        Ok(())
    }

    /// Counts a game, in one transaction: removes it from the queue, gives it its number, and replaces the rows of
    /// these accounts and periods by the result of `count`. False: another process is counting, or has counted it.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn rate(
        &self,
        game: Uuid,
        kind: &str,
        periods: &[String],
        accounts: &[Uuid],
        count: impl Fn(Vec<RatingRow>) -> Vec<RatingRow> + Send + Sync,
    ) -> Result<bool, StoreError> {
        let mut connection = self.connection().await?;
        connection
            .transaction(async |connection| {
                let is_ours: bool = diesel::select(diesel::dsl::sql::<Bool>(&format!(
                    "pg_try_advisory_xact_lock({LOCK})"
                )))
                .get_result(connection)
                .await?;
                let taken = match is_ours {
                    true => diesel::delete(unrated_games::table.find(game)).execute(connection).await?,
                    false => 0,
                };
                if taken == 0 {
                    return Ok(false);
                }
                diesel::sql_query(
                    "INSERT INTO rated_games (n, game_id) SELECT coalesce(max(n), 0) + 1, $1 FROM rated_games",
                )
                .bind::<SqlUuid, _>(game)
                .execute(connection)
                .await?;
                let rows = ratings::table
                    .filter(ratings::account_id.eq_any(accounts))
                    .filter(ratings::kind.eq(kind).and(ratings::period.eq_any(periods)))
                    .select(RatingRow::as_select())
                    .load(connection)
                    .await?;
                for row in count(rows) {
                    replace(connection, &row).await?;
                }
                Ok(true)
            })
            .await
    }

    /// Waits until no other process counts, and keeps all others from counting.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn rating_lock(&self) -> Result<RatingLock, StoreError> {
        // The lock is released when the connection closes.
        let mut connection = self.patient_session().await?;
        connection.batch_execute(&format!("SELECT pg_advisory_lock({LOCK})")).await?;
        Ok(RatingLock(connection))
    }

    /// Games in the order in which they were counted, with their numbers: those after `after`, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn rated_games(&self, after: i64, limit: i64) -> Result<Vec<(i64, Uuid)>, StoreError> {
        Ok(rated_games::table
            .filter(rated_games::n.gt(after))
            .order(rated_games::n)
            .limit(limit)
            .load(&mut self.connection().await?)
            .await?)
    }

    /// A page of a leaderboard, the best first: at most `limit` lines after `after`, a rating and an account.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn board(
        &self,
        kind: &str,
        period: &str,
        after: Option<(f64, Uuid)>,
        limit: i64,
    ) -> Result<Vec<BoardLine>, StoreError> {
        let (rating, account) = after.unwrap_or((f64::INFINITY, Uuid::max()));
        Ok(diesel::sql_query(BOARD)
            .bind::<Text, _>(kind)
            .bind::<Text, _>(period)
            .bind::<Double, _>(rating)
            .bind::<SqlUuid, _>(account)
            .bind::<BigInt, _>(limit)
            .load(&mut self.connection().await?)
            .await?)
    }

    /// A player's figures of all time, kind by kind.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn ratings_of(&self, account: Uuid) -> Result<Vec<RatingRow>, StoreError> {
        Ok(ratings::table
            .filter(ratings::account_id.eq(account).and(ratings::period.eq("all")))
            .order(ratings::kind)
            .select(RatingRow::as_select())
            .load(&mut self.connection().await?)
            .await?)
    }
}

/// Walks the index `ratings_board` from where the previous page ended.
pub const BOARD: &str = "SELECT username, ratings.* FROM ratings JOIN accounts ON accounts.id = account_id
     WHERE kind = $1 AND period = $2 AND (rating, account_id) < ($3, $4)
     ORDER BY rating DESC, account_id DESC LIMIT $5";

impl RatingLock {
    /// Replaces all rows by these.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn replace_all(mut self, rows: &[RatingRow]) -> Result<(), StoreError> {
        self.0
            .transaction(async |connection| {
                diesel::delete(ratings::table).execute(connection).await?;
                for rows in rows.chunks(CHUNK) {
                    diesel::insert_into(ratings::table).values(rows).execute(connection).await?;
                }
                Ok(())
            })
            .await
    }
}

async fn replace(connection: &mut AsyncPgConnection, row: &RatingRow) -> Result<(), StoreError> {
    diesel::insert_into(ratings::table)
        .values(row)
        .on_conflict((ratings::account_id, ratings::kind, ratings::period))
        .do_update()
        .set(row)
        .execute(connection)
        .await?;
    Ok(())
}
