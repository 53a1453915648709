//! The program in a process of its own, its PostgreSQL, and what Linux tells of both.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use diesel::dsl::sql;
use diesel::sql_types::Double;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use local_postgres::Durability;

pub struct Service {
    pub address: SocketAddr,
    pub url: String,
    /// For what is needed on the way.
    pub folder: PathBuf,
    /// Where it was started by us.
    own: Option<(Child, Option<local_postgres::Server>)>,
}

impl Service {
    pub fn start() -> Service {
        let folder = folder();
        #[expect(clippy::disallowed_methods, reason = "this is no part of the program")]
        let path = std::env::var_os("PATH").unwrap_or_default();
        let settings =
            local_postgres::Settings { data_dir: folder.clone(), durability: Durability::Full, path };
        let postgres = local_postgres::Server::start(&settings).expect("PostgreSQL starts");
        let url = postgres.url("postgres");
        let (process, address) = spawn(&url);
        Service { address, url, folder, own: Some((process, Some(postgres))) }
    }

    /// Another replica on the same database.
    pub fn replica(&self) -> Service {
        let (process, address) = spawn(&self.url);
        Service { address, url: self.url.clone(), folder: folder(), own: Some((process, None)) }
    }

    /// The program on a database that runs already.
    pub fn on(url: String) -> Service {
        let (process, address) = spawn(&url);
        Service { address, url, folder: folder(), own: Some((process, None)) }
    }

    /// One that runs already, and its database.
    pub fn at(address: SocketAddr, url: String) -> Service {
        Service { address, url, folder: folder(), own: None }
    }

    /// How many bytes its PostgreSQL has written ahead; of several servers, nobody adds them up.
    pub async fn wal(&self) -> f64 {
        if SERVERS.get().is_some() {
            return f64::NAN;
        }
        let written = sql::<Double>("pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::double precision");
        let mut connection = AsyncPgConnection::establish(&self.url).await.expect("it takes connections");
        diesel::select(written).get_result(&mut connection).await.expect("every server knows it")
    }

    /// Bytes of its memory that are in use; of one that we did not start, nobody knows.
    pub fn memory(&self) -> f64 {
        let Some((process, _)) = &self.own else { return f64::NAN };
        let status = fs::read_to_string(format!("/proc/{}/status", process.id())).expect("it runs");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().split(' ').next());
        resident.and_then(|kilobytes| kilobytes.parse::<f64>().ok()).expect("Linux tells") * 1024.0
    }
}

/// The program on a database, with limits that nobody here meets, and where it listens.
fn spawn(url: &str) -> (Child, SocketAddr) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    command.env("DATABASE_URL", url).args([
        "--listen=127.0.0.1:0",
        "--workers=2",
        "--webhook-networks=127.0.0.0/8",
    ]);
    let games = ["games-per-account", "guest-games-per-address"];
    let streams = ["stream-limit", "stream-limit-per-address", "connection-limit"];
    let bots = ["unattended-rate-limit", "unattended-rate-limit-in-all"];
    for limit in ["rate-limit", "auth-rate-limit"].into_iter().chain(games).chain(streams).chain(bots) {
        command.arg(format!("--{limit}={}", u32::MAX));
    }
    // It writes a line for each request. Here it does so too, but nobody keeps them.
    let process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut process = process.expect("the program starts");
    let mut said = BufReader::new(process.stdout.take().expect("it is piped")).lines();
    let address = said
        .by_ref()
        .map_while(Result::ok)
        .find_map(|line| line.split_once("http://")?.1.split('/').next()?.parse().ok());
    (process, address.expect("it says where it listens"))
}

fn folder() -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("moves-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder of ours");
    folder
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some((mut process, postgres)) = self.own.take() {
            let _ = process.kill();
            let _ = process.wait();
            if let Some(postgres) = postgres {
                postgres.stop();
            }
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The folder of the servers over which games are distributed, as `deploy/shards/cluster` makes it.
static SERVERS: OnceLock<PathBuf> = OnceLock::new();

/// From now on, tells the work of each of these servers, too.
pub fn tell_servers(folder: PathBuf) {
    assert!(!postmasters(&folder).is_empty(), "servers run in {}", folder.display());
    SERVERS.set(folder).expect("it is set once");
}

/// The first process of each server, with its number.
fn postmasters(folder: &Path) -> Vec<(u32, u32)> {
    let postmaster = |server: u32| {
        let file = fs::read_to_string(folder.join(format!("{server}/postmaster.pid"))).ok()?;
        Some((server, file.lines().next()?.trim().parse().ok()?))
    };
    (0..).map_while(postmaster).collect()
}

/// Seconds that the processor has worked, by whom for: ourselves, what we started, and the servers.
pub struct Work(BTreeMap<String, f64>);

impl Work {
    pub fn now() -> Work {
        let mut work = BTreeMap::new();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten().map(|process| process.path());
        let stats: Vec<Stat> = processes.filter_map(|path| Stat::read(&path.join("stat"))).collect();
        for process in with_descendants(std::process::id(), &stats) {
            let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
            for stat in threads.filter_map(|thread| Stat::read(&thread.path().join("stat"))) {
                let whom = match &*stat.name {
                    "postgres" => "PostgreSQL",
                    "spectators" => "spectators",
                    name if name.starts_with("moves") => "clients",
                    name if name.starts_with("actix") => "requests",
                    _ => "background",
                };
                *work.entry(whom.to_owned()).or_default() += stat.seconds;
            }
        }
        for (server, postmaster) in SERVERS.get().map(|folder| postmasters(folder)).unwrap_or_default() {
            let processes = with_descendants(postmaster, &stats);
            let seconds = stats.iter().filter(|stat| processes.contains(&stat.id)).map(|stat| stat.seconds);
            work.insert(format!("server {server}"), seconds.sum());
        }
        Work(work)
    }

    /// Microseconds since `before` for each of so many moves.
    pub fn since(&self, before: &Work, moves: usize) -> Vec<(String, f64)> {
        let spent = |whom: &str| (self.0[whom] - before.0.get(whom).unwrap_or(&0.0)) * 1e6 / moves as f64;
        self.0.keys().map(|whom| (whom.clone(), spent(whom))).collect()
    }
}

/// A process, and all that follow from it.
fn with_descendants(process: u32, stats: &[Stat]) -> Vec<u32> {
    let (mut processes, mut at) = (vec![process], 0);
    while at < processes.len() {
        let parent = processes[at];
        processes.extend(stats.iter().filter(|stat| stat.parent == parent).map(|stat| stat.id));
        at += 1;
    }
    processes
}

/// What Linux tells of a process or a thread.
struct Stat {
    id: u32,
    name: String,
    parent: u32,
    seconds: f64,
}

impl Stat {
    fn read(path: &Path) -> Option<Stat> {
        const TICKS: f64 = 100.0;
        let text = fs::read_to_string(path).ok()?;
        let (id, rest) = text.split_once(" (")?;
        let (name, rest) = rest.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split(' ').collect();
        let ticks = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
        let parent = fields.get(1)?.parse().ok()?;
        Some(Stat { id: id.parse().ok()?, name: name.to_owned(), parent, seconds: ticks / TICKS })
    }
}
