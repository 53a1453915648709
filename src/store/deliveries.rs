//! Deliveries: what was sent to webhooks.

use diesel::prelude::*;
use diesel::sql_types::{Array, Integer, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use jiff::Timestamp;
use uuid::Uuid;

use crate::store::attempts::{Attempt, Fate, Hold, NewMessage};
use crate::store::batcher::Queue;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::recording::Record;
use crate::store::schema::{webhook_deliveries, webhooks};

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

/// The most records that wait for a statement: more than a replica has attempts under way.
const MOST_WAITING: u32 = 4096;

/// Records what came of attempts. A clone records by the same queue.
#[derive(Clone)]
pub struct DeliveryLog(Queue<Record>);

impl DeliveryLog {
    /// Call it in the runtime that is to run the statements.
    pub fn start(database: &Database) -> DeliveryLog {
        DeliveryLog(Queue::start(database, 1, MOST_WAITING))
    }

    /// Records the first attempt of a message, and moves the webhook's checkpoint on. A receiver that
    /// is gone, or has taken nothing for three days, disables the webhook. Gives the delivery's number; none where
    /// nothing was recorded, see [`Hold`].
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer, or too many records wait.
    pub async fn record_message(
        &self,
        hold: Hold,
        message: NewMessage<'_>,
        attempt: &Attempt,
        fate: Fate,
    ) -> Result<Option<i32>, StoreError> {
        self.0.ask(Record::first(hold, attempt, fate, message)).await
    }

    /// Records another attempt of a message. False where nothing was recorded, see [`Hold`].
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer, or too many records wait.
    pub async fn record_attempt(
        &self,
        hold: Hold,
        n: i32,
        attempt: &Attempt,
        fate: Fate,
    ) -> Result<bool, StoreError> {
        Ok(self.0.ask(Record::again(hold, attempt, fate, Some(n))).await?.is_some())
    }
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
        Ok(moved.prepared().execute(&mut self.connection().await?).await? > 0)
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
            // The webhook's row is locked first, as it is by those who record.
            "WITH changed AS (
                 UPDATE webhooks SET revision = revision + 1 WHERE webhook_id = $1 RETURNING webhook_id)
             UPDATE webhook_deliveries AS delivery SET status = 'pending', attempts = 0, next_attempt_at = NULL
             FROM changed WHERE delivery.webhook_id = changed.webhook_id
                 AND n BETWEEN $2 AND $3 AND (status = ANY ($4) OR $4 = '{}')",
        )
        .bind::<SqlUuid, _>(webhook)
        .bind::<Integer, _>(from)
        .bind::<Integer, _>(to)
        .bind::<Array<Text>, _>(only)
        .prepared()
        .execute(&mut self.connection().await?)
        .await?)
    }
}
