//! Streams of a tournament as it goes on.

use std::collections::VecDeque;
use std::sync::Arc;

use cardroom_core::table::Actor;
use cardroom_core::tournament::{Tournament, TournamentEntry};
use uuid::Uuid;

use crate::runtime::error::ServiceError;
use crate::streams::cursor::{Cursor, End, Step};
use crate::tournaments::log::broken;
use crate::tournaments::service::Tournaments;

/// How many entries are read at a time.
const PAGE: i64 = 200;

/// The cursor of a client that follows a tournament. What was read ahead is kept as it is stored: the tournament after each entry
/// would cost as much as all its entrants.
pub struct TournamentCursor {
    pub viewer: Option<Actor>,
    tournaments: Tournaments,
    /// The tournament at the entry that was read last.
    at: At,
    unread: VecDeque<String>,
}

/// How far a log was read.
enum At {
    Nothing(Uuid),
    Entry(Arc<Tournament>),
}

/// An entry, and the tournament after it.
pub struct News {
    /// As it is stored.
    pub entry: String,
    pub tournament: Arc<Tournament>,
    /// See [`Tournaments::shows_seed`].
    pub shows_seed: bool,
}

impl Tournaments {
    /// Follows a tournament: from now on, or from what follows the entry `after`. Without `after`, the tournament as it
    /// is now is returned, too.
    ///
    /// # Errors
    /// `tournament_not_found`; [`ServiceError::NoSuchVersion`].
    pub async fn follow(
        &self,
        id: Uuid,
        viewer: Option<Actor>,
        after: Option<u32>,
    ) -> Result<(Option<Arc<Tournament>>, TournamentCursor), ServiceError> {
        let cached = self.runtime.cached(id).await?;
        let now = self.runtime.catch_up(&cached).await?;
        let (opening, at) = match after {
            None => (Some(now.clone()), At::Entry(now)),
            Some(after) if after > now.version => return Err(ServiceError::NoSuchVersion),
            Some(0) => (None, At::Nothing(id)),
            Some(after) if after == now.version => (None, At::Entry(now)),
            Some(after) => {
                let _turn = self.games.runtime.store.turn().await?;
                (None, At::Entry(Arc::new(self.runtime.store.replay(id, after.into()).await?)))
            }
        };
        let tournaments = self.clone();
        Ok((opening, TournamentCursor { viewer, tournaments, at, unread: VecDeque::new() }))
    }
}

impl TournamentCursor {
    /// The entry with this text, and the tournament after it.
    async fn news(&self, text: &str) -> Result<News, ServiceError> {
        let tournament = match &self.at {
            At::Nothing(id) => self.tournaments.runtime.store.replay(*id, 1).await?,
            At::Entry(before) => {
                let mut tournament = Tournament::clone(before);
                let entry = TournamentEntry::parse(text).map_err(|error| broken(before.id, &error))?;
                tournament.evolve(&entry).map_err(|fault| broken(before.id, &fault))?;
                tournament
            }
        };
        let shows_seed = self.tournaments.shows_seed(&tournament).await?;
        Ok(News { entry: text.to_owned(), tournament: Arc::new(tournament), shows_seed })
    }
}

impl Cursor for TournamentCursor {
    type Event = News;

    /// A tournament that has finished can still be changed by a disqualification, but its stream has ended.
    fn is_done(&self) -> bool {
        let is_over = matches!(&self.at, At::Entry(tournament) if tournament.is_over());
        self.unread.is_empty() && is_over
    }

    async fn advance(&mut self) -> Result<Step<News>, ServiceError> {
        if self.is_done() || self.tournaments.games.runtime.store.watch.is_closed() {
            return Ok(Step::End(End::Complete));
        }
        if let Some(text) = self.unread.front() {
            let news = self.news(text).await?;
            self.unread.pop_front();
            self.at = At::Entry(news.tournament.clone());
            return Ok(Step::Event(news));
        }
        let (id, known) = match &self.at {
            At::Nothing(id) => (*id, 0),
            At::Entry(tournament) => (tournament.id, tournament.version),
        };
        // Asked for each time, because a replica may have loaded the tournament anew.
        let cached = self.tournaments.runtime.cached(id).await?;
        if self.tournaments.wait_for_newer(&cached, known).await? {
            self.unread = self.tournaments.log(id, known, PAGE).await?.into();
        }
        Ok(Step::Pending)
    }
}
