//! Tables at which bots think ahead, beside the clients that are measured.

use serde_json::json;

use super::client::{Connection, request};
use super::service::Service;

/// A tournament whose every seat is a bot that thinks ahead.
pub struct Thinkers {
    connection: Connection,
    token: String,
    path: String,
}

impl Thinkers {
    /// Four of them at each of so many tables, each of which decides so many milliseconds after it is its turn.
    pub async fn seat(service: &Service, tables: usize, pace: u32) -> Thinkers {
        let mut connection = Connection::open(service.address).await;
        let word = |value: &serde_json::Value| value.as_str().expect("it is a word").to_owned();
        let guest = connection.post("/v1/auth/guest", "", &json!(null)).await;
        let name = format!("olga-{}", &word(&guest["account"]["username"])[6..]);
        let account = json!({"username": name, "password": "correct horse battery"});
        let token = word(&connection.post("/v1/auth/register", "", &account).await["access_token"]);
        let wanted = json!({
            "name": "Thinkers", "kind": "ricketts_hearts", "table_size": 4, "bot_delay_ms": pace,
            "format": {"type": "rounds", "rounds": 1, "seating": "random"},
        });
        let path = format!(
            "/v1/tournaments/{}",
            word(&connection.post("/v1/tournaments", &token, &wanted).await["id"])
        );
        let rows = json!({"entries": vec![json!({"bot": "expert"}); 4 * tables]});
        connection.post(&format!("{path}/entries/bulk"), &token, &rows).await;
        connection.send(&request("POST", &format!("{path}/start"), &token, Some(&json!({}))), "200").await;
        Thinkers { connection, token, path }
    }

    /// The tournament is called off, and with it its games.
    pub async fn leave(mut self) {
        let abort = request("POST", &format!("{}/abort", self.path), &self.token, Some(&json!({})));
        self.connection.send(&abort, "200").await;
    }
}
