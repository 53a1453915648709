//! When to look at which game, and when the service was up. Every replica reads these rows, and the first replica to take a
//! game acts if it is due, or else puts it back.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use jiff::{SignedDuration, Timestamp};
use jiff_diesel::ToDiesel;
use tokio::time::timeout;
use uuid::Uuid;

use crate::clock::Clock;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::schema::{deadlines, outages, service};

/// If no replica was seen for longer than this, the service counts as down.
pub const GRACE: SignedDuration = SignedDuration::from_secs(5);

/// How long it may take to record that this replica is up after an outage.
const COMING_UP: Duration = Duration::from_secs(60);

/// What an append does to a game's deadline, the time at which the house has to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Nothing is written: the game has no row and needs none, or its row is early enough.
    Unchanged,
    At(Timestamp),
    /// The game has no deadline any more.
    Gone,
}

/// The row of a game that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    pub game: Uuid,
    /// When the row came due. The game may be due later, because moves that put its deadline off do not write the row.
    pub due: Timestamp,
    /// The version of the game by which the row was written; 0 if that is not known.
    pub version: i32,
}

/// When a replica was recorded as up, and the outages before, each from when until when.
pub struct CameUp {
    pub at: Timestamp,
    pub outages: Vec<(Timestamp, Timestamp)>,
}

impl Database {
    /// Takes up to `limit` games whose rows are due. For other replicas these games are due again at `until`, in case this
    /// replica fails before it acts.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn take_due(
        &self,
        now: Timestamp,
        until: Timestamp,
        limit: i64,
    ) -> Result<Vec<Deadline>, StoreError> {
        if self.shards().is_some() {
            return self.take_due_one_by_one(now, until, limit).await;
        }
        let taken: Vec<Taken> = diesel::sql_query(
            "WITH due AS (
                 SELECT game_id, due_at, version FROM deadlines WHERE due_at <= $1
                 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
             UPDATE deadlines SET due_at = $2 FROM due WHERE deadlines.game_id = due.game_id
             RETURNING due.game_id, due.due_at, due.version",
        )
        .bind::<Timestamptz, _>(now.to_diesel())
        .bind::<Timestamptz, _>(until.to_diesel())
        .bind::<BigInt, _>(limit)
        .prepared()
        .load(&mut self.connection().await?)
        .await?;
        Ok(taken.into_iter().map(Deadline::from).collect())
    }

    /// The same where the rows lie on several servers: Citus locks no rows there for one statement. A game is taken if
    /// its deadline is still the one that was read.
    async fn take_due_one_by_one(
        &self,
        now: Timestamp,
        until: Timestamp,
        limit: i64,
    ) -> Result<Vec<Deadline>, StoreError> {
        let connection = &mut self.connection().await?;
        let seen: Vec<Taken> = deadlines::table
            .select(Taken::as_select())
            .filter(deadlines::due_at.le(now.to_diesel()))
            .order(deadlines::due_at)
            .limit(limit)
            .load(connection)
            .await?;
        let mut taken = Vec::with_capacity(seen.len());
        for seen in seen {
            let as_seen = deadlines::table.find(seen.game_id).filter(deadlines::due_at.eq(seen.due_at));
            let moved = diesel::update(as_seen).set(deadlines::due_at.eq(until.to_diesel()));
            if moved.prepared().execute(connection).await? > 0 {
                taken.push(seen.into());
            }
        }
        Ok(taken)
    }

    /// Puts back a game that was taken until `until` and at its `version` is due at another time, unless an append has
    /// written its deadline meanwhile.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn put_back(
        &self,
        game_id: Uuid,
        version: u32,
        until: Timestamp,
        due: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let taken = deadlines::game_id
            .eq(game_id)
            .and(deadlines::due_at.eq(until.to_diesel()))
            .and(deadlines::version.le(version.cast_signed()));
        let connection = &mut self.connection().await?;
        match due {
            Some(due) => {
                let moved = diesel::update(deadlines::table.filter(taken));
                let to =
                    (deadlines::due_at.eq(due.to_diesel()), deadlines::version.eq(version.cast_signed()));
                moved.set(to).prepared().execute(connection).await?
            }
            None => diesel::delete(deadlines::table.filter(taken)).execute(connection).await?,
        };
        Ok(())
    }

    /// Records that this replica is up. False: no replica had been seen for longer than [`GRACE`], or one was seen at a
    /// time later than now by more than that. Nothing was written then.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn beat(&self, now: Timestamp) -> Result<bool, StoreError> {
        let connection = &mut self.connection().await?;
        self.ask_each_server(connection).await?;
        let beaten = diesel::sql_query(
            "UPDATE service SET last_seen = greatest(last_seen, $1) WHERE last_seen BETWEEN $2 AND $3",
        )
        .bind::<Timestamptz, _>(now.to_diesel())
        .bind::<Timestamptz, _>((now - GRACE).to_diesel())
        .bind::<Timestamptz, _>((now + GRACE).to_diesel())
        .prepared()
        .execute(connection)
        .await?;
        Ok(beaten == 1)
    }

    /// Records that this replica is up after it may have been down, and returns the outages that ended within the time
    /// that is `remembered`. If no replica was up, the outage is recorded once. If the clock was put back, all deadlines are
    /// brought forward by as much.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn come_up(&self, clock: &Clock, remembered: SignedDuration) -> Result<CameUp, StoreError> {
        let come_up = async {
            // It changes the rows of all games. If that took longer than a statement may, it would do so each time.
            let mut connection = self.patient_session().await?;
            // Before there is a lock, for which the moves at all other servers would wait.
            self.ask_each_server(&mut connection).await?;
            connection.transaction(async |connection| come_up(connection, clock, remembered).await).await
        };
        let late = |_| StoreError::Unavailable(format!("an outage was not recorded within {COMING_UP:?}"));
        timeout(COMING_UP, come_up).await.map_err(late)?
    }

    /// Nobody can move at a game whose server is away, so the service counts as up only while each of them answers.
    async fn ask_each_server(&self, connection: &mut AsyncPgConnection) -> Result<(), StoreError> {
        if self.shards().is_some() {
            let overdue = deadlines::table.filter(deadlines::due_at.lt(Timestamp::UNIX_EPOCH.to_diesel()));
            overdue.count().get_result::<i64>(connection).await?;
        }
        Ok(())
    }
}

async fn come_up(
    connection: &mut AsyncPgConnection,
    clock: &Clock,
    remembered: SignedDuration,
) -> Result<CameUp, StoreError> {
    // The lock admits one replica at a time, and no append waits for a row here while it holds another. Appends wait
    // behind whoever waits for it, so nobody does for long.
    connection.batch_execute("SET LOCAL lock_timeout = '4s'").await?;
    connection.batch_execute("LOCK TABLE service, deadlines IN EXCLUSIVE MODE").await?;
    // Another replica may have been seen during the wait.
    let now = clock.now();
    let seen: Option<jiff_diesel::Timestamp> =
        service::table.select(service::last_seen).first(connection).await.optional()?;
    let seen = seen.map_or(now, Timestamp::from);
    let silent = now.duration_since(seen);
    let was_put_back = silent < -GRACE;
    if was_put_back {
        take_back(connection, seen, now).await?;
    } else if silent > GRACE {
        grant(connection, seen, now).await?;
    }
    let newest = if was_put_back { now } else { now.max(seen) };
    let newest = service::last_seen.eq(newest.to_diesel());
    diesel::insert_into(service::table)
        .values(newest)
        .on_conflict(service::id)
        .do_update()
        .set(newest)
        .execute(connection)
        .await?;
    let known: Vec<(jiff_diesel::Timestamp, jiff_diesel::Timestamp)> = outages::table
        .filter(outages::until.gt((now - remembered).to_diesel()))
        .order(outages::since)
        .load(connection)
        .await?;
    let outages = known.into_iter().map(|(since, until)| (since.into(), until.into())).collect();
    Ok(CameUp { at: now, outages })
}

async fn grant(
    connection: &mut AsyncPgConnection,
    since: Timestamp,
    until: Timestamp,
) -> Result<(), StoreError> {
    diesel::insert_into(outages::table)
        .values((outages::since.eq(since.to_diesel()), outages::until.eq(until.to_diesel())))
        .execute(connection)
        .await?;
    // The games of these rows are due later now, and are put back when their rows come. What a row knows of a game whose
    // log is ahead of the clock is wrong by the outage.
    let known = deadlines::table.filter(deadlines::version.ne(0));
    diesel::update(known).set(deadlines::version.eq(0)).execute(connection).await?;
    Ok(())
}

/// The mirror of [`grant`] for a clock that stood at `seen` and was put back to `now`. Each game keeps the time that it
/// has left. An outage that ends in the future did not happen: the clock had been put forward.
async fn take_back(
    connection: &mut AsyncPgConnection,
    seen: Timestamp,
    now: Timestamp,
) -> Result<(), StoreError> {
    tracing::warn!(%seen, %now, "the clock was put back: what was due later is due sooner by as long");
    diesel::delete(outages::table.filter(outages::until.gt(now.to_diesel()))).execute(connection).await?;
    // An earlier deadline was written after the clock had been put back, so it is right.
    // Without time zones, on which the length of a day hangs, Citus can compute it on every server.
    diesel::sql_query(
        "UPDATE deadlines SET due_at = (due_at AT TIME ZONE 'UTC' - ($1 - $2)) AT TIME ZONE 'UTC'
         WHERE due_at >= $1 - interval '1 minute'",
    )
    .bind::<Timestamptz, _>(seen.to_diesel())
    .bind::<Timestamptz, _>(now.to_diesel())
    .prepared()
    .execute(connection)
    .await?;
    Ok(())
}

#[derive(Queryable, Selectable, QueryableByName)]
#[diesel(table_name = deadlines, check_for_backend(diesel::pg::Pg))]
struct Taken {
    game_id: Uuid,
    due_at: jiff_diesel::Timestamp,
    version: i32,
}

impl From<Taken> for Deadline {
    fn from(Taken { game_id, due_at, version }: Taken) -> Deadline {
        Deadline { game: game_id, due: due_at.into(), version }
    }
}
