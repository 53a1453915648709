//! The audit of a tournament, and the certificates of those who won it.

use actix_web::http::header;
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get};
use cardroom_core::audit::{Certificate, TournamentAuditBundle};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::games::game::{problem, tagged};
use crate::http::problem::Problem;
use crate::http::requests::conditions::{IfNoneMatch, KnownHeader};
use crate::tournaments::audits::TournamentAudits;

/// Shows everything that a finished or aborted tournament claims, for anyone to check.
///
/// The bundle has the whole log, the seed of the lots and the standings, signed by the house. `cardroom audit` checks it
/// together with the bundles of its games, which `GET /v1/audit/games?tournament=` exports: put both into one file.
#[utoipa::path(
    operation_id = "get_tournament_audit", tag = "audit",
    params(("id" = Uuid, Path, description = "The tournament."), KnownHeader),
    responses(
        (status = 200, description = "The audit bundle, in one line.", body = TournamentAuditBundle,
         headers(("ETag" = String, description = "The tournament's version."))),
        (status = 304, description = "It is still at that version."),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`not_finished`"),
    )
)]
#[get("/v1/tournaments/{id}/audit")]
pub async fn audit(
    audits: Data<TournamentAudits>,
    id: Path<Uuid>,
    known: IfNoneMatch,
) -> Result<HttpResponse, Problem> {
    let told = |error| problem(error, None);
    let tournament = audits.tournament(*id).await.map_err(told)?;
    if known.has(tournament.version) {
        let mut response = HttpResponse::NotModified();
        tagged(&mut response, tournament.version);
        return Ok(response.finish());
    }
    let (version, text) = audits.bundle(*id).await.map_err(told)?;
    let mut response = HttpResponse::Ok();
    tagged(&mut response, version);
    let name = format!("attachment; filename=\"cardroom-tournament-{id}.json\"");
    response.insert_header((header::CONTENT_DISPOSITION, name)).content_type("application/json");
    // The last line break lets the games' bundles follow in the same file.
    Ok(response.body(text + "\n"))
}

/// The certificates of a tournament.
#[derive(Debug, Serialize, ToSchema)]
pub struct Certificates {
    /// By `result` and by `score`; the latter is left out where nobody has a score above 0.
    items: Vec<Certificate>,
}

/// Shows the certificates of those who won a finished tournament, by result and by score.
///
/// The hash of a certificate is the SHA-256 of its `statement` as canonical JSON (RFC 8785). `cardroom audit` prints the
/// same hash if the tournament's audit bundle and the bundles of its games lead to the same statement. If an organiser
/// changes the outcome after the end, the certificates change, too.
#[utoipa::path(
    operation_id = "list_certificates", tag = "audit",
    params(("id" = Uuid, Path, description = "The tournament."), KnownHeader),
    responses(
        (status = 200, description = "The certificates.", body = Certificates,
         headers(("ETag" = String, description = "The tournament's version."))),
        (status = 304, description = "It is still at that version."),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`not_finished`; `was_aborted`: nobody has won it."),
    )
)]
#[get("/v1/tournaments/{id}/certificates")]
pub async fn certificates(
    audits: Data<TournamentAudits>,
    id: Path<Uuid>,
    known: IfNoneMatch,
) -> Result<HttpResponse, Problem> {
    let told = |error| problem(error, None);
    let tournament = audits.won(*id).await.map_err(told)?;
    if known.has(tournament.version) {
        let mut response = HttpResponse::NotModified();
        tagged(&mut response, tournament.version);
        return Ok(response.finish());
    }
    let (version, items) = audits.certificates(*id).await.map_err(told)?;
    let mut response = HttpResponse::Ok();
    tagged(&mut response, version);
    Ok(response.json(Certificates { items }))
}
