//! Server-sent events: how they are written, and how long a stream lives.

use std::convert::Infallible;
use std::fmt::Display;
use std::future::{Ready, ready};
use std::io::Write;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use futures_util::stream::unfold;
use prometheus::IntGauge;
use serde::Serialize;
use tokio::time::{Instant, Interval, interval_at};
use utoipa::IntoParams;

use crate::http::limits::StreamPermit;
use crate::http::problem::Problem;
use crate::metrics::{CutOff, Metrics};
use crate::runtime::error::ServiceError;
use crate::streams::cursor::{Cursor, End, Step};

/// How often a comment is sent, so that no proxy takes the stream for dead, and the service notices which clients have
/// gone away.
const PULSE: Duration = Duration::from_secs(10);
/// Most events are no longer than this, in bytes.
pub const LONG: usize = 4096;
/// The most bytes that a connection is given at a time. The connection copies them, and keeps what its client does not
/// read.
const PIECE: usize = 16 * 1024;
/// What every stream begins with: a browser that has lost it reconnects after two seconds.
const RETRY: &[u8] = b"retry: 2000\n\n";
/// A stream ends after so many comments, which is an hour. A client that reconnects has to show its token again.
const PULSES: u32 = 360;

/// A cursor whose events can be written.
pub trait Source: Cursor {
    /// What the client follows, as a label for the metrics.
    const KIND: &str;

    /// The event as it is written.
    ///
    /// # Errors
    /// [`ServiceError`] where the event cannot be read.
    fn write(&self, event: Self::Event) -> Result<Bytes, ServiceError>;
}

/// An event as it is written.
pub fn event(name: &str, id: impl Display, data: &impl Serialize) -> Bytes {
    let mut out = Vec::with_capacity(LONG);
    write_event(&mut out, name, id, data);
    out.into()
}

/// Appends an event to others. JSON contains no line break.
pub fn write_event(out: &mut Vec<u8>, name: &str, id: impl Display, data: &impl Serialize) {
    write!(out, "event: {name}\nid: {id}\ndata: ").expect("memory takes all that is written");
    serde_json::to_writer(&mut *out, data).expect("what is shown has string keys and plain values");
    out.extend_from_slice(b"\n\n");
}

/// The response: `opening` first, then the source's events. There is none if nothing is to be told, now or later. No
/// event is produced before the connection takes it, so a slow reader costs only a cursor, one event, and a few pieces.
pub fn response<S: Source + 'static>(
    opening: Option<Bytes>,
    source: S,
    permit: StreamPermit,
) -> HttpResponse {
    if opening.is_none() && source.is_done() {
        return HttpResponse::NoContent().finish();
    }
    // Boxed, because the source is moved for each piece.
    let open = Open::of(&permit.metrics, S::KIND);
    let opening = [RETRY, &opening.unwrap_or_default()].concat().into();
    let pieces = Pieces::of(opening, source, permit.metrics.cut_off.clone());
    let pieces = unfold(Box::new((pieces, permit, open)), async |mut state| {
        let piece = state.0.next().await?;
        Some((Ok::<_, Infallible>(piece), state))
    });
    HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Some proxies buffer answers unless they are told not to.
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(pieces)
}

/// A source's events, cut into pieces, with a comment while the source gives nothing.
struct Pieces<S> {
    source: S,
    /// What the connection has not taken yet of the last event. The bytes are shared, not copied.
    rest: Bytes,
    pulse: Interval,
    pulses: u32,
    cut_off: CutOff,
}

impl<S: Source> Pieces<S> {
    fn of(rest: Bytes, source: S, cut_off: CutOff) -> Pieces<S> {
        Pieces { source, rest, pulse: interval_at(Instant::now() + PULSE, PULSE), pulses: 0, cut_off }
    }

    /// The next bytes to be sent; `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        if self.rest.is_empty() {
            self.rest = tokio::select! {
                event = event_of(&mut self.source, &self.cut_off) => event?,
                _ = self.pulse.tick() => {
                    self.pulses += 1;
                    Bytes::from_static(b":\n\n")
                }
            };
        }
        let piece = self.rest.split_to(self.rest.len().min(PIECE));
        (self.pulses < PULSES).then_some(piece)
    }
}

/// The next event as it is written; `None` at the end. If the future is dropped, no event is lost.
async fn event_of<S: Source>(source: &mut S, cut_off: &CutOff) -> Option<Bytes> {
    loop {
        let event = match source.advance().await {
            Ok(Step::Event(event)) => source.write(event),
            Ok(Step::Pending) => continue,
            Ok(Step::End(End::Complete)) => return None,
            Ok(Step::End(End::Hidden)) => {
                cut_off.hidden.inc();
                return None;
            }
            Ok(Step::End(End::Behind)) => {
                cut_off.behind.inc();
                return None;
            }
            Err(error) => Err(error),
        };
        return event
            .inspect_err(|error| {
                tracing::warn!(%error, "a stream ends early");
                cut_off.failed.inc();
            })
            .ok();
    }
}

/// Counts as an open stream until it is dropped.
struct Open(IntGauge);

impl Open {
    fn of(metrics: &Metrics, kind: &str) -> Open {
        let open = metrics.streams.with_label_values(&[kind]);
        open.inc();
        Open(open)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// The header with which a client continues, where a stream's ids are versions; for the OpenAPI document.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "an extractor reads the header; this describes it")]
pub struct LastVersionHeader {
    /// The `id` of the last event that you have; goes before `after`.
    #[param(rename = "Last-Event-ID", nullable = false, maximum = 4_294_967_295_i64)]
    last_event_id: Option<u32>,
}

/// `Last-Event-ID`: where a client continues that has lost its stream.
#[derive(Debug, Clone, Copy)]
pub struct LastEventId<T>(pub Option<T>);

impl<T: std::str::FromStr> FromRequest for LastEventId<T> {
    type Error = Problem;
    type Future = Ready<Result<LastEventId<T>, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let Some(value) = request.headers().get("last-event-id") else { return ready(Ok(LastEventId(None))) };
        let id = value.to_str().ok().and_then(|value| value.parse().ok());
        ready(id.map(|id| LastEventId(Some(id))).ok_or_else(|| {
            Problem::new("invalid_parameter", "Last-Event-ID takes the id of an event of this stream")
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Once(Option<Bytes>);

    impl Cursor for Once {
        type Event = Bytes;

        fn is_done(&self) -> bool {
            self.0.is_none()
        }

        async fn advance(&mut self) -> Result<Step<Bytes>, ServiceError> {
            Ok(self.0.take().map_or(Step::End(End::Complete), Step::Event))
        }
    }

    impl Source for Once {
        const KIND: &str = "game";

        fn write(&self, event: Bytes) -> Result<Bytes, ServiceError> {
            Ok(event)
        }
    }

    #[tokio::test]
    async fn what_is_long_is_cut_into_pieces_that_are_not_copied() {
        let long = Bytes::from(vec![b'x'; 3 * PIECE + 1]);
        let mut pieces = Pieces::of(Bytes::new(), Once(Some(long.clone())), Metrics::new().cut_off.clone());
        let mut at = 0;
        while let Some(piece) = pieces.next().await {
            assert!(!piece.is_empty() && piece.len() <= PIECE);
            assert_eq!(piece.as_ptr(), long[at..].as_ptr(), "it lies where all of it does");
            at += piece.len();
        }
        assert_eq!(at, long.len());
    }
}
