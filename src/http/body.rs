//! Request bodies: JSON, of bounded size, and what a repeat is recognised by.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::http::header;
use actix_web::web::{Bytes, Data};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use futures_util::{Stream, StreamExt};
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use sha2::{Digest, Sha256};
use tokio::time::{Instant, timeout_at};

use super::objects;
use super::problem::Problem;

/// The most that a body may have. A tournament's or a game's options fit many times.
pub const MAX_BODY: usize = 64 * 1024;

/// A JSON body. An empty one counts as `{}`, so that a request of optional fields needs none.
#[derive(Debug)]
pub struct Body<T> {
    pub value: T,
    /// SHA-256 of method, path and body as they were sent: under one idempotency key they must not differ.
    pub digest: [u8; 32],
}

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Body<T>, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let bytes = read(&request, payload, MAX_BODY).await?;
            if !bytes.is_empty() {
                check_media_type(&request)?;
            }
            Ok(Body { value: parse(&bytes)?, digest: digest(&request, &bytes) })
        })
    }
}

/// The bytes of a body of at most `limit`.
///
/// # Errors
/// `body_too_large`; `malformed_request` where it ends early; `request_timeout` where it comes too slowly.
pub async fn read(request: &HttpRequest, mut payload: Payload, limit: usize) -> Result<Vec<u8>, Problem> {
    let declared = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if declared.and_then(|length| length.parse().ok()).is_some_and(|length: usize| length > limit) {
        return Err(too_large(limit));
    }
    let pace = request.app_data::<Data<Pace>>().expect("the app registers the bodies' pace").clone();
    let begun = Instant::now();
    let mut bytes = Vec::new();
    while let Some(chunk) = next(&mut payload, pace.deadline(begun, bytes.len())).await? {
        let chunk = chunk.map_err(|_| Problem::new("malformed_request", "the body ended early"))?;
        if bytes.len() + chunk.len() > limit {
            return Err(too_large(limit));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

async fn next(
    payload: &mut Payload,
    deadline: Instant,
) -> Result<Option<Result<Bytes, PayloadError>>, Problem> {
    let too_slow = |_| Problem::new("request_timeout", "the body comes too slowly");
    timeout_at(deadline, payload.next()).await.map_err(too_slow)
}

/// How fast bodies have to come, so that nobody holds a connection, and what has been read, for as long as they like.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// How long the first byte may take.
    patience: Duration,
}

/// What a body has to bring each second once the patience is used up, in bytes.
const SLOWEST: u32 = 8 * 1024;
/// However much of it has come, a body has this long.
const LONGEST: Duration = Duration::from_secs(60);

impl Pace {
    pub fn new(patience: Duration) -> Pace {
        Pace { patience }
    }

    /// When the next piece has to be there, where so many bytes have come.
    fn deadline(self, begun: Instant, received: usize) -> Instant {
        let earned = Duration::from_secs_f64(received as f64 / f64::from(SLOWEST));
        begun + (self.patience + earned).min(LONGEST.max(self.patience))
    }
}

/// Keeps a chunked body while the request is answered, read or not.
///
/// A chunked body that its handler has dropped is read to its end by the HTTP library, however slowly it comes. While
/// the body is kept, the connection is closed behind the answer instead.
pub fn keep_chunked(request: &mut ServiceRequest) -> Option<KeptBody> {
    request.headers().get(header::TRANSFER_ENCODING)?;
    let kept = KeptBody(Rc::new(RefCell::new(request.take_payload())));
    request.set_payload(Payload::Stream { payload: Box::pin(kept.clone()) });
    Some(kept)
}

/// A body that lives until its answer is sent.
#[derive(Clone)]
pub struct KeptBody(Rc<RefCell<Payload>>);

impl Stream for KeptBody {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut *self.0.borrow_mut()).poll_next(context)
    }
}

/// An answer that keeps the body of its request until it is sent.
pub struct Answer {
    body: BoxBody,
    _kept: KeptBody,
}

impl Answer {
    pub fn with(body: BoxBody, kept: KeptBody) -> BoxBody {
        BoxBody::new(Answer { body, _kept: kept })
    }
}

impl MessageBody for Answer {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}

fn too_large(limit: usize) -> Problem {
    Problem::new("body_too_large", format!("a body may have {limit} bytes"))
}

/// # Errors
/// `unsupported_media_type` where it is not JSON, or compressed.
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
    let bytes = if bytes.is_empty() { b"{}" } else { bytes };
    objects::read(bytes).map_err(|error| {
        let code = match error.classify() {
            Category::Data => "invalid_body",
            Category::Syntax | Category::Eof | Category::Io => "malformed_json",
        };
        Problem::new(code, error.to_string())
    })
}

fn digest(request: &HttpRequest, bytes: &[u8]) -> [u8; 32] {
    // Neither a method nor a path holds a line break, so the parts cannot run into each other.
    Sha256::new()
        .chain_update(request.method().as_str())
        .chain_update("\n")
        .chain_update(request.path())
        .chain_update("\n")
        .chain_update(bytes)
        .finalize()
        .into()
}
