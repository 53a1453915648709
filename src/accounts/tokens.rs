//! Access tokens: EdDSA-signed JWTs of a quarter of an hour, and the keys that sign them.
//!
//! A token identifies the caller without a database query. Its claims were true when it was issued: a changed role or
//! an upgraded guest shows from the next token on.

use std::sync::{Arc, PoisonError, RwLock};

use cardroom_core::audit::{Signed, SignedTournament};
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, Validation};
use moka::sync::Cache;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::accounts::scopes::Scopes;
use crate::accounts::signing::Key;
use crate::clock::Clock;
use crate::entropy::Entropy;
use crate::store::accounts::Account;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::keys;

/// How long an access token is valid, in seconds.
pub const LIFETIME: i64 = 15 * 60;

/// The audience of access tokens.
pub const AUDIENCE: &str = "cardroom";

/// How far the clocks of replicas may differ, in seconds. A token that is valid for longer was issued when a clock was
/// ahead. Its bearer gets another one for the refresh token.
const LEEWAY: i64 = 60;

/// If the newest key is older than this, a new key is created when the next token is signed.
const ROTATION: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A key older than this has signed no token that is still valid, by any replica's clock. A newer signature under its
/// name was made with a copy of the key.
const RETIREMENT: SignedDuration = SignedDuration::from_hours(31 * 24);

/// An unknown key id causes a reload of the keys, but no more often than this.
const RELOAD: SignedDuration = SignedDuration::from_secs(1);

/// This service's tokens have some 500 bytes. Anything longer than this is refused unread.
const LONGEST: usize = 2048;

/// How many checked tokens are remembered.
const REMEMBERED: u64 = 20_000;

/// The `typ` of access tokens (RFC 9068), so that nothing else that the service signs passes for one.
const TYP: &str = "at+jwt";

/// The signed-in player, as their access token identifies them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    pub account: Uuid,
    pub username: String,
    pub admin: bool,
    pub guest: bool,
    /// Whether the account is a program's, and says so.
    pub program: bool,
    /// The family of refresh tokens to which this session belongs, or the personal access token.
    pub session: Uuid,
    /// What a personal access token allows; none for a session, which may do everything.
    pub scopes: Option<Scopes>,
}

/// Why a token is not accepted.
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
    /// The keys from files. They sign instead of those in the database.
    own: Vec<Arc<Key>>,
    keys: RwLock<Arc<Keys>>,
    checked: Cache<String, Arc<Checked>>,
}

impl Tokens {
    /// Reads the keys, and creates the first one if there is none. With `own` keys none is ever created: the first of
    /// them signs, and no other keys are accepted.
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
            program: account.is_program,
            sid: family,
            iss: self.issuer.clone(),
            aud: AUDIENCE.to_owned(),
            iat: now,
            exp: now + LIFETIME,
        };
        self.sign(TYP, &claims).await
    }

    /// A compact JWS over `claims` by the current key, which the JWKS lists under the `kid` in the header.
    ///
    /// # Errors
    /// [`StoreError`] where a key is needed and the database does not answer.
    pub async fn sign(&self, typ: &str, claims: &impl Serialize) -> Result<String, StoreError> {
        Ok(self.current_key().await?.sign(typ, claims))
    }

    /// The house's signature of a log: a compact JWS that includes its public key, which the JWKS lists as well.
    ///
    /// # Errors
    /// [`StoreError`] where a key is needed and the database does not answer.
    pub async fn sign_log(&self, log: &Signed) -> Result<String, StoreError> {
        Ok(self.current_key().await?.sign_log(log))
    }

    /// The house's signature of a tournament's log.
    ///
    /// # Errors
    /// As [`sign_log`](Self::sign_log).
    pub async fn sign_tournament(&self, log: &SignedTournament) -> Result<String, StoreError> {
        Ok(self.current_key().await?.sign_tournament(log))
    }

    /// The player whom the token signs in. A token that was checked before costs one lookup in memory.
    ///
    /// # Errors
    /// [`TokenError::Refused`] where this service did not issue the token, or the token is changed or expired.
    pub async fn verify(&self, token: &str) -> Result<Player, TokenError> {
        let checked = match self.checked.get(token) {
            Some(checked) => checked,
            // Boxed: a future that asks the database would make every request's future larger by some kilobytes.
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

    /// The public keys: first the keys that sign now, then the newest. Old keys stay, so that their signatures can be
    /// checked. Another replica may have created a key a moment ago, so the keys are read again; while the database is
    /// away, those known here are returned.
    pub async fn public_keys(&self) -> JwkSet {
        let known = self.keys();
        let recent = known.are_recent(self.clock.now());
        let keys = if recent { known } else { self.reload().await.unwrap_or(known) };
        JwkSet { keys: self.own.iter().chain(&keys.all).map(|key| key.jwk()).collect() }
    }

    async fn check(&self, token: &str) -> Result<Arc<Checked>, TokenError> {
        let claims: Claims = self.decode(TYP, token).await?;
        let checked = Arc::new(Checked::from(claims));
        self.checked.insert(token.to_owned(), checked.clone());
        Ok(checked)
    }

    /// Who issues a token now, for whom, and when it expires that is valid for `lifetime` seconds.
    pub fn claims_for(&self, lifetime: i64) -> (String, String, i64) {
        (self.issuer.clone(), AUDIENCE.to_owned(), self.now().as_second() + lifetime)
    }

    /// Whether a token that expires then is valid now, if it was issued for `lifetime` seconds.
    pub fn holds(&self, expires: i64, lifetime: i64) -> bool {
        let left = expires - self.now().as_second();
        0 < left && left <= lifetime + LEEWAY
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The claims of a token of this `typ` that this service has signed. Whether it has expired is for the caller to
    /// see.
    ///
    /// # Errors
    /// [`TokenError::Refused`] where this service did not issue the token, or it was changed.
    pub async fn decode<C: DeserializeOwned + Clone>(&self, typ: &str, token: &str) -> Result<C, TokenError> {
        const FORGED: TokenError = TokenError::Refused("the access token is not one of ours");
        if token.len() > LONGEST {
            return Err(FORGED);
        }
        let header = jsonwebtoken::decode_header(token).map_err(|_| FORGED)?;
        let kid = header.kid.filter(|_| header.typ.as_deref() == Some(typ)).ok_or(FORGED)?;
        let key = self.key(&kid).await?.ok_or(FORGED)?;
        let decoded = jsonwebtoken::decode::<C>(token, &key.public, &self.validation());
        Ok(decoded.map_err(|_| FORGED)?.claims)
    }

    fn validation(&self) -> Validation {
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["sub", "iss", "aud", "exp"]);
        // The library reads the system's clock; this program's clock is read each time the token is used.
        validation.validate_exp = false;
        validation
    }

    /// The key of this id, if tokens signed by it are accepted. Another replica may have created it a moment ago, so an
    /// unknown id is looked up.
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

    /// The key to sign with: the newest, or a new one if the newest is too old.
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

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Claims {
    sub: Uuid,
    name: String,
    role: String,
    guest: bool,
    program: bool,
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
        let Claims { sub, name, role, guest, program, sid, exp, iss: _, aud: _, iat: _ } = claims;
        let player = Player {
            account: sub,
            username: name,
            admin: role == "admin",
            guest,
            program,
            session: sid,
            scopes: None,
        };
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

    /// Whether the keys were read just now. After the clock was put back this is unknown, and the answer is false.
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
