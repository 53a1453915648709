//! The command line.

use std::error::Error;
use std::io::{IsTerminal, Write};
use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cardroom::app::{self, App};
use cardroom::archive::{self, Filed};
use cardroom::check::Checked;
use cardroom::cli;
use cardroom::clock::Clock;
use cardroom::config::{Cli, Command, LogFormat, Role, Selfplay, Settings};
use cardroom::entropy::Entropy;
use cardroom::http::connections::listener;
use cardroom::http::connections::tls::Certificate;
use cardroom::http::operations::document::layout::laid_out;
use cardroom::store::accounts;
use cardroom::store::database::Database;
use cardroom::store::error::StoreError;
use cardroom::store::shards::TABLES;
use cardroom::store::wrapping::MasterKeys;
use clap::Parser;
use local_postgres::{Beside, Durability, StartError};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const NO_ARCHIVE: &str = "set CARDROOM_ARCHIVE: the folder or the bucket in which the archived games lie";

type Outcome = Result<(), Box<dyn Error>>;

// This runtime's threads handle the start and the stop; the server has threads of its own.
#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let Cli { command, settings } = Cli::parse();
    let outcome = match command.unwrap_or(Command::Serve) {
        Command::Serve => serve(settings).await,
        Command::Openapi => print_openapi(),
        Command::Role { username, role } => set_role(&settings, &username, role).await,
        Command::Rebuild => rebuild(&settings).await,
        Command::Archive => archive(&settings).await,
        Command::Restore { month } => restore(&settings, &month).await,
        Command::Distribute { shards } => distribute(&settings, shards).await,
        Command::Rewrap => rewrap(&settings).await,
        Command::Check => check(&settings).await,
        Command::Audit(audit) => cli::audit(&audit).map_err(Into::into),
        Command::Replay(replay) => cli::replay(&replay).map_err(Into::into),
        Command::Selfplay(wanted) => selfplay(wanted).await,
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cardroom: {error}");
            // The same as for a flag that is not known.
            if error.is::<cli::Misuse>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn print_openapi() -> Outcome {
    println!("{}", laid_out(&app::openapi()));
    Ok(())
}

async fn serve(settings: Settings) -> Outcome {
    start_logging(&settings)?;
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let listener = listener::listen(settings.listen)
        .map_err(|error| format!("CARDROOM_LISTEN={}: {error}", settings.listen))?;
    let address = listener.local_addr()?;
    let for_metrics = settings.metrics_listen.map(|address| {
        TcpListener::bind(address).map_err(|error| format!("CARDROOM_METRICS_LISTEN={address}: {error}"))
    });
    let for_metrics = for_metrics.transpose()?;
    // As many as the system allows: each connection takes one.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let certificate = match (&settings.tls_cert, &settings.tls_key) {
        (Some(certificates), Some(key)) => Some(Certificate::open(certificates, key)?),
        _ => None,
    };
    let (mut postgres, mut app) = tokio::select! {
        started = start(&settings) => started?,
        _ = terminate.recv() => return Ok(()),
        _ = interrupt.recv() => return Ok(()),
    };
    app.certificate = certificate.clone();
    let server = app.server(listener)?;
    let for_metrics = for_metrics.map(|listener| app.metrics_server(listener)).transpose()?;
    greet(if certificate.is_some() { "https" } else { "http" }, address);
    if let Some(certificate) = certificate {
        tokio::spawn(certificate.keep_fresh());
    }

    let handle = server.handle();
    let mut keeping = tokio::spawn(app.scheduler.clone().run());
    let mut delivering = tokio::spawn(app.deliveries.clone().run());
    let for_metrics = for_metrics.map(|server| (server.handle(), tokio::spawn(server)));
    let mut serving = tokio::spawn(server);
    let lost = tokio::select! {
        _ = terminate.recv() => None,
        _ = interrupt.recv() => None,
        lost = postgres.lost() => Some(format!("PostgreSQL does not stay up, and is given up: {lost}")),
        // Both run for ever, unless they panic. Without them, a replica would look well and move no clock.
        _ = &mut keeping => Some("the scheduler has panicked".to_owned()),
        _ = &mut delivering => Some("the deliveries of notices have panicked".to_owned()),
        ended = &mut serving => return Ok(ended??),
    };
    tracing::info!("stopping: requests in flight are finished first");
    app.games.close_streams();
    handle.stop(true).await;
    serving.await??;
    if let Some((handle, serving)) = for_metrics {
        handle.stop(true).await;
        serving.await??;
    }
    keeping.abort();
    delivering.abort();
    if let Err(error) = app.deliveries.release().await {
        tracing::warn!(%error, "other replicas send to the webhooks of this one a few seconds later");
    }
    drop(app);
    postgres.stop().await?;
    match lost {
        None => Ok(()),
        Some(error) => Err(error.into()),
    }
}

/// The database, and the service on it. A PostgreSQL of our own that is starting is stopped after it has started.
async fn start(settings: &Settings) -> Result<(Postgres, App), Box<dyn Error>> {
    let postgres = Postgres::of(settings).await?;
    let app = App::build(settings, postgres.url(), Clock::System, Entropy::System).await?;
    Ok((postgres, app))
}

async fn set_role(settings: &Settings, username: &str, role: Role) -> Outcome {
    let postgres = Postgres::beside(settings).await?;
    let database = open(settings, &postgres)?;
    database.migrate().await?;
    let word = match role {
        Role::Player => "player",
        Role::Admin => "admin",
    };
    if !accounts::set_role(&database, username, word).await? {
        return Err(format!("there is no account {username}").into());
    }
    println!("{username} is {word} from the next access token on");
    drop(database);
    postgres.stop().await
}

async fn rebuild(settings: &Settings) -> Outcome {
    let postgres = Postgres::beside(settings).await?;
    let app = App::build(settings, postgres.url(), Clock::System, Entropy::System).await?;
    let played = app.tournaments.rebuild().await?;
    let rated = app.ratings.rebuild().await?;
    println!("points were counted again in {played} games of tournaments, and ratings in {rated} games");
    drop(app);
    postgres.stop().await
}

async fn archive(settings: &Settings) -> Outcome {
    let files = settings.archive.as_ref().ok_or(NO_ARCHIVE)?;
    let postgres = Postgres::beside(settings).await?;
    let app = App::build(settings, postgres.url(), Clock::System, Entropy::System).await?;
    let mut findings = cli::Findings::default();
    let filed = archive::archive(&app.database, &app.audits, files, Clock::System.now(), &mut findings).await;
    drop(app);
    postgres.stop().await?;
    let filed = filed?;
    print_filed("archived", &filed);
    match findings.faults {
        0 => Ok(()),
        faults => Err(format!("{faults} games stay in the database, because their logs have faults").into()),
    }
}

async fn restore(settings: &Settings, month: &str) -> Outcome {
    let files = settings.archive.as_ref().ok_or(NO_ARCHIVE)?;
    let postgres = Postgres::beside(settings).await?;
    let database = open(settings, &postgres)?;
    database.migrate().await?;
    let filed = archive::restore(&database, files, month).await;
    drop(database);
    postgres.stop().await?;
    print_filed("restored", &filed?);
    Ok(())
}

async fn distribute(settings: &Settings, shards: u16) -> Outcome {
    let postgres = Postgres::beside(settings).await?;
    let database = open(settings, &postgres)?;
    database.migrate().await?;
    let distributed = database.distribute(shards).await;
    drop(database);
    postgres.stop().await?;
    let (shards, servers) = distributed?.count();
    println!("{} are distributed by game: {shards} shards on {servers} servers", TABLES.join(", "));
    Ok(())
}

fn print_filed(what: &str, filed: &[Filed]) {
    if filed.is_empty() {
        println!("no game of a past month is to be {what}");
    }
    for Filed { file, month, games, entries, bytes } in filed {
        println!("{what}: {games} games of {month} with {entries} entries, {file}, {bytes} bytes");
    }
}

async fn check(settings: &Settings) -> Outcome {
    let keys = MasterKeys::of(settings.master_key.as_deref(), settings.master_key_file.as_deref())?;
    let postgres = Postgres::beside(settings).await?;
    let database = open(settings, &postgres)?.with_master_keys(keys);
    let database = database.with_archive(settings.archive.clone());
    if !database.is_migrated().await? {
        return Err("the tables are those of another release: check them by that program".into());
    }
    let checked = cardroom::check::check(&database, &mut cli::Findings::default()).await?;
    drop(database);
    postgres.stop().await?;
    let Checked { archives, games, entries, tournaments, rated_games, ratings, faults } = checked;
    println!(
        "checked: {archives} archives, {games} games with {entries} entries, {tournaments} tournaments, {ratings} ratings after {rated_games} \
         games; faults: {faults}"
    );
    if faults > 0 { Err(format!("the database has {faults} faults").into()) } else { Ok(()) }
}

async fn rewrap(settings: &Settings) -> Outcome {
    if settings.master_key.is_none() && settings.master_key_file.is_none() {
        return Err("set CARDROOM_MASTER_KEY: the new key first, then those that wrap the secrets now".into());
    }
    let keys = MasterKeys::of(settings.master_key.as_deref(), settings.master_key_file.as_deref())?;
    let how = if keys.do_wrap() { "wrapped by the first master key" } else { "in clear" };
    let postgres = Postgres::beside(settings).await?;
    let database = open(settings, &postgres)?.with_master_keys(keys);
    database.migrate().await?;
    println!("secrets changed: {}; all in the database are now {how}", database.rewrap().await?);
    drop(database);
    postgres.stop().await
}

async fn selfplay(wanted: Selfplay) -> Outcome {
    let plan = cli::planned(&wanted)?;
    if wanted.interactive {
        return Ok(cli::selfplay(&wanted, &plan, &AtomicBool::new(false))?);
    }
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let is_stopped = Arc::new(AtomicBool::new(false));
    let told = is_stopped.clone();
    let mut playing = tokio::task::spawn_blocking(move || cli::selfplay(&wanted, &plan, &told));
    tokio::select! {
        played = &mut playing => return Ok(played??),
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    is_stopped.store(true, Ordering::Relaxed);
    Ok(playing.await??)
}

/// One connection, for a command.
fn open(settings: &Settings, postgres: &Postgres) -> Result<Database, StoreError> {
    Database::with_limit(postgres.url(), 1, Duration::from_secs(settings.db_statement_seconds.into()))
}

/// The database: an external one, or one that lives as long as this program.
enum Postgres {
    Theirs(String),
    Ours(local_postgres::Server, String),
}

impl Postgres {
    async fn of(settings: &Settings) -> Result<Postgres, Box<dyn Error>> {
        if let Some(url) = settings.database()? {
            return Ok(Postgres::Theirs(url.to_owned()));
        }
        let settings = postgres_settings(settings);
        let server = tokio::task::spawn_blocking(move || local_postgres::Server::start(&settings)).await??;
        let url = server.url("postgres");
        Ok(Postgres::Ours(server, url))
    }

    /// The same for a command that may run beside the service.
    async fn beside(settings: &Settings) -> Result<Postgres, Box<dyn Error>> {
        if let Some(url) = settings.database()? {
            return Ok(Postgres::Theirs(url.to_owned()));
        }
        if !settings.data_dir.exists() {
            let dir = settings.data_dir.display();
            return Err(format!(
                "DATABASE_URL is not set, and there is no database in {dir}: nothing was done"
            )
            .into());
        }
        let settings = postgres_settings(settings);
        let beside = tokio::task::spawn_blocking(move || Beside::open(&settings)).await??;
        let url = beside.url("postgres");
        match beside {
            Beside::Started(server) => Ok(Postgres::Ours(server, url)),
            Beside::Joined { .. } => {
                await_migrations(&url).await?;
                Ok(Postgres::Theirs(url))
            }
        }
    }

    fn url(&self) -> &str {
        match self {
            Postgres::Theirs(url) | Postgres::Ours(_, url) => url,
        }
    }

    /// Waits until the database is lost for good. An external database may always come back.
    async fn lost(&mut self) -> StartError {
        match self {
            Postgres::Theirs(_) => std::future::pending().await,
            Postgres::Ours(server, _) => server.given_up().await,
        }
    }

    async fn stop(self) -> Outcome {
        match self {
            Postgres::Theirs(_) => Ok(()),
            Postgres::Ours(server, _) => Ok(tokio::task::spawn_blocking(move || server.stop()).await?),
        }
    }
}

/// A command never changes the tables while a service uses them. A service that is just starting updates them first.
async fn await_migrations(url: &str) -> Outcome {
    const LOOKS: u32 = 50;
    let database = Database::new(url, 1)?;
    for _ in 0..LOOKS {
        if database.is_migrated().await? {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err("the cardroom that uses this data folder is older than this one: give the command by that program, or stop it"
        .into())
}

fn postgres_settings(settings: &Settings) -> local_postgres::Settings {
    local_postgres::Settings {
        data_dir: settings.data_dir.clone(),
        durability: Durability::Full,
        path: settings.path.clone(),
    }
}

fn start_logging(settings: &Settings) -> Outcome {
    let filter = log_filter(&settings.log).map_err(|error| format!("CARDROOM_LOG: {error}"))?;
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match settings.log_format {
        LogFormat::Text => logs.with_ansi(std::io::stderr().is_terminal()).init(),
        LogFormat::Json => logs.json().init(),
    }
    Ok(())
}

/// The library takes a word that is no level for a target, and would then log nothing else.
fn log_filter(text: &str) -> Result<EnvFilter, String> {
    let mut words = text.split(',').map(str::trim).filter(|word| !word.contains(['=', '[']));
    match words.find(|word| word.parse::<LevelFilter>().is_err()) {
        Some(word) => Err(format!("{word:?} is no level: give trace, debug, info, warn, error or off")),
        None => EnvFilter::try_new(text).map_err(|error| error.to_string()),
    }
}

fn greet(scheme: &str, address: SocketAddr) {
    // Standard output may be closed. That is no reason to stop, so the error is ignored.
    let _ = writeln!(
        std::io::stdout(),
        "cardroom serves {scheme}://{address}/v1\n  \
         play in a browser: {scheme}://{address}/\n  \
         read and try it:   {scheme}://{address}/docs/\n  \
         a first command:   curl -X POST {scheme}://{address}/v1/auth/guest"
    );
}
