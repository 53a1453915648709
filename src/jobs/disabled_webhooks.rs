//! Mails to the owners of webhooks that were disabled, where they have confirmed an address.

use jiff::Timestamp;

use crate::mail::{Mailer, address, texts};
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::mail::{self, DisabledWebhook};

/// How many owners are told at a time.
const TOLD_AT_ONCE: usize = 5;

/// Tells some owners who have not been told.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub(super) async fn tell_owners(
    database: &Database,
    mailer: &Mailer,
    now: Timestamp,
) -> Result<(), StoreError> {
    // Nobody is noted as told for whom there is no permit.
    let permits: Vec<_> = (0..TOLD_AT_ONCE).map_while(|_| mailer.permit()).collect();
    if permits.is_empty() {
        return Ok(());
    }
    let webhooks = mail::take_disabled_webhooks(database, now, permits.len()).await?;
    for (webhook, permit) in webhooks.into_iter().zip(permits) {
        let DisabledWebhook { address: to, username, url, disabled_reason } = webhook;
        let Some(to) = address(&to) else { continue };
        let (mailer, public_url) = (mailer.clone(), mailer.public_url());
        let mail = texts::disabled_webhook(to, &username, &url, &disabled_reason, public_url);
        tokio::spawn(async move { mailer.send(mail, permit).await });
    }
    Ok(())
}
