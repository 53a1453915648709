//! A receiver of webhooks: it keeps what it is sent, and answers as a test wants.

use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::eventually::eventually;

/// A message as it was sent.
#[derive(Debug, Clone)]
pub struct Received {
    pub id: String,
    pub timestamp: String,
    pub signature: String,
    /// The body as text; of a message for a browser, nothing that can be read.
    pub body: String,
    pub bytes: Vec<u8>,
    head: Vec<String>,
}

impl Received {
    /// The value of a header; empty if it is left out.
    pub fn header(&self, name: &str) -> &str {
        let value = |line: &'_ String| Some(line.strip_prefix(name)?.strip_prefix(": ")?.len());
        let found = self.head.iter().find_map(|line| Some(&line[line.len() - value(line)?..]));
        found.unwrap_or_default()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// Whether one of its signatures is by this secret.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        let signed = format!("{}.{}.{}", self.id, self.timestamp, self.body);
        let signature = STANDARD.encode(mac.chain_update(signed).finalize().into_bytes());
        self.signature.split(' ').any(|one| one == format!("v1,{signature}"))
    }
}

/// What comes back: a status, more headers, and a body.
type Answer = (u16, &'static str, &'static str);

/// Listens until it is dropped.
pub struct Receiver {
    pub url: String,
    received: Arc<Mutex<Vec<Received>>>,
    _tasks: JoinSet<()>,
}

impl Receiver {
    /// Takes everything.
    pub async fn start() -> Receiver {
        Receiver::answering(|_| (204, "", "")).await
    }

    /// `answer` is given how many messages came before.
    pub async fn answering(answer: impl Fn(usize) -> Answer + Send + Sync + 'static) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/cardroom", listener.local_addr().unwrap());
        let received: Arc<Mutex<Vec<Received>>> = Arc::default();
        let (kept, answer) = (received.clone(), Arc::new(answer));
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (kept, answer) = (kept.clone(), answer.clone());
                connections.spawn(async move { serve(stream, &kept, &*answer).await });
            }
        });
        Receiver { url, received, _tasks: tasks }
    }

    /// What has come, in order.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// The first messages that have come, as soon as there are so many.
    pub async fn first(&self, number: usize) -> Vec<Received> {
        let come = eventually(async || (self.received().len() >= number).then(|| self.received()));
        let mut come = come.await.unwrap_or_else(|| panic!("of {number}: {:?}", self.received()));
        come.truncate(number);
        come
    }
}

/// Answers the requests of a connection until it is closed.
async fn serve(
    stream: TcpStream,
    kept: &Mutex<Vec<Received>>,
    answer: &(impl Fn(usize) -> Answer + ?Sized),
) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            if line == "\r\n" {
                break;
            }
            head.push(line.trim_end().to_owned());
        }
        let header = |name: &str| {
            let found = head.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            found.unwrap_or_default().to_owned()
        };
        assert!(head[0].starts_with("POST /cardroom"), "{}", head[0]);
        let is_json = header("content-type") == "application/json";
        assert_eq!(is_json, header("content-encoding").is_empty());
        let mut body = vec![0; header("content-length").parse().unwrap()];
        stream.read_exact(&mut body).await.ok()?;
        let (status, headers, text) = {
            let mut kept = kept.lock().unwrap();
            let (status, headers, text) = answer(kept.len());
            kept.push(Received {
                id: header("webhook-id"),
                timestamp: header("webhook-timestamp"),
                signature: header("webhook-signature"),
                body: String::from_utf8_lossy(&body).into_owned(),
                bytes: body,
                head,
            });
            (status, headers, text)
        };
        let length =
            if status == 204 { String::new() } else { format!("content-length: {}\r\n", text.len()) };
        let answer = format!("HTTP/1.1 {status} so\r\n{headers}{length}\r\n{text}");
        stream.write_all(answer.as_bytes()).await.ok()?;
    }
}
