//! Who sends a request, by its bearer token: asked once for each request.

use actix_web::dev::ServiceRequest;
use actix_web::http::header;

use crate::accounts::personal_tokens::PersonalTokens;
use crate::accounts::tokens::{Player, TokenError, Tokens};
use crate::http::accounts::auth::Identity;
use crate::http::connections::client_address::ClientAddress;
use crate::http::limits::Limits;
use crate::http::problem::Problem;

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
