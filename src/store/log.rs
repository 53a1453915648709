//! The log: the only place where truth is made.
//!
//! An entry is there when its row is, and `(game_id, seq)` can be there once: whoever loses a race for it
//! learns so and changes nothing. Appends of many games that arrive together share one statement and one
//! commit; a conflict in one leaves the others alone, so nobody needs to know.

use std::collections::HashMap;
use std::sync::Arc;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, Bytea, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff_diesel::ToDiesel;
use tokio::sync::{Mutex, mpsc, oneshot};
use uuid::Uuid;

use super::database::{Database, StoreError};
use super::deadlines::Due;
use super::games::{self, Change};
use super::schema::entries;

/// The most appends that wait; more are turned away, so that neither memory nor waiting grows without bound.
const QUEUE: usize = 4096;
/// The most appends that share a statement.
const BATCH: usize = 512;
/// How many statements may be on their way at once. With one alone, whoever arrives just after it has left
/// waits for the disk twice; PostgreSQL lets commits that meet share the disk.
const APPENDERS: usize = 2;

/// Entries for one game: all are appended, or none.
#[derive(Debug, Clone)]
pub struct Append {
    pub game_id: Uuid,
    /// In order and without gaps; at least one.
    pub entries: Vec<NewEntry>,
    /// On the first entry, where the caller gave an idempotency key.
    pub claim: Option<Claim>,
    /// Written in the same statement.
    pub due: Due,
}

/// An entry to be appended.
#[derive(Debug, Clone)]
pub struct NewEntry {
    pub seq: i32,
    /// Canonical JSON, without the hash.
    pub entry: String,
    pub hash: [u8; 32],
}

/// What makes a request recognisable when it comes again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub caller: Uuid,
    pub key: String,
    /// The digest of what was asked.
    pub request: [u8; 32],
}

/// A claim that stands in the log.
#[derive(Debug, Clone, Queryable)]
pub struct Claimed {
    pub seq: i32,
    pub hash: Vec<u8>,
    request: Option<Vec<u8>>,
    answer: Option<i32>,
}

impl Claimed {
    /// Whether the same was asked.
    pub fn is_for(&self, request: &[u8; 32]) -> bool {
        self.request.as_deref() == Some(request)
    }

    /// The version that the answer showed.
    pub fn answer(&self) -> u32 {
        self.answer.unwrap_or(self.seq).unsigned_abs()
    }
}

/// What became of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// It is durable.
    Done,
    /// The log had moved on, or the claim stood already. Nothing was written.
    Conflict,
}

/// An entry as it was appended.
#[derive(Debug, Clone, Queryable)]
pub struct StoredEntry {
    pub seq: i32,
    pub entry: String,
    pub hash: Vec<u8>,
}

/// Reads and appends.
#[derive(Clone)]
pub struct Log {
    database: Database,
    queue: mpsc::Sender<Waiting>,
}

struct Waiting {
    append: Append,
    answer: oneshot::Sender<Result<Appended, StoreError>>,
}

impl Log {
    /// Starts the tasks that gather appends, in the runtime of whoever calls; they end when the last clone of
    /// this log is dropped.
    pub fn start(database: Database) -> Log {
        let (queue, arrivals) = mpsc::channel(QUEUE);
        let arrivals = Arc::new(Mutex::new(arrivals));
        for _ in 0..APPENDERS {
            tokio::spawn(gather(database.clone(), arrivals.clone()));
        }
        Log { database, queue }
    }

    /// Appends entries. The answer comes after the commit.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the database is away or the queue is full; whether the entries are
    /// in the log is then unknown, and an idempotency key makes it safe to ask again.
    pub async fn append(&self, append: Append) -> Result<Appended, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.queue
            .try_send(Waiting { append, answer })
            .map_err(|_| StoreError::Unavailable("too many appends are waiting".to_owned()))?;
        answered.await.unwrap_or_else(|_| Err(StoreError::Unavailable("the log is closed".to_owned())))
    }

    /// Appends entries together with what they change outside the log, in one transaction.
    ///
    /// # Errors
    /// As [`Log::append`], and [`StoreError::Constraint`] where a change is refused.
    pub async fn append_with(&self, append: Append, changes: Vec<Change>) -> Result<Appended, StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction(async |connection| {
                let game_id = append.game_id;
                if insert(connection, [append]).await?.is_empty() {
                    return Ok(Appended::Conflict);
                }
                games::apply(connection, game_id, changes).await?;
                Ok(Appended::Done)
            })
            .await
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

    /// What the caller asked under this key, if anything.
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

/// Takes what has arrived while the last statement ran, and appends it in one. A lone append waits for nobody.
async fn gather(database: Database, arrivals: Arc<Mutex<mpsc::Receiver<Waiting>>>) {
    let mut connection = None;
    let mut batch = Vec::with_capacity(BATCH);
    while arrivals.lock().await.recv_many(&mut batch, BATCH).await > 0 {
        let (appends, answers) = one_a_game(batch.drain(..));
        match append_all(&database, &mut connection, &appends).await {
            Ok(done) => {
                for (game_id, answer) in answers {
                    let appended = if done.contains(&game_id) { Appended::Done } else { Appended::Conflict };
                    // Who has gone away meanwhile finds the entry in the log.
                    let _ = answer.send(Ok(appended));
                }
            }
            Err(error) => {
                connection = None;
                tracing::warn!(%error, appends = appends.len(), "appending failed");
                for (_, answer) in answers {
                    let _ = answer.send(Err(StoreError::Unavailable(error.to_string())));
                }
            }
        }
    }
}

type Answers = Vec<(Uuid, oneshot::Sender<Result<Appended, StoreError>>)>;

/// One append for each game: of two that race, the first to arrive goes on. Sorted by game, so that replicas
/// which append to the same games take their locks in the same order.
fn one_a_game(batch: impl Iterator<Item = Waiting>) -> (Vec<Append>, Answers) {
    let mut firsts = HashMap::new();
    for Waiting { append, answer } in batch {
        match firsts.entry(append.game_id) {
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert((append, answer));
            }
            std::collections::hash_map::Entry::Occupied(_) => {
                let _ = answer.send(Ok(Appended::Conflict));
            }
        }
    }
    let mut firsts: Vec<_> = firsts.into_iter().collect();
    firsts.sort_unstable_by_key(|(game_id, _)| *game_id);
    firsts.into_iter().map(|(game_id, (append, answer))| (append, (game_id, answer))).unzip()
}

async fn append_all(
    database: &Database,
    connection: &mut Option<AsyncPgConnection>,
    appends: &[Append],
) -> Result<Vec<Uuid>, StoreError> {
    let connection = match connection {
        Some(connection) => connection,
        None => connection.insert(database.own_connection().await?),
    };
    insert(connection, appends.iter().cloned()).await
}

/// Appends, and tells which games' entries went in.
///
/// A game's first entry decides: where it goes in, nobody else can have any of those behind it, because
/// every append begins where the log ended.
pub(super) async fn insert(
    connection: &mut AsyncPgConnection,
    appends: impl IntoIterator<Item = Append>,
) -> Result<Vec<Uuid>, StoreError> {
    let mut query = InsertEntries::default();
    appends.into_iter().for_each(|append| query.add(append));
    let mut done = query.load::<Uuid>(connection).await?;
    done.sort_unstable();
    Ok(done)
}

/// The one statement that appends. It is written by hand so that it stays prepared, whatever the number of
/// rows: the columns come as arrays.
#[derive(Default, QueryId)]
struct InsertEntries {
    heads: Columns,
    callers: Vec<Option<Uuid>>,
    keys: Vec<Option<String>>,
    requests: Vec<Option<Vec<u8>>>,
    answers: Vec<Option<i32>>,
    /// The entries behind a game's first.
    tails: Columns,
    due_games: Vec<Uuid>,
    dues: Vec<jiff_diesel::Timestamp>,
    /// The games at which nothing is due any more.
    settled: Vec<Uuid>,
}

#[derive(Default)]
struct Columns {
    game_ids: Vec<Uuid>,
    seqs: Vec<i32>,
    entries: Vec<String>,
    hashes: Vec<Vec<u8>>,
}

impl Columns {
    fn add(&mut self, game_id: Uuid, entry: NewEntry) {
        let NewEntry { seq, entry, hash } = entry;
        self.game_ids.push(game_id);
        self.seqs.push(seq);
        self.entries.push(entry);
        self.hashes.push(hash.to_vec());
    }

    fn bind<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_bind_param::<Array<SqlUuid>, _>(&self.game_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Integer>, _>(&self.seqs)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.entries)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Bytea>, _>(&self.hashes)
    }
}

impl InsertEntries {
    fn add(&mut self, append: Append) {
        let Append { game_id, entries, claim, due } = append;
        let last = entries.last().map(|entry| entry.seq);
        let mut entries = entries.into_iter();
        let Some(head) = entries.next() else { return };
        self.heads.add(game_id, head);
        match due {
            Due::Never => {}
            Due::At(at) => {
                self.due_games.push(game_id);
                self.dues.push(at.to_diesel());
            }
            Due::Gone => self.settled.push(game_id),
        }
        let (caller, key, request, answer) = match claim {
            Some(Claim { caller, key, request }) => (Some(caller), Some(key), Some(request.to_vec()), last),
            None => (None, None, None, None),
        };
        self.callers.push(caller);
        self.keys.push(key);
        self.requests.push(request);
        self.answers.push(answer);
        entries.for_each(|entry| self.tails.add(game_id, entry));
    }
}

impl Query for InsertEntries {
    type SqlType = SqlUuid;
}

impl QueryFragment<Pg> for InsertEntries {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "WITH heads AS (INSERT INTO entries (game_id, seq, entry, hash, caller, idempotency_key, request, answer) \
             SELECT * FROM unnest(",
        );
        self.heads.bind(&mut out)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<SqlUuid>>, _>(&self.callers)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.keys)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Bytea>>, _>(&self.requests)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Integer>>, _>(&self.answers)?;
        out.push_sql(
            ") ON CONFLICT DO NOTHING RETURNING game_id), \
             tails AS (INSERT INTO entries (game_id, seq, entry, hash) \
             SELECT tail.* FROM unnest(",
        );
        self.tails.bind(&mut out)?;
        out.push_sql(
            ") AS tail (game_id, seq, entry, hash) JOIN heads USING (game_id)), \
             dues AS (INSERT INTO deadlines (game_id, due_at) SELECT due.* FROM unnest(",
        );
        out.push_bind_param::<Array<SqlUuid>, _>(&self.due_games)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Timestamptz>, _>(&self.dues)?;
        out.push_sql(
            ") AS due (game_id, due_at) JOIN heads USING (game_id) \
             ON CONFLICT (game_id) DO UPDATE SET due_at = excluded.due_at), \
             settled AS (DELETE FROM deadlines USING heads \
             WHERE deadlines.game_id = heads.game_id AND heads.game_id = ANY (",
        );
        out.push_bind_param::<Array<SqlUuid>, _>(&self.settled)?;
        out.push_sql(")) SELECT game_id FROM heads");
        Ok(())
    }
}
