//! How a table is built from its log.
//!
//! A log can be long. So what a request asks of the past is read for a few requests at a time, and long work is done on a
//! thread of its own, where no other request waits for it.

use std::time::Duration;

use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::registry::AnyFacts;
use cardroom_core::table::projection::{LogProjection, Reader};
use cardroom_core::table::snapshot::RULES;
use cardroom_core::table::{Actor, Table};
use tokio::sync::OwnedSemaphorePermit;
use uuid::Uuid;

use crate::games::cipher::EntryCipher;
use crate::games::decode::{evolve, read};
use crate::games::log::{ALL, GameLog, goes_on};
use crate::games::snapshots;
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::store::snapshots::{Opening, StoredSnapshot};
use crate::store::tail::StoredEntry;

/// How long a request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(10);
/// A replay of more entries than this is long: it takes some milliseconds.
const LONG: usize = 1000;

impl GameLog {
    /// The table that the first `version` entries lead to.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`] where there is no such game; [`StoreError::Busy`] where too many logs are being read.
    pub async fn replay(&self, id: Uuid, version: u32) -> Result<Table, ServiceError> {
        let turn = self.turn().await?;
        Ok(self.open(id, version, Some(turn)).await?.0)
    }

    /// The same table, and the entry of the snapshot that the replay went on from; 0 where no snapshot was fit. The turn is
    /// kept for as long as the work goes on, even if the client has gone away.
    pub(super) async fn open(
        &self,
        id: Uuid,
        version: u32,
        turn: Option<OwnedSemaphorePermit>,
    ) -> Result<(Table, u32), ServiceError> {
        let Opening { server_seed, snapshot, mut entries } =
            self.database.opening(id, Some(RULES), version).await?;
        let seed = Seed::new(server_seed.ok_or(ServiceError::NotFound)?);
        let has_snapshot = snapshot.is_some();
        let restored = snapshot.and_then(|snapshot| restore(id, seed.clone(), snapshot, entries.first()));
        let is_whole = !has_snapshot && goes_on(&entries, 0);
        if restored.is_none() && !is_whole {
            entries = self.stored(id, 0, version.into()).await?;
        }
        let from = restored.as_ref().map_or(0, |table| table.version);
        let is_long = entries.len() > LONG;
        let replay = move || {
            let _turn = turn;
            match restored {
                None => replay_all(id, seed, entries),
                Some(mut table) => {
                    // The first entry is the snapshot's own.
                    evolve(&mut table, entries.into_iter().skip(1))?;
                    Ok(table)
                }
            }
        };
        let table = if is_long { in_background(replay).await?? } else { replay()? };
        Ok((table, from))
    }

    /// A game's table from its whole log, whatever snapshots say.
    ///
    /// # Errors
    /// As [`GameLog::replay`].
    pub(crate) async fn replay_all(&self, id: Uuid) -> Result<Table, ServiceError> {
        let turn = self.turn().await?;
        let seed = self.seed(id).await?;
        let entries = self.stored(id, 0, ALL).await?;
        let replay = move || {
            // Kept for as long as the work goes on, even if the client has gone away.
            let _turn = turn;
            replay_all(id, seed, entries)
        };
        in_background(replay).await?
    }

    /// A game's log up to an entry, as `viewer` may read it; see [`LogProjection::of`].
    ///
    /// # Errors
    /// As [`GameLog::replay`].
    pub async fn read_log(
        &self,
        id: Uuid,
        viewer: Option<&Actor>,
        until: u32,
        facts: fn() -> AnyFacts,
    ) -> Result<LogProjection, ServiceError> {
        let turn = self.turn().await?;
        let seed = self.seed(id).await?;
        let entries = self.read(id, &seed, 0, until.into()).await?;
        let viewer = viewer.cloned();
        let project = move || {
            // Kept for as long as the work goes on, even if the client has gone away.
            let _turn = turn;
            LogProjection::of(id, seed, entries, &Reader::Viewer(viewer.as_ref()), facts)
        };
        in_background(project).await?.map_err(|fault| ServiceError::Fault(id, fault))
    }

    /// The right to read a log's past, valid for as long as it is kept.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too many others read for too long.
    pub(crate) async fn turn(&self) -> Result<OwnedSemaphorePermit, StoreError> {
        let turn = tokio::time::timeout(PATIENCE, self.readers.clone().acquire_owned()).await;
        Ok(turn.map_err(|_| StoreError::Busy("readers of logs"))?.expect("the semaphore is never closed"))
    }
}

/// Does work that keeps a core busy on a thread of its own.
///
/// # Errors
/// [`StoreError::Broken`] where it panics.
pub(crate) async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| StoreError::Broken(format!("work in the background: {error}")))
}

fn replay_all(id: Uuid, seed: Seed, entries: Vec<StoredEntry>) -> Result<Table, ServiceError> {
    let cipher = EntryCipher::new(&seed, id);
    let entries: Result<Vec<_>, _> = entries.into_iter().map(|stored| read(id, &cipher, stored)).collect();
    Table::replay(id, seed.clone(), entries?).map_err(|fault| ServiceError::Fault(id, fault))
}

/// The table of a snapshot, if the chain has its hash where the snapshot was taken.
fn restore(id: Uuid, seed: Seed, stored: StoredSnapshot, entry: Option<&StoredEntry>) -> Option<Table> {
    let table = snapshots::restored(id, seed, &stored)
        .inspect_err(|error| tracing::warn!(%error, game = %id, "a snapshot is of no use"))
        .ok()?;
    let is_in_log = entry.is_some_and(|entry| entry.seq == stored.seq && entry.hash == table.hash().0);
    if !is_in_log {
        tracing::warn!(game = %id, seq = stored.seq, "a snapshot is of another log");
    }
    is_in_log.then_some(table)
}
