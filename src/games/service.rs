//! The game service: every command on a game, and every look at one, for people, bots and the clock alike.

use std::sync::Arc;
use std::time::Duration;

use cardroom_core::log::Hex32;
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::Refusal;
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide::{Command, Step};
use cardroom_core::table::{Actor, Table};
use jiff::Timestamp;
use moka::policy::EvictionPolicy;
use uuid::Uuid;

use crate::entropy::Entropy;
use crate::games::bots;
use crate::games::log::{Before, GameLog};
use crate::games::quotas::Quotas;
use crate::games::uptime::{Present, Uptime};
use crate::games::visibility::{SharedViews, is_delayed, shown_until, sits, visible};
use crate::runtime::error::ServiceError;
use crate::runtime::{Done as Executed, Key, Request, Runtime};
use crate::store::append::AppendOutcome;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::game_rows as stored;
use crate::store::join::JoinLock;

/// How long a replica decides by a table in memory before it loads the game anew. A log may leave the database some days
/// after it has ended (see `archive::SETTLED`), and must not be appended to then.
const KEPT: Duration = Duration::from_hours(24);

/// Runs commands on games, and shows them.
#[derive(Clone)]
pub struct GameService {
    pub(crate) database: Database,
    pub(crate) runtime: Runtime<GameLog>,
    pub(crate) uptime: Uptime,
    pub(crate) entropy: Entropy,
    pub(crate) quotas: Quotas,
    /// Held by the player who looks for a table.
    pub(crate) joining: Arc<JoinLock>,
    views: SharedViews,
    queue: u32,
}

/// What a change depends on, and how a repeated request is recognised.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// The game must stand at one of these versions.
    pub if_match: Option<Vec<u32>>,
    /// The idempotency key, and the digest of the request.
    pub key: Key,
    /// The caller is over their limit. Only what is legal by the table in memory is done; nothing is read to refuse the
    /// rest.
    pub over_limit: bool,
}

/// A change that is durable.
pub struct Done {
    /// The game after it.
    pub table: Arc<Table>,
    /// Its own entry.
    pub seq: u32,
    pub hash: Hex32,
    /// It had been done before, under the same key.
    pub replayed: bool,
}

impl From<Executed<GameLog>> for Done {
    fn from(done: Executed<GameLog>) -> Done {
        let Executed { state, receipt: (seq, hash), replayed } = done;
        Done { table: state, seq, hash, replayed }
    }
}

impl GameService {
    /// `cache_bytes`: about how much memory the tables may take. `queue`: how many requests of a kind may wait at a
    /// log.
    pub fn new(
        database: Database,
        uptime: Uptime,
        entropy: Entropy,
        cache_bytes: u64,
        queue: u32,
        quotas: Quotas,
    ) -> GameService {
        let log = GameLog::start(database.clone(), uptime.clone(), quotas.clone(), queue);
        let joining = Arc::new(JoinLock::new(database.clone()));
        let runtime = Runtime::new(log, cache_bytes, KEPT, EvictionPolicy::default());
        GameService {
            runtime,
            database,
            uptime,
            entropy,
            quotas,
            joining,
            views: SharedViews::default(),
            queue,
        }
    }

    /// The same service, whose log's batches run in the caller's own runtime: a move does not leave its thread.
    #[must_use]
    pub fn with_local_log(&self) -> GameService {
        let runtime = self.runtime.with_store(self.runtime.store.local(self.queue));
        GameService { runtime, ..self.clone() }
    }

    /// Creates a game.
    ///
    /// # Errors
    /// `too_many_games`, `account_required` and what [`Table::create`] refuses; [`ServiceError::BudgetUsedUp`];
    /// [`ServiceError::KeyReused`]; [`StoreError::Constraint`] where the game to be repeated is being repeated already.
    pub async fn create(
        &self,
        actor: &Actor,
        new: NewGame,
        key: Key,
        rematch_of: Option<Uuid>,
    ) -> Result<Done, ServiceError> {
        if let Some(done) = self.runtime.created(actor, &key).await? {
            return Ok(done.into());
        }
        let present = self.uptime.now();
        let (id, seed) = (self.entropy.id(present.at), Seed::new(self.entropy.bytes()));
        let row = self.row(actor, &new, &seed, &key, rematch_of, present.at);
        let mut step = Table::create(id, seed, actor, new, present.at).map_err(ServiceError::refused)?;
        self.quotas.admit(actor, &step, present.at)?;
        bots::follow(&mut step, &present, &self.entropy);
        let before = Before::NewGame(Box::new(row));
        match self.runtime.store.append_with(Some(actor), &key, before, &step).await {
            Ok(AppendOutcome::Done) => {
                let hash = step.entries[0].hash;
                let table = self.runtime.put(step.table).await;
                Ok(Done { table, seq: 1, hash, replayed: false })
            }
            // Another request with the same key was quicker.
            Err(StoreError::Constraint(name)) if name == "games_idempotency" => {
                let done = self.runtime.created(actor, &key).await?;
                Ok(done.ok_or(ServiceError::KeyReused)?.into())
            }
            Ok(AppendOutcome::Conflict) => {
                Err(StoreError::Broken(format!("game {id} was there already")).into())
            }
            Err(error) => Err(self.quotas.exceeded(error)),
        }
    }

    /// The row of a game that is created.
    fn row(
        &self,
        actor: &Actor,
        new: &NewGame,
        seed: &Seed,
        key: &Key,
        rematch_of: Option<Uuid>,
        now: Timestamp,
    ) -> stored::NewGame {
        stored::NewGame {
            server_seed: *seed.bytes(),
            kind: new.kind.kind.to_owned(),
            rules_version: new.kind.rules_version.cast_signed(),
            options: new.options.get().to_owned(),
            seats: i16::from(new.seats),
            visibility: new.visibility.as_str(),
            created_by: actor.account,
            created_at: now,
            idempotency_key: key.as_ref().map(|(key, _)| key.clone()),
            turn_seconds: new.pace.turn_seconds.map(u32::cast_signed),
            bank_seconds: new.pace.bank_seconds.cast_signed(),
            is_rated: new.rated,
            rematch_of,
            guest_network: self.quotas.guest_network(actor),
        }
    }

    /// Runs the actor's command on a game, or refuses it and changes nothing.
    ///
    /// # Errors
    /// [`ServiceError`], judged by the newest state of the log.
    pub async fn command(
        &self,
        id: Uuid,
        actor: &Actor,
        command: &Command,
        conditions: &Conditions,
    ) -> Result<Done, ServiceError> {
        self.uptime.catch_up().await?;
        let request =
            Request { caller: Some(actor), key: &conditions.key, memory_only: conditions.over_limit };
        let executed = self.runtime.execute(id, request, |table| {
            let present = self.uptime.now();
            let mut step = judge(table, actor, command, conditions, &present)?;
            self.quotas.admit(actor, &step, present.at)?;
            // The house answers in the same append, so that nothing comes between.
            bots::follow(&mut step, &present, &self.entropy);
            Ok(Some(step))
        });
        match executed.await {
            Ok(executed) => {
                let Done { table, seq, hash, replayed } = executed.done(id)?.into();
                Ok(Done { table: self.visible_to(table, Some(actor)).await?, seq, hash, replayed })
            }
            Err(ServiceError::Refused { refusal, table: Some(table) }) => {
                let refused = |table| ServiceError::Refused { refusal, table: Some(table) };
                self.refuse(table, actor, command, conditions, refused).await
            }
            Err(ServiceError::Stale(table)) => {
                self.refuse(table, actor, command, conditions, ServiceError::Stale).await
            }
            Err(error) => Err(error),
        }
    }

    /// Does something to a tournament's game, on behalf of its organiser. Whether anything was to be done.
    ///
    /// # Errors
    /// [`ServiceError`], judged by the newest state of the log: the house may know all of it.
    pub async fn command_by_house(
        &self,
        id: Uuid,
        organiser: &Actor,
        command: &Command,
    ) -> Result<bool, ServiceError> {
        self.uptime.catch_up().await?;
        let executed = self.runtime.execute(id, Request::HOUSE, |table| {
            let present = self.uptime.now();
            let mut step = table.decide(organiser, command, present.now()).map_err(ServiceError::refused)?;
            bots::follow(&mut step, &present, &self.entropy);
            Ok((!step.entries.is_empty()).then_some(step))
        });
        Ok(matches!(executed.await?, crate::runtime::Executed::Done(_)))
    }

    /// Refuses a command that the newest table refuses. If the actor does not see that table yet, the one that they see
    /// judges instead, because a refusal by the newest one would tell more: for instance that the game has ended.
    async fn refuse(
        &self,
        newest: Arc<Table>,
        actor: &Actor,
        command: &Command,
        conditions: &Conditions,
        refused: impl FnOnce(Arc<Table>) -> ServiceError,
    ) -> Result<Done, ServiceError> {
        let seen = self.visible_to(newest.clone(), Some(actor)).await?;
        if Arc::ptr_eq(&seen, &newest) {
            return Err(refused(newest));
        }
        judge(&seen, actor, command, conditions, &self.uptime.now())?;
        // By what they see it could be done.
        Err(ServiceError::Refused { refusal: Refusal::not_your_turn(), table: Some(seen) })
    }

    /// The game as it is now.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`] where there is none that `viewer` may see.
    pub async fn look(&self, id: Uuid, viewer: Option<&Actor>) -> Result<Arc<Table>, ServiceError> {
        let table = self.runtime.look(id).await?;
        self.visible_to(visible(table, viewer)?, viewer).await
    }

    /// A game that is over, replayed from its whole log and not put into memory: nobody will ask for it again soon.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`].
    pub(crate) async fn replayed(&self, id: Uuid) -> Result<Arc<Table>, ServiceError> {
        Ok(Arc::new(self.runtime.store.replay_all(id).await?))
    }

    /// The game as it was at a version. A viewer who may see the game now may see all its versions.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`], [`ServiceError::NoSuchVersion`].
    pub async fn look_back(
        &self,
        id: Uuid,
        viewer: Option<&Actor>,
        version: u32,
    ) -> Result<Arc<Table>, ServiceError> {
        let now = self.look(id, viewer).await?;
        if version == now.version {
            return Ok(now);
        }
        if version == 0 || version > now.version {
            return Err(ServiceError::NoSuchVersion);
        }
        Ok(Arc::new(self.runtime.store.replay(id, version).await?))
    }

    /// The game as far as `viewer` may see it by now.
    ///
    /// # Errors
    /// [`ServiceError::Store`].
    pub(crate) async fn visible_to(
        &self,
        table: Arc<Table>,
        viewer: Option<&Actor>,
    ) -> Result<Arc<Table>, ServiceError> {
        if !is_delayed(&table, viewer) {
            return Ok(table);
        }
        // Boxed, so that a viewer who sees everything carries no room for this.
        let until = Box::pin(shown_until(&self.database, &table, sits(&table, viewer))).await?;
        match until.filter(|until| *until < table.version) {
            Some(until) => Box::pin(self.past(table.id, until)).await,
            None => Ok(table),
        }
    }

    /// The last entry that a viewer may see who sees the game later or in part: by now, or by a moment ago.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`], [`ServiceError::Store`].
    pub(crate) async fn shown(&self, id: Uuid, viewer: Option<&Actor>) -> Result<u32, ServiceError> {
        let known = visible(self.runtime.cached(id).await?.newest(), viewer)?;
        if !is_delayed(&known, viewer) {
            // They have taken a seat since.
            return Ok(self.look(id, viewer).await?.version);
        }
        let sits = sits(&known, viewer);
        let ask = async {
            let table = self.runtime.look(id).await?;
            let until = shown_until(&self.database, &table, sits).await?;
            Ok(until.map_or(table.version, |until| until.min(table.version)))
        };
        let shown = self.views.shown.try_get_with((id, sits), ask).await;
        shown.map_err(|error: Arc<ServiceError>| error.again())
    }

    /// The game as it was at a version, replayed once for all who come for it at about the same time.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`], [`ServiceError::Store`].
    pub(crate) async fn past(&self, id: Uuid, version: u32) -> Result<Arc<Table>, ServiceError> {
        let replay = async { Ok(Arc::new(self.runtime.store.replay(id, version).await?)) };
        let table = self.views.tables.try_get_with((id, version), replay).await;
        table.map_err(|error: Arc<ServiceError>| error.again())
    }
}

/// What follows from a command at this table, or why nothing does.
fn judge(
    table: &Arc<Table>,
    actor: &Actor,
    command: &Command,
    conditions: &Conditions,
    present: &Present,
) -> Result<Step, ServiceError> {
    // An invite opens a private game to a player who could not see it before.
    let is_visible = table.is_visible_to(Some(actor));
    if !matches!(command, Command::Sit { .. }) && !is_visible {
        return Err(ServiceError::NotFound);
    }
    let is_stale = conditions.if_match.as_ref().is_some_and(|versions| !versions.contains(&table.version));
    if is_stale && is_visible {
        return Err(ServiceError::Stale(table.clone()));
    }
    let step = table
        .decide(actor, command, present.now())
        .map_err(|refusal| ServiceError::Refused { refusal, table: Some(table.clone()) })?;
    // Only now: without the invite, the version of a private game is told to nobody.
    if is_stale { Err(ServiceError::Stale(table.clone())) } else { Ok(step) }
}
