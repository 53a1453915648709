//! A PostgreSQL of the program's own, for whoever starts it without `DATABASE_URL`.
//!
//! It is the machine's PostgreSQL, run on a private cluster. It listens on a Unix socket in a folder that
//! no other user can enter, and on no network port, so it needs no password. It lives as long as
//! [`Server`], and neither `kill -9` of the program nor of PostgreSQL loses data or needs a hand.
//!
//! - `home`: where everything lies, who owns it, and the lock that keeps a second program out
//! - `find`: which of the installed PostgreSQLs to run
//! - `cluster`: making a cluster, starting and stopping a server on it
//! - `process`: what only the operating system knows

mod cluster;
mod find;
mod home;
mod process;

use std::convert::Infallible;
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use cluster::Cluster;
use home::Home;

/// A private PostgreSQL server, which lives as long as this value and comes back when it dies earlier.
pub struct Server {
    socket_dir: PathBuf,
    /// Nothing is ever sent: the channel closing is the wish to stop. `None` once it was wished.
    stop: Option<Sender<Infallible>>,
    supervisor: Option<JoinHandle<()>>,
}

#[derive(Debug, Clone)]
pub struct Settings {
    /// Made if missing. One program at a time uses it.
    pub data_dir: PathBuf,
    pub durability: Durability,
    /// The value of `PATH`, the first place where PostgreSQL is looked for.
    pub path: OsString,
}

/// What a committed transaction survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// A power cut.
    #[default]
    Full,
    /// The death of every process, but not of the machine. For tests: it spares the waits for the disk.
    None,
}

/// Why there is no server, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(
        "no PostgreSQL found: install it (Debian, Ubuntu: `apt install postgresql`; Fedora: `dnf install \
         postgresql-server`; macOS: `brew install postgresql@17`), or set DATABASE_URL to use one elsewhere"
    )]
    NotInstalled,
    #[error("PostgreSQL {major} in {} is too old: install {} or newer, or set DATABASE_URL", .bin.display(), find::OLDEST)]
    TooOld { major: u32, bin: PathBuf },
    #[error(
        "{} was made by PostgreSQL {major}, which is not installed: install that version again, convert the \
         data with pg_upgrade, or choose another data folder", .cluster.display()
    )]
    OtherVersion { major: u32, cluster: PathBuf },
    #[error("another cardroom is using {}: stop it, or give this one a data folder of its own", .0.display())]
    InUse(PathBuf),
    #[error(
        "PostgreSQL refuses to run as root: run as another user, or add a user `postgres` for it to run as"
    )]
    NoAccount,
    #[error("cannot use {}: {source}; make it writable for this user, or choose another data folder", .path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("cannot run {}: {source}; mend the installation of PostgreSQL, or set DATABASE_URL", .program.display())]
    Run { program: PathBuf, source: io::Error },
    #[error("initdb could not make a cluster ({status}): {said}")]
    Initdb { status: ExitStatus, said: String },
    #[error("PostgreSQL ended by itself ({status}), its last words: {said}; all of them are in {}", .log.display())]
    Ended { status: ExitStatus, said: String, log: PathBuf },
    #[error("PostgreSQL did not get ready within {waited:?}; see {} for what it is doing", .log.display())]
    Slow { waited: Duration, log: PathBuf },
    #[error("an earlier PostgreSQL, process {pid}, still serves {} and does not stop: end it", .cluster.display())]
    Orphan { pid: i32, cluster: PathBuf },
}

impl Server {
    /// Starts the server, on a new cluster if there is none yet, and blocks until it takes connections.
    ///
    /// # Errors
    /// See [`StartError`]. Nothing that a failed start leaves behind is in the way of the next.
    pub fn start(settings: &Settings) -> Result<Server, StartError> {
        let home = Home::open(&settings.data_dir)?;
        let cluster = Cluster::open(home, settings)?;
        let socket_dir = cluster.socket_dir().to_owned();
        let (stop, stop_wish) = mpsc::channel();
        let (report, started) = mpsc::channel();
        let supervisor = thread::Builder::new()
            .name("postgres".to_owned())
            .spawn(move || supervise(&cluster, &stop_wish, &report))
            .map_err(|source| StartError::Run { program: "a supervising thread".into(), source })?;
        started.recv().expect("the supervisor reports before it ends")?;
        Ok(Server { socket_dir, stop: Some(stop), supervisor: Some(supervisor) })
    }

    /// The connection string for a database of this server. It stays the same when the server comes back.
    pub fn url(&self, database: &str) -> String {
        let host = percent_encoded(self.socket_dir.as_os_str().as_bytes());
        format!("postgres://{}@{host}/{}", cluster::USER, percent_encoded(database.as_bytes()))
    }

    /// Ends all connections, writes what is left to write, and returns when the server is gone.
    pub fn stop(self) {
        drop(self);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(supervisor) = self.supervisor.take() {
            let _ = supervisor.join();
        }
    }
}

/// A server that has run for this long has recovered from whatever failed before.
/// More than [`cluster::START_LIMIT`], or slow starts would be tried for ever.
const STEADY: Duration = Duration::from_secs(600);
/// How often a server that dies is started again: rarely while somebody waits for [`Server::start`].
const FAILURES_AT_START: u32 = 4;
const FAILURES_LATER: u32 = 12;

/// Keeps a server running until asked to stop. Reports once: that it runs, or why it never did.
///
/// This is a thread of its own because the kernel ties the server's life to the *thread* that started it.
fn supervise(cluster: &Cluster, stop: &Receiver<Infallible>, report: &Sender<Result<(), StartError>>) {
    let mut came_up = false;
    let mut failures = 0;
    loop {
        let began = Instant::now();
        let ready = || {
            came_up = true;
            // Nobody listens when the server has come back: `start` returned long ago.
            let _ = report.send(Ok(()));
        };
        let Err(error) = run(cluster, stop, ready) else { return };
        failures = if began.elapsed() > STEADY { 1 } else { failures + 1 };
        if failures >= if came_up { FAILURES_LATER } else { FAILURES_AT_START } {
            tracing::error!("{error}; giving up");
            let _ = report.send(Err(error));
            return;
        }
        tracing::warn!("{error}; starting it again");
        if stop_wished(stop, pause_after(failures)) {
            return;
        }
    }
}

/// One life of the server: `Ok` if it ended because it was asked to.
fn run(cluster: &Cluster, stop: &Receiver<Infallible>, ready: impl FnOnce()) -> Result<(), StartError> {
    let mut child = cluster.spawn()?;
    let began = Instant::now();
    let mut ready = Some(ready);
    loop {
        let interval = Duration::from_millis(if ready.is_some() { 5 } else { 100 });
        if stop_wished(stop, interval) {
            cluster.stop(child);
            return Ok(());
        }
        cluster.ended(&mut child)?;
        if ready.is_some() && began.elapsed() > cluster::START_LIMIT {
            cluster.stop(child);
            return Err(StartError::Slow { waited: cluster::START_LIMIT, log: cluster.log() });
        }
        if let Some(ready) = ready.take_if(|_| cluster.is_ready(&child)) {
            ready();
        }
    }
}

fn stop_wished(stop: &Receiver<Infallible>, within: Duration) -> bool {
    matches!(stop.recv_timeout(within), Err(RecvTimeoutError::Disconnected))
}

/// 0.1 s, 0.2 s, 0.4 s … 10 s. The first death is often alone, but its last backends need a moment to go.
fn pause_after(failures: u32) -> Duration {
    Duration::from_millis(50 << failures.min(10)).min(Duration::from_secs(10))
}

/// Every byte that is not safe in all parts of a URL as `%XX`, slashes too: the host is a folder.
fn percent_encoded(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|&byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
