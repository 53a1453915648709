//! The tables in memory: a cache of what the logs say, bounded by bytes. Losing it costs time, nothing else.

use std::borrow::Cow;
use std::fmt::Display;
use std::sync::{Arc, PoisonError, RwLock};

use cardroom_core::log::Hex32;
use cardroom_core::log::entry::Entry;
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::registry::AnyFacts;
use cardroom_core::table::reading::{Reader, Reading};
use cardroom_core::table::snapshot::RULES;
use cardroom_core::table::{Actor, Fault, Table};
use moka::future::Cache;
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

use crate::games::cipher::EntryCipher;
use crate::games::error::PlayError;
use crate::games::snapshots::{self, Snapshots};
use crate::metrics::Metrics;
use crate::store::database::{Database, StoreError};
use crate::store::log::{Log, StoredEntry};
use crate::store::snapshots::{Opening, StoredSnapshot};

/// More entries than a game can have.
const ALL: i64 = i32::MAX as i64;

/// The cache, and the way from the log to a table.
#[derive(Clone)]
pub struct Tables {
    database: Database,
    log: Log,
    cache: Cache<Uuid, Arc<CachedTable>>,
    pub(crate) snapshots: Snapshots,
}

/// A game's place in memory.
pub struct CachedTable {
    /// The newest table known here. It only ever moves on.
    table: RwLock<Arc<Table>>,
    turn: Mutex<()>,
}

impl CachedTable {
    fn new(table: Table) -> CachedTable {
        CachedTable { table: RwLock::new(Arc::new(table)), turn: Mutex::default() }
    }

    /// The newest table known here; the log may be further.
    pub fn table(&self) -> Arc<Table> {
        self.table.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for the right to change the game on this replica.
    pub async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    /// Moves on to `table`, unless the slot is further already; answers with `table`.
    pub fn advance(&self, table: Table) -> Arc<Table> {
        let table = Arc::new(table);
        let mut current = self.table.write().unwrap_or_else(PoisonError::into_inner);
        if current.version < table.version {
            *current = table.clone();
        }
        table
    }
}

impl Tables {
    /// Starts the task that takes snapshots. `bytes`: about how much memory the tables may take.
    pub fn new(database: Database, log: Log, bytes: u64) -> Tables {
        let cache = Cache::builder()
            .max_capacity(bytes)
            .weigher(|_, cached: &Arc<CachedTable>| cached.table().weight())
            .build();
        let snapshots = Snapshots::start(database.clone());
        Tables { database, log, cache, snapshots }
    }

    /// The same tables, read by another log.
    #[must_use]
    pub fn with_log(&self, log: Log) -> Tables {
        Tables { log, ..self.clone() }
    }

    /// The game's place in memory, replayed from its log if it has none. Those who ask at the same time wait
    /// for one replay.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where there is no such game.
    pub async fn cached(&self, id: Uuid) -> Result<Arc<CachedTable>, PlayError> {
        if let Some(cached) = self.cache.get(&id).await {
            return Ok(cached);
        }
        // Boxed, so that only who waits for a replay has room for it.
        let cached = Box::pin(self.cache.try_get_with(id, async {
            let (table, from) = self.open(id, u32::MAX).await?;
            self.snapshots.opened(from, &table);
            Ok(Arc::new(CachedTable::new(table)))
        }));
        cached.await.map_err(|error: Arc<PlayError>| error.again())
    }

    /// The game's place in memory, if it has one.
    pub async fn known(&self, id: Uuid) -> Option<Arc<CachedTable>> {
        self.cache.get(&id).await
    }

    /// What is counted.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.database.metrics
    }

    /// Gives a new game its place.
    pub async fn put(&self, table: Table) -> Arc<Table> {
        let cached = Arc::new(CachedTable::new(table));
        let table = cached.table();
        self.cache.insert(table.id, cached).await;
        table
    }

    /// Takes what other replicas have appended, and gives the newest table.
    ///
    /// # Errors
    /// [`PlayError::Store`], [`PlayError::Fault`].
    pub async fn catch_up(&self, cached: &CachedTable) -> Result<Arc<Table>, PlayError> {
        let known = cached.table();
        if known.is_over() {
            return Ok(known);
        }
        let newer = self.log.tail(known.id, known.version).await?;
        if newer.is_empty() {
            return Ok(known);
        }
        let cipher = EntryCipher::new(known.seed(), known.id);
        let mut table = Table::clone(&known);
        for stored in newer {
            let (entry, hash) = read(known.id, &cipher, stored)?;
            table.evolve(&entry, hash).map_err(|fault| PlayError::Fault(known.id, fault))?;
        }
        Ok(cached.advance(table))
    }

    /// The table that the first `version` entries lead to.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where there is no such game.
    pub async fn replay(&self, id: Uuid, version: u32) -> Result<Table, PlayError> {
        Ok(self.open(id, version).await?.0)
    }

    /// The same, and after which entry it went on from a snapshot; 0 where there was none that is fit.
    async fn open(&self, id: Uuid, version: u32) -> Result<(Table, u32), PlayError> {
        let Opening { server_seed, snapshot, entries } =
            self.database.opening(id, Some(RULES), version).await?;
        let seed = Seed::new(server_seed.ok_or(PlayError::NotFound)?);
        let Some(snapshot) = snapshot else { return Ok((replay_all(id, seed, entries)?, 0)) };
        let mut entries = entries.into_iter();
        let Some(mut table) = restore(id, seed.clone(), snapshot, entries.next()) else {
            let whole = self.database.opening(id, None, version).await?;
            return Ok((replay_all(id, seed, whole.entries)?, 0));
        };
        let from = table.version;
        let cipher = EntryCipher::new(&seed, id);
        for stored in entries {
            let (entry, hash) = read(id, &cipher, stored)?;
            table.evolve(&entry, hash).map_err(|fault| PlayError::Fault(id, fault))?;
        }
        Ok((table, from))
    }

    /// A game's table from its whole log, whatever snapshots say.
    ///
    /// # Errors
    /// As [`Tables::replay`].
    pub(crate) async fn replay_all(&self, id: Uuid) -> Result<Table, PlayError> {
        let (seed, log) = self.log(id).await?;
        Table::replay(id, seed, log).map_err(|fault| PlayError::Fault(id, fault))
    }

    /// A game's log up to an entry, as `viewer` may read it; see [`Reading::of`].
    ///
    /// # Errors
    /// As [`Tables::replay`].
    pub async fn read_log(
        &self,
        id: Uuid,
        viewer: Option<&Actor>,
        until: u32,
        facts: fn() -> AnyFacts,
    ) -> Result<Reading, PlayError> {
        let seed = self.seed(id).await?;
        let entries = self.read(id, &seed, 0, until.into()).await?;
        Reading::of(id, seed, entries, &Reader::Viewer(viewer), facts)
            .map_err(|fault| PlayError::Fault(id, fault))
    }

    /// A game's whole log, and the seed of its chances.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where there is no such game.
    pub(crate) async fn log(&self, id: Uuid) -> Result<(Seed, Vec<(Entry, Hex32)>), PlayError> {
        let seed = self.seed(id).await?;
        let entries = self.read(id, &seed, 0, ALL).await?;
        Ok((seed, entries))
    }

    /// The seed of a game's chances.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where there is no such game.
    pub(crate) async fn seed(&self, id: Uuid) -> Result<Seed, PlayError> {
        Ok(Seed::new(self.database.server_seed(id).await?.ok_or(PlayError::NotFound)?))
    }

    /// A game's entries after `after`, at most `limit`.
    ///
    /// # Errors
    /// [`PlayError::Store`], [`PlayError::Fault`] where one cannot be read.
    pub async fn read(
        &self,
        id: Uuid,
        seed: &Seed,
        after: u32,
        limit: i64,
    ) -> Result<Vec<(Entry, Hex32)>, PlayError> {
        let stored = self.log.read(id, after, limit).await?;
        let cipher = EntryCipher::new(seed, id);
        stored.into_iter().map(|stored| read(id, &cipher, stored)).collect()
    }
}

fn replay_all(id: Uuid, seed: Seed, entries: Vec<StoredEntry>) -> Result<Table, PlayError> {
    let cipher = EntryCipher::new(&seed, id);
    let entries: Result<Vec<_>, _> = entries.into_iter().map(|stored| read(id, &cipher, stored)).collect();
    Table::replay(id, seed.clone(), entries?).map_err(|fault| PlayError::Fault(id, fault))
}

/// The table of a snapshot, if the chain has its hash where the snapshot was taken.
fn restore(id: Uuid, seed: Seed, stored: StoredSnapshot, entry: Option<StoredEntry>) -> Option<Table> {
    let table = snapshots::restored(id, seed, &stored)
        .inspect_err(|error| tracing::warn!(%error, game = %id, "a snapshot is of no use"))
        .ok()?;
    let is_in_log = entry.is_some_and(|entry| entry.seq == stored.seq && entry.hash == table.hash().0);
    if !is_in_log {
        tracing::warn!(game = %id, seq = stored.seq, "a snapshot is of another log");
    }
    is_in_log.then_some(table)
}

/// An entry as it was stored.
///
/// # Errors
/// [`PlayError::Fault`] where it cannot be read.
pub(crate) fn read(
    id: Uuid,
    cipher: &EntryCipher<'_>,
    stored: StoredEntry,
) -> Result<(Entry, Hex32), PlayError> {
    let (text, hash) = decrypt(id, cipher, &stored)?;
    Ok((Entry::parse(&text).map_err(|error| fault(id, &stored, &error))?, hash))
}

/// An entry's text, which its hash is taken over.
///
/// # Errors
/// [`PlayError::Fault`] where it cannot be decrypted.
pub(crate) fn decrypt<'t>(
    id: Uuid,
    cipher: &EntryCipher<'_>,
    stored: &'t StoredEntry,
) -> Result<(Cow<'t, str>, Hex32), PlayError> {
    let text = cipher.decrypt(stored.seq.unsigned_abs(), &stored.entry);
    Ok((text.map_err(|error| fault(id, stored, &error))?, Hex32(bytes32(&stored.hash)?)))
}

fn fault(id: Uuid, stored: &StoredEntry, detail: &impl Display) -> PlayError {
    PlayError::Fault(id, Fault { seq: stored.seq.unsigned_abs(), detail: detail.to_string() })
}

/// What the database holds as 32 bytes.
///
/// # Errors
/// [`StoreError::Broken`] where it holds something else.
pub fn bytes32(bytes: &[u8]) -> Result<[u8; 32], StoreError> {
    bytes.try_into().map_err(|_| StoreError::Broken("32 bytes were expected".to_owned()))
}
