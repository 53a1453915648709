//! Tables by hand: organisers say who sits together in the next round.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, put};
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

/// The tables of a round.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PrescribeTables {
    /// The names in the standings of those who sit together, table by table. All others sit out.
    #[schema(min_items = 1, max_items = 5000)]
    tables: Vec<Vec<String>>,
}

/// Says who sits together in the next round. For organisers.
///
/// The lots decide the seats at each table. If an entrant comes or goes before the round begins, it is drawn as all
/// others are.
#[utoipa::path(
    operation_id = "prescribe_tables", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("round" = u16, Path, description = "The next round, from 1."),
        KeyHeader,
    ),
    request_body = PrescribeTables,
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`"),
        (status = 404, description = "`tournament_not_found`, `entrant_not_found`"),
        (status = 409, description = "`tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[put("/v1/tournaments/{id}/rounds/{round}/tables")]
pub async fn prescribe(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, u16)>,
    key: IdempotencyKey,
    body: Body<PrescribeTables>,
) -> Result<HttpResponse, Problem> {
    let (id, round) = path.into_inner();
    let tables = body.value.tables;
    if tables.is_empty() {
        return Err(Problem::new("invalid_body", "tables: 1 or more; DELETE lets the round be drawn again"));
    }
    let command = Command::PrescribeTables { round, tables };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}

/// Lets the next round be drawn as all others are. For organisers.
///
/// It takes back what was said about the tables. Nothing changes if nothing was.
#[utoipa::path(
    operation_id = "cancel_prescribed_tables", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("round" = u16, Path, description = "The next round, from 1."),
        KeyHeader,
    ),
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`"),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[delete("/v1/tournaments/{id}/rounds/{round}/tables")]
pub async fn cancel(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, u16)>,
    key: IdempotencyKey,
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let (id, round) = path.into_inner();
    let command = Command::PrescribeTables { round, tables: Vec::new() };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}
