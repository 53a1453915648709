//! How much one caller may ask for: a token bucket for each account, or for each address, and so many streams.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::dev::{Payload, ServiceRequest};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use jiff::Timestamp;
use moka::sync::Cache;
use uuid::Uuid;

use super::auth::Identity;
use super::problem::Problem;
use crate::clock::Clock;

/// Where accounts and sessions begin: passwords are guessed here, and hashing them is dear.
const SIGN_IN: [&str; 4] = ["/v1/auth/register", "/v1/auth/login", "/v1/auth/guest", "/v1/auth/upgrade"];

/// A seated player's action in their own turn is never throttled, and only the rules can say whether it is
/// one. So actions are judged first, and charged when they were refused.
fn is_action(request: &ServiceRequest) -> bool {
    let path = request.path();
    request.method() == Method::POST && path.starts_with("/v1/games/") && path.ends_with("/actions")
}

/// Buckets kept in memory. One that has not been used for a minute is full, and need not be kept.
const BUCKETS: u64 = 100_000;
const IDLE: Duration = Duration::from_secs(120);
/// After so many seconds the service has noticed which streams were left.
const STREAM_RETRY: u16 = 10;

/// The buckets of all callers.
pub struct Limits {
    clock: Clock,
    general: Class,
    sign_in: Class,
}

/// What a request is to be charged for, and to whom.
pub struct Charge {
    bucket: Arc<Mutex<Bucket>>,
    per_minute: u32,
    when: When,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    Refused,
}

/// What is left to a caller after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    limit: u32,
    remaining: u32,
    /// Seconds until the bucket is full again.
    reset: u64,
    /// Seconds until the next request may come, where this one came too early.
    retry_after: Option<u64>,
}

impl Limits {
    /// `general` and `sign_in` are requests a minute.
    pub fn new(clock: Clock, general: u32, sign_in: u32) -> Limits {
        Limits { clock, general: Class::new(general), sign_in: Class::new(sign_in) }
    }

    /// The bucket that the request belongs to.
    pub fn charge_of(&self, request: &ServiceRequest) -> Charge {
        let address = || Caller::of(None, request.peer_addr());
        if request.method() == Method::POST && SIGN_IN.contains(&request.path()) {
            return self.sign_in.charge(address(), When::Always, self.clock.now());
        }
        let caller = match request.extensions().get::<Identity>() {
            Some(Identity::Known(player)) => Caller::Account(player.account),
            _ => address(),
        };
        let when = if is_action(request) { When::Refused } else { When::Always };
        self.general.charge(caller, when, self.clock.now())
    }

    /// Takes from the bucket before the request is served.
    pub fn before(&self, charge: &Charge) -> Allowance {
        match charge.when {
            When::Always => charge.take(self.clock.now()),
            When::Refused => charge.look(self.clock.now()),
        }
    }

    /// Takes from the bucket after the request was answered with `status`.
    pub fn after(&self, charge: &Charge, status: StatusCode, before: Allowance) -> Allowance {
        let refused = status.is_client_error();
        if charge.when == When::Refused && refused { charge.take(self.clock.now()) } else { before }
    }
}

impl Allowance {
    /// The refusal, where the request came too early.
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

/// Whom something is charged to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Caller {
    Account(Uuid),
    Address(IpAddr),
}

impl Caller {
    /// The account, or where there is none the network.
    pub fn of(account: Option<Uuid>, peer: Option<SocketAddr>) -> Caller {
        account.map_or_else(|| Caller::Address(network(peer.map(|peer| peer.ip()))), Caller::Account)
    }
}

/// The network that a request comes from.
#[derive(Debug, Clone, Copy)]
pub struct Network(pub IpAddr);

impl FromRequest for Network {
    type Error = Infallible;
    type Future = Ready<Result<Network, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Network(network(request.peer_addr().map(|peer| peer.ip())))))
    }
}

/// The streams that callers have open on this replica.
pub struct Streams {
    most: u32,
    open: Arc<Mutex<HashMap<Caller, u32>>>,
}

/// A stream's place among its caller's, free again when this is dropped.
pub struct Place {
    caller: Caller,
    open: Arc<Mutex<HashMap<Caller, u32>>>,
}

impl Streams {
    /// `most`: how many each caller may have open.
    pub fn new(most: u32) -> Streams {
        Streams { most, open: Arc::default() }
    }

    /// A place for one more stream.
    ///
    /// # Errors
    /// `too_many_streams`.
    pub fn enter(&self, caller: Caller) -> Result<Place, Problem> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let streams = open.entry(caller).or_default();
        if *streams >= self.most {
            let detail = format!("you have {} streams open; close one first", self.most);
            let seconds = STREAM_RETRY.into();
            return Err(Problem::new("too_many_streams", detail).with_header(header::RETRY_AFTER, seconds));
        }
        *streams += 1;
        Ok(Place { caller, open: self.open.clone() })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut streams) = open.entry(self.caller) {
            *streams.get_mut() -= 1;
            if *streams.get() == 0 {
                streams.remove();
            }
        }
    }
}

/// One household has one IPv6 network, and as many addresses in it as it likes.
fn network(address: Option<IpAddr>) -> IpAddr {
    match address.map(|address| address.to_canonical()) {
        Some(IpAddr::V6(address)) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        Some(address) => address,
        None => IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED),
    }
}

struct Class {
    per_minute: u32,
    buckets: Cache<Caller, Arc<Mutex<Bucket>>>,
}

impl Class {
    fn new(per_minute: u32) -> Class {
        Class { per_minute, buckets: Cache::builder().max_capacity(BUCKETS).time_to_idle(IDLE).build() }
    }

    fn charge(&self, caller: Caller, when: When, now: Timestamp) -> Charge {
        let bucket =
            self.buckets.get_with(caller, || Arc::new(Mutex::new(Bucket::full(self.per_minute, now))));
        Charge { bucket, per_minute: self.per_minute, when }
    }
}

impl Charge {
    fn take(&self, now: Timestamp) -> Allowance {
        self.bucket.lock().unwrap_or_else(PoisonError::into_inner).take(self.per_minute, now)
    }

    fn look(&self, now: Timestamp) -> Allowance {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.fill(self.per_minute, now);
        bucket.allowance(self.per_minute)
    }
}

/// Fills by `per_minute` a minute, and holds as many.
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
        if self.tokens < 1.0 {
            let retry_after = Some(seconds_to_gain(1.0 - self.tokens, per_minute));
            return Allowance { retry_after, ..self.allowance(per_minute) };
        }
        self.tokens -= 1.0;
        self.allowance(per_minute)
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

    #[test]
    fn addresses_of_one_ipv6_network_share_a_bucket() {
        let (one, other): (IpAddr, IpAddr) =
            ("2001:db8::1".parse().unwrap(), "2001:db8::ffff:2".parse().unwrap());
        assert_eq!(network(Some(one)), network(Some(other)));
        assert_ne!(network(Some(one)), network(Some("2001:db8:0:1::1".parse().unwrap())));
    }
}
