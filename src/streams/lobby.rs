//! The lobby as it is watched: which games are created, joined, started and ended.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::broadcast;

use crate::games::service::GameService;
use crate::metrics::CutOff;
use crate::runtime::error::ServiceError;
use crate::store::database::Database;
use crate::store::games::{Filter, Listed};
use crate::store::lobby::Changed;
use crate::store::status::Status;
use crate::streams::watch::{News, receive};

impl GameService {
    /// Watches the lobby: from now on, or from what follows the change `after`.
    ///
    /// # Errors
    /// [`ServiceError::NoSuchVersion`], [`ServiceError::Store`].
    pub async fn watch_lobby(
        &self,
        filter: Filter,
        after: Option<i64>,
    ) -> Result<LobbyWatcher, ServiceError> {
        let news = self.runtime.store.watch.lobby(self.database.lobby_horizon().await?.settled);
        LobbyWatcher::new(&self.database, news, filter, after).await
    }
}

/// A watcher of the lobby.
pub struct LobbyWatcher {
    database: Database,
    filter: Filter,
    /// Everything up to this change has been shown.
    cursor: i64,
    /// The last change of the past that is read before the news; none once it has been read.
    past: Option<i64>,
    waiting: VecDeque<Arc<Changed>>,
    news: Option<broadcast::Receiver<News<Changed>>>,
    cut_off: CutOff,
}

impl LobbyWatcher {
    /// `news` begin with what is unsettled now, or before.
    ///
    /// # Errors
    /// [`ServiceError::NoSuchVersion`] where no change `after` can have been seen.
    pub(crate) async fn new(
        database: &Database,
        news: Option<broadcast::Receiver<News<Changed>>>,
        filter: Filter,
        after: Option<i64>,
    ) -> Result<LobbyWatcher, ServiceError> {
        let settled = database.lobby_horizon().await?.settled;
        if after.is_some_and(|after| after > settled) {
            return Err(ServiceError::NoSuchVersion);
        }
        let (cursor, past) = (after.unwrap_or(settled), after.map(|_| settled));
        let (database, cut_off) = (database.clone(), database.metrics.cut_off.clone());
        Ok(LobbyWatcher { database, filter, cursor, past, waiting: VecDeque::new(), news, cut_off })
    }

    /// Everything up to this change has been shown.
    pub fn cursor(&self) -> i64 {
        self.cursor
    }

    /// The next game that was created, or whose status or seats changed, as it is after its newest change. `None` where
    /// the watcher is too far behind: then the client comes back with its cursor. If the future is dropped, nothing is
    /// lost.
    pub async fn next(&mut self) -> Option<Arc<Changed>> {
        loop {
            while let Some(changed) = self.waiting.pop_front() {
                if changed.at > self.cursor {
                    self.cursor = changed.at;
                    if concerns(&self.filter, &changed) {
                        return Some(changed);
                    }
                }
            }
            match self.past {
                // Boxed, so that only a watcher that reads the past has room for it.
                Some(settled) => match Box::pin(self.database.lobby_changes(self.cursor, settled)).await {
                    Ok(page) if page.is_empty() => self.past = None,
                    Ok(page) => self.waiting.extend(page.into_iter().map(Arc::new)),
                    Err(error) => {
                        tracing::warn!(%error, "a stream ends early");
                        self.cut_off.failed.inc();
                        return None;
                    }
                },
                None => {
                    let news = receive(self.news.as_mut()?, &self.cut_off).await?;
                    self.waiting.extend(news.iter().cloned());
                }
            }
        }
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
