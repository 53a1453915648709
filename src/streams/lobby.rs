//! The lobby as it is watched: which games are created, joined, started and ended.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::broadcast;

use crate::games::service::GameService;
use crate::games::watch::News;
use crate::runtime::error::ServiceError;
use crate::store::database::Database;
use crate::store::games::{Filter, Listed};
use crate::store::lobby::Changed;
use crate::store::status::Status;
use crate::streams::cursor::{Cursor, Step, receive};

impl GameService {
    /// Watches the lobby: from now on, or from what follows the change `after`.
    ///
    /// # Errors
    /// [`ServiceError::NoSuchVersion`], [`ServiceError::Store`].
    pub async fn watch_lobby(&self, filter: Filter, after: Option<i64>) -> Result<LobbyCursor, ServiceError> {
        let news = self.runtime.store.watch.lobby(self.database.lobby_horizon().await?.settled);
        LobbyCursor::new(&self.database, news, filter, after).await
    }
}

/// The cursor of a client that watches the lobby.
pub struct LobbyCursor {
    database: Database,
    filter: Filter,
    /// Everything up to this change has been shown.
    cursor: i64,
    /// The last change of the past that is read before the news; none once it has been read.
    past: Option<i64>,
    waiting: VecDeque<Arc<Changed>>,
    news: Option<broadcast::Receiver<News<Changed>>>,
}

impl LobbyCursor {
    /// `news` begin with what is unsettled now, or before.
    ///
    /// # Errors
    /// [`ServiceError::NoSuchVersion`] where no change `after` can have been seen.
    pub(crate) async fn new(
        database: &Database,
        news: Option<broadcast::Receiver<News<Changed>>>,
        filter: Filter,
        after: Option<i64>,
    ) -> Result<LobbyCursor, ServiceError> {
        let settled = database.lobby_horizon().await?.settled;
        if after.is_some_and(|after| after > settled) {
            return Err(ServiceError::NoSuchVersion);
        }
        let (cursor, past) = (after.unwrap_or(settled), after.map(|_| settled));
        Ok(LobbyCursor { database: database.clone(), filter, cursor, past, waiting: VecDeque::new(), news })
    }

    /// Everything up to this change has been shown.
    pub fn cursor(&self) -> i64 {
        self.cursor
    }
}

impl Cursor for LobbyCursor {
    /// A game that was created, or whose status or seats changed, as it is after its newest change.
    type Event = Arc<Changed>;

    fn is_done(&self) -> bool {
        self.past.is_none() && self.waiting.is_empty() && self.news.is_none()
    }

    async fn advance(&mut self) -> Result<Step<Arc<Changed>>, ServiceError> {
        if let Some(changed) = self.waiting.pop_front() {
            let is_new = changed.at > self.cursor;
            self.cursor = self.cursor.max(changed.at);
            return Ok(match is_new && concerns(&self.filter, &changed) {
                true => Step::Event(changed),
                false => Step::Pending,
            });
        }
        if let Some(settled) = self.past {
            // Boxed, so that only a cursor that reads the past has room for it.
            let page = Box::pin(self.database.lobby_changes(self.cursor, settled)).await?;
            if page.is_empty() {
                self.past = None;
            }
            self.waiting.extend(page.into_iter().map(Arc::new));
            return Ok(Step::Pending);
        }
        Ok(match receive(&mut self.news).await {
            Ok(news) => {
                self.waiting.extend(news.iter().cloned());
                Step::Pending
            }
            Err(end) => Step::End(end),
        })
    }
}

/// Whether a watcher of this list is told of the change. A game that has left the list by its status is told once more.
fn concerns(filter: &Filter, changed: &Changed) -> bool {
    let Listed { kind, status, visibility, .. } = &changed.game;
    let visible =
        visibility == "public" || filter.viewer.is_some_and(|viewer| changed.people.contains(&viewer));
    let listed = match filter.status {
        None | Some(Status::Open) => true,
        Some(Status::Active) => *status != Status::Open,
        Some(over) => *status == over,
    };
    visible && listed && filter.kind.as_ref().is_none_or(|wanted| wanted == kind)
}
