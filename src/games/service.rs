//! The game service: every command on a game, and every look at one, for people, bots and the clock alike.
//!
//! Every change takes the same way: the table decides, the log appends, the table in memory moves on. The table in
//! memory may be out of date, so it alone never refuses a command: the newest entries are read before a refusal.

use std::sync::Arc;

use cardroom_core::log::Hex32;
use cardroom_core::log::entry::{Event, Seated};
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::Refusal;
use cardroom_core::table::decide::{Command, HashedEntry, Step};
use cardroom_core::table::making::NewGame;
use cardroom_core::table::{Actor, Table};
use uuid::Uuid;

use crate::entropy::Entropy;
use crate::games::bots;
use crate::games::budget::Budget;
use crate::games::cache::{Tables, bytes32};
use crate::games::cipher::EntryCipher;
use crate::games::error::PlayError;
use crate::games::quotas::Quotas;
use crate::games::uptime::{Present, Uptime};
use crate::games::visibility::visible;
use crate::store::append::{Append, AppendOutcome, Claim, NewEntry};
use crate::store::database::{Database, StoreError};
use crate::store::deadlines::Due;
use crate::store::games as stored;
use crate::store::games::{Change, End, Filter, Listed};
use crate::store::log::Log;
use crate::streams::watch::Watch;
use crate::tournaments::points;

/// Runs commands on games.
#[derive(Clone)]
pub struct GameService {
    pub(crate) database: Database,
    pub(crate) log: Log,
    pub(crate) tables: Tables,
    pub(crate) watch: Watch,
    pub(crate) uptime: Uptime,
    pub(crate) entropy: Entropy,
    queue: u32,
    pub(crate) quotas: Quotas,
    pub(crate) budget: Budget,
}

/// What a change depends on, and how it is known again.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// The game must stand at one of these versions.
    pub if_match: Option<Vec<u32>>,
    /// The idempotency key, and the digest of the request.
    pub key: Option<(String, [u8; 32])>,
    /// The caller has asked too much. Only what is legal by the table in memory is done; nothing is read to refuse
    /// the rest.
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

impl GameService {
    /// `cache_bytes`: about how much memory the tables may take. `queue`: how many requests of a kind may wait at a log.
    pub fn new(
        database: Database,
        uptime: Uptime,
        entropy: Entropy,
        cache_bytes: u64,
        queue: u32,
        quotas: Quotas,
    ) -> GameService {
        let log = Log::start(database.clone(), queue);
        let tables = Tables::new(database.clone(), log.clone(), cache_bytes);
        let watch = Watch::start(database.clone());
        let budget = Budget::new(quotas.unattended);
        GameService { database, log, tables, watch, uptime, entropy, queue, quotas, budget }
    }

    /// The same room, whose log is the caller's runtime's own: a move does not leave its thread.
    #[must_use]
    pub fn with_local_log(&self) -> GameService {
        let log = Log::start(self.database.clone(), self.queue);
        GameService { tables: self.tables.with_log(log.clone()), log, ..self.clone() }
    }

    /// Makes a game.
    ///
    /// # Errors
    /// `too_many_games`, `account_required` and what [`Table::create`] refuses; [`PlayError::BudgetUsedUp`];
    /// [`PlayError::KeyReused`];
    /// [`StoreError::Constraint`] where the game to be repeated is being repeated already.
    pub async fn create(
        &self,
        actor: &Actor,
        new: NewGame,
        key: Option<(String, [u8; 32])>,
        rematch_of: Option<Uuid>,
    ) -> Result<Done, PlayError> {
        if let Some(done) = self.created_before(actor, &key).await? {
            return Ok(done);
        }
        let present = self.uptime.now();
        let now = present.at;
        let (id, seed) = (self.entropy.id(now), Seed::new(self.entropy.bytes()));
        let made = stored::NewGame {
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
            rematch_of,
            guest_network: self.guest_network(actor),
        };
        let mut step = Table::create(id, seed, actor, new, now).map_err(refused)?;
        self.admit(actor, &step, now)?;
        bots::follow(&mut step, &present, &self.entropy);
        match self.append(Some(actor), &step, &key, Some(made)).await {
            Ok(AppendOutcome::Done) => {
                let hash = step.entries[0].hash;
                let table = self.tables.put(step.table).await;
                Ok(Done { table, seq: 1, hash, replayed: false })
            }
            // Somebody with the same key was quicker.
            Err(StoreError::Constraint(name)) if name == "games_idempotency" => {
                self.created_before(actor, &key).await?.ok_or(PlayError::KeyReused)
            }
            Ok(AppendOutcome::Conflict) => {
                Err(StoreError::Broken(format!("game {id} was there already")).into())
            }
            Err(error) => Err(self.over_quota(error)),
        }
    }

    /// The same as [`GameService::command`], with all that may not be seen yet. What is rare is boxed, so that a move, which
    /// is not, carries little through the layers above.
    pub(crate) async fn change(
        &self,
        id: Uuid,
        actor: &Actor,
        command: &Command,
        conditions: &Conditions,
    ) -> Result<Done, PlayError> {
        let cached = match conditions.over_limit {
            true => self.tables.known(id).await.ok_or(PlayError::OverLimit)?,
            false => self.tables.cached(id).await?,
        };
        // Moves of one game wait here for each other, instead of racing in the database.
        let _turn = cached.turn().await;
        let mut table = cached.table();
        // Whether the table was read after this request came in: only then may it say no.
        let mut is_fresh = false;
        loop {
            let present = self.uptime.now();
            let judged = judge(&table, actor, command, conditions, &present);
            let admitted = judged.and_then(|step| self.admit(actor, &step, present.at).map(|()| step));
            let refusal = match admitted {
                Ok(mut step) => {
                    match self.append_with_bots(actor, &mut step, &present, &conditions.key).await? {
                        AppendOutcome::Done => {
                            let (seq, hash) = (table.version + 1, step.entries[0].hash);
                            let table = cached.advance(step.table);
                            return Ok(Done { table, seq, hash, replayed: false });
                        }
                        AppendOutcome::Conflict => None,
                    }
                }
                Err(refusal) => Some(refusal),
            };
            if refusal.is_some() && conditions.over_limit {
                return Err(PlayError::OverLimit);
            }
            if let Some(refusal) = refusal.filter(|_| is_fresh) {
                return match Box::pin(self.done_before(id, actor, &conditions.key)).await? {
                    Some(done) => Ok(done),
                    None => Err(refusal),
                };
            }
            let before = table.version;
            table = Box::pin(self.tables.catch_up(&cached)).await?;
            if is_fresh && table.version == before {
                // Not the log but the key was in the way.
                let done = Box::pin(self.done_before(id, actor, &conditions.key)).await?;
                return done.ok_or_else(|| StoreError::Broken(format!("game {id} takes no entries")).into());
            }
            is_fresh = true;
        }
    }

    /// The game as it is now.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where there is none that `viewer` may see.
    pub async fn look(&self, id: Uuid, viewer: Option<&Actor>) -> Result<Arc<Table>, PlayError> {
        let cached = self.tables.cached(id).await?;
        let table = self.tables.catch_up(&cached).await?;
        self.visible_to(visible(table, viewer)?, viewer).await
    }

    /// A game that is over, replayed from its whole log, and without a place in memory: nobody will ask for it again
    /// soon.
    ///
    /// # Errors
    /// [`PlayError::NotFound`].
    pub(crate) async fn replayed(&self, id: Uuid) -> Result<Arc<Table>, PlayError> {
        Ok(Arc::new(self.tables.replay_all(id).await?))
    }

    /// The game as it was at a version. Whoever may see it now may see it then.
    ///
    /// # Errors
    /// [`PlayError::NotFound`], [`PlayError::NoSuchVersion`].
    pub async fn look_back(
        &self,
        id: Uuid,
        viewer: Option<&Actor>,
        version: u32,
    ) -> Result<Arc<Table>, PlayError> {
        let now = self.look(id, viewer).await?;
        if version == now.version {
            return Ok(now);
        }
        if version == 0 || version > now.version {
            return Err(PlayError::NoSuchVersion);
        }
        Ok(Arc::new(self.tables.replay(id, version).await?))
    }

    /// A page of the lobby.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn lobby(
        &self,
        filter: &Filter,
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<(Listed, Vec<String>)>, PlayError> {
        Ok(self.database.list_games(filter, before, limit).await?)
    }

    /// The bots that follow an action are done with it, so that nothing comes between.
    async fn append_with_bots(
        &self,
        actor: &Actor,
        step: &mut Step,
        present: &Present,
        key: &Option<(String, [u8; 32])>,
    ) -> Result<AppendOutcome, PlayError> {
        bots::follow(step, present, &self.entropy);
        self.append(Some(actor), step, key, None).await.map_err(|error| self.over_quota(error))
    }

    /// `caller`: whose request it is; none where the house acts by itself.
    pub(crate) async fn append(
        &self,
        caller: Option<&Actor>,
        step: &Step,
        key: &Option<(String, [u8; 32])>,
        made: Option<stored::NewGame>,
    ) -> Result<AppendOutcome, StoreError> {
        let claim = caller.zip(key.clone()).map(|(actor, (key, request))| {
            let request = step.table.seed().request(&request);
            Claim { caller: actor.account, key, request }
        });
        let append = self.append_of(step, claim);
        let mut changes: Vec<Change> = made.map(|made| Change::Made(Box::new(made))).into_iter().collect();
        changes.extend(step.entries.iter().filter_map(|sealed| change(sealed, caller, &step.table)));
        if let Some(caller) = caller.filter(|_| !changes.is_empty()) {
            changes.extend(self.quotas(caller, step));
        }
        changes.extend(points::change(step)?);
        let lobby = !changes.is_empty();
        let appended = if changes.is_empty() {
            self.log.append(append).await?
        } else {
            Box::pin(self.log.append_with(append, changes)).await?
        };
        if appended == AppendOutcome::Done {
            let before = step.table.version - step.entries.len() as u32;
            self.tables.snapshots.pass(before, &step.table);
            self.watch.committed(step.table.id, &step.entries, lobby);
            self.count(step);
        }
        Ok(appended)
    }

    /// What is written of a step.
    pub(crate) fn append_of(&self, step: &Step, claim: Option<Claim>) -> Append {
        let cipher = EntryCipher::new(step.table.seed(), step.table.id);
        let entries = step.entries.iter().map(|sealed| NewEntry {
            seq: sealed.entry.seq.cast_signed(),
            entry: cipher.stored_text(sealed),
            hash: sealed.hash.0,
        });
        Append { game_id: step.table.id, entries: entries.collect(), claim, due: self.due(step) }
    }

    /// What has to be written of the time at which the house acts at this table. Where it plays by itself, it goes on
    /// when what it has written is paid for.
    fn due(&self, step: &Step) -> Due {
        let table = &step.table;
        if !table.has_dues() {
            return Due::Never;
        }
        let present = self.uptime.now();
        let paid = table
            .is_unattended()
            .then(|| self.budget.charge(table.creator(), step.entries.len(), present.at));
        match table.due(present.now()) {
            Some(at) => Due::At(paid.map_or(at, |paid| at.max(paid))),
            None => Due::Gone,
        }
    }

    /// The first answer to a request that has been done under this key.
    async fn done_before(
        &self,
        id: Uuid,
        actor: &Actor,
        key: &Option<(String, [u8; 32])>,
    ) -> Result<Option<Done>, PlayError> {
        let Some((key, request)) = key else { return Ok(None) };
        let Some(claimed) = self.log.claimed(id, actor.account, key).await? else { return Ok(None) };
        let table = Arc::new(self.tables.replay(id, claimed.answer()).await?);
        if !claimed.is_for(&table.seed().request(request)) {
            return Err(PlayError::KeyReused);
        }
        let hash = Hex32(bytes32(&claimed.hash)?);
        Ok(Some(Done { table, seq: claimed.seq.unsigned_abs(), hash, replayed: true }))
    }

    async fn created_before(
        &self,
        actor: &Actor,
        key: &Option<(String, [u8; 32])>,
    ) -> Result<Option<Done>, PlayError> {
        let Some((name, _)) = key else { return Ok(None) };
        match self.database.game_claimed(actor.account, name).await? {
            Some(id) => self.done_before(id, actor, key).await,
            None => Ok(None),
        }
    }
}

/// What follows from a command at this table, or why nothing does.
pub(crate) fn judge(
    table: &Arc<Table>,
    actor: &Actor,
    command: &Command,
    conditions: &Conditions,
    present: &Present,
) -> Result<Step, PlayError> {
    // An invite opens a private game to who does not know of it yet.
    if !matches!(command, Command::Sit { .. }) && !table.is_visible_to(Some(actor)) {
        return Err(PlayError::NotFound);
    }
    if let Some(versions) = &conditions.if_match
        && !versions.contains(&table.version)
    {
        return Err(PlayError::Stale(table.clone()));
    }
    table
        .decide(actor, command, present.now())
        .map_err(|refusal| PlayError::Refused { refusal, table: Some(table.clone()) })
}

/// What an entry changes outside the log.
pub(crate) fn change(sealed: &HashedEntry, caller: Option<&Actor>, after: &Table) -> Option<Change> {
    let ended = |status| {
        let results = after.results().into_iter();
        let results = results.map(|(id, place, score)| (id, i16::from(place), score)).collect();
        Change::Ended(End { status, at: sealed.entry.at.0, results })
    };
    match &sealed.entry.event {
        Event::Seated(Seated::Player { account, .. }) => Some(Change::SatDown(*account)),
        Event::Seated(Seated::Bot { .. }) => Some(Change::BotSatDown),
        Event::Left => caller.map(|actor| Change::StoodUp(actor.account, sealed.entry.at.0)),
        Event::Started(_) => Some(Change::Started),
        Event::Aborted(_) => Some(ended("aborted")),
        Event::Finished(_) => Some(ended("finished")),
        Event::Created(_) | Event::Chance(_) | Event::Acted(_) => None,
    }
}

pub(crate) fn refused(refusal: Refusal) -> PlayError {
    PlayError::Refused { refusal, table: None }
}
