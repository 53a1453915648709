//! A walk through the API: what was sent and what came back, without anything secret.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::client::{Client, Reply};
use crate::api::contract::DOCUMENT;

/// How many items of a list an example shows. The document is long enough.
const ITEMS: usize = 1;

/// The words in an example that nobody may take for a credential.
const SECRETS: [(&str, &str); 5] = [
    ("code", "5k2m-9xw4-t0ab-hj7c"),
    ("token", "cardroom_pat_cGVyc29uYWwtYWNjZXNzLXRva2Vu"),
    ("access_token", "eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl"),
    ("refresh_token", "cmVmcmVzaC10b2tlbg"),
    ("ticket", "c3RyZWFtLXRpY2tldA"),
];

/// What a walk has sent and got: for each operation its first request and answer.
#[derive(Default)]
pub struct Walk {
    pub examples: BTreeMap<String, Value>,
}

impl Walk {
    /// Sends a request, keeps it with its answer as the operation's example, and gives the answer.
    pub async fn send(
        &mut self,
        by: &Client,
        operation: &str,
        method: Method,
        path: &str,
        body: Value,
    ) -> Reply {
        let (known_method, pattern, is_documented) = find(operation);
        assert!(known_method.eq_ignore_ascii_case(method.as_str()), "{operation}");
        assert!(
            actix_web::dev::ResourceDef::new(pattern).is_match(path.split('?').next().unwrap()),
            "{path}"
        );
        let reply = match method {
            Method::POST => by.post(path, &body).await,
            Method::PUT => by.put(path, &body).await,
            _ if body.is_null() => by.send(method, path, Vec::new()).await,
            _ => {
                let by = by.clone().with("content-type", "application/json");
                by.send(method, path, body.to_string().into_bytes()).await
            }
        };
        assert!(reply.status.is_success(), "{operation}: {} {}", reply.status, reply.body);
        let mut example = json!({"status": reply.status.as_u16()});
        if !body.is_null() && is_documented {
            example["request"] = shortened(&body);
        }
        if !reply.body.is_null() {
            example["answer"] = shortened(&reply.body);
        }
        self.examples.entry(operation.to_owned()).or_insert(example);
        reply
    }

    pub async fn get(&mut self, by: &Client, operation: &str, path: &str) -> Value {
        self.send(by, operation, Method::GET, path, Value::Null).await.body
    }

    pub async fn post(&mut self, by: &Client, operation: &str, path: &str, body: Value) -> Value {
        self.send(by, operation, Method::POST, path, body).await.body
    }

    pub async fn put(&mut self, by: &Client, operation: &str, path: &str, body: Value) -> Value {
        self.send(by, operation, Method::PUT, path, body).await.body
    }

    pub async fn delete(&mut self, by: &Client, operation: &str, path: &str) -> Value {
        self.send(by, operation, Method::DELETE, path, Value::Null).await.body
    }
}

/// The operation's method and path, and whether it takes a body.
pub fn find(operation: &str) -> (&'static str, &'static str, bool) {
    let operations = DOCUMENT["paths"].as_object().unwrap().iter().flat_map(|(path, item)| {
        item.as_object().unwrap().iter().map(move |(method, known)| (method.as_str(), path.as_str(), known))
    });
    let mut found = operations.filter(|(_, _, known)| known["operationId"] == operation);
    let found = found.next().map(|(method, path, known)| (method, path, known.get("requestBody").is_some()));
    found.unwrap_or_else(|| panic!("no {operation}"))
}

/// The value with short lists, and without anything secret.
fn shortened(value: &Value) -> Value {
    match value {
        // Ten cards are a hand, which has to be whole.
        Value::Array(items) if items.iter().any(is_recovery_code) => json!(["5k2m-9xw4-t0ab-hj7c"]),
        Value::Array(items) if items.iter().all(|item| item.is_string() || item.is_number()) => {
            items.iter().take(10).cloned().collect()
        }
        Value::Array(items) => items.iter().take(ITEMS).map(shortened).collect(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                // A schema without some of its values would be another one.
                if name == "options_schema" {
                    return (name.clone(), value.clone());
                }
                let secret = SECRETS.iter().find(|(secret, _)| secret == name).filter(|_| value.is_string());
                (name.clone(), secret.map_or_else(|| shortened(value), |(_, word)| json!(word)))
            };
            fields.iter().map(field).collect()
        }
        // A sheet.
        Value::String(text) if text.contains("\r\n") => {
            json!(text.lines().take(ITEMS + 1).map(|line| format!("{line}\r\n")).collect::<String>())
        }
        other => other.clone(),
    }
}

/// Four groups of four letters and digits.
fn is_recovery_code(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() == 19 && text.split('-').all(|group| group.len() == 4))
}
