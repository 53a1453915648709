//! A network between the service and PostgreSQL that can swallow what it is given.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, UnixStream};
use tokio::sync::watch;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

use super::app::{TestDatabase, runtime};

/// What becomes of what is sent. Connections stay open in any case, and new ones are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// It comes through.
    Through,
    /// Nothing comes through.
    Nothing,
    /// PostgreSQL hears all; nobody hears its answers.
    NoAnswers,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Question,
    Answer,
}

/// Listens on loopback, and goes on to the socket of the tests' PostgreSQL.
pub struct Proxy {
    port: u16,
    lines: Arc<Lines>,
}

struct Lines {
    flow: watch::Sender<Flow>,
    /// How often the network has come back. Connections from before stay dead.
    came_back: AtomicU32,
}

impl Proxy {
    pub async fn to(database: &TestDatabase) -> Proxy {
        let config: Config = database.url.parse().unwrap();
        let [Host::Unix(folder)] = config.get_hosts() else { panic!("the tests' PostgreSQL has a socket") };
        let socket = folder.join(".s.PGSQL.5432");
        let lines = Arc::new(Lines { flow: watch::Sender::new(Flow::Through), came_back: AtomicU32::new(0) });
        let shared = lines.clone();
        let listening = runtime().spawn(async move {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let port = listener.local_addr().unwrap().port();
            tokio::spawn(async move {
                while let Ok((client, _)) = listener.accept().await {
                    let server = UnixStream::connect(&socket).await.unwrap();
                    let (questions, answers) = (client.into_split(), server.into_split());
                    let born = shared.came_back.load(Ordering::SeqCst);
                    tokio::spawn(carry(shared.clone(), born, Way::Question, questions.0, answers.1));
                    tokio::spawn(carry(shared.clone(), born, Way::Answer, answers.0, questions.1));
                }
            });
            port
        });
        Proxy { port: listening.await.unwrap(), lines }
    }

    /// The database, through this network.
    pub fn url(&self, database: &TestDatabase) -> String {
        format!("postgres://cardroom@127.0.0.1:{}/{}?sslmode=disable", self.port, database.name)
    }

    pub fn set(&self, flow: Flow) {
        if flow == Flow::Through {
            self.lines.came_back.fetch_add(1, Ordering::SeqCst);
        }
        self.lines.flow.send_replace(flow);
    }
}

async fn carry(
    lines: Arc<Lines>,
    born: u32,
    way: Way,
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        let comes_through = match *lines.flow.borrow() {
            Flow::Through => true,
            Flow::Nothing => false,
            Flow::NoAnswers => way == Way::Question,
        };
        if comes_through
            && lines.came_back.load(Ordering::SeqCst) == born
            && to.write_all(&bytes[..length]).await.is_err()
        {
            return;
        }
    }
}
