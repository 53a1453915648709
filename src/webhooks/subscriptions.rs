//! Subscriptions to Web Push.

use cardroom_core::notice::NoticeType;
use cardroom_core::table::Actor;
use uuid::Uuid;

use crate::store::error::StoreError;
use crate::store::webhooks::{NewWebhook, WEBHOOKS_PER_ACCOUNT, Webhook};
use crate::webhooks::push::PushKeys;
use crate::webhooks::{MOST, WebhookError, Webhooks, words};

impl Webhooks {
    /// Subscribes a browser to what happens from now on, until the session ends.
    ///
    /// # Errors
    /// [`WebhookError::TooManySubscriptions`], [`WebhookError::Url`].
    pub async fn subscribe(
        &self,
        (actor, session): (Actor, Uuid),
        url: &str,
        keys: &PushKeys,
        events: Option<&[NoticeType]>,
    ) -> Result<Webhook, WebhookError> {
        let url = self.sender.check_push(url)?.into();
        let account = actor.account;
        let (_, cursor) = self.tournaments.follow_account(actor, None).await?;
        let at = self.clock.now();
        let checkpoint = cursor.checkpoint().to_string();
        let id = self.entropy.id(at);
        let new = NewWebhook { id, account, url, events: events.map(words), at, checkpoint };
        match self.database.subscribe_push(new, session, (&keys.key, &keys.auth), MOST).await {
            Err(StoreError::Constraint(name)) if name == WEBHOOKS_PER_ACCOUNT => {
                Err(WebhookError::TooManySubscriptions)
            }
            subscribed => Ok(subscribed?),
        }
    }

    /// The subscriptions of an account, the newest first: those before `before`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn subscriptions(
        &self,
        account: Uuid,
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<Webhook>, StoreError> {
        self.database.push_subscriptions(account, before, limit).await
    }

    /// Ends a subscription of an account.
    ///
    /// # Errors
    /// [`WebhookError::NotSubscribed`].
    pub async fn unsubscribe(&self, account: Uuid, id: Uuid) -> Result<(), WebhookError> {
        match self.database.unsubscribe_push(account, id).await? {
            true => Ok(()),
            false => Err(WebhookError::NotSubscribed),
        }
    }

    /// The key to which browsers subscribe, as they take it.
    pub fn push_key(&self) -> &str {
        &self.sender.house_key.public
    }
}
