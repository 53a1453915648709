//! Which replica sends to which webhooks.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use crate::store::attempts::Hold;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::schema::{accounts, webhooks};

/// How many webhooks a replica takes over at a time.
const TAKEN_AT_ONCE: i64 = 200;
/// How many it has at most.
const MOST_HELD: i64 = 10_000;
/// How long a replica's word that it sends holds.
pub const LEASE: Duration = Duration::from_secs(10);

/// A webhook that a replica sends to.
#[derive(Debug, Clone)]
pub struct HeldWebhook {
    pub id: Uuid,
    pub revision: i32,
    pub account: Uuid,
    pub username: String,
    pub url: String,
    pub events: Option<Vec<String>>,
    pub checkpoint: String,
    /// The keys of a browser, for which messages are encrypted.
    pub push: Option<(Vec<u8>, Vec<u8>)>,
}

#[derive(QueryableByName)]
struct Held {
    #[diesel(sql_type = SqlUuid)]
    webhook_id: Uuid,
    #[diesel(sql_type = Integer)]
    revision: i32,
}

impl Database {
    /// Says that this replica sends, takes over some of the webhooks to which no replica sends, and gives all that it has,
    /// each with its revision.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn hold_webhooks(&self, holder: Uuid) -> Result<Vec<(Uuid, i32)>, StoreError> {
        let mut connection = self.connection().await?;
        diesel::sql_query(
            "WITH gone AS (DELETE FROM webhook_holders WHERE holder <> $1 AND expires_at < now() - interval '1 hour')
             INSERT INTO webhook_holders (holder, expires_at) VALUES ($1, now() + make_interval(secs => $2))
             ON CONFLICT (holder) DO UPDATE SET expires_at = excluded.expires_at",
        )
        .bind::<SqlUuid, _>(holder)
        .bind::<Integer, _>(LEASE.as_secs() as i32)
        .prepared()
        .execute(&mut connection)
        .await?;
        diesel::sql_query(
            "UPDATE webhooks SET holder = $1 WHERE webhook_id IN (
                 SELECT webhook_id FROM webhooks WHERE disabled_at IS NULL AND holder IS DISTINCT FROM $1
                     AND NOT EXISTS (SELECT FROM webhook_holders AS other
                         WHERE other.holder = webhooks.holder AND other.expires_at > now())
                 LIMIT greatest(0, least($2, $3 - (
                     SELECT count(*) FROM webhooks WHERE holder = $1 AND disabled_at IS NULL)))
                 FOR NO KEY UPDATE SKIP LOCKED)",
        )
        .bind::<SqlUuid, _>(holder)
        .bind::<BigInt, _>(TAKEN_AT_ONCE)
        .bind::<BigInt, _>(MOST_HELD)
        .prepared()
        .execute(&mut connection)
        .await?;
        let held: Vec<Held> = diesel::sql_query(
            "SELECT webhook_id, revision FROM webhooks WHERE holder = $1 AND disabled_at IS NULL",
        )
        .bind::<SqlUuid, _>(holder)
        .prepared()
        .load(&mut connection)
        .await?;
        Ok(held.into_iter().map(|Held { webhook_id, revision }| (webhook_id, revision)).collect())
    }

    /// Lets other replicas take over at once.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn release_webhooks(&self, holder: Uuid) -> Result<(), StoreError> {
        diesel::sql_query("DELETE FROM webhook_holders WHERE holder = $1")
            .bind::<SqlUuid, _>(holder)
            .prepared()
            .execute(&mut self.connection().await?)
            .await?;
        Ok(())
    }

    /// A webhook that this replica sends to. None: it does not, or no longer.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn held_webhook(&self, holder: Uuid, id: Uuid) -> Result<Option<HeldWebhook>, StoreError> {
        let found = webhooks::table
            .inner_join(accounts::table.on(accounts::id.eq(webhooks::account_id)))
            .filter(webhooks::webhook_id.eq(id).and(webhooks::holder.eq(holder)))
            .filter(webhooks::disabled_at.is_null())
            .select((
                webhooks::revision,
                accounts::id,
                accounts::username,
                webhooks::url,
                webhooks::events,
                webhooks::checkpoint,
                webhooks::push_key,
                webhooks::push_auth,
            ))
            .first(&mut self.connection().await?)
            .await
            .optional()?;
        let Some((revision, account, username, url, events, checkpoint, key, auth)) = found else {
            return Ok(None);
        };
        let push = Option::<Vec<u8>>::zip(key, auth);
        Ok(Some(HeldWebhook { id, revision, account, username, url, events, checkpoint, push }))
    }

    /// Whether this replica sends to the webhook, and its owner has not changed it.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn is_held(&self, hold: Hold) -> Result<bool, StoreError> {
        let held = webhooks::table
            .find(hold.webhook)
            .filter(webhooks::holder.is_not_distinct_from(hold.holder))
            .filter(webhooks::revision.eq(hold.revision).and(webhooks::disabled_at.is_null()));
        let found: Option<i32> =
            held.select(webhooks::revision).first(&mut self.connection().await?).await.optional()?;
        Ok(found.is_some())
    }
}
