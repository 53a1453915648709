//! What is told about a tournament, and which entrants have checked in.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, patch, post};
use cardroom_core::tournament::{Command, TournamentPatch};
use uuid::Uuid;

use crate::accounts::scopes::Scope;
use crate::http::accounts::auth::Player;
use crate::http::games::game::{Nothing, problem};
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, KeyHeader};
use crate::http::tournaments::tournament::run;
use crate::http::tournaments::view::TournamentView;
use crate::tournaments::service::Tournaments;

/// Changes what is told about a tournament: its name, description, venue, prizes and times. For organisers.
///
/// Fields that are left out stay as they are; null clears a field. What decides play is in `setup` and does not change.
#[utoipa::path(
    operation_id = "edit_tournament", tag = "tournaments", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The tournament."), KeyHeader),
    request_body = TournamentPatch,
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`"),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_options`, `idempotency_key_reused`"),
    )
)]
#[patch("/v1/tournaments/{id}")]
pub async fn edit(
    player: Player,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<TournamentPatch>,
) -> Result<HttpResponse, Problem> {
    let command = Command::Edit(Box::new(body.value));
    run(StatusCode::OK, player, &tournaments, *id, command, (key, body.digest)).await
}

/// Checks an entrant in. For the entrant and for organisers.
///
/// In a tournament with `check_in_minutes`, entrants who have not checked in at the start are not seated. Where entrants
/// may come late, they can check in after the start and play from the next round on. In an arena, a check-in ends a break.
#[utoipa::path(
    operation_id = "check_in", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("player" = String, Path, description = "Their name in the standings."),
        KeyHeader,
    ),
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`"),
        (status = 404, description = "`tournament_not_found`, `entrant_not_found`"),
        (status = 409, description = "`check_in_not_open`, `check_in_not_needed`, `check_in_closed`, `registration_closed`, `tournament_full`, `tournament_over`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/entries/{player}/check-in")]
pub async fn check_in(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, String)>,
    key: IdempotencyKey,
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let (id, entrant) = path.into_inner();
    refuse_for_others(&player, &tournaments, id, &entrant).await?;
    let command = Command::CheckIn { player: entrant, is_present: true };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}

/// Checking in is a part of playing, so a personal access token for playing includes it, but only its own entrant's.
async fn refuse_for_others(
    player: &Player,
    tournaments: &Tournaments,
    id: Uuid,
    entrant: &str,
) -> Result<(), Problem> {
    if player.scopes.is_none_or(|scopes| scopes.include(Scope::Organise)) {
        return Ok(());
    }
    let tournament = tournaments.look(id).await.map_err(|error| problem(error, None))?;
    if tournament.entrant_of(player.account).is_some_and(|own| own.entrant.is_named(entrant)) {
        return Ok(());
    }
    let detail = "to check others in needs a personal access token with the scope `organise`";
    Err(Problem::new("insufficient_scope", detail))
}

/// Takes a check-in back. For the entrant and for organisers.
///
/// This is possible until the start. In an arena, it begins a break: the entrant gets no table until they check in. An
/// entrant can check in and take that back twenty times in all.
#[utoipa::path(
    operation_id = "cancel_check_in", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("player" = String, Path, description = "Their name in the standings."),
        KeyHeader,
    ),
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`"),
        (status = 404, description = "`tournament_not_found`, `entrant_not_found`"),
        (status = 409, description = "`check_in_not_open`, `check_in_not_needed`, `check_in_closed`, `tournament_over`, `too_many_changes`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[delete("/v1/tournaments/{id}/entries/{player}/check-in")]
pub async fn cancel_check_in(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, String)>,
    key: IdempotencyKey,
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let (id, entrant) = path.into_inner();
    refuse_for_others(&player, &tournaments, id, &entrant).await?;
    let command = Command::CheckIn { player: entrant, is_present: false };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}
