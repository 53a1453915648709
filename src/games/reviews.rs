//! Reviews of the hands of games that are over. A review follows from the log alone, so each replica comes to the same; it
//! is kept in memory for as long as there is room.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use cardroom_core::review::luck::GameLuck;
use cardroom_core::review::{GameReview, Review};
use cardroom_core::rules::registry::AnyFacts;
use cardroom_core::table::Table;
use cardroom_core::table::hands::Hand;
use moka::future::Cache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use crate::games::service::GameService;
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;

/// How many reviews may wait until they are computed, the one that is being computed included.
const WAITING: usize = 16;
/// How many of them may be for one network, so that others find a place.
const OF_A_NETWORK: usize = 4;
/// How many are computed at once. One of a long hand takes a core for seconds.
const AT_ONCE: usize = 1;
/// About how many bytes of memory the reviews take.
const CACHE_BYTES: u64 = 32 * 1024 * 1024;
/// How many games' reviews are in memory. Each takes some hundred bytes for each seat.
const GAMES: u64 = 10_000;

/// Computes reviews, and keeps them.
#[derive(Clone)]
pub struct Reviews {
    games: GameService,
    hands: Cache<(Uuid, u32), Arc<Review>>,
    totals: Cache<Uuid, Arc<GameReview>>,
    /// None where nothing can be told of a game.
    lucks: Cache<Uuid, Option<Arc<GameLuck>>>,
    waiting: Arc<Semaphore>,
    by_network: Arc<Mutex<HashMap<IpAddr, usize>>>,
    at_once: Arc<Semaphore>,
}

/// A place among the reviews that wait, free again when this is dropped.
struct Place {
    _of_all: OwnedSemaphorePermit,
    network: IpAddr,
    by_network: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut by_network = self.by_network.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut waiting) = by_network.entry(self.network) {
            *waiting.get_mut() -= 1;
            if *waiting.get() == 0 {
                waiting.remove();
            }
        }
    }
}

impl Reviews {
    pub fn new(games: GameService) -> Reviews {
        let hands = Cache::builder()
            .max_capacity(CACHE_BYTES)
            .weigher(|_, review: &Arc<Review>| u32::try_from(review.bytes()).unwrap_or(u32::MAX))
            .build();
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        let (waiting, at_once) = (semaphore(WAITING), semaphore(AT_ONCE));
        Reviews {
            games,
            hands,
            totals: Cache::new(GAMES),
            lucks: Cache::new(GAMES),
            waiting,
            by_network: Arc::default(),
            at_once,
        }
    }

    /// The review of a hand of a game that is over; none where no hand of this number was played to its end. `network`: where
    /// the caller is.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too many wait already; [`ServiceError::Store`], [`ServiceError::Fault`].
    pub async fn hand(
        &self,
        table: Arc<Table>,
        hand: u32,
        network: IpAddr,
    ) -> Result<Option<Arc<Review>>, ServiceError> {
        if let Some(known) = self.hands.get(&(table.id, hand)).await {
            return Ok(Some(known));
        }
        self.in_turn(network, async move |reviews| {
            let hands = reviews.played(&table).await?;
            match hands.iter().find(|found| found.span.hand == hand).and_then(Hand::played) {
                Some(played) => Ok(Some(reviews.computed(&table, hand, played).await?)),
                None => Ok(None),
            }
        })
        .await
    }

    /// The reviews of all hands that were played to their end, added up.
    ///
    /// # Errors
    /// As [`Reviews::hand`].
    pub async fn game(&self, table: Arc<Table>, network: IpAddr) -> Result<Arc<GameReview>, ServiceError> {
        if let Some(known) = self.totals.get(&table.id).await {
            return Ok(known);
        }
        self.in_turn(network, async move |reviews| {
            let mut total = GameReview::new(&table);
            for hand in reviews.played(&table).await? {
                let Some(played) = hand.played() else { continue };
                if total.is_full() {
                    total.hands_left_out += 1;
                } else {
                    total.add(&*reviews.computed(&table, hand.span.hand, played).await?);
                }
            }
            let total = Arc::new(total);
            reviews.totals.insert(table.id, total.clone()).await;
            Ok(total)
        })
        .await
    }

    /// The luck of a game, if it is in memory.
    pub async fn known_luck(&self, id: Uuid) -> Option<Option<Arc<GameLuck>>> {
        self.lucks.get(&id).await
    }

    /// The luck of a game that is over; none where it was called off.
    ///
    /// # Errors
    /// As [`Reviews::hand`].
    pub async fn luck(
        &self,
        table: Arc<Table>,
        network: IpAddr,
    ) -> Result<Option<Arc<GameLuck>>, ServiceError> {
        if let Some(known) = self.lucks.get(&table.id).await {
            return Ok(known);
        }
        self.in_turn(network, async move |reviews| {
            if let Some(known) = reviews.lucks.get(&table.id).await {
                return Ok(known);
            }
            let (id, (_, log)) = (table.id, reviews.games.runtime.store.log(table.id).await?);
            let luck = tokio::task::spawn_blocking(move || GameLuck::of(&table, log)).await;
            let luck = luck.map_err(|error| StoreError::Broken(format!("a game's luck: {error}")))?;
            let luck = luck.map_err(|fault| ServiceError::Fault(id, fault))?.map(Arc::new);
            reviews.lucks.insert(id, luck.clone()).await;
            Ok(luck)
        })
        .await
    }

    /// Does this when it is its turn. It goes on if the caller does not wait any longer, so that it neither leaves its turn
    /// to another while it still computes, nor computes in vain.
    async fn in_turn<T: Send + 'static, F>(
        &self,
        network: IpAddr,
        work: impl FnOnce(Reviews) -> F,
    ) -> Result<T, ServiceError>
    where
        F: Future<Output = Result<T, ServiceError>> + Send + 'static,
    {
        let place = self.place(network)?;
        let (at_once, work) = (self.at_once.clone(), work(self.clone()));
        let done = tokio::spawn(async move {
            let turn = at_once.acquire_owned().await;
            let done = work.await;
            drop((turn, place));
            done
        });
        done.await.unwrap_or_else(|error| Err(StoreError::Broken(format!("a review: {error}")).into()))
    }

    /// A place for a review that somebody in this network wants.
    fn place(&self, network: IpAddr) -> Result<Place, StoreError> {
        let of_all = self.waiting.clone().try_acquire_owned().map_err(|_| StoreError::Busy("reviews"))?;
        let mut by_network = self.by_network.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = by_network.entry(network).or_default();
        if *waiting >= OF_A_NETWORK {
            return Err(StoreError::Busy("reviews for your network"));
        }
        *waiting += 1;
        Ok(Place { _of_all: of_all, network, by_network: self.by_network.clone() })
    }

    async fn played(&self, table: &Table) -> Result<Vec<Hand>, ServiceError> {
        let reading =
            self.games.runtime.store.read_log(table.id, None, table.version, AnyFacts::kept).await?;
        Ok(reading.into_hands())
    }

    /// The review of the hand between these entries, computed if it is not in memory.
    async fn computed(
        &self,
        table: &Table,
        hand: u32,
        (from, to): (u32, u32),
    ) -> Result<Arc<Review>, ServiceError> {
        if let Some(known) = self.hands.get(&(table.id, hand)).await {
            return Ok(known);
        }
        let log = &self.games.runtime.store;
        let before = log.replay(table.id, from - 1).await?;
        let entries = log.read(table.id, before.seed(), from - 1, i64::from(to - from) + 1).await?;
        let review = tokio::task::spawn_blocking(move || Review::of(&before, hand, entries)).await;
        let review = review.map_err(|error| StoreError::Broken(format!("a review: {error}")))?;
        let review = Arc::new(review.map_err(|fault| ServiceError::Fault(table.id, fault))?);
        self.hands.insert((table.id, hand), review.clone()).await;
        Ok(review)
    }
}
