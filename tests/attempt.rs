//! Requests to a service that may be away.

use reqwest::{RequestBuilder, StatusCode};
use serde_json::Value;

/// Why a request was not answered.
#[derive(Debug)]
pub enum Unanswered {
    /// The access token has expired.
    Expired,
    /// The service is away, which showed by this.
    Away(String),
}

/// Sends a request once; an empty token, an empty idempotency key and a null body are left out. That the service is away is
/// the only excuse for no answer.
pub async fn attempt(
    mut request: RequestBuilder,
    token: &str,
    key: &str,
    body: &Value,
) -> Result<Value, Unanswered> {
    if !token.is_empty() {
        request = request.bearer_auth(token);
    }
    if !key.is_empty() {
        request = request.header("idempotency-key", key);
    }
    if !body.is_null() {
        request = request.json(body);
    }
    let away = |error: reqwest::Error| Unanswered::Away(format!("{error:?}"));
    let response = request.send().await.map_err(away)?;
    let (url, status) = (response.url().clone(), response.status());
    let answer: Value = response.json().await.map_err(away)?;
    match status {
        StatusCode::SERVICE_UNAVAILABLE => Err(Unanswered::Away(format!("{url}: {answer}"))),
        StatusCode::UNAUTHORIZED if !token.is_empty() => Err(Unanswered::Expired),
        status => {
            assert!(status.is_success(), "{url} {key} {body}: {status} {answer}");
            Ok(answer)
        }
    }
}

/// The answer, if there was one, in a test that no token outlives.
pub fn unexpired(answer: Result<Value, Unanswered>) -> Option<Value> {
    match answer {
        Err(Unanswered::Away(_)) => None,
        answer => Some(answer.expect("tokens outlive the test")),
    }
}
