//! The logs of games: how entries are read from one and appended to one, and what is written with them.

use std::sync::Arc;

use cardroom_core::log::Hex32;
use cardroom_core::log::entry::Entry;
use cardroom_core::log::fairness::Seed;
use cardroom_core::table::decide::Step;
use cardroom_core::table::{Actor, Table};
use futures_util::future::BoxFuture;
use jiff::SignedDuration;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::games::archived::ArchivedLogs;
use crate::games::changes::{change, seated};
use crate::games::cipher::EntryCipher;
use crate::games::counts::count;
use crate::games::decode::{bytes32, evolve, read};
use crate::games::dispatcher;
use crate::games::hand_results;
use crate::games::quotas::Quotas;
use crate::games::snapshots::Snapshots;
use crate::games::uptime::{Present, Uptime};
use crate::games::watch::Watch;
use crate::runtime::error::ServiceError;
use crate::runtime::{Aggregate, EventStore, Key};
use crate::store::append::{Append, AppendOutcome, Claim, NewEntry};
use crate::store::database::Database;
use crate::store::deadlines::Due;
use crate::store::error::StoreError;
use crate::store::game_rows::NewGame;
use crate::store::games::Change;
use crate::store::log::Log;
use crate::store::tail::StoredEntry;

/// A move that is made when its game is due, or will be within this time, writes the row in `deadlines`. So each move does
/// with turns as short as this: to take the game when an old row comes, and to put it back, would cost more.
const SOON: SignedDuration = SignedDuration::from_secs(10);

/// More entries than a game can have.
pub(super) const ALL: i64 = i32::MAX as i64;

/// How many requests read a log's past at once.
const READERS: usize = 4;

/// The logs of games.
#[derive(Clone)]
pub struct GameLog {
    pub(crate) database: Database,
    pub(crate) log: Arc<Log>,
    archived: Arc<ArchivedLogs>,
    snapshots: Snapshots,
    pub(crate) watch: Watch,
    uptime: Uptime,
    quotas: Quotas,
    /// A permit for each request that may read a log's past.
    pub(super) readers: Arc<Semaphore>,
}

/// What a step is appended to.
pub enum Before<'a> {
    /// The step creates this game.
    NewGame(Box<NewGame>),
    Table(&'a Table),
}

type Outcome = BoxFuture<'static, Result<AppendOutcome, StoreError>>;

/// An append that is under way. The database may carry it out after its caller has gone away, so then it is finished, and
/// those who watch are told, by a task of its own.
struct Appending<'a> {
    log: &'a GameLog,
    step: &'a Step,
    caller: Option<&'a Actor>,
    lobby: bool,
    /// None once it is finished.
    under_way: Option<Outcome>,
}

impl Appending<'_> {
    async fn finish(mut self) -> Result<AppendOutcome, StoreError> {
        let under_way = self.under_way.as_mut().expect("it is finished once");
        let appended = under_way.await;
        self.under_way = None;
        appended
    }
}

impl Drop for Appending<'_> {
    fn drop(&mut self) {
        let Some(under_way) = self.under_way.take() else { return };
        // Without a runtime, the process ends, and with it all who could be told.
        let Ok(runtime) = Handle::try_current() else { return };
        let Step { table, entries, .. } = self.step;
        let step = Step { table: table.clone(), entries: entries.clone(), hands: Vec::new() };
        let (log, caller, lobby) = (self.log.clone(), self.caller.cloned(), self.lobby);
        runtime.spawn(async move {
            if let Ok(AppendOutcome::Done) = under_way.await {
                log.announce(&step, caller.as_ref(), lobby);
            }
        });
    }
}

/// What a command's caller is told of its first entry: its number and its hash.
pub type Receipt = (u32, Hex32);

impl Aggregate for Table {
    type Companion = ();

    fn id(&self) -> Uuid {
        self.id
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn weight(&self) -> u32 {
        Table::weight(self)
    }

    fn companion(&self) {}

    fn became_newest(&self, (): &()) {}
}

impl EventStore for GameLog {
    type State = Table;
    type Step = Step;
    type Receipt = Receipt;

    async fn load(&self, id: Uuid) -> Result<Table, ServiceError> {
        let (table, from) = self.open(id, u32::MAX, None).await?;
        self.snapshots.opened(from, &table);
        Ok(table)
    }

    async fn newer(&self, known: &Table) -> Result<Option<Table>, ServiceError> {
        if known.is_over() {
            return Ok(None);
        }
        let newer = self.log.tail(known.id, known.version).await?;
        if newer.is_empty() {
            return Ok(None);
        }
        let mut table = known.clone();
        evolve(&mut table, newer)?;
        Ok(Some(table))
    }

    async fn append(
        &self,
        caller: Option<&Actor>,
        key: &Key,
        before: &Table,
        step: &Step,
    ) -> Result<AppendOutcome, ServiceError> {
        let appended = self.append_with(caller, key, Before::Table(before), step).await;
        appended.map_err(|error| self.quotas.exceeded(error))
    }

    async fn created(&self, caller: Uuid, key: &str) -> Result<Option<Uuid>, ServiceError> {
        Ok(self.database.game_claimed(caller, key).await?)
    }

    async fn answered(
        &self,
        id: Uuid,
        caller: Uuid,
        key: &str,
        request: &[u8; 32],
    ) -> Result<Option<(Table, Receipt)>, ServiceError> {
        let Some(claimed) = self.log.claimed(id, caller, key).await? else { return Ok(None) };
        let table = self.replay(id, claimed.answer()).await?;
        if !claimed.is_for(&table.seed().request(request)) {
            return Err(ServiceError::KeyReused);
        }
        Ok(Some((table, (claimed.seq.unsigned_abs(), Hex32(bytes32(&claimed.hash)?)))))
    }

    fn complete(step: Step) -> (Table, Receipt) {
        let first = &step.entries[0];
        let receipt = (first.entry.seq, first.hash);
        (step.table, receipt)
    }
}

impl GameLog {
    /// Starts the tasks that batch appends, take snapshots and notify watchers. `queue`: how many requests of a kind
    /// may wait at the log.
    pub fn start(database: Database, uptime: Uptime, quotas: Quotas, queue: u32) -> GameLog {
        let log = Arc::new(Log::start(database.clone(), queue));
        let snapshots = Snapshots::start(database.clone());
        let watch = dispatcher::start(database.clone(), log.clone());
        let archived = Arc::new(ArchivedLogs::new(&database));
        let readers = Arc::new(Semaphore::new(READERS));
        GameLog { database, log, archived, snapshots, watch, uptime, quotas, readers }
    }

    /// The same logs, whose batches run in the caller's own runtime: a move does not leave its thread.
    #[must_use]
    pub fn local(&self, queue: u32) -> GameLog {
        GameLog { log: Arc::new(Log::start(self.database.clone(), queue)), ..self.clone() }
    }

    /// Appends a step.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer; [`StoreError::Constraint`] where a quota is used up.
    pub async fn append_with(
        &self,
        caller: Option<&Actor>,
        key: &Key,
        before: Before<'_>,
        step: &Step,
    ) -> Result<AppendOutcome, StoreError> {
        let claim = caller.zip(key.clone()).map(|(actor, (key, request))| {
            let request = step.table.seed().request(&request);
            Claim { caller: actor.account, key, request }
        });
        let (append, mut changes) = match before {
            Before::NewGame(made) => (self.append_of(None, step, claim), vec![Change::Made(made)]),
            Before::Table(before) => (self.append_of(Some(before), step, claim), Vec::new()),
        };
        changes.extend(step.entries.iter().filter_map(|sealed| change(sealed, caller, &step.table)));
        if let Some(caller) = caller.filter(|_| !changes.is_empty()) {
            changes.extend(self.quotas.of(caller, step));
        }
        changes.extend(hand_results::change(step)?);
        let lobby = !changes.is_empty();
        let (log, most) = (self.log.clone(), self.quotas.participations());
        let under_way: Outcome = match lobby {
            false => Box::pin(async move { log.append(append).await }),
            true => Box::pin(async move { log.append_with(append, changes, most).await }),
        };
        let appending = Appending { log: self, step, caller, lobby, under_way: Some(under_way) };
        let appended = appending.finish().await?;
        if appended == AppendOutcome::Done {
            self.announce(step, caller, lobby);
        }
        Ok(appended)
    }

    /// Passes on what was appended. `lobby`: it changes the lobby.
    fn announce(&self, step: &Step, caller: Option<&Actor>, lobby: bool) {
        let before = step.table.version - step.entries.len() as u32;
        self.snapshots.pass(before, &step.table);
        self.watch.committed(step.table.id, &step.entries, lobby);
        if lobby {
            self.watch.participating(seated(step, caller));
        }
        count(&self.database.metrics, step);
    }

    /// What is written of a step. `before`: the table before it, if there was one.
    pub(crate) fn append_of(&self, before: Option<&Table>, step: &Step, claim: Option<Claim>) -> Append {
        let cipher = EntryCipher::new(step.table.seed(), step.table.id);
        let entries = step.entries.iter().map(|sealed| NewEntry {
            seq: sealed.entry.seq.cast_signed(),
            entry: cipher.stored_text(sealed),
            hash: sealed.hash.0,
        });
        Append { game_id: step.table.id, entries: entries.collect(), claim, due: self.due(before, step) }
    }

    /// What a step does to the game's row in `deadlines`. While the row comes no later than the game is due, it need not be
    /// written: the scheduler puts the game back when the row comes. Where the house plays by itself, it goes on as soon
    /// as the budget has paid for what it has written.
    fn due(&self, before: Option<&Table>, step: &Step) -> Due {
        let table = &step.table;
        if !table.has_dues() {
            return Due::Unchanged;
        }
        let present = self.uptime.now();
        let paid = table
            .is_unattended()
            .then(|| self.quotas.charge(table.creator(), step.entries.len(), present.at));
        let due_before = before.and_then(|before| before.due(present.now()));
        match (table.due(present.now()), due_before) {
            (None, None) => Due::Unchanged,
            (None, Some(_)) => Due::Gone,
            (Some(at), Some(row))
                if present.at + SOON < row && row <= at && !is_exact(before, table, &present) =>
            {
                Due::Unchanged
            }
            (Some(at), _) => Due::At(paid.map_or(at, |paid| at.max(paid))),
        }
    }

    /// A game's whole log, and the seed of its chances.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`] where there is no such game.
    pub(crate) async fn log(&self, id: Uuid) -> Result<(Seed, Vec<(Entry, Hex32)>), ServiceError> {
        let seed = self.seed(id).await?;
        let entries = self.read(id, &seed, 0, ALL).await?;
        Ok((seed, entries))
    }

    /// The seed of a game's chances.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`] where there is no such game.
    pub(crate) async fn seed(&self, id: Uuid) -> Result<Seed, ServiceError> {
        Ok(Seed::new(self.database.server_seed(id).await?.ok_or(ServiceError::NotFound)?))
    }

    /// A game's entries as they are stored, in the database or in an archive: those after `after`, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer, or the archive cannot be read.
    pub(crate) async fn stored(
        &self,
        id: Uuid,
        after: u32,
        limit: i64,
    ) -> Result<Vec<StoredEntry>, StoreError> {
        let stored = self.log.read(id, after, limit).await?;
        if goes_on(&stored, after) || limit == 0 {
            return Ok(stored);
        }
        match self.archived.read(id).await? {
            Some(log) => Ok(page(&log, after, limit)),
            // The log may just have been restored.
            None => self.log.read(id, after, limit).await,
        }
    }

    /// A game's entries after `after`, at most `limit`.
    ///
    /// # Errors
    /// [`ServiceError::Store`], [`ServiceError::Fault`] where one cannot be read.
    pub async fn read(
        &self,
        id: Uuid,
        seed: &Seed,
        after: u32,
        limit: i64,
    ) -> Result<Vec<(Entry, Hex32)>, ServiceError> {
        let stored = self.stored(id, after, limit).await?;
        let cipher = EntryCipher::new(seed, id);
        stored.into_iter().map(|stored| read(id, &cipher, stored)).collect()
    }
}

/// Whether the row of a game has to hold the very time after this step: it waits for a budget, where the house plays by
/// itself; and while the clock is behind the log, the row alone knows how much time has passed.
fn is_exact(before: Option<&Table>, table: &Table, present: &Present) -> bool {
    before.is_some_and(Table::is_unattended) || table.is_unattended() || table.changed_at() > present.at
}

/// Whether these are the entries after `after`, and not what is left where a log lies in an archive.
pub(super) fn goes_on(stored: &[StoredEntry], after: u32) -> bool {
    stored.first().is_some_and(|first| first.seq.unsigned_abs() == after + 1)
}

/// The entries of a whole log after `after`, at most `limit`.
fn page(log: &[StoredEntry], after: u32, limit: i64) -> Vec<StoredEntry> {
    let rest = log.get(after as usize..).unwrap_or_default();
    rest.iter().take(usize::try_from(limit).unwrap_or(usize::MAX)).cloned().collect()
}
