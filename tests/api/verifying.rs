//! Bundles that are sent to be checked, and are none, or come slowly, or are many.

use cardroom::games::audits::CHECKS;
use cardroom_core::rules::registry::by_name;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::app::TestApp;
use super::client::PATIENCE;
use crate::audits::games::{Game, key};
use crate::random::dice::Dice;

/// A request whose body is under way.
struct Sending(BufReader<TcpStream>);

impl Sending {
    async fn begun(app: &TestApp, body: &str) -> Sending {
        let address = app.base().strip_prefix("http://").unwrap();
        let mut wire = BufReader::new(TcpStream::connect(address).await.unwrap());
        let head = "POST /v1/audit/verify HTTP/1.1\r\nHost: cardroom\r\nContent-Type: application/json\r\n\
                    Transfer-Encoding: chunked\r\n\r\n";
        let piece = format!("{head}{:x}\r\n{body}\r\n", body.len());
        wire.write_all(piece.as_bytes()).await.unwrap();
        Sending(wire)
    }

    /// The whole body has been sent.
    async fn ends(&mut self) {
        self.0.write_all(b"0\r\n\r\n").await.unwrap();
    }

    /// Status and body of the answer, whose body has a length.
    async fn answer(&mut self) -> (u16, Value) {
        timeout(PATIENCE, self.read()).await.expect("an answer in time")
    }

    async fn read(&mut self) -> (u16, Value) {
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).await.unwrap();
            let line = line.trim_end().to_lowercase();
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest[..3].parse().unwrap();
            }
            if let Some(rest) = line.strip_prefix("content-length: ") {
                length = rest.parse().unwrap();
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap())
    }
}

#[tokio::test]
async fn what_is_no_bundle_is_refused_before_its_end_has_come() {
    let app = TestApp::start().await;
    for body in ["[0,0,0,", "{\"log\":[0,0,0,", "{\"log\":[{},[],[", "{\"format\":\"poem\",", "{\"more\":1,"]
    {
        let (status, problem) = Sending::begun(&app, body).await.answer().await;
        assert_eq!((status, &problem["code"]), (422, &json!("not_a_bundle")), "{body}");
    }
}

#[tokio::test]
async fn a_few_bundles_are_checked_at_once_and_those_beyond_are_told_to_come_back() {
    let app = TestApp::start().await;
    let game = Game::played_for(by_name("sevens").unwrap(), &mut Dice::new(4), usize::MAX);
    let text = game.bundle(&key(1));
    let bundle: Value = serde_json::from_str(&text).unwrap();
    // Space before a bundle is read, and waited behind.
    let mut sending = Vec::new();
    for _ in 0..CHECKS {
        sending.push(Sending::begun(&app, " ").await);
    }
    let anon = app.anon();
    let busy = async || {
        let reply = anon.post("/v1/audit/verify", &bundle).await;
        (reply.status == 503).then(|| (reply.code().to_owned(), reply.header("retry-after").is_some()))
    };
    let turned_away = timeout(PATIENCE, async {
        loop {
            if let Some(problem) = busy().await {
                break problem;
            }
        }
    });
    assert_eq!(turned_away.await.unwrap(), ("unavailable".to_owned(), true));
    // One goes away and one ends its body: both places are free again.
    drop(sending.pop());
    let mut ended = sending.pop().unwrap();
    ended.ends().await;
    assert_eq!(ended.answer().await.0, 422);
    let checked = timeout(PATIENCE, async { while busy().await.is_some() {} });
    checked.await.unwrap();
}
