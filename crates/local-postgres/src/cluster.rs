//! Creates a cluster, and starts and stops a server on it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::find::{self, Installation};
use crate::home::{Home, in_folder, socket_dir_in};
use crate::process::{self, Shutdown};
use crate::{Durability, Settings, StartError};

/// The database user that owns everything. There is no other.
pub const USER: &str = "cardroom";
/// Recovery after a power cut may take this long; usually a start takes a fraction of a second.
pub const START_LIMIT: Duration = Duration::from_secs(300);
/// How long a fast shutdown may take before it becomes an immediate one.
const STOP_LIMIT: Duration = Duration::from_secs(60);
/// This file beside the socket names the process that listens on the socket.
const SOCKET_LOCK: &str = ".s.PGSQL.5432.lock";

/// A cluster that exists, and what is needed to serve it.
pub struct Cluster {
    home: Home,
    installation: Installation,
    durability: Durability,
    socket_dir: PathBuf,
}

impl Cluster {
    /// Opens the cluster, and creates it if there is none.
    pub fn open(home: Home, settings: &Settings) -> Result<Cluster, StartError> {
        let made_by = made_by(&home.cluster())?;
        let installation = find::installation(&settings.path, made_by, &home.cluster())?;
        if made_by.is_none() {
            make(&home, &installation, settings.durability)?;
        }
        // The log of the last run is kept once, and grows no further.
        let _ = fs::rename(home.log(), home.log().with_extension("log.old"));
        let socket_dir = socket_dir_in(home.dir());
        tracing::info!("PostgreSQL {} serves {}", installation.major, home.cluster().display());
        Ok(Cluster { home, installation, durability: settings.durability, socket_dir })
    }

    pub fn socket_dir(&self) -> &Path {
        &self.socket_dir
    }

    pub fn log(&self) -> PathBuf {
        self.home.log()
    }

    /// Starts a server once no other serves the cluster. This program holds the lock, so no other living program owns a
    /// server on it.
    pub fn spawn(&self) -> Result<Child, StartError> {
        end_orphan(&self.home.cluster())?;
        self.home.make_private(&self.socket_dir)?;
        remove_traces(&self.home.cluster(), &self.socket_dir)?;
        let log = self.log();
        let open_log = || {
            let file = File::options().append(true).create(true).mode(0o600).open(&log)?;
            Ok((file.try_clone()?, file))
        };
        let (stdout, stderr) = open_log().map_err(in_folder(&log))?;
        let program = self.installation.bin.join("postgres");
        process::command(&program, self.home.account(), self.home.dir(), Shutdown::Fast)
            .arg("-D")
            .arg(self.home.cluster())
            .args(
                parameters(&self.socket_dir, self.durability).into_iter().flat_map(|one| ["-c".into(), one]),
            )
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr)
            .spawn()
            .map_err(|source| StartError::Run { program, source })
    }

    /// Whether this server, and not an earlier one, has written that it accepts connections.
    pub fn is_ready(&self, child: &Child) -> bool {
        ready_process(&self.home.cluster()) == Some(child.id())
    }

    /// Why the server has ended, if it has.
    pub fn ended(&self, child: &mut Child) -> Result<(), StartError> {
        let log = self.log();
        match child.try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(status)) => Err(StartError::Ended { status, said: last_lines(&log), log }),
            Err(source) => Err(StartError::Run { program: self.installation.bin.join("postgres"), source }),
        }
    }

    pub fn stop(&self, mut child: Child) {
        let pid = child.id().cast_signed();
        process::signal(pid, Shutdown::Fast);
        if !until(STOP_LIMIT, || !matches!(child.try_wait(), Ok(None))) {
            process::signal(pid, Shutdown::Immediate);
            let _ = child.wait();
        }
        // Needed in `/tmp` only, where nothing else would ever remove the folder.
        let _ = fs::remove_dir(&self.socket_dir);
    }
}

/// The major version of PostgreSQL that created the cluster, or `None` if there is no cluster yet.
fn made_by(cluster: &Path) -> Result<Option<u32>, StartError> {
    let file = cluster.join("PG_VERSION");
    let version = match fs::read_to_string(&file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.and_then(|text| text.trim().parse().map_err(io::Error::other)),
    };
    version.map(Some).map_err(in_folder(&file))
}

/// Runs `initdb` in a folder beside the cluster's and moves the result there, so that a cluster is whole or absent.
fn make(home: &Home, installation: &Installation, durability: Durability) -> Result<(), StartError> {
    let unfinished = home.dir().join("postgres.new");
    remove_unfinished(&unfinished)?;
    home.make_private(&unfinished)?;
    initdb(home, installation, durability, &unfinished)?;
    let cluster = home.cluster();
    let finish = || {
        fs::rename(&unfinished, &cluster)?;
        File::open(home.dir())?.sync_all()
    };
    finish().map_err(in_folder(&cluster))
}

/// Tries more than once if need be: a server that `initdb` was using may still be writing.
fn remove_unfinished(dir: &Path) -> Result<(), StartError> {
    let mut removed = Ok(());
    until(Duration::from_secs(10), || {
        removed = match fs::remove_dir_all(dir) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        removed.is_ok()
    });
    removed.map_err(in_folder(dir))
}

fn initdb(
    home: &Home,
    installation: &Installation,
    durability: Durability,
    dir: &Path,
) -> Result<(), StartError> {
    let program = installation.bin.join("initdb");
    // An orphaned `initdb` that tidied up would remove the folder while the next start is filling it.
    let mut command = process::command(&program, home.account(), home.dir(), Shutdown::Kill);
    command.arg("--pgdata").arg(dir).args(["--username", USER, "--encoding=UTF8", "--locale=C"]);
    // Every user that can open the socket may connect, and the socket's folder is private.
    command.args(["--data-checksums", "--auth-local=trust", "--auth-host=reject"]);
    if durability == Durability::None {
        command.arg("--no-sync");
    }
    let output =
        command.stdin(Stdio::null()).output().map_err(|source| StartError::Run { program, source })?;
    if output.status.success() {
        return Ok(());
    }
    Err(StartError::Initdb {
        status: output.status,
        said: one_line(&String::from_utf8_lossy(&output.stderr)),
    })
}

/// Given on the command line, these parameters override the cluster's own files.
fn parameters(socket_dir: &Path, durability: Durability) -> Vec<OsString> {
    let to_disk = match durability {
        Durability::Full => "on",
        Durability::None => "off",
    };
    let mut sockets = OsString::from("unix_socket_directories=");
    sockets.push(quoted(socket_dir));
    vec![
        sockets,
        "unix_socket_permissions=0700".into(),
        "listen_addresses=".into(),
        "port=5432".into(),
        "max_connections=200".into(),
        "shared_buffers=128MB".into(),
        // Queries here are short: compiling them takes longer than running them.
        "jit=off".into(),
        "log_checkpoints=off".into(),
        "synchronous_commit=on".into(),
        format!("fsync={to_disk}").into(),
        format!("full_page_writes={to_disk}").into(),
    ]
}

/// The setting is a list of folders. Quotes keep a comma or a space from ending a folder, and are doubled inside.
fn quoted(path: &Path) -> OsString {
    let mut quoted = vec![b'"'];
    for &byte in path.as_os_str().as_bytes() {
        quoted.extend_from_slice(if byte == b'"' { b"\"\"" } else { std::slice::from_ref(&byte) });
    }
    quoted.push(b'"');
    OsString::from_vec(quoted)
}

fn pid_file(cluster: &Path) -> PathBuf {
    cluster.join("postmaster.pid")
}

/// The process that has written that it accepts connections. It may have ended since.
pub fn ready_process(cluster: &Path) -> Option<u32> {
    let text = fs::read_to_string(pid_file(cluster)).ok()?;
    let mut lines = text.lines().map(str::trim);
    let pid = lines.next()?.parse().ok()?;
    (lines.nth(6) == Some("ready")).then_some(pid)
}

/// Stops a server that outlived its program.
fn end_orphan(cluster: &Path) -> Result<(), StartError> {
    let Ok(text) = fs::read_to_string(pid_file(cluster)) else { return Ok(()) };
    let pid = text.lines().next().and_then(|line| line.trim().parse().ok()).unwrap_or(0);
    for shutdown in [Shutdown::Fast, Shutdown::Immediate] {
        if process::serves(pid, cluster) {
            tracing::warn!("stopping an earlier PostgreSQL, process {pid}");
            process::signal(pid, shutdown);
            until(STOP_LIMIT, || !process::serves(pid, cluster));
        }
    }
    if process::serves(pid, cluster) {
        return Err(StartError::Orphan { pid, cluster: cluster.to_owned() });
    }
    Ok(())
}

/// Removes the files of a server that had no time to remove them. PostgreSQL would refuse to start if a file holds the
/// number of a process that is by now another one, or a zombie. PostgreSQL protects its data by other means, too: the
/// shared memory of a cluster shows whether a process still works on it.
fn remove_traces(cluster: &Path, socket_dir: &Path) -> Result<(), StartError> {
    for file in [pid_file(cluster), socket_dir.join(SOCKET_LOCK)] {
        match fs::remove_file(&file) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(in_folder(&file)(error)),
            _ => {}
        }
    }
    Ok(())
}

/// Waits for `done`. Returns whether it came true within the limit.
fn until(limit: Duration, mut done: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    while !done() {
        if began.elapsed() > limit {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

fn last_lines(log: &Path) -> String {
    one_line(&String::from_utf8_lossy(&fs::read(log).unwrap_or_default()))
}

/// The last few lines as one line, because error messages have one line.
fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(4)..].join(" | ")
}
