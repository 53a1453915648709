//! Bots that think ahead. A decision of theirs takes milliseconds, so it is made on threads of its own, a few at a time:
//! no request and no clock waits for it.
//!
//! The scheduler leaves a game here when such a bot's turn has come. If this replica fails, or has no room, the game is
//! due again when the time is over for which the scheduler has taken it, and another replica goes on.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use cardroom_core::bots as policies;
use cardroom_core::table::Table;
use futures_util::stream::{self, StreamExt};
use jiff::Timestamp;
use tokio::sync::Notify;

use crate::games::bots;
use crate::games::service::GameService;
use crate::runtime::error::ServiceError;
use crate::runtime::{Executed, Request};

/// How many games may wait at this replica.
const WAITING: usize = 256;

/// The games of this replica at which a bot thinks ahead.
#[derive(Clone)]
pub struct Thinking {
    games: GameService,
    /// How many bots think at the same time.
    threads: usize,
    waiting: Arc<Mutex<VecDeque<Waiting>>>,
    added: Arc<Notify>,
}

struct Waiting {
    table: Arc<Table>,
    /// Until then, no other replica takes the game.
    until: Timestamp,
}

impl Thinking {
    pub fn new(games: GameService, threads: u16) -> Thinking {
        Thinking { games, threads: threads.into(), waiting: Arc::default(), added: Arc::default() }
    }

    /// Lets a game wait that was taken `until` then, if there is room.
    pub(super) fn add(&self, table: Arc<Table>, until: Timestamp) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < WAITING {
            waiting.push_back(Waiting { table, until });
            self.added.notify_one();
        }
    }

    /// Runs until it is dropped.
    pub(super) async fn run(&self) {
        loop {
            if self.poll().await == 0 {
                self.added.notified().await;
            }
        }
    }

    /// Lets all bots think and act whose games wait, and gives how many games those were.
    pub async fn poll(&self) -> usize {
        let next = || self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let decisions = stream::iter(std::iter::from_fn(next)).map(async |Waiting { table, until }| {
            if let Err(error) = self.act(&table, until).await {
                tracing::error!(%error, id = %table.id, "a bot that thinks ahead did not act");
            }
        });
        decisions.buffer_unordered(self.threads).count().await
    }

    /// The bot whose turn it is thinks, and acts if nobody else has acted since.
    async fn act(&self, table: &Table, until: Timestamp) -> Result<(), ServiceError> {
        let GameService { uptime, entropy, database, .. } = &self.games;
        let present = uptime.now();
        // Meanwhile another replica may have taken the game.
        if present.at >= until {
            return Ok(());
        }
        let Some((seat, policy)) = table.bot_due(present.now()) else { return Ok(()) };
        let Some(seen) = table.at_seat(seat) else { return Ok(()) };
        let luck = u64::from_be_bytes(entropy.bytes());
        let timer = database.metrics.thoughts.start_timer();
        let thought = tokio::task::spawn_blocking(move || policies::choose(policy, &seen, luck)).await;
        timer.observe_duration();
        let executed = self.games.runtime.execute(table.id, Request::HOUSE, |newest| {
            if newest.version != table.version {
                return Ok(None);
            }
            let present = uptime.now();
            let mut step = newest.step();
            bots::act(&mut step, seat, policy, thought.as_deref().ok(), &present);
            bots::follow(&mut step, &present, entropy);
            Ok(Some(step))
        });
        if let Executed::Unchanged(newest) = executed.await? {
            let due = newest.due(uptime.now().now());
            database.put_back(table.id, until, due).await?;
        }
        Ok(())
    }
}
