//! A game that was played before, told once more as fast as a test wants: a server in front of the card room, whose own
//! answers are about this game alone.

use std::convert::Infallible;
use std::future::pending;
use std::net::TcpListener;

use actix_web::dev::ServerHandle;
use actix_web::http::StatusCode;
use actix_web::web::{self, Bytes};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use futures_util::StreamExt;
use futures_util::stream::{iter, unfold};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Duration, Instant, sleep_until};

use crate::api::app::{TestApp, runtime};
use crate::api::client::Event;
use crate::random::dice::Dice;
use crate::random::orders::{list, order};

/// From one event to the next: there are 200 in a second.
const PERIOD: Duration = Duration::from_millis(5);

/// The card room with this game in it, which stands still until [`Recorded::begin`].
pub struct Recorded {
    pub base: String,
    /// The game's address on the page.
    pub page: String,
    tape: web::Data<Tape>,
    handle: ServerHandle,
}

struct Tape {
    /// Where all else is asked.
    room: String,
    /// The game's address in the API.
    game: String,
    /// What the public heard of each version, from the first on.
    events: Vec<Event>,
    /// The version that a page finds: the first hand has begun.
    first: usize,
    begun: watch::Sender<Option<Instant>>,
}

impl Recorded {
    /// Plays a game of this kind, of so many versions, and gets ready to tell it.
    pub async fn of(app: &TestApp, kind: &str, versions: usize) -> Recorded {
        let (game, events) = record(app, kind, versions).await;
        let first = events.iter().position(begins_a_hand).unwrap() + 1;
        let room = app.base().to_owned();
        let page = game.strip_prefix("/v1").unwrap().to_owned();
        let tape = web::Data::new(Tape { room, game, events, first, begun: watch::Sender::new(None) });
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let shared = tape.clone();
        let starting = runtime().spawn(async move {
            let service = move || App::new().app_data(shared.clone()).default_service(web::to(answer));
            let server =
                HttpServer::new(service).workers(1).disable_signals().listen(listener).unwrap().run();
            let handle = server.handle();
            tokio::spawn(server);
            handle
        });
        Recorded { base, page, tape, handle: starting.await.unwrap() }
    }

    pub fn begin(&self) {
        self.tape.begun.send_replace(Some(Instant::now()));
    }

    /// How many events are told.
    pub fn length(&self) -> usize {
        self.last() - self.tape.first
    }

    /// The last version.
    pub fn last(&self) -> usize {
        self.tape.events.len()
    }

    /// The versions of the last hand, the newest first.
    pub fn last_hand(&self) -> Vec<usize> {
        let began = self.tape.events.iter().rposition(begins_a_hand).unwrap() + 1;
        (began..=self.last()).rev().collect()
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
    }
}

impl Tape {
    /// The game as it is before anything is told.
    fn beginning(&self) -> Value {
        self.events[self.first - 1].json()["game"].take()
    }

    /// The event that follows this version, when its time has come.
    async fn after(&self, version: usize) -> Bytes {
        let Some(Event { name, id, data }) = self.events.get(version) else { return pending().await };
        let mut begun = self.begun.subscribe();
        let begin = begun.wait_for(Option::is_some).await.ok().and_then(|begin| *begin).unwrap();
        sleep_until(begin + PERIOD * (version + 1 - self.first) as u32).await;
        Bytes::from(format!("event: {name}\nid: {id}\ndata: {data}\n\n"))
    }
}

/// Plays a game against bots by chance, and hears of it as the public does.
async fn record(app: &TestApp, kind: &str, versions: usize) -> (String, Vec<Event>) {
    let player = app.guest().await;
    let wanted = json!({"kind": kind, "sit": true, "bots": vec!["steady"; 3], "bot_delay_ms": 0,
        "options": long(kind)});
    let mut game = player.post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    let mut dice = Dice::new(7);
    while game["status"] == "active" && game["version"].as_u64().unwrap() < versions as u64 {
        if game["to_act"] == json!([0]) {
            let action = order(dice.pick(list(&game["legal_actions"])), &mut dice);
            game = player.post(&format!("{path}/actions"), &action).await.ok();
        } else {
            app.tick().await;
            let known = game["version"].take();
            game = player.get(&path).await.ok();
            if game["version"] == known {
                // Bots wait for nobody, but for the clock that says when.
                app.clock.advance(1);
            }
        }
    }
    let mut stream = app.anon().stream(&format!("{path}/stream?after=0")).await;
    let mut events = Vec::new();
    for _ in 0..game["version"].as_u64().unwrap() {
        events.push(stream.next().await.unwrap());
    }
    (path, events)
}

/// Options by which a game takes long.
fn long(kind: &str) -> Value {
    match kind {
        "ritunas_favour" => json!({"hands": 1000, "buy_in": 1_000_000}),
        // Two bots that raise each other stop when one of them is all in: their chips bound the length of a hand.
        "sevens" | "knights_heads" => json!({"hands": 1000, "buy_in": 1000, "max_raise": 5}),
        "ricketts_hearts" => json!({"target_score": 1000}),
        "royal_gambit" => json!({"target_score": 500}),
        _ => json!({}),
    }
}

fn begins_a_hand(event: &Event) -> bool {
    let facts = event.json()["facts"].take();
    facts.as_array().is_some_and(|facts| facts.iter().any(|fact| fact["type"] == "hand_began"))
}

async fn answer(request: HttpRequest, tape: web::Data<Tape>) -> HttpResponse {
    match request.path().strip_prefix(tape.game.as_str()) {
        Some("") => HttpResponse::Ok().json(tape.beginning()),
        Some("/hands") => HttpResponse::Ok().json(json!({"items": [], "next": null})),
        Some("/stream") => tell(&request, tape),
        _ => pass_on(&request, &tape.room).await,
    }
}

/// The game's stream. A page that comes back goes on where the stream broke off.
fn tell(request: &HttpRequest, tape: web::Data<Tape>) -> HttpResponse {
    let known = request.headers().get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let events = unfold(known.unwrap_or(tape.first), move |version| {
        let tape = tape.clone();
        async move { Some((Ok::<_, Infallible>(tape.after(version).await), version + 1)) }
    });
    let hello = iter([Ok(Bytes::from_static(b"retry: 2000\n\n"))]);
    HttpResponse::Ok().content_type("text/event-stream").streaming(hello.chain(events))
}

/// What the card room says.
async fn pass_on(request: &HttpRequest, room: &str) -> HttpResponse {
    let mut asked = reqwest::Client::new().get(format!("{room}{}", request.uri()));
    for name in ["accept", "accept-language"] {
        if let Some(value) = request.headers().get(name) {
            asked = asked.header(name, value.to_str().unwrap());
        }
    }
    let answer = asked.send().await.unwrap();
    let mut response = HttpResponse::build(StatusCode::from_u16(answer.status().as_u16()).unwrap());
    for name in ["content-type", "content-security-policy"] {
        if let Some(value) = answer.headers().get(name) {
            response.insert_header((name, value.to_str().unwrap()));
        }
    }
    response.body(answer.bytes().await.unwrap())
}
