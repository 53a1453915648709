//! Bots that think ahead. A decision of theirs can take milliseconds, so it is made on threads of its own, a few at a
//! time: no request and no clock waits for it.
//!
//! The scheduler leaves a game here when such a bot's turn has come. If this replica fails, the game is due again when the
//! time is over for which the scheduler has taken it, and any replica goes on.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use cardroom_core::bots as policies;
use cardroom_core::table::Table;
use futures_util::FutureExt;
use futures_util::stream::{self, StreamExt};
use jiff::Timestamp;
use tokio::sync::{Notify, Semaphore};

use crate::games::bots;
use crate::games::service::GameService;
use crate::games::uptime::Present;
use crate::runtime::error::ServiceError;
use crate::runtime::{Executed, Request};

/// How many games may wait at this replica.
const WAITING: usize = 256;

/// How many of them are at work at the same time: most of these wait for a thread, or for the database.
const AT_WORK: usize = 32;

/// The games of this replica at which a bot thinks ahead.
#[derive(Clone)]
pub struct Thinking {
    games: GameService,
    /// A permit for each thread.
    threads: Arc<Semaphore>,
    waiting: Arc<Mutex<VecDeque<Waiting>>>,
    added: Arc<Notify>,
}

/// A game at which a bot is to think.
pub(super) struct Waiting {
    pub table: Arc<Table>,
    /// Until then, no other replica takes the game.
    pub until: Timestamp,
    /// The time to go by, if not the system's.
    pub at: Option<Timestamp>,
}

impl Thinking {
    pub fn new(games: GameService, threads: u16) -> Thinking {
        let threads = Arc::new(Semaphore::new(threads.into()));
        Thinking { games, threads, waiting: Arc::default(), added: Arc::default() }
    }

    /// Lets a game wait, if there is room.
    pub(super) fn add(&self, game: Waiting) -> bool {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let has_room = waiting.len() < WAITING;
        if has_room {
            waiting.push_back(game);
            self.added.notify_one();
        }
        has_room
    }

    /// Runs until it is dropped.
    pub(super) async fn run(&self) {
        let games = stream::unfold((), async |()| {
            loop {
                if let Some(game) = self.next() {
                    return Some((game, ()));
                }
                self.added.notified().await;
            }
        });
        games.for_each_concurrent(AT_WORK, async |game| self.act(game).await).await;
    }

    /// Lets all bots think and act whose games wait, and gives how many games those were.
    pub async fn poll(&self) -> usize {
        let games = stream::iter(std::iter::from_fn(|| self.next()));
        let acting = pin!(games.map(|game| self.act(game)).buffer_unordered(AT_WORK));
        acting.count().await
    }

    fn next(&self) -> Option<Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    async fn act(&self, game: Waiting) {
        // A game at which the program panics holds up no other.
        let error = match AssertUnwindSafe(self.try_to_act(&game)).catch_unwind().await {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "a panic".to_owned(),
        };
        tracing::error!(error, id = %game.table.id, "a bot that thinks ahead did not act");
    }

    /// The bot whose turn it is thinks, and acts if nobody else has acted since.
    async fn try_to_act(&self, Waiting { table, until, at }: &Waiting) -> Result<(), ServiceError> {
        let GameService { entropy, .. } = &self.games;
        let thread = self.threads.acquire().await.expect("the semaphore is never closed");
        let now = self.present(*at);
        // Meanwhile another replica may have taken the game.
        if self.games.uptime.now().at >= *until {
            return Ok(());
        }
        let Some((seat, policy)) = table.bot_due(now.now()) else { return Ok(()) };
        let Some(seen) = table.at_seat(seat) else { return Ok(()) };
        let luck = u64::from_be_bytes(entropy.bytes());
        let thought = tokio::task::spawn_blocking(move || policies::choose(policy, &seen, luck)).await;
        drop(thread);
        let executed = self.games.runtime.execute(table.id, Request::HOUSE, |newest| {
            if newest.version != table.version {
                return Ok(None);
            }
            let present = self.present(*at);
            let mut step = newest.step();
            bots::act(&mut step, seat, policy, thought.as_deref().ok(), &present);
            bots::follow(&mut step, &present, entropy);
            Ok(Some(step))
        });
        if let Executed::Unchanged(newest) = executed.await? {
            self.games.put_back(&newest, *until).await?;
        }
        Ok(())
    }

    fn present(&self, at: Option<Timestamp>) -> Present {
        let mut present = self.games.uptime.now();
        present.at = at.unwrap_or(present.at);
        present
    }
}
