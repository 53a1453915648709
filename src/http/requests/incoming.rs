//! Bodies as they arrive: how long they may be, how fast they have to come, and what happens to bodies that are not
//! read.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::http::header;
use actix_web::web::{Bytes, Data};
use actix_web::{HttpMessage, HttpRequest};
use futures_util::future::poll_immediate;
use futures_util::{Stream, StreamExt};
use tokio::task::yield_now;
use tokio::time::{Instant, timeout_at};

use crate::http::problem::Problem;

/// The minimum rate of a body once the patience is used up, in bytes a second.
const SLOWEST: u32 = 8 * 1024;
/// A body must be complete within this time, however fast it comes.
const LONGEST: Duration = Duration::from_secs(60);

/// How fast bodies have to come, so that a client cannot hold a connection, and the data that was read, for as long as
/// it likes.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// How long the first byte may take.
    patience: Duration,
}

impl Pace {
    pub fn new(patience: Duration) -> Pace {
        Pace { patience }
    }

    /// When the next piece has to arrive, after so many bytes have been received.
    fn deadline(self, begun: Instant, received: usize) -> Instant {
        let earned = Duration::from_secs_f64(received as f64 / f64::from(SLOWEST));
        begun + (self.patience + earned).min(LONGEST.max(self.patience))
    }
}

/// A body that is being read.
pub struct Incoming {
    payload: Payload,
    pace: Pace,
    begun: Instant,
    received: usize,
    limit: usize,
}

impl Incoming {
    /// The body of `request`, which may have at most `limit` bytes.
    ///
    /// # Errors
    /// `body_too_large` where the request announces more.
    pub fn new(request: &HttpRequest, payload: Payload, limit: usize) -> Result<Incoming, Problem> {
        let declared = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
        if declared.and_then(|length| length.parse().ok()).is_some_and(|length: usize| length > limit) {
            return Err(too_large(limit));
        }
        let pace = ***request.app_data::<Data<Pace>>().expect("the app registers the bodies' pace");
        Ok(Incoming { payload, pace, begun: Instant::now(), received: 0, limit })
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// `body_too_large`; `malformed_request` where it ends early; `request_timeout` where it comes too slowly.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        let chunk = match self.next_at_once().await {
            Some(chunk) => chunk,
            None => {
                let deadline = self.pace.deadline(self.begun, self.received);
                let chunk = timeout_at(deadline, self.payload.next()).await;
                chunk.map_err(|_| Problem::new("request_timeout", "the body comes too slowly"))?
            }
        };
        let chunk =
            chunk.transpose().map_err(|_| Problem::new("malformed_request", "the body ended early"))?;
        self.received += chunk.as_ref().map_or(0, Bytes::len);
        if self.received > self.limit {
            return Err(too_large(self.limit));
        }
        Ok(chunk)
    }

    /// The next piece, if it is there already: no timer is set for a body that came with its head. The HTTP library
    /// hands such a body over after the handler has been polled once.
    async fn next_at_once(&mut self) -> Option<Option<Result<Bytes, PayloadError>>> {
        if let Some(chunk) = poll_immediate(self.payload.next()).await {
            return Some(chunk);
        }
        yield_now().await;
        poll_immediate(self.payload.next()).await
    }
}

fn too_large(limit: usize) -> Problem {
    Problem::new("body_too_large", format!("a body may have {limit} bytes"))
}

/// Keeps a chunked body while the request is answered, whether the handler reads it or not.
///
/// If a handler drops a chunked body, the HTTP library reads it to its end, however slowly it comes. While the body is
/// kept, the connection is closed after the answer instead.
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
