//! The lobby as it is watched: which games are created, joined, started and ended.

use std::collections::VecDeque;
use std::sync::Arc;

use cardroom_core::table::Actor;
use tokio::sync::broadcast;
use uuid::Uuid;

use crate::games::lists::{GameRow, Position};
use crate::games::service::GameService;
use crate::games::watch::{LobbyChange, News};
use crate::runtime::error::ServiceError;
use crate::store::lists::{Filter, Listed};
use crate::store::status::Status;
use crate::streams::cursor::{Cursor, Step, receive};

/// How many changes a client may have missed. A client that is further behind begins anew.
const MOST_MISSED: i64 = 10_000;

impl GameService {
    /// Watches the lobby: from now on, or from what follows the change `after`.
    ///
    /// # Errors
    /// [`ServiceError::NoSuchVersion`] where there is no such change yet, or too much has changed since;
    /// [`ServiceError::Store`].
    pub async fn watch_lobby(
        &self,
        filter: Filter,
        viewer: Option<Actor>,
        after: Option<i64>,
    ) -> Result<LobbyCursor, ServiceError> {
        let news = self.runtime.store.watch.lobby(self.database.lobby_horizon().await?.settled);
        let settled = self.database.lobby_horizon().await?.settled;
        if let Some(after) = after
            && (after > settled || self.database.lobby_has_more(after, MOST_MISSED).await?)
        {
            return Err(ServiceError::NoSuchVersion);
        }
        let (cursor, past) = (after.unwrap_or(settled), after.map(|_| settled));
        let (games, waiting) = (self.clone(), VecDeque::new());
        Ok(LobbyCursor { games, filter, viewer, cursor, past, waiting, news })
    }
}

/// The cursor of a client that watches the lobby.
pub struct LobbyCursor {
    games: GameService,
    filter: Filter,
    viewer: Option<Actor>,
    /// Everything up to this change has been shown.
    cursor: i64,
    /// The last change of the past that is read before the news; none once it has been read.
    past: Option<i64>,
    waiting: VecDeque<Arc<LobbyChange>>,
    /// They begin with what was unsettled when the cursor was made, or before.
    news: Option<broadcast::Receiver<News<LobbyChange>>>,
}

impl LobbyCursor {
    /// Everything up to this change has been shown.
    pub fn cursor(&self) -> i64 {
        self.cursor
    }

    /// The change as the viewer is shown it; none where it does not concern the viewer.
    async fn show(&self, change: &LobbyChange) -> Result<Option<(i64, GameRow)>, ServiceError> {
        let viewer = self.viewer.as_ref().map(|actor| actor.account);
        let changed = &change.changed;
        if changed.at <= self.cursor || !concerns(&self.filter, viewer, change) {
            return Ok(None);
        }
        let row = |position| (changed.at, GameRow { listed: changed.listed.clone(), position });
        if let Some(position) = Position::of_ended(&changed.listed, viewer) {
            return Ok(Some(row(Some(position))));
        }
        let look = || self.games.runtime.look(changed.listed.game.id);
        let position = match change.table.get_or_try_init(look).await {
            Ok(table) => Some(Position::of(table, viewer)),
            Err(error) if error.is_of_one_log() => {
                tracing::error!(%error, "a game of the lobby cannot be read");
                None
            }
            Err(error) => return Err(error),
        };
        Ok(Some(row(position)))
    }
}

impl Cursor for LobbyCursor {
    /// A game that was created, or whose status or seats changed, as it is after its newest change; and the change.
    type Event = (i64, GameRow);

    fn is_done(&self) -> bool {
        false
    }

    async fn advance(&mut self) -> Result<Step<(i64, GameRow)>, ServiceError> {
        if let Some(change) = self.waiting.front() {
            let shown = self.show(change).await?;
            self.cursor = self.cursor.max(change.changed.at);
            self.waiting.pop_front();
            return Ok(shown.map_or(Step::Pending, Step::Event));
        }
        if let Some(settled) = self.past {
            // Boxed, so that only a cursor that reads the past has room for it.
            let page = Box::pin(self.games.database.lobby_changes(self.cursor, settled)).await?;
            if page.is_empty() {
                self.past = None;
            }
            self.waiting.extend(page.into_iter().map(LobbyChange::new));
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

/// Whether a viewer of this list is told of the change. A game that has left the list by its status is told once more.
fn concerns(filter: &Filter, viewer: Option<Uuid>, change: &LobbyChange) -> bool {
    let (listed, creator) = (&change.changed.listed, change.changed.creator);
    let Listed { kind, status, visibility, turn_seconds, is_rated, .. } = &listed.game;
    let is_own = |viewer| viewer == creator || listed.players.iter().any(|player| player.account == viewer);
    let visible = visibility == "public" || viewer.is_some_and(is_own);
    let is_listed = match filter.status {
        None | Some(Status::Open) => true,
        Some(Status::Active) => *status != Status::Open,
        Some(over) => *status == over,
    };
    let timed = filter.timed.is_none_or(|timed| timed == turn_seconds.is_some());
    let most = filter.most_turn_seconds;
    let quick = most.is_none_or(|most| turn_seconds.is_some_and(|seconds| seconds <= most));
    let rated = filter.rated.is_none_or(|rated| rated == *is_rated);
    visible
        && is_listed
        && timed
        && quick
        && rated
        && filter.kind.as_ref().is_none_or(|wanted| wanted == kind)
}
