//! Twin worlds over HTTP: two games that differ only in cards which a viewer cannot know answer that viewer
//! with the same bytes, for as long as that is so.
//!
//! Two programs have the same clock and the same entropy, so that ids, names, times and tokens are the same
//! too. A deck's order follows from the seed, and that is one and the same; so both logs are written here, entry
//! by entry, and each program catches up with its own as with what another replica has appended.

use std::collections::BTreeSet;

use cardroom::entropy::Entropy;
use cardroom::ledger::entry::{self, Acted, By, Drawn, Entry, Event, Time, Visibility};
use cardroom::ledger::fairness::Seed;
use cardroom::ledger::{Hex32, chain};
use cardroom::rules::registry::{AnyGame, newest};
use cardroom::rules::{Chance, MAX_SEATS, Need};
use cardroom::store::append::{Append, Appended, NewEntry};
use cardroom::store::database::Database;
use cardroom::store::deadlines::Due;
use cardroom::store::games::{Change, NewGame};
use cardroom::store::log::Log;
use cardroom::table::decide::Command;
use cardroom::table::making;
use cardroom::table::turns::Pace;
use cardroom::table::{Actor, Table};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use uuid::Uuid;

use super::app::{Client, TestApp};
use crate::laws::dice::Dice;
use crate::laws::options::raw;
use crate::laws::orders::{list, wrong_orders};
use crate::laws::playing::{Input, Record, feed, viewers};
use crate::laws::twins::Twin;

/// Random games of each kind.
const GAMES: u64 = 200;
/// How often a twin of one game is looked for.
const TRIES: usize = 10;
/// About the most that goes into a game, which is a whole hand of any kind. Mostly it is less: to read a log
/// takes the longer, the more there is in it.
const INPUTS: u64 = 60;
/// At one version in so many, and at the last, more is compared than the game and the end of its log.
const LOOKS: u64 = 40;

#[tokio::test]
async fn two_worlds_that_differ_in_unseen_cards_answer_with_the_same_bytes() {
    let mut worlds = Worlds([World::new().await, World::new().await]);
    // In the others all hands lie open.
    for (kind, nth) in newest().filter(|kind| kind.has_secrets).zip(0..) {
        let everybody: Vec<_> = viewers(kind.max_seats).collect();
        let (mut pairs, mut saw) = (0, BTreeSet::new());
        for seed in 0..GAMES {
            let dice = &mut Dice::new(seed);
            let viewer = everybody[seed as usize % everybody.len()];
            let mut record = Record::drawn(kind, dice);
            record.seats = record.seats.max(viewer.map_or(0, |seat| seat + 1));
            let mut record = record.played_on(dice);
            record.inputs.truncate(2 + dice.below(INPUTS) as usize);
            if let Some(twin) = (0..TRIES).find_map(|_| Twin::of(&record, viewer, dice)) {
                println!("{}, seed {seed}, before {viewer:?}", kind.kind);
                worlds.answer_the_same(Uuid::from_u64_pair(nth, seed), &record, &twin, dice).await;
                pairs += 1;
                saw.insert(viewer);
            }
        }
        assert!(pairs > GAMES / 2, "{pairs} pairs of {} are few", kind.kind);
        assert_eq!(saw.len(), everybody.len(), "{saw:?} of {}", kind.kind);
    }
}

struct Worlds([World; 2]);

impl Worlds {
    async fn answer_the_same(&mut self, id: Uuid, record: &Record, twin: &Twin, dice: &mut Dice) {
        let [world, other] = &mut self.0;
        let mut scribes = [world.open(id, record).await, other.open(id, record).await];
        let deck: Vec<Value> = (record.kind.deck)().iter().map(|info| json!(info.card)).collect();
        let caller = match twin.viewer {
            Some(seat) => Some(&world.people[usize::from(seat)]),
            None => world.people.last().filter(|_| dice.one_in(2)),
        };
        let mut asking = Asking { path: format!("/v1/games/{id}"), caller: caller.cloned(), version: 0 };
        let mut inputs = record.inputs.iter().zip(&twin.inputs);
        // Up to the shuffle both logs are the same.
        let before = inputs.by_ref().take(twin.shuffle).map(|(input, _)| input);
        let before: Vec<_> =
            before.map(|input| scribes.each_mut().map(|scribe| scribe.entry(input))).collect();
        self.append(id, before).await;
        while let Some((input, mirrored)) = inputs.next() {
            let [scribe, other] = &mut scribes;
            let entries = [scribe.entry(input), other.entry(mirrored)];
            asking.version = scribe.seq;
            self.append(id, vec![entries]).await;
            let game = self.look(&asking).await;
            if dice.one_in(LOOKS) || inputs.len() == 0 {
                self.look_closely(&asking, &game, &deck, dice).await;
            }
        }
    }

    async fn append(&mut self, id: Uuid, entries: Vec<[NewEntry; 2]>) {
        let [world, other] = &self.0;
        let (entries, mirrored) = entries.into_iter().map(<(_, _)>::from).unzip();
        tokio::join!(world.append(id, entries, vec![]), other.append(id, mirrored, vec![]));
    }

    /// The game, and the end of its log.
    async fn look(&mut self, asking: &Asking) -> Value {
        let game = self.same(&asking.get("")).await.body();
        assert_eq!(game["version"], asking.version);
        self.same(&asking.get(&format!("/log?after={}", asking.version.saturating_sub(20)))).await.body();
        game
    }

    /// All of the log, an earlier version, the hands in both forms, and what is refused.
    async fn look_closely(&mut self, asking: &Asking, game: &Value, deck: &[Value], dice: &mut Dice) {
        self.same(&asking.get("/log?limit=200")).await.body();
        let earlier = 1 + dice.below(asking.version.into());
        self.same(&asking.get(&format!("?version={earlier}"))).await.body();
        let hands = self.same(&asking.get("/hands?limit=200")).await.body();
        let newest = format!("/hands/{}", list(&hands["items"]).len());
        self.same(&asking.get(&newest)).await.body();
        for path in ["/hands", &newest] {
            let told = self.same(&asking.get(path).with("accept: text/plain")).await;
            assert!(told.status == 200 && told.text.starts_with("Hand "), "{}", told.text);
        }
        let menu = &game["legal_actions"];
        let mut wrong = vec![json!({}), json!({"type": "fold", "cards": deck})];
        wrong.extend(list(menu).iter().flat_map(|entry| wrong_orders(menu, entry, deck, dice)));
        for _ in 0..3 {
            let refused = self.same(&asking.post("/actions", dice.pick(&wrong))).await;
            assert!((400..500).contains(&refused.status), "{}", refused.text);
        }
    }

    /// What both worlds answer.
    async fn same(&mut self, request: &Request) -> Answer {
        let [world, other] = &mut self.0;
        let (answer, twin) = tokio::join!(world.ask(request), other.ask(request));
        let asked = format!("{} {}", request.line, request.body);
        assert_eq!((answer.status, &answer.headers), (twin.status, &twin.headers), "{asked}");
        assert_eq!(answer.text, twin.text, "{asked}");
        // The newest entry's covers what has been renamed.
        assert!(answer.hashes.is_empty() || answer.hashes.last() != twin.hashes.last(), "the worlds are one");
        answer
    }
}

/// Who asks, and about what.
struct Asking {
    path: String,
    caller: Option<Client>,
    version: u32,
}

struct Request {
    line: String,
    headers: String,
    body: String,
}

impl Asking {
    fn get(&self, of: &str) -> Request {
        self.request("GET", of, String::new())
    }

    fn post(&self, to: &str, body: &Value) -> Request {
        self.request("POST", to, body.to_string()).with("content-type: application/json")
    }

    fn request(&self, method: &str, of: &str, body: String) -> Request {
        let line = format!("{method} {}{of} HTTP/1.1", self.path);
        let headers = format!("host: cardroom\r\ncontent-length: {}\r\n", body.len());
        let request = Request { line, headers, body };
        match &self.caller {
            Some(client) => request.with(&format!("authorization: Bearer {}", client.token())),
            None => request,
        }
    }
}

impl Request {
    fn with(mut self, header: &str) -> Request {
        self.headers += header;
        self.headers += "\r\n";
        self
    }
}

/// An answer to the byte, but for the date, which is the system's, the order of headers and of the words in
/// them, which the framework draws, and the hashes, which cover all cards.
struct Answer {
    status: u16,
    headers: Vec<String>,
    /// The body without hashes.
    text: String,
    hashes: Vec<String>,
}

impl Answer {
    fn body(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        serde_json::from_str(&self.text).unwrap()
    }
}

/// A program of its own, and a connection to it that stays open.
struct World {
    app: TestApp,
    people: Vec<Client>,
    log: Log,
    wire: BufReader<TcpStream>,
}

impl World {
    async fn new() -> World {
        let app = TestApp::start_from(Entropy::fixed(1), |settings| settings.rate_limit = 100_000_000).await;
        let mut people = Vec::new();
        for _ in 0..=MAX_SEATS {
            people.push(app.guest().await);
        }
        let log = Log::start(Database::new(&app.database.url, 1).unwrap());
        let wire = connect(&app).await;
        World { app, people, log, wire }
    }

    /// Writes the log of a game up to its start.
    async fn open(&mut self, id: Uuid, record: &Record) -> Scribe {
        let (kind, seats, at) = (record.kind, record.seats, self.app.clock.now());
        let (options, seed) = (record.options.clone(), Seed::new([7; 32]));
        let actors: Vec<Actor> = self.people[..usize::from(seats)].iter().map(actor).collect();
        let made = NewGame {
            server_seed: *seed.bytes(),
            kind: kind.kind.to_owned(),
            rules_version: kind.rules_version.cast_signed(),
            options: options.get().to_owned(),
            seats: seats.into(),
            visibility: Visibility::Public.as_str(),
            created_by: actors[0].account,
            created_at: at,
            idempotency_key: None,
            turn_seconds: None,
            rematch_of: None,
        };
        let sit = Some(String::new());
        let wanted = making::NewGame {
            kind,
            options,
            seats,
            visibility: Visibility::Public,
            sit,
            pace: Pace::default(),
            bots: Vec::new(),
        };
        let mut step = Table::create(id, seed.clone(), &actors[0], wanted, at).unwrap();
        let mut opening = step.entries;
        for actor in &actors[1..] {
            let sit = Command::Sit { client_seed: String::new(), invite: None };
            step = step.table.decide(actor, &sit, at).unwrap();
            opening.extend(step.entries.iter().cloned());
        }
        // What chance says comes from the test; with the seed's the game could even be over by now.
        let started = opening.iter().position(|sealed| matches!(sealed.entry.event, Event::Started(_)));
        opening.truncate(started.unwrap() + 1);
        let last = opening.last().unwrap();
        let (seq, hash) = (last.entry.seq, last.hash);
        let entries = opening.into_iter().map(|sealed| stored(sealed.entry.seq, sealed.text, sealed.hash));
        let seated = actors.iter().map(|actor| Change::SatDown(actor.account));
        let changes = [Change::Made(Box::new(made))].into_iter().chain(seated);
        self.append(id, entries.collect(), changes.chain([Change::Started]).collect()).await;
        Scribe { game: record.start(), actors, seed, seq, hash, chances: 0, at }
    }

    async fn append(&self, game_id: Uuid, entries: Vec<NewEntry>, changes: Vec<Change>) {
        let append = Append { game_id, entries, claim: None, due: Due::Never };
        let appended = match changes.is_empty() {
            true => self.log.append(append).await,
            false => self.log.append_with(append, changes).await,
        };
        assert_eq!(appended.unwrap(), Appended::Done);
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
fn without_hashes(body: &str) -> (String, Vec<String>) {
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
struct Scribe {
    game: Box<dyn AnyGame>,
    actors: Vec<Actor>,
    seed: Seed,
    seq: u32,
    hash: Hex32,
    chances: u32,
    at: Timestamp,
}

impl Scribe {
    fn entry(&mut self, input: &Input) -> NewEntry {
        let (by, seat, event) = match input {
            Input::Chance(chance) => (By::System {}, None, Event::Chance(self.chance(chance))),
            Input::Action(seat, action) => {
                let player = self.actors[usize::from(*seat)].username.clone();
                let action = raw(&serde_json::from_str(action).unwrap());
                (By::Player { player }, Some(*seat), Event::Acted(Acted { action, granted_ms: 0 }))
            }
        };
        feed(self.game.as_mut(), input);
        self.seq += 1;
        let text = Entry { seq: self.seq, at: Time(self.at), by, seat, event }.text();
        self.hash = chain::hash(self.hash, &self.seed, self.seq, &text);
        stored(self.seq, text, self.hash)
    }

    fn chance(&mut self, chance: &Chance<cardroom::rules::cards::CardName>) -> entry::Chance {
        let drawn = match (chance, self.game.need()) {
            (Chance::Pick(result), Need::Pick { of }) => Drawn::Pick { of, result: *result },
            (Chance::Shuffle(order), Need::Shuffle(_)) => Drawn::Shuffle { result: Some(order.clone()) },
            (chance, need) => panic!("{chance:?} is no answer to {need:?}"),
        };
        self.chances += 1;
        entry::Chance { k: self.chances - 1, drawn }
    }
}

fn stored(seq: u32, entry: String, hash: Hex32) -> NewEntry {
    NewEntry { seq: seq.cast_signed(), entry, hash: hash.0 }
}

fn actor(client: &Client) -> Actor {
    let account = client.session["account"]["id"].as_str().unwrap().parse().unwrap();
    Actor { account, username: client.username().to_owned(), admin: false }
}
