//! Webhooks: where an account's notices are sent, and the keys that sign them.

use diesel::prelude::*;
use diesel::sql_types::Bool;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::accounts;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::schema::{webhook_deliveries, webhook_secrets, webhooks};
use crate::store::sessions;
use crate::store::wrapping::WEBHOOK_SECRETS;

/// The name of the quota, for refusals.
pub const WEBHOOKS_PER_ACCOUNT: &str = "webhooks_per_account";

/// A webhook, as its owner sees it.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = webhooks, check_for_backend(diesel::pg::Pg))]
pub struct Webhook {
    #[diesel(column_name = webhook_id)]
    pub id: Uuid,
    pub url: String,
    /// The types of notices that are sent; all of them without.
    pub events: Option<Vec<String>>,
    #[diesel(deserialize_as = jiff_diesel::Timestamp)]
    pub created_at: Timestamp,
    /// The first attempt that failed since the last one that did not.
    #[diesel(deserialize_as = jiff_diesel::NullableTimestamp)]
    pub failing_since: Option<Timestamp>,
    /// Since when nothing is sent.
    #[diesel(deserialize_as = jiff_diesel::NullableTimestamp)]
    pub disabled_at: Option<Timestamp>,
    pub disabled_reason: Option<String>,
}

/// A webhook that is created.
#[derive(Debug)]
pub struct NewWebhook {
    pub id: Uuid,
    pub account: Uuid,
    pub url: String,
    pub events: Option<Vec<String>>,
    pub at: Timestamp,
    /// What follows this place of the account's stream is sent.
    pub checkpoint: String,
}

/// A key that signs.
#[derive(Clone)]
pub struct Secret {
    pub id: Uuid,
    pub bytes: [u8; 32],
}

/// What the owner wants of a webhook.
#[derive(Debug)]
pub struct WebhookSettings {
    pub url: String,
    /// The types of notices that are sent; all of them without.
    pub events: Option<Vec<String>>,
    pub is_enabled: bool,
}

impl Database {
    /// Creates a webhook with its first secret.
    ///
    /// # Errors
    /// [`StoreError::Constraint`] [`WEBHOOKS_PER_ACCOUNT`] where the account has `most` already.
    pub async fn create_webhook(
        &self,
        new: NewWebhook,
        session: Uuid,
        secret: &Secret,
        most: i64,
    ) -> Result<Webhook, StoreError> {
        let mut connection = self.connection().await?;
        let created = connection.transaction(async |connection| {
            // Requests of one account take turns, so that the count holds.
            accounts::lock(connection, new.account).await?;
            sessions::check_alive(connection, session).await?;
            let own = webhooks::table.filter(webhooks::account_id.eq(new.account).and(is_webhook()));
            if own.count().get_result::<i64>(connection).await? >= most {
                return Err(StoreError::Constraint(WEBHOOKS_PER_ACCOUNT.to_owned()));
            }
            let created = diesel::insert_into(webhooks::table)
                .values((
                    webhooks::webhook_id.eq(new.id),
                    webhooks::account_id.eq(new.account),
                    webhooks::url.eq(new.url),
                    webhooks::events.eq(new.events),
                    webhooks::created_at.eq(new.at.to_diesel()),
                    webhooks::checkpoint.eq(new.checkpoint),
                ))
                .returning(Webhook::as_returning())
                .get_result(connection)
                .await?;
            self.add_secret(connection, new.id, secret).await?;
            Ok(created)
        });
        created.await
    }

    async fn add_secret(
        &self,
        connection: &mut AsyncPgConnection,
        webhook: Uuid,
        secret: &Secret,
    ) -> Result<(), StoreError> {
        let wrapped = self.master_keys.wrap(WEBHOOK_SECRETS, &secret.id.to_string(), &secret.bytes);
        diesel::insert_into(webhook_secrets::table)
            .values((
                webhook_secrets::id.eq(secret.id),
                webhook_secrets::webhook_id.eq(webhook),
                webhook_secrets::secret.eq(wrapped),
            ))
            .execute(connection)
            .await?;
        Ok(())
    }

    /// The webhooks of an account, the newest first: those before `before`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn webhooks(
        &self,
        account: Uuid,
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<Webhook>, StoreError> {
        let mut query = webhooks::table
            .filter(webhooks::account_id.eq(account).and(is_webhook()))
            .order(webhooks::webhook_id.desc())
            .limit(limit)
            .select(Webhook::as_select())
            .into_boxed();
        if let Some(before) = before {
            query = query.filter(webhooks::webhook_id.lt(before));
        }
        Ok(query.load(&mut self.connection().await?).await?)
    }

    /// A webhook of an account.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn webhook(&self, account: Uuid, id: Uuid) -> Result<Option<Webhook>, StoreError> {
        Ok(webhooks::table
            .find(id)
            .filter(webhooks::account_id.eq(account).and(is_webhook()))
            .select(Webhook::as_select())
            .first(&mut self.connection().await?)
            .await
            .optional()?)
    }

    /// Changes a webhook of an account. None: there is none. A webhook that is enabled goes on where it was disabled.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn change_webhook(
        &self,
        (account, session): (Uuid, Uuid),
        id: Uuid,
        settings: WebhookSettings,
        now: Timestamp,
    ) -> Result<Option<Webhook>, StoreError> {
        let mut connection = self.connection().await?;
        let changed = connection.transaction(async |connection| {
            sessions::check_alive(connection, session).await?;
            let found = webhooks::table
                .find(id)
                .filter(webhooks::account_id.eq(account).and(is_webhook()))
                .select(Webhook::as_select())
                .for_no_key_update()
                .first(connection)
                .await
                .optional()?;
            let Some(mut webhook) = found else { return Ok(None) };
            (webhook.url, webhook.events) = (settings.url, settings.events);
            let is_enabled_again = settings.is_enabled && webhook.disabled_at.is_some();
            match (settings.is_enabled, webhook.disabled_at) {
                (true, Some(_)) => {
                    (webhook.disabled_at, webhook.disabled_reason, webhook.failing_since) =
                        (None, None, None);
                }
                (false, None) => {
                    (webhook.disabled_at, webhook.disabled_reason) = (Some(now), Some("owner".to_owned()));
                }
                (true, None) | (false, Some(_)) => {}
            }
            diesel::update(webhooks::table.find(id))
                .set((
                    webhooks::url.eq(&webhook.url),
                    webhooks::events.eq(&webhook.events),
                    webhooks::failing_since.eq(webhook.failing_since.map(ToDiesel::to_diesel)),
                    webhooks::disabled_at.eq(webhook.disabled_at.map(ToDiesel::to_diesel)),
                    webhooks::disabled_reason.eq(&webhook.disabled_reason),
                    webhooks::is_disabled_told
                        .eq(webhooks::is_disabled_told.and::<_, Bool>(!is_enabled_again)),
                    webhooks::revision.eq(webhooks::revision + 1),
                ))
                .execute(connection)
                .await?;
            // Whatever was wrong may be right now.
            diesel::update(webhook_deliveries::table.filter(webhook_deliveries::webhook_id.eq(id)))
                .filter(webhook_deliveries::status.eq("pending"))
                .set(webhook_deliveries::next_attempt_at.eq(None::<jiff_diesel::Timestamp>))
                .execute(connection)
                .await?;
            Ok::<_, StoreError>(Some(webhook))
        });
        changed.await
    }

    /// Replaces the secret of an account's webhook. The one before signs along until `until`; older ones end. False:
    /// there is no such webhook.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn rotate_webhook_secret(
        &self,
        (account, session): (Uuid, Uuid),
        id: Uuid,
        secret: &Secret,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut connection = self.connection().await?;
        let rotated = connection.transaction(async |connection| {
            sessions::check_alive(connection, session).await?;
            let own = webhooks::table.find(id).filter(webhooks::account_id.eq(account).and(is_webhook()));
            let bumped = diesel::update(own)
                .set(webhooks::revision.eq(webhooks::revision + 1))
                .execute(connection)
                .await?;
            if bumped == 0 {
                return Ok(false);
            }
            let secrets = || webhook_secrets::table.filter(webhook_secrets::webhook_id.eq(id));
            diesel::delete(secrets().filter(webhook_secrets::expires_at.is_not_null()))
                .execute(connection)
                .await?;
            diesel::update(secrets())
                .set(webhook_secrets::expires_at.eq(until.to_diesel()))
                .execute(connection)
                .await?;
            self.add_secret(connection, id, secret).await?;
            Ok::<_, StoreError>(true)
        });
        rotated.await
    }

    /// Deletes a webhook of an account. False: there is none.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn delete_webhook(&self, account: Uuid, id: Uuid) -> Result<bool, StoreError> {
        let own = webhooks::table.find(id).filter(webhooks::account_id.eq(account).and(is_webhook()));
        Ok(diesel::delete(own).execute(&mut self.connection().await?).await? > 0)
    }

    /// The secrets that sign, the current one first, each with its end.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer, or a secret cannot be opened.
    pub async fn webhook_secrets(
        &self,
        webhook: Uuid,
    ) -> Result<Vec<(Secret, Option<Timestamp>)>, StoreError> {
        let rows: Vec<(Uuid, Vec<u8>, jiff_diesel::NullableTimestamp)> = webhook_secrets::table
            .filter(webhook_secrets::webhook_id.eq(webhook))
            .order(webhook_secrets::expires_at.desc().nulls_first())
            .select((webhook_secrets::id, webhook_secrets::secret, webhook_secrets::expires_at))
            .load(&mut self.connection().await?)
            .await?;
        let secret = |(id, wrapped, end): (Uuid, Vec<u8>, jiff_diesel::NullableTimestamp)| {
            let bytes = self.master_keys.unwrap(WEBHOOK_SECRETS, &id.to_string(), &wrapped)?;
            Ok((Secret { id, bytes }, end.into()))
        };
        rows.into_iter().map(secret).collect()
    }
}

/// Whether the row is a webhook, and no subscription to Web Push.
#[diesel::dsl::auto_type(no_type_alias)]
fn is_webhook() -> _ {
    webhooks::push_key.is_null()
}

/// Those of the secrets that sign at `now`.
pub fn valid(secrets: &[(Secret, Option<Timestamp>)], now: Timestamp) -> Vec<Secret> {
    let is_valid = |(_, end): &&(Secret, Option<Timestamp>)| end.is_none_or(|end| now < end);
    secrets.iter().filter(is_valid).map(|(secret, _)| secret.clone()).collect()
}
