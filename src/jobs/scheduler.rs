//! The scheduler moves on games that wait for no request: it plays for seats whose time has run out, moves bots that
//! wait, and lets bots think. Every replica runs a scheduler. They need not know of each other: rows say
//! where to look when, and the append decides which of them was first.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use cardroom_core::table::Table;
use cardroom_core::table::turns::Now;
use futures_util::FutureExt;
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::games::bots;
use crate::games::counts::count_unfinished;
use crate::games::log::GameLog;
use crate::games::service::GameService;
use crate::jobs::expiry::Expiry;
use crate::jobs::thinking::{Thinking, Waiting};
use crate::ratings::Ratings;
use crate::runtime::error::ServiceError;
use crate::runtime::{Executed, Request};
use crate::store::deadlines::Deadline;
use crate::store::error::StoreError;
use crate::tournaments::service::Tournaments;

/// How many games a scheduler takes at a time.
const AT_ONCE: i64 = 32;
/// How long a game is left to the scheduler that took it.
const LEASE: SignedDuration = SignedDuration::from_secs(10);
/// When a game is due again at which a bot is to think, if too many wait already.
const FULL: SignedDuration = SignedDuration::from_secs(1);
/// How often games are counted, and how often the places of shards are read.
const LOOKED: Duration = Duration::from_secs(15);
/// How often it looks for games that are due.
const PERIOD: Duration = Duration::from_millis(100);

/// A replica's scheduler.
#[derive(Clone)]
pub struct Scheduler {
    games: GameService,
    tournaments: Tournaments,
    ratings: Ratings,
    expiry: Expiry,
    pub thinking: Thinking,
}

impl Scheduler {
    pub fn new(
        games: GameService,
        tournaments: Tournaments,
        ratings: Ratings,
        expiry: Expiry,
        thinking: Thinking,
    ) -> Scheduler {
        Scheduler { games, tournaments, ratings, expiry, thinking }
    }

    /// Runs until it is dropped. Tournaments, thoughts, ratings and expiry run beside the games, so that no clock waits for
    /// them.
    pub async fn run(self) {
        tokio::join!(
            self.stay_up(),
            self.keep_games_going(),
            self.move_tournaments_on(),
            self.thinking.run(),
            self.rate_on(),
            self.expire_on(),
            self.count_on(),
            self.follow_shards()
        );
    }

    /// Says that this replica is up, however long the games take that are due.
    async fn stay_up(&self) {
        loop {
            pause(self.games.uptime.beat().await.map(|()| 0), PERIOD).await;
        }
    }

    async fn keep_games_going(&self) {
        loop {
            pause(self.keep_due().await, PERIOD).await;
        }
    }

    async fn move_tournaments_on(&self) {
        loop {
            pause(self.tournaments.poll().await, PERIOD).await;
        }
    }

    async fn rate_on(&self) {
        loop {
            pause(self.ratings.poll().await, 10 * PERIOD).await;
        }
    }

    async fn expire_on(&self) {
        loop {
            pause(self.expiry.poll().await, 100 * PERIOD).await;
        }
    }

    async fn count_on(&self) {
        loop {
            if let Err(error) = count_unfinished(&self.games.database).await {
                tracing::warn!(%error, "games are counted when the database is back");
            }
            tokio::time::sleep(LOOKED).await;
        }
    }

    /// Notices when the database has been distributed, and when shards have moved.
    async fn follow_shards(&self) {
        loop {
            tokio::time::sleep(LOOKED).await;
            if let Err(error) = self.games.database.read_shards().await {
                tracing::warn!(%error, "where the shards are is read again later");
            }
        }
    }

    /// Sees once to games that are due, and to tournaments that can move on. Gives how many those were.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn poll(&self) -> Result<usize, StoreError> {
        Ok(self.keep_due().await? + self.tournaments.poll().await?)
    }

    /// Sees to some of the games that are due, and gives how many those were. It makes sure first that an outage is known that
    /// has just ended, because that time is not the players'.
    async fn keep_due(&self) -> Result<usize, StoreError> {
        let games = &self.games;
        games.uptime.beat().await?;
        let now = games.uptime.now().at;
        let until = now + LEASE;
        let due = games.database.take_due(now, until, AT_ONCE).await?;
        for deadline in &due {
            games.database.metrics.lag.observe(now.duration_since(deadline.due).as_secs_f64());
        }
        // A game at which the program panics holds up no other.
        let keep = |deadline: &Deadline| AssertUnwindSafe(self.keep(*deadline, until)).catch_unwind();
        let kept = join_all(due.iter().map(keep)).await;
        for (deadline, kept) in due.iter().zip(kept) {
            let error = match kept {
                Ok(Ok(())) => continue,
                Ok(Err(error)) => error.to_string(),
                Err(_) => "a panic".to_owned(),
            };
            tracing::error!(error, id = %deadline.game, "a game that is due was not kept going");
        }
        Ok(due.len())
    }

    /// Does what is due at a game that was taken `until` then. If a bot is to think ahead, that is begun. If nothing is due
    /// yet, the game is put back: the table is read after its row was taken, so whatever was appended before is known.
    async fn keep(&self, deadline: Deadline, until: Timestamp) -> Result<(), ServiceError> {
        let (games, id) = (&self.games, deadline.game);
        let Executed::Unchanged(table) = games.time_out(id, None).await? else { return Ok(()) };
        let (mut unchanged, mut at) = (table, None);
        let present = games.uptime.now();
        if unchanged.changed_at() > present.at && unchanged.version == deadline.version.unsigned_abs() {
            // The clock has been put back behind the log, and nothing has been appended since the row was written. By the
            // log's own times, which go on from where they are, the time has come as well.
            at = unchanged.due_by_log(&present.outages);
            let by_log = at.map(|at| (unchanged.version, at));
            let Executed::Unchanged(table) = games.time_out(id, by_log).await? else { return Ok(()) };
            // A player may have acted meanwhile.
            at = at.filter(|_| table.version == unchanged.version);
            unchanged = table;
        }
        let now = Now { at: at.unwrap_or(present.at), ..present.now() };
        if unchanged.bot_due(now).is_some() {
            let version = unchanged.version;
            if !self.thinking.add(Waiting { table: unchanged, until, at }) {
                games.database.put_back(id, version, until, Some(present.at + FULL)).await?;
            }
            return Ok(());
        }
        games.put_back(&unchanged, until).await
    }
}

/// Waits, if there was nothing to do or the database is away.
async fn pause(done: Result<usize, StoreError>, period: Duration) {
    match done {
        Ok(0) => tokio::time::sleep(period).await,
        Ok(_) => {}
        Err(error) => {
            tracing::warn!(%error, "the scheduler waits for the database");
            tokio::time::sleep(10 * PERIOD).await;
        }
    }
}

impl GameService {
    /// Puts back a game that was taken until `until`: it is due when this table is.
    pub(super) async fn put_back(&self, table: &Table, until: Timestamp) -> Result<(), ServiceError> {
        let due = table.due(self.uptime.now().now());
        Ok(self.database.put_back(table.id, table.version, until, due).await?)
    }

    /// Plays for the seats whose time has run out, and moves bots that wait. `by_log`: at this version, the time to go by is
    /// this one and not the system's.
    async fn time_out(
        &self,
        id: Uuid,
        by_log: Option<(u32, Timestamp)>,
    ) -> Result<Executed<GameLog>, ServiceError> {
        let executed = self.runtime.execute(id, Request::HOUSE, |table| {
            let mut present = self.uptime.now();
            if let Some((version, at)) = by_log {
                if table.version != version {
                    return Ok(None);
                }
                present.at = at;
            }
            let mut step = table.time_out(present.now());
            bots::follow(&mut step, &present, &self.entropy);
            Ok((!step.entries.is_empty()).then_some(step))
        });
        executed.await
    }
}
