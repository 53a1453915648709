//! Tickets for streams: browsers' `EventSource` can send no token, and a token has no place in a URL.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cardroom_core::table::Actor;
use jiff::SignedDuration;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::clock::Clock;
use crate::entropy::Entropy;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::tickets;

/// How long a ticket holds.
pub const LIFETIME: SignedDuration = SignedDuration::from_secs(30);

/// Gives tickets and takes them. Any replica takes what another gave.
pub struct Tickets {
    database: Database,
    clock: Clock,
    entropy: Entropy,
}

impl Tickets {
    pub fn new(database: Database, clock: Clock, entropy: Entropy) -> Tickets {
        Tickets { database, clock, entropy }
    }

    /// A ticket for one stream of a game. Whether the account may see the game is judged when it is used.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn give(&self, game: Uuid, account: Uuid) -> Result<String, StoreError> {
        let (ticket, now) = (URL_SAFE_NO_PAD.encode(self.entropy.bytes::<32>()), self.clock.now());
        tickets::insert(&self.database, game, &digest(&ticket), account, (now, now + LIFETIME)).await?;
        Ok(ticket)
    }

    /// Redeems a ticket, which is worthless from then on: the account that it was given to, as the account is now.
    /// `None` where there is no such ticket, or it was used, has expired, or is for another game.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn take(&self, game: Uuid, ticket: &str) -> Result<Option<Actor>, StoreError> {
        let now = self.clock.now();
        // Clocks of replicas may differ by as long as a ticket holds.
        let times = (now, now + 2 * LIFETIME);
        let account = tickets::take(&self.database, game, &digest(ticket), times).await?;
        Ok(account.map(|account| Actor {
            account: account.id,
            admin: account.role == "admin",
            username: account.username,
        }))
    }
}

fn digest(ticket: &str) -> [u8; 32] {
    Sha256::digest(ticket).into()
}
