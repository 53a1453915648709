//! Bytes as they go over a connection, for what no well-behaved client sends.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::client::PATIENCE;

/// A connection on which a test says what it likes.
pub struct Wire(TcpStream);

impl Wire {
    pub async fn open(base: &str) -> Wire {
        Wire(TcpStream::connect(base.strip_prefix("http://").unwrap()).await.unwrap())
    }

    pub async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// All that comes until the other side closes the connection.
    ///
    /// # Panics
    /// Where it does not.
    pub async fn rest(&mut self) -> String {
        self.rest_within(PATIENCE).await.expect("the connection is closed")
    }

    /// The same; none where the connection is open after `limit`.
    pub async fn rest_within(&mut self, limit: Duration) -> Option<String> {
        let mut bytes = Vec::new();
        // A connection that is reset is closed, too.
        let ended = timeout(limit, self.0.read_to_end(&mut bytes)).await;
        ended.ok().map(|_| String::from_utf8(bytes).unwrap())
    }

    /// What comes next; empty where the connection is closed.
    pub async fn next(&mut self) -> String {
        let mut bytes = vec![0; 64 * 1024];
        let length = timeout(PATIENCE, self.0.read(&mut bytes)).await.expect("an answer").unwrap_or(0);
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    }
}
