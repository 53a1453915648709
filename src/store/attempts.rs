//! Attempts to deliver a message.

use jiff::Timestamp;
use uuid::Uuid;

/// How many deliveries of a webhook are kept.
pub const KEPT: i32 = 1000;

/// What came of an attempt.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub at: Timestamp,
    pub took_ms: i32,
    /// The HTTP status of the answer, if there was one.
    pub response_status: Option<i16>,
    /// The beginning of the answer's body.
    pub response: Option<String>,
    /// Why there was no answer.
    pub error: Option<&'static str>,
}

/// What becomes of a message after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Delivered,
    /// It is tried again then.
    Pending(Timestamp),
    /// It is not tried again.
    Failed,
}

impl Fate {
    pub(super) fn word(self) -> &'static str {
        match self {
            Fate::Delivered => "delivered",
            Fate::Pending(_) => "pending",
            Fate::Failed => "failed",
        }
    }

    pub(super) fn next(self) -> Option<Timestamp> {
        match self {
            Fate::Pending(at) => Some(at),
            Fate::Delivered | Fate::Failed => None,
        }
    }
}

/// A message that is recorded with its first attempt.
#[derive(Debug, Clone, Copy)]
pub struct NewMessage<'m> {
    pub id: &'m str,
    pub message_type: &'m str,
    pub body: &'m str,
    /// The place of the account's stream after it. None where it is not of the stream.
    pub checkpoint: Option<&'m str>,
}

/// Which replica records, and by which state of the webhook. Where another replica sends by now, or the owner has
/// changed the webhook, nothing is recorded.
#[derive(Debug, Clone, Copy)]
pub struct Hold {
    /// None for a test, which its owner may send at any time, and which says nothing of how the others fare.
    pub holder: Option<Uuid>,
    pub webhook: Uuid,
    pub revision: i32,
    /// Whether it is a subscription to Web Push.
    pub is_push: bool,
}
