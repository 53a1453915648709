//! Streams of a tournament's standings: the first rows, and then what changes in them.

use std::sync::Arc;
use std::time::Duration;

use cardroom_core::tournament::{Row, Status, Tournament};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval};
use uuid::Uuid;

use crate::runtime::error::ServiceError;
use crate::streams::cursor::{Cursor, End, Step};
use crate::tournaments::service::Tournaments;

/// How often a follower looks at the standings. What was read for one follower serves the others of the replica for half
/// as long.
const PERIOD: Duration = Duration::from_secs(1);

/// The cursor of a client that follows the standings.
pub struct StandingsCursor {
    tournaments: Tournaments,
    id: Uuid,
    clock: Interval,
    /// How many rows the client wants, and what it was told of them.
    limit: usize,
    told: Option<Told>,
}

/// What a client was told.
struct Told {
    /// How many changes.
    n: u32,
    tournament: Arc<Tournament>,
    rows: Arc<Vec<Row>>,
}

/// A change of the standings, or at first all of what the client wants.
pub struct StandingsChange {
    /// From 1.
    pub n: u32,
    pub status: Status,
    pub round: u16,
    /// How many rows the standings have.
    pub total: usize,
    /// The rows that differ, each with its position, from 0.
    pub rows: Vec<(usize, Row)>,
}

impl Tournaments {
    /// Follows the first `limit` rows of a tournament's standings.
    ///
    /// # Errors
    /// `tournament_not_found`.
    pub async fn follow_standings(&self, id: Uuid, limit: usize) -> Result<StandingsCursor, ServiceError> {
        self.recent_standings(id).await?;
        let mut clock = interval(PERIOD);
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Ok(StandingsCursor { tournaments: self.clone(), id, clock, limit, told: None })
    }

    /// The standings as they were a moment ago.
    async fn recent_standings(&self, id: Uuid) -> Result<(Arc<Tournament>, Arc<Vec<Row>>), ServiceError> {
        let cached = self.runtime.cached(id).await?;
        let mut recent = cached.companion.recent_standings.lock().await;
        if let Some((at, tournament, rows)) = &*recent
            && at.elapsed() < PERIOD / 2
        {
            return Ok((tournament.clone(), rows.clone()));
        }
        let (tournament, rows) = self.standings(id).await?;
        *recent = Some((Instant::now(), tournament.clone(), rows.clone()));
        Ok((tournament, rows))
    }
}

impl StandingsCursor {
    /// What differs from what the client was told.
    fn change(&self, tournament: &Tournament, rows: &[Row]) -> Option<StandingsChange> {
        let (status, round) = (tournament.status(), tournament.rounds().len() as u16);
        let (n, before, is_same) = match &self.told {
            None => (1, &[][..], false),
            Some(told) => {
                let then = (told.tournament.status(), told.tournament.rounds().len() as u16);
                (told.n + 1, &told.rows[..], then == (status, round) && told.rows.len() == rows.len())
            }
        };
        let rows_now = rows.iter().take(self.limit).enumerate();
        let differing: Vec<_> = rows_now
            .filter(|(at, row)| before.get(*at) != Some(row))
            .map(|(at, row)| (at, row.clone()))
            .collect();
        let is_news = !is_same || !differing.is_empty();
        is_news.then_some(StandingsChange { n, status, round, total: rows.len(), rows: differing })
    }
}

impl Cursor for StandingsCursor {
    type Event = StandingsChange;

    /// A client gets the rows once, also those of a tournament that is over.
    fn is_done(&self) -> bool {
        false
    }

    async fn advance(&mut self) -> Result<Step<StandingsChange>, ServiceError> {
        if self.tournaments.games.runtime.store.watch.is_closed() {
            return Ok(Step::End(End::Complete));
        }
        self.clock.tick().await;
        let (tournament, rows) = self.tournaments.recent_standings(self.id).await?;
        let change = self.change(&tournament, &rows);
        match change {
            Some(change) => {
                self.told = Some(Told { n: change.n, tournament, rows });
                Ok(Step::Event(change))
            }
            None if tournament.is_over() => Ok(Step::End(End::Complete)),
            None => Ok(Step::Pending),
        }
    }
}
