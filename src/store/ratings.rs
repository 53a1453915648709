//! Ratings: the games that wait to be counted, the games that were counted, in order, and the resulting figures.

use std::collections::BTreeMap;
use std::io::Write;

use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::dsl::sql;
use diesel::expression::{AsExpression, SqlLiteral};
use diesel::pg::{Pg, PgValue};
use diesel::prelude::*;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{BigInt, Bool, Double, Jsonb, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::schema::{accounts, rated_games, rating_history, ratings, unrated_games};
use crate::store::session::Session;

/// The advisory lock for counting: only one process counts at a time, so that there is one order.
pub(super) const LOCK: i64 = 0x0063_6172_6472_6174;

/// The period of all time.
const ALL: &str = "all";

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

/// A player's rating of all time after a game that counted.
#[derive(Debug, Insertable)]
#[diesel(table_name = rating_history)]
pub struct NewPoint {
    account_id: Uuid,
    kind: String,
    n: i64,
    game_id: Uuid,
    #[diesel(serialize_as = jiff_diesel::Timestamp)]
    ended_at: jiff::Timestamp,
    rating: f64,
}

impl NewPoint {
    /// The rating in this row, if it is of all time. `n`: the game's number.
    pub fn of(row: &RatingRow, n: i64, game_id: Uuid, ended_at: jiff::Timestamp) -> Option<NewPoint> {
        let RatingRow { account_id, kind, period, rating, .. } = row;
        let point =
            NewPoint { account_id: *account_id, kind: kind.clone(), n, game_id, ended_at, rating: *rating };
        (period == ALL).then_some(point)
    }
}

/// Only the process that holds this lock counts games.
pub struct RatingLock(Session);

/// Queues a finished game to be counted, if it is rated.
pub(super) async fn await_rating(
    connection: &mut AsyncPgConnection,
    game: Uuid,
    ended_at: jiff::Timestamp,
) -> Result<(), StoreError> {
    diesel::sql_query(
        "INSERT INTO unrated_games (game_id, due_at) SELECT game_id, $2 FROM games WHERE game_id = $1 AND is_rated",
    )
    .bind::<SqlUuid, _>(game)
    .bind::<Timestamptz, _>(ended_at.to_diesel())
    .prepared()
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
            .prepared()
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
        (game, ended_at): (Uuid, jiff::Timestamp),
        kind: &str,
        periods: &[String],
        accounts: &[Uuid],
        count: impl Fn(Vec<RatingRow>) -> Vec<RatingRow> + Send + Sync,
    ) -> Result<bool, StoreError> {
        let mut connection = self.connection().await?;
        connection
            .transaction(async |connection| {
                let is_ours: bool =
                    diesel::select(diesel::dsl::sql::<Bool>(&format!("pg_try_advisory_xact_lock({LOCK})")))
                        .get_result(connection)
                        .await?;
                let taken = match is_ours {
                    true => diesel::delete(unrated_games::table.find(game)).execute(connection).await?,
                    false => 0,
                };
                if taken == 0 {
                    return Ok(false);
                }
                let n: i64 = diesel::insert_into(rated_games::table)
                    .values((rated_games::n.eq(next_number()), rated_games::game_id.eq(game)))
                    .returning(rated_games::n)
                    .get_result(connection)
                    .await?;
                let rows = ratings::table
                    .filter(ratings::account_id.eq_any(accounts))
                    .filter(ratings::kind.eq(kind).and(ratings::period.eq_any(periods)))
                    .select(RatingRow::as_select())
                    .load(connection)
                    .await?;
                let rows = count(rows);
                for row in &rows {
                    replace(connection, row).await?;
                }
                let deleted = deleted(connection, accounts).await?;
                let points: Vec<NewPoint> = rows
                    .iter()
                    .filter(|row| !deleted.contains(&row.account_id))
                    .filter_map(|row| NewPoint::of(row, n, game, ended_at))
                    .collect();
                diesel::insert_into(rating_history::table).values(points).execute(connection).await?;
                Ok(true)
            })
            .await
    }

    /// Waits until no other process counts, keeps all others from counting, and begins to count anew. What is written is
    /// lost unless [`RatingLock::replace_all`] ends it.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn rating_lock(&self) -> Result<RatingLock, StoreError> {
        // The lock is released when the connection closes.
        let mut connection = self.patient_session().await?;
        connection.batch_execute(&format!("SELECT pg_advisory_lock({LOCK})")).await?;
        connection.batch_execute("BEGIN; DELETE FROM rating_history").await?;
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

    /// A page of a leaderboard, of programs or of people, the best first: at most `limit` lines after `after`, a rating and an account.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn board(
        &self,
        kind: &str,
        period: &str,
        of_programs: bool,
        after: Option<(f64, Uuid)>,
        limit: i64,
    ) -> Result<Vec<BoardLine>, StoreError> {
        let (rating, account) = after.unwrap_or((f64::INFINITY, Uuid::max()));
        // Written out: of a bound limit PostgreSQL assumes that it is a tenth of all players, and plans the page anew each
        // time. Pages are short, so there are few texts.
        Ok(diesel::sql_query(format!("{BOARD} LIMIT {limit}"))
            .bind::<Text, _>(kind)
            .bind::<Text, _>(period)
            .bind::<Double, _>(rating)
            .bind::<SqlUuid, _>(account)
            .bind::<Bool, _>(of_programs)
            .prepared()
            .load(&mut self.connection().await?)
            .await?)
    }

    /// A player's figures of all time, kind by kind.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn ratings_of(&self, account: Uuid) -> Result<Vec<RatingRow>, StoreError> {
        Ok(ratings::table
            .filter(ratings::account_id.eq(account).and(ratings::period.eq(ALL)))
            .order(ratings::kind)
            .select(RatingRow::as_select())
            .load(&mut self.connection().await?)
            .await?)
    }
}

/// Walks the index `ratings_board` from where the previous page ended. A limit follows.
pub const BOARD: &str = "SELECT username, account_id, kind, period, rating, mu, sigma, games, wins, hands, streak,
         best_streak, counters
     FROM ratings JOIN accounts ON accounts.id = account_id
     WHERE kind = $1 AND period = $2 AND (rating, account_id) < ($3, $4) AND is_program = $5 AND deleted_at IS NULL
     ORDER BY rating DESC, account_id DESC";

impl RatingLock {
    /// Adds ratings after games.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn add_history(&mut self, points: Vec<NewPoint>) -> Result<(), StoreError> {
        let mut points = points.into_iter().peekable();
        while points.peek().is_some() {
            let chunk: Vec<NewPoint> = points.by_ref().take(CHUNK).collect();
            diesel::insert_into(rating_history::table).values(chunk).execute(&mut *self.0).await?;
        }
        Ok(())
    }

    /// Replaces all rows by these, without those of accounts that are deleted and have no more games to be counted.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn replace_all(mut self, rows: &[RatingRow]) -> Result<(), StoreError> {
        diesel::delete(ratings::table).execute(&mut *self.0).await?;
        for rows in rows.chunks(CHUNK) {
            diesel::insert_into(ratings::table).values(rows).execute(&mut *self.0).await?;
        }
        let forget = "DELETE FROM rating_history USING accounts
                 WHERE accounts.id = account_id AND deleted_at IS NOT NULL;
             DELETE FROM ratings USING accounts
                 WHERE accounts.id = account_id AND deleted_at IS NOT NULL
                   AND account_id NOT IN (SELECT account_id FROM ratings_to_delete);
             COMMIT";
        Ok(self.0.batch_execute(forget).await?)
    }
}

/// Those of the accounts that are deleted. No other is deleted before this transaction ends.
async fn deleted(connection: &mut AsyncPgConnection, accounts: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
    let found: Vec<(Uuid, bool)> = accounts::table
        .filter(accounts::id.eq_any(accounts))
        .order(accounts::id)
        .select((accounts::id, accounts::deleted_at.is_not_null()))
        .for_share()
        .load(connection)
        .await?;
    Ok(found.into_iter().filter(|(_, is_deleted)| *is_deleted).map(|(id, _)| id).collect())
}

/// The number after the newest.
fn next_number() -> SqlLiteral<BigInt> {
    sql("(SELECT coalesce(max(n), 0) + 1 FROM rated_games)")
}

async fn replace(connection: &mut AsyncPgConnection, row: &RatingRow) -> Result<(), StoreError> {
    diesel::insert_into(ratings::table)
        .values(row)
        .on_conflict((ratings::account_id, ratings::kind, ratings::period))
        .do_update()
        .set(row)
        .prepared()
        .execute(connection)
        .await?;
    Ok(())
}
