//! The caller's sessions and password.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, delete, get, put};
use cardroom_core::log::entry::Time;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::accounts::Accounts;
use crate::accounts::sessions::SessionInfo;
use crate::http::accounts::auth::Player;
use crate::http::accounts::sign_in::SignIn;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::page::{self, Page};

/// A page of the sessions.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SessionsQuery {
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    cursor: Option<Uuid>,
}

/// A session: a sign-in, and the refresh tokens that came from it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SessionInfo)]
pub struct SessionView {
    id: Uuid,
    /// Whether it is the one that makes this request.
    current: bool,
    /// When somebody signed in.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When its tokens were last renewed.
    #[schema(value_type = String, format = DateTime)]
    refreshed_at: Time,
    /// When it ends if its tokens are not renewed.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
}

/// A change of the password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordChange {
    #[schema(example = "correct horse", max_length = 256, format = Password)]
    current_password: String,
    #[schema(example = "battery staple", min_length = 8, max_length = 256, format = Password)]
    new_password: String,
}

/// Changes your password, and ends all your other sessions.
///
/// Access tokens of those sessions expire within a quarter of an hour. A mail address that was not confirmed is forgotten.
/// Recovery codes and personal access tokens stay: if somebody else has known your password, renew the codes and end the
/// tokens that you do not know.
#[utoipa::path(
    operation_id = "change_password", tag = "accounts", security(("bearer" = [])),
    request_body = PasswordChange,
    responses(
        (status = 204, description = "The new password holds."),
        (status = 403, description = "`wrong_password`; `account_required`: a guest has no password."),
        (status = 422, description = "`weak_password`: the detail says what makes it easy to guess.")
    )
)]
#[put("/v1/me/password")]
pub async fn change_password(
    sign_in: SignIn,
    accounts: Data<Accounts>,
    player: Player,
    body: Body<PasswordChange>,
) -> Result<HttpResponse, Problem> {
    let PasswordChange { current_password, new_password } = body.value;
    // With a stolen token nobody guesses passwords faster than without one.
    let charge = sign_in.login(&player.username, &accounts).await?;
    accounts.change_password(&player, current_password, new_password).await?;
    charge.give_back();
    Ok(HttpResponse::NoContent().finish())
}

/// Lists your sessions, the newest first.
///
/// A session is a sign-in, with the tokens that came from it. It ends if they are not renewed for 30 days.
#[utoipa::path(
    operation_id = "list_sessions", tag = "accounts", params(SessionsQuery), security(("bearer" = [])),
    responses((status = 200, description = "A page of sessions.", body = Page<SessionView>))
)]
#[get("/v1/me/sessions")]
pub async fn list(
    request: HttpRequest,
    accounts: Data<Accounts>,
    player: Player,
    query: Query<SessionsQuery>,
) -> Result<HttpResponse, Problem> {
    let limit = page::limit(query.limit)?;
    let found = accounts.sessions(player.account, query.cursor, limit + 1).await?;
    let view = |SessionInfo { id, created_at, refreshed_at, expires_at }| SessionView {
        id,
        current: id == player.session,
        created_at: Time(created_at),
        refreshed_at: Time(refreshed_at),
        expires_at: Time(expires_at),
    };
    Ok(Page::of(found.into_iter().map(view), limit, |session| session.id.to_string()).answer(&request))
}

/// Ends one of your sessions.
///
/// Its refresh tokens stop working. Its access token expires within a quarter of an hour.
#[utoipa::path(
    operation_id = "end_session", tag = "accounts", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The session.")),
    responses(
        (status = 204, description = "It has ended."),
        (status = 404, description = "`session_not_found`")
    )
)]
#[delete("/v1/me/sessions/{id}")]
pub async fn end(accounts: Data<Accounts>, player: Player, id: Path<Uuid>) -> Result<HttpResponse, Problem> {
    accounts.end_session(player.account, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Ends all your sessions but this one.
///
/// Their refresh tokens stop working. Their access tokens expire within a quarter of an hour.
#[utoipa::path(
    operation_id = "end_other_sessions", tag = "accounts", security(("bearer" = [])),
    responses((status = 204, description = "They have ended."))
)]
#[delete("/v1/me/sessions")]
pub async fn end_others(accounts: Data<Accounts>, player: Player) -> Result<HttpResponse, Problem> {
    accounts.end_other_sessions(player.account, player.session).await?;
    Ok(HttpResponse::NoContent().finish())
}
