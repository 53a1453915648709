//! Open tables at which a player can sit down.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{Integer, Text, Uuid as SqlUuid};
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use tokio::sync::Mutex;
use tokio::time::timeout;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::lists::{has_free_seats, is_open};
use crate::store::prepared::Prepare;
use crate::store::schema::games;
use crate::store::session::Session;

/// The advisory lock for joining: the players of all replicas join one after the other.
const LOCK: i64 = 0x006a_6f69_6e00;

/// How long a player waits for those who came before.
const PATIENCE: Duration = Duration::from_secs(10);

/// The newest participations among which an earlier request is looked for.
const RECENT: i32 = 200;
/// How many games with the same key are looked at: each has to be read.
const SAME_KEY: i32 = 8;

/// What has to be the same at a table.
pub struct WantedTable {
    pub kind: String,
    pub rules_version: i16,
    pub options: String,
    /// None: any number.
    pub seats: Option<i16>,
    pub turn_seconds: Option<i32>,
    pub bank_seconds: i32,
    pub is_rated: bool,
}

/// The lock for joining. Players of one replica wait for each other in this program; those of several wait in the database,
/// on a session outside the pool, of which each then needs a connection.
pub struct JoinLock {
    database: Database,
    session: Mutex<Option<Session>>,
}

impl JoinLock {
    pub fn new(database: Database) -> JoinLock {
        JoinLock { database, session: Mutex::default() }
    }

    /// Does this work while no other player joins, at any replica.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer, or too many wait.
    pub async fn alone<T>(&self, work: impl Future<Output = T>) -> Result<T, StoreError> {
        let mut kept = timeout(PATIENCE, self.session.lock())
            .await
            .map_err(|_| StoreError::Busy("players who look for a table"))?;
        kept.take_if(Session::is_broken);
        // If this future is dropped, so is the session, and with it the lock.
        let mut session = match kept.take() {
            Some(session) => session,
            None => self.database.own_session().await?,
        };
        let lock = format!("BEGIN; SELECT pg_advisory_xact_lock({LOCK})");
        session.timed().batch_execute(&lock).await?;
        let done = work.await;
        let unlocked = session.timed().batch_execute("COMMIT").await;
        *kept = unlocked.is_ok().then_some(session);
        Ok(done)
    }
}

impl Database {
    /// Public tables at which seats are free, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn open_tables(&self, wanted: &WantedTable, limit: i64) -> Result<Vec<Uuid>, StoreError> {
        let has_bank = games::bank_seconds.eq(wanted.bank_seconds).or(games::bank_seconds.is_null());
        let mut query = games::table
            .filter(is_open().and(games::visibility.eq("public")))
            .filter(games::kind.eq(&wanted.kind).and(games::rules_version.eq(wanted.rules_version)))
            .filter(games::options.eq(&wanted.options).and(games::bots.eq(0)))
            .filter(games::turn_seconds.is_not_distinct_from(wanted.turn_seconds))
            .filter(has_bank)
            .filter(games::is_rated.eq(wanted.is_rated).and(has_free_seats()))
            .select(games::game_id)
            .order(games::game_id)
            .limit(limit)
            .into_boxed();
        if let Some(seats) = wanted.seats {
            query = query.filter(games::seats.eq(seats));
        }
        Ok(query.prepared().load(&mut self.connection().await?).await?)
    }

    /// The games in which the account has made a request with this key, the one that it joined last first.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn requested_with(&self, account: Uuid, key: &str) -> Result<Vec<Uuid>, StoreError> {
        let found: Vec<Requested> = diesel::sql_query(
            "SELECT game_id FROM entries JOIN (
                 SELECT n, game_id FROM participations WHERE account_id = $1 AND game_id IS NOT NULL ORDER BY n DESC LIMIT $3
             ) AS recent USING (game_id)
             WHERE caller = $1 AND idempotency_key = $2 ORDER BY n DESC LIMIT $4",
        )
        .bind::<SqlUuid, _>(account)
        .bind::<Text, _>(key)
        .bind::<Integer, _>(RECENT)
        .bind::<Integer, _>(SAME_KEY)
        .prepared()
        .load(&mut self.connection().await?)
        .await?;
        Ok(found.into_iter().map(|requested| requested.game_id).collect())
    }
}

#[derive(QueryableByName)]
struct Requested {
    #[diesel(sql_type = SqlUuid)]
    game_id: Uuid,
}
