//! Deliveries: what was sent to webhooks.

use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use jiff::Timestamp;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::schema::{webhook_deliveries, webhooks};

/// How many deliveries of a webhook are kept.
pub const KEPT: i32 = 1000;
/// The answer of a receiver that does not want anything more, 410 Gone, and of a push service that does not know the
/// browser any more, 404.
fn is_gone(hold: &Hold, attempt: &Attempt) -> bool {
    attempt.response_status == Some(410) || (hold.is_push && attempt.response_status == Some(404))
}

/// Why nothing more is sent after an attempt; null where it is. `$2` is null for a test, `$5` says whether the message was
/// delivered, `$6` when it was tried, `$7` whether the receiver is gone.
const DISABLES: &str = "CASE WHEN $2 IS NULL OR $5 THEN NULL WHEN $7 THEN 'gone' \
     WHEN failing_since <= $6 - interval '3 days' THEN 'failing' END";
/// A message to a webhook, and what came of it.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = webhook_deliveries, check_for_backend(diesel::pg::Pg))]
pub struct Delivery {
    /// From 1, for each webhook.
    pub n: i32,
    pub message_id: String,
    pub message_type: String,
    pub body: String,
    /// When it was first tried.
    #[diesel(deserialize_as = jiff_diesel::Timestamp)]
    pub created_at: Timestamp,
    /// `pending`, `delivered` or `failed`.
    pub status: String,
    pub attempts: i16,
    #[diesel(deserialize_as = jiff_diesel::NullableTimestamp)]
    pub next_attempt_at: Option<Timestamp>,
    #[diesel(deserialize_as = jiff_diesel::Timestamp)]
    pub attempted_at: Timestamp,
    pub took_ms: i32,
    pub response_status: Option<i16>,
    pub response: Option<String>,
    pub error: Option<String>,
}

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
    fn word(self) -> &'static str {
        match self {
            Fate::Delivered => "delivered",
            Fate::Pending(_) => "pending",
            Fate::Failed => "failed",
        }
    }

    fn next(self) -> Option<Timestamp> {
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

#[derive(QueryableByName)]
struct Numbered {
    #[diesel(sql_type = Integer)]
    n: i32,
}

impl Database {
    /// The first message of a webhook that is still to be delivered.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn pending_delivery(&self, webhook: Uuid) -> Result<Option<Delivery>, StoreError> {
        Ok(webhook_deliveries::table
            .filter(webhook_deliveries::webhook_id.eq(webhook))
            .filter(webhook_deliveries::status.eq("pending"))
            .order(webhook_deliveries::n)
            .select(Delivery::as_select())
            .first(&mut self.connection().await?)
            .await
            .optional()?)
    }

    /// Moves the checkpoint of a webhook on, past notices that its owner does not want. False where nothing was recorded,
    /// see [`Hold`].
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn move_checkpoint(&self, hold: Hold, checkpoint: &str) -> Result<bool, StoreError> {
        let held = webhooks::table
            .find(hold.webhook)
            .filter(webhooks::holder.is_not_distinct_from(hold.holder))
            .filter(webhooks::revision.eq(hold.revision));
        let moved = diesel::update(held).set(webhooks::checkpoint.eq(checkpoint));
        Ok(moved.execute(&mut self.connection().await?).await? > 0)
    }

    /// Records the first attempt of a message, and moves the webhook's checkpoint on. A receiver that
    /// is gone, or has taken nothing for three days, disables the webhook. Gives the delivery's number; none where
    /// nothing was recorded, see [`Hold`].
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn record_message(
        &self,
        hold: Hold,
        message: NewMessage<'_>,
        attempt: &Attempt,
        fate: Fate,
    ) -> Result<Option<i32>, StoreError> {
        let numbered: Option<Numbered> = diesel::sql_query(format!(
            "WITH held AS (
                 UPDATE webhooks SET checkpoint = coalesce($4, checkpoint), deliveries = deliveries + 1,
                     failing_since = CASE WHEN $2 IS NULL THEN failing_since WHEN $5 THEN NULL
                         ELSE coalesce(failing_since, $6) END,
                     disabled_at = CASE WHEN {DISABLES} IS NULL THEN disabled_at ELSE $6 END,
                     disabled_reason = coalesce({DISABLES}, disabled_reason)
                 WHERE webhook_id = $1
                     AND ($2 IS NULL OR holder = $2 AND revision = $3 AND disabled_at IS NULL)
                 RETURNING webhook_id, deliveries
             ), old AS (
                 DELETE FROM webhook_deliveries USING held
                 WHERE webhook_deliveries.webhook_id = held.webhook_id AND n <= held.deliveries - $8
             )
             INSERT INTO webhook_deliveries (webhook_id, n, message_id, message_type, body, created_at, status, attempts,
                 next_attempt_at, attempted_at, took_ms, response_status, response, error)
             SELECT webhook_id, deliveries, $9, $10, $11, $6, $12, 1, $13, $6, $14, $15, $16, $17 FROM held
             ON CONFLICT (webhook_id, message_id) DO UPDATE SET status = excluded.status, attempts = 1,
                 next_attempt_at = excluded.next_attempt_at, attempted_at = excluded.attempted_at,
                 took_ms = excluded.took_ms, response_status = excluded.response_status,
                 response = excluded.response, error = excluded.error
             RETURNING n"
        ))
        .bind::<SqlUuid, _>(hold.webhook)
        .bind::<Nullable<SqlUuid>, _>(hold.holder)
        .bind::<Integer, _>(hold.revision)
        .bind::<Nullable<Text>, _>(message.checkpoint)
        .bind::<Bool, _>(fate == Fate::Delivered)
        .bind::<Timestamptz, _>(attempt.at.to_diesel())
        .bind::<Bool, _>(is_gone(&hold, attempt))
        .bind::<Integer, _>(KEPT)
        .bind::<Text, _>(message.id)
        .bind::<Text, _>(message.message_type)
        .bind::<Text, _>(message.body)
        .bind::<Text, _>(fate.word())
        .bind::<Nullable<Timestamptz>, _>(fate.next().map(ToDiesel::to_diesel))
        .bind::<Integer, _>(attempt.took_ms)
        .bind::<Nullable<SmallInt>, _>(attempt.response_status)
        .bind::<Nullable<Text>, _>(attempt.response.as_deref())
        .bind::<Nullable<Text>, _>(attempt.error)
        .get_result(&mut self.connection().await?)
        .await
        .optional()?;
        Ok(numbered.map(|Numbered { n }| n))
    }

    /// Records another attempt of a message. False where nothing was recorded, see [`Hold`].
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn record_attempt(
        &self,
        hold: Hold,
        n: i32,
        attempt: &Attempt,
        fate: Fate,
    ) -> Result<bool, StoreError> {
        let recorded = diesel::sql_query(format!(
            "WITH held AS (
                 UPDATE webhooks SET
                     failing_since = CASE WHEN $5 THEN NULL ELSE coalesce(failing_since, $6) END,
                     disabled_at = CASE WHEN {DISABLES} IS NULL THEN disabled_at ELSE $6 END,
                     disabled_reason = coalesce({DISABLES}, disabled_reason)
                 WHERE webhook_id = $1 AND holder = $2 AND revision = $3 AND disabled_at IS NULL
                 RETURNING webhook_id
             )
             UPDATE webhook_deliveries SET status = $8, attempts = attempts + 1, next_attempt_at = $9,
                 attempted_at = $6, took_ms = $10, response_status = $11, response = $12, error = $13
             FROM held WHERE webhook_deliveries.webhook_id = held.webhook_id AND n = $4"
        ))
        .bind::<SqlUuid, _>(hold.webhook)
        .bind::<Nullable<SqlUuid>, _>(hold.holder)
        .bind::<Integer, _>(hold.revision)
        .bind::<Integer, _>(n)
        .bind::<Bool, _>(fate == Fate::Delivered)
        .bind::<Timestamptz, _>(attempt.at.to_diesel())
        .bind::<Bool, _>(is_gone(&hold, attempt))
        .bind::<Text, _>(fate.word())
        .bind::<Nullable<Timestamptz>, _>(fate.next().map(ToDiesel::to_diesel))
        .bind::<Integer, _>(attempt.took_ms)
        .bind::<Nullable<SmallInt>, _>(attempt.response_status)
        .bind::<Nullable<Text>, _>(attempt.response.as_deref())
        .bind::<Nullable<Text>, _>(attempt.error)
        .execute(&mut self.connection().await?)
        .await?;
        Ok(recorded > 0)
    }

    /// The deliveries of an account's webhook, the newest first: those before `before`, and only those of `status`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn deliveries(
        &self,
        webhook: Uuid,
        status: Option<&str>,
        before: Option<i32>,
        limit: i64,
    ) -> Result<Vec<Delivery>, StoreError> {
        let mut query = webhook_deliveries::table
            .filter(webhook_deliveries::webhook_id.eq(webhook))
            .order(webhook_deliveries::n.desc())
            .limit(limit)
            .select(Delivery::as_select())
            .into_boxed();
        if let Some(status) = status {
            query = query.filter(webhook_deliveries::status.eq(status.to_owned()));
        }
        if let Some(before) = before {
            query = query.filter(webhook_deliveries::n.lt(before));
        }
        Ok(query.load(&mut self.connection().await?).await?)
    }

    /// Asks for the deliveries with these numbers once more, those of `only` alone if there are some. Gives how many
    /// there are.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn replay_deliveries(
        &self,
        webhook: Uuid,
        (from, to): (i32, i32),
        only: &[&str],
    ) -> Result<usize, StoreError> {
        Ok(diesel::sql_query(
            "WITH changed AS (UPDATE webhooks SET revision = revision + 1 WHERE webhook_id = $1)
             UPDATE webhook_deliveries SET status = 'pending', attempts = 0, next_attempt_at = NULL
             WHERE webhook_id = $1 AND n BETWEEN $2 AND $3 AND (status = ANY ($4) OR $4 = '{}')",
        )
        .bind::<SqlUuid, _>(webhook)
        .bind::<Integer, _>(from)
        .bind::<Integer, _>(to)
        .bind::<Array<Text>, _>(only)
        .execute(&mut self.connection().await?)
        .await?)
    }
}
