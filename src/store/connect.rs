//! The one place that connects to PostgreSQL: for the pool, for sessions outside the pool, and for migrations.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use diesel::connection::InstrumentationEvent;
use diesel_async::{AsyncConnection, SimpleAsyncConnection};
use tokio::time::timeout;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::store::error::StoreError;
use crate::store::session::{Session, Silence};
use crate::store::tls;

/// How long a host may take to accept a connection, where the URL does not set it (`connect_timeout`).
const CONNECTING: Duration = Duration::from_secs(2);
/// TCP keepalives, where the URL does not set them: after how much idle time a connection is probed, how often, and how
/// many probes may stay unanswered.
const KEEPALIVES: (Duration, Duration, u32) = (Duration::from_secs(15), Duration::from_secs(5), 3);
/// The driver's default for the first of them where the URL does not set it.
const KEEPALIVES_UNSAID: Duration = Duration::from_secs(2 * 60 * 60);
/// How long sent data may stay unacknowledged, where the URL does not set it.
const UNACKNOWLEDGED: Duration = Duration::from_secs(5);

/// Citus 13.2.2 keeps one more plan, some 30 KB, each time that a prepared statement is executed for a shard of the server
/// itself, until the session ends (citusdata/citus#8824). It keeps none if the statement is planned anew each time.
const PLAN_ANEW: &str = "SET plan_cache_mode TO force_custom_plan";

/// How to connect.
#[derive(Clone)]
pub(super) struct Connector(Arc<Inner>);

struct Inner {
    url: String,
    /// One for each host, in the order in which they are tried.
    hosts: Vec<Config>,
    /// The host that accepted a connection last. The next attempt begins with it.
    last: AtomicUsize,
    tls: MakeRustlsConnect,
    silence: Arc<Silence>,
    /// How long a statement may take.
    limit: Duration,
    /// Whether the server has shards.
    has_shards: bool,
}

impl Connector {
    /// # Errors
    /// [`StoreError::Url`] where the URL cannot be used.
    pub fn new(url: &str, limit: Duration) -> Result<Connector, StoreError> {
        let (driver_url, wanted) = tls::split(url)?;
        let (mode, tls) = wanted.connector()?;
        let mut config: Config = driver_url.parse().map_err(|error| StoreError::Url(chain(&error)))?;
        config.ssl_mode(mode);
        watch_over(&mut config);
        let (hosts, last, silence) = (each_host(&config)?, AtomicUsize::new(0), Silence::new());
        Ok(Connector(Arc::new(Inner {
            url: url.to_owned(),
            hosts,
            last,
            tls,
            silence,
            limit,
            has_shards: false,
        })))
    }

    /// The same, but to this server alone, which has shards. Its silence does not keep anybody from the others.
    ///
    /// # Errors
    /// [`StoreError::Url`] where the configuration names no host.
    pub fn at(&self, host: &str, port: u16) -> Result<Connector, StoreError> {
        let Inner { url, hosts, tls, limit, .. } = &*self.0;
        let any = hosts.first().ok_or_else(|| StoreError::Url("it names no host".to_owned()))?;
        let mut config = without_hosts(any);
        config.host(host).port(port);
        let (hosts, last, silence) = (vec![config], AtomicUsize::new(0), Silence::new());
        Ok(Connector(Arc::new(Inner {
            url: url.clone(),
            hosts,
            last,
            tls: tls.clone(),
            silence,
            limit: *limit,
            has_shards: true,
        })))
    }

    /// A session whose statements are limited in time, as far as they are [`Session::timed`]. A server that is alive
    /// enforces the limit in any case.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where no host answers.
    pub async fn session(&self) -> Result<Session, StoreError> {
        self.limited(Some(self.0.limit)).await
    }

    /// A session without time limits, for work that is known to take long.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where no host answers.
    pub async fn patient_session(&self) -> Result<Session, StoreError> {
        self.limited(None).await
    }

    async fn limited(&self, limit: Option<Duration>) -> Result<Session, StoreError> {
        let Inner { hosts, last, silence, .. } = &*self.0;
        if silence.is_recent() {
            return Err(StoreError::Unavailable("it did not answer a moment ago".to_owned()));
        }
        let first = last.load(Ordering::Relaxed);
        let (mut errors, mut was_silent) = (Vec::new(), false);
        for n in (first..hosts.len()).chain(0..first) {
            let host = &hosts[n];
            let patience = host.get_connect_timeout().copied().unwrap_or(CONNECTING);
            match timeout(patience, self.enter(host, limit)).await {
                Ok(Ok(session)) => {
                    last.store(n, Ordering::Relaxed);
                    return Ok(session);
                }
                Ok(Err(error)) => errors.push(format!("{}: {error}", name(host))),
                Err(_) => {
                    was_silent = true;
                    errors.push(format!("{}: no answer within {patience:?}", name(host)));
                }
            }
        }
        if was_silent {
            silence.cannot_connect();
        }
        Err(StoreError::Unavailable(errors.join("; ")))
    }

    async fn enter(&self, host: &Config, limit: Option<Duration>) -> Result<Session, StoreError> {
        let silence = self.0.silence.clone();
        let began = silence.now();
        let connected = host.connect(self.0.tls.clone()).await;
        let connected = connected.map_err(|error| StoreError::Unavailable(chain(&error)))?;
        let mut session = Session::start(connected, silence, began, limit).await?;
        session.batch_execute(&settings(limit)).await?;
        if self.0.has_shards {
            session.batch_execute(PLAN_ANEW).await?;
        }
        // Instrumentation that records what sessions do learns from this event which database the session is connected
        // to.
        let established = InstrumentationEvent::finish_establish_connection(&self.0.url, None);
        session.instrumentation().on_connection_event(established);
        Ok(session)
    }
}

/// The settings for the whole session. If a client has vanished, the server ends what the client left behind by itself,
/// so that no lock outlives the client for long.
fn settings(limit: Option<Duration>) -> String {
    let limit = limit.map_or(0, |limit| limit.as_millis());
    // Errors are told apart by the words of the message, because Diesel passes no SQLSTATE on.
    format!(
        "SET statement_timeout TO {limit}; SET idle_in_transaction_session_timeout TO {limit};
         DO $$ BEGIN SET lc_messages TO 'C'; EXCEPTION WHEN insufficient_privilege THEN NULL; END $$"
    )
}

/// Lets the operating system detect dead connections.
fn watch_over(config: &mut Config) {
    let (idle, interval, retries) = KEEPALIVES;
    if config.get_keepalives_idle() == KEEPALIVES_UNSAID {
        config.keepalives_idle(idle);
    }
    if config.get_keepalives_interval().is_none() {
        config.keepalives_interval(interval);
    }
    if config.get_keepalives_retries().is_none() {
        config.keepalives_retries(retries);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(UNACKNOWLEDGED);
    }
}

/// The same configuration for each host alone, so that each host has its own time limit.
fn each_host(config: &Config) -> Result<Vec<Config>, StoreError> {
    let (hosts, addresses, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
    let count = hosts.len().max(addresses.len());
    let mismatched = |given: usize| given > 1 && given != count;
    if count == 0 {
        return Err(StoreError::Url("it names no host".to_owned()));
    }
    if mismatched(ports.len())
        || (!hosts.is_empty() && !addresses.is_empty() && hosts.len() != addresses.len())
    {
        return Err(StoreError::Url("it does not name as many ports or addresses as hosts".to_owned()));
    }
    let alone = |n: usize| {
        let mut alone = without_hosts(config);
        match hosts.get(n) {
            Some(Host::Tcp(host)) => drop(alone.host(host)),
            // PostgreSQL speaks TLS over TCP only.
            Some(Host::Unix(path)) => drop(alone.host_path(path).ssl_mode(SslMode::Disable)),
            None => {}
        }
        // Of several servers of a cluster one takes writes, and a session with any other is of no use.
        if count > 1 {
            alone.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        if let Some(address) = addresses.get(n) {
            alone.hostaddr(*address);
        }
        if let Some(port) = ports.get(n).or(ports.first()) {
            alone.port(*port);
        }
        alone
    };
    Ok((0..count).map(alone).collect())
}

fn without_hosts(config: &Config) -> Config {
    let mut bare = Config::new();
    config.get_user().map(|user| bare.user(user));
    config.get_password().map(|password| bare.password(password));
    config.get_dbname().map(|name| bare.dbname(name));
    config.get_options().map(|options| bare.options(options));
    config.get_application_name().map(|name| bare.application_name(name));
    config.get_connect_timeout().map(|time| bare.connect_timeout(*time));
    config.get_tcp_user_timeout().map(|time| bare.tcp_user_timeout(*time));
    config.get_keepalives_interval().map(|time| bare.keepalives_interval(time));
    config.get_keepalives_retries().map(|count| bare.keepalives_retries(count));
    bare.keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .channel_binding(config.get_channel_binding())
        .target_session_attrs(config.get_target_session_attrs())
        .load_balance_hosts(config.get_load_balance_hosts());
    bare
}

/// The host's name in error messages about a failed connection.
fn name(host: &Config) -> String {
    let port = host.get_ports().first().copied().unwrap_or(5432);
    match (host.get_hosts().first(), host.get_hostaddrs().first()) {
        (Some(Host::Tcp(name)), _) => format!("{name}:{port}"),
        (Some(Host::Unix(path)), _) => path.display().to_string(),
        (None, address) => address.map(ToString::to_string).unwrap_or_default(),
    }
}

/// An error with all its causes: the driver's own message alone says little.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
