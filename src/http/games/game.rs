//! Games: the table, and the actions at it.

use std::sync::Arc;

use actix_web::http::{StatusCode, header};
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, HttpResponseBuilder, delete, get, post};
use cardroom_core::log::Hex32;
use cardroom_core::table::decide::Command;
use cardroom_core::table::view::GameView;
use cardroom_core::table::{Actor, Table};
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::games::service::{Conditions, Done, GameService};
use crate::http::accounts::auth::{Player, Viewer};
use crate::http::connections::client_address::ClientAddress;
use crate::http::limits::OverLimit;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{
    IDEMPOTENCY_REPLAYED, IdempotencyKey, IfMatch, IfNoneMatch, KnownHeader, WriteHeaders, etag,
};
use crate::runtime::error::ServiceError;

/// For most games, the JSON that a caller sees is no longer than this, in bytes.
const LONG: usize = 4096;

/// Which version to show.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GameQuery {
    /// The game as it was at this version; if left out, as it is now.
    #[param(maximum = 4_294_967_295_i64)]
    version: Option<u32>,
    /// The invite to a private game, for a caller with an account or a guest's token.
    #[param(pattern = "^[0-9a-z]{10}$")]
    invite: Option<String>,
}

/// Shows a game, now or as it was.
///
/// A player at the table sees their own cards and, in their turn, `legal_actions`; everybody else sees what is public.
/// A private game is shown to its own people, and to callers who send its `invite`.
/// With `If-None-Match`, a game that has not changed is 304.
#[utoipa::path(
    operation_id = "get_game", tag = "games", security((), ("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game."), GameQuery,
        KnownHeader,
    ),
    responses(
        (status = 200, description = "The game, as the caller sees it.", body = GameView,
         headers(("ETag" = String, description = "Its version."))),
        (status = 304, description = "It is still at that version."),
        (status = 404, description = "`game_not_found`, `no_such_version`"),
    )
)]
#[get("/v1/games/{id}")]
pub async fn show(
    viewer: Viewer,
    games: Data<GameService>,
    id: Path<Uuid>,
    query: Query<GameQuery>,
    known: IfNoneMatch,
) -> Result<HttpResponse, Problem> {
    let GameQuery { version, invite } = query.into_inner();
    let actor = viewer.invited(invite);
    let table = match version {
        None => games.look(*id, actor.as_ref()).await,
        Some(version) => games.look_back(*id, actor.as_ref(), version).await,
    };
    let table = table.map_err(|error| problem(error, actor.as_ref()))?;
    let rematch = match table.is_over() {
        true => games.rematch_of(*id).await.map_err(|error| problem(error, actor.as_ref()))?,
        false => None,
    };
    // A rematch is not part of the log, so the version does not change with it.
    if known.has(table.version) && rematch.is_none() {
        let mut response = HttpResponse::NotModified();
        tagged(&mut response, table.version);
        return Ok(response.finish());
    }
    let mut response = HttpResponse::Ok();
    tagged(&mut response, table.version);
    Ok(json(response, &GameView { rematch, ..table.view(actor.as_ref()) }))
}

/// A seat to be taken.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SitDown {
    /// Your contribution to the randomness, 0 to 64 characters.
    #[serde(default)]
    #[schema(max_length = 64)]
    client_seed: String,
    /// The invite, which opens a private game.
    invite: Option<String>,
    /// The seat that you want; if left out, the lowest free one.
    #[schema(maximum = 9)]
    seat: Option<u8>,
}

/// Sits down.
///
/// When the last seat is taken, the game starts.
#[utoipa::path(
    operation_id = "sit_down", tag = "games", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The game."), WriteHeaders),
    request_body = SitDown,
    responses(
        (status = 201, description = "The game.", body = GameView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`wrong_invite`, `removed`"),
        (status = 404, description = "`game_not_found`, `no_such_seat`"),
        (status = 409, description = "`already_seated`, `seat_taken`, `game_not_open`, `game_over`, `too_many_changes`"),
        (status = 412, description = "`stale_version`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[post("/v1/games/{id}/seats")]
pub async fn sit_down(
    player: Player,
    games: Data<GameService>,
    id: Path<Uuid>,
    (key, versions): (IdempotencyKey, IfMatch),
    body: Body<SitDown>,
) -> Result<HttpResponse, Problem> {
    let SitDown { client_seed, invite, seat } = body.value;
    let command = Command::Sit { client_seed, invite, seat };
    let conditions = conditions(versions, key, body.digest);
    run(StatusCode::CREATED, player, games, *id, command, conditions).await
}

/// A request without further fields.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object without fields, or no body")]
pub struct Nothing {}

/// Leaves your seat, before the start.
///
/// The seat is free for somebody else. After the start, a player can resign.
#[utoipa::path(
    operation_id = "stand_up", tag = "games", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The game."), WriteHeaders),
    responses(
        (status = 200, description = "The game.", body = GameView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_seated`"),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`game_not_open`, `game_over`"),
        (status = 412, description = "`stale_version`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[delete("/v1/games/{id}/seats/me")]
pub async fn stand_up(
    player: Player,
    games: Data<GameService>,
    id: Path<Uuid>,
    (key, versions): (IdempotencyKey, IfMatch),
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let conditions = conditions(versions, key, body.digest);
    run(StatusCode::OK, player, games, *id, Command::StandUp, conditions).await
}

/// Starts the game with the seated players.
///
/// Only the creator of the game can do this. Seats that nobody took are left out.
#[utoipa::path(
    operation_id = "start_game", tag = "games", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The game."), WriteHeaders),
    responses(
        (status = 200, description = "The game.", body = GameView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_creator`; without a person: `account_required`"),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`too_few_players`, `game_not_open`, `game_over`; without a person: `too_many_games`"),
        (status = 412, description = "`stale_version`"),
        (status = 422, description = "`idempotency_key_reused`"),
        (status = 429, description = "`bot_budget_used_up`"),
    )
)]
#[post("/v1/games/{id}/start")]
pub async fn start(
    (player, client): (Player, ClientAddress),
    games: Data<GameService>,
    id: Path<Uuid>,
    (key, versions): (IdempotencyKey, IfMatch),
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    games.quotas.note_network(&player.actor(), client.network());
    let conditions = conditions(versions, key, body.digest);
    run(StatusCode::OK, player, games, *id, Command::Start, conditions).await
}

/// Calls the game off.
///
/// Before the start, its creator can do this. While it is played, all players have to: each sends this request, and the
/// last one's calls it off; until then, `agrees_to_abort` shows who wants to. A player who acts afterwards has changed
/// their mind. Bots and players who have resigned are not asked. An admin can call a game off until it is over. The
/// server seed is published, so that everybody can check what was dealt.
#[utoipa::path(
    operation_id = "abort_game", tag = "games", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The game."), WriteHeaders),
    responses(
        (status = 200, description = "The game.", body = GameView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_creator`, `not_seated`"),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`already_agreed`, `resigned`, `tournament_game`, `game_over`"),
        (status = 412, description = "`stale_version`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[post("/v1/games/{id}/abort")]
pub async fn abort(
    player: Player,
    games: Data<GameService>,
    id: Path<Uuid>,
    (key, versions): (IdempotencyKey, IfMatch),
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let conditions = conditions(versions, key, body.digest);
    run(StatusCode::OK, player, games, *id, Command::Abort, conditions).await
}

/// Resigns: leaves the running game for good.
///
/// From now on the house plays for your seat, at once and with the action that the clock would take. The game ends as
/// the rules say, with a place for you. It no longer counts as one of your running games, and no stream tells you more
/// of it.
#[utoipa::path(
    operation_id = "resign", tag = "games", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The game."), WriteHeaders),
    responses(
        (status = 200, description = "The game.", body = GameView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_seated`"),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`resigned`, `game_not_active`, `game_over`"),
        (status = 412, description = "`stale_version`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[post("/v1/games/{id}/resign")]
pub async fn resign(
    player: Player,
    games: Data<GameService>,
    id: Path<Uuid>,
    (key, versions): (IdempotencyKey, IfMatch),
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let conditions = conditions(versions, key, body.digest);
    run(StatusCode::OK, player, games, *id, Command::Resign, conditions).await
}

/// An action, for the OpenAPI document; the module `schemas` says what its parameters may be.
#[derive(Debug, ToSchema)]
pub struct Action {
    /// The action's name.
    #[schema(rename = "type")]
    pub r#type: String,
}

/// Takes an action.
///
/// Send one of `legal_actions` with all its parameters, each out of its domain. Every such action is accepted, and nothing
/// else is. The parameters stand beside `type`: where a line is `{"type": "give", "params": {"seat": {"from": [1, 2], …}}}`,
/// send `{"type": "give", "seat": 1}`. With `Idempotency-Key`, a repeat does no harm; with `If-Match`, the action counts only at the version that
/// you saw.
#[utoipa::path(
    operation_id = "act", tag = "games", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The game."), WriteHeaders),
    request_body = Action,
    responses(
        (status = 201, description = "The game after it; `seq` and `hash` are of the action's own entry.", body = GameView,
         headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_seated`"),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`not_your_turn`, `game_not_active`, `game_paused`, `resigned`, `game_over`"),
        (status = 412, description = "`stale_version`"),
        (status = 422, description = "`illegal_action`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/games/{id}/actions")]
pub async fn act(
    player: Player,
    games: Data<GameService>,
    id: Path<Uuid>,
    (key, versions): (IdempotencyKey, IfMatch),
    over_limit: OverLimit,
    body: Body<Box<RawValue>>,
) -> Result<HttpResponse, Problem> {
    let conditions = Conditions { over_limit: over_limit.0, ..conditions(versions, key, body.digest) };
    let command = Command::Act { action: body.value };
    run(StatusCode::CREATED, player, games, *id, command, conditions).await
}

pub(crate) fn conditions(versions: IfMatch, key: IdempotencyKey, digest: Option<[u8; 32]>) -> Conditions {
    Conditions { if_match: versions.listed(), key: key.0.zip(digest), over_limit: false }
}

/// Runs any change to an existing game.
pub(crate) async fn run(
    status: StatusCode,
    player: Player,
    games: Data<GameService>,
    id: Uuid,
    command: Command,
    conditions: Conditions,
) -> Result<HttpResponse, Problem> {
    let actor = player.actor();
    let done = games
        .command(id, &actor, &command, &conditions)
        .await
        .map_err(|error| problem(error, Some(&actor)))?;
    let response = done_response(status, &done);
    let own = matches!(command, Command::Act { .. }).then_some((done.seq, done.hash));
    Ok(send(response, &done.table, Some(&actor), own))
}

pub(crate) fn done_response(status: StatusCode, done: &Done) -> HttpResponseBuilder {
    let mut response = HttpResponse::build(status);
    if done.replayed {
        response.insert_header((IDEMPOTENCY_REPLAYED, "true"));
    }
    response
}

/// The game as the caller sees it; `own`: the entry of the caller's action.
pub(crate) fn send(
    mut response: HttpResponseBuilder,
    table: &Arc<Table>,
    viewer: Option<&Actor>,
    own: Option<(u32, Hex32)>,
) -> HttpResponse {
    tagged(&mut response, table.version);
    let (seq, hash) = own.unzip();
    json(response, &GameView { seq, hash, ..table.view(viewer) })
}

/// The game as the answer's body.
fn json(mut response: HttpResponseBuilder, game: &GameView<'_>) -> HttpResponse {
    let mut body = Vec::with_capacity(LONG);
    serde_json::to_writer(&mut body, game).expect("what is shown has string keys and plain values");
    response.content_type("application/json").body(body)
}

/// Puts the version into the `ETag`. It is the same for every caller, and the view is not: a browser would ask whether the
/// version has changed, and show whoever signs in what whoever signed out has seen. So none keeps it.
pub fn tagged(response: &mut HttpResponseBuilder, version: u32) {
    response.insert_header((header::ETAG, etag(version)));
    response.insert_header((header::CACHE_CONTROL, "private, no-store"));
}

/// The problem for a failure. If the failure concerns a table that the caller may see, it also shows the state of the
/// table.
pub fn problem(error: ServiceError, viewer: Option<&Actor>) -> Problem {
    let at_table = |problem: Problem, table: &Table| {
        let seat = viewer.and_then(|actor| table.seat_of(actor.account));
        problem.at_table(table.version, table.to_act().iter().collect(), table.legal_actions(seat))
    };
    match error {
        ServiceError::NotFound => Problem::new("game_not_found", "there is no such game, or it is private"),
        ServiceError::NoSuchVersion => Problem::new("no_such_version", "the game has no such version"),
        ServiceError::Refused { refusal, table } => match table {
            Some(table) if table.is_visible_to(viewer) => at_table(refusal.into(), &table),
            _ => refusal.into(),
        },
        ServiceError::Stale(table) => {
            at_table(Problem::new("stale_version", "the game is at another version than If-Match"), &table)
        }
        ServiceError::BudgetUsedUp { seconds } => {
            let detail =
                format!("bots have played as much without a person as they may; try again in {seconds} s");
            Problem::new("bot_budget_used_up", detail).with_header(header::RETRY_AFTER, seconds.into())
        }
        ServiceError::OverLimit => {
            Problem::new("too_many_requests", "too many requests; try again in a moment")
        }
        ServiceError::KeyReused => {
            Problem::new("idempotency_key_reused", "this Idempotency-Key came with another request before")
        }
        ServiceError::Store(error) => error.into(),
        ServiceError::Fault(..) | ServiceError::BrokenTournament(..) => {
            tracing::error!(%error, "a log does not replay");
            Problem::new("internal", "something went wrong on our side; it has been logged")
        }
    }
}
