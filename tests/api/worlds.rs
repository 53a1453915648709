//! Two worlds: two programs with the same clock and the same entropy, so that ids, names, times and tokens are the
//! same too. What differs is what a test writes into their logs, entry by entry; each program catches up with its
//! own as with what another replica has appended.

use cardroom::entropy::Entropy;
use cardroom::store::append::{Append, AppendOutcome, NewEntry};
use cardroom::store::database::Database;
use cardroom::store::deadlines::Due;
use cardroom::store::games::{Change, End, PlayerResult};
use cardroom::store::log::Log;
use cardroom::store::status::Status;
use cardroom_core::log::entry::{self, Acted, By, Drawn, Entry, Event, Finished, Time};
use cardroom_core::log::fairness::Seed;
use cardroom_core::log::{Hex32, chain};
use cardroom_core::rules::registry::{AnyFacts, AnyGame};
use cardroom_core::rules::{Chance, Need};
use cardroom_core::table::Actor;
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use uuid::Uuid;

use super::app::TestApp;
use super::client::Client;
use super::webhooks::to_this_machine;
use crate::random::options::raw;
use crate::random::playing::{Input, feed};

pub struct Worlds(pub [World; 2]);

impl Worlds {
    /// So many people in each.
    pub async fn new(people: usize) -> Worlds {
        Worlds([World::new(people).await, World::new(people).await])
    }

    /// What both worlds answer, once it is seen to be the same but for hashes.
    pub async fn same(&mut self, request: &Request) -> [Answer; 2] {
        let [world, other] = &mut self.0;
        let (answer, twin) = tokio::join!(world.ask(request), other.ask(request));
        let asked = format!("{} {}", request.line, request.body);
        assert_eq!(answer.text, twin.text, "{asked}");
        assert_eq!((answer.status, &answer.headers), (twin.status, &twin.headers), "{asked}");
        [answer, twin]
    }

    /// Asks for a list, and sees that both worlds show the same of these items. Other items may differ: in games that a
    /// viewer before this one has seen, what may be seen by now is not the same.
    pub async fn same_items(&mut self, request: &Request, ids: &[Uuid]) {
        let [world, other] = &mut self.0;
        let (answer, twin) = tokio::join!(world.ask(request), other.ask(request));
        assert_eq!(answer.status, twin.status, "{}", request.line);
        let items = |answer: &Answer| {
            let body: Value = serde_json::from_str(&answer.text).unwrap();
            let is_asked = |item: &&Value| ids.iter().any(|id| item["id"] == json!(id));
            let items = body["items"].as_array().into_iter().flatten().filter(is_asked);
            items.map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(items(&answer), items(&twin), "{}", request.line);
    }

    /// What both services have counted of requests and games.
    pub async fn count_the_same(&self) {
        let counted = ["actions", "games", "problems", "streams", "http_requests_total"];
        let counts = async |world: &World| {
            let text = world.app.anon().get("/metrics").await.ok();
            let of_games = |line: &&str| {
                counted
                    .iter()
                    .any(|name| line.strip_prefix("cardroom_").is_some_and(|series| series.starts_with(name)))
            };
            text.as_str().unwrap().lines().filter(of_games).map(str::to_owned).collect::<Vec<_>>()
        };
        let counts = [counts(&self.0[0]).await, counts(&self.0[1]).await];
        assert!(counts[0].iter().any(|line| line.contains("problems_total")), "{counts:?}");
        assert_eq!(counts[0], counts[1]);
    }
}

/// A request to the byte.
pub struct Request {
    line: String,
    headers: String,
    body: String,
}

impl Request {
    pub fn get(path: &str, caller: Option<&Client>) -> Request {
        Request::of("GET", path, caller, "")
    }

    pub fn post(path: &str, caller: Option<&Client>, body: &Value) -> Request {
        Request::of("POST", path, caller, &body.to_string()).with("content-type: application/json")
    }

    pub fn of(method: &str, path: &str, caller: Option<&Client>, body: &str) -> Request {
        let line = format!("{method} {path} HTTP/1.1");
        let headers = format!("host: cardroom\r\ncontent-length: {}\r\n", body.len());
        let request = Request { line, headers, body: body.to_owned() };
        match caller {
            Some(client) => request.with(&format!("authorization: Bearer {}", client.token())),
            None => request,
        }
    }

    pub fn with(mut self, header: &str) -> Request {
        self.headers += header;
        self.headers += "\r\n";
        self
    }
}

/// An answer to the byte, but for the date, which is the system's, the order of headers and of the words in
/// them, which the framework draws, and the hashes, which cover all cards.
pub struct Answer {
    pub status: u16,
    headers: Vec<String>,
    /// The body without hashes.
    pub text: String,
    pub hashes: Vec<String>,
}

impl Answer {
    pub fn body(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        serde_json::from_str(&self.text).unwrap()
    }
}

/// A program of its own, and a connection to it that stays open.
pub struct World {
    pub app: TestApp,
    pub people: Vec<Client>,
    log: Log,
    wire: BufReader<TcpStream>,
}

impl World {
    async fn new(people: usize) -> World {
        let app = TestApp::start_from(Entropy::fixed(1), |settings| {
            settings.rate_limit = 100_000_000;
            (settings.stream_limit, settings.stream_limit_per_address) = (100_000, 100_000);
            to_this_machine(settings);
        });
        let app = app.await;
        let mut guests = Vec::new();
        for _ in 0..people {
            guests.push(app.guest().await);
        }
        let log = Log::start(Database::new(&app.database.url, 1).unwrap(), 1);
        let wire = connect(&app).await;
        World { app, people: guests, log, wire }
    }

    pub async fn append(&self, game_id: Uuid, entries: Vec<NewEntry>, changes: Vec<Change>) {
        let append = Append { game_id, entries, claim: None, due: Due::Unchanged };
        let appended = match changes.is_empty() {
            true => self.log.append(append).await,
            false => self.log.append_with(append, changes, u32::MAX).await,
        };
        assert_eq!(appended.unwrap(), AppendOutcome::Done);
    }

    async fn ask(&mut self, request: &Request) -> Answer {
        let Request { line, headers, body } = request;
        self.wire.write_all(format!("{line}\r\n{headers}\r\n{body}").as_bytes()).await.unwrap();
        let status = self.line().await[9..12].parse().unwrap();
        let (mut headers, mut length) = (Vec::new(), 0);
        loop {
            let header = self.line().await;
            match header.split_once(": ") {
                None => break,
                Some(("date", _)) => {}
                Some((name, value)) => {
                    if name == "content-length" {
                        length = value.parse().unwrap();
                    }
                    let mut words: Vec<&str> = value.split(", ").collect();
                    words.sort_unstable();
                    headers.push(format!("{name}: {}", words.join(", ")));
                }
            }
        }
        headers.sort_unstable();
        let mut body = vec![0; length];
        self.wire.read_exact(&mut body).await.unwrap();
        if headers.contains(&"connection: close".to_owned()) {
            self.wire = connect(&self.app).await;
        }
        let (text, hashes) = without_hashes(&String::from_utf8(body).unwrap());
        Answer { status, headers, text, hashes }
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.wire.read_line(&mut line).await.unwrap() > 0, "the connection was closed");
        line.trim_end().to_owned()
    }
}

async fn connect(app: &TestApp) -> BufReader<TcpStream> {
    let address = app.base().strip_prefix("http://").unwrap();
    BufReader::new(TcpStream::connect(address).await.unwrap())
}

/// A body without the hashes in it, and these.
pub fn without_hashes(body: &str) -> (String, Vec<String>) {
    const BEFORE: &str = r#""hash":""#;
    let mut parts = body.split(BEFORE);
    let mut text = parts.next().unwrap().to_owned();
    let mut hashes = Vec::new();
    for part in parts {
        let (hash, rest) = part.split_at(64);
        assert!(hash.parse::<Hex32>().is_ok(), "{hash}");
        hashes.push(hash.to_owned());
        text += "\"hash\":\"";
        text += rest;
    }
    (text, hashes)
}

/// Writes down what goes into a game, as the program does.
pub struct Scribe {
    pub game: Box<dyn AnyGame>,
    pub actors: Vec<Actor>,
    pub seed: Seed,
    /// The newest entry's.
    pub seq: u32,
    pub hash: Hex32,
    pub chances: u32,
    pub at: Timestamp,
}

impl Scribe {
    /// The next entry, and what follows from it.
    pub fn entry(&mut self, input: &Input) -> (NewEntry, AnyFacts) {
        let (by, seat, event) = match input {
            Input::Chance(chance) => (By::System {}, None, Event::Chance(self.chance(chance))),
            Input::Action(seat, action) => {
                let player = self.actors[usize::from(*seat)].username.clone();
                let action = raw(&serde_json::from_str(action).unwrap());
                (By::Player { player }, Some(*seat), Event::Acted(Acted { action, granted_ms: 0 }))
            }
        };
        let facts = feed(self.game.as_mut(), input);
        (self.add(by, seat, event), facts)
    }

    /// The last entry, and what it changes in lists, if the game is over by its rules.
    pub fn end(&mut self) -> Option<(NewEntry, Change)> {
        let outcome = self.game.outcome()?;
        let result = |placing: &cardroom_core::rules::Placing| PlayerResult {
            account: self.actors[usize::from(placing.seat)].account,
            seat: i16::from(placing.seat),
            placed: Some((i16::from(placing.place), placing.score)),
        };
        let results = outcome.places.iter().map(result).collect();
        let finished = Finished { outcome, server_seed: self.seed.reveal() };
        let entry = self.add(By::System {}, None, Event::Finished(finished));
        Some((entry, Change::Ended(End { status: Status::Finished, at: self.at, results })))
    }

    fn add(&mut self, by: By, seat: Option<u8>, event: Event) -> NewEntry {
        self.seq += 1;
        let text = Entry { seq: self.seq, at: Time(self.at), by, seat, event }.text();
        self.hash = chain::hash(self.hash, &self.seed, self.seq, &text);
        stored(self.seq, text, self.hash)
    }

    fn chance(&mut self, chance: &Chance<cardroom_core::rules::cards::CardName>) -> entry::Chance {
        let drawn = match (chance, self.game.need()) {
            (Chance::Pick(result), Need::Pick { of }) => Drawn::Pick { of, result: *result },
            (Chance::Shuffle(order), Need::Shuffle(_)) => Drawn::Shuffle { result: Some(order.clone()) },
            (chance, need) => panic!("{chance:?} is no answer to {need:?}"),
        };
        self.chances += 1;
        entry::Chance { k: self.chances - 1, drawn }
    }
}

pub fn stored(seq: u32, entry: String, hash: Hex32) -> NewEntry {
    NewEntry { seq: seq.cast_signed(), entry, hash: hash.0 }
}

pub fn actor(client: &Client) -> Actor {
    let account = client.session["account"]["id"].as_str().unwrap().parse().unwrap();
    Actor { account, username: client.username().to_owned(), admin: false, is_program: false, invite: None }
}
