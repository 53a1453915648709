//! Streams of a tournament as it goes on.

use std::collections::VecDeque;
use std::sync::Arc;

use cardroom_core::tournament::{Tournament, TournamentEntry};
use uuid::Uuid;

use crate::runtime::Cached;
use crate::runtime::error::ServiceError;
use crate::tournaments::log::broken;
use crate::tournaments::service::Tournaments;

/// How many entries are read at a time.
const PAGE: i64 = 200;

/// A client that follows a tournament. What was read ahead is kept as it is stored: the tournament after each entry
/// would cost as much as all its entrants.
pub struct Follower {
    tournaments: Tournaments,
    cached: Arc<Cached<Tournament>>,
    /// What is to be shown first.
    opening: Option<Arc<Tournament>>,
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
}

impl Tournaments {
    /// Follows a tournament: from now on, or from what follows the entry `after`.
    ///
    /// # Errors
    /// `tournament_not_found`; [`ServiceError::NoSuchVersion`].
    pub async fn follow(&self, id: Uuid, after: Option<u32>) -> Result<Follower, ServiceError> {
        let cached = self.runtime.cached(id).await?;
        let now = self.runtime.catch_up(&cached).await?;
        let (opening, at) = match after {
            None => (Some(now.clone()), At::Entry(now)),
            Some(after) if after > now.version => return Err(ServiceError::NoSuchVersion),
            Some(0) => (None, At::Nothing(id)),
            Some(after) if after == now.version => (None, At::Entry(now)),
            Some(after) => (None, At::Entry(Arc::new(self.runtime.store.replay(id, after.into()).await?))),
        };
        Ok(Follower { tournaments: self.clone(), cached, opening, at, unread: VecDeque::new() })
    }
}

impl Follower {
    /// Whether there is nothing to show, nor ever will be: a tournament that has finished can still be changed by
    /// a disqualification, but its stream has ended.
    pub fn is_done(&self) -> bool {
        let over = matches!(&self.at, At::Entry(tournament) if tournament.is_over());
        self.opening.is_none() && self.unread.is_empty() && over
    }

    /// The tournament as it is shown first, if it is to be.
    pub fn opening(&mut self) -> Option<Arc<Tournament>> {
        self.opening.take()
    }

    /// The next entry. `None` after the last. If the future is dropped, no entry is lost.
    pub async fn next(&mut self) -> Option<News> {
        loop {
            if self.is_done() || self.tournaments.games.runtime.store.watch.is_closed() {
                return None;
            }
            match self.read().await {
                Ok(None) => {}
                Ok(news) => return news,
                Err(error) => {
                    tracing::warn!(%error, "a stream ends early");
                    self.tournaments.games.database.metrics.cut_off.failed.inc();
                    return None;
                }
            }
        }
    }

    /// The next entry, none where it may be there at the next try.
    async fn read(&mut self) -> Result<Option<News>, ServiceError> {
        let (id, known) = match &self.at {
            At::Nothing(id) => (*id, 0),
            At::Entry(tournament) => (tournament.id, tournament.version),
        };
        let Some(text) = self.unread.front() else {
            if self.tournaments.wait_for_newer(&self.cached, known).await? {
                self.unread = self.tournaments.log(id, known, PAGE).await?.into();
            }
            return Ok(None);
        };
        let tournament = match &self.at {
            At::Nothing(id) => self.tournaments.runtime.store.replay(*id, 1).await?,
            At::Entry(before) => {
                let mut tournament = Tournament::clone(before);
                let entry = TournamentEntry::parse(text).map_err(|error| broken(id, &error))?;
                tournament.evolve(&entry).map_err(|fault| broken(id, &fault))?;
                tournament
            }
        };
        let tournament = Arc::new(tournament);
        self.at = At::Entry(tournament.clone());
        Ok(self.unread.pop_front().map(|entry| News { entry, tournament }))
    }
}
