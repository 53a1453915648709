//! Tables whose game went wrong.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, post};
use cardroom_core::tournament::{Command, TableScores};
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

/// Why a table is played once more.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Redo {
    /// The table's game that is to be replaced. If another organiser was quicker, the request is refused.
    game: Uuid,
    /// The reason, which everybody can read.
    #[schema(min_length = 1, max_length = 200, example = "a power cut")]
    reason: String,
}

/// How a table ended, and why an organiser says so.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewResult {
    /// The table's game whose result this is. If the table plays another by now, the request is refused.
    game: Uuid,
    /// The reason, which everybody can read.
    #[schema(min_length = 1, max_length = 200, example = "the phones died in the last hand")]
    reason: String,
    /// What each seat has at the end: stack, score or total, as the kind counts; seat 0 first, bots too.
    #[schema(min_items = 2, max_items = 10, example = json!([120, 40, 80]))]
    scores: Vec<i64>,
    /// The places, seat 0 first; equals share a place, and the next is skipped (1, 1, 3). If left out, the scores decide.
    #[schema(max_items = 10)]
    places: Option<Vec<u8>>,
}

/// Has a table of the running round played once more. For organisers.
///
/// The same entrants sit at the same seats of a new game. The earlier game counts for nothing, and is called off if it
/// runs. The tables of a duplicate round cannot be played once more, because their cards are known.
#[utoipa::path(
    operation_id = "redo_table", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("round" = u16, Path, description = "The round, from 1."),
        ("table" = u16, Path, description = "The table, from 1."),
        KeyHeader,
    ),
    request_body = Redo,
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`"),
        (status = 404, description = "`tournament_not_found`, `table_not_found`"),
        (status = 409, description = "`other_game`, `round_over`, `duplicate_table`, `tournament_not_active`, `tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/rounds/{round}/tables/{table}/redo")]
pub async fn redo(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, u16, u16)>,
    key: IdempotencyKey,
    body: Body<Redo>,
) -> Result<HttpResponse, Problem> {
    let (id, round, table) = path.into_inner();
    let Redo { game: replaced, reason } = body.value;
    let command = Command::Redo { round, table, reason, replaced, game: tournaments.fresh_id() };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}

/// Sets a table's result. For organisers.
///
/// It decides the `result` of the table's entrants, before what was played. Their `score` still comes from the hands of
/// the game alone: use penalties to change it. The game is called off if it runs. A result can be set again, also after
/// the tournament has finished. In a knockout, only the newest round's results can be set.
#[utoipa::path(
    operation_id = "set_table_result", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("round" = u16, Path, description = "The round, from 1."),
        ("table" = u16, Path, description = "The table, from 1."),
        KeyHeader,
    ),
    request_body = NewResult,
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`"),
        (status = 404, description = "`tournament_not_found`, `table_not_found`"),
        (status = 409, description = "`other_game`, `round_over`, `tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_body`, `invalid_options`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/rounds/{round}/tables/{table}/result")]
pub async fn set_result(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, u16, u16)>,
    key: IdempotencyKey,
    body: Body<NewResult>,
) -> Result<HttpResponse, Problem> {
    let (id, round, table) = path.into_inner();
    let NewResult { game, reason, scores, places } = body.value;
    let result = TableScores { scores, places };
    let command = Command::SetResult { round, table, reason, game, result };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}

/// Cancels a result that was set. For organisers.
///
/// What was played counts again; if the game was called off, the table counts for nothing.
#[utoipa::path(
    operation_id = "cancel_table_result", tag = "tournaments", security(("bearer" = [])),
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
        (status = 409, description = "`round_over`, `tournament_over`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[delete("/v1/tournaments/{id}/rounds/{round}/tables/{table}/result")]
pub async fn cancel_result(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, u16, u16)>,
    key: IdempotencyKey,
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let (id, round, table) = path.into_inner();
    let command = Command::CancelResult { round, table };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}
