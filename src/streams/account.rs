//! The cursor of an account: all that concerns it, over all its games and tournaments.

use std::collections::VecDeque;
use std::sync::Arc;

use cardroom_core::log::entry::Time;
use cardroom_core::notice::{GameReference, Notice, RematchOffered, notice_id};
use cardroom_core::table::Actor;
use cardroom_core::table::entry_update::EntryUpdate;
use cardroom_core::tournament::TournamentEntry;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::sync::watch;
use uuid::Uuid;

use crate::games::lists::GameRow;
use crate::runtime::error::ServiceError;
use crate::store::lists::Filter;
use crate::store::participations::{Participation, Topic};
use crate::streams::checkpoint::Checkpoint;
use crate::streams::cursor::{Cursor, End, Step};
use crate::streams::delayed::DelayedGameCursor;
use crate::streams::game::{GameCursor, Seen};
use crate::streams::tournament::{News, TournamentCursor};
use crate::tournaments::log::broken;
use crate::tournaments::service::Tournaments;

/// How many participations that are over by now a client may have missed. A client that is further behind begins anew.
const MOST_MISSED: usize = 500;
/// How many of these are read at once.
const READ_AT_ONCE: usize = 4;
/// More running games than an account can have.
const ALL: i64 = i32::MAX as i64;

/// The cursor of an account.
pub struct AccountCursor {
    tournaments: Tournaments,
    actor: Actor,
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

/// A participation that is followed.
struct Followed {
    participation: Participation,
    /// The log was read up to this version.
    version: u32,
    /// None before the log is opened.
    cursor: Option<LogCursor>,
}

/// The cursor of a participation's log.
enum LogCursor {
    Game(GameCursor),
    Delayed(DelayedGameCursor),
    Tournament(TournamentCursor),
}

/// What has happened in a participation.
enum Moved {
    Game(Vec<Arc<EntryUpdate>>),
    Tournament(Box<News>),
    /// The account is invited.
    Invited(Box<Notice>),
    /// The account cannot see the log any more, or nobody can read it.
    Gone,
    /// All of the log was told, or all streams are closed.
    Complete,
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
            tournaments: self.clone(),
            actor,
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
    /// How far the account was told.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// Follows everything that runs, from now on. Returns the games.
    async fn begin(&mut self) -> Result<Vec<GameRow>, ServiceError> {
        let (games, account) = (&self.tournaments.games, self.actor.account);
        let running = games.database.participations(account, None, &[]).await?;
        let filter = Filter { is_running: true, ..Filter::default() };
        let mut rows = games.games_of(&self.actor, &filter, None, None, ALL).await?;
        rows.retain(|(n, _)| n.unsigned_abs() <= self.checkpoint.newest);
        let newest = self.checkpoint.newest;
        for participation in running.into_iter().filter(|found| found.n <= newest) {
            let version = match participation.topic {
                Topic::Tournament(id) => Some(self.tournaments.look(id).await?.version),
                Topic::Game(_) => {
                    let row = rows.iter().find(|(n, _)| n.unsigned_abs() == participation.n);
                    row.and_then(|(_, row)| Some(row.position.as_ref()?.version))
                }
            };
            // A game that has ended meanwhile, or that cannot be read, has no position.
            if let Some(version) = version {
                self.follow(participation, version);
            }
        }
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }

    /// Follows what ran at the checkpoint, and everything newer.
    async fn resume(&mut self, after: Checkpoint) -> Result<(), ServiceError> {
        let listed: Vec<u32> = after.versions.keys().copied().collect();
        let database = &self.tournaments.games.database;
        let found = database.participations(self.actor.account, Some(after.newest), &listed).await?;
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
        let database = &self.tournaments.games.database;
        let newer = database.participations(self.actor.account, Some(self.checkpoint.newest), &[]).await?;
        for participation in newer {
            self.checkpoint.newest = participation.n;
            self.follow(participation, participation.since - 1);
        }
        self.stale = false;
        Ok(())
    }

    /// Follows a participation from what follows `version`, unless that was all of it.
    fn follow(&mut self, participation: Participation, version: u32) {
        if participation.until.is_none_or(|until| version < until) {
            self.checkpoint.versions.insert(participation.n, version);
            let followed = Followed { participation, version, cursor: None };
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
        self.followed.push(Box::pin(next(followed, self.tournaments.clone(), self.actor.clone())));
    }

    /// Notes what has happened, and what is to be told of it.
    fn note(&mut self, mut followed: Followed, moved: Moved) -> Result<(), ServiceError> {
        let mut is_over = false;
        let was_missed = followed.participation.until.is_some();
        match moved {
            Moved::Game(updates) => {
                for update in updates {
                    let table = &update.table;
                    followed.version = table.version;
                    let account = self.actor.account;
                    let has_left = update.left() == Some(account) && table.creator() != account;
                    is_over = table.is_over() || has_left || followed.has_ended();
                    self.tell(&followed, is_over, update.notice(account));
                    if is_over {
                        break;
                    }
                }
            }
            Moved::Tournament(news) => {
                let News { entry, tournament } = *news;
                let entry = TournamentEntry::parse(&entry).map_err(|error| broken(tournament.id, &error))?;
                followed.version = tournament.version;
                is_over = tournament.is_over() || followed.has_ended();
                let notice = tournament.notice(&entry, self.actor.account);
                self.tell(&followed, is_over, notice);
            }
            Moved::Invited(notice) => {
                is_over = true;
                self.tell(&followed, is_over, Some(*notice));
            }
            Moved::Gone => {
                is_over = true;
                self.tell(&followed, is_over, None);
            }
            Moved::Complete => is_over = true,
        }
        match is_over {
            true => self.reading -= usize::from(was_missed),
            false => self.go_on(followed),
        }
        Ok(())
    }

    /// Moves the checkpoint on, and lets the notice wait.
    fn tell(&mut self, followed: &Followed, is_over: bool, notice: Option<Notice>) {
        let n = followed.participation.n;
        match is_over {
            true => self.checkpoint.versions.remove(&n),
            false => self.checkpoint.versions.insert(n, followed.version),
        };
        self.waiting.extend(notice.map(|notice| (self.checkpoint.to_string(), notice)));
    }
}

impl Cursor for AccountCursor {
    /// A notice, and the checkpoint after it.
    type Event = (String, Notice);

    fn is_done(&self) -> bool {
        self.numbers.is_none()
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
            Some((followed, moved)) = self.followed.next() => self.note(followed, moved?)?,
            changed = numbers.changed() => match changed {
                Ok(()) => self.stale = *numbers.borrow_and_update() > self.checkpoint.newest,
                Err(_) => return Ok(Step::End(End::Complete)),
            },
        }
        Ok(Step::Pending)
    }
}

impl Followed {
    /// Whether the participation has ended by this version.
    fn has_ended(&self) -> bool {
        self.participation.until.is_some_and(|until| self.version >= until)
    }
}

impl LogCursor {
    async fn advance(&mut self) -> Result<Step<Moved>, ServiceError> {
        Ok(match self {
            LogCursor::Game(cursor) => cursor.advance().await?.map(|seen| match seen {
                Seen::Update(update) => Moved::Game(vec![update]),
                Seen::UpdateBatch(batch) => Moved::Game(batch.updates.clone()),
            }),
            LogCursor::Delayed(cursor) => cursor.advance().await?.map(|update| Moved::Game(vec![update])),
            LogCursor::Tournament(cursor) => {
                cursor.advance().await?.map(|news| Moved::Tournament(Box::new(news)))
            }
        })
    }
}

/// Opens a participation's log, at what follows `version`.
async fn open(
    topic: Topic,
    version: u32,
    tournaments: &Tournaments,
    actor: &Actor,
) -> Result<LogCursor, ServiceError> {
    let (viewer, after) = (Some(actor.clone()), Some(version));
    let id = match topic {
        Topic::Game(id) => id,
        Topic::Tournament(id) => {
            return Ok(LogCursor::Tournament(tournaments.follow(id, viewer, after).await?.1));
        }
    };
    let games = &tournaments.games;
    if let Some((_, cursor)) = games.watch_delayed(id, viewer.clone(), after).await? {
        return Ok(LogCursor::Delayed(cursor));
    }
    Ok(LogCursor::Game(games.watch(id, viewer, after).await?.1))
}

/// Waits for what happens next in a participation.
async fn next(
    mut followed: Followed,
    tournaments: Tournaments,
    actor: Actor,
) -> (Followed, Result<Moved, ServiceError>) {
    let moved = match move_on(&mut followed, &tournaments, &actor).await {
        Err(ServiceError::NotFound) => Ok(Moved::Gone),
        // What nobody can read does not keep the account from the rest.
        Err(error @ ServiceError::Fault(..)) => {
            tracing::error!(%error, "a game that an account follows cannot be read");
            Ok(Moved::Gone)
        }
        moved => moved,
    };
    (followed, moved)
}

async fn move_on(
    followed: &mut Followed,
    tournaments: &Tournaments,
    actor: &Actor,
) -> Result<Moved, ServiceError> {
    if let Participation { is_invited: true, topic: Topic::Game(id), .. } = followed.participation {
        return invitation(tournaments, id).await;
    }
    loop {
        let cursor = match &mut followed.cursor {
            Some(cursor) => cursor,
            closed => {
                closed.insert(open(followed.participation.topic, followed.version, tournaments, actor).await?)
            }
        };
        match cursor.advance().await? {
            Step::Event(moved) => return Ok(moved),
            Step::Pending => {}
            Step::End(End::Complete) => return Ok(Moved::Complete),
            // The end of a table is shown later where other tables are dealt the same.
            Step::End(End::Hidden | End::Behind) => followed.cursor = None,
        }
    }
}

/// What the account is told that may play a game again.
async fn invitation(tournaments: &Tournaments, id: Uuid) -> Result<Moved, ServiceError> {
    let table = tournaments.games.runtime.look(id).await?;
    let Some(rematch_of) = tournaments.games.database.played_before(id).await? else {
        return Ok(Moved::Gone);
    };
    let (id, at) = (notice_id(table.id, 1), Time(table.created_at()));
    let game = GameReference { id: table.id, kind: table.kind(), version: 1 };
    let offered = RematchOffered { id, at, game, rematch_of };
    Ok(Moved::Invited(Box::new(Notice::RematchOffered(offered))))
}
