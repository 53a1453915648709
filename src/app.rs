//! The state that requests can reach, and how the server is built.

use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::middleware::{Compress, from_fn};
use actix_web::{HttpServer, web};
use actix_web_prom::{PrometheusMetrics, PrometheusMetricsBuilder};
use jiff::SignedDuration;
use serde_json::Value;
use utoipa_actix_web::AppExt;

use crate::accounts::Accounts;
use crate::accounts::personal_tokens::PersonalTokens;
use crate::accounts::signing::Key;
use crate::accounts::tokens::Tokens;
use crate::clock::Clock;
use crate::config::Settings;
use crate::entropy::Entropy;
use crate::games::audits::Audits;
use crate::games::budget::Rates;
use crate::games::quotas::{QuotaLimits, Quotas};
use crate::games::reviews::Reviews;
use crate::games::service::GameService;
use crate::games::uptime::Uptime;
use crate::http;
use crate::http::connections::client_address::TrustedProxies;
use crate::http::connections::tls::Certificate;
use crate::http::connections::{Connections, TLS_HANDSHAKES, connections_for_each};
use crate::http::limits::{Limits, Streams};
use crate::http::middleware::{admit, cors, invalid_path, invalid_query, nothing_here, observe};
use crate::http::operations::document::{self, Document};
use crate::http::operations::metrics::Exposition;
use crate::http::page::preview::Previews;
use crate::http::page::shell::PublicUrl;
use crate::http::requests::incoming::Pace;
use crate::jobs::deliveries::Deliveries;
use crate::jobs::expiry::{Expiry, Lifetimes};
use crate::jobs::scheduler::Scheduler;
use crate::jobs::thinking::Thinking;
use crate::mail::Mailer;
use crate::metrics::Metrics;
use crate::personal_data::PersonalData;
use crate::ratings::Ratings;
use crate::store::database::Database;
use crate::store::deliveries::DeliveryLog;
use crate::store::error::StoreError;
use crate::store::readiness::Readiness;
use crate::store::wrapping::MasterKeys;
use crate::streams::tickets::Tickets;
use crate::tournaments::audits::TournamentAudits;
use crate::tournaments::luck::TournamentLucks;
use crate::tournaments::series::AllSeries;
use crate::tournaments::service::Tournaments;
use crate::webhooks::Webhooks;
use crate::webhooks::push::HouseKey;
use crate::webhooks::sender::Sender;

/// How long requests in flight may take to finish when the server stops, in seconds.
const LAST_REQUESTS: u64 = 10;

/// How many connections the metrics' own address accepts.
const METRICS_CONNECTIONS: usize = 64;

/// How many workers have a log of their own, with its connections to the database. Further workers share one.
const WORKERS_LOGS: usize = 16;

/// Made once: it takes a moment, and all apps of a process serve the same.
static DOCUMENT: LazyLock<web::Data<Document>> =
    LazyLock::new(|| web::Data::new(Document::new(&openapi()).with_pages(http::page::paths())));

/// The OpenAPI document: what the handlers declare, and what each kind of game adds.
pub fn openapi() -> Value {
    let app = actix_web::App::new().into_utoipa_app().openapi(document::base()).configure(http::routes);
    document::complete(app.split_for_parts().1)
}

/// The state that the handlers use, the same for all threads.
#[derive(Clone)]
pub struct App {
    pub database: web::Data<Database>,
    readiness: web::Data<Readiness>,
    pub accounts: web::Data<Accounts>,
    pub tokens: web::Data<Tokens>,
    personal_tokens: web::Data<PersonalTokens>,
    personal_data: web::Data<PersonalData>,
    pub games: web::Data<GameService>,
    pub tournaments: web::Data<Tournaments>,
    series: web::Data<AllSeries>,
    pub ratings: web::Data<Ratings>,
    pub audits: web::Data<Audits>,
    reviews: web::Data<Reviews>,
    lucks: web::Data<TournamentLucks>,
    tournament_audits: web::Data<TournamentAudits>,
    pub scheduler: Scheduler,
    pub expiry: Expiry,
    pub deliveries: Deliveries,
    webhooks: web::Data<Webhooks>,
    clock: web::Data<Clock>,
    entropy: web::Data<Entropy>,
    limits: web::Data<Limits>,
    proxies: web::Data<TrustedProxies>,
    streams: web::Data<Streams>,
    tickets: web::Data<Tickets>,
    document: web::Data<Document>,
    exposition: web::Data<Exposition>,
    previews: web::Data<Previews>,
    public_url: web::Data<PublicUrl>,
    requests: PrometheusMetrics,
    pace: web::Data<Pace>,
    /// How long the head of a request may take, and then the first byte of its body.
    patience: Duration,
    workers: usize,
    connections: Connections,
    keep_alive: Duration,
    /// The certificate, if the server speaks TLS.
    pub certificate: Option<Certificate>,
}

impl App {
    /// Connects to the database, brings its tables up to date, and reads the keys.
    ///
    /// # Errors
    /// [`StoreError`] where the database is away or not fit for use, or a key is missing or invalid.
    pub async fn build(
        settings: &Settings,
        database_url: &str,
        clock: Clock,
        entropy: Entropy,
    ) -> Result<App, StoreError> {
        let database = open_database(settings, database_url).await?;
        let (issuer, own_keys) = (settings.issuer.clone(), Key::read_files(&settings.signing_keys)?);
        let tokens = Tokens::new(database.clone(), clock.clone(), entropy.clone(), issuer, own_keys).await?;
        let tokens = web::Data::new(tokens);
        let metrics = database.metrics.clone();
        let mailer = settings.mail().map_err(StoreError::Key)?.map(|mail| Mailer::new(mail, metrics));
        let accounts = Arc::new(Accounts::new(
            database.clone(),
            tokens.clone().into_inner(),
            clock.clone(),
            entropy.clone(),
            mailer.clone(),
        ));
        let games = GameService::new(
            database.clone(),
            Uptime::begin(database.clone(), clock.clone()).await?,
            entropy.clone(),
            u64::from(settings.cache_mb) * 1024 * 1024,
            settings.queue,
            Quotas::new(quota_limits(settings)),
        );
        let tournaments = Tournaments::new(games.clone());
        let ratings = Ratings::new(games.clone());
        let thinking = Thinking::new(games.clone(), settings.thinking_threads);
        let personal_data = PersonalData::new(accounts.clone(), tournaments.clone(), clock.clone());
        let expiry = Expiry::new(tournaments.clone(), lifetimes(settings));
        let proxies = TrustedProxies::new(settings.trusted_proxies.clone());
        let personal_tokens = PersonalTokens::new(database.clone(), clock.clone(), entropy.clone());
        let tickets = Tickets::new(database.clone(), tokens.clone().into_inner());
        let sender = Arc::new(sender(settings, &database).await?);
        let (times, log) = ((clock.clone(), entropy.clone()), DeliveryLog::start(&database));
        let deliveries =
            Deliveries::new(tournaments.clone(), times.clone(), sender.clone(), log.clone(), mailer);
        let webhooks = Webhooks::new(tournaments.clone(), times, sender, log);
        let reviews = Reviews::new(games.clone());
        Ok(App {
            deliveries,
            webhooks: web::Data::new(webhooks),
            readiness: web::Data::new(Readiness::new(database.clone())),
            accounts: web::Data::from(accounts),
            tokens: tokens.clone(),
            personal_tokens: web::Data::new(personal_tokens),
            personal_data: web::Data::new(personal_data),
            audits: web::Data::new(Audits::new(games.clone(), tokens.clone().into_inner())),
            lucks: web::Data::new(TournamentLucks::new(tournaments.clone(), reviews.clone())),
            reviews: web::Data::new(reviews),
            tournament_audits: web::Data::new(TournamentAudits::new(
                tournaments.clone(),
                tokens.into_inner(),
            )),
            scheduler: Scheduler::new(
                games.clone(),
                tournaments.clone(),
                ratings.clone(),
                expiry.clone(),
                thinking,
            ),
            expiry,
            ratings: web::Data::new(ratings),
            series: web::Data::new(AllSeries::new(tournaments.clone())),
            tournaments: web::Data::new(tournaments),
            games: web::Data::new(games),
            limits: web::Data::new(limits(settings, &clock)),
            proxies: web::Data::new(proxies.clone()),
            streams: web::Data::new(Streams::new(
                settings.stream_limit,
                settings.stream_limit_per_address,
                database.metrics.clone(),
            )),
            tickets: web::Data::new(tickets),
            document: DOCUMENT.clone(),
            requests: requests(&database.metrics),
            exposition: web::Data::new(Exposition::new(database.clone(), settings.metrics_listen.is_none())),
            previews: web::Data::new(Previews::default()),
            public_url: web::Data::new(PublicUrl(settings.public_url.clone())),
            database: web::Data::new(database),
            workers: settings.workers.map_or_else(one_for_each_core, usize::from),
            pace: web::Data::new(Pace::new(seconds(settings.request_seconds))),
            patience: seconds(settings.request_seconds),
            connections: Connections::new(
                settings.connection_limit,
                seconds(settings.unread_seconds),
                proxies,
            ),
            keep_alive: seconds(settings.keep_alive_seconds),
            certificate: None,
            clock: web::Data::new(clock),
            entropy: web::Data::new(entropy),
        })
    }

    /// The server on a socket that is already bound. It runs when it is awaited, and leaves signals to the
    /// caller.
    ///
    /// # Errors
    /// [`std::io::Error`] where the socket cannot be listened on.
    pub fn server(&self, listener: TcpListener) -> std::io::Result<Server> {
        let (app, workers, connections) = (self.clone(), self.workers, self.connections.clone());
        let logs = Arc::new(AtomicUsize::new(0));
        let server = HttpServer::new(move || {
            // This runs on the worker's own thread.
            let has_log = logs.fetch_add(1, Ordering::Relaxed) < WORKERS_LOGS;
            let data = app.clone();
            actix_web::App::new()
                .configure(|config| data.share(config, has_log))
                .app_data(web::PathConfig::default().error_handler(|_, request| invalid_path(request)))
                .app_data(web::QueryConfig::default().error_handler(|error, _| invalid_query(&error)))
                // Paths are tried in this order; this one is requested most often.
                .service(http::games::game::act)
                .into_utoipa_app()
                .configure(http::routes)
                .default_service(web::to(nothing_here))
                .into_app()
                // The middleware that is wrapped last is the first to see a request.
                .wrap(from_fn(admit))
                .wrap(app.requests.clone())
                .wrap(Compress::default())
                .wrap(cors())
                .wrap(from_fn(observe))
        });
        let server = server
            .on_connect(move |connection, extensions| connections.accept(connection, extensions))
            .max_connections(connections_for_each(workers, self.certificate.is_some()))
            .max_connection_rate(TLS_HANDSHAKES)
            .keep_alive(self.keep_alive)
            .client_request_timeout(self.patience)
            .workers(workers)
            .shutdown_timeout(LAST_REQUESTS)
            .disable_signals();
        let server = match &self.certificate {
            Some(certificate) => server.listen_rustls_0_23(listener, certificate.config())?,
            None => server.listen(listener)?,
        };
        Ok(server.run())
    }

    /// Gives the handlers of a worker what they use. `has_log`: the worker has a log of its own.
    fn share(self, config: &mut web::ServiceConfig, has_log: bool) {
        let games = if has_log { web::Data::new(self.games.with_local_log()) } else { self.games };
        config
            .app_data(self.readiness)
            .app_data(self.accounts)
            .app_data(self.tokens)
            .app_data(self.personal_tokens)
            .app_data(self.personal_data)
            .app_data(games)
            .app_data(self.tournaments)
            .app_data(self.series)
            .app_data(self.ratings)
            .app_data(self.audits)
            .app_data(self.reviews)
            .app_data(self.lucks)
            .app_data(self.tournament_audits)
            .app_data(self.clock)
            .app_data(self.entropy)
            .app_data(self.limits)
            .app_data(self.proxies)
            .app_data(self.pace)
            .app_data(self.streams)
            .app_data(self.tickets)
            .app_data(self.webhooks)
            .app_data(self.document)
            .app_data(self.exposition)
            .app_data(self.previews)
            .app_data(self.public_url);
    }

    /// The server for the metrics' own address. It also runs when it is awaited; see [`App::server`].
    ///
    /// # Errors
    /// [`std::io::Error`] where the socket cannot be listened on.
    pub fn metrics_server(&self, listener: TcpListener) -> std::io::Result<Server> {
        let exposition = self.exposition.clone();
        let server = HttpServer::new(move || {
            actix_web::App::new().app_data(exposition.clone()).service(http::operations::metrics::show_apart)
        });
        let server = server
            .max_connections(METRICS_CONNECTIONS)
            .workers(1)
            .shutdown_timeout(LAST_REQUESTS)
            .disable_signals();
        Ok(server.listen(listener)?.run())
    }
}

/// Connects to the database and brings its tables up to date.
async fn open_database(settings: &Settings, url: &str) -> Result<Database, StoreError> {
    let keys = MasterKeys::of(settings.master_key.as_deref(), settings.master_key_file.as_deref())?;
    let (wraps, limit) = (keys.do_wrap(), seconds(settings.db_statement_seconds.into()));
    let database = Database::with_limit(url, usize::from(settings.db_connections), limit)?
        .with_master_keys(keys)
        .with_archive(settings.archive.clone());
    database.migrate().await?;
    if settings.archive.is_none() && !database.archives().await?.is_empty() {
        tracing::warn!("some games are archived, and cannot be read without CARDROOM_ARCHIVE");
    }
    warn_of_secrets(wraps, database.has_secrets_to_rewrap().await?);
    Ok(database)
}

fn limits(settings: &Settings, clock: &Clock) -> Limits {
    Limits::new(clock.clone(), settings.rate_limit, settings.auth_rate_limit, settings.login_limit)
}

/// The sender of notices, with the house's key for push services.
async fn sender(settings: &Settings, database: &Database) -> Result<Sender, StoreError> {
    let secret = database.push_key(Entropy::System.bytes()).await?;
    let key = HouseKey::new(&secret, settings.contact.clone());
    let key = key.ok_or_else(|| StoreError::Broken("the key for Web Push is none".to_owned()))?;
    Ok(Sender::new(&settings.webhook_networks, settings.webhook_rate, key))
}

fn warn_of_secrets(wraps: bool, has_some_to_rewrap: bool) {
    if !wraps {
        tracing::warn!(
            "CARDROOM_MASTER_KEY is not set: the seeds of games and the keys that sign stand in the database in clear, \
             so that whoever can read it, or a copy of it, knows every running deck and can sign in as anybody"
        );
    } else if has_some_to_rewrap {
        tracing::warn!(
            "some secrets in the database stand in clear, or are wrapped by a master key that is not the first: \
             `cardroom rewrap` changes that"
        );
    }
}

/// Counts requests, and measures how long they took.
fn requests(metrics: &Metrics) -> PrometheusMetrics {
    PrometheusMetricsBuilder::new("cardroom")
        .registry(metrics.registry().clone())
        .mask_unmatched_patterns("unmatched")
        .build()
        .expect("the names of these metrics are well-formed, and no other has them")
}

fn quota_limits(settings: &Settings) -> QuotaLimits {
    QuotaLimits {
        games_per_account: settings.games_per_account,
        guest_games_per_address: settings.guest_games_per_address,
        bot_games_per_account: settings.bot_games_per_account,
        participations_per_account: settings.participations_per_account,
        unattended: Rates {
            each: settings.unattended_rate_limit,
            all: settings.unattended_rate_limit_in_all,
        },
    }
}

/// A setting of 0 means never.
fn lifetimes(settings: &Settings) -> Lifetimes {
    let hours = |hours: u32| (hours > 0).then(|| SignedDuration::from_hours(hours.into()));
    let minutes = settings.expire_empty_games_minutes;
    Lifetimes {
        empty_games: (minutes > 0).then(|| SignedDuration::from_mins(minutes.into())),
        open_games: hours(settings.expire_open_games_hours),
        open_tournaments: hours(24 * settings.expire_open_tournaments_days),
        unused_guests: hours(24 * settings.expire_unused_guests_days),
    }
}

fn seconds(seconds: u32) -> Duration {
    Duration::from_secs(seconds.into())
}

fn one_for_each_core() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
