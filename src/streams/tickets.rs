//! Tickets for streams: browsers' `EventSource` can send no token, and an access token has no place in a URL.
//!
//! A ticket is signed, so nothing is stored: any replica takes what another gave. It opens one stream of one account,
//! as often as the browser reconnects, for as long as it holds and the account's session lives.

use std::fmt;
use std::sync::Arc;

use cardroom_core::table::Actor;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::accounts::tokens::{Player, TokenError, Tokens};
use crate::store::accounts;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::personal_tokens;

/// How long a ticket holds, in seconds: as long as a stream lasts, and a little longer, so that the browser can
/// reconnect to its end.
pub const LIFETIME: i64 = 65 * 60;

/// The `typ` of tickets, so that nothing else that the service signs passes for one.
const TYP: &str = "stream-ticket+jwt";

/// What a ticket opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    Game(Uuid),
    Tournament(Uuid),
    Lobby,
    /// All that concerns the account.
    Account,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resource::Game(id) => write!(f, "game:{id}"),
            Resource::Tournament(id) => write!(f, "tournament:{id}"),
            Resource::Lobby => f.write_str("lobby"),
            Resource::Account => f.write_str("account"),
        }
    }
}

/// Gives tickets and takes them.
pub struct Tickets {
    database: Database,
    tokens: Arc<Tokens>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Claims {
    sub: Uuid,
    sid: Uuid,
    resource: String,
    iss: String,
    aud: String,
    exp: i64,
}

impl Tickets {
    pub fn new(database: Database, tokens: Arc<Tokens>) -> Tickets {
        Tickets { database, tokens }
    }

    /// A ticket for the streams of a resource. Whether the account may see the resource is judged when it is used.
    ///
    /// # Errors
    /// [`StoreError`] where a key is needed and the database does not answer.
    pub async fn give(&self, resource: Resource, player: &Player) -> Result<String, StoreError> {
        let (iss, aud, exp) = self.tokens.claims_for(LIFETIME);
        let claims = Claims {
            sub: player.account,
            sid: player.session,
            resource: resource.to_string(),
            iss,
            aud,
            exp,
        };
        self.tokens.sign(TYP, &claims).await
    }

    /// The account that the ticket was given to, as the account is now. `None` where this is no ticket for the
    /// resource, it has expired, or the session that asked for it has ended.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn take(&self, resource: Resource, ticket: &str) -> Result<Option<Actor>, StoreError> {
        let Claims { sub, sid, resource: opened, exp, .. } = match self.tokens.decode(TYP, ticket).await {
            Ok(claims) => claims,
            Err(TokenError::Refused(_)) => return Ok(None),
            Err(TokenError::Store(error)) => return Err(error),
        };
        if opened != resource.to_string() || !self.tokens.holds(exp, LIFETIME) {
            return Ok(None);
        }
        let now = self.tokens.now();
        let signed_in = accounts::signed_in(&self.database, sub, sid, now).await?;
        // A personal access token gives nobody the rights of an admin, and neither does a ticket that was asked for with one.
        let admin = signed_in.as_ref().is_some_and(|account| account.role == "admin");
        let account = match signed_in {
            None => personal_tokens::account_of(&self.database, sub, sid, now).await?,
            signed_in => signed_in,
        };
        Ok(account.map(|account| Actor {
            account: account.id,
            admin,
            username: account.username,
            is_program: account.is_program,
            invite: None,
        }))
    }
}
