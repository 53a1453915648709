//! Deliveries to webhooks. Every webhook is held by one replica at a time, which follows its account's stream and sends
//! one message after the other, so that they arrive in order. A replica that stops loses its webhooks to the others
//! within ten seconds. A message may arrive twice then, each time under the same id.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cardroom_core::table::Actor;
use jiff::Timestamp;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep, sleep_until};
use uuid::Uuid;

use crate::clock::Clock;
use crate::entropy::Entropy;
use crate::jobs::disabled_webhooks::tell_owners;
use crate::mail::Mailer;
use crate::runtime::error::ServiceError;
use crate::store::attempts::{Attempt, Fate, Hold, NewMessage};
use crate::store::database::Database;
use crate::store::deliveries::{Delivery, DeliveryLog};
use crate::store::error::StoreError;
use crate::store::held_webhooks::{HeldWebhook, LEASE};
use crate::store::webhooks::{Secret, valid};
use crate::streams::account::AccountCursor;
use crate::streams::cursor::{Cursor, Step};
use crate::tournaments::service::Tournaments;
use crate::webhooks::message::{Message, word};
use crate::webhooks::push::{Fresh, PushKeys};
use crate::webhooks::sender::{Envelope, Letter, Sender};
use crate::webhooks::{fate, is_delivered};

/// How often a replica looks for webhooks that nobody holds, and for changes of its own.
const PERIOD: Duration = Duration::from_secs(1);
/// How long a webhook waits where the database does not answer, or its stream has ended.
const PAUSE: Duration = Duration::from_secs(1);
/// How long it waits at most, where one attempt after the other fails at once.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// The longest sleep before it is seen whether it is time for the next attempt: the clock may be set.
const LOOK: Duration = Duration::from_millis(500);

/// If more messages than these are being sent at once, they are recorded together, so often.
const FEW: usize = 10;
const GATHERED: Duration = Duration::from_millis(50);

/// After how many notices that the owner does not want the checkpoint is moved, so that a replica that takes the webhook
/// over need not read them all again.
const SKIPPED: u32 = 50;

/// A replica's deliveries.
#[derive(Clone)]
pub struct Deliveries {
    database: Database,
    tournaments: Tournaments,
    clock: Clock,
    entropy: Entropy,
    sender: Arc<Sender>,
    log: DeliveryLog,
    mailer: Option<Mailer>,
    /// This replica.
    holder: Uuid,
    began: Instant,
    /// How many messages are being sent for the first time, or are about to be.
    sending: Arc<AtomicUsize>,
}

/// A message that is being sent.
struct Sending(Arc<AtomicUsize>);

impl Sending {
    fn begin(sending: &Arc<AtomicUsize>) -> Sending {
        sending.fetch_add(1, Ordering::Relaxed);
        Sending(sending.clone())
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The webhooks that are sent to by this replica, each on a task of its own.
#[derive(Default)]
struct Workers {
    tasks: JoinSet<()>,
    /// With the revision of the webhook.
    running: HashMap<Uuid, (i32, AbortHandle)>,
}

/// Why a worker stops: another replica holds the webhook, or its owner has changed it. It is started again if it is
/// still held.
struct Released;

/// Sends to one webhook.
struct Worker<'d> {
    deliveries: &'d Deliveries,
    webhook: HeldWebhook,
    /// A new one changes the webhook's revision, and with that the worker.
    secrets: Vec<(Secret, Option<Timestamp>)>,
    /// The keys of a browser, if it is one.
    push: Option<PushKeys>,
}

impl Deliveries {
    /// With a mailer, the owners of disabled webhooks are told so.
    pub fn new(
        tournaments: Tournaments,
        (clock, entropy): (Clock, Entropy),
        sender: Arc<Sender>,
        log: DeliveryLog,
        mailer: Option<Mailer>,
    ) -> Deliveries {
        // Replicas whose ids are the same would take each other's webhooks for their own.
        let holder = Entropy::System.id(clock.now());
        let database = tournaments.games.database.clone();
        Deliveries {
            database,
            tournaments,
            clock,
            entropy,
            sender,
            log,
            mailer,
            holder,
            began: Instant::now(),
            sending: Arc::default(),
        }
    }

    /// Runs until it is dropped.
    pub async fn run(self) {
        let mut workers = Workers::default();
        let mut held_at = Instant::now();
        loop {
            let asked_at = Instant::now();
            match self.database.hold_webhooks(self.holder).await {
                Ok(held) => {
                    held_at = asked_at;
                    workers.follow(&held, &self);
                }
                Err(error) => {
                    tracing::warn!(%error, "deliveries wait for the database");
                    // A database that only reads tells of messages, but nobody could record that they were sent.
                    if held_at.elapsed() >= LEASE {
                        workers.follow(&[], &self);
                    }
                }
            }
            if let Some(mailer) = &self.mailer
                && let Err(error) = tell_owners(&self.database, mailer, self.clock.now()).await
            {
                tracing::warn!(%error, "owners of disabled webhooks are told later");
            }
            sleep(PERIOD).await;
        }
    }

    /// Lets other replicas take over at once. Call it when this replica does not run any more.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn release(&self) -> Result<(), StoreError> {
        self.database.release_webhooks(self.holder).await
    }

    /// If many messages are being sent, waits for the next of the moments at which all of them are recorded, so that they
    /// share a statement. The message has arrived by then; only the webhook's next one waits.
    async fn gathered(&self) {
        if self.sending.load(Ordering::Relaxed) <= FEW {
            return;
        }
        let mut moment = self.began;
        moment += GATHERED * (moment.elapsed().div_duration_f64(GATHERED) as u32 + 1);
        sleep_until(moment).await;
    }

    /// Sends to a webhook until it is released.
    async fn work(&self, id: Uuid) {
        let mut pause = PAUSE;
        loop {
            let began = Instant::now();
            match self.work_once(id).await {
                Ok(Released) => return,
                Err(error) => tracing::warn!(%error, webhook = %id, "deliveries to a webhook wait"),
            }
            // What fails at once, and again and again, is tried less often: it may send the same message each time.
            if began.elapsed() > LONGEST_PAUSE {
                pause = PAUSE;
            }
            sleep(pause).await;
            pause = LONGEST_PAUSE.min(2 * pause);
        }
    }

    async fn work_once(&self, id: Uuid) -> Result<Released, ServiceError> {
        // A replica that takes many webhooks over leaves connections to others.
        let permit = self.tournaments.openings.acquire().await;
        let Some(webhook) = self.database.held_webhook(self.holder, id).await? else { return Ok(Released) };
        let secrets = self.database.webhook_secrets(id).await?;
        drop(permit);
        let broken = || StoreError::Broken(format!("the subscription {id} has no keys"));
        let keys = webhook.push.as_ref().map(|(key, auth)| PushKeys::new(key, auth).ok_or_else(broken));
        let push = keys.transpose()?;
        Worker { deliveries: self, webhook, secrets, push }.run().await
    }
}

impl Workers {
    /// Starts what is held and does not run, and stops what is not held any more or was changed.
    fn follow(&mut self, held: &[(Uuid, i32)], deliveries: &Deliveries) {
        while self.tasks.try_join_next().is_some() {}
        let held: HashMap<Uuid, i32> = held.iter().copied().collect();
        self.running.retain(|id, (revision, task)| {
            let goes_on = held.get(id) == Some(revision) && !task.is_finished();
            if !goes_on {
                task.abort();
            }
            goes_on
        });
        for (id, revision) in held {
            self.running.entry(id).or_insert_with(|| {
                let deliveries = deliveries.clone();
                (revision, self.tasks.spawn(async move { deliveries.work(id).await }))
            });
        }
    }
}

impl Worker<'_> {
    /// First what is still to be delivered, and then what the account's stream brings.
    async fn run(mut self) -> Result<Released, ServiceError> {
        let Deliveries { database, .. } = self.deliveries;
        while let Some(pending) = database.pending_delivery(self.webhook.id).await? {
            if self.deliver(pending).await?.is_err() {
                return Ok(Released);
            }
        }
        let mut cursor = match self.follow().await? {
            Ok(cursor) => cursor,
            Err(released) => return Ok(released),
        };
        let mut skipped = 0;
        loop {
            match cursor.advance().await? {
                Step::Pending => {}
                // It is followed anew.
                Step::End(_) => return Err(StoreError::Unavailable("the stream has ended".to_owned()).into()),
                Step::Event((checkpoint, notice)) => {
                    let events = &self.webhook.events;
                    let is_wanted = events.as_ref().is_none_or(|events| {
                        let type_ = word(notice.notice_type());
                        events.contains(&type_)
                    });
                    skipped = if is_wanted { 0 } else { skipped + 1 };
                    let goes_on = match (is_wanted, skipped) {
                        (true, _) => self.send(&Message::of(&notice), &checkpoint).await?.is_ok(),
                        (false, SKIPPED) => {
                            skipped = 0;
                            database.move_checkpoint(self.hold(), &checkpoint).await?
                        }
                        (false, _) => true,
                    };
                    if !goes_on {
                        return Ok(Released);
                    }
                }
            }
        }
    }

    /// The account's stream from the webhook's checkpoint on. Where too much has happened since, the receiver is told
    /// so, and the stream begins now.
    async fn follow(&mut self) -> Result<Result<AccountCursor, Released>, ServiceError> {
        let Deliveries { tournaments, clock, entropy, .. } = self.deliveries;
        let HeldWebhook { account, username, checkpoint, .. } = &self.webhook;
        let actor = Actor {
            account: *account,
            username: username.clone(),
            admin: false,
            is_program: false,
            invite: None,
        };
        let permit = tournaments.openings.acquire().await;
        let known = checkpoint.parse().ok();
        if let Some(known) = known {
            match tournaments.follow_account(actor.clone(), Some(known)).await {
                Err(ServiceError::NoSuchVersion) => {}
                followed => return Ok(Ok(followed?.1)),
            }
        }
        let (_, cursor) = tournaments.follow_account(actor, None).await?;
        drop(permit);
        let now = clock.now();
        let checkpoint = cursor.checkpoint().to_string();
        Ok(self.send(&Message::gap(entropy.id(now), now), &checkpoint).await?.map(|()| cursor))
    }

    /// Sends a message until it is delivered or given up.
    async fn send(&self, message: &Message, checkpoint: &str) -> Result<Result<(), Released>, ServiceError> {
        let Message { id, message_type, body } = message;
        let sending = Sending::begin(&self.deliveries.sending);
        let Some(attempt) = self.attempt(message).await? else { return Ok(Err(Released)) };
        let fate = fate(&attempt, 1);
        let new = NewMessage { id, message_type, body, checkpoint: Some(checkpoint) };
        self.deliveries.gathered().await;
        let recorded = self.deliveries.log.record_message(self.hold(), new, &attempt, fate).await?;
        drop(sending);
        let Some(n) = recorded else { return Ok(Err(Released)) };
        match fate {
            Fate::Delivered | Fate::Failed => Ok(Ok(())),
            Fate::Pending(next) => self.retry(n, message, 1, Some(next)).await,
        }
    }

    /// Goes on with a message that was tried before, or that is asked for once more.
    async fn deliver(&self, pending: Delivery) -> Result<Result<(), Released>, ServiceError> {
        let Delivery { n, message_id: id, message_type, body, attempts, next_attempt_at, .. } = pending;
        let message = Message { id, message_type, body };
        self.retry(n, &message, attempts.unsigned_abs(), next_attempt_at).await
    }

    async fn retry(
        &self,
        n: i32,
        message: &Message,
        mut attempts: u16,
        mut next: Option<Timestamp>,
    ) -> Result<Result<(), Released>, ServiceError> {
        loop {
            if let Some(next) = next {
                self.wait(next).await;
            }
            let Some(attempt) = self.attempt(message).await? else { return Ok(Err(Released)) };
            attempts += 1;
            let fate = fate(&attempt, attempts);
            if !self.deliveries.log.record_attempt(self.hold(), n, &attempt, fate).await? {
                return Ok(Err(Released));
            }
            match fate {
                Fate::Delivered | Fate::Failed => return Ok(Ok(())),
                Fate::Pending(at) => next = Some(at),
            }
        }
    }

    /// None: the browser does not belong to the account any more. A worker learns of changes within [`PERIOD`], but on a
    /// screen nobody may read what another account is told.
    async fn attempt(&self, message: &Message) -> Result<Option<Attempt>, StoreError> {
        let Deliveries { database, clock, sender, entropy, .. } = self.deliveries;
        let turn = sender.turn(&self.webhook.url).await;
        if self.push.is_some() && !database.is_held(self.hold()).await? {
            return Ok(None);
        }
        let at = clock.now();
        let secrets = valid(&self.secrets, at);
        let envelope = match &self.push {
            None => Envelope::Signed(&secrets),
            Some(keys) => Envelope::Encrypted(keys, Fresh { key: entropy.bytes(), salt: entropy.bytes() }),
        };
        let attempt = turn.send(&Letter { envelope, message, at }).await;
        let attempts = &database.metrics.webhook_attempts;
        if is_delivered(&attempt) { &attempts.delivered } else { &attempts.failed }.inc();
        Ok(Some(attempt))
    }

    fn hold(&self) -> Hold {
        Hold {
            holder: Some(self.deliveries.holder),
            webhook: self.webhook.id,
            revision: self.webhook.revision,
            is_push: self.push.is_some(),
        }
    }

    async fn wait(&self, until: Timestamp) {
        loop {
            let left = until.duration_since(self.deliveries.clock.now());
            let Ok(left) = Duration::try_from(left) else { return };
            if left.is_zero() {
                return;
            }
            sleep(left.min(LOOK)).await;
        }
    }
}
