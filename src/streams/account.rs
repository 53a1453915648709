//! The cursor of an account: all that concerns it, over all its games and tournaments.

use std::collections::VecDeque;
use std::sync::Arc;

use cardroom_core::notice::Notice;
use cardroom_core::table::Actor;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::sync::watch;

use crate::games::lists::GameRow;
use crate::runtime::error::ServiceError;
use crate::store::lists::Filter;
use crate::store::participations::{Participation, Topic};
use crate::streams::checkpoint::Checkpoint;
use crate::streams::cursor::{Cursor, End, Step};
use crate::streams::participation::{Followed, Follower, Moved, next};
use crate::tournaments::service::Tournaments;

/// How many participations that are over by now a client may have missed. A client that is further behind begins anew.
const MOST_MISSED: usize = 500;
/// How many participations are read from the database at a time: more than a client can have missed, with those that run.
const READ_LIMIT: usize = 4096;
/// How many that are over by now are read at once.
const READ_AT_ONCE: usize = 4;
/// More running games than an account can have.
const ALL: i64 = i32::MAX as i64;

/// The cursor of an account.
pub struct AccountCursor {
    follower: Arc<Follower>,
    /// How far the account was told, with all notices that wait.
    checkpoint: Checkpoint,
    /// What the running participations bring next.
    followed: FuturesUnordered<BoxFuture<'static, (Followed, Result<Moved, ServiceError>)>>,
    /// The participations that are over by now and that are still to be read.
    missed: VecDeque<Followed>,
    /// How many of them are being read.
    reading: usize,
    /// The notices that are to be told, each with the checkpoint after it.
    waiting: VecDeque<(String, Notice)>,
    /// There may be newer participations.
    stale: bool,
    /// The number of the newest participation. None where the streams are closed.
    numbers: Option<watch::Receiver<u32>>,
}

impl Tournaments {
    /// Follows an account: from what follows the checkpoint, or from now on. Without a checkpoint, the account's running
    /// games are returned, too.
    ///
    /// # Errors
    /// [`ServiceError::NoSuchVersion`] where the checkpoint is none of this account, or is too far back.
    pub async fn follow_account(
        &self,
        actor: Actor,
        after: Option<Checkpoint>,
    ) -> Result<(Option<Vec<GameRow>>, AccountCursor), ServiceError> {
        // Read first, so that everything that begins later has a higher number.
        let found = self.games.database.newest_participations(&[actor.account]).await?;
        let newest = found.first().map_or(0, |(_, newest)| newest.unsigned_abs());
        let numbers = self.games.runtime.store.watch.account(actor.account, newest);
        let mut cursor = AccountCursor {
            follower: Arc::new(Follower { tournaments: self.clone(), actor }),
            checkpoint: Checkpoint { newest, ..Checkpoint::default() },
            followed: FuturesUnordered::new(),
            missed: VecDeque::new(),
            reading: 0,
            waiting: VecDeque::new(),
            stale: true,
            numbers,
        };
        let Some(after) = after else { return Ok((Some(cursor.begin().await?), cursor)) };
        if after.newest > newest {
            return Err(ServiceError::NoSuchVersion);
        }
        cursor.resume(after).await?;
        Ok((None, cursor))
    }
}

impl AccountCursor {
    /// The notices that follow at once, each with the checkpoint after it.
    pub fn take_waiting(&mut self) -> impl Iterator<Item = (String, Notice)> {
        self.waiting.drain(..)
    }

    /// How far the account was told.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// Follows everything that runs, from now on. Returns the games.
    async fn begin(&mut self) -> Result<Vec<GameRow>, ServiceError> {
        let Follower { tournaments, actor } = &*self.follower.clone();
        let (games, account) = (&tournaments.games, actor.account);
        let running = games.database.running_participations(account).await?;
        let filter = Filter { is_running: true, ..Filter::default() };
        let mut rows = games.games_of(actor, &filter, None, None, ALL).await?;
        rows.retain(|(n, _)| n.unsigned_abs() <= self.checkpoint.newest);
        let newest = self.checkpoint.newest;
        for participation in running.into_iter().filter(|found| found.n <= newest) {
            let version = match participation.topic {
                Topic::Tournament(id) => match tournaments.look(id).await {
                    Err(error) if error.is_of_one_log() => None,
                    tournament => Some(tournament?.version),
                },
                Topic::Game(_) => {
                    let row = rows.iter().find(|(n, _)| n.unsigned_abs() == participation.n);
                    row.and_then(|(_, row)| Some(row.position.as_ref()?.version))
                }
            };
            // A game that has ended meanwhile has no position, nor has a log that nobody can read.
            if let Some(version) = version {
                self.follow(participation, version);
            }
        }
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }

    /// Follows what ran at the checkpoint, and everything newer.
    async fn resume(&mut self, after: Checkpoint) -> Result<(), ServiceError> {
        let listed: Vec<u32> = after.versions.keys().copied().collect();
        let Follower { tournaments, actor } = &*self.follower;
        let database = &tournaments.games.database;
        let found = database.participations_after(actor.account, after.newest, &listed, READ_LIMIT).await?;
        if found.len() == READ_LIMIT {
            return Err(ServiceError::NoSuchVersion);
        }
        self.checkpoint.newest = after.newest;
        for participation in found {
            let known = after.versions.get(&participation.n);
            self.checkpoint.newest = self.checkpoint.newest.max(participation.n);
            self.follow(participation, known.copied().unwrap_or(participation.since - 1));
        }
        if self.missed.len() > MOST_MISSED {
            return Err(ServiceError::NoSuchVersion);
        }
        Ok(())
    }

    /// Follows the participations that have begun since.
    async fn catch_up(&mut self) -> Result<(), ServiceError> {
        let Follower { tournaments, actor } = &*self.follower;
        let database = &tournaments.games.database;
        let after = self.checkpoint.newest;
        let newer = database.participations_after(actor.account, after, &[], READ_LIMIT).await?;
        self.stale = newer.len() == READ_LIMIT;
        for participation in newer {
            self.checkpoint.newest = participation.n;
            self.follow(participation, participation.since - 1);
        }
        Ok(())
    }

    /// Follows a participation from what follows `version`, unless that was all of it.
    fn follow(&mut self, participation: Participation, version: u32) {
        if participation.until.is_none_or(|until| version < until) {
            self.checkpoint.versions.insert(participation.n, version);
            let followed = Followed::new(participation, version);
            match participation.until {
                None => self.go_on(followed),
                Some(_) => self.missed.push_back(followed),
            }
        }
    }

    /// Reads some of what was missed.
    fn read_missed(&mut self) {
        while self.reading < READ_AT_ONCE
            && let Some(followed) = self.missed.pop_front()
        {
            self.reading += 1;
            self.go_on(followed);
        }
    }

    fn go_on(&mut self, followed: Followed) {
        self.followed.push(Box::pin(next(followed, self.follower.clone())));
    }

    /// Notes what has happened: moves the checkpoint on, and lets the notices wait.
    fn note(&mut self, followed: Followed, moved: Moved) {
        let n = followed.participation.n;
        let (notices, is_over) = match moved {
            Moved::Told { notices, is_over } => (notices, is_over),
            Moved::Gone | Moved::Complete => (Vec::new(), true),
        };
        let last = notices.len();
        for (nth, (version, notice)) in notices.into_iter().enumerate() {
            match is_over && nth + 1 == last {
                true => self.checkpoint.versions.remove(&n),
                false => self.checkpoint.versions.insert(n, version),
            };
            self.waiting.push_back((self.checkpoint.to_string(), notice));
        }
        if is_over {
            // What has gone without a notice is forgotten with the next one, whatever that is of.
            self.checkpoint.versions.remove(&n);
            self.reading -= usize::from(followed.participation.until.is_some());
        } else {
            self.checkpoint.versions.insert(n, followed.version);
            self.go_on(followed);
        }
    }
}

impl Cursor for AccountCursor {
    /// A notice, and the checkpoint after it.
    type Event = (String, Notice);

    fn is_done(&self) -> bool {
        false
    }

    async fn advance(&mut self) -> Result<Step<(String, Notice)>, ServiceError> {
        if let Some(told) = self.waiting.pop_front() {
            return Ok(Step::Event(told));
        }
        self.read_missed();
        let Some(numbers) = &mut self.numbers else { return Ok(Step::End(End::Complete)) };
        if self.stale {
            self.catch_up().await?;
            return Ok(Step::Pending);
        }
        tokio::select! {
            Some((followed, moved)) = self.followed.next() => self.note(followed, moved?),
            changed = numbers.changed() => match changed {
                Ok(()) => self.stale = *numbers.borrow_and_update() > self.checkpoint.newest,
                Err(_) => return Ok(Step::End(End::Complete)),
            },
        }
        Ok(Step::Pending)
    }
}
