//! Bots take seats.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, post};
use cardroom_core::log::entry::Policy;
use cardroom_core::table::decide::Command;
use cardroom_core::table::view::GameView;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::games::service::GameService;
use crate::http::accounts::auth::Player;
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::game::{conditions, run};
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, IfMatch, WriteHeaders};

/// A seat for a bot.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatBot {
    policy: Policy,
}

/// Gives the lowest free seat to a bot. Only for the game's creator.
///
/// If it was the last free seat, the game starts.
#[utoipa::path(
    operation_id = "seat_bot", tag = "games", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The game."), WriteHeaders),
    request_body = SeatBot,
    responses(
        (status = 201, description = "The game.", body = GameView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_creator`; where the game starts without a person: `account_required`"),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`game_not_open`, `game_over`; where the game starts without a person: `too_many_games`"),
        (status = 412, description = "`stale_version`"),
        (status = 422, description = "`idempotency_key_reused`"),
        (status = 429, description = "`bot_budget_used_up`"),
    )
)]
#[post("/v1/games/{id}/bots")]
pub async fn seat(
    (player, client): (Player, ClientAddress),
    games: Data<GameService>,
    id: Path<Uuid>,
    (key, versions): (IdempotencyKey, IfMatch),
    body: Body<SeatBot>,
) -> Result<HttpResponse, Problem> {
    games.quotas.note_network(&player.actor(), client.network());
    let command = Command::SeatBot { policy: body.value.policy };
    let conditions = conditions(versions, key, body.digest);
    run(StatusCode::CREATED, player, games, *id, command, conditions).await
}
