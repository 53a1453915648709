//! The settings: flags and the environment, read here and nowhere else but for `AWS_*`, which the client of buckets reads.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use ipnet::IpNet;
use lettre::message::Mailbox;
use lettre::{AsyncSmtpTransport, Tokio1Executor};

use crate::archive_files::ArchiveFiles;
use crate::mail::MailSettings;

// A type that holds secrets has no `Debug`, so that no secret gets into a log by it.

/// A card room as a service.
#[derive(Parser)]
#[command(name = "cardroom", version, about)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub settings: Settings,
}

#[derive(Clone, Subcommand)]
pub enum Command {
    /// Serve the API (the default without a command).
    Serve,
    /// Print the OpenAPI document.
    Openapi,
    /// Wrap all secrets in the database by the first master key that is given. Works while the service runs.
    Rewrap,
    /// Set the role of an account to `player` or `admin`.
    Role { username: String, role: Role },
    /// Discard the figures that were computed from the games' logs (tournaments' points, ratings), and compute them
    /// again.
    Rebuild,
    /// Move the logs of all games of past months into CARDROOM_ARCHIVE, a file for each month. Everything that reads a log
    /// reads it there. Works while the service runs, if its replicas have this setting, too.
    Archive,
    /// Move the logs of a month back into the database. The files stay where they are.
    Restore {
        /// Like 2026-10.
        month: String,
    },
    /// Distribute what a move writes over the servers of a Citus cluster, by its online move. Works while the service runs.
    Distribute {
        /// How many shards: the most servers over which they can ever be spread. They stay as many.
        #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=1024))]
        shards: u16,
    },
    /// Check the whole database: every log, and every row that follows from one. Changes nothing, and works while the
    /// service runs.
    Check,
    /// Check audit bundles: whether the claims of each are true. Needs no database, and for a file no network.
    Audit(Audit),
    /// Step through a game that is over, hand by hand.
    Replay(Replay),
    /// Let bots play games by themselves, and write an audit bundle of each, one on each line: data to train on. The same
    /// command writes the same file. Needs no database.
    Selfplay(Selfplay),
}

#[derive(Clone, Args)]
pub struct Audit {
    #[command(flatten)]
    pub source: Source,
    /// The house's keys (its /.well-known/jwks.json), a file or a URL. Without them, a signature shows that the bundle
    /// is complete and unchanged, but not which house signed it.
    #[arg(long)]
    pub keys: Option<String>,
    /// The receipts that you kept from the answers to your actions: JSON with `seq` and `hash`, one on each line.
    #[arg(long)]
    pub receipts: Option<String>,
    /// Print the reports as JSON, one on each line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Args)]
pub struct Replay {
    #[command(flatten)]
    pub source: Source,
    /// Show what this seat could know at the time; without it, everything that happened.
    #[arg(long)]
    pub seat: Option<u8>,
    /// Begin with this hand.
    #[arg(long, default_value_t = 1)]
    pub hand: u32,
}

#[derive(Clone, Args)]
pub struct Selfplay {
    /// The kind of the games, like `sevens`.
    pub kind: String,
    /// What plays at each seat: a bot's policy, like `steady random`; with --interactive also `player`. Where the kind
    /// wants more seats, the last one takes the rest. From game to game every policy moves on by a seat.
    #[arg(value_name = "POLICY", required = true)]
    pub policies: Vec<String>,
    /// How many games are played.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// What all chance follows from, the key that signs the bundles included: the signatures show that bundles are
    /// complete, and not whose they are.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The options of the games, as JSON.
    #[arg(long, default_value = "{}")]
    pub options: String,
    /// The file to write. It replaces one that is there, when the last game has been written.
    #[arg(long, required_unless_present = "interactive")]
    pub out: Option<PathBuf>,
    /// Play with whoever writes to standard input, a line of JSON for each request, and answer each on a line of standard
    /// output: `{"reset": 7}` begins a game with this seed, `{"act": {"type": "fold"}}` acts for the seat whose turn it
    /// is, and `{"observe": 0}` tells what a seat sees.
    #[arg(long, conflicts_with_all = ["out", "games", "seed"])]
    pub interactive: bool,
}

/// Where a bundle comes from.
#[derive(Clone, Args)]
pub struct Source {
    /// A file, `-` for standard input, or a URL: a bundle; to `audit` also an export, with one on each line.
    #[arg(value_name = "FILE|-|URL")]
    pub bundle: String,
    /// The access token to send to a URL, for private games.
    #[arg(long, env = "CARDROOM_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Role {
    Player,
    Admin,
}

#[derive(Clone, Args)]
pub struct Settings {
    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long, env = "CARDROOM_LISTEN", default_value = "127.0.0.1:8080", global = true)]
    pub listen: SocketAddr,

    /// An address and port for the metrics alone; then the public address does not serve them.
    #[arg(long, env = "CARDROOM_METRICS_LISTEN", global = true)]
    pub metrics_listen: Option<SocketAddr>,

    /// A PostgreSQL to use (postgres://…). Without it the program runs one of its own.
    // A parser here would have its errors quote the password.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, global = true)]
    pub database_url: Option<String>,

    /// The keys that encrypt the seeds of games and the signing keys in the database: 32 random bytes as 64 hex digits
    /// or in base64. Several are separated by commas: the first wraps, all of them open. `none` as the first wraps
    /// nothing.
    #[arg(long, env = "CARDROOM_MASTER_KEY", hide_env_values = true, global = true)]
    pub master_key: Option<String>,

    /// A file that holds the same.
    #[arg(long, env = "CARDROOM_MASTER_KEY_FILE", global = true)]
    pub master_key_file: Option<PathBuf>,

    /// Files with Ed25519 keys (PKCS#8, PEM) that sign access tokens and audits, separated by commas: the first signs,
    /// all of them are accepted. Without any, the program creates keys by itself and keeps them in the database.
    #[arg(long, env = "CARDROOM_SIGNING_KEYS", value_delimiter = ',', global = true)]
    pub signing_keys: Vec<PathBuf>,

    /// Where the program's own PostgreSQL keeps its data.
    #[arg(long, env = "CARDROOM_DATA_DIR", default_value = ".cardroom", global = true)]
    pub data_dir: PathBuf,

    /// The folder with the games that were archived, or a bucket, like s3://bucket/folder, if the program was built with
    /// `--features s3`. All replicas need it.
    #[arg(long, env = "CARDROOM_ARCHIVE", global = true)]
    pub archive: Option<ArchiveFiles>,

    /// Database connections that reads and rare writes share.
    #[arg(long, env = "CARDROOM_DB_CONNECTIONS", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=500), global = true)]
    pub db_connections: u16,

    /// Seconds that a statement may take. If the database does not answer, requests that need it are refused with 503
    /// after at most about twice as long.
    #[arg(long, env = "CARDROOM_DB_STATEMENT_SECONDS", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=600), global = true)]
    pub db_statement_seconds: u16,

    /// Moves, and reads of games, that may wait for the database at each thread that serves requests; further ones are
    /// answered with 503.
    #[arg(long, env = "CARDROOM_QUEUE", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=65_536), global = true)]
    pub queue: u32,

    /// Threads that serve requests; by default one for each core.
    #[arg(long, env = "CARDROOM_WORKERS", value_parser = clap::value_parser!(u16).range(1..=512), global = true)]
    pub workers: Option<u16>,

    /// Megabytes of tables kept in memory.
    #[arg(long, env = "CARDROOM_CACHE_MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_048_576), global = true)]
    pub cache_mb: u32,

    /// The issuer that access tokens name.
    #[arg(long, env = "CARDROOM_ISSUER", default_value = "cardroom", global = true)]
    pub issuer: String,

    /// Requests a minute that one account or address may send.
    #[arg(long, env = "CARDROOM_RATE_LIMIT", default_value_t = 6000, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub rate_limit: u32,

    /// Reverse proxies whose `Forwarded`, `X-Forwarded-For` and `X-Forwarded-Proto` are believed: addresses or networks,
    /// separated by commas.
    #[arg(long, env = "CARDROOM_TRUSTED_PROXIES", value_delimiter = ',', value_parser = network, global = true)]
    pub trusted_proxies: Vec<IpNet>,

    /// Networks to which webhooks may lead though their addresses are not public, also without TLS; separated by commas.
    #[arg(long, env = "CARDROOM_WEBHOOK_NETWORKS", value_delimiter = ',', value_parser = network, global = true)]
    pub webhook_networks: Vec<IpNet>,

    /// Messages to webhooks that a replica sends in a second. More wait for their turn, so that moves do not.
    #[arg(long = "webhooks-per-second", env = "CARDROOM_WEBHOOKS_PER_SECOND", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000), global = true)]
    pub webhook_rate: u32,

    /// Where push services reach whoever runs this service: a URL, also `mailto:`. Apple's takes nothing without it.
    #[arg(long, env = "CARDROOM_CONTACT", value_parser = contact, global = true)]
    pub contact: Option<String>,

    /// A mail server: `smtps://name:password@host`, or `smtp://…?tls=required` for STARTTLS. Accounts with a mail
    /// address get back in by mail when the password is lost. Without it, the service sends no mail.
    #[arg(long, env = "CARDROOM_SMTP_URL", hide_env_values = true, requires_all = ["mail_from", "public_url"], global = true)]
    pub smtp_url: Option<String>,

    /// The sender of mails: an address, or a name and an address in angle brackets.
    #[arg(long, env = "CARDROOM_MAIL_FROM", requires = "smtp_url", global = true)]
    pub mail_from: Option<Mailbox>,

    /// Where browsers reach the card room, for links in mails and for the pictures that messengers load:
    /// `https://cards.example.org`.
    #[arg(long, env = "CARDROOM_PUBLIC_URL", value_parser = public_url, global = true)]
    pub public_url: Option<String>,

    /// Requests a minute of one address that take a password, a recovery code or a link from a mail, make an account, or bring
    /// a personal token that is not remembered.
    #[arg(long, env = "CARDROOM_AUTH_RATE_LIMIT", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub auth_rate_limit: u32,

    /// Wrong logins a minute for one name: from all networks together that the account does not know, and from each
    /// network that it knows.
    #[arg(long = "login-rate-limit", env = "CARDROOM_LOGIN_RATE_LIMIT", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub login_limit: u32,

    /// Open and active games, and tournaments, that one account may have created.
    #[arg(long, env = "CARDROOM_GAMES_PER_ACCOUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub games_per_account: u32,

    /// Open and active games that guests of one address may have created.
    #[arg(long, env = "CARDROOM_GUEST_GAMES_PER_ADDRESS", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub guest_games_per_address: u32,

    /// Games without a person that bots may play at a time for one account; guests may have none, admins any number.
    #[arg(long, env = "CARDROOM_BOT_GAMES_PER_ACCOUNT", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..), global = true)]
    pub bot_games_per_account: u32,

    /// Open and active games at which one account may sit, and as many tournaments that it may enter.
    #[arg(long, env = "CARDROOM_PARTICIPATIONS_PER_ACCOUNT", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=300), global = true)]
    pub participations_per_account: u32,

    /// Entries a minute that bots and the clock may write where no person plays, for the account that created the game
    /// and for the address from which this account's requests come. Each replica counts by itself.
    #[arg(long, env = "CARDROOM_UNATTENDED_RATE_LIMIT", default_value_t = 12_000, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub unattended_rate_limit: u32,

    /// Entries a minute that bots and the clock may write where no person plays, on each replica for all accounts.
    #[arg(long, env = "CARDROOM_UNATTENDED_RATE_LIMIT_IN_ALL", default_value_t = 60_000, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub unattended_rate_limit_in_all: u32,

    /// How many bots of this replica may think ahead at the same time, each on a thread of its own.
    #[arg(long, env = "CARDROOM_THINKING_THREADS", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64), global = true)]
    pub thinking_threads: u16,

    /// Minutes after which an open game at which no person sits is called off; 0: never.
    #[arg(long, env = "CARDROOM_EXPIRE_EMPTY_GAMES_MINUTES", default_value_t = 60, value_parser = clap::value_parser!(u32).range(0..=525_600), global = true)]
    pub expire_empty_games_minutes: u32,

    /// Hours after which an open game that has not started is called off; 0: never.
    #[arg(long, env = "CARDROOM_EXPIRE_OPEN_GAMES_HOURS", default_value_t = 24, value_parser = clap::value_parser!(u32).range(0..=87_600), global = true)]
    pub expire_open_games_hours: u32,

    /// Days after which a tournament that has not started is called off; 0: never.
    #[arg(long, env = "CARDROOM_EXPIRE_OPEN_TOURNAMENTS_DAYS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(0..=3650), global = true)]
    pub expire_open_tournaments_days: u32,

    /// Days without a sign-in after which a guest who has never played is deleted; 0: never.
    #[arg(long, env = "CARDROOM_EXPIRE_UNUSED_GUESTS_DAYS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(0..=3650), global = true)]
    pub expire_unused_guests_days: u32,

    /// Streams that one account, or one address without an account, may have open on one replica.
    #[arg(long, env = "CARDROOM_STREAM_LIMIT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub stream_limit: u32,

    /// Streams that one address may have open on one replica, over all its accounts.
    #[arg(long, env = "CARDROOM_STREAM_LIMIT_PER_ADDRESS", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub stream_limit_per_address: u32,

    /// Connections that one address may have open on one replica; trusted proxies may have any number.
    #[arg(long, env = "CARDROOM_CONNECTION_LIMIT", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub connection_limit: u32,

    /// Seconds that an idle connection stays open: set this higher than the idle timeout of the load balancer in front.
    #[arg(long, env = "CARDROOM_KEEP_ALIVE_SECONDS", default_value_t = 75, value_parser = clap::value_parser!(u32).range(1..=3600), global = true)]
    pub keep_alive_seconds: u32,

    /// Seconds that the head of a request may take, and then the first byte of its body; after that, the body must
    /// arrive at 8 KiB a second or faster.
    #[arg(long, env = "CARDROOM_REQUEST_SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=600), global = true)]
    pub request_seconds: u32,

    /// A PEM file with the certificate for HTTPS, and the chain behind it. It is read again when it changes.
    #[arg(long, env = "CARDROOM_TLS_CERT", requires = "tls_key", global = true)]
    pub tls_cert: Option<PathBuf>,

    /// A PEM file with the certificate's private key.
    #[arg(long, env = "CARDROOM_TLS_KEY", requires = "tls_cert", global = true)]
    pub tls_key: Option<PathBuf>,

    /// Seconds after which a client that does not read what was sent to it is disconnected.
    #[arg(long, env = "CARDROOM_UNREAD_SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400), global = true)]
    pub unread_seconds: u32,

    /// The format of the log.
    #[arg(long, env = "CARDROOM_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text, global = true)]
    pub log_format: LogFormat,

    /// What the program logs: a level, or `target=level` separated by commas.
    #[arg(long, env = "CARDROOM_LOG", default_value = "info", global = true)]
    pub log: String,

    /// Where installed programs are searched.
    #[arg(long, env = "PATH", hide = true, default_value = "", hide_env_values = true, global = true)]
    pub path: std::ffi::OsString,
}

impl Settings {
    /// What is said about mail. None where there is no mail server.
    ///
    /// # Errors
    /// What is wrong with the mail server's URL, without the URL: it holds a password.
    pub fn mail(&self) -> Result<Option<MailSettings>, String> {
        let (Some(url), Some(from), Some(public_url)) = (&self.smtp_url, &self.mail_from, &self.public_url)
        else {
            return Ok(None);
        };
        let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|error| format!("CARDROOM_SMTP_URL: {error}"))?;
        Ok(Some(MailSettings { server, from: from.clone(), public_url: public_url.clone() }))
    }

    /// The database that was given. None where the program runs one of its own.
    ///
    /// # Errors
    /// What is wrong with its URL, without the URL: it holds a password.
    pub fn database(&self) -> Result<Option<&str>, &'static str> {
        match self.database_url.as_deref() {
            Some(url) if !url.starts_with("postgres://") && !url.starts_with("postgresql://") => {
                Err("DATABASE_URL: it begins with postgres://")
            }
            url => Ok(url),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

fn contact(text: &str) -> Result<String, String> {
    let is_one = text.starts_with("mailto:") || text.starts_with("https://");
    let is_plain = text.len() <= 200 && text.chars().all(|c| c.is_ascii_graphic());
    if is_one && is_plain {
        Ok(text.to_owned())
    } else {
        Err("this begins with mailto: or https://".to_owned())
    }
}

/// A URL to which a path can be added.
fn public_url(text: &str) -> Result<String, &'static str> {
    let url = url::Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    match url {
        Some(url) if url.query().is_none() && url.fragment().is_none() => {
            Ok(url.as_str().trim_end_matches('/').to_owned())
        }
        _ => Err("this is written like https://cards.example.org"),
    }
}

/// A network, or an address as a network of one.
fn network(text: &str) -> Result<IpNet, &'static str> {
    let address = || text.parse::<IpAddr>().map(IpNet::from);
    text.parse().or_else(|_| address()).map_err(|_| "a network is written like 10.0.0.0/8 or fd00::/8")
}
