//! How much one caller may request: a token bucket for each account, or for each address, and a number of streams.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::dev::{Payload, ResponseHead, ServiceRequest};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use jiff::Timestamp;
use moka::sync::Cache;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::clock::Clock;
use crate::http::accounts::auth::Identity;
use crate::http::connections::client_address::ClientAddress;
use crate::http::problem::Problem;
use crate::http::requests::conditions::IDEMPOTENCY_REPLAYED;
use crate::metrics::Metrics;

/// Load balancers request these paths all the time, all from one address. They cost next to nothing.
pub const HEALTH: [&str; 2] = ["/health/live", "/health/ready"];

/// The most buckets that are kept in memory. A bucket that has not been used for a minute is full, and need not be
/// kept.
const BUCKETS: u64 = 100_000;
const IDLE: Duration = Duration::from_secs(120);
/// After so many seconds the service has noticed which streams have lost their client.
const STREAM_RETRY: u16 = 10;

/// The buckets of all callers.
pub struct Limits {
    clock: Clock,
    general: Class<Caller>,
    sign_in: Class<IpAddr>,
    /// The key is a digest of the name in lower case, which a client can make long, with the network if the account is
    /// known there.
    logins: Class<([u8; 32], Option<IpAddr>)>,
}

/// The bucket to which a request is charged, and when.
pub struct Charge {
    bucket: Arc<Mutex<Bucket>>,
    per_minute: u32,
    when: When,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    /// A seated player's action in their own turn is never throttled, and only the rules can say whether it is one.
    /// So actions are judged first, and charged if they are refused, or had been done before.
    Refused,
}

/// Whether the caller's bucket is empty, so that the request may cost next to nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct OverLimit(pub bool);

impl FromRequest for OverLimit {
    type Error = Infallible;
    type Future = Ready<Result<OverLimit, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(request.extensions().get().copied().unwrap_or_default()))
    }
}

/// The caller's allowance after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    limit: u32,
    remaining: u32,
    /// Seconds until the bucket is full again.
    reset: u64,
    /// Seconds until the next request may come, if this one came too early.
    retry_after: Option<u64>,
}

impl Limits {
    /// All limits are in requests a minute: `general` for one account or network, `sign_in` for one network, `logins`
    /// for one name.
    pub fn new(clock: Clock, general: u32, sign_in: u32, logins: u32) -> Limits {
        Limits {
            clock,
            general: Class::new(general),
            sign_in: Class::new(sign_in),
            logins: Class::new(logins),
        }
    }

    /// The bucket to which the request belongs: its account's, or else its network's. `None` if it is free.
    pub fn charge_of(&self, request: &ServiceRequest, client: ClientAddress) -> Option<Charge> {
        // The path as the router reads it. Otherwise a percent-encoded path would evade this check.
        let path = request.match_info().as_str();
        if HEALTH.contains(&path) {
            return None;
        }
        let is_action =
            request.method() == Method::POST && path.starts_with("/v1/games/") && path.ends_with("/actions");
        let account = match request.extensions().get::<Identity>() {
            Some(Identity::Known(player)) => Some(player.account),
            _ => None,
        };
        let when = if is_action { When::Refused } else { When::Always };
        Some(self.general.charge(Caller::of(account, client), when, self.clock.now()))
    }

    /// Takes from the network's bucket for sign-ins and registrations.
    pub fn sign_in(&self, client: ClientAddress) -> Allowance {
        let now = self.clock.now();
        self.sign_in.charge(client.network(), When::Always, now).take(now)
    }

    /// The bucket of logins for this name. `network`: a network from which the account is known to sign in. It has a
    /// bucket of its own, so that a stranger who tries passwords does not lock the owner out.
    pub fn login(&self, username: &str, network: Option<IpAddr>) -> Charge {
        let name = Sha256::digest(username.to_lowercase()).into();
        self.logins.charge((name, network), When::Always, self.clock.now())
    }

    /// Takes from the bucket, if the request is charged before it is served.
    pub fn before(&self, charge: &Charge) -> Allowance {
        match charge.when {
            When::Always => self.take(charge),
            When::Refused => charge.look(self.clock.now()),
        }
    }

    /// Takes from the bucket after the request was answered, if it is charged then.
    pub fn after(&self, charge: &Charge, answer: &ResponseHead, before: Allowance) -> Allowance {
        let has_changed =
            !answer.status.is_client_error() && !answer.headers().contains_key(IDEMPOTENCY_REPLAYED);
        if charge.when == When::Refused && !has_changed { self.take(charge) } else { before }
    }

    pub fn take(&self, charge: &Charge) -> Allowance {
        charge.take(self.clock.now())
    }
}

impl Allowance {
    /// Whether the bucket was empty.
    pub fn is_over(&self) -> bool {
        self.retry_after.is_some()
    }

    /// The refusal, if the request came too early.
    pub fn refusal(&self) -> Option<Problem> {
        let seconds = self.retry_after?;
        let detail = format!("too many requests; try again in {seconds} s");
        Some(Problem::new("too_many_requests", detail).with_header(header::RETRY_AFTER, seconds.into()))
    }

    pub fn write(&self, headers: &mut HeaderMap) {
        let values = [
            ("ratelimit-limit", u64::from(self.limit)),
            ("ratelimit-remaining", u64::from(self.remaining)),
            ("ratelimit-reset", self.reset),
        ];
        for (name, value) in values {
            headers.insert(HeaderName::from_static(name), HeaderValue::from(value));
        }
    }
}

/// The account or address to which a request is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Caller {
    Account(Uuid),
    Address(IpAddr),
}

impl Caller {
    /// The account, or the client's network if there is no account.
    pub fn of(account: Option<Uuid>, client: ClientAddress) -> Caller {
        account.map_or_else(|| Caller::Address(client.network()), Caller::Account)
    }
}

/// The streams that are open on this replica.
pub struct Streams {
    per_caller: u32,
    per_address: u32,
    metrics: Arc<Metrics>,
    open: Arc<Mutex<HashMap<Payer, u32>>>,
}

/// The caller or address to which a stream is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Payer {
    Caller(Caller),
    /// The address, for all its accounts together.
    Address(IpAddr),
}

/// A stream's place among those of its payers, free again when this is dropped.
pub struct StreamPermit {
    payers: [Payer; 2],
    pub metrics: Arc<Metrics>,
    open: Arc<Mutex<HashMap<Payer, u32>>>,
}

impl Streams {
    /// How many streams may be open for each account, or each address without one, and how many for each address in
    /// total: accounts cost nothing, addresses do.
    pub fn new(per_caller: u32, per_address: u32, metrics: Arc<Metrics>) -> Streams {
        Streams { per_caller, per_address, metrics, open: Arc::default() }
    }

    /// A place for one more stream.
    ///
    /// # Errors
    /// `too_many_streams`.
    pub fn enter(&self, account: Option<Uuid>, client: ClientAddress) -> Result<StreamPermit, Problem> {
        let payers = [
            (Payer::Caller(Caller::of(account, client)), self.per_caller, "you have"),
            (Payer::Address(client.network()), self.per_address, "your address has"),
        ];
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        for (payer, most, whose) in payers {
            if open.get(&payer).is_some_and(|streams| *streams >= most) {
                let detail = format!("{whose} {most} streams open; close one first");
                let seconds = STREAM_RETRY.into();
                return Err(
                    Problem::new("too_many_streams", detail).with_header(header::RETRY_AFTER, seconds)
                );
            }
        }
        let payers = payers.map(|(payer, ..)| payer);
        for payer in payers {
            *open.entry(payer).or_default() += 1;
        }
        Ok(StreamPermit { payers, metrics: self.metrics.clone(), open: self.open.clone() })
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        for payer in self.payers {
            if let Entry::Occupied(mut streams) = open.entry(payer) {
                *streams.get_mut() -= 1;
                if *streams.get() == 0 {
                    streams.remove();
                }
            }
        }
    }
}

/// Buckets of one size.
struct Class<K> {
    per_minute: u32,
    buckets: Cache<K, Arc<Mutex<Bucket>>>,
}

impl<K: Hash + Eq + Send + Sync + 'static> Class<K> {
    fn new(per_minute: u32) -> Class<K> {
        Class { per_minute, buckets: Cache::builder().max_capacity(BUCKETS).time_to_idle(IDLE).build() }
    }

    fn charge(&self, key: K, when: When, now: Timestamp) -> Charge {
        let bucket = self.buckets.get_with(key, || Arc::new(Mutex::new(Bucket::full(self.per_minute, now))));
        Charge { bucket, per_minute: self.per_minute, when }
    }
}

impl Charge {
    /// Whether the request is charged before it is served.
    pub fn is_due_before(&self) -> bool {
        self.when == When::Always
    }

    /// Gives back what was taken for this request.
    pub fn give_back(&self) {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.tokens = (bucket.tokens + 1.0).min(f64::from(self.per_minute));
    }

    fn take(&self, now: Timestamp) -> Allowance {
        self.bucket.lock().unwrap_or_else(PoisonError::into_inner).take(self.per_minute, now)
    }

    /// The allowance, without taking from it.
    fn look(&self, now: Timestamp) -> Allowance {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.fill(self.per_minute, now);
        let allowance = bucket.allowance(self.per_minute);
        Allowance { retry_after: bucket.wait(self.per_minute), ..allowance }
    }
}

/// Fills by `per_minute` tokens a minute, and holds as many.
struct Bucket {
    tokens: f64,
    filled_at: Timestamp,
}

impl Bucket {
    fn full(per_minute: u32, now: Timestamp) -> Bucket {
        Bucket { tokens: f64::from(per_minute), filled_at: now }
    }

    fn take(&mut self, per_minute: u32, now: Timestamp) -> Allowance {
        self.fill(per_minute, now);
        let retry_after = self.wait(per_minute);
        if retry_after.is_none() {
            self.tokens -= 1.0;
        }
        Allowance { retry_after, ..self.allowance(per_minute) }
    }

    /// Seconds until there is a token, if there is none.
    fn wait(&self, per_minute: u32) -> Option<u64> {
        (self.tokens < 1.0).then(|| seconds_to_gain(1.0 - self.tokens, per_minute))
    }

    fn fill(&mut self, per_minute: u32, now: Timestamp) {
        let seconds = now.duration_since(self.filled_at).as_secs_f64().max(0.0);
        let capacity = f64::from(per_minute);
        self.tokens = (self.tokens + seconds * capacity / 60.0).min(capacity);
        self.filled_at = now;
    }

    fn allowance(&self, per_minute: u32) -> Allowance {
        let missing = f64::from(per_minute) - self.tokens;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and a u32")]
        let remaining = self.tokens.floor() as u32;
        Allowance {
            limit: per_minute,
            remaining,
            reset: seconds_to_gain(missing, per_minute),
            retry_after: None,
        }
    }
}

fn seconds_to_gain(tokens: f64, per_minute: u32) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 60")]
    let seconds = (tokens * 60.0 / f64::from(per_minute)).ceil() as u64;
    seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_what_it_holds_and_then_what_flows_in() {
        let start = Timestamp::UNIX_EPOCH;
        let mut bucket = Bucket::full(2, start);
        assert_eq!(bucket.take(2, start).remaining, 1);
        assert_eq!(bucket.take(2, start).remaining, 0);
        assert_eq!(bucket.take(2, start).retry_after, Some(30));
        let later = start + Duration::from_secs(30);
        assert_eq!(bucket.take(2, later).retry_after, None);
        assert_eq!(bucket.take(2, later).retry_after, Some(30));
    }
}
