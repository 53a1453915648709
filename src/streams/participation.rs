//! What happens in a participation, read from its log: a game's or a tournament's.

use std::sync::Arc;

use cardroom_core::log::entry::Time;
use cardroom_core::notice::{GameReference, Notice, RematchOffered, notice_id};
use cardroom_core::table::Actor;
use cardroom_core::table::entry_update::EntryUpdate;
use cardroom_core::tournament::TournamentEntry;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::games::watch::UpdateBatch;
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::store::participations::{Participation, Topic};
use crate::streams::cursor::{Cursor, End, Step};
use crate::streams::delayed::DelayedGameCursor;
use crate::streams::game::{GameCursor, Seen};
use crate::streams::tournament::{self, TournamentCursor};
use crate::tournaments::log::broken;
use crate::tournaments::service::Tournaments;

/// The account that follows, and the services by which it reads. All that it follows shares them.
pub(super) struct Follower {
    pub tournaments: Tournaments,
    pub actor: Actor,
}

impl Follower {
    fn is_closed(&self) -> bool {
        self.tournaments.games.runtime.store.watch.is_closed()
    }
}

/// A participation that is followed.
pub(super) struct Followed {
    pub participation: Participation,
    /// The log was read up to this version.
    pub version: u32,
    /// None before the log is opened. Boxed, because it is handed on with each step.
    cursor: Option<Box<LogCursor>>,
}

/// The cursor of a participation's log.
enum LogCursor {
    Game(GameCursor),
    Delayed(DelayedGameCursor),
    Tournament(TournamentCursor),
}

/// What has happened in a participation.
pub(super) enum Moved {
    /// What the account is told, each with the version of the log. `is_over`: nothing follows.
    Told { notices: Vec<(u32, Notice)>, is_over: bool },
    /// The account cannot see the log any more, or nobody can read it.
    Gone,
    /// All of the log was told, or all streams are closed.
    Complete,
}

/// What a log brings.
enum News {
    Game(Arc<EntryUpdate>),
    Games(Arc<UpdateBatch>),
    Tournament(Box<tournament::News>),
}

impl Followed {
    /// Follows a participation from what follows `version`.
    pub(super) fn new(participation: Participation, version: u32) -> Followed {
        Followed { participation, version, cursor: None }
    }

    /// Whether the participation has ended by this version.
    fn has_ended(&self) -> bool {
        self.participation.until.is_some_and(|until| self.version >= until)
    }

    /// Notes an entry of a game's log. Whether the participation is over with it.
    fn note_update(&mut self, update: &EntryUpdate, account: Uuid, notices: &mut Vec<(u32, Notice)>) -> bool {
        let table = &update.table;
        self.version = table.version;
        notices.extend(update.notice(account).map(|notice| (table.version, notice)));
        let has_left = update.left() == Some(account) && table.creator() != account;
        table.is_over() || has_left || self.has_ended()
    }

    /// The same for a tournament's.
    fn note_news(
        &mut self,
        news: &tournament::News,
        account: Uuid,
        notices: &mut Vec<(u32, Notice)>,
    ) -> Result<bool, ServiceError> {
        let tournament::News { entry, tournament, .. } = news;
        let entry = TournamentEntry::parse(entry).map_err(|error| broken(tournament.id, &error))?;
        self.version = tournament.version;
        notices.extend(tournament.notice(&entry, account).map(|notice| (tournament.version, notice)));
        // Whoever enters again takes part anew.
        let has_left = tournament.taken_off(&entry) == Some(account);
        Ok(tournament.is_over() || has_left || self.has_ended())
    }

    fn note(&mut self, news: &News, account: Uuid) -> Result<Moved, ServiceError> {
        let mut notices = Vec::new();
        let is_over = match news {
            News::Game(update) => self.note_update(update, account, &mut notices),
            News::Games(batch) => {
                batch.updates.iter().any(|update| self.note_update(update, account, &mut notices))
            }
            News::Tournament(news) => self.note_news(news, account, &mut notices)?,
        };
        Ok(Moved::Told { notices, is_over })
    }
}

impl LogCursor {
    /// Moves on. What may read the database does so on a task of its own.
    async fn advance(self: Box<Self>) -> Result<(Box<LogCursor>, Step<News>), ServiceError> {
        match &*self {
            LogCursor::Game(cursor) if !cursor.is_behind() => self.advance_here().await,
            _ => apart(self.advance_here()).await,
        }
    }

    async fn advance_here(mut self: Box<Self>) -> Result<(Box<LogCursor>, Step<News>), ServiceError> {
        let step = match &mut *self {
            LogCursor::Game(cursor) => cursor.advance().await?.map(|seen| match seen {
                Seen::Update(update) => News::Game(update),
                Seen::UpdateBatch(batch) => News::Games(batch),
            }),
            LogCursor::Delayed(cursor) => cursor.advance().await?.map(News::Game),
            LogCursor::Tournament(cursor) => {
                cursor.advance().await?.map(|news| News::Tournament(Box::new(news)))
            }
        };
        Ok((self, step))
    }
}

/// Works on a task of its own. A client that reads nothing keeps its stream from being polled; the work must go on, or
/// it would keep a connection to the database for as long.
async fn apart<T: Send + 'static>(
    work: impl Future<Output = Result<T, ServiceError>> + Send + 'static,
) -> Result<T, ServiceError> {
    // The task is aborted when the set is dropped.
    let mut tasks = JoinSet::new();
    tasks.spawn(work);
    let done = tasks.join_next().await.expect("the set has one task");
    done.map_err(|error| StoreError::Broken(error.to_string()))?
}

/// Opens a participation's log, at what follows `version`.
async fn open(
    Participation { n, topic, .. }: Participation,
    version: u32,
    follower: Arc<Follower>,
) -> Result<LogCursor, ServiceError> {
    let (tournaments, actor) = (&follower.tournaments, follower.actor.clone());
    let _permit = tournaments.openings.acquire().await;
    let id = match topic {
        Topic::Game(id) => id,
        Topic::Tournament(id) => {
            return Ok(LogCursor::Tournament(tournaments.follow(id, Some(actor), Some(version)).await?.1));
        }
    };
    let games = &tournaments.games;
    let until = match games.watch_delayed(id, Some(actor.clone()), Some(version)).await {
        Ok(Some((_, cursor))) => return Ok(LogCursor::Delayed(cursor)),
        // The account may have lost its seat at a private game a moment ago, and is to be told that.
        Err(ServiceError::NotFound) => {
            let newest = games.database.participations_after(actor.account, n - 1, &[], 1).await?;
            newest.first().filter(|found| found.n == n).and_then(|found| found.until)
        }
        delayed => delayed.map(|_| None)?,
    };
    Ok(LogCursor::Game(games.watch_for(id, actor, version, until).await?))
}

/// Waits for what is to be told next of a participation, or for its end.
pub(super) async fn next(
    mut followed: Followed,
    follower: Arc<Follower>,
) -> (Followed, Result<Moved, ServiceError>) {
    let moved = match move_on(&mut followed, &follower).await {
        Err(ServiceError::NotFound) => Ok(Moved::Gone),
        // What nobody can read does not keep the account from the rest.
        Err(error) if error.is_of_one_log_for_good() => {
            tracing::error!(%error, "a log that an account follows cannot be read");
            Ok(Moved::Gone)
        }
        moved => moved,
    };
    (followed, moved)
}

async fn move_on(followed: &mut Followed, follower: &Arc<Follower>) -> Result<Moved, ServiceError> {
    let participation = followed.participation;
    let Participation { is_invited, topic, .. } = participation;
    if is_invited && let Topic::Game(id) = topic {
        return apart(invitation(follower.tournaments.clone(), id)).await;
    }
    loop {
        let cursor = match followed.cursor.take() {
            Some(cursor) => cursor,
            None => Box::new(apart(open(participation, followed.version, follower.clone())).await?),
        };
        let (cursor, step) = cursor.advance().await?;
        match step {
            Step::Event(news) => {
                followed.cursor = Some(cursor);
                match followed.note(&news, follower.actor.account)? {
                    // Most moves are told to nobody but the next player.
                    Moved::Told { notices, is_over: false } if notices.is_empty() => {}
                    told => return Ok(told),
                }
            }
            Step::Pending => followed.cursor = Some(cursor),
            // A replica that stops ends all streams: that says nothing of the game.
            Step::End(End::Complete) if follower.is_closed() => return std::future::pending().await,
            Step::End(End::Complete) => return Ok(Moved::Complete),
            // The end of a table is shown later where other tables are dealt the same.
            Step::End(End::Hidden | End::Behind) => {}
        }
    }
}

/// What the account is told that may play a game again.
async fn invitation(tournaments: Tournaments, id: Uuid) -> Result<Moved, ServiceError> {
    let table = tournaments.games.runtime.look(id).await?;
    let Some(rematch_of) = tournaments.games.database.played_before(id).await? else {
        return Ok(Moved::Gone);
    };
    let (id, at) = (notice_id(table.id, 1), Time(table.created_at()));
    let game = GameReference { id: table.id, kind: table.kind(), version: 1 };
    let offered = Notice::RematchOffered(RematchOffered { id, at, game, rematch_of });
    Ok(Moved::Told { notices: vec![(1, offered)], is_over: true })
}
