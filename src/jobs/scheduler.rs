//! The keeper sees to it that games go on where no player makes them: it plays for seats whose time has run
//! out, and moves bots that wait. Every replica has one, and they need not know of each other: rows say what
//! is due, and the append decides who was first.

use std::time::Duration;

use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::games::bots;
use crate::games::error::PlayError;
use crate::games::service::Room;
use crate::jobs::expiry::Expiry;
use crate::ratings::Ratings;
use crate::store::append::Appended;
use crate::store::database::StoreError;
use crate::tournaments::Tournaments;

/// How many games a keeper takes at a time.
const AT_ONCE: i64 = 32;
/// How long a game that was taken is left to whoever took it.
const LEASE: SignedDuration = SignedDuration::from_secs(10);
/// How often games are counted.
const COUNTED: Duration = Duration::from_secs(15);
/// How often it looks for games that are due.
const PERIOD: Duration = Duration::from_millis(100);

/// A replica's keeper.
#[derive(Clone)]
pub struct Keeper {
    room: Room,
    tournaments: Tournaments,
    ratings: Ratings,
    expiry: Expiry,
}

impl Keeper {
    pub fn new(room: Room, tournaments: Tournaments, ratings: Ratings, expiry: Expiry) -> Keeper {
        Keeper { room, tournaments, ratings, expiry }
    }

    /// Keeps on until it is dropped. Games are rated beside it, and what nobody uses expires: no clock waits for that.
    pub async fn run(self) {
        tokio::join!(self.keep_on(), self.rate_on(), self.expire_on(), self.count_on());
    }

    async fn keep_on(&self) {
        loop {
            pause(self.tick().await, PERIOD).await;
        }
    }

    async fn rate_on(&self) {
        loop {
            pause(self.ratings.tick().await, 10 * PERIOD).await;
        }
    }

    async fn expire_on(&self) {
        loop {
            pause(self.expiry.tick().await, 100 * PERIOD).await;
        }
    }

    async fn count_on(&self) {
        loop {
            if let Err(error) = self.room.count_games().await {
                tracing::warn!(%error, "games are counted when the database is back");
            }
            tokio::time::sleep(COUNTED).await;
        }
    }

    /// Says that this replica is up, and sees to some of the games that are due, and to tournaments that can move
    /// on. Gives how many those were.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn tick(&self) -> Result<usize, StoreError> {
        let Keeper { room, tournaments, .. } = self;
        room.uptime.beat().await?;
        let now = room.uptime.now().at;
        let until = now + LEASE;
        let games = room.database.take_due(now, until, AT_ONCE).await?;
        for (_, due) in &games {
            room.database.metrics.lag.observe(now.duration_since(*due).as_secs_f64());
        }
        let kept = join_all(games.iter().map(|(id, _)| room.keep(*id, until))).await;
        for ((id, _), error) in games.iter().zip(kept).filter_map(|(game, kept)| Some((game, kept.err()?))) {
            tracing::error!(%error, %id, "a game that is due was not kept going");
        }
        Ok(games.len() + tournaments.tick().await?)
    }
}

/// Waits, if there was nothing to do or the database is away.
async fn pause(done: Result<usize, StoreError>, period: Duration) {
    match done {
        Ok(0) => tokio::time::sleep(period).await,
        Ok(_) => {}
        Err(error) => {
            tracing::warn!(%error, "the keeper waits for the database");
            tokio::time::sleep(10 * PERIOD).await;
        }
    }
}

impl Room {
    /// Does what is due at a game that was taken `until` then.
    async fn keep(&self, id: Uuid, until: Timestamp) -> Result<(), PlayError> {
        let slot = self.tables.slot(id).await?;
        let _turn = slot.turn().await;
        let mut table = slot.table();
        let mut is_fresh = false;
        loop {
            let mut present = self.uptime.now();
            if is_fresh && table.changed_at() > present.at && self.database.is_taken(id, until).await? {
                // The clock has been put back behind the log, and nothing has been appended since the row came due. By
                // the log's own times, which go on from where they are, the moment has come as well.
                present.at = table.due_by_log(&present.outages).unwrap_or(present.at);
            }
            let mut step = table.time_out(present.now());
            bots::follow(&mut step, &present, &self.entropy);
            if !step.entries.is_empty() {
                if self.append(None, &step, &None, None).await? == Appended::Done {
                    slot.advance(step.table);
                    return Ok(());
                }
            } else if is_fresh {
                let due = table.due(self.uptime.now().now());
                return Ok(self.database.put_back(id, until, due).await?);
            }
            table = self.tables.catch_up(&slot).await?;
            is_fresh = true;
        }
    }
}
