//! A server for a command that may run beside the service: the service's server if there is one, else one of its own.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::cluster::ready_process;
use crate::home::{SOCKET, cluster_in, socket_dir_in};
use crate::{Server, Settings, StartError, url};

/// How long a program that holds the folder may take to start its server, or to stop.
const LIMIT: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(50);

/// The server that a command uses.
pub enum Beside {
    /// No program used the folder, so the command has started a server.
    Started(Server),
    /// A living program runs the server, and may stop it at any time.
    Joined { socket_dir: PathBuf },
}

impl Beside {
    /// Joins the server of the program that uses the folder. Starts a server if no program uses the folder. Waits while
    /// a program is starting or stopping.
    ///
    /// # Errors
    /// See [`StartError`].
    pub fn open(settings: &Settings) -> Result<Beside, StartError> {
        let began = Instant::now();
        loop {
            match Server::start(settings) {
                Ok(server) => return Ok(Beside::Started(server)),
                Err(StartError::InUse(dir)) => {
                    if let Some(socket_dir) = socket_of_server(&dir) {
                        return Ok(Beside::Joined { socket_dir });
                    }
                    if began.elapsed() > LIMIT {
                        return Err(StartError::NotReady(dir));
                    }
                }
                Err(error) => return Err(error),
            }
            thread::sleep(PAUSE);
        }
    }

    /// The connection string for a database of this server.
    pub fn url(&self, database: &str) -> String {
        match self {
            Beside::Started(server) => server.url(database),
            Beside::Joined { socket_dir } => url(socket_dir, database),
        }
    }
}

/// The folder of the socket at which the server on `dir` accepts connections, if it does.
fn socket_of_server(dir: &Path) -> Option<PathBuf> {
    ready_process(&cluster_in(dir))?;
    let socket_dir = socket_dir_in(dir);
    // In `/tmp` another user may have put a folder of their own in its place.
    let (found, cluster) = (fs::symlink_metadata(&socket_dir).ok()?, fs::metadata(cluster_in(dir)).ok()?);
    if !found.is_dir() || found.uid() != cluster.uid() {
        return None;
    }
    UnixStream::connect(socket_dir.join(SOCKET)).ok()?;
    Some(socket_dir)
}
