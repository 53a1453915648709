//! Recovery of accounts whose passwords are lost.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get, post};
use cardroom_core::log::entry::Time;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::Accounts;
use crate::http::accounts::auth::Player;
use crate::http::accounts::session::{Session, session};
use crate::http::accounts::sign_in::SignIn;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;

/// A recovery.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    #[schema(example = "ann", min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$")]
    username: String,
    /// A recovery code. Case, spaces and dashes make no difference.
    #[schema(example = "5k2m-9xw4-t0ab-hj7c", max_length = 64)]
    code: String,
    /// The new password.
    #[schema(example = "correct horse", min_length = 8, max_length = 256, format = Password)]
    password: String,
}

/// The caller's password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordProof {
    #[schema(example = "correct horse", max_length = 256, format = Password)]
    pub(super) password: String,
}

/// The recovery codes that are left.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecoveryCodesLeft {
    /// How many have not been used.
    #[schema(minimum = 0)]
    left: i64,
}

/// New recovery codes.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecoveryCodes {
    /// Each works once. They are told only once.
    codes: Vec<String>,
}

/// A code that an admin gives.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecoveryCode {
    /// It works once.
    #[schema(example = "5k2m-9xw4-t0ab-hj7c")]
    code: String,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
}

/// Give an account a new password for a recovery code.
///
/// The code is used up. All sessions of the account and all its personal access tokens end, and a mail address that was not
/// confirmed is forgotten. The other recovery codes stay: if somebody else has known your password, renew them.
#[utoipa::path(
    operation_id = "recover", tag = "accounts",
    request_body = Recovery,
    responses(
        (status = 200, description = "A new session.", body = Session),
        (status = 403, description = "`wrong_recovery_code`: the account has no such code, or it has been used."),
        (status = 422, description = "`weak_password`: the detail says what makes it easy to guess.")
    )
)]
#[post("/v1/auth/recover")]
pub async fn recover(
    sign_in: SignIn,
    accounts: Data<Accounts>,
    body: Body<Recovery>,
) -> Result<HttpResponse, Problem> {
    let Recovery { username, code, password } = body.value;
    let charge = sign_in.login(&username, &accounts).await?;
    let signed_in = accounts.recover(&username, &code, password, sign_in.client.network()).await?;
    charge.give_back();
    Ok(session(HttpResponse::Ok(), signed_in))
}

/// Tells how many recovery codes you have left.
///
/// Ten come with the registration.
#[utoipa::path(
    operation_id = "get_recovery_codes", tag = "accounts", security(("bearer" = [])),
    responses((status = 200, description = "How many.", body = RecoveryCodesLeft))
)]
#[get("/v1/me/recovery-codes")]
pub async fn left(accounts: Data<Accounts>, player: Player) -> Result<HttpResponse, Problem> {
    let left = accounts.recovery_codes_left(player.account).await?;
    Ok(HttpResponse::Ok().json(RecoveryCodesLeft { left }))
}

/// Replaces your recovery codes by ten new ones.
///
/// The old ones stop working. Keep the new ones where you find them without your password.
#[utoipa::path(
    operation_id = "renew_recovery_codes", tag = "accounts", security(("bearer" = [])),
    request_body = PasswordProof,
    responses(
        (status = 201, description = "The new codes.", body = RecoveryCodes),
        (status = 403, description = "`wrong_password`; `account_required`: a guest has no password."),
    )
)]
#[post("/v1/me/recovery-codes")]
pub async fn renew(
    sign_in: SignIn,
    accounts: Data<Accounts>,
    player: Player,
    body: Body<PasswordProof>,
) -> Result<HttpResponse, Problem> {
    let charge = sign_in.login(&player.username, &accounts).await?;
    let codes = accounts.renew_recovery_codes(&player, body.value.password).await?;
    charge.give_back();
    Ok(HttpResponse::Created().json(RecoveryCodes { codes }))
}

/// Lets a player back in who has lost the password.
///
/// For admins. The code works once, within three days, at `POST /v1/auth/recover`. Make sure whose account it is before
/// you pass the code on.
#[utoipa::path(
    operation_id = "give_recovery_code", tag = "accounts", security(("bearer" = [])),
    params((
        "username" = String, Path, min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$",
        description = "The name, in any case."
    )),
    responses(
        (status = 201, description = "The code.", body = RecoveryCode),
        (status = 403, description = "`forbidden`: you are no admin. `account_required`: the player is a guest."),
        (status = 404, description = "`player_not_found`")
    )
)]
#[post("/v1/players/{username}/recovery-code")]
pub async fn give(
    accounts: Data<Accounts>,
    player: Player,
    username: Path<String>,
) -> Result<HttpResponse, Problem> {
    if !player.admin {
        return Err(Problem::new("forbidden", "only an admin lets others back into their accounts"));
    }
    let (code, expires_at) = accounts.give_recovery_code(&username).await?;
    Ok(HttpResponse::Created().json(RecoveryCode { code, expires_at: Time(expires_at) }))
}
