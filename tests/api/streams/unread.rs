//! What a client that reads nothing costs.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::super::app::{Program, TestApp, TestDatabase};
use super::super::client::Client;
use super::access::connect;
use crate::eventually::eventually;

/// A connection is handed no more at a time.
const PIECE: usize = 16 * 1024;

/// A game that waits for its bots.
async fn open_game(host: &Client, seats: usize, options: &Value) -> String {
    let wanted = json!({"kind": "ritunas_favour", "seats": seats, "options": options});
    let made = host.post("/v1/games", &wanted).await.ok();
    format!("/v1/games/{}", made["id"].as_str().unwrap())
}

/// Gives all seats to bots, and tells how far they play in the append that starts the game.
async fn seat_bots(host: &Client, path: &str, seats: usize) -> Value {
    let mut game = Value::Null;
    for _ in 0..seats {
        game = host.post(&format!("{path}/bots"), &json!({"policy": "steady"})).await.ok();
    }
    game["version"].clone()
}

async fn ask(base: &str, path: &str) -> TcpStream {
    let mut stream = connect(base).await;
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: cardroom\r\n\r\n").as_bytes()).await.unwrap();
    stream
}

/// The lengths of the chunks that have come in full.
fn chunks(mut body: &[u8]) -> Vec<usize> {
    let mut lengths = Vec::new();
    while let Some(end) = body.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&body[..end]).unwrap(), 16).unwrap();
        let Some(rest) = body.get(end + 2 + length + 2..) else { break };
        lengths.push(length);
        body = rest;
    }
    lengths
}

#[tokio::test]
async fn no_piece_of_a_stream_is_long_however_much_has_happened_at_once() {
    let app = TestApp::start().await;
    let host = app.user("host").await;
    let path = open_game(&host, 6, &json!({"hands": 100})).await;
    let mut stream = ask(app.base(), &format!("{path}/stream")).await;
    let mut got = vec![0; 12];
    stream.read_exact(&mut got).await.unwrap();
    let newest = seat_bots(&host, &path, 6).await;
    let last = format!("\nid: {newest}\n");
    while !got.windows(last.len()).any(|bytes| bytes == last.as_bytes()) {
        assert_ne!(stream.read_buf(&mut got).await.unwrap(), 0, "it goes on to entry {newest}");
    }
    let body = got.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap() + 4;
    let lengths = chunks(&got[body..]);
    assert!(got.len() > 4 * PIECE && lengths.len() > 4, "{lengths:?}");
    assert!(lengths.iter().all(|length| *length <= PIECE), "{lengths:?}");
}

/// The bytes that the system keeps to be sent to the client at this port of this machine.
#[cfg(target_os = "linux")]
fn unsent(port: u16) -> usize {
    let connections = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let client = format!("0100007F:{port:04X}");
    let of_client = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        (fields[2] == client)
            .then(|| usize::from_str_radix(fields[4].split(':').next().unwrap(), 16).unwrap())
    };
    connections.lines().skip(1).filter_map(of_client).sum()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_system_keeps_little_of_what_a_client_does_not_read() {
    let database = TestDatabase::create().await;
    let program = Program::start(&database).await;
    let mut client = connect(&program.base).await;
    let request = "GET /openapi.json HTTP/1.1\r\nhost: cardroom\r\n\r\n";
    client.write_all(request.repeat(12).as_bytes()).await.unwrap();
    let port = client.local_addr().unwrap().port();
    assert!(eventually(async || (unsent(port) > 0).then_some(())).await.is_some());
    // The one worker comes back to this connection as often as to any other.
    for _ in 0..20 {
        Client::anon(&program.base).get("/openapi.json").await.ok();
    }
    let kept = unsent(port);
    assert!((1..=256 * 1024).contains(&kept), "{kept} bytes");
}
