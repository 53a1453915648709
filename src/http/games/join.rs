//! A seat at any table that fits.

use actix_web::http::{StatusCode, header};
use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use cardroom_core::log::entry::Visibility;
use cardroom_core::rules::registry::KindName;
use cardroom_core::table::view::GameView;
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::games::service::GameService;
use crate::http::accounts::auth::Player;
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::create::{CreateGame, a_day, new_game, yes};
use crate::http::games::game::{done_response, problem, send};
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, KeyHeader};

/// The game that you want to play.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinGame {
    #[schema(value_type = KindName)]
    kind: String,
    /// The kind's own options. An option that is left out has its default.
    #[schema(value_type = Option<Object>)]
    options: Option<Box<RawValue>>,
    /// The number of seats. If left out, any number; a game that is created for you then has the kind's maximum.
    seats: Option<u8>,
    /// Your contribution to the randomness, 0 to 64 characters.
    #[serde(default)]
    #[schema(max_length = 64)]
    client_seed: String,
    /// Seconds for each decision, after which the clock acts for the seat. If left out, a day; null for no time limit.
    #[serde(default = "a_day")]
    #[schema(minimum = 5, maximum = 604_800)]
    turn_seconds: Option<u32>,
    /// Seconds that each seat has in reserve for the whole game, used up before the clock acts.
    #[serde(default)]
    #[schema(maximum = 604_800)]
    bank_seconds: u32,
    /// Whether the result counts for ratings; `true` if left out. It does where two players or more have accounts,
    /// and all seats begin alike.
    #[serde(default = "yes")]
    rated: bool,
}

/// Sits down at any game that fits.
///
/// You get a seat at the oldest public game without bots that has the same kind, options and clock and counts for
/// ratings as you want. If there is none, a game is created for you, and the next players who join sit down there. If
/// you wait at such a game already, it is shown to you. The game starts when its last seat is taken.
#[utoipa::path(
    operation_id = "join_game", tag = "games", security(("bearer" = [])),
    params(KeyHeader),
    request_body = JoinGame,
    responses(
        (status = 201, description = "The game at which you sit.", body = GameView,
         headers(("Location" = String, description = "Where it is."), ("ETag" = String, description = "Its version."))),
        (status = 404, description = "`kind_not_found`"),
        (status = 409, description = "`too_many_games`"),
        (status = 422, description = "`invalid_options`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/games/join")]
pub async fn join(
    (player, client): (Player, ClientAddress),
    games: Data<GameService>,
    key: IdempotencyKey,
    body: Body<JoinGame>,
) -> Result<HttpResponse, Problem> {
    let actor = player.actor();
    games.quotas.note_network(&actor, client.network());
    let JoinGame { kind, options, seats, client_seed, turn_seconds, bank_seconds, rated } = body.value;
    let new = new_game(CreateGame {
        kind,
        options,
        seats,
        visibility: Visibility::Public,
        sit: true,
        client_seed: Some(client_seed),
        turn_seconds,
        bank_seconds,
        bots: Vec::new(),
        bot_delay_ms: 0,
        rated,
    })?;
    let done = games
        .join(&actor, new, seats, key.0.zip(body.digest))
        .await
        .map_err(|error| problem(error, Some(&actor)))?;
    let mut response = done_response(StatusCode::CREATED, &done);
    response.insert_header((header::LOCATION, format!("/v1/games/{}", done.table.id)));
    Ok(send(response, &done.table, Some(&actor), None))
}
