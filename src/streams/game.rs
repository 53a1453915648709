//! One watcher of a game: a cursor, and the news that goes on from there.

use std::collections::VecDeque;
use std::sync::Arc;

use cardroom_core::table::entry_update::EntryUpdate;
use cardroom_core::table::{Actor, Table};
use tokio::sync::broadcast;
use uuid::Uuid;

use crate::games::log::GameLog;
use crate::games::past::Past;
use crate::games::service::GameService;
use crate::games::visibility::{is_delayed, visible};
use crate::metrics::CutOff;
use crate::runtime::error::ServiceError;
use crate::streams::watch::{UpdateBatch, receive};

/// A watcher of a game.
pub struct GameWatcher {
    pub viewer: Option<Actor>,
    /// The version that was shown last.
    cursor: u32,
    /// The watcher may see the game up to this version: a viewer who may see the game now may see it as it was.
    admitted: u32,
    /// To be shown first.
    opening: Option<Arc<Table>>,
    /// What was there before the watcher came.
    past: Option<Box<Past>>,
    waiting: VecDeque<Arc<EntryUpdate>>,
    /// None where nothing more will come.
    news: Option<broadcast::Receiver<Arc<UpdateBatch>>>,
    cut_off: CutOff,
}

/// What a watcher gets to see of a game.
pub enum Seen {
    /// All of it.
    Whole(Arc<Table>),
    /// What happened next.
    Next(Arc<EntryUpdate>),
    /// All that happened next, for a watcher who is shown no more than a spectator.
    UpdateBatch(Arc<UpdateBatch>),
}

impl GameService {
    /// Watches a game: from now on, or from what follows `after`.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`], [`ServiceError::NoSuchVersion`].
    pub async fn watch(
        &self,
        id: Uuid,
        viewer: Option<Actor>,
        after: Option<u32>,
    ) -> Result<GameWatcher, ServiceError> {
        let (table, news) = self.runtime.store.watch.game(self.look(id, viewer.as_ref()).await?);
        GameWatcher::new(visible(table, viewer.as_ref())?, news, viewer, after, &self.runtime.store).await
    }

    /// Ends all streams, now and for good.
    pub fn close_streams(&self) {
        self.runtime.store.watch.close();
    }
}

impl GameWatcher {
    /// `table` is what the watcher may see now, and `news` go on from there or begin before.
    ///
    /// # Errors
    /// [`ServiceError::NoSuchVersion`] where the game has not come to `after`.
    pub(crate) async fn new(
        table: Arc<Table>,
        news: Option<broadcast::Receiver<Arc<UpdateBatch>>>,
        viewer: Option<Actor>,
        after: Option<u32>,
        log: &GameLog,
    ) -> Result<GameWatcher, ServiceError> {
        let admitted = table.version;
        let mut watcher = GameWatcher {
            viewer,
            cursor: after.unwrap_or(admitted),
            admitted,
            opening: None,
            past: None,
            waiting: VecDeque::new(),
            news,
            cut_off: log.database.metrics.cut_off.clone(),
        };
        match after {
            None => watcher.opening = Some(table),
            Some(after) if after > admitted => return Err(ServiceError::NoSuchVersion),
            Some(after) if after == admitted => {}
            Some(after) => {
                let before =
                    if after == 0 { None } else { Some(Arc::new(log.replay(table.id, after).await?)) };
                watcher.past = Some(Box::new(Past::after(log, table.id, before)));
            }
        }
        Ok(watcher)
    }

    /// Whether there is nothing to show, nor ever will be.
    pub fn is_done(&self) -> bool {
        self.opening.is_none() && self.past.is_none() && self.waiting.is_empty() && self.news.is_none()
    }

    /// What comes next, each thing once and in order. `None` after the game's last entry, where the viewer may see the
    /// game no longer, and where the watcher is too far behind: then the client comes back with its cursor. If the
    /// future is dropped, nothing is lost.
    pub async fn next(&mut self) -> Option<Seen> {
        if let Some(table) = self.opening.take() {
            return Some(Seen::Whole(table));
        }
        loop {
            while let Some(update) = self.waiting.pop_front() {
                let table = &update.table;
                if table.version <= self.cursor {
                    continue;
                }
                if !self.admits(table) {
                    self.cut_off.hidden.inc();
                    return None;
                }
                if table.version > self.cursor + 1 {
                    self.cut_off.behind.inc();
                    return None;
                }
                self.cursor = table.version;
                return Some(Seen::Next(update));
            }
            match &mut self.past {
                // Boxed, so that only a watcher that reads the past has room for it.
                Some(past) => match Box::pin(past.next(u32::MAX)).await {
                    Ok(None) => self.past = None,
                    Ok(update) => self.waiting.extend(update),
                    Err(error) => {
                        tracing::warn!(%error, "a stream ends early");
                        self.cut_off.failed.inc();
                        return None;
                    }
                },
                None => {
                    let batch = receive(self.news.as_mut()?, &self.cut_off).await?;
                    if let Some(last) = self.last_to_share(&batch) {
                        self.cursor = last;
                        return Some(Seen::UpdateBatch(batch));
                    }
                    self.waiting.extend(batch.updates.iter().cloned());
                }
            }
        }
    }

    /// Whether the viewer may see what led to this table.
    fn admits(&self, table: &Table) -> bool {
        let viewer = self.viewer.as_ref();
        // The end of a table is not shown before all tables that are dealt the same have ended.
        let closed = table.is_over() && is_delayed(table, viewer);
        !closed && (table.version <= self.admitted || table.is_visible_to(viewer))
    }

    /// The batch's last version, if the batch goes on at the cursor and the viewer gets all of it as a spectator does.
    fn last_to_share(&self, batch: &UpdateBatch) -> Option<u32> {
        let (viewer, [first, .., last] | [first @ last]) = (self.viewer.as_ref(), &batch.updates[..]) else {
            return None;
        };
        let shared = |update: &Arc<EntryUpdate>| {
            self.admits(&update.table) && update.table.is_shown_as_to_anyone(viewer)
        };
        let goes_on = first.table.version == self.cursor + 1;
        (goes_on && batch.updates.iter().all(shared)).then_some(last.table.version)
    }
}
