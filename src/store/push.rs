//! Subscriptions to Web Push: webhooks to push services, with the keys for which messages are encrypted.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::accounts;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::schema::{push_keys, webhooks};
use crate::store::sessions;
use crate::store::webhooks::{NewWebhook, WEBHOOKS_PER_ACCOUNT, Webhook};
use crate::store::wrapping::PUSH_KEYS;

/// The row of the key that signs.
const KEY: Uuid = Uuid::from_u128(1);

impl Database {
    /// The key that signs requests to push services: `fresh`, unless there is one.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer, or the key cannot be opened.
    pub async fn push_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], StoreError> {
        let mut connection = self.connection().await?;
        let wrapped = self.master_keys.wrap(PUSH_KEYS, &KEY.to_string(), &fresh);
        diesel::insert_into(push_keys::table)
            .values((push_keys::id.eq(KEY), push_keys::secret.eq(wrapped)))
            .on_conflict_do_nothing()
            .execute(&mut connection)
            .await?;
        let stored: Vec<u8> =
            push_keys::table.find(KEY).select(push_keys::secret).first(&mut connection).await?;
        self.master_keys.unwrap(PUSH_KEYS, &KEY.to_string(), &stored)
    }

    /// Subscribes a browser. It belongs to this account alone from now on, and begins anew if it was subscribed before.
    /// Those of the account's that are gone make room.
    ///
    /// # Errors
    /// [`StoreError::Constraint`] [`WEBHOOKS_PER_ACCOUNT`] where the account has `most` already, and
    /// [`SESSION_ENDED`](accounts::SESSION_ENDED).
    pub async fn subscribe_push(
        &self,
        new: NewWebhook,
        session: Uuid,
        (key, auth): (&[u8], &[u8]),
        most: i64,
    ) -> Result<Webhook, StoreError> {
        let mut connection = self.connection().await?;
        let subscribed = connection.transaction(async |connection| {
            accounts::lock(connection, new.account).await?;
            sessions::check_alive(connection, session).await?;
            let is_push = || webhooks::push_key.is_not_null();
            let same = webhooks::table.filter(is_push().and(webhooks::url.eq(&new.url)));
            diesel::delete(same).execute(connection).await?;
            let own = || webhooks::table.filter(is_push().and(webhooks::account_id.eq(new.account)));
            diesel::delete(own().filter(webhooks::disabled_at.is_not_null())).execute(connection).await?;
            if own().count().get_result::<i64>(connection).await? >= most {
                return Err(StoreError::Constraint(WEBHOOKS_PER_ACCOUNT.to_owned()));
            }
            diesel::insert_into(webhooks::table)
                .values((
                    webhooks::webhook_id.eq(new.id),
                    webhooks::account_id.eq(new.account),
                    webhooks::url.eq(&new.url),
                    webhooks::events.eq(&new.events),
                    webhooks::created_at.eq(new.at.to_diesel()),
                    webhooks::checkpoint.eq(&new.checkpoint),
                    webhooks::push_key.eq(key),
                    webhooks::push_auth.eq(auth),
                    webhooks::session.eq(session),
                ))
                .on_conflict_do_nothing()
                .returning(Webhook::as_returning())
                .get_result(connection)
                .await
                .optional()?
                .ok_or_else(|| StoreError::Unavailable("another request subscribes this browser".to_owned()))
        });
        subscribed.await
    }

    /// The subscriptions of an account, the newest first: those before `before`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn push_subscriptions(
        &self,
        account: Uuid,
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<Webhook>, StoreError> {
        Ok(webhooks::table
            .filter(webhooks::account_id.eq(account).and(webhooks::push_key.is_not_null()))
            .filter(webhooks::webhook_id.lt(before.unwrap_or(Uuid::max())))
            .order(webhooks::webhook_id.desc())
            .limit(limit)
            .select(Webhook::as_select())
            .load(&mut self.connection().await?)
            .await?)
    }

    /// Ends a subscription of an account. False: there is none.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn unsubscribe_push(&self, account: Uuid, id: Uuid) -> Result<bool, StoreError> {
        let own = webhooks::table.find(id).filter(webhooks::account_id.eq(account));
        let own = own.filter(webhooks::push_key.is_not_null());
        Ok(diesel::delete(own).execute(&mut self.connection().await?).await? > 0)
    }
}
