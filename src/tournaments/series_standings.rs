//! The standings of series. What a finished tournament left is stored; the standings of series that are asked for are
//! kept in memory.

use std::sync::Arc;

use cardroom_core::tournament::series::{Final, SeriesLine, Tally, finals};
use tokio::time::{Duration, Instant};
use uuid::Uuid;

use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::store::series::{self as store, Series, SeriesTournament};
use crate::store::status::Status;
use crate::tournaments::series::{AllSeries, points_of};
use crate::tournaments::series_cache::Stamp;

/// How long a request goes on to count tournaments of which nothing was stored. What it has counted stays stored.
const PATIENCE: Duration = Duration::from_secs(10);

/// A series with its tournaments, the oldest first, and its standings, the best first.
pub struct SeriesStandings {
    pub series: Series,
    pub tournaments: Vec<SeriesTournament>,
    pub lines: Arc<Vec<SeriesLine>>,
}

impl AllSeries {
    /// The standings as they are.
    ///
    /// # Errors
    /// `series_not_found`; [`StoreError::Busy`] where there is more to count than one request may.
    pub async fn standings(&self, id: Uuid) -> Result<SeriesStandings, ServiceError> {
        let series = self.find(id).await?;
        let tournaments = self.tournaments_of(id).await?;
        let lines = match self.cache.known(id, &stamp(&tournaments)) {
            Some(lines) => lines,
            None => self.count(&series, &tournaments).await?,
        };
        Ok(SeriesStandings { series, tournaments, lines })
    }

    async fn count(
        &self,
        series: &Series,
        tournaments: &[SeriesTournament],
    ) -> Result<Arc<Vec<SeriesLine>>, ServiceError> {
        let _turn = self.cache.turn().await;
        // Another request may have counted meanwhile.
        if let Some(lines) = self.cache.known(series.id, &stamp(tournaments)) {
            return Ok(lines);
        }
        let began = Instant::now();
        let mut tally = Tally::new(points_of(series)?, series.best.map(i16::cast_unsigned));
        for (nth, tournament) in (0..).zip(tournaments) {
            if began.elapsed() > PATIENCE {
                return Err(StoreError::Busy("the tournaments of a series").into());
            }
            if tournament.status == Status::Finished {
                tally.take(nth, self.finals(tournament).await?);
            }
        }
        let lines = tokio::task::spawn_blocking(|| Arc::new(tally.standings())).await;
        let lines = lines.map_err(|error| StoreError::Broken(error.to_string()))?;
        if tournaments.iter().all(is_settled) {
            self.cache.keep(series.id, stamp(tournaments), lines.clone());
        }
        Ok(lines)
    }

    /// What a finished tournament left to accounts.
    async fn finals(&self, tournament: &SeriesTournament) -> Result<Vec<Final>, ServiceError> {
        let (id, stamp) = (tournament.id, (tournament.version, tournament.recounted));
        let is_settled = is_settled(tournament);
        if is_settled && let Some(text) = store::finals(self.database(), id, stamp).await? {
            return serde_json::from_str(&text)
                .map_err(|error| StoreError::Broken(format!("finals of {id}: {error}")).into());
        }
        let (now, rows) = self.tournaments.standings(id).await?;
        let finals = finals(&now, &rows);
        if is_settled {
            let text = serde_json::to_string(&finals).expect("finals are plain values");
            let stamp = (now.version.cast_signed(), tournament.recounted);
            store::keep_finals(self.database(), id, stamp, &text).await?;
        }
        Ok(finals)
    }
}

/// Whether nothing more can come from its games: a table whose result was set may still be played for a moment.
fn is_settled(tournament: &SeriesTournament) -> bool {
    tournament.status != Status::Finished || tournament.is_settled
}

fn stamp(tournaments: &[SeriesTournament]) -> Vec<Stamp> {
    let counted =
        |one: &SeriesTournament| (one.status == Status::Finished).then_some((one.version, one.recounted));
    tournaments.iter().map(|one| (one.id, counted(one))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tournament(status: Status, version: i32) -> SeriesTournament {
        SeriesTournament {
            id: Uuid::from_u128(7),
            name: "cup".to_owned(),
            kind: "sevens".to_owned(),
            status,
            entrants: 8,
            version,
            recounted: 0,
            is_settled: true,
        }
    }

    #[test]
    fn standings_are_counted_anew_when_a_tournament_finishes_or_changes_after_that() {
        use Status::{Active, Finished};
        let stamp = |status, version| stamp(&[tournament(status, version)]);
        assert_eq!(stamp(Active, 3), stamp(Active, 4), "what is still played does not count yet");
        assert_ne!(stamp(Active, 4), stamp(Finished, 4));
        assert_ne!(stamp(Finished, 4), stamp(Finished, 5));
        assert_ne!(stamp(Active, 4), super::stamp(&[]), "results name their tournaments by number");
    }
}
