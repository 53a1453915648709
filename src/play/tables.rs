//! The tables in memory: a cache of what the logs say, bounded by bytes. Losing it costs time, nothing else.

use std::sync::{Arc, PoisonError, RwLock};

use moka::future::Cache;
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

use super::error::PlayError;
use crate::ledger::Hex32;
use crate::ledger::entry::Entry;
use crate::ledger::fairness::Seed;
use crate::rules::registry::AnyFacts;
use crate::store::database::{Database, StoreError};
use crate::store::log::{Log, StoredEntry};
use crate::table::moment::Moment;
use crate::table::reading::{Reader, Reading};
use crate::table::{Actor, Fault, Table};

/// More entries than a game can have.
const ALL: i64 = i32::MAX as i64;

/// The cache, and the way from the log to a table.
#[derive(Clone)]
pub struct Tables {
    database: Database,
    log: Log,
    cache: Cache<Uuid, Arc<Slot>>,
}

/// A game's place in memory.
pub struct Slot {
    /// The newest table known here. It only ever moves on.
    table: RwLock<Arc<Table>>,
    turn: Mutex<()>,
}

impl Slot {
    fn new(table: Table) -> Slot {
        Slot { table: RwLock::new(Arc::new(table)), turn: Mutex::default() }
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
    /// `bytes`: about how much memory the tables may take.
    pub fn new(database: Database, log: Log, bytes: u64) -> Tables {
        let cache =
            Cache::builder().max_capacity(bytes).weigher(|_, slot: &Arc<Slot>| slot.table().weight()).build();
        Tables { database, log, cache }
    }

    /// The same tables, read by another log.
    #[must_use]
    pub fn by(&self, log: Log) -> Tables {
        Tables { log, ..self.clone() }
    }

    /// The game's place in memory, replayed from its log if it has none. Those who ask at the same time wait
    /// for one replay.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where there is no such game.
    pub async fn slot(&self, id: Uuid) -> Result<Arc<Slot>, PlayError> {
        if let Some(slot) = self.cache.get(&id).await {
            return Ok(slot);
        }
        // Boxed, so that only who waits for a replay has room for it.
        let slot = Box::pin(
            self.cache.try_get_with(id, async { Ok(Arc::new(Slot::new(self.replay(id, u32::MAX).await?))) }),
        );
        slot.await.map_err(|error: Arc<PlayError>| error.again())
    }

    /// Gives a new game its place.
    pub async fn put(&self, table: Table) -> Arc<Table> {
        let slot = Arc::new(Slot::new(table));
        let table = slot.table();
        self.cache.insert(table.id, slot).await;
        table
    }

    /// Takes what other replicas have appended, and gives the newest table.
    ///
    /// # Errors
    /// [`PlayError::Store`], [`PlayError::Fault`].
    pub async fn catch_up(&self, slot: &Slot) -> Result<Arc<Table>, PlayError> {
        let known = slot.table();
        if known.is_over() {
            return Ok(known);
        }
        let newer = self.log.tail(known.id, known.version).await?;
        if newer.is_empty() {
            return Ok(known);
        }
        let mut table = Table::clone(&known);
        for stored in newer {
            let (entry, hash) = read(known.id, stored)?;
            table.evolve(&entry, hash).map_err(|fault| PlayError::Fault(known.id, fault))?;
        }
        Ok(slot.advance(table))
    }

    /// The table that the first `version` entries lead to.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where there is no such game.
    pub async fn replay(&self, id: Uuid, version: u32) -> Result<Table, PlayError> {
        let seed = self.seed(id).await?;
        let entries = self.read(id, 0, i64::from(version).min(ALL)).await?;
        Table::replay(id, seed, entries).map_err(|fault| PlayError::Fault(id, fault))
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
        let (seed, entries) = (self.seed(id).await?, self.read(id, 0, until.into()).await?);
        Reading::of(id, seed, entries, &Reader::Viewer(viewer), facts)
            .map_err(|fault| PlayError::Fault(id, fault))
    }

    /// A game's whole log, and the seed of its chances.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where there is no such game.
    pub(super) async fn log(&self, id: Uuid) -> Result<(Seed, Vec<(Entry, Hex32)>), PlayError> {
        Ok((self.seed(id).await?, self.read(id, 0, ALL).await?))
    }

    async fn seed(&self, id: Uuid) -> Result<Seed, PlayError> {
        let seed = self.database.server_seed(id).await?.ok_or(PlayError::NotFound)?;
        Ok(Seed::new(bytes32(&seed)?))
    }

    /// A game's entries after `after`, at most `limit`.
    ///
    /// # Errors
    /// [`PlayError::Store`], [`PlayError::Fault`] where one cannot be read.
    pub async fn read(&self, id: Uuid, after: u32, limit: i64) -> Result<Vec<(Entry, Hex32)>, PlayError> {
        let stored = self.log.read(id, after, limit).await?;
        stored.into_iter().map(|stored| read(id, stored)).collect()
    }

    /// What the next entries after `before` bring, at most `limit` of them; none where there are no more.
    /// `before` is none at the beginning of a log.
    ///
    /// # Errors
    /// As [`Tables::replay`].
    pub async fn moments(
        &self,
        id: Uuid,
        before: Option<&Arc<Table>>,
        limit: i64,
    ) -> Result<Vec<Arc<Moment>>, PlayError> {
        let mut entries = self.read(id, before.map_or(0, |table| table.version), limit).await?.into_iter();
        let mut moments = Vec::new();
        let mut table = before.cloned();
        if table.is_none()
            && let Some((entry, hash)) = entries.next()
        {
            let first = Moment::first(id, self.seed(id).await?, entry, hash);
            moments.push(Arc::new(first.map_err(|fault| PlayError::Fault(id, fault))?));
            table = moments.last().map(|moment| moment.table.clone());
        }
        if let Some(table) = table {
            moments.extend(Moment::all(&table, entries).map_err(|fault| PlayError::Fault(id, fault))?);
        }
        Ok(moments)
    }
}

/// An entry as it was stored.
///
/// # Errors
/// [`PlayError::Fault`] where it cannot be read.
pub(super) fn read(id: Uuid, stored: StoredEntry) -> Result<(Entry, Hex32), PlayError> {
    let StoredEntry { seq, entry, hash } = stored;
    let entry = Entry::parse(&entry).map_err(|error| {
        PlayError::Fault(id, Fault { seq: seq.unsigned_abs(), detail: error.to_string() })
    })?;
    Ok((entry, Hex32(bytes32(&hash)?)))
}

/// What the database holds as 32 bytes.
///
/// # Errors
/// [`StoreError::Broken`] where it holds something else.
pub fn bytes32(bytes: &[u8]) -> Result<[u8; 32], StoreError> {
    bytes.try_into().map_err(|_| StoreError::Broken("32 bytes were expected".to_owned()))
}
