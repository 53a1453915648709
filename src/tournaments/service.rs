//! The tournament service: every command on a tournament, and every look at one.

use std::net::IpAddr;
use std::sync::Arc;

use cardroom_core::log::fairness::Seed;
use cardroom_core::table::Actor;
use cardroom_core::tournament::{Command, Details, NewEntrant, Person, Setup, Tournament};
use jiff::Timestamp;
use moka::policy::EvictionPolicy;
use tokio::sync::{MutexGuard, Semaphore};
use tokio::time::{Duration, Instant, timeout};
use uuid::Uuid;

use crate::accounts::is_guest;
use crate::games::hand_results::awarded;
use crate::games::quotas::is_no_guest;
use crate::games::service::GameService;
use crate::runtime::error::ServiceError;
use crate::runtime::{Cached, Executed, Key, Request, Runtime};
use crate::store::error::StoreError;
use crate::store::quotas::Of;
use crate::store::status::Status;
use crate::store::tournaments::{ListedTournament, NewTournament};
use crate::tournaments::log::{DealtStep, IN_MEMORY, Kept, TournamentLog, claim, tournament_append};
use crate::tournaments::rotation::Rotation;

/// How long a tournament is in memory before it is loaded anew, and weighed again: it may have grown.
const KEPT: Duration = Duration::from_hours(1);
/// How many logs are opened for accounts' streams at once.
const OPENED_AT_ONCE: usize = 4;
/// How often the log is looked at for what other replicas have appended, on behalf of all followers on this replica.
const LOOK: Duration = Duration::from_secs(1);

/// Runs commands on tournaments, and shows them.
#[derive(Clone)]
pub struct Tournaments {
    pub(crate) games: GameService,
    pub(crate) runtime: Runtime<TournamentLog>,
    /// How many logs may be opened for accounts' streams at once. Those of one account would take all connections of
    /// the pool otherwise.
    pub(crate) openings: Arc<Semaphore>,
    pub(crate) turns: Arc<Turns>,
}

/// Whose turn it is among what the scheduler sees to.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    pub resting: Rotation,
    pub arenas: Rotation,
    pub stranded: Rotation,
    pub clocks: Rotation,
}

/// A change that is durable.
pub struct Changed {
    /// The tournament after it.
    pub tournament: Arc<Tournament>,
    /// See [`Tournaments::shows_seed`].
    pub shows_seed: bool,
    /// It had been done before, under the same key.
    pub replayed: bool,
}

impl Tournaments {
    pub fn new(games: GameService) -> Tournaments {
        let log = TournamentLog {
            database: games.database.clone(),
            quotas: games.quotas.clone(),
            watch: games.runtime.store.watch.clone(),
        };
        let openings = Arc::new(Semaphore::new(OPENED_AT_ONCE));
        // A large tournament comes in, too, though it pushes many small ones out.
        let runtime = Runtime::new(log, IN_MEMORY, KEPT, EvictionPolicy::lru());
        Tournaments { games, runtime, openings, turns: Arc::default() }
    }

    /// Creates a tournament.
    ///
    /// # Errors
    /// `too_many_games`; [`ServiceError::KeyReused`].
    pub async fn create(
        &self,
        actor: &Actor,
        (setup, details): (Setup, Details),
        key: Key,
    ) -> Result<Changed, ServiceError> {
        if let Some(done) = self.runtime.created(actor, &key).await? {
            return self.changed(Executed::Done(done)).await;
        }
        let (now, database) = (self.now(), &self.games.database);
        let (id, seed) = (self.games.entropy.id(now), Seed::new(self.games.entropy.bytes()));
        let new = NewTournament {
            server_seed: *seed.bytes(),
            name: setup.name.clone(),
            kind: setup.kind.clone(),
            created_by: actor.account,
            created_at: now,
            quota: self.games.quotas.quota(Of::Account(actor.account)),
        };
        let step = Tournament::create(id, seed, &person(actor), (setup, details), now);
        match database
            .make_tournament(
                new,
                tournament_append(&step, claim(actor, &key), Vec::new(), self.games.quotas.participations()),
            )
            .await
        {
            Ok(()) => {
                self.runtime.store.watch.participating([actor.account]);
                Ok(Changed { tournament: Arc::new(step.tournament), shows_seed: false, replayed: false })
            }
            // Another request with the same key was quicker.
            Err(StoreError::Constraint(name)) if name == "tournaments_idempotency" => {
                let done = self.runtime.created(actor, &key).await?;
                self.changed(Executed::Done(done.ok_or(ServiceError::KeyReused)?)).await
            }
            Err(error) => Err(self.games.quotas.exceeded(error)),
        }
    }

    /// Runs the actor's command on a tournament, or refuses it and changes nothing.
    ///
    /// # Errors
    /// [`ServiceError`], judged by the newest state of the log.
    pub async fn command(
        &self,
        id: Uuid,
        actor: &Actor,
        command: &Command,
        key: Key,
    ) -> Result<Changed, ServiceError> {
        let request = Request { caller: Some(actor), key: &key, memory_only: false };
        let executed = self.runtime.execute(id, request, |tournament| {
            let now = self.now();
            let step = tournament.decide(&person(actor), command, now).map_err(ServiceError::refused)?;
            self.admit(actor, tournament, command, now)?;
            if step.entries.is_empty() {
                return Ok(None);
            }
            let games = self.dealt_with(&step, now)?;
            Ok(Some(DealtStep { step, games }))
        });
        self.changed(executed.await?).await
    }

    async fn changed(&self, executed: Executed<TournamentLog>) -> Result<Changed, ServiceError> {
        let (tournament, replayed) = match executed {
            Executed::Done(done) => (done.state, done.replayed),
            Executed::Unchanged(tournament) => (tournament, false),
        };
        let shows_seed = self.shows_seed(&tournament).await?;
        Ok(Changed { tournament, shows_seed, replayed })
    }

    /// Judges commands that let bots play at tables without a person: a guest may not enter a bot, and a tournament
    /// with bots does not start while the budget of the account that created it is used up. Neither holds for admins.
    fn admit(
        &self,
        actor: &Actor,
        tournament: &Tournament,
        command: &Command,
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        match command {
            _ if actor.admin => Ok(()),
            Command::EnterBot { .. } => is_no_guest(actor),
            Command::EnterMany(rows) if rows.iter().any(NewEntrant::is_bot) => is_no_guest(actor),
            Command::Start if tournament.entrants().iter().any(|listed| listed.entrant.is_bot()) => {
                self.games.quotas.admit_tournament(actor, tournament.owner().account, now)
            }
            _ => Ok(()),
        }
    }

    /// Notes which network an account's requests come from: play by bots alone is charged to that network, too.
    pub fn note_network(&self, actor: &Actor, network: IpAddr) {
        self.games.quotas.note_network(actor, network);
    }

    /// The player's rating of all time in the tournament's kind, if the conditions of entry ask for it.
    ///
    /// # Errors
    /// `tournament_not_found`.
    pub async fn rating_for(&self, id: Uuid, actor: &Actor) -> Result<Option<f64>, ServiceError> {
        let tournament = self.look(id).await?;
        if !tournament.setup().conditions.asks_for_rating() {
            return Ok(None);
        }
        let ratings = self.games.database.ratings_of(actor.account).await?;
        Ok(ratings.iter().find(|row| row.kind == tournament.setup().kind).map(|row| row.rating))
    }

    /// A tournament as it is now.
    ///
    /// # Errors
    /// `tournament_not_found`.
    pub async fn look(&self, id: Uuid) -> Result<Arc<Tournament>, ServiceError> {
        self.runtime.look(id).await
    }

    /// The entries of a tournament's log after `after`, at most `limit`, as they are stored.
    ///
    /// # Errors
    /// `tournament_not_found`.
    pub async fn log(&self, id: Uuid, after: u32, limit: i64) -> Result<Vec<String>, ServiceError> {
        self.runtime.cached(id).await?;
        Ok(self.games.database.tournament_entries(id, after, limit).await?)
    }

    /// The newest entries of a tournament's log that are news to readers, the newest first, at most `limit`.
    ///
    /// # Errors
    /// `tournament_not_found`.
    pub async fn news(&self, id: Uuid, limit: i64) -> Result<Vec<String>, ServiceError> {
        self.runtime.cached(id).await?;
        Ok(self.games.database.tournament_news(id, limit).await?)
    }

    /// A page of the list, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn list(
        &self,
        filter: (Option<Status>, Option<&str>),
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<ListedTournament>, ServiceError> {
        Ok(self.games.database.list_tournaments(filter, before, limit).await?)
    }

    /// A page of the tournaments that an account organises or has entered; see [`Database::tournaments_of`].
    ///
    /// [`Database::tournaments_of`]: crate::store::database::Database::tournaments_of
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn list_of(
        &self,
        account: Uuid,
        filter: (Option<Status>, Option<&str>),
        before: Option<i32>,
        limit: i64,
    ) -> Result<Vec<(i32, ListedTournament)>, ServiceError> {
        Ok(self.games.database.tournaments_of(account, filter, before, limit).await?)
    }

    /// An id that no game has.
    pub fn fresh_id(&self) -> Uuid {
        self.games.entropy.id(self.now())
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.games.uptime.now().at
    }

    /// What has been played by now.
    pub(crate) async fn game_results<'c>(
        &self,
        cached: &'c Cached<Tournament>,
        tournament: &Tournament,
    ) -> Result<MutexGuard<'c, Kept>, ServiceError> {
        let mut kept = cached.companion.game_results.lock().await;
        // Read before the rows: if the rows are older than the number, they are read again.
        let recounted = self.games.database.recounted(tournament.id).await?;
        if kept.recounted != recounted {
            *kept = Kept { recounted, ..Kept::default() };
        }
        let tables = tournament.rounds().iter().flat_map(|round| &round.tables);
        let running = tables.filter(|table| !kept.game_results.has_ended(table.game));
        let known: Vec<_> = running.map(|table| (table.game, kept.game_results.seq_of(table.game))).collect();
        if !known.is_empty() {
            for row in self.games.database.hands_after(tournament.id, &known).await? {
                let is_new = Arc::make_mut(&mut kept.game_results).take(awarded(row)?);
                kept.rows += usize::from(is_new);
            }
        }
        Ok(kept)
    }

    /// Waits a little for a version after `known`. If none came and the log has not just been looked at, looks for what
    /// other replicas have appended.
    ///
    /// # Errors
    /// [`ServiceError`] where the log cannot be read.
    pub(crate) async fn wait_for_newer(
        &self,
        cached: &Cached<Tournament>,
        known: u32,
    ) -> Result<bool, ServiceError> {
        let mut versions = cached.companion.version.subscribe();
        if timeout(LOOK, versions.wait_for(|version| *version > known)).await.is_ok() {
            return Ok(true);
        }
        let Ok(mut looked) = cached.companion.looked.try_lock() else { return Ok(false) };
        if looked.elapsed() >= LOOK {
            *looked = Instant::now();
            self.runtime.catch_up(cached).await?;
        }
        Ok(false)
    }
}

fn person(actor: &Actor) -> Person {
    Person {
        account: actor.account,
        username: actor.username.clone(),
        admin: actor.admin,
        is_guest: is_guest(actor),
        is_program: actor.is_program,
    }
}
