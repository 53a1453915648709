//! What the creator of a game settles before the start: who sits where, and who is invited.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, post, put};
use cardroom_core::table::decide::Command;
use cardroom_core::table::view::GameView;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::games::service::GameService;
use crate::http::accounts::auth::Player;
use crate::http::games::game::{Nothing, conditions, run};
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, IfMatch, WriteHeaders};

/// Clears a seat, before the start.
///
/// The creator can remove any player or bot; a removed player cannot sit down at this game again. Players can clear
/// their own seats, as by `DELETE /v1/games/{id}/seats/me`.
#[utoipa::path(
    operation_id = "clear_seat", tag = "games", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game."),
        ("seat" = u8, Path, maximum = 9, description = "The seat."),
        WriteHeaders
    ),
    responses(
        (status = 200, description = "The game.", body = GameView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_creator`"),
        (status = 404, description = "`game_not_found`, `no_such_seat`"),
        (status = 409, description = "`game_not_open`, `game_over`, `too_many_changes`"),
        (status = 412, description = "`stale_version`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[delete("/v1/games/{id}/seats/{seat}")]
pub async fn clear(
    player: Player,
    games: Data<GameService>,
    path: Path<(Uuid, u8)>,
    (key, versions): (IdempotencyKey, IfMatch),
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let (id, seat) = path.into_inner();
    let conditions = conditions(versions, key, body.digest);
    run(StatusCode::OK, player, games, id, Command::ClearSeat { seat }, conditions).await
}

/// Where to move.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveSeat {
    /// The new seat.
    #[schema(maximum = 9)]
    to: u8,
}

/// Moves a player or a bot to another seat, before the start.
///
/// Players can move themselves to free seats. The creator can move anybody; if the new seat is taken, the two change
/// places.
#[utoipa::path(
    operation_id = "move_seat", tag = "games", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game."),
        ("seat" = u8, Path, maximum = 9, description = "The seat as it is now."),
        WriteHeaders
    ),
    request_body = MoveSeat,
    responses(
        (status = 200, description = "The game.", body = GameView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_creator`"),
        (status = 404, description = "`game_not_found`, `no_such_seat`"),
        (status = 409, description = "`seat_taken`, `game_not_open`, `game_over`, `too_many_changes`"),
        (status = 412, description = "`stale_version`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[put("/v1/games/{id}/seats/{seat}")]
pub async fn change(
    player: Player,
    games: Data<GameService>,
    path: Path<(Uuid, u8)>,
    (key, versions): (IdempotencyKey, IfMatch),
    body: Body<MoveSeat>,
) -> Result<HttpResponse, Problem> {
    let (id, from) = path.into_inner();
    let MoveSeat { to } = body.value;
    let conditions = conditions(versions, key, body.digest);
    run(StatusCode::OK, player, games, id, Command::Move { from, to }, conditions).await
}

/// Replaces a private game's invite, before the start.
///
/// The old invite opens nothing any more. Players who sit at the table stay.
#[utoipa::path(
    operation_id = "renew_invite", tag = "games", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The game."), WriteHeaders),
    responses(
        (status = 200, description = "The game, with its new `invite`.", body = GameView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_creator`"),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`game_not_private`, `game_not_open`, `game_over`, `too_many_changes`"),
        (status = 412, description = "`stale_version`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[post("/v1/games/{id}/invite")]
pub async fn renew_invite(
    player: Player,
    games: Data<GameService>,
    id: Path<Uuid>,
    (key, versions): (IdempotencyKey, IfMatch),
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let conditions = conditions(versions, key, body.digest);
    run(StatusCode::OK, player, games, *id, Command::RenewInvite, conditions).await
}
