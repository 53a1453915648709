//! Requests to a service that may be away.

use reqwest::{RequestBuilder, StatusCode};
use serde_json::Value;

/// The access token has expired.
#[derive(Debug)]
pub struct Expired;

/// Sends a request once; an empty token, an empty idempotency key and a null body are left out. `None` if the service is
/// away; that is the only excuse for no answer.
pub async fn attempt(
    mut request: RequestBuilder,
    token: &str,
    key: &str,
    body: &Value,
) -> Option<Result<Value, Expired>> {
    if !token.is_empty() {
        request = request.bearer_auth(token);
    }
    if !key.is_empty() {
        request = request.header("idempotency-key", key);
    }
    if !body.is_null() {
        request = request.json(body);
    }
    let response = request.send().await.ok()?;
    let (url, status) = (response.url().clone(), response.status());
    let answer: Value = response.json().await.ok()?;
    match status {
        StatusCode::SERVICE_UNAVAILABLE => None,
        StatusCode::UNAUTHORIZED if !token.is_empty() => Some(Err(Expired)),
        status => {
            assert!(status.is_success(), "{url} {key} {body}: {status} {answer}");
            Some(Ok(answer))
        }
    }
}
