//! Tournaments: what can be done with them, and how they move on. Like a game, a tournament is a log that every
//! replica reads; whoever appends first was first.

pub mod points;
pub mod rounds;
pub mod standings;

use std::fmt::Display;
use std::sync::{Arc, PoisonError, RwLock};

use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::Refusal;
use cardroom_core::table::Actor;
use cardroom_core::tournament::{Book, Command, Person, Row, Setup, Step, Tournament, TournamentEntry};
use jiff::Timestamp;
use moka::future::Cache;
use tokio::sync::{Mutex, MutexGuard, watch};
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use crate::games::error::PlayError;
use crate::games::service::GameService;
use crate::store::append::{Append, AppendOutcome, Claim};
use crate::store::database::StoreError;
use crate::store::games::DealtGame;
use crate::store::quotas::Of;
use crate::store::tournaments::{ListedTournament, NewTournament, Turn};
use crate::streams::followers::LOOK;

/// How many tournaments are kept in memory.
const REMEMBERED: u64 = 256;
/// More entries than a log can have.
const ALL: i64 = i32::MAX as i64;

/// What a request can do with tournaments.
#[derive(Clone)]
pub struct Tournaments {
    pub(crate) games: GameService,
    cache: Cache<Uuid, Arc<CachedTournament>>,
}

/// A tournament's place in memory.
pub(crate) struct CachedTournament {
    /// The newest that is known here. It only ever moves on.
    tournament: RwLock<Arc<Tournament>>,
    /// What has been played, as far as it was read; and the standings that were made of it.
    book: Mutex<Kept>,
    turn: Mutex<()>,
    /// The newest version that is known here, for those who wait for another.
    version: watch::Sender<u32>,
    /// When the log was last looked at on behalf of those who wait.
    looked: Mutex<Instant>,
}

#[derive(Default)]
pub(crate) struct Kept {
    pub book: Book,
    /// How often the rows had been written anew when the first was read.
    recounted: i32,
    /// How many rows the book has taken.
    pub rows: usize,
    /// The standings at a version of the log and after so many rows.
    pub standings: Option<(Stand, Arc<Vec<Row>>)>,
}

/// A version of a log, and how many rows have been played.
pub(crate) type Stand = (u32, usize);

/// A change that is durable.
pub struct Changed {
    /// The tournament after it.
    pub tournament: Arc<Tournament>,
    /// It had been done before, under the same key.
    pub replayed: bool,
}

/// The idempotency key, and the digest of the request.
pub type Key = Option<(String, [u8; 32])>;

impl CachedTournament {
    fn tournament(&self) -> Arc<Tournament> {
        self.tournament.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for the right to change the tournament on this replica.
    pub async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    pub fn advance(&self, tournament: Tournament) -> Arc<Tournament> {
        let tournament = Arc::new(tournament);
        let mut current = self.tournament.write().unwrap_or_else(PoisonError::into_inner);
        if current.version < tournament.version {
            *current = tournament.clone();
            self.version.send_replace(tournament.version);
        }
        tournament
    }

    /// Waits a little for a version after `known`; none if there was none.
    pub async fn newest(&self, known: u32) -> Option<u32> {
        let mut versions = self.version.subscribe();
        let newer = timeout(LOOK, versions.wait_for(|version| *version > known)).await;
        newer.ok()?.ok().map(|version| *version)
    }
}

impl Tournaments {
    pub fn new(games: GameService) -> Tournaments {
        Tournaments { games, cache: Cache::new(REMEMBERED) }
    }

    /// Makes a tournament.
    ///
    /// # Errors
    /// `too_many_games`; [`PlayError::KeyReused`].
    pub async fn create(&self, actor: &Actor, setup: Setup, key: Key) -> Result<Changed, PlayError> {
        if let Some(changed) = self.created_before(actor, &key).await? {
            return Ok(changed);
        }
        let (now, database) = (self.games.uptime.now().at, &self.games.database);
        let (id, seed) = (self.games.entropy.id(now), Seed::new(self.games.entropy.bytes()));
        let new = NewTournament {
            server_seed: *seed.bytes(),
            name: setup.name.clone(),
            kind: setup.kind.clone(),
            created_by: actor.account,
            created_at: now,
            quota: self.games.quota(Of::Account(actor.account)),
        };
        let step = Tournament::create(id, seed, &person(actor), setup, now);
        match database.make_tournament(new, turn(&step, claim(actor, &key), Vec::new())).await {
            Ok(()) => Ok(Changed { tournament: Arc::new(step.tournament), replayed: false }),
            // Somebody with the same key was quicker.
            Err(StoreError::Constraint(name)) if name == "tournaments_idempotency" => {
                self.created_before(actor, &key).await?.ok_or(PlayError::KeyReused)
            }
            Err(error) => Err(self.games.over_quota(error)),
        }
    }

    /// Does what somebody wants of a tournament, or refuses it and changes nothing.
    ///
    /// # Errors
    /// [`PlayError`], judged by the newest state of the log.
    pub async fn command(
        &self,
        id: Uuid,
        actor: &Actor,
        command: &Command,
        key: Key,
    ) -> Result<Changed, PlayError> {
        let cached = self.cached(id).await?;
        // Changes of one tournament wait here for each other, instead of racing in the database.
        let _turn = cached.turn().await;
        loop {
            let tournament = self.catch_up(&cached).await?;
            let judged = tournament.decide(&person(actor), command, self.now()).map_err(refused);
            let admitted =
                judged.and_then(|step| self.admit(actor, &tournament, command, self.now()).map(|()| step));
            let step = match admitted {
                Ok(step) => step,
                Err(refusal) => match self.done_before(id, actor, &key).await? {
                    Some(changed) => return Ok(changed),
                    None => return Err(refusal),
                },
            };
            if step.entries.is_empty() {
                return Ok(Changed { tournament, replayed: false });
            }
            let turn = turn(&step, claim(actor, &key), Vec::new());
            if self.games.database.append_tournament(turn).await? == AppendOutcome::Done {
                let tournament = cached.advance(step.tournament);
                return Ok(Changed { tournament, replayed: false });
            }
            // The log has moved on, or the key is in the way.
            if let Some(changed) = self.done_before(id, actor, &key).await? {
                return Ok(changed);
            }
        }
    }

    /// A tournament as it is now.
    ///
    /// # Errors
    /// `tournament_not_found`.
    pub async fn look(&self, id: Uuid) -> Result<Arc<Tournament>, PlayError> {
        let cached = self.cached(id).await?;
        self.catch_up(&cached).await
    }

    /// The entries of a tournament's log after `after`, at most `limit`, as they are stored.
    ///
    /// # Errors
    /// `tournament_not_found`.
    pub async fn log(&self, id: Uuid, after: u32, limit: i64) -> Result<Vec<String>, PlayError> {
        self.cached(id).await?;
        Ok(self.games.database.tournament_entries(id, after, limit).await?)
    }

    /// A page of the list, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn list(
        &self,
        filter: (Option<&str>, Option<&str>),
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<ListedTournament>, PlayError> {
        Ok(self.games.database.list_tournaments(filter, before, limit).await?)
    }

    fn now(&self) -> Timestamp {
        self.games.uptime.now().at
    }

    /// What has been played by now.
    pub(crate) async fn book<'p>(
        &self,
        cached: &'p CachedTournament,
        tournament: &Tournament,
    ) -> Result<MutexGuard<'p, Kept>, PlayError> {
        let mut kept = cached.book.lock().await;
        // Read before the rows: a book of rows that are older than its number is read again.
        let recounted = self.games.database.recounted(tournament.id).await?;
        if kept.recounted != recounted {
            *kept = Kept { recounted, ..Kept::default() };
        }
        let tables = tournament.rounds().iter().flat_map(|round| &round.tables);
        let running = tables.filter(|table| !kept.book.has_ended(table.game));
        let known: Vec<_> = running.map(|table| (table.game, kept.book.seq_of(table.game))).collect();
        if !known.is_empty() {
            for row in self.games.database.hands_after(tournament.id, &known).await? {
                kept.rows += usize::from(kept.book.take(points::played(row)?));
            }
        }
        Ok(kept)
    }

    pub(crate) async fn cached(&self, id: Uuid) -> Result<Arc<CachedTournament>, PlayError> {
        let cached = self.cache.try_get_with(id, async {
            let tournament = self.replay(id, ALL).await?;
            let version = tournament.version;
            Ok(Arc::new(CachedTournament {
                tournament: RwLock::new(Arc::new(tournament)),
                book: Mutex::default(),
                turn: Mutex::default(),
                version: watch::Sender::new(version),
                looked: Mutex::new(Instant::now()),
            }))
        });
        cached.await.map_err(|error: Arc<PlayError>| error.again())
    }

    pub(crate) async fn catch_up(&self, cached: &CachedTournament) -> Result<Arc<Tournament>, PlayError> {
        let known = cached.tournament();
        let newer = self.entries(known.id, known.version, ALL).await?;
        if newer.is_empty() {
            return Ok(known);
        }
        let mut tournament = Tournament::clone(&known);
        for entry in newer {
            tournament.evolve(&entry).map_err(|fault| broken(known.id, &fault))?;
        }
        Ok(cached.advance(tournament))
    }

    /// Looks for what other replicas have appended, unless somebody has just done so.
    pub(crate) async fn refresh(&self, cached: &CachedTournament) -> Result<(), PlayError> {
        let Ok(mut looked) = cached.looked.try_lock() else { return Ok(()) };
        if looked.elapsed() >= LOOK {
            *looked = Instant::now();
            self.catch_up(cached).await?;
        }
        Ok(())
    }

    pub(crate) async fn replay(&self, id: Uuid, version: i64) -> Result<Tournament, PlayError> {
        let (seed, entries) = (self.seed(id).await?, self.entries(id, 0, version).await?);
        Tournament::replay(id, seed, entries).map_err(|fault| broken(id, &fault))
    }

    /// The tournament as it was at a time; none where it had not been made yet.
    pub(crate) async fn replay_until(
        &self,
        id: Uuid,
        at: Timestamp,
    ) -> Result<Option<Tournament>, PlayError> {
        let (seed, entries) = (self.seed(id).await?, self.entries(id, 0, ALL).await?);
        let entries: Vec<_> = entries.into_iter().take_while(|entry| entry.at.0 <= at).collect();
        if entries.is_empty() {
            return Ok(None);
        }
        Tournament::replay(id, seed, entries).map(Some).map_err(|fault| broken(id, &fault))
    }

    async fn seed(&self, id: Uuid) -> Result<Seed, PlayError> {
        Ok(Seed::new(self.games.database.tournament_seed(id).await?.ok_or_else(not_found)?))
    }

    async fn entries(&self, id: Uuid, after: u32, limit: i64) -> Result<Vec<TournamentEntry>, PlayError> {
        let texts = self.games.database.tournament_entries(id, after, limit).await?;
        let parse = |text: &String| TournamentEntry::parse(text).map_err(|error| broken(id, &error));
        texts.iter().map(parse).collect()
    }

    /// The first answer to a request that has been done under this key.
    async fn done_before(&self, id: Uuid, actor: &Actor, key: &Key) -> Result<Option<Changed>, PlayError> {
        let Some((key, request)) = key else { return Ok(None) };
        let claimed = self.games.database.tournament_claimed(id, actor.account, key).await?;
        let Some(claimed) = claimed else { return Ok(None) };
        if !claimed.is_for(request) {
            return Err(PlayError::KeyReused);
        }
        let tournament = Arc::new(self.replay(id, i64::from(claimed.answer())).await?);
        Ok(Some(Changed { tournament, replayed: true }))
    }

    async fn created_before(&self, actor: &Actor, key: &Key) -> Result<Option<Changed>, PlayError> {
        let Some((name, _)) = key else { return Ok(None) };
        match self.games.database.tournament_made(actor.account, name).await? {
            Some(id) => self.done_before(id, actor, key).await,
            None => Ok(None),
        }
    }
}

fn claim(actor: &Actor, key: &Key) -> Option<Claim> {
    key.clone().map(|(key, request)| Claim { caller: actor.account, key, request })
}

/// What is written of a step.
pub(crate) fn turn(step: &Step, claim: Option<Claim>, games: Vec<(DealtGame, Append)>) -> Turn {
    let tournament = &step.tournament;
    Turn {
        tournament_id: tournament.id,
        first: step.entries[0].0.seq,
        entries: step.entries.iter().map(|(_, text)| text.clone()).collect(),
        accounts: step.entries.iter().filter_map(|(entry, _)| entry.account()).collect(),
        claim,
        status: tournament.status().as_str(),
        entrants: tournament.entered() as u32,
        round: tournament.rounds().len() as u16,
        games,
    }
}

fn person(actor: &Actor) -> Person {
    Person { account: actor.account, username: actor.username.clone(), admin: actor.admin }
}

pub(crate) fn refused(refusal: Refusal) -> PlayError {
    PlayError::Refused { refusal, table: None }
}

pub(crate) fn not_found() -> PlayError {
    refused(Refusal::new("tournament_not_found", "there is no such tournament"))
}

pub(crate) fn broken(id: Uuid, fault: &impl Display) -> PlayError {
    StoreError::Broken(format!("tournament {id}: {fault}")).into()
}
