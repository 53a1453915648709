//! The organisers of a tournament, and their roles.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, post};
use cardroom_core::tournament::{Command, Role};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::Accounts;
use crate::http::accounts::auth::Player;
use crate::http::games::game::Nothing;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, KeyHeader};
use crate::http::tournaments::tournament::{change, made, run};
use crate::http::tournaments::view::{OrganiserView, TournamentView};
use crate::tournaments::service::Tournaments;

/// A player to be named as an organiser.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NameOrganiser {
    /// The name of the player's account.
    #[schema(min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$")]
    player: String,
    /// `director` if left out.
    #[serde(default)]
    role: NamedRole,
}

/// A role that the owner can give: there is one owner.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum NamedRole {
    Referee,
    #[default]
    Director,
}

impl From<NamedRole> for Role {
    fn from(named: NamedRole) -> Role {
        match named {
            NamedRole::Referee => Role::Referee,
            NamedRole::Director => Role::Director,
        }
    }
}

/// Names an organiser of the tournament, or gives one another role.
///
/// Directors run the tournament: they enter players, start it and call it off. Referees decide at the tables. Only the
/// owner, who created the tournament, can name organisers.
#[utoipa::path(
    operation_id = "name_organiser", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        KeyHeader,
    ),
    request_body = NameOrganiser,
    responses(
        (status = 201, description = "The organiser.", body = OrganiserView,
         headers(("ETag" = String, description = "The tournament's version."))),
        (status = 403, description = "`not_creator`"),
        (status = 404, description = "`tournament_not_found`, `player_not_found`"),
        (status = 409, description = "`tournament_over`, `too_many_changes`, `too_many_games`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/organisers")]
pub async fn name_organiser(
    player: Player,
    (tournaments, accounts): (Data<Tournaments>, Data<Accounts>),
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<NameOrganiser>,
) -> Result<HttpResponse, Problem> {
    let NameOrganiser { player: named, role } = body.value;
    let named = accounts.named(&[named]).await?.remove(0);
    let named = named.ok_or_else(|| Problem::new("player_not_found", "there is no such player"))?;
    let account = named.id;
    let command = Command::NameOrganiser { account, name: named.username, role: role.into() };
    let changed = change(&player.actor(), &tournaments, *id, &command, (key, body.digest)).await?;
    let organiser = changed.tournament.organisers().iter().find(|organiser| organiser.account == account);
    Ok(made(&changed, &organiser.map(OrganiserView::from)))
}

/// Dismisses an organiser of the tournament.
///
/// The owner can do this, and organisers can dismiss themselves. The owner stays.
#[utoipa::path(
    operation_id = "dismiss_organiser", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("player" = String, Path, description = "The organiser's name."),
        KeyHeader,
    ),
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_creator`"),
        (status = 404, description = "`tournament_not_found`, `organiser_not_found`"),
        (status = 409, description = "`owner_stays`, `tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[delete("/v1/tournaments/{id}/organisers/{player}")]
pub async fn dismiss_organiser(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, String)>,
    key: IdempotencyKey,
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let (id, name) = path.into_inner();
    let command = Command::DismissOrganiser { player: name };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}
