//! Personal access tokens: for bots and scripts, which cannot refresh a session. A token holds until its end or until
//! its owner ends it, and does only what its scopes allow.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use moka::sync::Cache;
use uuid::Uuid;

use crate::accounts::scopes::{Scope, Scopes};
use crate::accounts::tokens::{Player, TokenError};
use crate::accounts::{AccountError, digest};
use crate::clock::Clock;
use crate::entropy::Entropy;
use crate::store::accounts::Account;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::personal_tokens::{self, PersonalToken, TOKENS_PER_ACCOUNT};

/// What a token begins with, so that it is recognised where it was left by mistake.
pub const PREFIX: &str = "cardroom_pat_";
/// How many tokens an account may have.
pub const MOST: i64 = 50;
/// The longest name of a token, in characters.
pub const LONGEST_NAME: usize = 100;
/// For how many days a token holds at most.
pub const MOST_DAYS: u16 = 366;

/// How many tokens are remembered.
const REMEMBERED: u64 = 10_000;
/// How long a token is remembered after its last use. One that is not remembered is charged as a sign-in.
const REMEMBERED_FOR: Duration = Duration::from_secs(3600);
/// For how long a token that was ended elsewhere may still be taken.
const TRUSTED: SignedDuration = SignedDuration::from_secs(5);

/// A token that is asked for.
#[derive(Debug)]
pub struct Wanted {
    pub name: String,
    pub scopes: Vec<Scope>,
    pub days: u16,
}

/// The personal access tokens of all accounts.
pub struct PersonalTokens {
    database: Database,
    clock: Clock,
    entropy: Entropy,
    known: Cache<[u8; 32], Arc<Known>>,
}

/// A token as it was read at one time.
struct Known {
    player: Player,
    expires_at: Timestamp,
    read_at: Timestamp,
}

impl PersonalTokens {
    pub fn new(database: Database, clock: Clock, entropy: Entropy) -> PersonalTokens {
        let known = Cache::builder().max_capacity(REMEMBERED).time_to_idle(REMEMBERED_FOR).build();
        PersonalTokens { database, clock, entropy, known }
    }

    /// Whether this is such a token, by its form.
    pub fn is_one(token: &str) -> bool {
        token.starts_with(PREFIX)
    }

    /// Whether the token was used at this replica lately.
    pub fn is_remembered(&self, token: &str) -> bool {
        self.known.contains_key(&digest(token))
    }

    /// The player whose token this is.
    ///
    /// # Errors
    /// [`TokenError::Refused`] where there is no such token, or it has ended.
    pub async fn verify(&self, token: &str) -> Result<Player, TokenError> {
        const ENDED: TokenError =
            TokenError::Refused("there is no such personal access token, or it has ended");
        let (digest, now) = (digest(token), self.clock.now());
        if let Some(known) = self.known.get(&digest) {
            let age = now.duration_since(known.read_at);
            if !age.is_negative() && age < TRUSTED && now < known.expires_at {
                return Ok(known.player.clone());
            }
        }
        let Some((token, account)) = personal_tokens::by_digest(&self.database, &digest, now).await? else {
            self.known.invalidate(&digest);
            return Err(ENDED);
        };
        let player = player(&token, account)?;
        let known = Known { player: player.clone(), expires_at: token.expires_at, read_at: now };
        self.known.insert(digest, Arc::new(known));
        Ok(player)
    }

    /// Makes a token for an account, asked for in a session. Also gives the token itself, which is told only once.
    ///
    /// # Errors
    /// [`AccountError::TooManyTokens`].
    pub async fn create(
        &self,
        by: (Uuid, Uuid),
        wanted: Wanted,
    ) -> Result<(PersonalToken, String), AccountError> {
        let text = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(self.entropy.bytes::<32>()));
        let Wanted { name, mut scopes, days } = wanted;
        scopes.sort_unstable();
        scopes.dedup();
        let created_at = self.clock.now();
        let token = PersonalToken {
            id: self.entropy.id(created_at),
            name,
            scopes: scopes.into_iter().map(|scope| scope.word().to_owned()).collect(),
            created_at,
            expires_at: created_at + SignedDuration::from_hours(24 * i64::from(days)),
            used_at: None,
        };
        match personal_tokens::add(&self.database, by, &token, &digest(&text), MOST).await {
            Err(StoreError::Constraint(name)) if name == TOKENS_PER_ACCOUNT => {
                Err(AccountError::TooManyTokens)
            }
            added => added.map(|()| (token, text)).map_err(AccountError::Store),
        }
    }

    /// The tokens of an account, the newest first: those before `before`, at most `limit`.
    ///
    /// # Errors
    /// [`AccountError::Store`] only.
    pub async fn list(
        &self,
        account: Uuid,
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<PersonalToken>, AccountError> {
        Ok(personal_tokens::of(&self.database, account, before, limit, self.clock.now()).await?)
    }

    /// Ends a token of an account. Other replicas may take it for some seconds more.
    ///
    /// # Errors
    /// [`AccountError::TokenNotFound`].
    pub async fn end(&self, account: Uuid, id: Uuid) -> Result<(), AccountError> {
        if !personal_tokens::end(&self.database, account, id).await? {
            return Err(AccountError::TokenNotFound);
        }
        let ended: Vec<[u8; 32]> =
            self.known.iter().filter(|(_, known)| known.player.session == id).map(|(key, _)| *key).collect();
        for digest in ended {
            self.known.invalidate(&digest);
        }
        Ok(())
    }
}

fn player(token: &PersonalToken, account: Account) -> Result<Player, StoreError> {
    let scopes = Scopes::of(&token.scopes)?;
    Ok(Player {
        account: account.id,
        guest: account.password_hash.is_none(),
        program: account.is_program,
        username: account.username,
        // What an admin may do needs a session.
        admin: false,
        session: token.id,
        scopes: Some(scopes),
    })
}
