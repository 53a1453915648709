//! What a tournament that is over claims, for anyone to check.

use std::sync::Arc;

use cardroom_core::audit::{SignedTournament, tournament_bundle, tournament_head};
use cardroom_core::rules::Refusal;
use cardroom_core::tournament::Tournament;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::accounts::tokens::Tokens;
use crate::runtime::error::ServiceError;
use crate::tournaments::log::broken;
use crate::tournaments::service::Tournaments;

/// More entries than a log can have.
const ALL: i64 = i32::MAX as i64;

/// Writes the bundles of tournaments.
#[derive(Clone)]
pub struct TournamentAudits {
    tournaments: Tournaments,
    tokens: Arc<Tokens>,
}

impl TournamentAudits {
    pub fn new(tournaments: Tournaments, tokens: Arc<Tokens>) -> TournamentAudits {
        TournamentAudits { tournaments, tokens }
    }

    /// The tournament, if it is over.
    ///
    /// # Errors
    /// `tournament_not_found`; `not_finished` while it runs.
    pub async fn tournament(&self, id: Uuid) -> Result<Arc<Tournament>, ServiceError> {
        let tournament = self.tournaments.look(id).await?;
        if tournament.is_over() {
            return Ok(tournament);
        }
        Err(ServiceError::refused(Refusal::new("not_finished", "the tournament is not over")))
    }

    /// The bundle of a tournament that is over, and the version that it is of: entries can follow until it is read.
    ///
    /// # Errors
    /// [`ServiceError::Store`].
    pub async fn bundle(&self, id: Uuid) -> Result<(u32, String), ServiceError> {
        let (tournament, standings) = self.tournaments.standings(id).await?;
        let mut texts = self.tournaments.log(id, 0, ALL).await?;
        texts.truncate(tournament.version as usize);
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
}
