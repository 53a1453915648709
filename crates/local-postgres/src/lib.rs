//! A PostgreSQL of the program's own, for a user who starts the program without `DATABASE_URL`.
//!
//! It is the machine's PostgreSQL, run on a private cluster. It listens on a Unix socket in a folder that no other user
//! can enter, and on no network port, so it needs no password. It lives as long as [`Server`]. After a `kill -9` of the
//! program or of PostgreSQL, no data is lost and no manual repair is needed.
//!
//! - `beside`: joining the server of a program that runs
//! - `home`: where everything lies, which user owns it, and the lock that keeps a second program out
//! - `find`: which of the installed PostgreSQLs to run
//! - `cluster`: making a cluster, starting and stopping a server on it
//! - `process`: what only the operating system knows

mod beside;
mod cluster;
mod find;
mod home;
mod process;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub use beside::Beside;
use cluster::Cluster;
use home::Home;
use tokio::sync::oneshot;

/// A private PostgreSQL server, which lives as long as this value and is restarted when it dies earlier.
pub struct Server {
    socket_dir: PathBuf,
    /// Nothing is ever sent: closing the channel asks the server to stop. `None` once it was asked.
    stop: Option<Sender<Infallible>>,
    supervisor: Option<JoinHandle<()>>,
    /// Why restarting the server was given up after it had run.
    given_up: oneshot::Receiver<StartError>,
}

#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder for the data, created if missing. One program at a time uses it.
    pub data_dir: PathBuf,
    pub durability: Durability,
    /// The value of `PATH`, the first place that is searched for PostgreSQL.
    pub path: OsString,
}

/// What a committed transaction survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// A power cut.
    #[default]
    Full,
    /// The death of every process, but not of the machine. For tests: it avoids waiting for the disk.
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
        "another cardroom is using {}, but its PostgreSQL takes no connections: see what it logs, or try again later",
        .0.display()
    )]
    NotReady(PathBuf),
    #[error("cannot keep data in {}: {fault}; mend that, or choose another data folder", .path.display())]
    Unfit { path: PathBuf, fault: String },
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
    /// See [`StartError`]. The remains of a failed start do not prevent the next one.
    pub fn start(settings: &Settings) -> Result<Server, StartError> {
        let home = Home::open(&settings.data_dir)?;
        let cluster = Cluster::open(home, settings)?;
        let socket_dir = cluster.socket_dir().to_owned();
        let (stop, stop_wish) = mpsc::channel();
        let (report, started) = mpsc::channel();
        let (give_up, given_up) = oneshot::channel();
        let supervise = move || {
            let Err(error) = supervise(&cluster, &stop_wish, &report) else { return };
            // The caller waits either for the start or for the end.
            if let Err(mpsc::SendError(Err(error))) = report.send(Err(error)) {
                let _ = give_up.send(error);
            }
        };
        let supervisor = thread::Builder::new()
            .name("postgres".to_owned())
            .spawn(supervise)
            .map_err(|source| StartError::Run { program: "a supervising thread".into(), source })?;
        started.recv().expect("the supervisor reports before it ends")?;
        Ok(Server { socket_dir, stop: Some(stop), supervisor: Some(supervisor), given_up })
    }

    /// The connection string for a database of this server. It stays the same when the server is restarted.
    pub fn url(&self, database: &str) -> String {
        url(&self.socket_dir, database)
    }

    /// Waits until the server is given up because it does not stay up, and returns the reason. Without the server, the
    /// program can only end.
    pub async fn given_up(&mut self) -> StartError {
        match (&mut self.given_up).await {
            Ok(error) => error,
            // The server was asked to stop, or its end was reported before.
            Err(_) => std::future::pending().await,
        }
    }

    /// Ends all connections, writes outstanding data, and returns when the server is gone.
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

/// How many starts in a row may fail while a caller waits for [`Server::start`]: only few. With the pauses between
/// them, a server that has run before is given up after about 6 s of failures.
const FAILED_STARTS_AT_FIRST: u32 = 4;
const FAILED_STARTS_LATER: u32 = 7;
/// How many times a server may die within [`DEATHS_WITHIN`] if it comes back each time.
const DEATHS: usize = 30;
const DEATHS_WITHIN: Duration = Duration::from_secs(60);

/// The recent failures. Older ones say nothing about the next start.
#[derive(Default)]
struct Failures {
    /// How many starts in a row failed.
    starts: u32,
    /// When servers died.
    deaths: VecDeque<Instant>,
}

impl Failures {
    /// Records a death at `now`. Returns the pause before the next start, or `None` if there should be no next start.
    fn died(&mut self, now: Instant, was_ready: bool, starts_allowed: u32) -> Option<Duration> {
        self.starts = if was_ready { 0 } else { self.starts + 1 };
        self.deaths.push_back(now);
        while self.deaths.front().is_some_and(|&death| now.duration_since(death) > DEATHS_WITHIN) {
            self.deaths.pop_front();
        }
        let goes_on = self.starts < starts_allowed && self.deaths.len() <= DEATHS;
        // 0.1 s, 0.2 s, 0.4 s … 3.2 s. The first death is often alone, but its last backends need a moment to exit.
        goes_on.then(|| Duration::from_millis(100 << self.starts.saturating_sub(1)))
    }
}

/// Keeps a server running until asked to stop. Reports once that it runs. When it gives up, returns the reason for the
/// last death.
///
/// It runs on a thread of its own because the kernel ties the server's life to the *thread* that started it.
fn supervise(
    cluster: &Cluster,
    stop: &Receiver<Infallible>,
    report: &Sender<Result<(), StartError>>,
) -> Result<(), StartError> {
    let mut failures = Failures::default();
    let mut starts_allowed = FAILED_STARTS_AT_FIRST;
    loop {
        let mut was_ready = false;
        let ready = || {
            was_ready = true;
            // If this was a restart, no receiver is left: `start` returned long ago.
            let _ = report.send(Ok(()));
        };
        let Err(error) = run(cluster, stop, ready) else { return Ok(()) };
        if was_ready {
            starts_allowed = FAILED_STARTS_LATER;
        }
        let Some(pause) = failures.died(Instant::now(), was_ready, starts_allowed) else { return Err(error) };
        tracing::warn!("{error}; starting it again");
        if stop_wished(stop, pause) {
            return Ok(());
        }
    }
}

/// Runs the server once: `Ok` if it ended because it was asked to.
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

fn url(socket_dir: &Path, database: &str) -> String {
    let host = percent_encoded(socket_dir.as_os_str().as_bytes());
    format!("postgres://{}@{host}/{}", cluster::USER, percent_encoded(database.as_bytes()))
}

/// Writes every byte that is not safe in all parts of a URL as `%XX`, slashes too, because the host is a folder.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_that_fail_one_after_the_other_end_in_giving_up() {
        let (mut failures, now) = (Failures::default(), Instant::now());
        let pauses = std::iter::from_fn(|| failures.died(now, false, FAILED_STARTS_LATER));
        let millis: Vec<u128> = pauses.map(|pause| pause.as_millis()).collect();
        assert_eq!(millis, [100, 200, 400, 800, 1600, 3200]);
    }

    #[test]
    fn deaths_of_a_server_that_comes_back_count_within_a_short_time_only() {
        let (mut failures, mut now) = (Failures::default(), Instant::now());
        for _ in 0..1000 {
            now += DEATHS_WITHIN / (DEATHS as u32 - 1);
            assert_eq!(failures.died(now, true, FAILED_STARTS_LATER), Some(Duration::from_millis(100)));
        }
        let many = (0..DEATHS).map(|_| failures.died(now, true, FAILED_STARTS_LATER));
        assert!(many.last().unwrap().is_none(), "it dies again and again within no time");
    }

    #[test]
    fn a_start_that_succeeds_makes_good_those_that_failed() {
        let (mut failures, now) = (Failures::default(), Instant::now());
        for _ in 0..DEATHS / 5 {
            for _ in 0..4 {
                assert!(failures.died(now, false, FAILED_STARTS_LATER).is_some());
            }
            assert_eq!(failures.died(now, true, FAILED_STARTS_LATER), Some(Duration::from_millis(100)));
        }
    }
}
