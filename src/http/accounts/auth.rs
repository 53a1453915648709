//! The caller of a request: identified once for each request, and available to handlers as an argument.

use std::future::{Ready, ready};

use actix_web::dev::{Payload, ServiceRequest};
use actix_web::http::header;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use cardroom_core::table::Actor;

use crate::accounts::personal_tokens::PersonalTokens;
pub use crate::accounts::tokens::Player;
use crate::accounts::tokens::{TokenError, Tokens};
use crate::http::accounts::personal_tokens::required;
use crate::http::connections::client_address::ClientAddress;
use crate::http::limits::Limits;
use crate::http::problem::Problem;
use crate::http::requests::vary::depends_on;

/// A caller who may or may not be signed in. An invalid token is refused here, too, because a caller that sends one
/// means to be identified.
#[derive(Debug, Clone)]
pub struct Viewer(pub Option<Player>);

impl Viewer {
    /// The viewer, as tables know them: with the invite that the request has, if it has one.
    pub fn invited(self, invite: Option<String>) -> Option<Actor> {
        self.0.map(|player| Actor { invite, ..player.actor() })
    }
}

impl Player {
    /// The player, as tables know them.
    pub fn actor(&self) -> Actor {
        Actor {
            account: self.account,
            username: self.username.clone(),
            admin: self.admin,
            is_program: self.program,
            invite: None,
        }
    }
}

/// What the request's `Authorization` header says.
#[derive(Debug, Clone)]
pub enum Identity {
    Anonymous,
    Known(Player),
    Refused(&'static str),
    /// The keys could not be read, so the token could not be checked.
    Unsure,
}

/// What a bearer token is checked with.
pub struct Credentials<'r> {
    pub tokens: &'r Tokens,
    pub personal_tokens: &'r PersonalTokens,
    pub limits: &'r Limits,
    pub client: ClientAddress,
}

/// Reads the bearer token, if there is one.
///
/// # Errors
/// `too_many_requests` where the client sends many personal access tokens that are not known yet: each of them is looked
/// up in the database.
pub async fn identify(request: &ServiceRequest, with: Credentials<'_>) -> Result<Identity, Problem> {
    let Some(value) = request.headers().get(header::AUTHORIZATION) else {
        return Ok(Identity::Anonymous);
    };
    let Some(token) = value.to_str().ok().and_then(bearer) else {
        return Ok(Identity::Refused("Authorization takes `Bearer` and an access token"));
    };
    let verified = match PersonalTokens::is_one(token) {
        false => with.tokens.verify(token).await,
        // Boxed, as the check of an access token is.
        true => Box::pin(verify_personal(token, &with)).await?,
    };
    Ok(match verified {
        Ok(player) => Identity::Known(player),
        Err(TokenError::Refused(reason)) => Identity::Refused(reason),
        Err(TokenError::Store(error)) => {
            tracing::warn!(%error, "a token cannot be checked");
            Identity::Unsure
        }
    })
}

async fn verify_personal(token: &str, with: &Credentials<'_>) -> Result<Result<Player, TokenError>, Problem> {
    if !with.personal_tokens.is_remembered(token)
        && let Some(refusal) = with.limits.sign_in(with.client).refusal()
    {
        return Err(refusal);
    }
    Ok(with.personal_tokens.verify(token).await)
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn caller(request: &HttpRequest) -> Result<Option<Player>, Problem> {
    depends_on(request, header::AUTHORIZATION);
    match request.extensions().get::<Identity>() {
        None | Some(Identity::Anonymous) => Ok(None),
        Some(Identity::Known(player)) => {
            check_scopes(player, request)?;
            Ok(Some(player.clone()))
        }
        Some(Identity::Refused(reason)) => Err(Problem::new("unauthorized", *reason)),
        Some(Identity::Unsure) => {
            Err(Problem::new("unavailable", "access tokens cannot be checked right now"))
        }
    }
}

/// Refuses a request for which the caller's personal access token is not meant.
fn check_scopes(player: &Player, request: &HttpRequest) -> Result<(), Problem> {
    let Some(scopes) = player.scopes else { return Ok(()) };
    let pattern = request.match_pattern().unwrap_or_default();
    let detail = match required(request.method(), &pattern) {
        Some(scope) if scopes.include(scope) => return Ok(()),
        Some(scope) => format!("this needs a personal access token with the scope `{}`", scope.word()),
        None => String::from("this needs a session: sign in with name and password"),
    };
    Err(Problem::new("insufficient_scope", detail))
}

/// What somebody is told who has not signed in.
pub fn signed_out() -> Problem {
    Problem::new("unauthorized", "sign in and send the access token")
}

impl FromRequest for Player {
    type Error = Problem;
    type Future = Ready<Result<Player, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(caller(request).and_then(|player| player.ok_or_else(signed_out)))
    }
}

impl FromRequest for Viewer {
    type Error = Problem;
    type Future = Ready<Result<Viewer, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(caller(request).map(Viewer))
    }
}
