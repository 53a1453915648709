//! The runtime of everything that is kept as a log: games and tournaments are its two aggregates.
//!
//! A command runs by the state in memory, its entries are appended, and the state in memory moves on. That state may be
//! out of date. Then the append conflicts with another replica's, the newer entries are read, and the command is
//! decided again. The state in memory alone never refuses a command: the newest entries are read before a refusal.

pub mod error;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use cardroom_core::table::Actor;
use moka::future::Cache;
use moka::policy::EvictionPolicy;
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

use crate::runtime::error::ServiceError;
use crate::store::append::AppendOutcome;
use crate::store::error::StoreError;

/// An idempotency key, and the digest of the request that came with it.
pub type Key = Option<(String, [u8; 32])>;

/// A state that follows from a log.
pub trait Aggregate: Send + Sync + 'static {
    /// What a replica keeps of it besides the newest state.
    type Companion: Send + Sync;

    fn id(&self) -> Uuid;

    /// How many entries led to it.
    fn version(&self) -> u32;

    /// How much of the cache's capacity it takes.
    fn weight(&self) -> u32;

    fn companion(&self) -> Self::Companion;

    /// Called whenever the newest state of this replica has become this one.
    fn became_newest(&self, companion: &Self::Companion);
}

/// Where the logs of one kind of aggregate are.
pub trait EventStore: Clone + Send + Sync + 'static {
    type State: Aggregate;
    /// Entries to append, and the state after them.
    type Step: Send + Sync;
    /// What the caller of a command is told of its first entry.
    type Receipt: Send;

    /// The newest state, from the log or from a snapshot.
    ///
    /// # Errors
    /// [`ServiceError`] where there is no such log or it cannot be read.
    fn load(&self, id: Uuid) -> impl Future<Output = Result<Self::State, ServiceError>> + Send;

    /// The newest state, where the log has more entries than led to `known`.
    ///
    /// # Errors
    /// As for [`EventStore::load`].
    fn newer(
        &self,
        known: &Self::State,
    ) -> impl Future<Output = Result<Option<Self::State>, ServiceError>> + Send;

    /// Appends a step to the log that led to `before` and notifies its followers. `caller`: the account whose request
    /// it is; none where the house acts by itself.
    ///
    /// # Errors
    /// [`ServiceError`] where the database does not answer or a quota is used up.
    fn append(
        &self,
        caller: Option<&Actor>,
        key: &Key,
        before: &Self::State,
        step: &Self::Step,
    ) -> impl Future<Output = Result<AppendOutcome, ServiceError>> + Send;

    /// The log that a request with this key created.
    ///
    /// # Errors
    /// [`ServiceError`] where the database does not answer.
    fn created(
        &self,
        caller: Uuid,
        key: &str,
    ) -> impl Future<Output = Result<Option<Uuid>, ServiceError>> + Send;

    /// The answer to the request that was made with this key.
    ///
    /// # Errors
    /// [`ServiceError::KeyReused`] where that was another request.
    fn answered(
        &self,
        id: Uuid,
        caller: Uuid,
        key: &str,
        request: &[u8; 32],
    ) -> impl Future<Output = Result<Option<Answer<Self>>, ServiceError>> + Send;

    /// What a step that was appended leads to.
    fn complete(step: Self::Step) -> Answer<Self>;
}

/// What a command is answered with: the state after it, and the receipt.
pub type Answer<S> = (<S as EventStore>::State, <S as EventStore>::Receipt);

/// The caller of a command, and how a repeated command is recognised.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// None where the house acts by itself.
    pub caller: Option<&'a Actor>,
    pub key: &'a Key,
    /// Only what the state in memory allows is done. Nothing is read to refuse the rest.
    pub memory_only: bool,
}

impl Request<'_> {
    /// The house acts by itself.
    pub const HOUSE: Request<'static> = Request { caller: None, key: &None, memory_only: false };
}

/// A change that is durable.
pub struct Done<S: EventStore> {
    pub state: Arc<S::State>,
    pub receipt: S::Receipt,
    /// It was done before, under the same key.
    pub replayed: bool,
}

/// What became of a command.
pub enum Executed<S: EventStore> {
    Done(Done<S>),
    /// Nothing was to be done, by the newest entries of the log.
    Unchanged(Arc<S::State>),
}

impl<S: EventStore> Executed<S> {
    /// What was done, of a command that always does something.
    ///
    /// # Errors
    /// [`StoreError::Broken`] where nothing was done.
    pub fn done(self, id: Uuid) -> Result<Done<S>, StoreError> {
        match self {
            Executed::Done(done) => Ok(done),
            Executed::Unchanged(_) => Err(StoreError::Broken(format!("nothing was done to {id}"))),
        }
    }
}

/// The cache of one kind of aggregate, and the execution of its commands. Losing the cache costs time, nothing else.
#[derive(Clone)]
pub struct Runtime<S: EventStore> {
    pub store: S,
    cache: Cache<Uuid, Arc<Cached<S::State>>>,
}

/// An aggregate in memory.
pub struct Cached<A: Aggregate> {
    /// The newest state that is known here. It only ever moves on.
    newest: RwLock<Arc<A>>,
    changes: Mutex<()>,
    pub companion: A::Companion,
}

impl<A: Aggregate> Cached<A> {
    fn new(state: A) -> Cached<A> {
        let companion = state.companion();
        Cached { newest: RwLock::new(Arc::new(state)), changes: Mutex::default(), companion }
    }

    /// The newest state known here; the log may be further.
    pub fn newest(&self) -> Arc<A> {
        self.newest.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for the right to change the aggregate on this replica.
    async fn lock(&self) -> MutexGuard<'_, ()> {
        self.changes.lock().await
    }

    /// Moves on to `state`, unless a newer one is known already; gives `state`.
    pub fn advance(&self, state: A) -> Arc<A> {
        let state = Arc::new(state);
        let mut newest = self.newest.write().unwrap_or_else(PoisonError::into_inner);
        if newest.version() < state.version() {
            *newest = state.clone();
            state.became_newest(&self.companion);
        }
        state
    }
}

impl<S: EventStore> Runtime<S> {
    /// `capacity`: what the weights of all states in memory add up to at most. `kept`: how long a state is in memory
    /// before it is loaded anew. `eviction`: which states make room for others.
    pub fn new(store: S, capacity: u64, kept: Duration, eviction: EvictionPolicy) -> Runtime<S> {
        let cache = Cache::builder()
            .max_capacity(capacity)
            .eviction_policy(eviction)
            .weigher(|_, cached: &Arc<Cached<S::State>>| cached.newest().weight())
            .time_to_live(kept);
        Runtime { store, cache: cache.build() }
    }

    /// The same cache, with another way to the logs.
    #[must_use]
    pub fn with_store(&self, store: S) -> Runtime<S> {
        Runtime { store, cache: self.cache.clone() }
    }

    /// The aggregate in memory, loaded if it is not there. Callers that ask at the same time wait for one load.
    ///
    /// # Errors
    /// As for [`EventStore::load`].
    pub async fn cached(&self, id: Uuid) -> Result<Arc<Cached<S::State>>, ServiceError> {
        if let Some(cached) = self.cache.get(&id).await {
            return Ok(cached);
        }
        // Boxed, so that a request that finds the state in memory carries no room for loading it.
        let load = async { Ok(Arc::new(Cached::new(self.store.load(id).await?))) };
        let cached = Box::pin(self.cache.try_get_with(id, load));
        cached.await.map_err(|error: Arc<ServiceError>| error.again())
    }

    /// Puts a new aggregate into memory.
    pub async fn put(&self, state: S::State) -> Arc<S::State> {
        let cached = Arc::new(Cached::new(state));
        let state = cached.newest();
        self.cache.insert(state.id(), cached).await;
        state
    }

    /// Reads what other replicas have appended, and gives the newest state.
    ///
    /// # Errors
    /// As for [`EventStore::load`].
    pub async fn catch_up(&self, cached: &Cached<S::State>) -> Result<Arc<S::State>, ServiceError> {
        let known = cached.newest();
        match self.store.newer(&known).await? {
            Some(newer) => Ok(cached.advance(newer)),
            None => Ok(known),
        }
    }

    /// The newest state.
    ///
    /// # Errors
    /// As for [`EventStore::load`].
    pub async fn look(&self, id: Uuid) -> Result<Arc<S::State>, ServiceError> {
        let cached = self.cached(id).await?;
        self.catch_up(&cached).await
    }

    /// Runs a command: `decide` says which step follows from a state, or that nothing is to be done, or why the command
    /// is refused. It may be asked more than once.
    ///
    /// Rare paths are boxed, so that a move, which takes none of them, carries little through the layers above.
    ///
    /// # Errors
    /// What `decide` refuses, judged by the newest entries; what [`EventStore::append`] and [`EventStore::answered`]
    /// refuse; [`ServiceError::OverLimit`] where only memory may be asked, and does not allow the command.
    pub async fn execute(
        &self,
        id: Uuid,
        request: Request<'_>,
        decide: impl Fn(&Arc<S::State>) -> Result<Option<S::Step>, ServiceError> + Send + Sync,
    ) -> Result<Executed<S>, ServiceError> {
        let cached = match request.memory_only {
            true => self.cache.get(&id).await.ok_or(ServiceError::OverLimit)?,
            false => self.cached(id).await?,
        };
        // The commands of one aggregate wait here for each other, instead of racing in the database.
        let _lock = cached.lock().await;
        let mut state = cached.newest();
        // Whether the state was read after this request came in: only then may it refuse.
        let mut is_fresh = false;
        loop {
            let decided = decide(&state);
            let has_step = matches!(decided, Ok(Some(_)));
            if let Ok(Some(step)) = decided {
                let appended = self.store.append(request.caller, request.key, &state, &step).await?;
                if appended == AppendOutcome::Done {
                    let (state, receipt) = S::complete(step);
                    let state = cached.advance(state);
                    return Ok(Executed::Done(Done { state, receipt, replayed: false }));
                }
            } else if request.memory_only {
                return Err(ServiceError::OverLimit);
            } else if is_fresh {
                if let Some(done) = Box::pin(self.answered(id, &request)).await? {
                    return Ok(Executed::Done(done));
                }
                return decided.map(|_| Executed::Unchanged(state));
            }
            let before = state.version();
            state = Box::pin(self.catch_up(&cached)).await?;
            if has_step && is_fresh && state.version() == before {
                // The append failed because of the key, not because of the log.
                if request.memory_only {
                    return Err(ServiceError::OverLimit);
                }
                let done = Box::pin(self.answered(id, &request)).await?;
                let broken = || StoreError::Broken(format!("the log {id} takes no entries"));
                return Ok(Executed::Done(done.ok_or_else(broken)?));
            }
            is_fresh = true;
        }
    }

    /// The answer to a request that created an aggregate under the same key before.
    ///
    /// # Errors
    /// [`ServiceError::KeyReused`] where that was another request.
    pub async fn created(&self, actor: &Actor, key: &Key) -> Result<Option<Done<S>>, ServiceError> {
        let Some((name, _)) = key else { return Ok(None) };
        let Some(id) = self.store.created(actor.account, name).await? else { return Ok(None) };
        self.answered(id, &Request { caller: Some(actor), key, memory_only: false }).await
    }

    /// The first answer to a request that has been done under this key.
    async fn answered(&self, id: Uuid, request: &Request<'_>) -> Result<Option<Done<S>>, ServiceError> {
        let (Some(caller), Some((key, digest))) = (request.caller, request.key) else { return Ok(None) };
        let answered = self.store.answered(id, caller.account, key, digest).await?;
        Ok(answered.map(|(state, receipt)| Done { state: Arc::new(state), receipt, replayed: true }))
    }
}
