//! Tournaments: each log replayed, and the rows beside it.

use std::collections::BTreeSet;

use cardroom_core::log::fairness::Seed;
use cardroom_core::tournament::{Tournament, TournamentEntry};
use uuid::Uuid;

use super::{Check, Comparison, LOOKS, PAGE, named};
use crate::store::check::TournamentRow;
use crate::store::error::StoreError;
use crate::store::status::Status;

/// More entries than a log can have.
const ALL: i64 = i32::MAX as i64;

impl Check<'_> {
    pub(super) async fn tournaments(&mut self, of: u64) -> Result<(), StoreError> {
        let mut after = Uuid::nil();
        loop {
            let page = self.database.tournament_rows(after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.tournament_id;
            for row in page {
                self.tournament(row.tournament_id).await?;
                self.progress("tournaments", self.checked.tournaments, of);
            }
        }
    }

    async fn tournament(&mut self, id: Uuid) -> Result<(), StoreError> {
        let mut faults = Vec::new();
        for _ in 0..LOOKS {
            faults = self.faults_of_tournament(id).await?;
            if faults.is_empty() {
                break;
            }
        }
        self.checked.tournaments += 1;
        self.faults(&named("tournament", id), &faults);
        Ok(())
    }

    async fn faults_of_tournament(&self, id: Uuid) -> Result<Vec<String>, StoreError> {
        let Some(row) = self.database.tournament_row(id).await? else { return Ok(Vec::new()) };
        let games = self.database.games_of_tournament(id).await?;
        let texts = self.database.tournament_entries(id, 0, ALL).await?;
        let seed = match self.database.tournament_seed(id).await {
            Ok(Some(seed)) => seed,
            Ok(None) => return Ok(Vec::new()),
            Err(error) => return Ok(vec![self.fault_of(error.into())?]),
        };
        let entries: Result<Vec<_>, _> = texts.iter().map(|text| TournamentEntry::parse(text)).collect();
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) => return Ok(vec![error.to_string()]),
        };
        Ok(match Tournament::replay(id, Seed::new(seed), entries) {
            Ok(tournament) => rows_differ(&row, &games, &tournament),
            Err(fault) => vec![fault.to_string()],
        })
    }
}

fn rows_differ(row: &TournamentRow, games: &[Uuid], tournament: &Tournament) -> Vec<String> {
    let mut compared = Comparison(Vec::new());
    compared.of("name", row.name.as_str(), &tournament.setup().name);
    compared.of("kind", row.kind.as_str(), tournament.kind().kind);
    compared.of("status", row.status, Status::from(tournament.status()));
    compared.of("entrants", row.entrants.unsigned_abs() as usize, tournament.entered());
    compared.of("round", usize::from(row.round.unsigned_abs()), tournament.rounds().len());
    compared.of("created_at", row.created_at.into(), tournament.created_at());
    compared.of("is_paused", row.is_paused, tournament.is_paused());
    compared.of("is_unsettled", row.is_unsettled, tournament.is_unsettled());
    let dealt = tournament.rounds().iter().flat_map(|round| &round.tables).map(|table| table.game);
    let dealt: BTreeSet<Uuid> = dealt.collect();
    for game in dealt.iter().filter(|game| !games.contains(game)) {
        compared.0.push(format!("its game {game} is not there"));
    }
    compared.0
}
