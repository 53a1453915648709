//! Webhooks: an account's notices, sent to the addresses that it has named, as the Standard Webhooks specification
//! (standardwebhooks.com) says.
//!
//! A webhook has a place in its account's stream, and what follows from there is sent, one message after the other. So
//! the logs are the outbox: nothing is written when somebody moves, and whatever a replica does not send, because it has
//! stopped, another one sends.

pub mod addresses;
pub mod message;
pub mod origins;
pub mod push;
pub mod sender;
pub mod subscriptions;
pub mod trials;

use std::sync::Arc;

use cardroom_core::notice::NoticeType;
use cardroom_core::table::Actor;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::clock::Clock;
use crate::entropy::Entropy;
use crate::runtime::error::ServiceError;
use crate::store::attempts::{Attempt, Fate, Hold, KEPT, NewMessage};
use crate::store::database::Database;
use crate::store::deliveries::{Delivery, DeliveryLog};
use crate::store::error::StoreError;
use crate::store::webhooks::{NewWebhook, Secret, WEBHOOKS_PER_ACCOUNT, Webhook, WebhookSettings, valid};
use crate::tournaments::service::Tournaments;
use crate::webhooks::addresses::Refused;
use crate::webhooks::message::Message;
use crate::webhooks::sender::{Envelope, Letter, Sender};
use crate::webhooks::trials::Trials;

/// How many webhooks an account may have.
pub const MOST: i64 = 10;
/// How long a secret that was replaced signs along.
const SIGNS_ALONG: SignedDuration = SignedDuration::from_hours(24);

/// After how many seconds a message is tried again, from attempt to attempt: 31 hours in all. Then it is given up.
const DELAYS: [i64; 7] = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600];

/// Why something was not done with a webhook.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    #[error("you have no such webhook")]
    NotFound,
    #[error("you have no such subscription")]
    NotSubscribed,
    #[error("you have {MOST} webhooks, which is as many as an account may have")]
    TooMany,
    #[error("you have {MOST} subscriptions, which is as many as an account may have")]
    TooManySubscriptions,
    #[error("another test message of yours is under way; wait for its answer")]
    TestUnderWay,
    #[error("url: {0}")]
    Url(#[from] Refused),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// The webhooks of all accounts.
#[derive(Clone)]
pub struct Webhooks {
    database: Database,
    tournaments: Tournaments,
    clock: Clock,
    entropy: Entropy,
    sender: Arc<Sender>,
    log: DeliveryLog,
    trials: Trials,
}

impl Webhooks {
    pub fn new(
        tournaments: Tournaments,
        (clock, entropy): (Clock, Entropy),
        sender: Arc<Sender>,
        log: DeliveryLog,
    ) -> Webhooks {
        let database = tournaments.games.database.clone();
        Webhooks { database, tournaments, clock, entropy, sender, log, trials: Trials::default() }
    }

    /// Creates a webhook that is sent what happens from now on. Returns its secret, too.
    ///
    /// # Errors
    /// [`WebhookError::TooMany`], [`WebhookError::Url`].
    pub async fn create(
        &self,
        (actor, session): (Actor, Uuid),
        url: &str,
        events: Option<&[NoticeType]>,
    ) -> Result<(Webhook, Secret), WebhookError> {
        let url = self.sender.check(url)?.into();
        let account = actor.account;
        let (_, cursor) = self.tournaments.follow_account(actor, None).await?;
        let now = self.clock.now();
        let new = NewWebhook {
            id: self.entropy.id(now),
            account,
            url,
            events: events.map(words),
            at: now,
            checkpoint: cursor.checkpoint().to_string(),
        };
        let secret = self.secret(now);
        match self.database.create_webhook(new, session, &secret, MOST).await {
            Err(StoreError::Constraint(name)) if name == WEBHOOKS_PER_ACCOUNT => Err(WebhookError::TooMany),
            created => Ok((created?, secret)),
        }
    }

    /// The webhooks of an account, the newest first: those before `before`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn list(
        &self,
        account: Uuid,
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<Webhook>, StoreError> {
        self.database.webhooks(account, before, limit).await
    }

    /// A webhook of an account.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`].
    pub async fn find(&self, account: Uuid, id: Uuid) -> Result<Webhook, WebhookError> {
        self.database.webhook(account, id).await?.ok_or(WebhookError::NotFound)
    }

    /// Changes a webhook of an account, in a session. One that is enabled goes on where it was disabled.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`], [`WebhookError::Url`].
    pub async fn change(
        &self,
        by: (Uuid, Uuid),
        id: Uuid,
        url: &str,
        events: Option<&[NoticeType]>,
        is_enabled: bool,
    ) -> Result<Webhook, WebhookError> {
        let url = self.sender.check(url)?.into();
        let settings = WebhookSettings { url, events: events.map(words), is_enabled };
        let changed = self.database.change_webhook(by, id, settings, self.clock.now()).await?;
        changed.ok_or(WebhookError::NotFound)
    }

    /// Replaces the secret of an account's webhook, in a session. The one before signs along for a day.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`].
    pub async fn rotate(&self, by: (Uuid, Uuid), id: Uuid) -> Result<Secret, WebhookError> {
        let now = self.clock.now();
        let secret = self.secret(now);
        match self.database.rotate_webhook_secret(by, id, &secret, now + SIGNS_ALONG).await? {
            true => Ok(secret),
            false => Err(WebhookError::NotFound),
        }
    }

    /// Deletes a webhook of an account.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`].
    pub async fn delete(&self, account: Uuid, id: Uuid) -> Result<(), WebhookError> {
        match self.database.delete_webhook(account, id).await? {
            true => Ok(()),
            false => Err(WebhookError::NotFound),
        }
    }

    /// What was sent to an account's webhook, the newest first: the deliveries before `before`, and only those of
    /// `status`.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`].
    pub async fn deliveries(
        &self,
        account: Uuid,
        id: Uuid,
        status: Option<&str>,
        before: Option<i32>,
        limit: i64,
    ) -> Result<Vec<Delivery>, WebhookError> {
        self.find(account, id).await?;
        Ok(self.database.deliveries(id, status, before, limit).await?)
    }

    /// Sends a test message to an account's webhook, once, and tells what came back.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`], [`WebhookError::TestUnderWay`].
    pub async fn test(&self, account: Uuid, id: Uuid) -> Result<Delivery, WebhookError> {
        let webhook = self.find(account, id).await?;
        let _trial = self.trials.begin(account).await.ok_or(WebhookError::TestUnderWay)?;
        let turn = self.sender.turn(&webhook.url).await;
        let at = self.clock.now();
        let message = Message::test(self.entropy.id(at), at);
        let secrets = valid(&self.database.webhook_secrets(id).await?, at);
        if secrets.is_empty() {
            return Err(WebhookError::NotFound);
        }
        let envelope = Envelope::Signed(&secrets);
        let letter = Letter { envelope, message: &message, at };
        let attempt = turn.send(&letter).await;
        let fate = if is_delivered(&attempt) { Fate::Delivered } else { Fate::Failed };
        let new = NewMessage {
            id: &message.id,
            message_type: &message.message_type,
            body: &message.body,
            checkpoint: None,
        };
        let hold = Hold { holder: None, webhook: id, revision: 0, is_push: false };
        let recorded = self.log.record_message(hold, new, &attempt, fate).await?;
        let n = recorded.ok_or(WebhookError::NotFound)?;
        let found = self.database.deliveries(id, None, n.checked_add(1), 1).await?;
        found.into_iter().next().ok_or(WebhookError::NotFound)
    }

    /// Asks for deliveries of an account's webhook once more: those with numbers from `from` to `to`; the newest if
    /// left out. `failed`: only those that have failed. Gives how many these are.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`].
    pub async fn replay(
        &self,
        account: Uuid,
        id: Uuid,
        (from, to): (i32, Option<i32>),
        failed: bool,
    ) -> Result<usize, WebhookError> {
        self.find(account, id).await?;
        let to = to.unwrap_or(i32::MAX).min(from.saturating_add(KEPT));
        let only: &[&str] = if failed { &["failed"] } else { &[] };
        Ok(self.database.replay_deliveries(id, (from, to), only).await?)
    }

    fn secret(&self, now: Timestamp) -> Secret {
        Secret { id: self.entropy.id(now), bytes: self.entropy.bytes() }
    }
}

/// Whether the receiver has taken the message: it answers with a 2xx.
pub fn is_delivered(attempt: &Attempt) -> bool {
    attempt.response_status.is_some_and(|status| (200..300).contains(&status))
}

/// The words for types of notices, each once.
fn words(types: &[NoticeType]) -> Vec<String> {
    let mut types = types.to_vec();
    types.sort_unstable();
    types.dedup();
    types.into_iter().map(message::word).collect()
}

/// What becomes of a message after so many attempts.
pub fn fate(attempt: &Attempt, attempts: u16) -> Fate {
    if is_delivered(attempt) {
        return Fate::Delivered;
    }
    match DELAYS.get(usize::from(attempts) - 1) {
        Some(seconds) => Fate::Pending(attempt.at + SignedDuration::from_secs(*seconds)),
        None => Fate::Failed,
    }
}
