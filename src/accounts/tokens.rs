//! Access tokens: EdDSA-signed JWTs of a quarter of an hour, and the keys that sign them.
//!
//! A token says who the caller is without asking the database. What it says is true of the moment when it
//! was issued: a changed role or an upgraded guest shows from the next token on.

use std::sync::{Arc, PoisonError, RwLock};

use cardroom_core::audit::Signed;
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, Validation};
use moka::sync::Cache;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::accounts::signing::Key;
use crate::clock::Clock;
use crate::entropy::Entropy;
use crate::store::accounts::Account;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::keys;

/// How long an access token holds, in seconds.
pub const LIFETIME: i64 = 15 * 60;

/// Whom access tokens are for.
pub const AUDIENCE: &str = "cardroom";

/// How far the clocks of replicas may differ, in seconds. A token that holds for longer was issued when a clock was
/// ahead; its bearer gets another for the refresh token.
const LEEWAY: i64 = 60;

/// A key older than this gets a successor when the next token is signed.
const ROTATION: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A key older than this has signed no token that still holds, by anybody's clock: what comes under its name was made
/// from a copy of it.
const RETIREMENT: SignedDuration = SignedDuration::from_hours(31 * 24);

/// Unknown key ids make the keys be read anew, but no more often than this.
const RELOAD: SignedDuration = SignedDuration::from_secs(1);

/// Tokens of ours have some 500 bytes; what is far longer is not looked at.
const LONGEST: usize = 2048;

/// Tokens that are remembered as checked.
const REMEMBERED: u64 = 20_000;

/// The `typ` of access tokens (RFC 9068), so that nothing else we sign passes for one.
const TYP: &str = "at+jwt";

/// Who is signed in, as their access token says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    pub account: Uuid,
    pub username: String,
    pub admin: bool,
    pub guest: bool,
    /// The family of refresh tokens that this session lives on.
    pub session: Uuid,
}

/// Why a token does not count.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error("{0}")]
    Refused(&'static str),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Signs tokens and checks them.
pub struct Tokens {
    database: Database,
    clock: Clock,
    entropy: Entropy,
    issuer: String,
    /// From files; they sign instead of those in the database.
    own: Vec<Arc<Key>>,
    keys: RwLock<Arc<Keys>>,
    checked: Cache<String, Arc<Checked>>,
}

impl Tokens {
    /// Reads the keys, and makes the first one where there is none. With `own` keys none is ever made: the first of
    /// them signs, and no others are believed.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer, or a key in it cannot be read.
    pub async fn new(
        database: Database,
        clock: Clock,
        entropy: Entropy,
        issuer: String,
        own: Vec<Key>,
    ) -> Result<Tokens, StoreError> {
        let own = own.into_iter().map(Arc::new).collect();
        let keys = RwLock::new(Arc::new(Keys::of(Vec::new(), clock.now())?));
        let checked = Cache::new(REMEMBERED);
        let tokens = Tokens { database, clock, entropy, issuer, own, keys, checked };
        tokens.reload().await?;
        tokens.current_key().await?;
        Ok(tokens)
    }

    /// An access token for the account, within the session of `family`.
    ///
    /// # Errors
    /// [`StoreError`] where a key is needed and the database does not answer.
    pub async fn issue(&self, account: &Account, family: Uuid) -> Result<String, StoreError> {
        let now = self.clock.now().as_second();
        let claims = Claims {
            sub: account.id,
            name: account.username.clone(),
            role: account.role.clone(),
            guest: account.password_hash.is_none(),
            sid: family,
            iss: self.issuer.clone(),
            aud: AUDIENCE.to_owned(),
            iat: now,
            exp: now + LIFETIME,
        };
        self.sign(TYP, &claims).await
    }

    /// A compact JWS over `claims` by the current key, which the JWKS has under the `kid` in its header.
    ///
    /// # Errors
    /// [`StoreError`] where a key is needed and the database does not answer.
    pub async fn sign(&self, typ: &str, claims: &impl Serialize) -> Result<String, StoreError> {
        Ok(self.current_key().await?.sign(typ, claims))
    }

    /// The house's word for a log: a compact JWS that brings its public key, which the JWKS has as well.
    ///
    /// # Errors
    /// [`StoreError`] where a key is needed and the database does not answer.
    pub async fn sign_log(&self, log: &Signed) -> Result<String, StoreError> {
        Ok(self.current_key().await?.sign_log(log))
    }

    /// Whom the token signs in. A token that was checked before costs one look into memory.
    ///
    /// # Errors
    /// [`TokenError::Refused`] where it is not of ours, changed, or expired.
    pub async fn verify(&self, token: &str) -> Result<Player, TokenError> {
        let checked = match self.checked.get(token) {
            Some(checked) => checked,
            // Boxed: what asks the database would make every request's future larger by some kilobytes.
            None => Box::pin(self.check(token)).await?,
        };
        let left = checked.expires - self.clock.now().as_second();
        if left <= 0 {
            return Err(TokenError::Refused("the access token has expired"));
        }
        if left > LIFETIME + LEEWAY {
            return Err(TokenError::Refused("the access token was issued at a time that is still to come"));
        }
        Ok(checked.player.clone())
    }

    /// The public keys, those first that sign now, then the newest; old ones stay, for what they have signed. Another replica may have made one a moment ago, so they are read anew;
    /// while the database is away, those known here have to do.
    pub async fn public_keys(&self) -> JwkSet {
        let known = self.keys();
        let recent = known.are_recent(self.clock.now());
        let keys = if recent { known } else { self.reload().await.unwrap_or(known) };
        JwkSet { keys: self.own.iter().chain(&keys.all).map(|key| key.jwk()).collect() }
    }

    async fn check(&self, token: &str) -> Result<Arc<Checked>, TokenError> {
        const FORGED: TokenError = TokenError::Refused("the access token is not one of ours");
        if token.len() > LONGEST {
            return Err(FORGED);
        }
        let header = jsonwebtoken::decode_header(token).map_err(|_| FORGED)?;
        let kid = header.kid.filter(|_| header.typ.as_deref() == Some(TYP)).ok_or(FORGED)?;
        let key = self.key(&kid).await?.ok_or(FORGED)?;
        let claims = jsonwebtoken::decode::<Claims>(token, &key.public, &self.validation())
            .map_err(|_| FORGED)?
            .claims;
        let checked = Arc::new(Checked::from(claims));
        self.checked.insert(token.to_owned(), checked.clone());
        Ok(checked)
    }

    fn validation(&self) -> Validation {
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["sub", "iss", "aud", "exp"]);
        // The library reads the system's clock; ours is asked each time the token is used.
        validation.validate_exp = false;
        validation
    }

    /// The key of this id, if tokens of it count. Another replica may have made it a moment ago, so an unknown id is
    /// looked up.
    async fn key(&self, kid: &str) -> Result<Option<Arc<Key>>, StoreError> {
        if !self.own.is_empty() {
            return Ok(self.own.iter().find(|key| key.kid == kid).cloned());
        }
        let (keys, now) = (self.keys(), self.clock.now());
        let recent = keys.are_recent(now);
        let key = match keys.find(kid) {
            None if !recent => self.reload().await?.find(kid),
            known => known,
        };
        Ok(key.filter(|key| key.created_at > now - RETIREMENT))
    }

    /// The key to sign with: the newest, or a new one where that is too old.
    async fn current_key(&self) -> Result<Arc<Key>, StoreError> {
        if let Some(key) = self.own.first() {
            return Ok(key.clone());
        }
        let now = self.clock.now();
        let stale = now - ROTATION;
        if let Some(key) = self.keys().newest(stale) {
            return Ok(key);
        }
        let key = keys::SigningKey {
            kid: self.entropy.id(now).to_string(),
            secret: self.entropy.bytes(),
            created_at: now,
        };
        keys::add_unless_fresh(&self.database, &key, stale).await?;
        let fresh = self.reload().await?.newest(stale);
        fresh.ok_or_else(|| StoreError::Broken("a signing key was stored and is not there".to_owned()))
    }

    async fn reload(&self) -> Result<Arc<Keys>, StoreError> {
        let read = Arc::new(Keys::of(keys::all(&self.database).await?, self.clock.now())?);
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = read.clone();
        Ok(read)
    }

    fn keys(&self) -> Arc<Keys> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    sub: Uuid,
    name: String,
    role: String,
    guest: bool,
    sid: Uuid,
    iss: String,
    aud: String,
    iat: i64,
    exp: i64,
}

struct Checked {
    player: Player,
    expires: i64,
}

impl From<Claims> for Checked {
    fn from(claims: Claims) -> Checked {
        let Claims { sub, name, role, guest, sid, exp, iss: _, aud: _, iat: _ } = claims;
        let player = Player { account: sub, username: name, admin: role == "admin", guest, session: sid };
        Checked { player, expires: exp }
    }
}

/// The keys as they were read at one time, the newest first.
struct Keys {
    all: Vec<Arc<Key>>,
    read_at: Timestamp,
}

impl Keys {
    fn of(rows: Vec<keys::SigningKey>, read_at: Timestamp) -> Result<Keys, StoreError> {
        let key = |keys::SigningKey { kid, secret, created_at }| {
            let broken = || StoreError::Broken(format!("the signing key {kid} is no Ed25519 key"));
            Key::new(kid.clone(), &secret, created_at).map(Arc::new).ok_or_else(broken)
        };
        Ok(Keys { all: rows.into_iter().map(key).collect::<Result<_, _>>()?, read_at })
    }

    /// Whether they were read just now. Where the clock was put back, nobody knows.
    fn are_recent(&self, now: Timestamp) -> bool {
        let age = now.duration_since(self.read_at);
        !age.is_negative() && age < RELOAD
    }

    fn find(&self, kid: &str) -> Option<Arc<Key>> {
        self.all.iter().find(|key| key.kid == kid).cloned()
    }

    fn newest(&self, stale: Timestamp) -> Option<Arc<Key>> {
        self.all.first().filter(|key| key.created_at > stale).cloned()
    }
}
