//! Request bodies: JSON, of bounded size, and the digest by which a repeat is recognised.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use cardroom_core::log::chain::canonical;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::error::Category;
use sha2::{Digest, Sha256};

use crate::http::problem::Problem;
use crate::http::requests::conditions::IDEMPOTENCY_KEY;
use crate::http::requests::incoming::Incoming;
use crate::http::requests::objects;

/// The maximum size of a body. The options of a tournament or a game fit many times.
pub const MAX_BODY: usize = 64 * 1024;

/// A JSON body. An empty one counts as `{}`, so a request with only optional fields needs no body.
#[derive(Debug)]
pub struct Body<T> {
    pub value: T,
    /// SHA-256 of what was asked, where the request has an idempotency key. Under one key it must not differ.
    pub digest: Option<[u8; 32]>,
}

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Body<T>, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let bytes = read(Incoming::new(&request, payload, MAX_BODY)?).await?;
            if !bytes.is_empty() {
                check_media_type(&request)?;
            }
            let bytes = if bytes.is_empty() { b"{}".to_vec() } else { bytes };
            let value = parse(&bytes)?;
            let has_key = request.headers().contains_key(IDEMPOTENCY_KEY);
            Ok(Body { value, digest: has_key.then(|| digest(&request, &bytes)) })
        })
    }
}

async fn read(mut body: Incoming) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    while let Some(chunk) = body.next().await? {
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// # Errors
/// `unsupported_media_type` where the body is not JSON, or is compressed.
pub fn check_media_type(request: &HttpRequest) -> Result<(), Problem> {
    let is_json = matches!(request.mime_type(), Ok(Some(mime)) if mime.essence_str() == "application/json");
    if !is_json {
        return Err(Problem::new("unsupported_media_type", "send Content-Type: application/json"));
    }
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        return Err(Problem::new("unsupported_media_type", "send the body uncompressed"));
    }
    Ok(())
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    objects::read(bytes).map_err(|error| match error.classify() {
        // Only a body that is refused is read twice.
        Category::Data => match objects::fault::<T>(bytes) {
            Some(field) => Problem::new("invalid_body", format!("{field}: {}", objects::told(&error))),
            None => Problem::new("invalid_body", objects::told(&error)),
        },
        Category::Syntax | Category::Eof | Category::Io => Problem::new("malformed_json", error.to_string()),
    })
}

/// The digest of method, path and body. Whitespace and the order of fields make no difference to what is asked.
fn digest(request: &HttpRequest, bytes: &[u8]) -> [u8; 32] {
    // A text that is nested too deeply for a value is compared as it was sent.
    let asked = serde_json::from_slice::<Value>(bytes)
        .map_or_else(|_| bytes.to_vec(), |value| canonical(&value).into_bytes());
    // Neither a method nor a path contains a line break, so the parts cannot run into each other.
    Sha256::new()
        .chain_update(request.method().as_str())
        .chain_update("\n")
        .chain_update(request.path())
        .chain_update("\n")
        .chain_update(asked)
        .finalize()
        .into()
}
