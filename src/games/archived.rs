//! The logs that lie in files: what the database has no entries of any more is read from there.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use uuid::Uuid;

use crate::archive_files::ArchiveFiles;
use crate::games::archive_format as format;
use crate::store::archives::Found;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::tail::StoredEntry;

/// How many logs are read at once. Each takes a thread or a connection, and up to some 40 MiB.
const AT_ONCE: usize = 4;
/// How long a caller waits for a log, the time included in which others are read.
const PATIENCE: Duration = Duration::from_secs(30);
/// How many bytes of logs are kept, the longest included: a log is often read page by page.
const KEPT: u64 = 128 * 1024 * 1024;
/// What an entry takes in memory besides its text, roughly.
const ENTRY: usize = 100;

/// Reads archived logs.
pub(crate) struct ArchivedLogs {
    database: Database,
    files: Option<Arc<ArchiveFiles>>,
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
            files: database.archive.clone(),
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
        let Some(found) = self.database.archived(id).await? else { return Ok(None) };
        let Some(files) = &self.files else {
            let missing = format!("{} is needed, but CARDROOM_ARCHIVE is not set", found.file);
            return Err(StoreError::Archive(missing));
        };
        let address = files.address(&found.file);
        let read = timeout(PATIENCE, self.read_in_turn(id, files, found)).await;
        let read = read.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        Ok(Some(read.map_err(|error| StoreError::Archive(format!("{address}: {error}")))?))
    }

    async fn read_in_turn(
        &self,
        id: Uuid,
        files: &Arc<ArchiveFiles>,
        Found { file, place, digest }: Found,
    ) -> io::Result<Arc<Vec<StoredEntry>>> {
        let permit = self.readers.clone().acquire_owned().await;
        // Another request may have read it meanwhile.
        if let Some(log) = self.known.get(&id) {
            return Ok(log);
        }
        let (files, known) = (files.clone(), self.known.clone());
        let (from, length) = (place.position.unsigned_abs(), place.length.unsigned_abs());
        // The log is read to its end, and the permit held until then, whether or not the caller still waits.
        let read = tokio::spawn(async move {
            let _permit = permit;
            let game = files.read(&file, from, length.into()).await?;
            let entries = spawn_blocking(move || {
                let bundle = format::bundle(&game)?;
                // The house would sign whatever the file says.
                if digest.is_some_and(|digest| digest != format::digest(&bundle)) {
                    return Err(io::Error::other(format!("game {id} is not the one that was archived")));
                }
                format::entries(&bundle)
            });
            let entries = entries.await??;
            let log = Arc::new(entries);
            known.insert(id, log.clone());
            Ok(log)
        });
        read.await?
    }
}
