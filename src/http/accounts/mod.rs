//! Accounts and sessions.

pub mod auth;
pub mod identify;
pub mod luck;
pub mod mail;
pub mod personal_data;
pub mod personal_tokens;
pub mod profiles;
pub mod recovery;
pub mod scopes;
pub mod session;
pub mod sessions;
pub mod sign_in;

use actix_web::http::header;
use actix_web::{HttpResponse, get, post, web};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::accounts::tokens::Tokens;
use crate::accounts::{AccountError, Accounts};
use crate::http::accounts::auth::Player;
use crate::http::accounts::session::{Account, Session, session};
use crate::http::accounts::sign_in::SignIn;
use crate::http::games::game::Nothing;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IDEMPOTENCY_REPLAYED, IdempotencyKey, KeyHeader};
use crate::http::streams;

/// Accounts and sessions.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(register)
        .service(guest)
        .service(upgrade)
        .service(login)
        .service(refresh)
        .service(logout)
        .service(me)
        .service(streams::account::follow)
        .service(sessions::change_password)
        .service(sessions::list)
        .service(sessions::end_others)
        .service(sessions::end)
        .service(recovery::recover)
        .service(recovery::left)
        .service(recovery::renew)
        .service(recovery::give)
        .service(mail::show)
        .service(mail::change)
        .service(mail::forget)
        .service(mail::confirm)
        .service(mail::recover)
        .service(personal_tokens::create)
        .service(personal_tokens::list)
        .service(personal_tokens::end)
        .service(declare_program)
        .service(personal_data::export)
        .service(personal_data::delete)
        .service(profiles::find)
        .service(profiles::profile)
        .service(profiles::rating_history)
        .service(luck::luck)
        .service(jwks);
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// Names are case-insensitive. Names that begin with `guest-` are reserved for guests.
    #[schema(example = "ann", min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$")]
    username: String,
    #[schema(example = "correct horse", min_length = 8, max_length = 256, format = Password)]
    password: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefreshRequest {
    /// Works once: the answer contains the next one.
    refresh_token: String,
}

/// The public keys, as RFC 7517 has them.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the library writes them; this describes them")]
pub struct Jwks {
    keys: Vec<Jwk>,
}

/// An Ed25519 key (RFC 8037).
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the library writes it; this describes it")]
pub struct Jwk {
    #[schema(example = "OKP")]
    kty: String,
    #[schema(example = "Ed25519")]
    crv: String,
    #[schema(rename = "use", example = "sig")]
    usage: String,
    #[schema(example = "EdDSA")]
    alg: String,
    kid: String,
    x: String,
}

/// Create an account.
///
/// The account is signed in at once. A name is unique, whatever the case of its letters. A weak password is refused,
/// and the refusal tells why.
#[utoipa::path(
    tag = "accounts",
    request_body = Credentials,
    responses(
        (status = 201, description = "The account, signed in.", body = Session),
        (status = 409, description = "`username_taken`: another account has the name."),
        (status = 422, description = "`weak_password`: the detail says what makes it easy to guess.")
    )
)]
#[post("/v1/auth/register")]
pub async fn register(
    sign_in: SignIn,
    accounts: web::Data<Accounts>,
    body: Body<Credentials>,
) -> Result<HttpResponse, Problem> {
    let Credentials { username, password } = body.value;
    let signed_in = accounts.register(username, password, sign_in.client.network()).await?;
    Ok(session(HttpResponse::Created(), signed_in))
}

/// Play without an account of one's own.
///
/// The guest gets a name and a session. A guest can play, and can organise tournaments. Webhooks, bots in tournaments, and
/// games in which only bots play take an account. POST /v1/auth/upgrade turns the guest into one and keeps its games.
#[utoipa::path(
    tag = "accounts",
    responses((status = 201, description = "A guest's account, signed in.", body = Session))
)]
#[post("/v1/auth/guest")]
pub async fn guest(_: SignIn, accounts: web::Data<Accounts>) -> Result<HttpResponse, Problem> {
    Ok(session(HttpResponse::Created(), accounts.guest().await?))
}

/// Give a guest a name and a password. The account and its games stay the same.
///
/// The guest's sessions end: none of the guest's refresh tokens works any more. An access token that was issued before
/// is valid until it expires, for a quarter of an hour at most, and still counts as a guest's: use the new one.
#[utoipa::path(
    tag = "accounts",
    security(("bearer" = [])),
    request_body = Credentials,
    responses(
        (status = 200, description = "The account, signed in anew.", body = Session),
        (status = 409, description = "`username_taken`, or `not_a_guest`: the account has a name already."),
        (status = 422, description = "`weak_password`: the detail says what makes it easy to guess.")
    )
)]
#[post("/v1/auth/upgrade")]
pub async fn upgrade(
    sign_in: SignIn,
    accounts: web::Data<Accounts>,
    player: Player,
    body: Body<Credentials>,
) -> Result<HttpResponse, Problem> {
    let Credentials { username, password } = body.value;
    let network = sign_in.client.network();
    Ok(session(HttpResponse::Ok(), accounts.upgrade(player.account, &username, password, network).await?))
}

/// Sign in.
///
/// The answer has an access token, for `Authorization: Bearer`, and a refresh token for the next session.
#[utoipa::path(
    tag = "accounts",
    request_body = Credentials,
    responses(
        (status = 200, description = "A new session.", body = Session),
        (status = 401, description = "`wrong_credentials`: the name or the password is wrong.")
    )
)]
#[post("/v1/auth/login")]
pub async fn login(
    sign_in: SignIn,
    accounts: web::Data<Accounts>,
    body: Body<Credentials>,
) -> Result<HttpResponse, Problem> {
    let Credentials { username, password } = body.value;
    let charge = sign_in.login(&username, &accounts).await?;
    let signed_in = accounts.login(&username, password, sign_in.client.network()).await?;
    charge.give_back();
    Ok(session(HttpResponse::Ok(), signed_in))
}

/// Continue a session.
///
/// A refresh token works once. If it is used a second time, somebody has a copy, and every session that came from the
/// same sign-in ends. If you got no answer, repeat the request with the same `Idempotency-Key`: you get other tokens, and
/// the refresh token of the lost answer ends. Take a new key for each refresh token, one that nobody can guess.
#[utoipa::path(
    tag = "accounts",
    params(KeyHeader),
    request_body = RefreshRequest,
    responses(
        (status = 200, description = "New tokens.", body = Session),
        (status = 401, description = "`invalid_refresh_token`: unknown, expired or used.")
    )
)]
#[post("/v1/auth/refresh")]
pub async fn refresh(
    accounts: web::Data<Accounts>,
    key: IdempotencyKey,
    body: Body<RefreshRequest>,
) -> Result<HttpResponse, Problem> {
    let (signed_in, is_repeat) = accounts.refresh(&body.value.refresh_token, key.0.as_deref()).await?;
    let mut answer = HttpResponse::Ok();
    if is_repeat {
        answer.insert_header((IDEMPOTENCY_REPLAYED, "true"));
    }
    Ok(session(answer, signed_in))
}

/// End this session.
///
/// Its refresh tokens stop working. Its access token expires within a quarter of an hour.
#[utoipa::path(
    tag = "accounts",
    security(("bearer" = [])),
    responses((status = 204, description = "It has ended."))
)]
#[post("/v1/auth/logout")]
pub async fn logout(accounts: web::Data<Accounts>, player: Player) -> Result<HttpResponse, Problem> {
    accounts.log_out(player.session).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The caller's own account.
///
/// It has the name and the role of the account, and whether it is a guest.
#[utoipa::path(
    tag = "accounts",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The account.", body = Account),
        (status = 404, description = "`player_not_found`: the account is gone.")
    )
)]
#[get("/v1/me")]
pub async fn me(accounts: web::Data<Accounts>, player: Player) -> Result<web::Json<Account>, Problem> {
    Ok(web::Json(accounts.account(player.account).await?.into()))
}

/// Says that your account is a program.
///
/// It holds for ever. Profiles and tables show it, tables from your next access token on, and the account moves to the
/// leaderboards of programs.
#[utoipa::path(
    operation_id = "declare_program", tag = "accounts",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The account.", body = Account),
        (status = 404, description = "`player_not_found`: the account is gone.")
    )
)]
#[post("/v1/me/program")]
pub async fn declare_program(
    accounts: web::Data<Accounts>,
    player: Player,
    _: Body<Nothing>,
) -> Result<web::Json<Account>, Problem> {
    Ok(web::Json(accounts.declare_program(player.account).await?.into()))
}

/// The keys with which access tokens and audits can be checked.
///
/// Each token names its key by `kid`. A key stays listed after its successor has been created.
#[utoipa::path(
    tag = "accounts",
    responses((status = 200, description = "The public keys.", body = Jwks))
)]
#[get("/.well-known/jwks.json")]
pub async fn jwks(tokens: web::Data<Tokens>) -> HttpResponse {
    let keys = tokens.public_keys().await;
    HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "public, max-age=60")).json(keys)
}

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Problem {
        let code = match error {
            AccountError::InvalidUsername | AccountError::InvalidPassword => "invalid_body",
            AccountError::WeakPassword(_) => "weak_password",
            AccountError::UsernameTaken => "username_taken",
            AccountError::WrongCredentials => "wrong_credentials",
            AccountError::WrongRecoveryCode => "wrong_recovery_code",
            AccountError::WrongMailCode => "wrong_mail_code",
            AccountError::InvalidMailAddress => "invalid_mail_address",
            AccountError::TooManyMails => {
                return Problem::new("too_many_mails", error.to_string())
                    .with_header(header::RETRY_AFTER, header::HeaderValue::from_static("3600"));
            }
            AccountError::NoMailServer => "no_mail_server",
            AccountError::WrongPassword => "wrong_password",
            AccountError::NoPassword => "account_required",
            AccountError::SessionNotFound => "session_not_found",
            AccountError::TokenNotFound => "token_not_found",
            AccountError::TooManyTokens => "too_many_tokens",
            AccountError::InvalidRefreshToken => "invalid_refresh_token",
            AccountError::NotAGuest => "not_a_guest",
            AccountError::PlayerNotFound => "player_not_found",
            AccountError::Store(error) => return error.into(),
        };
        Problem::new(code, error.to_string())
    }
}
