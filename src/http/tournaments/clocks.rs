//! The clocks of single tables.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, post};
use cardroom_core::tournament::Command;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::accounts::auth::Player;
use crate::http::games::game::Nothing;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, KeyHeader};
use crate::http::tournaments::tournament::run;
use crate::http::tournaments::view::TournamentView;
use crate::tournaments::service::Tournaments;

/// More time for the players at a table.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtraTime {
    /// Seconds, which are added to the reserve of a seat.
    #[schema(minimum = 1, maximum = 86_400, example = 300)]
    seconds: u32,
    /// The name in the standings of the one player who gets it; if left out, each player at the table does.
    player: Option<String>,
}

/// Stops the clocks of a table of the running round. For organisers.
///
/// Nobody acts there until they run again. The game follows, as a rule within a second, with an entry of its own in its log.
#[utoipa::path(
    operation_id = "pause_table", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("round" = u16, Path, description = "The round, from 1."),
        ("table" = u16, Path, description = "The table, from 1."),
        KeyHeader,
    ),
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`"),
        (status = 404, description = "`tournament_not_found`, `table_not_found`"),
        (status = 409, description = "`round_over`, `tournament_not_active`, `tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/rounds/{round}/tables/{table}/pause")]
pub async fn pause_table(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, u16, u16)>,
    key: IdempotencyKey,
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let (id, round, table) = path.into_inner();
    let command = Command::PauseTable { round, table };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}

/// Lets the clocks of a table run again. For organisers.
///
/// Each player has as much time left as when they stopped. The clocks of a tournament that are all stopped run again
/// when the tournament is resumed.
#[utoipa::path(
    operation_id = "resume_table", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("round" = u16, Path, description = "The round, from 1."),
        ("table" = u16, Path, description = "The table, from 1."),
        KeyHeader,
    ),
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`"),
        (status = 404, description = "`tournament_not_found`, `table_not_found`"),
        (status = 409, description = "`round_over`, `tournament_paused`, `tournament_not_active`, `tournament_over`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/rounds/{round}/tables/{table}/resume")]
pub async fn resume_table(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, u16, u16)>,
    key: IdempotencyKey,
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let (id, round, table) = path.into_inner();
    let command = Command::ResumeTable { round, table };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}

/// Gives the players at a table of the running round more time. For organisers.
///
/// It is added to the reserve of each seat, or of one player's. A player for whom the clock had decided several times has a whole turn again.
#[utoipa::path(
    operation_id = "add_time", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("round" = u16, Path, description = "The round, from 1."),
        ("table" = u16, Path, description = "The table, from 1."),
        KeyHeader,
    ),
    request_body = ExtraTime,
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`"),
        (status = 404, description = "`tournament_not_found`, `table_not_found`, `entrant_not_found`"),
        (status = 409, description = "`round_over`, `tournament_not_active`, `tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_body`, `invalid_options`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/rounds/{round}/tables/{table}/extra-time")]
pub async fn add_time(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, u16, u16)>,
    key: IdempotencyKey,
    body: Body<ExtraTime>,
) -> Result<HttpResponse, Problem> {
    let (id, round, table) = path.into_inner();
    let ExtraTime { seconds, player: only } = body.value;
    let command = Command::AddTime { round, table, seconds, player: only };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}
