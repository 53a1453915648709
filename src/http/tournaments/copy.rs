//! A tournament made like an earlier one.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, post};
use cardroom_core::tournament::DetailsPatch;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::accounts::auth::Player;
use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, KeyHeader};
use crate::http::tournaments::tournament::send;
use crate::http::tournaments::view::TournamentView;
use crate::tournaments::service::Tournaments;

/// A tournament to be made like an earlier one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CopyTournament {
    #[schema(min_length = 1, max_length = 80, example = "Winter cup")]
    name: String,
    /// What is told about it otherwise than about the earlier one. Times are not taken over.
    #[serde(default)]
    details: DetailsPatch,
}

/// Makes another tournament like an earlier one. For its organisers.
///
/// The new one has the setup of the earlier one, by the newest rules of the kind, and its description, place, prizes and
/// time zone. It has none of its times, entrants and organisers: you create it.
#[utoipa::path(
    operation_id = "copy_tournament", tag = "tournaments", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The earlier tournament."), KeyHeader),
    request_body = CopyTournament,
    responses(
        (status = 201, description = "The new tournament.", body = TournamentView,
         headers(("Location" = String, description = "Where it is."), ("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`"),
        (status = 404, description = "`tournament_not_found`, `kind_not_found`"),
        (status = 409, description = "`too_many_games`"),
        (status = 422, description = "`invalid_options`, also where today's rules do not take the setup any more; `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/copy")]
pub async fn copy(
    player: Player,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<CopyTournament>,
) -> Result<HttpResponse, Problem> {
    let actor = player.actor();
    let earlier = tournaments.look(*id).await.map_err(|error| problem(error, None))?;
    if !actor.admin && !earlier.is_organiser(actor.account) {
        return Err(Problem::new("not_organiser", "only organisers of the earlier tournament may do this"));
    }
    let CopyTournament { name, details } = body.value;
    let copied = earlier.copied(&name, &details)?;
    let changed = tournaments.create(&actor, copied, key.0.zip(body.digest)).await;
    Ok(send(StatusCode::CREATED, &changed.map_err(|error| problem(error, None))?, &actor))
}
