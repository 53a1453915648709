//! What a tournament that is over claims, for anyone to check.

use std::sync::Arc;

use cardroom_core::audit::{Certificate, SignedTournament, certificates, tournament_bundle, tournament_head};
use cardroom_core::rules::Refusal;
use cardroom_core::tournament::{Status, Tournament};
use serde_json::value::RawValue;
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::accounts::tokens::Tokens;
use crate::runtime::error::ServiceError;
use crate::tournaments::log::broken;
use crate::tournaments::service::Tournaments;

/// How many bundles are made at once: each is in memory as a whole.
const AT_ONCE: usize = 2;

/// Writes the bundles of tournaments.
#[derive(Clone)]
pub struct TournamentAudits {
    tournaments: Tournaments,
    tokens: Arc<Tokens>,
    permits: Arc<Semaphore>,
}

impl TournamentAudits {
    pub fn new(tournaments: Tournaments, tokens: Arc<Tokens>) -> TournamentAudits {
        TournamentAudits { tournaments, tokens, permits: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// The tournament, if it is over and all its games are.
    ///
    /// # Errors
    /// `tournament_not_found`; `not_finished` while it runs, or while a game is still to be called off.
    pub async fn tournament(&self, id: Uuid) -> Result<Arc<Tournament>, ServiceError> {
        let tournament = self.tournaments.look(id).await?;
        if self.tournaments.shows_seed(&tournament).await? {
            return Ok(tournament);
        }
        Err(ServiceError::refused(Refusal::new("not_finished", "the tournament is not over")))
    }

    /// The bundle of a tournament that is over, and the version that it is of: entries can follow until it is read.
    ///
    /// # Errors
    /// [`ServiceError::Store`].
    pub async fn bundle(&self, id: Uuid) -> Result<(u32, String), ServiceError> {
        let _permit = self.permits.acquire().await;
        let (tournament, standings) = self.tournaments.standings(id).await?;
        let texts = self.tournaments.log(id, 0, tournament.version.into()).await?;
        let head = tournament_head(tournament.seed(), texts.iter().map(String::as_str));
        let signed = SignedTournament { tournament: id, version: tournament.version, hash: head };
        let signature = self.tokens.sign_tournament(&signed).await?;
        let log: Vec<&RawValue> = texts
            .iter()
            .map(|text| serde_json::from_str(text))
            .collect::<Result<_, _>>()
            .map_err(|error| broken(id, &error))?;
        Ok((tournament.version, tournament_bundle(&tournament, log, &standings, &signature)))
    }

    /// The tournament, if it has finished and all its games are over, so that somebody has won it.
    ///
    /// # Errors
    /// As [`TournamentAudits::tournament`]; `was_aborted` where it was called off.
    pub async fn won(&self, id: Uuid) -> Result<Arc<Tournament>, ServiceError> {
        let tournament = self.tournament(id).await?;
        if tournament.status() == Status::Finished {
            return Ok(tournament);
        }
        Err(ServiceError::refused(Refusal::new(
            "was_aborted",
            "the tournament was called off: nobody won it",
        )))
    }

    /// The certificates of a tournament that has finished, and the version that they are of.
    ///
    /// # Errors
    /// [`ServiceError::Store`].
    pub async fn certificates(&self, id: Uuid) -> Result<(u32, Vec<Certificate>), ServiceError> {
        let _permit = self.permits.acquire().await;
        let (tournament, standings) = self.tournaments.standings(id).await?;
        let texts = self.tournaments.log(id, 0, tournament.version.into()).await?;
        let head = tournament_head(tournament.seed(), texts.iter().map(String::as_str));
        Ok((tournament.version, certificates(&tournament, &standings, head)))
    }
}
