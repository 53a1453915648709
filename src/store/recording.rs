//! Records of attempts to deliver. Those that come together share a statement and a commit, and the statement stays
//! prepared, because an account with many notices needs it often.

use std::collections::{HashMap, HashSet};

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Integer, Text, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

use crate::store::attempts::{Attempt, Fate, Hold, KEPT, NewMessage};
use crate::store::batcher::Batched;
use crate::store::error::StoreError;

/// A commit does not wait for the disk: if PostgreSQL stops before the record is safe, the message is sent once more
/// under the same id.
const GIVEN: &str = "WITH given AS MATERIALIZED (SELECT sent.*, \
     set_config('synchronous_commit', 'off', true) AS commits FROM json_to_recordset(";

/// The fields of a [`Record`].
const FIELDS: &str = "::json) AS sent(webhook uuid, holder uuid, revision integer, at timestamptz, status text, \
     next_at timestamptz, is_delivered boolean, is_gone boolean, took_ms integer, response_status smallint, \
     response text, error text, n integer, kept integer, new_checkpoint text, message_id text, message_type text, \
     body text))";

/// Why nothing more is sent after an attempt; null where it is.
macro_rules! disables {
    () => {
        "CASE WHEN given.holder IS NULL OR given.is_delivered THEN NULL WHEN given.is_gone THEN 'gone' \
         WHEN failing_since <= given.at - interval '3 days' THEN 'failing' END"
    };
}

/// The webhooks as the attempts leave them.
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

const FIRST: &str = concat!(
    held!(
        "checkpoint = coalesce(given.new_checkpoint, checkpoint), deliveries = deliveries + 1, ",
        "webhooks.webhook_id, deliveries"
    ),
    ", old AS (DELETE FROM webhook_deliveries USING held, given \
         WHERE webhook_deliveries.webhook_id = held.webhook_id AND given.webhook = held.webhook_id \
             AND webhook_deliveries.n <= held.deliveries - given.kept \
             AND (webhook_deliveries.status <> 'pending' OR webhook_deliveries.n <= held.deliveries - 2 * given.kept)) \
     INSERT INTO webhook_deliveries (webhook_id, n, message_id, message_type, body, created_at, status, attempts, \
         next_attempt_at, attempted_at, took_ms, response_status, response, error) \
     SELECT held.webhook_id, held.deliveries, given.message_id, given.message_type, given.body, given.at, \
         given.status, 1, given.next_at, given.at, given.took_ms, given.response_status, given.response, given.error \
     FROM held JOIN given ON given.webhook = held.webhook_id \
     ON CONFLICT (webhook_id, message_id) DO UPDATE SET status = excluded.status, attempts = 1, \
         next_attempt_at = excluded.next_attempt_at, attempted_at = excluded.attempted_at, \
         took_ms = excluded.took_ms, response_status = excluded.response_status, \
         response = excluded.response, error = excluded.error \
     RETURNING webhook_id, n"
);

const AGAIN: &str = concat!(
    held!("", "webhooks.webhook_id"),
    " UPDATE webhook_deliveries SET status = given.status, attempts = attempts + 1, \
         next_attempt_at = given.next_at, attempted_at = given.at, took_ms = given.took_ms, \
         response_status = given.response_status, response = given.response, error = given.error \
     FROM held JOIN given ON given.webhook = held.webhook_id \
     WHERE webhook_deliveries.webhook_id = held.webhook_id AND webhook_deliveries.n = given.n \
     RETURNING webhook_deliveries.webhook_id, webhook_deliveries.n"
);

/// An attempt to be recorded. The answer is the delivery's number; none where nothing was recorded, see [`Hold`].
#[derive(Debug, Serialize)]
pub struct Record {
    webhook: Uuid,
    holder: Option<Uuid>,
    revision: i32,
    at: Timestamp,
    status: &'static str,
    next_at: Option<Timestamp>,
    is_delivered: bool,
    is_gone: bool,
    took_ms: i32,
    response_status: Option<i16>,
    response: Option<String>,
    error: Option<&'static str>,
    /// The delivery that was tried again; none for a new message.
    n: Option<i32>,
    kept: i32,
    #[serde(flatten)]
    message: Option<Message>,
}

#[derive(Debug, Serialize)]
struct Message {
    new_checkpoint: Option<String>,
    message_id: String,
    message_type: String,
    body: String,
}

impl Record {
    /// The first attempt of a message.
    pub(super) fn first(hold: Hold, attempt: &Attempt, fate: Fate, message: NewMessage<'_>) -> Record {
        let message = Message {
            new_checkpoint: message.checkpoint.map(str::to_owned),
            message_id: message.id.to_owned(),
            message_type: message.message_type.to_owned(),
            body: message.body.to_owned(),
        };
        Record { message: Some(message), ..Record::again(hold, attempt, fate, None) }
    }

    /// Another attempt of the delivery `n`.
    pub(super) fn again(hold: Hold, attempt: &Attempt, fate: Fate, n: Option<i32>) -> Record {
        Record {
            webhook: hold.webhook,
            holder: hold.holder,
            revision: hold.revision,
            at: attempt.at,
            status: fate.word(),
            next_at: fate.next(),
            is_delivered: fate == Fate::Delivered,
            is_gone: is_gone(&hold, attempt),
            took_ms: attempt.took_ms,
            response_status: attempt.response_status,
            response: attempt.response.clone(),
            error: attempt.error,
            n,
            kept: KEPT,
            message: None,
        }
    }
}

/// The answer of a receiver that does not want anything more, 410 Gone, and of a push service that does not know the
/// browser any more, 404.
fn is_gone(hold: &Hold, attempt: &Attempt) -> bool {
    attempt.response_status == Some(410) || (hold.is_push && attempt.response_status == Some(404))
}

impl Batched for Record {
    type Answer = Option<i32>;
    const WHAT: &str = "deliveries";

    async fn run(
        connection: &mut AsyncPgConnection,
        batch: &[Record],
    ) -> Result<Vec<Option<i32>>, StoreError> {
        let mut answers = vec![None; batch.len()];
        let mut left: Vec<usize> = (0..batch.len()).collect();
        while !left.is_empty() {
            let next = left[0];
            let is_first = batch[next].message.is_some();
            // A statement changes a row once. If a webhook has two records, the second has a statement of its own.
            let mut webhooks = HashSet::new();
            let (now, later): (Vec<usize>, Vec<usize>) = left.into_iter().partition(|&at| {
                batch[at].message.is_some() == is_first && webhooks.insert(batch[at].webhook)
            });
            let records: Vec<&Record> = now.iter().map(|&at| &batch[at]).collect();
            let given = serde_json::to_string(&records).expect("fields are plain values");
            let numbers: Vec<(Uuid, i32)> = Recording { given, is_first }.load(connection).await?;
            let numbers: HashMap<Uuid, i32> = numbers.into_iter().collect();
            now.iter().for_each(|&at| answers[at] = numbers.get(&batch[at].webhook).copied());
            left = later;
        }
        Ok(answers)
    }
}

/// The statement for records of different webhooks.
struct Recording {
    /// A list of records as JSON.
    given: String,
    /// Whether they are all of new messages; else none is.
    is_first: bool,
}

impl Query for Recording {
    type SqlType = (SqlUuid, Integer);
}

/// The two forms of the statement are told apart by their text.
impl QueryId for Recording {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl QueryFragment<Pg> for Recording {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(GIVEN);
        out.push_bind_param::<Text, _>(&self.given)?;
        out.push_sql(FIELDS);
        out.push_sql(if self.is_first { FIRST } else { AGAIN });
        Ok(())
    }
}
