//! The cursor of a client that watches a game as it happens.

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
use crate::games::watch::UpdateBatch;
use crate::runtime::error::ServiceError;
use crate::streams::cursor::{Cursor, End, Step, receive};

/// The cursor of a client that watches a game as it happens.
pub struct GameCursor {
    pub viewer: Option<Actor>,
    /// The version that was shown last.
    cursor: u32,
    /// The viewer may see the game up to this version: a viewer who may see the game now may see it as it was.
    admitted: u32,
    /// The game was over when the client came.
    is_over: bool,
    /// What was there before the client came.
    past: Option<Box<Past>>,
    waiting: VecDeque<Arc<EntryUpdate>>,
    /// For a viewer that is only told what concerns its account: the news has gaps.
    reached: Option<Reached>,
    /// None where the game is over, or all streams are closed.
    news: Option<broadcast::Receiver<Arc<UpdateBatch>>>,
}

/// Where a viewer goes on in the log if it falls behind the news: a webhook takes its messages more slowly than they come,
/// and to replay the whole log each time would cost more than the messages.
struct Reached {
    log: GameLog,
    /// At the cursor.
    table: Arc<Table>,
}

/// What has happened in a game.
pub enum Seen {
    Update(Arc<EntryUpdate>),
    /// All that happened next, for a viewer who is shown no more than a spectator, or only what concerns an account.
    UpdateBatch(Arc<UpdateBatch>),
}

impl GameService {
    /// Watches a game: from now on, or from what follows `after`. Without `after`, the game as it is now is returned,
    /// too.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`], [`ServiceError::NoSuchVersion`].
    pub async fn watch(
        &self,
        id: Uuid,
        viewer: Option<Actor>,
        after: Option<u32>,
    ) -> Result<(Option<Arc<Table>>, GameCursor), ServiceError> {
        let (table, news) = self.runtime.store.watch.game(self.look(id, viewer.as_ref()).await?);
        let table = visible(table, viewer.as_ref())?;
        let cursor = GameCursor::new(&table, news, viewer, after, &self.runtime.store).await?;
        Ok((after.is_none().then_some(table), cursor))
    }

    /// Watches a game from what follows `after`, but only what concerns the actor's account. `until`: the account took part
    /// until this version, and may see the game up to it, whether or not it may see the game now.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`], [`ServiceError::NoSuchVersion`].
    pub async fn watch_for(
        &self,
        id: Uuid,
        actor: Actor,
        after: u32,
        until: Option<u32>,
    ) -> Result<GameCursor, ServiceError> {
        let (table, news) = self.runtime.store.watch.game_of(self.runtime.look(id).await?, actor.account);
        let admitted = match until {
            Some(until) if !table.is_visible_to(Some(&actor)) => until,
            _ => visible(table.clone(), Some(&actor))?.version,
        };
        let log = &self.runtime.store;
        let cursor = GameCursor::new(&table, news, Some(actor), Some(after), log).await?;
        // Where the past has no table yet, its first entry brings one, before there is any news.
        let known = cursor.past.as_ref().and_then(|past| past.table()).unwrap_or(&table).clone();
        Ok(GameCursor { admitted, reached: Some(Reached { log: log.clone(), table: known }), ..cursor })
    }

    /// Ends all streams, now and for good.
    pub fn close_streams(&self) {
        self.runtime.store.watch.close();
    }
}

impl GameCursor {
    /// `table` is what the viewer may see now, and `news` go on from there or begin before.
    ///
    /// # Errors
    /// [`ServiceError::NoSuchVersion`] where the game has not come to `after`.
    pub(crate) async fn new(
        table: &Table,
        news: Option<broadcast::Receiver<Arc<UpdateBatch>>>,
        viewer: Option<Actor>,
        after: Option<u32>,
        log: &GameLog,
    ) -> Result<GameCursor, ServiceError> {
        let admitted = table.version;
        let cursor = after.unwrap_or(admitted);
        let past = match cursor {
            cursor if cursor > admitted => return Err(ServiceError::NoSuchVersion),
            cursor if cursor == admitted => None,
            0 => Some(Past::after(log, table.id, None)),
            cursor => Some(Past::after(log, table.id, Some(Arc::new(log.replay(table.id, cursor).await?)))),
        };
        let past = past.map(Box::new);
        let waiting = VecDeque::new();
        let is_over = table.is_over();
        Ok(GameCursor { viewer, cursor, admitted, is_over, past, waiting, reached: None, news })
    }

    /// Whether it still reads the log, and does not wait for news alone.
    pub(crate) fn is_behind(&self) -> bool {
        self.past.is_some()
    }

    /// Shows an update, unless it was shown before.
    fn show(&mut self, update: Arc<EntryUpdate>) -> Step<Seen> {
        let version = update.table.version;
        if version <= self.cursor {
            return Step::Pending;
        }
        if !self.admits(&update) {
            return Step::End(End::Hidden);
        }
        match &mut self.reached {
            Some(reached) => reached.table = update.table.clone(),
            None if version > self.cursor + 1 => return Step::End(End::Behind),
            None => {}
        }
        self.cursor = version;
        Step::Event(Seen::Update(update))
    }

    /// Whether the viewer may see the update. An account that is removed from a private game is still told that.
    fn admits(&self, update: &EntryUpdate) -> bool {
        let (table, viewer) = (&update.table, self.viewer.as_ref());
        let is_removed = self.reached.is_some()
            && update.left().is_some_and(|left| viewer.is_some_and(|actor| actor.account == left));
        // The end of a table is not shown before all tables that are dealt the same have ended.
        let closed = table.is_over() && is_delayed(table, viewer);
        !closed && (table.version <= self.admitted || is_removed || table.is_visible_to(viewer))
    }

    /// The batch's last version, if the batch goes on at the cursor and the viewer gets all of it at once: as a spectator
    /// does, or because nothing that is hidden is told of it.
    fn last_to_share(&self, batch: &UpdateBatch) -> Option<u32> {
        let (viewer, [first, .., last] | [first @ last]) = (self.viewer.as_ref(), &batch.updates[..]) else {
            return None;
        };
        let has_gaps = self.reached.is_some();
        let shared = |update: &Arc<EntryUpdate>| {
            self.admits(update) && (has_gaps || update.table.is_shown_as_to_anyone(viewer))
        };
        let next = self.cursor + 1;
        let goes_on = first.table.version == next || (has_gaps && first.table.version > next);
        (goes_on && batch.updates.iter().all(shared)).then_some(last.table.version)
    }
}

impl Cursor for GameCursor {
    type Event = Seen;

    fn is_done(&self) -> bool {
        self.is_over && !self.is_behind() && self.waiting.is_empty()
    }

    async fn advance(&mut self) -> Result<Step<Seen>, ServiceError> {
        if let Some(update) = self.waiting.pop_front() {
            return Ok(self.show(update));
        }
        if let Some(past) = &mut self.past {
            // Boxed, so that only a cursor that reads the past has room for it.
            match Box::pin(past.next(u32::MAX)).await? {
                None => self.past = None,
                update => self.waiting.extend(update),
            }
            return Ok(Step::Pending);
        }
        let batch = match receive(&mut self.news).await {
            Ok(batch) => batch,
            Err(End::Behind) if let Some(Reached { log, table }) = &self.reached => {
                self.past = Some(Box::new(Past::after(log, table.id, Some(table.clone()))));
                return Ok(Step::Pending);
            }
            Err(end) => return Ok(Step::End(end)),
        };
        if let Some(last) = self.last_to_share(&batch) {
            self.cursor = last;
            if let (Some(reached), Some(update)) = (&mut self.reached, batch.updates.last()) {
                reached.table = update.table.clone();
            }
            return Ok(Step::Event(Seen::UpdateBatch(batch)));
        }
        self.waiting.extend(batch.updates.iter().cloned());
        Ok(Step::Pending)
    }
}
