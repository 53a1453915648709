//! Reviews of the hands of games that are over. A review follows from the log alone, so each replica comes to the same; it
//! is kept in memory for as long as there is room.

use std::sync::Arc;

use cardroom_core::review::Review;
use cardroom_core::rules::registry::AnyFacts;
use cardroom_core::table::Table;
use cardroom_core::table::hands::Hand;
use moka::future::Cache;
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::games::service::GameService;
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;

/// How many requests may wait for a review that is not in memory, the one that is being computed included.
const WAITING: usize = 16;
/// How many reviews are computed at once. One of a long hand takes a core for seconds.
const AT_ONCE: usize = 1;
/// About how many bytes of memory the reviews take.
const CACHE_BYTES: u64 = 32 * 1024 * 1024;

/// Computes reviews, and keeps them.
#[derive(Clone)]
pub struct Reviews {
    games: GameService,
    cache: Cache<(Uuid, u32), Arc<Review>>,
    waiting: Arc<Semaphore>,
    at_once: Arc<Semaphore>,
}

impl Reviews {
    pub fn new(games: GameService) -> Reviews {
        let cache = Cache::builder()
            .max_capacity(CACHE_BYTES)
            .weigher(|_, review: &Arc<Review>| u32::try_from(review.bytes()).unwrap_or(u32::MAX))
            .build();
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        Reviews { games, cache, waiting: semaphore(WAITING), at_once: semaphore(AT_ONCE) }
    }

    /// The review of a hand of a game that is over; none where no hand of this number was played to its end.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too many wait already; [`ServiceError::Store`], [`ServiceError::Fault`].
    pub async fn hand(&self, table: &Table, hand: u32) -> Result<Option<Arc<Review>>, ServiceError> {
        if let Some(known) = self.cache.get(&(table.id, hand)).await {
            return Ok(Some(known));
        }
        let _place = self.waiting.try_acquire().map_err(|_| StoreError::Busy("reviews"))?;
        let log = &self.games.runtime.store;
        let reading = log.read_log(table.id, None, table.version, AnyFacts::kept).await?;
        let spans = reading.into_hands();
        let Some((from, to)) = spans.iter().find(|found| found.span.hand == hand).and_then(Hand::played)
        else {
            return Ok(None);
        };
        let computed = self.cache.try_get_with((table.id, hand), async {
            let before = log.replay(table.id, from - 1).await?;
            let entries = log.read(table.id, before.seed(), from - 1, i64::from(to - from) + 1).await?;
            let _turn = self.at_once.acquire().await.map_err(|_| StoreError::Busy("reviews"))?;
            let review = tokio::task::spawn_blocking(move || Review::of(&before, hand, entries)).await;
            let review = review.map_err(|_| StoreError::Busy("reviews"))?;
            review.map(Arc::new).map_err(|fault| ServiceError::Fault(table.id, fault))
        });
        computed.await.map(Some).map_err(|error: Arc<ServiceError>| error.again())
    }
}
