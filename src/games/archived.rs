//! The logs that lie in files: what the database has no entries of any more is read from there.

use std::path::PathBuf;
use std::sync::Arc;

use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::games::archive_file as file;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::tail::StoredEntry;

/// How many logs are read at once. Each takes a thread, and up to some 40 MiB.
const AT_ONCE: usize = 4;
/// How many bytes of logs are kept, the longest included: a log is often read page by page.
const KEPT: u64 = 128 * 1024 * 1024;
/// What an entry takes in memory besides its text, roughly.
const ENTRY: usize = 100;

/// Reads archived logs.
pub(crate) struct ArchivedLogs {
    database: Database,
    folder: Option<Arc<PathBuf>>,
    known: Cache<Uuid, Arc<Vec<StoredEntry>>>,
    readers: Arc<Semaphore>,
}

impl ArchivedLogs {
    pub(crate) fn new(database: &Database) -> ArchivedLogs {
        let size = |_: &Uuid, log: &Arc<Vec<StoredEntry>>| {
            u32::try_from(log.iter().map(|entry| entry.entry.len() + ENTRY).sum::<usize>())
                .unwrap_or(u32::MAX)
        };
        ArchivedLogs {
            database: database.clone(),
            folder: database.archive.clone(),
            known: Cache::builder()
                .max_capacity(KEPT)
                .weigher(size)
                .eviction_policy(EvictionPolicy::lru())
                .build(),
            readers: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }

    /// A game's log; none where it lies in no file.
    ///
    /// # Errors
    /// [`StoreError::Archive`] where the file cannot be read.
    pub(crate) async fn read(&self, id: Uuid) -> Result<Option<Arc<Vec<StoredEntry>>>, StoreError> {
        if let Some(log) = self.known.get(&id) {
            return Ok(Some(log));
        }
        let Some((name, place)) = self.database.archived(id).await? else { return Ok(None) };
        let Some(folder) = &self.folder else {
            return Err(StoreError::Archive(format!("{name} is needed, but CARDROOM_ARCHIVE is not set")));
        };
        let permit = self.readers.clone().acquire_owned().await;
        // Another request may have read it meanwhile.
        if let Some(log) = self.known.get(&id) {
            return Ok(Some(log));
        }
        let path = folder.join(&name);
        // The permit is held for as long as the thread works, whatever becomes of the request.
        let read = spawn_blocking(move || {
            let _permit = permit;
            file::entries(&file::read(&path, place)?)
        });
        let log = read.await.map_err(|error| StoreError::Broken(error.to_string()))?;
        let log = Arc::new(log.map_err(|error| StoreError::Archive(format!("{name}: {error}")))?);
        self.known.insert(id, log.clone());
        Ok(Some(log))
    }
}
