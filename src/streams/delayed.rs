//! Streams of a game for viewers who see it later or in part.

use std::sync::Arc;
use std::time::Duration;

use cardroom_core::table::entry_update::EntryUpdate;
use cardroom_core::table::{Actor, Table};
use tokio::time::sleep;
use uuid::Uuid;

use crate::games::past::Past;
use crate::games::service::GameService;
use crate::games::visibility::{is_delayed, visible};
use crate::runtime::error::ServiceError;

/// How often a delayed viewer's game is looked at again.
const LOOK: Duration = Duration::from_secs(1);

impl GameService {
    /// Watches a game that the viewer sees later or in part: what follows `after`, or the game as the viewer sees it
    /// first.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`], [`ServiceError::NoSuchVersion`].
    pub async fn watch_from_behind(
        &self,
        id: Uuid,
        viewer: Option<Actor>,
        after: Option<u32>,
    ) -> Result<Option<DelayedGame>, ServiceError> {
        let table = visible(self.runtime.look(id).await?, viewer.as_ref())?;
        if !is_delayed(&table, viewer.as_ref()) {
            return Ok(None);
        }
        let seen = self.visible_to(table, viewer.as_ref()).await?;
        let at = match after {
            None => seen.version,
            Some(after) if after > seen.version => return Err(ServiceError::NoSuchVersion),
            Some(after) => after,
        };
        let before = match at {
            0 => None,
            at if at == seen.version => Some(seen.clone()),
            at => Some(Arc::new(self.runtime.store.replay(id, at).await?)),
        };
        let shown = seen.version;
        let opening = after.is_none().then_some(seen);
        let past = Past::after(&self.runtime.store, id, before);
        Ok(Some(DelayedGame { games: self.clone(), id, viewer, opening, past, shown }))
    }
}

/// A watcher who sees a game later or in part.
pub struct DelayedGame {
    games: GameService,
    id: Uuid,
    pub viewer: Option<Actor>,
    opening: Option<Arc<Table>>,
    past: Past,
    /// The watcher may see the game up to this entry: a viewer who may see the game now may see it as it was.
    shown: u32,
}

impl DelayedGame {
    /// Whether there is nothing to show, nor ever will be.
    pub fn is_done(&self) -> bool {
        self.opening.is_none() && self.past.table().is_some_and(|table| table.is_over())
    }

    /// The game as it is seen first, if it is to be shown.
    pub fn opening(&mut self) -> Option<Arc<Table>> {
        self.opening.take()
    }

    /// The next entry, as soon as it may be seen. `None` after the last. If the future is dropped, no entry is lost.
    pub async fn next(&mut self) -> Option<Arc<EntryUpdate>> {
        loop {
            if self.is_done() || self.games.runtime.store.watch.is_closed() {
                return None;
            }
            match self.read().await {
                Ok(None) => sleep(LOOK).await,
                Ok(update) => return update,
                Err(error) => {
                    tracing::warn!(%error, "a stream ends early");
                    self.games.database.metrics.cut_off.failed.inc();
                    return None;
                }
            }
        }
    }

    /// The next entry, if it may be seen by now.
    async fn read(&mut self) -> Result<Option<Arc<EntryUpdate>>, ServiceError> {
        if let Some(update) = self.past.next(self.shown).await? {
            return Ok(Some(update));
        }
        self.shown = self.games.look(self.id, self.viewer.as_ref()).await?.version;
        self.past.next(self.shown).await
    }
}
