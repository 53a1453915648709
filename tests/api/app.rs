//! A card room of a test's own: its own database and its own clock.

use std::collections::VecDeque;
use std::net::TcpListener;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use actix_web::dev::ServerHandle;
use cardroom::app::App;
use cardroom::clock::Clock;
use cardroom::config::{Cli, Settings};
use cardroom::entropy::Entropy;
use clap::Parser;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use serde_json::json;
use tokio::net::TcpSocket;
use tokio::runtime::Runtime;

use super::client::Client;
use super::proxy::Proxy;
use super::servers;
use crate::kill::launch;
use crate::seed::named_seed;

/// Bots play as fast as they can: by a clock that stands, they would wait for ever.
const UNPACED: [&str; 2] =
    ["--unattended-rate-limit=4000000000", "--unattended-rate-limit-in-all=4000000000"];

/// A password that will do.
pub const PASSWORD: &str = "correct horse battery";

/// One replica of the program, and what a test holds of it.
pub struct TestApp {
    pub app: App,
    pub clock: Clock,
    pub database: Arc<TestDatabase>,
    entropy: Entropy,
    base: String,
    settings: Settings,
    handle: ServerHandle,
}

/// The program itself on a test's database, by the system's time. It is killed at the end, if not before.
pub struct Program {
    child: Child,
    pub base: String,
}

impl Program {
    pub async fn start(database: &TestDatabase) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
        command.args(["--listen=127.0.0.1:0", "--rate-limit=1000000", "--log=error"]);
        command.args(UNHURRIED).args(UNPACED);
        command.args(["--workers=1", "--db-connections=3", "--database-url", &database.url]);
        let (child, base) = launch(command).await;
        Program { child, base }
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A database of one test.
pub struct TestDatabase {
    pub url: String,
    pub name: String,
}

impl TestApp {
    /// A program with an empty database and a clock that stands until it is moved.
    pub async fn start() -> TestApp {
        TestApp::start_with(|_| ()).await
    }

    /// The same, with settings of the test's choice. Its cards are the same in each run, so that a test does not fail by
    /// chance: `SEED` names others.
    pub async fn start_with(change: impl FnOnce(&mut Settings)) -> TestApp {
        TestApp::start_from(Entropy::fixed(named_seed().unwrap_or(1)), change).await
    }

    /// The same; `entropy` is where its ids, seeds and keys come from.
    pub async fn start_from(entropy: Entropy, change: impl FnOnce(&mut Settings)) -> TestApp {
        let mut settings = settings();
        change(&mut settings);
        let database = Arc::new(TestDatabase::create().await);
        let start = "2026-11-20T18:00:00Z".parse().unwrap();
        TestApp::on(database, Clock::manual(start), entropy, settings).await
    }

    /// A program that reaches its database through a network of the test's own.
    pub async fn start_through(proxy: &Proxy, database: Arc<TestDatabase>) -> TestApp {
        let start = "2026-11-20T18:00:00Z".parse().unwrap();
        let url = proxy.url(&database);
        let settings = Settings { db_statement_seconds: 4, ..settings() };
        TestApp::by(url, database, Clock::manual(start), Entropy::System, settings).await
    }

    /// Another replica: the same database and the same time, nothing else.
    pub async fn replica(&self) -> TestApp {
        self.replica_with(|_| ()).await
    }

    /// The same, with settings of its own.
    pub async fn replica_with(&self, change: impl FnOnce(&mut Settings)) -> TestApp {
        let mut settings = self.settings.clone();
        change(&mut settings);
        // Its ids are others than those of the first.
        let entropy = Entropy::fixed(u64::from_le_bytes(self.entropy.bytes()));
        TestApp::on(self.database.clone(), self.clock.clone(), entropy, settings).await
    }

    async fn on(database: Arc<TestDatabase>, clock: Clock, entropy: Entropy, settings: Settings) -> TestApp {
        TestApp::by(database.url.clone(), database, clock, entropy, settings).await
    }

    async fn by(
        url: String,
        database: Arc<TestDatabase>,
        clock: Clock,
        entropy: Entropy,
        settings: Settings,
    ) -> TestApp {
        let (time, chance, flags) = (clock.clone(), entropy.clone(), settings.clone());
        // On a runtime that outlives the test's, for the connections live on the one that made them.
        let starting = runtime().spawn(async move {
            let app = App::build(&flags, &url, time, chance).await.unwrap();
            let listener = listener();
            let base = format!("http://{}", listener.local_addr().unwrap());
            let server = app.server(listener).unwrap();
            let handle = server.handle();
            tokio::spawn(server);
            (app, base, handle)
        });
        let (app, base, handle) = starting.await.unwrap();
        TestApp { app, clock, database, entropy, base, settings, handle }
    }

    /// Lets this replica's scheduler see to what is due, until nothing is.
    pub async fn tick(&self) {
        let scheduler = self.app.scheduler.clone();
        let ticking = runtime().spawn(async move {
            while scheduler.poll().await.unwrap() + scheduler.thinking.poll().await > 0 {}
        });
        ticking.await.unwrap();
    }

    /// Lets time pass second by second, as it does for a service that is up.
    pub async fn pass(&self, seconds: i64) {
        for _ in 0..seconds {
            self.clock.advance(1);
            self.tick().await;
        }
    }

    /// Sets the clock to the system's time, by which a browser judges what is long ago. The days between are an outage that
    /// is over, so that no game's clock leaves them out later.
    pub async fn set_to_now(&self) {
        let behind = Clock::System.now().duration_since(self.clock.now());
        self.clock.advance(behind.as_secs());
        self.tick().await;
    }

    /// Where it listens, like `http://127.0.0.1:4711`.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Somebody who has not signed in.
    pub fn anon(&self) -> Client {
        Client::anon(&self.base)
    }

    /// A new guest.
    pub async fn guest(&self) -> Client {
        let reply = self.anon().post("/v1/auth/guest", &json!(null)).await;
        self.anon().with_session(reply.ok())
    }

    /// A new account of this name.
    pub async fn user(&self, username: &str) -> Client {
        let credentials = json!({"username": username, "password": PASSWORD});
        let reply = self.anon().post("/v1/auth/register", &credentials).await;
        self.anon().with_session(reply.ok())
    }

    /// A new account of this name that may do everything.
    pub async fn admin(&self, username: &str) -> Client {
        self.user(username).await;
        assert!(cardroom::store::accounts::set_role(&self.app.database, username, "admin").await.unwrap());
        let credentials = json!({"username": username, "password": PASSWORD});
        let reply = self.anon().post("/v1/auth/login", &credentials).await;
        self.anon().with_session(reply.ok())
    }

    /// The same caller, at this replica.
    pub fn at(&self, client: &Client) -> Client {
        client.clone().at(&self.base)
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.app.games.close_streams();
        // The wish is sent at once; nobody waits for it to be granted.
        drop(self.handle.stop(false));
    }
}

/// A free port, whose connections hold little that is not read.
fn listener() -> TcpListener {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_send_buffer_size(16 * 1024).unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    socket.listen(1024).unwrap().into_std().unwrap()
}

/// Where the programs of PostgreSQL are looked for.
pub fn path() -> std::ffi::OsString {
    settings().path
}

fn settings() -> Settings {
    let flags = ["--workers=1", "--db-connections=4", "--auth-rate-limit=6000", "--database-url=postgres://"];
    Cli::parse_from(["cardroom"].iter().chain(&flags).chain(&UNHURRIED).chain(&UNPACED)).settings
}

/// A machine that has other things to do is no database that has fallen silent.
const UNHURRIED: [&str; 2] = ["--db-statement-seconds=60", "--request-seconds=30"];

impl TestDatabase {
    /// A copy of the migrated template.
    pub async fn create() -> TestDatabase {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        servers::copy_template(&name).await;
        let unused = longest_ended();
        if let Some(unused) = unused {
            servers::administer(&format!("DROP DATABASE {unused} WITH (FORCE)")).await;
        }
        TestDatabase { url: servers::url(&name), name }
    }

    /// Ends all connections and takes no new ones until [`TestDatabase::come_back`].
    pub async fn go_away(&self) {
        let name = &self.name;
        servers::administer(&format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false")).await;
        let end = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
        servers::administer(&end).await;
    }

    pub async fn come_back(&self) {
        servers::administer(&format!("ALTER DATABASE {} ALLOW_CONNECTIONS true", self.name)).await;
    }

    /// Waits until no transaction that is under way is older than the newest change of the lobby. Until then, a stream
    /// of the lobby tells once more of what its list has shown; a transaction of another test's database is enough.
    pub async fn settle(&self) {
        let settled =
            "SELECT 1 FROM games HAVING max(changed) < pg_snapshot_xmin(pg_current_snapshot())::text::bigint";
        let mut connection = self.connection().await;
        while diesel::sql_query(settled).execute(&mut connection).await.unwrap() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits until a statement waits for a lock that somebody else holds.
    pub async fn is_locked(&self) {
        let waits = "SELECT 1 FROM pg_locks WHERE NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        let mut connection = self.connection().await;
        while diesel::sql_query(waits).execute(&mut connection).await.unwrap() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// A connection of the test's own.
    pub async fn connection(&self) -> AsyncPgConnection {
        AsyncPgConnection::establish(&self.url).await.unwrap()
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        ENDED.lock().unwrap().push_back(self.name.clone());
    }
}

/// The databases of tests that have ended, the longest ended first. All of them together would fill a small disk.
static ENDED: Mutex<VecDeque<String>> = Mutex::new(VecDeque::new());

const ENDED_THAT_ARE_KEPT: usize = 8;

/// A database that nobody uses any more. The servers of a test that has just ended may still be at work on its own.
fn longest_ended() -> Option<String> {
    let mut ended = ENDED.lock().unwrap();
    if ended.len() > ENDED_THAT_ARE_KEPT { ended.pop_front() } else { None }
}

/// The runtime of all servers and connections.
pub fn runtime() -> &'static Runtime {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
        // What a server holds for a defect is seen where a test fails by it.
        let errors = tracing_subscriber::fmt().with_max_level(tracing::Level::ERROR);
        errors.with_writer(std::io::stderr).init();
        Runtime::new().unwrap()
    });
    &RUNTIME
}
