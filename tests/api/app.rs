//! A card room of a test's own: its own database, its own clock, and clients who talk to it over HTTP.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use actix_web::dev::ServerHandle;
use cardroom::app::App;
use cardroom::clock::Clock;
use cardroom::config::{Cli, Settings};
use cardroom::entropy::Entropy;
use cardroom::store::database::Database;
use cardroom::store::embedded::{self, Durability};
use clap::Parser;
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpSocket;
use tokio::runtime::Runtime;

use super::contract;
use crate::kill::launch;

/// Beyond this an event is given up, and the test with it.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A password that will do.
pub const PASSWORD: &str = "correct horse battery";

/// One replica of the program, and what a test holds of it.
pub struct TestApp {
    pub app: App,
    pub clock: Clock,
    pub database: Arc<TestDatabase>,
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

/// Somebody who talks to the program.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    headers: HeaderMap,
    /// What the account got at sign-in; null for somebody anonymous.
    pub session: Value,
}

/// The events of a stream.
pub struct Events {
    pub response: reqwest::Response,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub name: String,
    pub id: String,
    /// As it came, byte for byte.
    pub data: String,
}

impl Events {
    pub fn of(response: reqwest::Response) -> Events {
        assert_eq!(response.status(), 200, "{}", response.url());
        Events { response, text: String::new() }
    }

    /// The next event; none where the stream has ended.
    pub async fn next(&mut self) -> Option<Event> {
        tokio::time::timeout(PATIENCE, self.try_next()).await.expect("an event in time").unwrap()
    }

    /// The same, for streams that may break off. A part of an event counts for nothing.
    pub async fn try_next(&mut self) -> reqwest::Result<Option<Event>> {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let event = Event::parse(block);
                self.text = rest.to_owned();
                if event.is_some() {
                    return Ok(event);
                }
            }
            let Some(chunk) = self.response.chunk().await? else { return Ok(None) };
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// All that come until the stream ends.
    pub async fn rest(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }
}

impl Event {
    /// None where it is a comment.
    fn parse(block: &str) -> Option<Event> {
        if block == ":" {
            return None;
        }
        let fields: Vec<&str> = block.lines().collect();
        let [name, id, data] = fields[..] else { panic!("{block}") };
        let value =
            |line: &str, field| line.strip_prefix(field).unwrap_or_else(|| panic!("{line}")).to_owned();
        Some(Event { name: value(name, "event: "), id: value(id, "id: "), data: value(data, "data: ") })
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap()
    }
}

/// An answer that keeps to the OpenAPI document.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// JSON; text as a string; null where there is none.
    pub body: Value,
}

/// A database of one test.
pub struct TestDatabase {
    pub url: String,
    name: String,
}

impl TestApp {
    /// A program with an empty database and a clock that stands until it is moved.
    pub async fn start() -> TestApp {
        TestApp::start_with(|_| ()).await
    }

    /// The same, with settings of the test's choice.
    pub async fn start_with(change: impl FnOnce(&mut Settings)) -> TestApp {
        TestApp::start_from(Entropy::System, change).await
    }

    /// The same; `entropy` is where its ids, seeds and keys come from.
    pub async fn start_from(entropy: Entropy, change: impl FnOnce(&mut Settings)) -> TestApp {
        let mut settings = settings();
        change(&mut settings);
        let database = Arc::new(TestDatabase::create().await);
        let start = "2026-11-20T18:00:00Z".parse().unwrap();
        TestApp::on(database, Clock::manual(start), entropy, settings).await
    }

    /// Another replica: the same database and the same time, nothing else.
    pub async fn replica(&self) -> TestApp {
        TestApp::on(self.database.clone(), self.clock.clone(), Entropy::System, self.settings.clone()).await
    }

    async fn on(database: Arc<TestDatabase>, clock: Clock, entropy: Entropy, settings: Settings) -> TestApp {
        let (url, time, flags) = (database.url.clone(), clock.clone(), settings.clone());
        // On a runtime that outlives the test's, for the connections live on the one that made them.
        let starting = runtime().spawn(async move {
            let app = App::build(&flags, &url, time, entropy).await.unwrap();
            let listener = listener();
            let base = format!("http://{}", listener.local_addr().unwrap());
            let server = app.server(listener).unwrap();
            let handle = server.handle();
            tokio::spawn(server);
            (app, base, handle)
        });
        let (app, base, handle) = starting.await.unwrap();
        TestApp { app, clock, database, base, settings, handle }
    }

    /// Lets this replica's keeper see to what is due, until nothing is.
    pub async fn tick(&self) {
        let keeper = self.app.keeper.clone();
        let ticking = runtime().spawn(async move { while keeper.tick().await.unwrap() > 0 {} });
        ticking.await.unwrap();
    }

    /// Lets time pass second by second, as it does for a service that is up.
    pub async fn pass(&self, seconds: i64) {
        for _ in 0..seconds {
            self.clock.advance(1);
            self.tick().await;
        }
    }

    /// Where it listens, like `http://127.0.0.1:4711`.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Somebody who has not signed in.
    pub fn anon(&self) -> Client {
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Client { http, base: self.base.clone(), headers: HeaderMap::new(), session: Value::Null }
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
        Client { base: self.base.clone(), ..client.clone() }
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.app.room.close_streams();
        // The wish is sent at once; nobody waits for it to be granted.
        drop(self.handle.stop(false));
    }
}

impl Client {
    pub fn with_session(mut self, session: Value) -> Client {
        let token = session["access_token"].as_str().unwrap().to_owned();
        self.session = session;
        self.with_token(&token)
    }

    pub fn with_token(self, token: &str) -> Client {
        self.with("authorization", &format!("Bearer {token}"))
    }

    /// The same caller, with one more header.
    pub fn with(self, name: &str, value: &str) -> Client {
        self.with_bytes(name, HeaderValue::from_str(value).unwrap())
    }

    /// The same caller, with one more header, well-formed or not.
    pub fn with_bytes(mut self, name: &str, value: HeaderValue) -> Client {
        let name: HeaderName = name.parse().unwrap();
        self.headers.insert(name, value);
        self
    }

    pub fn token(&self) -> &str {
        self.session["access_token"].as_str().unwrap()
    }

    pub fn username(&self) -> &str {
        self.session["account"]["username"].as_str().unwrap()
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, Vec::new()).await
    }

    /// Posts JSON; null for no body.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.clone().json().send(Method::POST, path, bytes(body)).await
    }

    /// Opens a stream of events.
    pub async fn stream(&self, path: &str) -> Events {
        let request = self.http.get(format!("{}{path}", self.base)).headers(self.headers.clone());
        Events::of(request.send().await.unwrap())
    }

    pub async fn delete(&self, path: &str) -> Reply {
        self.send(Method::DELETE, path, Vec::new()).await
    }

    /// Sends any bytes, and holds the answer against the OpenAPI document.
    pub async fn send(&self, method: Method, path: &str, body: Vec<u8>) -> Reply {
        let url = format!("{}{path}", self.base);
        let mut request = self.http.request(method.clone(), url).headers(self.headers.clone());
        if !body.is_empty() {
            request = request.body(body);
        }
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let text = response.text().await.unwrap();
        let body = if text.is_empty() { Value::Null } else { parsed(&headers, text) };
        let reply = Reply { status, headers, body };
        let bare_path = path.split('?').next().unwrap_or(path);
        contract::check(&method, bare_path, &reply);
        reply
    }

    fn json(self) -> Client {
        self.with("content-type", "application/json")
    }
}

impl Reply {
    /// The body of a success.
    pub fn ok(self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.body);
        self.body
    }

    /// The code of a failure.
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_else(|| panic!("no problem: {} {}", self.status, self.body))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

fn bytes(body: &Value) -> Vec<u8> {
    if body.is_null() { Vec::new() } else { body.to_string().into_bytes() }
}

fn parsed(headers: &HeaderMap, text: String) -> Value {
    // JSON Lines are no JSON.
    let is_json = headers["content-type"].to_str().unwrap().ends_with("json");
    if is_json { serde_json::from_str(&text).unwrap() } else { Value::String(text) }
}

/// A free port, whose connections hold little that is not read.
fn listener() -> TcpListener {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_send_buffer_size(16 * 1024).unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    socket.listen(1024).unwrap().into_std().unwrap()
}

fn settings() -> Settings {
    let flags = ["--workers=1", "--db-connections=4", "--auth-rate-limit=6000", "--database-url=postgres://"];
    Cli::parse_from(["cardroom"].iter().chain(&flags)).settings
}

const TEMPLATE: &str = "template_cardroom";

impl TestDatabase {
    /// A copy of the migrated template.
    pub async fn create() -> TestDatabase {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        administer(format!("CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY file_copy")).await;
        TestDatabase { url: postgres().url(&name), name }
    }

    /// Ends all connections and takes no new ones until [`TestDatabase::come_back`].
    pub async fn go_away(&self) {
        let name = &self.name;
        administer(format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false")).await;
        let end = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
        administer(end).await;
    }

    pub async fn come_back(&self) {
        administer(format!("ALTER DATABASE {} ALLOW_CONNECTIONS true", self.name)).await;
    }

    /// A connection of the test's own.
    pub async fn connection(&self) -> AsyncPgConnection {
        AsyncPgConnection::establish(&self.url).await.unwrap()
    }
}

/// Runs one statement beside all tests' databases.
async fn administer(statement: String) {
    // Started by the test's thread: the runtime's are needed to migrate the template.
    let url = postgres().url("postgres");
    let done = runtime().spawn(async move {
        let mut connection = AsyncPgConnection::establish(&url).await.unwrap();
        connection.batch_execute(&statement).await.unwrap();
    });
    done.await.unwrap();
}

/// The runtime of all servers and connections.
pub fn runtime() -> &'static Runtime {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());
    &RUNTIME
}

/// The one PostgreSQL of this run, with a migrated template. It ends with the process.
fn postgres() -> &'static embedded::Server {
    static SERVER: OnceLock<embedded::Server> = OnceLock::new();
    SERVER.get_or_init(|| std::thread::spawn(start_postgres).join().unwrap())
}

fn start_postgres() -> embedded::Server {
    let folders = Path::new(env!("CARGO_TARGET_TMPDIR")).join("api");
    sweep(&folders);
    let settings = embedded::Settings {
        data_dir: folders.join(std::process::id().to_string()),
        durability: Durability::None,
        path: settings().path,
    };
    let server = embedded::Server::start(&settings).unwrap();
    let (administrator, template) = (server.url("postgres"), server.url(TEMPLATE));
    runtime().block_on(async move {
        let mut connection = AsyncPgConnection::establish(&administrator).await.unwrap();
        connection.batch_execute(&format!("CREATE DATABASE {TEMPLATE}")).await.unwrap();
        Database::new(&template, 1).unwrap().migrate().await.unwrap();
    });
    server
}

/// Removes what runs before this one have left.
fn sweep(folders: &Path) {
    let Ok(found) = std::fs::read_dir(folders) else { return };
    for folder in found.flatten() {
        let pid = folder.file_name();
        if !Path::new("/proc").join(pid).exists() {
            let _ = std::fs::remove_dir_all(folder.path());
        }
    }
}
