//! Mail addresses of accounts, and recovery by mail.

use actix_web::web::Data;
use actix_web::{HttpResponse, delete, get, post, put};
use cardroom_core::log::entry::Time;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::Accounts;
use crate::http::accounts::auth::Player;
use crate::http::accounts::recovery::PasswordProof;
use crate::http::accounts::sign_in::SignIn;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::store;

/// A new mail address.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMailAddress {
    #[schema(example = "ann@example.com", max_length = 254)]
    address: String,
    /// The account's password.
    #[schema(example = "correct horse", max_length = 256, format = Password)]
    password: String,
}

/// The mail addresses of an account.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailAddresses {
    /// The confirmed address, to which mail is sent.
    #[schema(example = "ann@example.com", required)]
    address: Option<String>,
    /// The address that takes its place once it is confirmed.
    #[schema(example = "ann@example.org", required)]
    new_address: Option<String>,
    /// Until when the new address may be confirmed.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    new_address_expires_at: Option<Time>,
}

/// The confirmation of a mail address.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MailConfirmation {
    /// The code from the mail. Case, spaces and dashes make no difference.
    #[schema(example = "5k2m-9xw4-t0ab-hj7c", max_length = 64)]
    code: String,
}

/// An account whose password is lost.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecoveryByMail {
    #[schema(example = "ann", min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$")]
    username: String,
}

/// Tells your mail address.
///
/// Only you see it.
#[utoipa::path(
    operation_id = "get_mail_address", tag = "accounts", security(("bearer" = [])),
    responses((status = 200, description = "The address.", body = MailAddresses))
)]
#[get("/v1/me/mail-address")]
pub async fn show(accounts: Data<Accounts>, player: Player) -> Result<HttpResponse, Problem> {
    Ok(HttpResponse::Ok().json(accounts.mail_addresses(&player).await.map(MailAddresses::of)?))
}

/// Changes your mail address.
///
/// A mail with a code goes to the new address, which counts from the time that you confirm it. An account that has an
/// address gets back in by mail when its password is lost, and is told when a webhook of it is disabled.
#[utoipa::path(
    operation_id = "change_mail_address", tag = "accounts", security(("bearer" = [])),
    request_body = NewMailAddress,
    responses(
        (status = 202, description = "The mail is on its way.", body = MailAddresses),
        (status = 403, description = "`wrong_password`; `account_required`: a guest has no password."),
        (status = 409, description = "`no_mail_server`: this service sends no mail."),
        (status = 422, description = "`invalid_mail_address`: no mail can be sent there."),
        (status = 429, description = "`too_many_mails`: for this account in the last hour, or to this address today.")
    )
)]
#[put("/v1/me/mail-address")]
pub async fn change(
    sign_in: SignIn,
    accounts: Data<Accounts>,
    player: Player,
    body: Body<NewMailAddress>,
) -> Result<HttpResponse, Problem> {
    let charge = sign_in.login(&player.username, &accounts).await?;
    let NewMailAddress { address, password } = body.value;
    accounts.propose_mail_address(&player, &address, password).await?;
    charge.give_back();
    Ok(HttpResponse::Accepted().json(accounts.mail_addresses(&player).await.map(MailAddresses::of)?))
}

/// Forgets your mail address.
///
/// An address that waits for its confirmation is forgotten, too.
#[utoipa::path(
    operation_id = "delete_mail_address", tag = "accounts", security(("bearer" = [])),
    request_body = PasswordProof,
    responses(
        (status = 204, description = "It is forgotten."),
        (status = 403, description = "`wrong_password`; `account_required`: a guest has no password.")
    )
)]
#[delete("/v1/me/mail-address")]
pub async fn forget(
    sign_in: SignIn,
    accounts: Data<Accounts>,
    player: Player,
    body: Body<PasswordProof>,
) -> Result<HttpResponse, Problem> {
    let charge = sign_in.login(&player.username, &accounts).await?;
    accounts.forget_mail_address(&player, body.value.password).await?;
    charge.give_back();
    Ok(HttpResponse::NoContent().finish())
}

/// Confirms a mail address.
///
/// The code from the mail is enough: the mail may be read on another device than the one that is signed in.
#[utoipa::path(
    operation_id = "confirm_mail_address", tag = "accounts",
    request_body = MailConfirmation,
    responses(
        (status = 204, description = "Mail goes there from now on."),
        (status = 403, description = "`wrong_mail_code`: it is another one, has been used, or is older than a day.")
    )
)]
#[post("/v1/auth/confirm-mail-address")]
pub async fn confirm(
    _: SignIn,
    accounts: Data<Accounts>,
    body: Body<MailConfirmation>,
) -> Result<HttpResponse, Problem> {
    accounts.confirm_mail_address(&body.value.code).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Have a recovery code sent by mail.
///
/// The mail goes to the confirmed address of the account, if it has one; the answer does not say whether it has. The code
/// works once, within an hour, at `POST /v1/auth/recover`.
#[utoipa::path(
    operation_id = "recover_by_mail", tag = "accounts",
    request_body = RecoveryByMail,
    responses(
        (status = 202, description = "If the account has a confirmed address, the mail is on its way."),
        (status = 409, description = "`no_mail_server`: this service sends no mail.")
    )
)]
#[post("/v1/auth/recover/mail")]
pub async fn recover(
    _: SignIn,
    accounts: Data<Accounts>,
    body: Body<RecoveryByMail>,
) -> Result<HttpResponse, Problem> {
    accounts.into_inner().mail_recovery_code(body.value.username)?;
    Ok(HttpResponse::Accepted().finish())
}

impl MailAddresses {
    fn of(stored: store::mail::MailAddresses) -> MailAddresses {
        let store::mail::MailAddresses { address, new_address, code_expires_at } = stored;
        MailAddresses { address, new_address, new_address_expires_at: code_expires_at.map(Time) }
    }
}
