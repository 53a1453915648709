//! Requests to webhooks: bounded in time, in number and in what is read of an answer, and never to an address that is
//! not public, unless a setting allows its network.

use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::http::request::Builder;
use hyper::{Request, Response, http};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::client::legacy::{self, Client};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use ipnet::IpNet;
use jiff::Timestamp;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::lookup_host;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep_until, timeout};
use tower_service::Service;
use url::{Host, Url};
use uuid::Uuid;

use crate::store::attempts::Attempt;
use crate::store::webhooks::Secret;
use crate::webhooks::addresses::{Refused, is_allowed, is_public};
use crate::webhooks::message::{Message, signatures};
use crate::webhooks::origins::{self, Origins};
use crate::webhooks::push::{Fresh, HouseKey, KEPT_FOR, PushKeys, is_service};

/// How long an attempt may take, from the lookup of the name to the end of the answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How far attempts may fall behind their pace and catch up.
const SLACK: Duration = Duration::from_millis(20);
/// How long an unused connection is kept.
const IDLE: Duration = Duration::from_secs(30);
/// How many requests a replica has under way.
const AT_ONCE: usize = 256;
/// How much of an answer's body is read, in bytes.
const READ: usize = 1024;
/// How much of it is kept, in characters.
const KEPT: usize = 256;
/// The longest URL.
const LONGEST: usize = 2000;

/// How a message is put into a request.
pub enum Envelope<'m> {
    /// In clear, signed with these secrets.
    Signed(&'m [Secret]),
    /// Encrypted for a browser.
    Encrypted(&'m PushKeys, Fresh),
}

/// A message in its envelope.
pub struct Letter<'m> {
    pub envelope: Envelope<'m>,
    pub message: &'m Message,
    pub at: Timestamp,
}

/// A client that opens connections only where its guard admits it.
type Guarded = (Client<HttpsConnector<HttpConnector<Guard>>, Full<Bytes>>, Guard);

/// Sends messages.
pub struct Sender {
    /// For `https`: to public addresses, and to allowed networks.
    encrypted: Guarded,
    /// For `http`: to allowed networks alone.
    plain: Guarded,
    origins: Origins,
    free: Semaphore,
    pace: Pace,
    pub house_key: HouseKey,
}

/// A place among the requests that are under way.
pub struct Turn<'s> {
    sender: &'s Sender,
    url: &'s str,
    _place: Option<OwnedSemaphorePermit>,
    _permit: Option<SemaphorePermit<'s>>,
}

/// So many attempts a second, evenly. The rest wait in the order in which they came.
struct Pace {
    step: Duration,
    next: Mutex<Instant>,
}

impl Pace {
    fn new(per_second: u32) -> Pace {
        Pace { step: Duration::from_secs(1) / per_second, next: Mutex::new(Instant::now()) }
    }

    async fn wait(&self) {
        let mut next = self.next.lock().await;
        // What was not used for a moment is not lost: timers are some milliseconds late.
        let now = Instant::now();
        *next = (*next).max(now.checked_sub(SLACK).unwrap_or(now));
        sleep_until(*next).await;
        *next += self.step;
    }
}

impl Sender {
    /// `networks`: addresses in these are allowed, though they are not public, and need no TLS.
    /// `per_second`: how many attempts a second this replica makes.
    pub fn new(networks: &[IpNet], per_second: u32, house_key: HouseKey) -> Sender {
        let networks: Arc<[IpNet]> = networks.into();
        let guarded = |with_public| {
            let guard = Guard { networks: networks.clone(), with_public };
            (client(guard.clone()), guard)
        };
        Sender {
            encrypted: guarded(true),
            plain: guarded(false),
            origins: Origins::default(),
            free: Semaphore::new(AT_ONCE),
            pace: Pace::new(per_second),
            house_key,
        }
    }

    /// A URL to which something may be sent, as far as that can be said without looking up its name.
    ///
    /// # Errors
    /// [`Refused`].
    pub fn check(&self, url: &str) -> Result<Url, Refused> {
        if url.len() > LONGEST {
            return Err(Refused::NoUrl);
        }
        let mut url = Url::parse(url).map_err(|_| Refused::NoUrl)?;
        url.set_fragment(None);
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refused::HasCredentials);
        }
        let (_, guard) = self.client(&url).ok_or(Refused::NoUrl)?;
        // The connector does not look up what is an address already, so it is judged here.
        let address = match url.host().ok_or(Refused::NoUrl)? {
            Host::Domain(_) => None,
            Host::Ipv4(address) => Some(IpAddr::V4(address)),
            Host::Ipv6(address) => Some(IpAddr::V6(address)),
        };
        if address.is_some_and(|address| !guard.admits(address)) {
            return Err(Refused::NotPublic);
        }
        Ok(url)
    }

    /// A URL of a push service, as far as that can be said without looking up its name.
    ///
    /// # Errors
    /// [`Refused`].
    pub fn check_push(&self, url: &str) -> Result<Url, Refused> {
        let url = self.check(url)?;
        let networks = &self.plain.1.networks;
        let is_known = match url.host() {
            Some(Host::Domain(host)) => is_service(host),
            Some(Host::Ipv4(address)) => is_allowed(address.into(), networks),
            Some(Host::Ipv6(address)) => is_allowed(address.into(), networks),
            None => false,
        };
        if is_known { Ok(url) } else { Err(Refused::NoPushService) }
    }

    fn client(&self, url: &Url) -> Option<&Guarded> {
        match url.scheme() {
            "https" => Some(&self.encrypted),
            "http" if !self.plain.1.networks.is_empty() => Some(&self.plain),
            _ => None,
        }
    }

    /// Waits where too many requests are under way, in all or to the same origin. That can take minutes: a message is checked,
    /// dated and signed after it.
    pub async fn turn<'s>(&'s self, url: &'s str) -> Turn<'s> {
        let origin = Url::parse(url).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
        // While a message waits for its receiver, it holds up no other.
        let place = self.origins.place(&origin).await;
        self.pace.wait().await;
        Turn { sender: self, url, _place: place, _permit: self.free.acquire().await.ok() }
    }

    async fn request(&self, url: &str, letter: &Letter<'_>) -> Result<(i16, String), &'static str> {
        // The networks that are allowed may have changed since the URL was stored.
        let url = self.check(url).map_err(reason)?;
        let (client, _) = self.client(&url).ok_or_else(|| reason(Refused::NoUrl))?;
        let user_agent = concat!("cardroom/", env!("CARGO_PKG_VERSION"));
        let request = Request::post(url.as_str()).header("user-agent", user_agent);
        let request = match &letter.envelope {
            Envelope::Signed(secrets) => signed(request, secrets, letter),
            Envelope::Encrypted(keys, fresh) => {
                let authorization =
                    self.house_key.authorization(&url.origin().ascii_serialization(), letter.at);
                let encrypted = keys.encrypt(&letter.message.body, fresh).ok().zip(authorization.ok());
                let (body, authorization) = encrypted.ok_or("the message could not be encrypted")?;
                let request = request.header("authorization", authorization);
                pushed(request, letter.message).body(Full::from(body))
            }
        };
        let request = request.map_err(|_| reason(Refused::NoUrl))?;
        let response = client.request(request).await.map_err(|error| what_failed(&error))?;
        let status = response.status().as_u16().cast_signed();
        Ok((status, beginning(response).await))
    }
}

impl Turn<'_> {
    /// Sends a message once.
    pub async fn send(self, letter: &Letter<'_>) -> Attempt {
        let began = Instant::now();
        let answered = timeout(PATIENCE, self.sender.request(self.url, letter)).await;
        let took_ms = i32::try_from(began.elapsed().as_millis()).unwrap_or(i32::MAX);
        let (response_status, response, error) = match answered {
            Ok(Ok((status, response))) => (Some(status), Some(response), None),
            Ok(Err(error)) => (None, None, Some(error)),
            Err(_) => (None, None, Some("there was no answer within 10 s")),
        };
        Attempt { at: letter.at, took_ms, response_status, response, error }
    }
}

/// A request as Standard Webhooks says.
fn signed(request: Builder, secrets: &[Secret], letter: &Letter<'_>) -> http::Result<Request<Full<Bytes>>> {
    let Message { id, body, .. } = letter.message;
    let seconds = letter.at.as_second();
    request
        .header("content-type", "application/json")
        .header("webhook-id", id)
        .header("webhook-timestamp", seconds)
        .header("webhook-signature", signatures(secrets, id, seconds, body))
        .body(Full::from(body.clone()))
}

/// A request to a push service (RFC 8030). For a browser that is away, a newer turn in a game takes the place of an older one,
/// and so does the game's end.
fn pushed(request: Builder, message: &Message) -> Builder {
    let request = request
        .header("content-type", "application/octet-stream")
        .header("content-encoding", "aes128gcm")
        .header("urgency", "high")
        .header("ttl", KEPT_FOR);
    let is_of_turns = ["your_turn", "game_over"].contains(&&*message.message_type);
    match message.id.get(..36).and_then(|id| id.parse::<Uuid>().ok()) {
        Some(game) if is_of_turns => request.header("topic", game.simple().to_string()),
        _ => request,
    }
}

fn reason(refused: Refused) -> &'static str {
    match refused {
        Refused::NotPublic => "the address is not public",
        Refused::NoUrl | Refused::HasCredentials | Refused::NoPushService => "nothing is sent to such a URL",
    }
}

fn what_failed(error: &legacy::Error) -> &'static str {
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    while let Some(inner) = cause {
        if inner.is::<Refused>() {
            return reason(Refused::NotPublic);
        }
        // An error of the system leaves out what it wraps.
        let wrapped = inner.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if inner.is::<rustls::Error>() || wrapped.is_some_and(|wrapped| wrapped.is::<rustls::Error>()) {
            return "TLS failed: the certificate does not hold for this name, or no protocol is common";
        }
        cause = inner.source();
    }
    if error.is_connect() {
        "no connection could be opened"
    } else {
        "the connection ended before the answer"
    }
}

/// The beginning of an answer's body, as text that PostgreSQL can store.
async fn beginning(mut response: Response<Incoming>) -> String {
    let mut bytes = Vec::new();
    while bytes.len() < READ
        && let Some(Ok(frame)) = response.frame().await
    {
        let data = frame.into_data().unwrap_or_default();
        bytes.extend_from_slice(&data[..data.len().min(READ - bytes.len())]);
    }
    let text = String::from_utf8_lossy(&bytes);
    text.chars().filter(|c| !c.is_control() || *c == '\n').take(KEPT).collect()
}

/// Certificates are checked against Mozilla's roots and those of the system, which are read once.
static TLS: LazyLock<ClientConfig> = LazyLock::new(|| {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider has the ciphers of both versions")
        .with_root_certificates(roots)
        .with_no_client_auth()
});

fn client(guard: Guard) -> Client<HttpsConnector<HttpConnector<Guard>>, Full<Bytes>> {
    let mut connector = HttpConnector::new_with_resolver(guard);
    connector.enforce_http(false);
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(TLS.clone())
        .https_or_http()
        .enable_http1()
        .wrap_connector(connector);
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE)
        // All browsers of one maker have the same push service: a connection is opened for none of their messages alone.
        .pool_max_idle_per_host(origins::AT_ONCE)
        .build(connector)
}

/// Looks names up, and gives only the addresses to which something may be sent. It is asked for each connection, so a
/// name that changes its addresses gains nothing.
#[derive(Clone)]
struct Guard {
    networks: Arc<[IpNet]>,
    /// Public addresses, too.
    with_public: bool,
}

impl Guard {
    fn admits(&self, address: IpAddr) -> bool {
        self.with_public && is_public(address) || is_allowed(address, &self.networks)
    }
}

impl Service<Name> for Guard {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let guard = self.clone();
        Box::pin(async move {
            let found = lookup_host((name.as_str(), 0)).await?;
            let found: Vec<SocketAddr> = found.filter(|found| guard.admits(found.ip())).collect();
            if found.is_empty() {
                return Err(Refused::NotPublic.into());
            }
            Ok(found.into_iter())
        })
    }
}
