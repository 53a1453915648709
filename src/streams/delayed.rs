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
use crate::streams::cursor::{Cursor, End, Step};

/// How often a delayed viewer's game is looked at again.
const LOOK: Duration = Duration::from_secs(1);

impl GameService {
    /// Watches a game that the viewer sees later or in part: what follows `after`, or the game as the viewer sees it
    /// now and what follows. None if the viewer sees the game as it happens.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`], [`ServiceError::NoSuchVersion`].
    pub async fn watch_delayed(
        &self,
        id: Uuid,
        viewer: Option<Actor>,
        after: Option<u32>,
    ) -> Result<Option<(Option<Arc<Table>>, DelayedGameCursor)>, ServiceError> {
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
            at => Some(self.past(id, at).await?),
        };
        let shown = seen.version;
        let opening = after.is_none().then_some(seen);
        let past = Past::after(&self.runtime.store, id, before);
        Ok(Some((opening, DelayedGameCursor { games: self.clone(), id, viewer, past, shown })))
    }
}

/// The cursor of a client that sees a game later or in part.
pub struct DelayedGameCursor {
    games: GameService,
    id: Uuid,
    pub viewer: Option<Actor>,
    past: Past,
    /// The viewer may see the game up to this entry: a viewer who may see the game now may see it as it was.
    shown: u32,
}

impl Cursor for DelayedGameCursor {
    type Event = Arc<EntryUpdate>;

    fn is_done(&self) -> bool {
        self.past.table().is_some_and(|table| table.is_over())
    }

    async fn advance(&mut self) -> Result<Step<Arc<EntryUpdate>>, ServiceError> {
        if self.is_done() || self.games.runtime.store.watch.is_closed() {
            return Ok(Step::End(End::Complete));
        }
        if let Some(update) = self.past.next(self.shown).await? {
            return Ok(Step::Event(update));
        }
        let shown = self.games.shown(self.id, self.viewer.as_ref()).await?;
        if shown == self.shown {
            sleep(LOOK).await;
        }
        self.shown = shown;
        Ok(Step::Pending)
    }
}
