//! Lists that would be objects, if each field's value were taken for the field, and objects that would be words.

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::app::TestApp;
use super::client::Client;
use super::contract::DOCUMENT;

#[tokio::test]
async fn no_list_is_taken_for_the_object_that_a_request_needs() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let mut tried = 0;
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let Some(fields) = properties(schema) else { continue };
            // Whether an action is one is for its game to say, and there is no game.
            if path.ends_with("/actions") {
                continue;
            }
            let code = if path == "/v1/audit/verify" { "not_a_bundle" } else { "invalid_body" };
            let path = path
                .replace("{id}", &Uuid::nil().to_string())
                .replace("{player}", "ann")
                .replace("{seat}", "0")
                .replace("{round}", "1")
                .replace("{table}", "1");
            let list: Vec<Value> = fields.values().map(example).collect();
            let reply = ann.send_json(method, &path, &json!(list)).await;
            assert_eq!(reply, code, "{method} {path}: {list:?}");
            tried += 1;
        }
    }
    assert!(tried >= 14, "{tried}");
}

#[tokio::test]
async fn neither_is_one_within_a_body_nor_an_object_for_a_word() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let cup = |field: &str, value: Value| {
        let mut cup = json!({
            "name": "Autumn cup", "kind": "royal_gambit",
            "format": {"type": "rounds", "rounds": 2, "seating": "random"},
        });
        cup[field] = value;
        cup
    };
    let nil = Uuid::nil();
    let (bulk, bots) = (format!("/v1/tournaments/{nil}/entries/bulk"), format!("/v1/games/{nil}/bots"));
    for (path, body) in [
        ("/v1/auth/register", json!(["bob", "a long word that nobody knows"])),
        ("/v1/auth/login", json!(["ann", "a long word that nobody knows"])),
        ("/v1/games", json!(["sevens", {}, 3, "public", true, "", null, 0, [], 0])),
        ("/v1/games", json!({"kind": "sevens", "visibility": {"public": null}})),
        ("/v1/games", json!({"kind": "sevens", "bots": [{"random": null}]})),
        ("/v1/tournaments", cup("format", json!(["rounds", 2, "random"]))),
        ("/v1/tournaments", cup("format", json!(["knockout", 1]))),
        ("/v1/tournaments", cup("result_by", json!(["places"]))),
        ("/v1/tournaments", cup("scoring", json!(["winning_hands", true]))),
        ("/v1/tournaments", cup("admission", json!(["limited", 9]))),
        (&bulk, json!({"entries": [["ann"]]})),
        (&bulk, json!([[{"player": "ann"}]])),
        (&bots, json!(["random"])),
        (&bots, json!({"policy": {"random": null}})),
    ] {
        assert_eq!(ann.send_json("post", path, &body).await, "invalid_body", "{path}: {body}");
    }
    let right = cup("admission", json!({"type": "limited", "max": 9}));
    assert_eq!(ann.post("/v1/tournaments", &right).await.status, 201);
    let entries = json!({"entries": [{"bot": "random"}, {"player": "ann"}]});
    assert_eq!(ann.post(&bulk, &entries).await.code(), "tournament_not_found", "it could be read");
}

impl Client {
    /// The code of the problem that a body makes; nothing where it makes none.
    async fn send_json(&self, method: &str, path: &str, body: &Value) -> String {
        let here = self.clone().with("content-type", "application/json");
        let method: Method = method.to_uppercase().parse().unwrap();
        let reply = here.send(method, path, body.to_string().into_bytes()).await;
        reply.body["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// The fields of an object; none where it is something else, or has none of its own.
fn properties(schema: &Value) -> Option<&'static serde_json::Map<String, Value>> {
    let pointer = schema["$ref"].as_str()?.strip_prefix('#')?;
    DOCUMENT.pointer(pointer)?["properties"].as_object()
}

/// A value that a field takes, as far as its type goes.
fn example(schema: &Value) -> Value {
    let kind = schema["type"].as_array().map_or(&schema["type"], |kinds| &kinds[0]);
    match kind.as_str() {
        Some("string") => json!("a word that nobody knows"),
        Some("integer") => json!(schema["minimum"].as_u64().unwrap_or(0)),
        Some("boolean") => json!(false),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => Value::Null,
    }
}
