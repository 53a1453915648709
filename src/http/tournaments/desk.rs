//! What organisers do while a tournament runs.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, post};
use cardroom_core::tournament::{Command, Who};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::Accounts;
use crate::http::accounts::auth::Player;
use crate::http::games::game::Nothing;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, KeyHeader};
use crate::http::tournaments::tournament::run;
use crate::http::tournaments::view::TournamentView;
use crate::tournaments::service::Tournaments;

/// The player who takes an entrant's place.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    /// The name of the player's account.
    #[schema(min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$")]
    player: String,
}

/// Why a tournament is paused.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pause {
    /// The reason, which everybody can read; empty if left out.
    #[serde(default)]
    #[schema(max_length = 200, example = "Lunch until two.")]
    reason: String,
    /// Whether the clocks of all tables stand still, too: nobody acts until the tournament is resumed.
    #[serde(default)]
    stop_clocks: bool,
}

/// Lets an entrant in again who has withdrawn or was disqualified. For organisers.
///
/// The entrant plays from the next round on. The results of a disqualified entrant count again.
#[utoipa::path(
    operation_id = "reinstate", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("player" = String, Path, description = "Their name in the standings."),
        KeyHeader,
    ),
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`"),
        (status = 404, description = "`tournament_not_found`, `entrant_not_found`"),
        (status = 409, description = "`entrant_not_out`, `tournament_full`, `team_full`, `team_name_taken`, `tournament_not_open`, `tournament_over`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/entries/{player}/reinstate")]
pub async fn reinstate(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, String)>,
    key: IdempotencyKey,
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let (id, entrant) = path.into_inner();
    let command = Command::Reinstate { player: entrant };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}

/// Gives an entrant's place to another player. For organisers.
///
/// The player plays from the next round on, and has all that the entrant has earned. At a table that runs, the entrant
/// plays on.
#[utoipa::path(
    operation_id = "replace_entrant", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("player" = String, Path, description = "The entrant's name in the standings."),
        KeyHeader,
    ),
    request_body = Replacement,
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`"),
        (status = 404, description = "`tournament_not_found`, `entrant_not_found`, `player_not_found`"),
        (status = 409, description = "`already_entered`, `tournament_full`, `too_many_games`, `tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/entries/{player}/replace")]
pub async fn replace(
    player: Player,
    (tournaments, accounts): (Data<Tournaments>, Data<Accounts>),
    path: Path<(Uuid, String)>,
    key: IdempotencyKey,
    body: Body<Replacement>,
) -> Result<HttpResponse, Problem> {
    let (id, entrant) = path.into_inner();
    let named = accounts.named(&[body.value.player]).await?.remove(0);
    let named = named.ok_or_else(|| Problem::new("player_not_found", "there is no such player"))?;
    let by = Who::Player {
        account: named.id,
        player: named.username,
        client_seed: String::new(),
        program: named.is_program,
    };
    let command = Command::Replace { player: entrant, by };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}

/// Pauses the tournament. For organisers.
///
/// No round is drawn until it is resumed. Tables that run play on, unless their clocks are stopped, too. A tournament that
/// is paused already can have its clocks stopped.
#[utoipa::path(
    operation_id = "pause_tournament", tag = "tournaments", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The tournament."), KeyHeader),
    request_body = Option<Pause>,
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`"),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`tournament_not_active`, `tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/pause")]
pub async fn pause(
    player: Player,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<Pause>,
) -> Result<HttpResponse, Problem> {
    let command = Command::Pause { reason: body.value.reason, stop_clocks: body.value.stop_clocks };
    run(StatusCode::OK, player, &tournaments, *id, command, (key, body.digest)).await
}

/// Resumes a paused tournament. For organisers.
///
/// The clocks of all tables run again, and the next round is drawn as soon as the running one is over. In a tournament that pauses after each round, this is how
/// the next one is called.
#[utoipa::path(
    operation_id = "resume_tournament", tag = "tournaments", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The tournament."), KeyHeader),
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`"),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`tournament_not_active`, `tournament_over`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/resume")]
pub async fn resume(
    player: Player,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    run(StatusCode::OK, player, &tournaments, *id, Command::Resume, (key, body.digest)).await
}

/// Why an entrant is disqualified.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Disqualify {
    /// The reason, which everybody can read in the log, 1 to 200 characters.
    #[schema(min_length = 1, max_length = 200)]
    reason: String,
}

/// Disqualifies an entrant. For organisers.
///
/// The standings are as if the entrant's seats had been nobody's. This is also possible after the tournament has
/// finished, but not after it was called off.
#[utoipa::path(
    operation_id = "disqualify", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("player" = String, Path, description = "Their name in the standings."),
        KeyHeader,
    ),
    request_body = Disqualify,
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`"),
        (status = 404, description = "`tournament_not_found`, `entrant_not_found`"),
        (status = 409, description = "`tournament_over`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/entries/{player}/disqualify")]
pub async fn disqualify(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, String)>,
    key: IdempotencyKey,
    body: Body<Disqualify>,
) -> Result<HttpResponse, Problem> {
    let (id, name) = path.into_inner();
    let command = Command::Disqualify { player: name, reason: body.value.reason };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}
