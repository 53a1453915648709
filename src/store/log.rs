//! The log: the only source of truth.
//!
//! An entry exists when its row does, and `(game_id, seq)` can exist only once: an append that loses the race for it
//! gets a conflict and changes nothing. Appends of many games that arrive together share one statement and one commit.
//! A conflict in one append does not affect the others, so a caller does not notice that it shares a statement.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use uuid::Uuid;

use crate::metrics::Batching;
use crate::store::append::{Append, AppendOutcome, NewEntry};
use crate::store::batcher::{Batched, Queue};
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::games::{self, Change, Span};
use crate::store::schema::entries;
use crate::store::shard_appends::Distributed;
use crate::store::shard_map::Server;
use crate::store::shard_tails::DistributedTail;
use crate::store::tail::{StoredEntry, Tail};

/// How many appending statements may run at once. With one alone, a request that arrives just after it has left waits
/// for the disk twice. PostgreSQL lets simultaneous commits share a disk write.
const APPENDERS: usize = 2;
/// How many reading statements may run at once. Reads do not wait for the disk.
const READERS: usize = 1;

/// A claim that is stored in the log.
#[derive(Debug, Clone, Queryable)]
pub struct Claimed {
    pub seq: i32,
    pub hash: Vec<u8>,
    request: Option<Vec<u8>>,
    answer: Option<i32>,
}

impl Claimed {
    /// Whether the claim was made by the same request.
    pub fn is_for(&self, request: &[u8; 32]) -> bool {
        self.request.as_deref() == Some(request)
    }

    /// The version that the answer showed.
    pub fn answer(&self) -> u32 {
        self.answer.unwrap_or(self.seq).unsigned_abs()
    }
}

/// What is sent to one server of a database that is distributed.
#[derive(Clone)]
struct ServerQueues {
    appends: Queue<Distributed>,
    tails: Queue<DistributedTail>,
}

/// Reads and appends.
#[derive(Clone)]
pub struct Log {
    database: Database,
    appends: Queue<Append>,
    tails: Queue<Tail>,
    /// The queues of each server, where the database is distributed.
    servers: Arc<Mutex<HashMap<Server, ServerQueues>>>,
    /// How many requests may wait in each queue.
    most_waiting: u32,
    counts: Batching,
}

impl Log {
    /// Starts the tasks that batch appends and reads, in the caller's runtime. The tasks end when the last clone of
    /// this log is dropped. `queue`: how many appends and how many reads may wait, at least 1 of each. Further ones are
    /// refused.
    pub fn start(database: Database, queue: u32) -> Log {
        let appends = Queue::start(&database, APPENDERS, queue);
        let tails = Queue::start(&database, READERS, queue);
        let counts = database.metrics.batching(Append::WHAT);
        Log { database, appends, tails, servers: Arc::default(), most_waiting: queue, counts }
    }

    /// Appends entries. The answer comes after the commit.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where the queue is full: nothing was written. [`StoreError::Unavailable`] where the
    /// database is away: whether the entries are in the log is then unknown, and an idempotency key makes it safe to
    /// repeat the request.
    pub async fn append(&self, append: Append) -> Result<AppendOutcome, StoreError> {
        let appended = match self.queues_of(append.game_id)? {
            None => self.appends.ask(append).await?,
            Some(server) => server.appends.ask(Distributed(append)).await?,
        };
        Ok(self.counted(appended))
    }

    /// The queues of the server that has the game; `None` if the database is not distributed.
    fn queues_of(&self, game_id: Uuid) -> Result<Option<ServerQueues>, StoreError> {
        let Some(shards) = self.database.shards() else { return Ok(None) };
        let hole = || StoreError::Broken(format!("no shard has game {game_id}"));
        let server = shards.server_of(game_id).ok_or_else(hole)?;
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queues) = servers.get(server) {
            return Ok(Some(queues.clone()));
        }
        let database = self.database.at(server)?;
        let appends = Queue::start(&database, APPENDERS, self.most_waiting);
        let tails = Queue::start(&database, READERS, self.most_waiting);
        let queues = ServerQueues { appends, tails };
        servers.insert(server.clone(), queues.clone());
        Ok(Some(queues))
    }

    /// Appends entries together with their changes outside the log, in one transaction. `most_participations`: how many
    /// running games an account may sit at.
    ///
    /// # Errors
    /// As [`Log::append`], and [`StoreError::Constraint`] where a change is refused.
    pub async fn append_with(
        &self,
        append: Append,
        changes: Vec<Change>,
        most_participations: u32,
    ) -> Result<AppendOutcome, StoreError> {
        let game_id = append.game_id;
        let seq_of = |entry: Option<&NewEntry>| entry.map_or(0, |entry| entry.seq.cast_unsigned());
        let span = Span {
            first: seq_of(append.entries[..].first()),
            last: seq_of(append.entries[..].last()),
            most_participations: Some(most_participations),
        };
        let mut connection = self.database.connection().await?;
        let appended: Result<AppendOutcome, StoreError> = connection
            .transaction(async |connection| {
                if self.database.insert(connection, vec![append]).await?.is_empty() {
                    return Ok(AppendOutcome::Conflict);
                }
                games::apply(connection, &self.database.master_keys, game_id, span, changes).await?;
                Ok(AppendOutcome::Done)
            })
            .await;
        self.counts.sent(1);
        Ok(self.counted(appended?))
    }

    fn counted(&self, appended: AppendOutcome) -> AppendOutcome {
        if appended == AppendOutcome::Conflict {
            self.database.metrics.conflicts.inc();
        }
        appended
    }

    /// A game's entries after `after`, at most `limit`, in order.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn read(&self, game_id: Uuid, after: u32, limit: i64) -> Result<Vec<StoredEntry>, StoreError> {
        let after = i32::try_from(after).unwrap_or(i32::MAX);
        Ok(entries::table
            .filter(entries::game_id.eq(game_id).and(entries::seq.gt(after)))
            .order(entries::seq)
            .limit(limit)
            .select((entries::seq, entries::entry, entries::hash))
            .load(&mut self.database.connection().await?)
            .await?)
    }

    /// All of a game's entries after `after`, in order. There are none if the table in memory is up to date.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer, or too many reads wait already.
    pub async fn tail(&self, game_id: Uuid, after: u32) -> Result<Vec<StoredEntry>, StoreError> {
        let tail = Tail { game_id, after };
        match self.queues_of(game_id)? {
            None => self.tails.ask(tail).await,
            Some(server) => server.tails.ask(DistributedTail(tail)).await,
        }
    }

    /// The caller's earlier request under this key, if there is one.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn claimed(
        &self,
        game_id: Uuid,
        caller: Uuid,
        key: &str,
    ) -> Result<Option<Claimed>, StoreError> {
        Ok(entries::table
            .filter(entries::game_id.eq(game_id))
            .filter(entries::caller.eq(caller))
            .filter(entries::idempotency_key.eq(key))
            .select((entries::seq, entries::hash, entries::request, entries::answer))
            .first(&mut self.database.connection().await?)
            .await
            .optional()?)
    }
}
