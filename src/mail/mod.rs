//! Mail, where the settings name a mail server: the texts, and how they are sent.

pub mod texts;

use std::sync::Arc;
use std::time::Duration;

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::AsyncSmtpTransportBuilder;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use crate::metrics::Metrics;

/// How many mails a replica sends at a time. More are refused.
const MOST_AT_ONCE: usize = 50;
/// How long the mail server may take for one.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long after an attempt that failed the next one begins. Then the mail is given up.
const PAUSES: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(15)];

/// What the settings say about mail.
#[derive(Clone)]
pub struct MailSettings {
    pub server: AsyncSmtpTransportBuilder,
    pub from: Mailbox,
    /// The address of the card room for browsers, without a slash at its end.
    pub public_url: String,
}

/// Sends mail.
#[derive(Clone)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    public_url: Arc<str>,
    permits: Arc<Semaphore>,
    metrics: Arc<Metrics>,
}

/// A mail, without its sender.
#[derive(Debug)]
pub struct Mail {
    pub to: Address,
    pub subject: &'static str,
    pub text: String,
}

/// The permission to send one mail.
pub struct MailPermit {
    _permit: OwnedSemaphorePermit,
}

impl Mailer {
    pub fn new(settings: MailSettings, metrics: Arc<Metrics>) -> Mailer {
        let MailSettings { server, from, public_url } = settings;
        Mailer {
            transport: server.timeout(Some(PATIENCE)).build(),
            from,
            public_url: public_url.into(),
            permits: Arc::new(Semaphore::new(MOST_AT_ONCE)),
            metrics,
        }
    }

    /// The address of the card room for browsers, without a slash at its end.
    pub fn public_url(&self) -> &str {
        &self.public_url
    }

    /// None where as many mails are being sent as may be.
    pub fn permit(&self) -> Option<MailPermit> {
        let permit = self.permits.clone().try_acquire_owned().ok()?;
        Some(MailPermit { _permit: permit })
    }

    /// Sends a mail. Nobody waits for it, so a failure stands in the log and in the metrics.
    pub async fn send(&self, mail: Mail, permit: MailPermit) {
        let sent = self.send_or_fail(mail).await;
        drop(permit);
        match sent {
            Ok(()) => self.metrics.mails.sent.inc(),
            Err(error) => {
                self.metrics.mails.failed.inc();
                tracing::warn!(error, "a mail was not sent");
            }
        }
    }

    async fn send_or_fail(&self, mail: Mail) -> Result<(), String> {
        // A machine has written it: no other machine should answer.
        let automatic =
            HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned());
        let message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, mail.to))
            .subject(mail.subject)
            .raw_header(automatic)
            .header(ContentType::TEXT_PLAIN)
            .body(mail.text)
            .map_err(|error| error.to_string())?;
        let mut pauses = PAUSES.iter();
        loop {
            let attempt = timeout(PATIENCE, self.transport.send(message.clone())).await;
            let error = match attempt {
                Ok(Ok(_)) => return Ok(()),
                Ok(Err(error)) if error.is_permanent() => return Err(error.to_string()),
                Ok(Err(error)) => error.to_string(),
                Err(_) => "the mail server does not answer".to_owned(),
            };
            let Some(pause) = pauses.next() else { return Err(error) };
            sleep(*pause).await;
        }
    }
}

/// An address as this service writes to it. None where the text is no address.
pub fn address(text: &str) -> Option<Address> {
    // As much as a mail server has to take (RFC 5321, 4.5.3.1.3, without the angle brackets).
    (text.len() <= 254).then(|| text.parse().ok()).flatten()
}
