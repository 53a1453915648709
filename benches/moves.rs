//! Durable moves a second over HTTP, beside what PostgreSQL alone can do: `cargo bench --bench moves`.
//!
//! The program as it is run, with its own PostgreSQL (every commit waits for the disk), and clients that send
//! a move, wait for its answer and send the next, on connections that stay open. In turn with that, on the
//! same server, `pgbench` inserts one row of an entry's size in each transaction on as many connections. Both
//! share the machine with what they measure, and what else runs there changes both: the ratio of each pair
//! says more than either number.
//!
//! Then the same on 64 connections, in turn with and without 500 spectators of the games, who read each move as it
//! is made; and how much of the spectators' reading there was. A whole run takes about three minutes.

use std::fmt::Display;
use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use cardroom::app::App;
use cardroom::clock::Clock;
use cardroom::config::{Cli, Settings};
use cardroom::entropy::Entropy;
use cardroom::store::embedded::{self, Durability};
use clap::Parser;
use diesel::dsl::sql;
use diesel::sql_types::Text;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const CONNECTIONS: [usize; 3] = [1, 16, 64];
const PAIRS: usize = 5;
const SPECTATORS: usize = 500;
const ROUND: Duration = Duration::from_secs(3);
const SEATS: usize = 10;
/// The length of a move's entry.
const ENTRY_BYTES: usize = 250;
/// More rows than one connection inserts in a round.
const ROWS: usize = 10_000_000;

const ROW_TABLE: &str = "CREATE TABLE bench_rows (game_id uuid NOT NULL, seq integer NOT NULL, \
    entry text NOT NULL, hash bytea NOT NULL, PRIMARY KEY (game_id, seq))";
/// Each connection appends to a game of its own.
const INSERT: &str = r"\set n :n + 1
INSERT INTO bench_rows (game_id, seq, entry, hash)
VALUES (lpad(:client_id::text, 32, '0')::uuid, :n, :entry, decode(:hash, 'hex'));
";

fn main() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("moves-{}", std::process::id()));
    let settings = settings(&folder);
    let postgres = embedded::Server::start(&embedded::Settings {
        data_dir: settings.data_dir.clone(),
        durability: Durability::Full,
        path: settings.path.clone(),
    })
    .expect("PostgreSQL starts");
    log_to_nowhere();
    let service = Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let address = serve(&service, &settings, &postgres.url("postgres"));
    let pgbench = Pgbench::prepare(&service, postgres.url("postgres"), &folder);

    // The clients have a thread of their own: this one.
    let clients = Builder::new_current_thread().enable_all().build().expect("a runtime");
    clients.block_on(async {
        let players = Players::sign_in(address).await;
        println!("{PAIRS} pairs of {} s; medians, and ranges in brackets", ROUND.as_secs());
        println!(
            "{:>11}  {:<22} {:>8} {:>8}  {:<22} ratio",
            "connections", "moves, 1/s", "p50, ms", "p99, ms", "pgbench, 1/s"
        );
        for (at, connections) in CONNECTIONS.into_iter().enumerate() {
            compare(&players, &pgbench, at, connections).await;
        }
        watch(&players).await;
    });
    drop(clients);
    service.shutdown_background();
    postgres.stop();
    let _ = fs::remove_dir_all(folder);
}

/// Rounds in turn, after one of each that only warms up.
async fn compare(players: &Players, pgbench: &Pgbench, at: usize, connections: usize) {
    let mut moves = Vec::new();
    let mut inserts = Vec::new();
    for pair in 0..=PAIRS {
        moves.push(play(players, connections).await);
        inserts.push(pgbench.run(connections, (at * (PAIRS + 1) + pair) * ROWS));
    }
    let (moves, inserts) = (&moves[1..], &inserts[1..]);
    let ratios = moves.iter().zip(inserts).map(|(round, inserts)| round.per_second / inserts);
    println!(
        "{connections:>11}  {:<22} {:>8.2} {:>8.2}  {:<22} {}",
        Spread::of(moves.iter().map(|round| round.per_second)).whole(),
        Spread::of(moves.iter().map(|round| round.p50)).median,
        Spread::of(moves.iter().map(|round| round.p99)).median,
        Spread::of(inserts.iter().copied()).whole(),
        Spread::of(ratios),
    );
}

/// Rounds in turn without and with spectators, after one of each that only warms up.
async fn watch(players: &Players) {
    let connections = CONNECTIONS[CONNECTIONS.len() - 1];
    let (mut alone, mut watched, mut told) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..=PAIRS {
        alone.push(play(players, connections).await.per_second);
        let mut tables = join_all((0..connections).map(|_| players.open_table())).await;
        let paths: Vec<String> = tables.iter().map(|table| table.path.clone()).collect();
        let spectators = Spectators::seat(players.address, &paths).await;
        let round = play_at(&mut tables).await;
        watched.push(round.per_second);
        told.push(spectators.leave() as f64 / ROUND.as_secs_f64());
    }
    let (alone, watched, told) = (&alone[1..], &watched[1..], &told[1..]);
    println!(
        "{connections} connections, moves a second: {} alone, {} with {SPECTATORS} spectators, ratio {}; events {}/s",
        Spread::of(alone.iter().copied()).whole(),
        Spread::of(watched.iter().copied()).whole(),
        Spread::of(alone.iter().zip(watched).map(|(alone, watched)| watched / alone)),
        Spread::of(told.iter().copied()).whole(),
    );
}

/// Those who watch the games, each on a connection of its own and all on one thread.
struct Spectators {
    thread: std::thread::JoinHandle<usize>,
    stop: tokio::sync::oneshot::Sender<()>,
}

impl Spectators {
    /// Comes back when all have their seats.
    async fn seat(address: SocketAddr, paths: &[String]) -> Spectators {
        let requests: Vec<Vec<u8>> = (0..SPECTATORS)
            .map(|n| {
                let path = &paths[n % paths.len()];
                format!("GET {path}/stream HTTP/1.1\r\nhost: localhost\r\n\r\n").into_bytes()
            })
            .collect();
        let ((stop, stopped), (seated, here)) =
            (tokio::sync::oneshot::channel(), tokio::sync::oneshot::channel());
        let thread = std::thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let mut streams = Vec::new();
                for request in &requests {
                    let mut stream = TcpStream::connect(address).await.expect("the service listens");
                    stream.write_all(request).await.expect("the connection stays open");
                    let mut first = [0; 12];
                    stream.read_exact(&mut first).await.expect("there is an answer");
                    assert_eq!(&first, b"HTTP/1.1 200");
                    streams.push(stream);
                }
                let _ = seated.send(());
                let told = std::cell::Cell::new(0);
                let reading = join_all(streams.into_iter().map(|stream| read_events(stream, &told)));
                tokio::select! {
                    _ = stopped => {}
                    _ = reading => {}
                }
                told.get()
            })
        });
        here.await.expect("all are seated");
        Spectators { thread, stop }
    }

    /// How many events they were told.
    fn leave(self) -> usize {
        let _ = self.stop.send(());
        self.thread.join().expect("they only read")
    }
}

/// Counts a stream's events: each ends with an empty line, which stands nowhere else.
async fn read_events(mut stream: TcpStream, told: &std::cell::Cell<usize>) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
        let events = buffer[..read].windows(2).filter(|two| two == b"\n\n").count();
        told.set(told.get() + events);
    }
}

fn settings(folder: &Path) -> Settings {
    let unlimited = u32::MAX;
    let mut flags = vec!["cardroom".to_owned(), "--workers=2".to_owned()];
    flags.push(format!("--data-dir={}", folder.display()));
    for limit in ["rate-limit", "auth-rate-limit", "games-per-account", "stream-limit"] {
        flags.push(format!("--{limit}={unlimited}"));
    }
    Cli::parse_from(flags).settings
}

/// The program writes a line for each request. Here it does so too, but nobody keeps them.
fn log_to_nowhere() {
    let nowhere = File::options().write(true).open("/dev/null").expect("it is always there");
    tracing_subscriber::fmt().with_ansi(false).with_writer(std::sync::Mutex::new(nowhere)).init();
}

fn serve(runtime: &Runtime, settings: &Settings, url: &str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    runtime.block_on(async {
        let app = App::build(settings, url, Clock::System, Entropy::System).await.expect("a database");
        tokio::spawn(app.server(listener).expect("a bound socket"));
    });
    address
}

/// PostgreSQL's own load generator, with its script.
struct Pgbench {
    program: PathBuf,
    script: PathBuf,
    url: String,
}

impl Pgbench {
    fn prepare(runtime: &Runtime, url: String, folder: &Path) -> Pgbench {
        let bin: String = runtime.block_on(async {
            let mut connection = AsyncPgConnection::establish(&url).await.expect("it takes connections");
            connection.batch_execute(ROW_TABLE).await.expect("a new table");
            diesel::select(sql::<Text>("(SELECT setting FROM pg_config WHERE name = 'BINDIR')"))
                .get_result(&mut connection)
                .await
                .expect("the server knows its folder")
        });
        let script = folder.join("insert.sql");
        fs::write(&script, INSERT).expect("the folder is ours");
        Pgbench { program: Path::new(&bin).join("pgbench"), script, url }
    }

    /// Transactions a second. The rows are numbered from `first`.
    fn run(&self, connections: usize, first: usize) -> f64 {
        let output = Command::new(&self.program)
            .args(["-n", "-M", "prepared", "-j", "2", "-f"])
            .arg(&self.script)
            .args(["-c", &connections.to_string(), "-T", &ROUND.as_secs().to_string()])
            .args(["-D", &format!("n={first}"), "-D", &format!("entry={}", "x".repeat(ENTRY_BYTES))])
            .args(["-D", &format!("hash={}", "ab".repeat(32)), &self.url])
            .output()
            .expect("pgbench lies beside postgres");
        let said = String::from_utf8_lossy(&output.stdout);
        let tps = said.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
        tps.unwrap_or_else(|| panic!("pgbench: {said}{}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// What became of one round of moves.
struct Round {
    per_second: f64,
    /// Milliseconds from sending a move to its answer.
    p50: f64,
    p99: f64,
}

/// Plays on so many connections, each at a new table.
async fn play(players: &Players, connections: usize) -> Round {
    play_at(&mut join_all((0..connections).map(|_| players.open_table())).await).await
}

/// Plays at these tables for a round.
async fn play_at(tables: &mut [Table]) -> Round {
    let begun = Instant::now();
    let waits = join_all(tables.iter_mut().map(|table| table.play_until(begun + ROUND))).await;
    let elapsed = begun.elapsed().as_secs_f64();
    let mut waits: Vec<Duration> = waits.into_iter().flatten().collect();
    waits.sort_unstable();
    let quantile = |share: f64| waits[(waits.len() as f64 * share) as usize].as_secs_f64() * 1000.0;
    Round { per_second: waits.len() as f64 / elapsed, p50: quantile(0.5), p99: quantile(0.99) }
}

/// Guests who sit at every table, always on the same seats.
struct Players {
    address: SocketAddr,
    tokens: Vec<String>,
}

/// A game, and whom it waits for.
struct Table {
    address: SocketAddr,
    path: String,
    /// Each seat's move, ready to be sent.
    moves: Vec<Vec<u8>>,
    to_act: usize,
}

impl Players {
    async fn sign_in(address: SocketAddr) -> Players {
        let mut connection = Connection::open(address).await;
        let mut tokens = Vec::new();
        for _ in 0..SEATS {
            let session = connection.post("/v1/auth/guest", "", &json!({})).await;
            tokens.push(session["access_token"].as_str().expect("a session has a token").to_owned());
        }
        Players { address, tokens }
    }

    /// A long game without chips, in which everybody only ever sticks: whom it waits for is all that one
    /// needs to know.
    async fn open_table(&self) -> Table {
        let mut connection = Connection::open(self.address).await;
        let options = json!({"charge": 0, "hands": 1000});
        let wanted = json!({"kind": "ritunas_favour", "seats": SEATS, "sit": true, "options": options});
        let mut game = connection.post("/v1/games", &self.tokens[0], &wanted).await;
        let path = format!("/v1/games/{}", game["id"].as_str().expect("a game has an id"));
        for token in &self.tokens[1..] {
            game = connection.post(&format!("{path}/seats"), token, &json!({})).await;
        }
        let to_act = game["to_act"][0].as_u64().expect("it has begun") as usize;
        let stick = json!({"type": "stick"});
        let moves = self.tokens.iter().map(|token| request(&format!("{path}/actions"), token, &stick));
        Table { address: self.address, moves: moves.collect(), to_act, path }
    }
}

impl Table {
    /// How long each move waited for its answer, on one connection. All were accepted.
    async fn play_until(&mut self, end: Instant) -> Vec<Duration> {
        let mut waits = Vec::new();
        let mut connection = Connection::open(self.address).await;
        let mut sent = Instant::now();
        while sent < end {
            let answer = connection.created(&self.moves[self.to_act]).await;
            let answered = Instant::now();
            waits.push(answered - sent);
            sent = answered;
            self.to_act = to_act(answer).expect("the game outlasts the round");
        }
        waits
    }
}

/// The seat that a game waits for. The answer is not parsed: the client shall cost little.
fn to_act(game: &[u8]) -> Option<usize> {
    let name = b"\"to_act\":[";
    let at = game.windows(name.len()).position(|window| window == name)? + name.len();
    let digit = *game.get(at)?;
    digit.is_ascii_digit().then(|| usize::from(digit - b'0'))
}

/// HTTP/1.1 as far as it is needed here, on one connection that stays open.
struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    async fn open(address: SocketAddr) -> Connection {
        let stream = TcpStream::connect(address).await.expect("the service listens");
        stream.set_nodelay(true).expect("it is a TCP socket");
        Connection { stream, buffer: Vec::with_capacity(16 * 1024) }
    }

    async fn post(&mut self, path: &str, token: &str, body: &Value) -> Value {
        let answer = self.created(&request(path, token, body)).await;
        serde_json::from_slice(answer).expect("answers are JSON")
    }

    /// Sends a request and gives the answer's body. It must be a 201.
    async fn created(&mut self, request: &[u8]) -> &[u8] {
        self.stream.write_all(request).await.expect("the connection stays open");
        self.buffer.clear();
        let body = loop {
            let read = self.stream.read_buf(&mut self.buffer).await.expect("the connection stays open");
            assert!(read > 0, "the service hung up");
            if let Some((from, to)) = body(&self.buffer)
                && self.buffer.len() >= to
            {
                break from..to;
            }
        };
        assert!(self.buffer.starts_with(b"HTTP/1.1 201 "), "{}", String::from_utf8_lossy(&self.buffer));
        &self.buffer[body]
    }
}

fn request(path: &str, token: &str, body: &Value) -> Vec<u8> {
    let authorization =
        if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
    let body = body.to_string();
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\n{authorization}content-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// Where the body begins and ends, once all headers are there.
fn body(answer: &[u8]) -> Option<(usize, usize)> {
    let headers = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
    let text = std::str::from_utf8(&answer[..headers]).expect("headers are ASCII");
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>())
    });
    let length = length.expect("answers tell their length").expect("it is a number");
    Some((headers + 4, headers + 4 + length))
}

/// A median, and between what it lies.
struct Spread {
    least: f64,
    median: f64,
    most: f64,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64>) -> Spread {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        Spread { least: values[0], median: values[values.len() / 2], most: values[values.len() - 1] }
    }

    fn whole(&self) -> String {
        format!("{:.0} ({:.0}–{:.0})", self.median, self.least, self.most)
    }
}

impl Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} ({:.2}–{:.2})", self.median, self.least, self.most)
    }
}
