//! Reads a log from an entry on, for a client that connects after those entries were appended.

use std::collections::VecDeque;
use std::sync::Arc;

use cardroom_core::table::Table;
use cardroom_core::table::entry_update::EntryUpdate;
use uuid::Uuid;

use crate::games::log::GameLog;
use crate::games::watch::Entries;
use crate::runtime::error::ServiceError;

/// How many entries are read at once.
const PAGE: u32 = 50;

/// A reader's position in a log. What was read ahead is kept as entries: an [`EntryUpdate`] has a table of its own,
/// which costs ten times as much.
pub(crate) struct Past {
    log: GameLog,
    id: Uuid,
    /// At the entry that was given last; none before the first.
    table: Option<Arc<Table>>,
    unread: VecDeque<<Entries as IntoIterator>::Item>,
}

impl Past {
    /// What follows `table`; all of the log where there is none.
    pub(crate) fn after(log: &GameLog, id: Uuid, table: Option<Arc<Table>>) -> Past {
        Past { log: log.clone(), id, table, unread: VecDeque::new() }
    }

    /// The game at the entry that was given last; none before the first.
    pub(crate) fn table(&self) -> Option<&Arc<Table>> {
        self.table.as_ref()
    }

    /// The next entry, none where there is none up to the entry `until`. If the future is dropped, no entry is lost.
    ///
    /// # Errors
    /// As [`GameLog::replay`].
    pub(crate) async fn next(&mut self, until: u32) -> Result<Option<Arc<EntryUpdate>>, ServiceError> {
        let seed = match &self.table {
            Some(table) => table.seed().clone(),
            None => self.log.seed(self.id).await?,
        };
        if self.unread.is_empty() {
            let after = self.table.as_ref().map_or(0, |table| table.version);
            let limit = until.saturating_sub(after).min(PAGE);
            if limit > 0 {
                self.unread = self.log.read(self.id, &seed, after, limit.into()).await?.into();
            }
        }
        let Some((entry, hash)) = self.unread.front().cloned() else { return Ok(None) };
        let update = match &self.table {
            None => EntryUpdate::first(self.id, seed, entry, hash),
            Some(table) => EntryUpdate::next(table, entry, hash),
        };
        let update = Arc::new(update.map_err(|fault| ServiceError::Fault(self.id, fault))?);
        self.unread.pop_front();
        self.table = Some(update.table.clone());
        Ok(Some(update))
    }
}
