//! Clients of a card room: they talk to it over HTTP, and hold its answers against the OpenAPI document.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};
use serde_json::Value;

use super::contract;

/// Beyond this an event is given up, and the test with it.
pub const PATIENCE: Duration = Duration::from_secs(120);

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
    pub async fn of(response: reqwest::Response) -> Events {
        let (status, url) = (response.status(), response.url().clone());
        if status != StatusCode::OK {
            let told = response.text().await.unwrap_or_default();
            panic!("{url}: {status} {told}");
        }
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
    /// None where it is a comment, or says when to reconnect.
    fn parse(block: &str) -> Option<Event> {
        if block == ":" || block == "retry: 2000" {
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

impl Client {
    /// Somebody who has not signed in, where a program listens.
    pub fn anon(base: &str) -> Client {
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Client { http, base: base.to_owned(), headers: HeaderMap::new(), session: Value::Null }
    }

    /// The same caller, where another listens.
    pub fn at(self, base: &str) -> Client {
        Client { base: base.to_owned(), ..self }
    }

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

    /// Puts JSON.
    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.clone().json().send(Method::PUT, path, bytes(body)).await
    }

    /// Patches with JSON.
    pub async fn patch(&self, path: &str, body: &Value) -> Reply {
        self.clone().json().send(Method::PATCH, path, bytes(body)).await
    }

    /// Opens a stream of events.
    pub async fn stream(&self, path: &str) -> Events {
        let request = self.http.get(format!("{}{path}", self.base)).headers(self.headers.clone());
        Events::of(request.send().await.unwrap()).await
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
