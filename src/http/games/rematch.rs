//! Rematches.

use actix_web::http::{StatusCode, header};
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, post};
use cardroom_core::table::view::GameView;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::games::service::GameService;
use crate::http::accounts::auth::Player;
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::game::{done_response, problem, send};
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, KeyHeader};

/// A seat at the rematch.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rematch {
    /// Your contribution to the randomness, 0 to 64 characters.
    #[serde(default)]
    #[schema(max_length = 64)]
    client_seed: String,
}

/// Takes a seat at this game's rematch. Only for the players who sat at the game, once it is over.
///
/// The first request creates the rematch: a new game with the same kind, options, seats, visibility, clock and bots.
/// The other players then take seats at that game, without an invite. A player who already sits there is shown the
/// game.
#[utoipa::path(
    operation_id = "ask_for_rematch", tag = "games", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game that is over."),
        KeyHeader,
    ),
    request_body = Rematch,
    responses(
        (status = 201, description = "The new game.", body = GameView,
         headers(("Location" = String, description = "Where it is."), ("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_seated`"),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`not_finished`, `too_many_games`; of the new game: `game_not_open`, `game_over`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[post("/v1/games/{id}/rematch")]
pub async fn ask(
    (player, client): (Player, ClientAddress),
    games: Data<GameService>,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<Rematch>,
) -> Result<HttpResponse, Problem> {
    let actor = player.actor();
    games.quotas.note_network(&actor, client.network());
    let key = key.0.zip(body.digest);
    let done = games
        .rematch(*id, &actor, body.value.client_seed, key)
        .await
        .map_err(|error| problem(error, Some(&actor)))?;
    let mut response = done_response(StatusCode::CREATED, &done);
    response.insert_header((header::LOCATION, format!("/v1/games/{}", done.table.id)));
    Ok(send(response, &done.table, Some(&actor), None))
}
