//! The largest tournament: 10,000 bots play two Swiss rounds at the pace of people who are quick, or as fast as they can.
//! One client looks at the standings, and another follows them.

use std::cell::Cell;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::client::{Connection, request};
use super::keep;
use super::service::Service;

const ENTRANTS: usize = 10_000;
/// How many one request enters.
const AT_ONCE: usize = 1000;
const ROWS: usize = 50;

/// What the client that follows the standings has read.
#[derive(Default)]
struct Followed {
    events: usize,
    bytes: usize,
}

/// Milliseconds that a bot waits before it acts: at 2,500 tables more than a thousand moves a second.
const PACE: u32 = 2000;

pub async fn largest(service: &Service) {
    let mut connection = Connection::open(service.address).await;
    let account = json!({"username": "olga", "password": "correct horse battery"});
    let session = connection.post("/v1/auth/register", "", &account).await;
    let token = session["access_token"].as_str().expect("a session has a token").to_owned();
    for pace in [PACE, 0] {
        play(service, &token, pace).await;
    }
}

async fn play(service: &Service, token: &str, pace: u32) {
    let mut connection = Connection::open(service.address).await;
    let mebibytes = || service.memory() / 1024.0 / 1024.0;
    let wanted = json!({
        "name": "The largest", "kind": "sevens", "table_size": 4, "options": {"hands": 2}, "bot_delay_ms": pace,
        "format": {"type": "rounds", "rounds": 2, "seating": "swiss"},
    });
    let made = connection.post("/v1/tournaments", token, &wanted).await;
    let path = format!("/v1/tournaments/{}", made["id"].as_str().expect("a tournament has an id"));
    let before = mebibytes();
    let entered = Instant::now();
    let rows = json!({"entries": vec![json!({"bot": "random"}); AT_ONCE]});
    for _ in 0..ENTRANTS / AT_ONCE {
        connection.post(&format!("{path}/entries/bulk"), token, &rows).await;
    }
    let entered = entered.elapsed();
    let start = request("POST", &format!("{path}/start"), token, Some(&json!({})));
    let started = Instant::now();
    connection.send(&start, "200").await;
    let is_over = Cell::new(false);
    let (looks, followed) = tokio::join!(look(service, &path, &is_over), follow(service, &path, &is_over));
    let (took, (seated, mut waits)) = (started.elapsed(), looks);
    waits.sort_unstable();
    let millis = |share: f64| waits[(waits.len() as f64 * share) as usize].as_secs_f64() * 1000.0;
    let (p50, p99) = (millis(0.5), millis(0.99));
    println!(
        "{:>30}  entered in {:.1} s, all seated {:.2} s after the start, over after {:.1} s; {before:.0} MiB before, {:.0} after",
        if pace == 0 { "10,000 bots at once" } else { "10,000 bots at a pace" },
        entered.as_secs_f64(),
        seated.as_secs_f64(),
        took.as_secs_f64(),
        mebibytes(),
    );
    println!(
        "{:>30}  {ROWS} rows of standings in {p50:.1} ms, p99 {p99:.1} ({} looks); {} events of a stream, {} bytes each",
        "",
        waits.len(),
        followed.events,
        followed.bytes / followed.events.max(1),
    );
    keep(&json!({
        "part": "tournament", "pace_ms": pace, "entered_s": entered.as_secs_f64(), "seated_s": seated.as_secs_f64(),
        "took_s": took.as_secs_f64(), "standings_ms": p50, "standings_p99_ms": p99,
        "stream_events": followed.events, "stream_bytes": followed.bytes,
    }));
}

/// How long it took until the first round was drawn, and how long each look at the standings took until the end.
async fn look(service: &Service, path: &str, is_over: &Cell<bool>) -> (Duration, Vec<Duration>) {
    let mut connection = Connection::open(service.address).await;
    let page = request("GET", &format!("{path}/standings?limit={ROWS}"), "", None);
    let (started, mut seated, mut waits) = (Instant::now(), None, Vec::new());
    while !is_over.get() {
        let asked = Instant::now();
        let answer = connection.send(&page, "200").await;
        waits.push(asked.elapsed());
        if seated.is_none() {
            let read: Value = serde_json::from_slice(answer).expect("answers are JSON");
            seated = (read["items"][0]["round"] == 1).then(|| started.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    (seated.expect("a round was drawn"), waits)
}

/// Reads the stream of the standings until the tournament is over.
async fn follow(service: &Service, path: &str, is_over: &Cell<bool>) -> Followed {
    let mut stream = TcpStream::connect(service.address).await.expect("the service listens");
    let wanted = request("GET", &format!("{path}/standings/stream?limit={ROWS}"), "", None);
    stream.write_all(&wanted).await.expect("the connection stays open");
    let (mut followed, mut text) = (Followed::default(), Vec::new());
    loop {
        let read = stream.read_buf(&mut text).await.expect("the connection stays open");
        followed.bytes += read;
        let told = String::from_utf8_lossy(&text);
        followed.events = told.matches("event: standings").count();
        if read == 0 || told.contains("\"status\":\"finished\"") {
            is_over.set(true);
            return followed;
        }
    }
}
