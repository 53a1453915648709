//! Expiry: what nobody uses is called off or deleted: games, tournaments, guests, old reviews and deleted accounts' ratings.
//! About once a minute one of all replicas looks for it.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::accounts::REFRESH_LIFETIME;
use crate::games::reviews::Reviews;
use crate::games::service::GameService;
use crate::runtime::Request;
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::tournaments::log::DealtStep;
use crate::tournaments::service::Tournaments;

/// How often a replica looks.
const PERIOD: SignedDuration = SignedDuration::from_mins(1);
/// How many of a kind are removed at a time.
const AT_ONCE: i64 = 100;

/// After how long things expire; none: never.
#[derive(Debug, Clone, Copy)]
pub struct Lifetimes {
    /// Open games, since a person last sat at them.
    pub empty_games: Option<SignedDuration>,
    /// Open games, since they were created.
    pub open_games: Option<SignedDuration>,
    /// Open tournaments, since they were created.
    pub open_tournaments: Option<SignedDuration>,
    /// Guests who have never played, since they last signed in or refreshed.
    pub unused_guests: Option<SignedDuration>,
}

/// Calls off or deletes what nobody uses.
#[derive(Clone)]
pub struct Expiry {
    tournaments: Tournaments,
    lifetimes: Lifetimes,
}

impl Expiry {
    pub fn new(tournaments: Tournaments, lifetimes: Lifetimes) -> Expiry {
        Expiry { tournaments, lifetimes }
    }

    /// Removes some of what has expired, if it is time to look and no other replica does. Returns how much that was.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn poll(&self) -> Result<usize, StoreError> {
        let games = &self.tournaments.games;
        let now = games.uptime.now().at;
        if !games.database.take_expiry(now, now - PERIOD).await? {
            return Ok(0);
        }
        let unused = self.games(now).await? + self.tournaments(now).await? + self.guests(now).await?;
        let deleted = games.database.delete_ratings().await?;
        Ok(unused + deleted + Reviews::expire(games, now).await?)
    }

    async fn games(&self, now: Timestamp) -> Result<usize, StoreError> {
        let Lifetimes { empty_games, open_games, .. } = self.lifetimes;
        let (empty, made) = (empty_games.map(|life| now - life), open_games.map(|life| now - life));
        if empty.is_none() && made.is_none() {
            return Ok(0);
        }
        let games = &self.tournaments.games;
        let unused = games.database.unused_games(empty, made, AT_ONCE).await?;
        for &id in &unused {
            if let Err(error) = games.expire(id, made).await {
                tracing::error!(%error, %id, "an open game that nobody uses was not called off");
            }
        }
        Ok(unused.len())
    }

    async fn tournaments(&self, now: Timestamp) -> Result<usize, StoreError> {
        let Some(life) = self.lifetimes.open_tournaments else { return Ok(0) };
        let unused = self.tournaments.games.database.unused_tournaments(now - life, AT_ONCE).await?;
        for &id in &unused {
            if let Err(error) = self.tournaments.expire(id).await {
                tracing::error!(%error, %id, "a tournament that nobody starts was not called off");
            }
        }
        Ok(unused.len())
    }

    async fn guests(&self, now: Timestamp) -> Result<usize, StoreError> {
        let Some(life) = self.lifetimes.unused_guests else { return Ok(0) };
        let unused_since = now - life;
        // A token was given when it still held for all its lifetime.
        let (database, held) = (&self.tournaments.games.database, unused_since + REFRESH_LIFETIME);
        let deleted = database.delete_unused_guests(unused_since, held, AT_ONCE).await?;
        Ok(usize::try_from(deleted).unwrap_or_default())
    }
}

impl GameService {
    /// Calls off an open game at which nobody sits, or which was created no later than `made`.
    async fn expire(&self, id: Uuid, made: Option<Timestamp>) -> Result<(), ServiceError> {
        let executed = self.runtime.execute(id, Request::HOUSE, |table| {
            let is_old = made.is_some_and(|made| table.created_at() <= made);
            // A player may have sat down meanwhile.
            Ok(table.call_off(self.uptime.now().now()).filter(|_| is_old || !table.has_people()))
        });
        executed.await.map(drop)
    }
}

impl Tournaments {
    /// Calls off a tournament that is still open.
    async fn expire(&self, id: Uuid) -> Result<(), ServiceError> {
        let executed = self.runtime.execute(id, Request::HOUSE, |tournament| {
            let step = tournament.call_off(self.now());
            Ok((!step.entries.is_empty()).then_some(DealtStep { step, games: Vec::new() }))
        });
        executed.await.map(drop)
    }
}
