//! Accounts: which players exist, and for how long they stay signed in.

pub mod mail;
pub mod passwords;
pub mod personal_tokens;
pub mod profiles;
pub mod recovery;
pub mod scopes;
pub mod sessions;
pub mod signing;
pub mod tokens;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cardroom_core::table::Actor;
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::accounts::passwords::Passwords;
use crate::accounts::tokens::Tokens;
use crate::clock::Clock;
use crate::entropy::Entropy;
use crate::mail::Mailer;
use crate::store::accounts::{self, Account, NewToken, USERNAME_TAKEN};
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::networks;
use crate::store::refresh_tokens::{self, Refresh};
use crate::store::registration::{self, Beginning};

/// The prefix of guests' names. No other account may have such a name.
pub const GUEST_PREFIX: &str = "guest-";

/// Whether this actor plays as a guest.
pub(crate) fn is_guest(actor: &Actor) -> bool {
    actor.username.starts_with(GUEST_PREFIX)
}

/// How long a refresh token is valid.
pub(crate) const REFRESH_LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);

/// How long an account remembers a network after the last sign-in from there.
const NETWORK_LIFETIME: SignedDuration = SignedDuration::from_hours(90 * 24);

/// Why an account or a session was refused.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    #[error("a name has 3 to 32 of A-Z, a-z, 0-9, _ and -, and does not begin with guest-")]
    InvalidUsername,
    #[error("a password has 8 to 256 characters")]
    InvalidPassword,
    #[error("the password is easy to guess: {0}")]
    WeakPassword(String),
    #[error("the name belongs to another account")]
    UsernameTaken,
    #[error("no account has this name and password")]
    WrongCredentials,
    #[error("the account has no such recovery code, or it has been used")]
    WrongRecoveryCode,
    #[error("no address waits for this code, or the code has expired")]
    WrongMailCode,
    #[error("no mail can be sent to this address")]
    InvalidMailAddress,
    #[error("this account, or this address, was sent as many mails as it may be; try again later")]
    TooManyMails,
    #[error("this service has no mail server")]
    NoMailServer,
    #[error("this is not your password")]
    WrongPassword,
    #[error("a guest has no password; upgrade the guest by POST /v1/auth/upgrade")]
    NoPassword,
    #[error("you have no such session")]
    SessionNotFound,
    #[error("you have no such token")]
    TokenNotFound,
    #[error("you have as many personal access tokens as an account may have")]
    TooManyTokens,
    #[error("the refresh token does not hold, or no longer; sign in again")]
    InvalidRefreshToken,
    #[error("the account has a name and a password already")]
    NotAGuest,
    #[error("there is no such player")]
    PlayerNotFound,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The result of a sign-in.
#[derive(Debug)]
pub struct SignedIn {
    pub account: Account,
    pub access_token: String,
    pub refresh_token: String,
    /// Recovery codes, where the account is new.
    pub recovery_codes: Vec<String>,
}

pub struct Accounts {
    database: Database,
    tokens: Arc<Tokens>,
    passwords: Passwords,
    clock: Clock,
    entropy: Entropy,
    mailer: Option<Mailer>,
}

impl Accounts {
    /// Without a mailer, nothing is sent by mail.
    pub fn new(
        database: Database,
        tokens: Arc<Tokens>,
        clock: Clock,
        entropy: Entropy,
        mailer: Option<Mailer>,
    ) -> Accounts {
        Accounts { database, tokens, passwords: Passwords::new(entropy.clone()), clock, entropy, mailer }
    }

    /// # Errors
    /// [`AccountError`] where the name or the password is not acceptable, or the name is taken.
    /// `network`: where the request comes from.
    pub async fn register(
        &self,
        username: String,
        password: String,
        network: IpAddr,
    ) -> Result<SignedIn, AccountError> {
        let password_hash = self.hash_new(&username, password).await?;
        let signed_in = self.create(username, Some(password_hash)).await?;
        self.note_network(&signed_in, network).await;
        Ok(signed_in)
    }

    /// # Errors
    /// [`AccountError::Store`] only.
    pub async fn guest(&self) -> Result<SignedIn, AccountError> {
        let tail: String = self.entropy.bytes::<8>().iter().map(|byte| format!("{byte:02x}")).collect();
        self.create(format!("{GUEST_PREFIX}{tail}"), None).await
    }

    /// Neither the answer nor its time tells a wrong name from a wrong password.
    ///
    /// # Errors
    /// [`AccountError::WrongCredentials`].
    pub async fn login(
        &self,
        username: &str,
        password: String,
        network: IpAddr,
    ) -> Result<SignedIn, AccountError> {
        let account = match is_username(username) {
            true => accounts::by_username(&self.database, username).await?,
            false => None,
        };
        let stored = account.as_ref().and_then(|account| account.password_hash.clone());
        let known = self.passwords.verify(password, stored).await;
        match account {
            Some(account) if known => {
                let signed_in = self.sign_in(account).await?;
                self.note_network(&signed_in, network).await;
                Ok(signed_in)
            }
            _ => Err(AccountError::WrongCredentials),
        }
    }

    /// Whether a sign-in to the account of this name came from `network` lately.
    ///
    /// # Errors
    /// [`AccountError::Store`] only.
    pub async fn knows_network(&self, username: &str, network: IpAddr) -> Result<bool, AccountError> {
        if !is_username(username) {
            return Ok(false);
        }
        let since = self.clock.now() - NETWORK_LIFETIME;
        Ok(networks::is_known(&self.database, username, &network.to_string(), since).await?)
    }

    /// Makes a guest's account a full one, which keeps its games. The guest's sessions end, so a copied token of the
    /// guest does not open the account. Access tokens soon expire by themselves.
    ///
    /// # Errors
    /// [`AccountError`] where the account is not a guest's, or the name or the password is not acceptable.
    pub async fn upgrade(
        &self,
        id: Uuid,
        username: &str,
        password: String,
        network: IpAddr,
    ) -> Result<SignedIn, AccountError> {
        let password_hash = self.hash_new(username, password).await?;
        let (now, codes) = (self.clock.now(), self.recovery_codes());
        let (family, (refresh_token, stored)) = (self.entropy.id(now), self.refresh_token(now));
        let beginning = Beginning { at: now, family, token: &stored, codes: &Self::digests(&codes) };
        let upgraded =
            registration::upgrade(&self.database, id, (username, &password_hash), &beginning).await;
        let account = upgraded.map_err(name_taken)?.ok_or(AccountError::NotAGuest)?;
        let access_token = self.tokens.issue(&account, family).await?;
        let signed_in = SignedIn { account, access_token, refresh_token, recovery_codes: codes };
        self.note_network(&signed_in, network).await;
        Ok(signed_in)
    }

    /// A refresh token works once. A token that is used again has been stolen or copied. Which of its users is the
    /// owner cannot be known, so the whole family of tokens ends. Only a request that is repeated under the same `key`,
    /// because its answer was lost, is answered again, with other tokens. Also tells whether this is such a repeat.
    ///
    /// # Errors
    /// [`AccountError::InvalidRefreshToken`].
    pub async fn refresh(
        &self,
        refresh_token: &str,
        key: Option<&str>,
    ) -> Result<(SignedIn, bool), AccountError> {
        let (at, used) = (self.clock.now(), digest(refresh_token));
        let (refresh_token, next) = self.refresh_token(at);
        let refresh = Refresh { used, key: key.map(digest), next, at };
        let rotated = refresh_tokens::rotate(&self.database, &refresh).await?;
        let is_repeat = rotated.is_none();
        let rotated = match rotated {
            None => refresh_tokens::rotate_again(&self.database, &refresh).await?,
            rotated => rotated,
        };
        if let Some((account, family)) = rotated {
            let access_token = self.tokens.issue(&account, family).await?;
            let signed_in = SignedIn { account, access_token, refresh_token, recovery_codes: Vec::new() };
            return Ok((signed_in, is_repeat));
        }
        if let Some(family) = refresh_tokens::family_of_used(&self.database, &used).await? {
            accounts::end_family(&self.database, family).await?;
        }
        Err(AccountError::InvalidRefreshToken)
    }

    /// The account with the hash of its password, if this is its password.
    ///
    /// # Errors
    /// [`AccountError::WrongPassword`], [`AccountError::NoPassword`].
    pub async fn check_password(
        &self,
        account: Uuid,
        password: String,
    ) -> Result<(Account, String), AccountError> {
        let account = self.account(account).await?;
        let stored = account.password_hash.clone().ok_or(AccountError::NoPassword)?;
        match self.passwords.verify(password, Some(stored.clone())).await {
            true => Ok((account, stored)),
            false => Err(AccountError::WrongPassword),
        }
    }

    /// # Errors
    /// [`AccountError::PlayerNotFound`].
    pub async fn account(&self, id: Uuid) -> Result<Account, AccountError> {
        accounts::by_id(&self.database, id).await?.ok_or(AccountError::PlayerNotFound)
    }

    /// The accounts of these names; `None` for a name without an account.
    ///
    /// # Errors
    /// [`AccountError::Store`].
    pub async fn named(&self, names: &[String]) -> Result<Vec<Option<Account>>, AccountError> {
        let known = names.iter().filter(|name| is_username(name)).cloned().collect();
        let found = accounts::by_usernames(&self.database, known).await?;
        let found: HashMap<String, Account> =
            found.into_iter().map(|account| (account.username.to_lowercase(), account)).collect();
        let named = |name: &String| found.get(&name.to_lowercase()).cloned();
        Ok(names.iter().map(named).collect())
    }

    /// The hash of a new password, if the password is acceptable.
    async fn hash_new(&self, username: &str, password: String) -> Result<String, AccountError> {
        check_credentials(username, &password)?;
        let hashed = self.passwords.hash_new(username.to_owned(), password).await;
        hashed.map_err(AccountError::WeakPassword)
    }

    /// Notes where an owner signs in. If that fails, the sign-in stands: a stranger's attempts may then hold the owner up.
    async fn note_network(&self, signed_in: &SignedIn, network: IpAddr) {
        let now = self.clock.now();
        let noted = networks::note(&self.database, signed_in.account.id, &network.to_string(), now).await;
        if let Err(error) = noted {
            tracing::warn!(%error, "the network of a sign-in was not noted");
        }
    }

    /// Without a password, the account is a guest's and has no recovery codes.
    async fn create(
        &self,
        username: String,
        password_hash: Option<String>,
    ) -> Result<SignedIn, AccountError> {
        let now = self.clock.now();
        let role = "player".to_owned();
        let account = Account {
            id: self.entropy.id(now),
            username,
            password_hash,
            role,
            created_at: now,
            is_program: false,
        };
        let (family, (refresh_token, stored)) = (self.entropy.id(now), self.refresh_token(now));
        let recovery_codes = if account.password_hash.is_none() { Vec::new() } else { self.recovery_codes() };
        let beginning = Beginning { at: now, family, token: &stored, codes: &Self::digests(&recovery_codes) };
        accounts::clear_expired(&self.database, now).await?;
        registration::register(&self.database, &account, &beginning).await.map_err(name_taken)?;
        let access_token = self.tokens.issue(&account, family).await?;
        Ok(SignedIn { account, access_token, refresh_token, recovery_codes })
    }

    /// # Errors
    /// [`AccountError::WrongCredentials`] where the account or its password has changed since it was read.
    async fn sign_in(&self, account: Account) -> Result<SignedIn, AccountError> {
        let now = self.clock.now();
        let family = self.entropy.id(now);
        let (refresh_token, stored) = self.refresh_token(now);
        accounts::clear_expired(&self.database, now).await?;
        if !accounts::begin_family(&self.database, &account, family, &stored).await? {
            return Err(AccountError::WrongCredentials);
        }
        let access_token = self.tokens.issue(&account, family).await?;
        Ok(SignedIn { account, access_token, refresh_token, recovery_codes: Vec::new() })
    }

    fn refresh_token(&self, now: Timestamp) -> (String, NewToken) {
        let token = URL_SAFE_NO_PAD.encode(self.entropy.bytes::<32>());
        let stored = NewToken { digest: digest(&token), expires_at: now + REFRESH_LIFETIME };
        (token, stored)
    }
}

fn check_credentials(username: &str, password: &str) -> Result<(), AccountError> {
    let reserved =
        username.get(..GUEST_PREFIX.len()).is_some_and(|head| head.eq_ignore_ascii_case(GUEST_PREFIX));
    if !is_username(username) || reserved {
        return Err(AccountError::InvalidUsername);
    }
    if !(8..=256).contains(&password.chars().count()) {
        return Err(AccountError::InvalidPassword);
    }
    Ok(())
}

fn is_username(name: &str) -> bool {
    (3..=32).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

fn name_taken(error: StoreError) -> AccountError {
    match error {
        StoreError::Constraint(name) if name == USERNAME_TAKEN => AccountError::UsernameTaken,
        error => AccountError::Store(error),
    }
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}
