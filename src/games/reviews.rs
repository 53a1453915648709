//! Reviews of games that are over. A review follows from the log alone, so each replica comes to the same. It is computed when
//! somebody asks for it first, and kept in the database for the next.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::{self, Display};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use cardroom_core::review::luck::GameLuck;
use cardroom_core::review::{GameReview, METHOD, Review};
use cardroom_core::rules::registry::AnyFacts;
use cardroom_core::table::Table;
use cardroom_core::table::hands::Hand;
use jiff::{SignedDuration, Timestamp};
use jiff_diesel::ToDiesel;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use crate::games::replays::in_background;
use crate::games::service::GameService;
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::store::reviews::NewReview;

/// How many reviews may wait until they are computed, the one that is being computed included.
const WAITING: usize = 16;
/// How many of them may be for one network, so that others find a place.
const OF_A_NETWORK: usize = 4;
/// How many are computed at once. One of a long hand takes a core for seconds.
const AT_ONCE: usize = 1;
/// For how long a review is kept.
const KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How many reviews are kept, about, and how many bytes of them, as PostgreSQL compresses them.
const MOST: i64 = 100_000;
const MOST_BYTES: i64 = 1024 * 1024 * 1024;

/// What is reviewed of a game.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Subject {
    Hand(u32),
    /// All hands, added up.
    Game,
    /// What the deals were worth.
    Luck,
    /// A hand beside the same hand at other tables.
    Comparison(u32),
}

impl Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Hand(hand) => write!(f, "hand {hand}"),
            Subject::Game => write!(f, "game"),
            Subject::Luck => write!(f, "luck"),
            Subject::Comparison(hand) => write!(f, "comparison {hand}"),
        }
    }
}

/// Computes reviews, and keeps them.
#[derive(Clone)]
pub struct Reviews {
    games: GameService,
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
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        let (waiting, at_once) = (semaphore(WAITING), semaphore(AT_ONCE));
        Reviews { games, waiting, by_network: Arc::default(), at_once }
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
    ) -> Result<Option<Review>, ServiceError> {
        self.once(table.id, Subject::Hand(hand), network, async move |reviews| {
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
    pub async fn game(&self, table: Arc<Table>, network: IpAddr) -> Result<GameReview, ServiceError> {
        let id = table.id;
        let total = self.once(id, Subject::Game, network, async move |reviews| {
            let mut total = GameReview::new(&table);
            for hand in reviews.played(&table).await? {
                let Some(played) = hand.played() else { continue };
                if total.is_full() {
                    total.hands_left_out += 1;
                    continue;
                }
                let subject = Subject::Hand(hand.span.hand);
                let review = match reviews.kept(table.id, subject).await? {
                    Some(kept) => kept,
                    None => {
                        let review = reviews.computed(&table, hand.span.hand, played).await?;
                        reviews.keep(table.id, subject, &review).await;
                        review
                    }
                };
                total.add(&review);
            }
            Ok(Some(total))
        });
        total.await?.ok_or_else(|| StoreError::Broken(format!("no review of game {id}")).into())
    }

    /// The luck of a game that is over; none where it was called off.
    ///
    /// # Errors
    /// As [`Reviews::hand`].
    pub async fn luck(&self, table: Arc<Table>, network: IpAddr) -> Result<Option<GameLuck>, ServiceError> {
        if table.outcome().is_none() {
            return Ok(None);
        }
        self.once(table.id, Subject::Luck, network, async move |reviews| {
            let (id, (_, log)) = (table.id, reviews.games.runtime.store.log(table.id).await?);
            let luck = in_background(move || GameLuck::of(&table, log)).await?;
            luck.map_err(|fault| ServiceError::Fault(id, fault))
        })
        .await
    }

    /// What was kept, or else what this computes when it is its turn, which is kept from then on.
    ///
    /// # Errors
    /// As [`Reviews::hand`], and what `compute` fails with.
    pub(crate) async fn once<T: Serialize + DeserializeOwned + Send + Sync + 'static, F>(
        &self,
        game: Uuid,
        subject: Subject,
        network: IpAddr,
        compute: impl FnOnce(Reviews) -> F,
    ) -> Result<Option<T>, ServiceError>
    where
        F: Future<Output = Result<Option<T>, ServiceError>> + Send + 'static,
    {
        if let Some(kept) = self.kept(game, subject).await? {
            return Ok(Some(kept));
        }
        let (reviews, computed) = (self.clone(), compute(self.clone()));
        self.in_turn(network, async move {
            // Somebody who asked before may have got it meanwhile.
            if let Some(kept) = reviews.kept(game, subject).await? {
                return Ok(Some(kept));
            }
            let computed = computed.await?;
            if let Some(review) = &computed {
                reviews.keep(game, subject, review).await;
            }
            Ok(computed)
        })
        .await
    }

    /// The review that was kept of this. One that cannot be read is computed anew.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub(crate) async fn kept<T: DeserializeOwned>(
        &self,
        game: Uuid,
        subject: Subject,
    ) -> Result<Option<T>, StoreError> {
        let kept = self.games.database.review(game, &subject.to_string(), METHOD).await?;
        Ok(kept.and_then(|json| read(game, subject, &json)))
    }

    /// The luck of those of these games for which it is kept.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub(crate) async fn kept_lucks(&self, games: &[Uuid]) -> Result<HashMap<Uuid, GameLuck>, StoreError> {
        let kept = self.games.database.reviews(games, &Subject::Luck.to_string(), METHOD).await?;
        Ok(kept.into_iter().filter_map(|(id, json)| Some((id, read(id, Subject::Luck, &json)?))).collect())
    }

    /// Keeps a review. If that fails, it is there all the same, and is computed again for the next caller.
    async fn keep<T: Serialize + Sync>(&self, game: Uuid, subject: Subject, review: &T) {
        let kept = match serde_json::to_string(review) {
            Ok(review) => {
                let (subject, computed_at) = (subject.to_string(), self.games.uptime.now().at.to_diesel());
                let new = NewReview { game_id: game, subject, method: METHOD, review, computed_at };
                self.games.database.keep_review(new).await
            }
            Err(error) => Err(StoreError::Broken(error.to_string())),
        };
        if let Err(error) = kept {
            tracing::error!(%error, %game, %subject, "a review could not be kept");
        }
    }

    /// Deletes reviews that were kept for long enough, and the oldest where there are too many.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub(crate) async fn expire(games: &GameService, now: Timestamp) -> Result<usize, StoreError> {
        games.database.delete_old_reviews(now - KEPT, MOST, MOST_BYTES).await
    }

    /// Does this when it is its turn. It goes on if the caller does not wait any longer, so that it neither leaves its turn
    /// to another while it still computes, nor computes in vain.
    async fn in_turn<T: Send + 'static>(
        &self,
        network: IpAddr,
        work: impl Future<Output = Result<T, ServiceError>> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let place = self.place(network)?;
        let at_once = self.at_once.clone();
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

    /// The review of the hand between these entries.
    async fn computed(
        &self,
        table: &Table,
        hand: u32,
        (from, to): (u32, u32),
    ) -> Result<Review, ServiceError> {
        let log = &self.games.runtime.store;
        let before = log.replay(table.id, from - 1).await?;
        let entries = log.read(table.id, before.seed(), from - 1, i64::from(to - from) + 1).await?;
        let review = in_background(move || Review::of(&before, hand, entries)).await?;
        review.map_err(|fault| ServiceError::Fault(table.id, fault))
    }
}

/// A review that was kept; none where it cannot be read.
fn read<T: DeserializeOwned>(game: Uuid, subject: Subject, json: &str) -> Option<T> {
    let review = serde_json::from_str(json);
    if let Err(error) = &review {
        tracing::error!(%error, %game, %subject, "a review that was kept cannot be read");
    }
    review.ok()
}
