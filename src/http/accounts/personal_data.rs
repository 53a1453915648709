//! All that is held about the caller, and its deletion.

use std::pin::Pin;

use actix_web::http::header;
use actix_web::web::{Bytes, Data};
use actix_web::{HttpResponse, delete, get};
use futures_util::{Stream, TryStreamExt};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::accounts::{AccountError, Accounts};
use crate::http::accounts::auth::Player;
use crate::http::accounts::sign_in::SignIn;
use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::personal_data::PersonalData;
use crate::personal_data::deletion::DeletionError;

/// The deletion of the caller's account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Deletion {
    /// Your password. A guest leaves it out.
    #[serde(default)]
    #[schema(required = false, example = "correct horse", max_length = 256, format = Password)]
    password: String,
}

/// Gives you all that is held about you.
///
/// One JSON object with your account, sessions, personal access tokens, webhooks, subscriptions to Web Push, mails that you
/// were sent, networks, series, games, tournaments and ratings. Secrets are left out. What you did in a game stands in its
/// log, `GET /v1/games/{id}/log`, and what a webhook was sent in its deliveries, `GET /v1/webhooks/{id}/deliveries`.
#[utoipa::path(
    operation_id = "export_account", tag = "accounts", security(("bearer" = [])),
    responses(
        (status = 200, description = "What is held about you.", body = serde_json::Value),
        (status = 404, description = "`player_not_found`: the account is gone.")
    )
)]
#[get("/v1/me/export")]
pub async fn export(
    accounts: Data<Accounts>,
    data: Data<PersonalData>,
    player: Player,
) -> Result<HttpResponse, Problem> {
    accounts.account(player.account).await?;
    let pieces = PersonalData::clone(&data).export(player.account);
    Ok(HttpResponse::Ok()
        .content_type("application/json")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_DISPOSITION, "attachment; filename=\"cardroom.json\""))
        .streaming(bytes(pieces)))
}

/// The pieces as a body. If one fails, the body is cut off, so that nobody takes it for complete.
fn bytes(
    pieces: impl Stream<Item = Result<String, AccountError>> + 'static,
) -> Pin<Box<dyn Stream<Item = Result<Bytes, AccountError>>>> {
    Box::pin(pieces.map_ok(Bytes::from).inspect_err(|error| tracing::error!(%error, "an export broke off")))
}

/// Deletes your account.
///
/// You leave all games and tournaments: the house plays for your seats. The account, its sessions, tokens, webhooks,
/// series and ratings go at once. Your name stays in the logs of games, because it is part of what was signed, and belongs to nobody
/// again. An access token may read for a quarter of an hour more.
#[utoipa::path(
    operation_id = "delete_account", tag = "accounts", security(("bearer" = [])),
    request_body = Deletion,
    responses(
        (status = 204, description = "It is deleted."),
        (status = 403, description = "`wrong_password`"),
        (status = 404, description = "`player_not_found`: the account is gone."),
        (status = 409, description = "`organises_tournament`: end or abort the tournament first.")
    )
)]
#[delete("/v1/me")]
pub async fn delete(
    sign_in: SignIn,
    accounts: Data<Accounts>,
    data: Data<PersonalData>,
    player: Player,
    body: Body<Deletion>,
) -> Result<HttpResponse, Problem> {
    accounts.account(player.account).await?;
    let charge = sign_in.login(&player.username, &accounts).await?;
    data.delete(player.actor(), body.value.password).await?;
    charge.give_back();
    Ok(HttpResponse::NoContent().finish())
}

impl From<DeletionError> for Problem {
    fn from(error: DeletionError) -> Problem {
        match error {
            DeletionError::Organises(_) => Problem::new("organises_tournament", error.to_string()),
            DeletionError::Account(error) => error.into(),
            DeletionError::Service(error) => problem(error, None),
        }
    }
}
