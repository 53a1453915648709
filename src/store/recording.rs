//! The statements that record attempts to deliver. Each is written by hand, so that it stays prepared: an account with
//! many notices runs them often.

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Bool, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::attempts::{Attempt, Fate, Hold, KEPT, NewMessage};

/// A commit does not wait for the disk: if PostgreSQL stops before the record is safe, the message is sent once more
/// under the same id.
const GIVEN_END: &str = ", set_config('synchronous_commit', 'off', true) AS commits)";

/// Why nothing more is sent after an attempt; null where it is.
macro_rules! disables {
    () => {
        "CASE WHEN given.holder IS NULL OR given.is_delivered THEN NULL WHEN given.is_gone THEN 'gone' \
         WHEN failing_since <= given.at - interval '3 days' THEN 'failing' END"
    };
}

/// What is given, and the webhook as the attempt leaves it.
macro_rules! held {
    ($set:literal, $returning:literal) => {
        concat!(
            ", held AS (UPDATE webhooks SET ",
            $set,
            "failing_since = CASE WHEN given.holder IS NULL THEN failing_since WHEN given.is_delivered THEN NULL \
                 ELSE coalesce(failing_since, given.at) END, \
             disabled_at = CASE WHEN ",
            disables!(),
            " IS NULL THEN disabled_at ELSE given.at END, \
             disabled_reason = coalesce(",
            disables!(),
            ", disabled_reason) \
             FROM given WHERE webhooks.webhook_id = given.webhook AND (given.holder IS NULL \
                 OR webhooks.holder = given.holder AND webhooks.revision = given.revision AND disabled_at IS NULL) \
             RETURNING ",
            $returning,
            ")"
        )
    };
}

const NEW: &str = concat!(
    held!(
        "checkpoint = coalesce(given.new_checkpoint, checkpoint), deliveries = deliveries + 1, ",
        "webhooks.webhook_id, deliveries"
    ),
    ", old AS (DELETE FROM webhook_deliveries USING held, given \
         WHERE webhook_deliveries.webhook_id = held.webhook_id AND n <= held.deliveries - given.kept) \
     INSERT INTO webhook_deliveries (webhook_id, n, message_id, message_type, body, created_at, status, attempts, \
         next_attempt_at, attempted_at, took_ms, response_status, response, error) \
     SELECT held.webhook_id, held.deliveries, given.message_id, given.message_type, given.body, given.at, \
         given.status, 1, given.next_at, given.at, given.took_ms, given.response_status, given.response, given.error \
     FROM held, given \
     ON CONFLICT (webhook_id, message_id) DO UPDATE SET status = excluded.status, attempts = 1, \
         next_attempt_at = excluded.next_attempt_at, attempted_at = excluded.attempted_at, \
         took_ms = excluded.took_ms, response_status = excluded.response_status, \
         response = excluded.response, error = excluded.error \
     RETURNING n"
);

const AGAIN: &str = concat!(
    held!("", "webhooks.webhook_id"),
    " UPDATE webhook_deliveries SET status = given.status, attempts = attempts + 1, \
         next_attempt_at = given.next_at, attempted_at = given.at, took_ms = given.took_ms, \
         response_status = given.response_status, response = given.response, error = given.error \
     FROM held, given \
     WHERE webhook_deliveries.webhook_id = held.webhook_id AND webhook_deliveries.n = given.n \
     RETURNING webhook_deliveries.n"
);

/// What was sent.
pub(super) enum Sent<'m> {
    New(NewMessage<'m>),
    /// The delivery with this number, once more.
    Again(i32),
}

/// Records an attempt; see [`Hold`] for when nothing is recorded. Gives the delivery's number.
pub(super) struct Record<'m> {
    hold: Hold,
    attempt: &'m Attempt,
    at: jiff_diesel::Timestamp,
    status: &'static str,
    next: Option<jiff_diesel::Timestamp>,
    is_delivered: bool,
    is_gone: bool,
    sent: Sent<'m>,
}

impl<'m> Record<'m> {
    pub(super) fn new(hold: Hold, attempt: &'m Attempt, fate: Fate, sent: Sent<'m>) -> Record<'m> {
        Record {
            hold,
            attempt,
            at: attempt.at.to_diesel(),
            status: fate.word(),
            next: fate.next().map(ToDiesel::to_diesel),
            is_delivered: fate == Fate::Delivered,
            is_gone: is_gone(&hold, attempt),
            sent,
        }
    }
}

/// The answer of a receiver that does not want anything more, 410 Gone, and of a push service that does not know the
/// browser any more, 404.
fn is_gone(hold: &Hold, attempt: &Attempt) -> bool {
    attempt.response_status == Some(410) || (hold.is_push && attempt.response_status == Some(404))
}

impl Query for Record<'_> {
    type SqlType = Integer;
}

/// The two forms of the statement are told apart by their text.
impl QueryId for Record<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl QueryFragment<Pg> for Record<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("WITH given AS MATERIALIZED (SELECT ");
        out.push_bind_param::<SqlUuid, Uuid>(&self.hold.webhook)?;
        out.push_sql(" AS webhook, ");
        out.push_bind_param::<Nullable<SqlUuid>, _>(&self.hold.holder)?;
        out.push_sql(" AS holder, ");
        out.push_bind_param::<Integer, _>(&self.hold.revision)?;
        out.push_sql(" AS revision, ");
        out.push_bind_param::<Timestamptz, _>(&self.at)?;
        out.push_sql(" AS at, ");
        out.push_bind_param::<Text, _>(self.status)?;
        out.push_sql(" AS status, ");
        out.push_bind_param::<Nullable<Timestamptz>, _>(&self.next)?;
        out.push_sql(" AS next_at, ");
        out.push_bind_param::<Bool, _>(&self.is_delivered)?;
        out.push_sql(" AS is_delivered, ");
        out.push_bind_param::<Bool, _>(&self.is_gone)?;
        out.push_sql(" AS is_gone, ");
        out.push_bind_param::<Integer, _>(&self.attempt.took_ms)?;
        out.push_sql(" AS took_ms, ");
        out.push_bind_param::<Nullable<SmallInt>, _>(&self.attempt.response_status)?;
        out.push_sql(" AS response_status, ");
        out.push_bind_param::<Nullable<Text>, _>(&self.attempt.response)?;
        out.push_sql(" AS response, ");
        out.push_bind_param::<Nullable<Text>, _>(&self.attempt.error)?;
        out.push_sql(" AS error, ");
        match &self.sent {
            Sent::New(message) => {
                out.push_bind_param::<Nullable<Text>, _>(&message.checkpoint)?;
                out.push_sql(" AS new_checkpoint, ");
                out.push_bind_param::<Text, _>(message.id)?;
                out.push_sql(" AS message_id, ");
                out.push_bind_param::<Text, _>(message.message_type)?;
                out.push_sql(" AS message_type, ");
                out.push_bind_param::<Text, _>(message.body)?;
                out.push_sql(" AS body, ");
                out.push_bind_param::<Integer, _>(&KEPT)?;
                out.push_sql(" AS kept");
                out.push_sql(GIVEN_END);
                out.push_sql(NEW);
            }
            Sent::Again(n) => {
                out.push_bind_param::<Integer, _>(n)?;
                out.push_sql(" AS n");
                out.push_sql(GIVEN_END);
                out.push_sql(AGAIN);
            }
        }
        Ok(())
    }
}
