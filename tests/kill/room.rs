//! Players who sit at several tables of a service that may be away, and who remember every move that was acknowledged.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::api::app::PASSWORD;
use crate::api::client::Events;
use crate::attempt::{Unanswered, attempt};
use crate::eventually::within;
use crate::random::dice::Dice;
use crate::random::orders::{list, order};

/// The most seats of a game.
const SEATS: usize = 4;

/// What the clients share.
pub struct Room {
    pub http: reqwest::Client,
    /// Where the service is now: its replicas, which take turns.
    pub addresses: watch::Receiver<Vec<String>>,
    turn: Cell<usize>,
    pub has_two_releases: Cell<bool>,
    pub players: Vec<Player>,
    /// How many moves have been acknowledged.
    pub moves: watch::Sender<u64>,
    pub kills_are_over: Cell<bool>,
    /// How many requests have waited for a quarter of the limit.
    late: Cell<usize>,
    /// How many requests got no answer, and were sent again.
    pub unanswered: Cell<u64>,
    /// How that showed the last time.
    pub last_unanswered: RefCell<String>,
    /// When the last move was acknowledged, and the longest times since [`Room::count_anew`].
    last: Cell<Instant>,
    pub longest: Cell<Longest>,
    pub limit: Duration,
    /// How long a client waits before it asks again.
    pub pause: Duration,
}

/// The longest times.
#[derive(Clone, Copy, Default)]
pub struct Longest {
    /// From one acknowledged move to the next, of whichever table.
    pub stillness: Duration,
    /// From the first attempt of a request to its answer.
    pub wait: Duration,
}

pub struct Player {
    pub name: String,
    /// It holds for a quarter of an hour; then there is another.
    access_token: RefCell<String>,
    refresh_token: String,
}

impl Room {
    /// A room without players. An answer that takes longer than `limit` fails the test.
    pub fn new(addresses: watch::Receiver<Vec<String>>, limit: Duration) -> Room {
        Room {
            http: reqwest::Client::builder().timeout(limit / 4).build().unwrap(),
            addresses,
            turn: Cell::new(0),
            has_two_releases: Cell::new(false),
            players: Vec::new(),
            moves: watch::Sender::new(0),
            kills_are_over: Cell::new(false),
            late: Cell::new(0),
            unanswered: Cell::new(0),
            last_unanswered: RefCell::default(),
            last: Cell::new(Instant::now()),
            longest: Cell::default(),
            limit,
            pause: Duration::ZERO,
        }
    }

    fn note_unanswered(&self, why: String) {
        self.unanswered.update(|unanswered| unanswered + 1);
        self.last_unanswered.replace(why);
    }

    /// The replica whose turn it is.
    pub fn base(&self) -> String {
        let (addresses, turn) = (self.addresses.borrow(), self.turn.get());
        self.turn.set(turn.wrapping_add(1));
        addresses[turn % addresses.len()].clone()
    }

    /// The same room with so many players.
    pub async fn enter(mut self, clients: usize) -> Room {
        for client in 0..clients {
            let credentials = json!({"username": format!("player{client}"), "password": PASSWORD});
            let session = self.ask(Method::POST, "/v1/auth/register", None, "register", &credentials).await;
            let word = |value: &Value| value.as_str().unwrap().to_owned();
            self.players.push(Player {
                name: word(&session["account"]["username"]),
                access_token: RefCell::new(word(&session["access_token"])),
                refresh_token: word(&session["refresh_token"]),
            });
        }
        self
    }

    /// Asks until there is an answer, under one key. That the house is away is the only excuse for none.
    pub async fn ask(
        &self,
        method: Method,
        path: &str,
        by: Option<&Player>,
        key: &str,
        body: &Value,
    ) -> Value {
        let (began, is_late) = (Instant::now(), Cell::new(false));
        let answer = within(self.limit, async || {
            if began.elapsed() > self.limit / 4 && !is_late.replace(true) {
                self.late.update(|late| late + 1);
            }
            let url = format!("{}{path}", self.base());
            let token = by.map(|player| player.access_token.borrow().clone()).unwrap_or_default();
            match (attempt(self.http.request(method.clone(), url), &token, key, body).await, by) {
                (Err(Unanswered::Away(why)), _) => {
                    self.note_unanswered(why);
                    tokio::time::sleep(self.pause).await;
                    None
                }
                (Err(Unanswered::Expired), Some(player)) => self.sign_in(player).await.and(None),
                (answer, _) => answer.ok(),
            }
        });
        let answer = answer.await.unwrap_or_else(|| panic!("{path} {key} {body}: no answer"));
        self.late.update(|late| late - usize::from(is_late.get()));
        self.longest.update(|longest| Longest { wait: longest.wait.max(began.elapsed()), ..longest });
        answer
    }

    /// Whether two answers are one. Where replicas of two releases answer, one may tell more than the other.
    fn agree(&self, one: &Value, other: &Value) -> bool {
        match (one, other) {
            (Value::Object(one), Value::Object(other)) if self.has_two_releases.get() => {
                one.iter().all(|(name, value)| other.get(name).is_none_or(|other| self.agree(value, other)))
            }
            (Value::Array(one), Value::Array(other)) if self.has_two_releases.get() => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| self.agree(one, other))
            }
            _ => one == other,
        }
    }

    fn acknowledged(&self) {
        let stillness = self.last.replace(Instant::now()).elapsed();
        self.longest.update(|longest| Longest { stillness: longest.stillness.max(stillness), ..longest });
        self.moves.send_modify(|moves| *moves += 1);
    }

    pub fn count_anew(&self) {
        self.last.set(Instant::now());
        self.longest.take();
    }

    async fn sign_in(&self, player: &Player) -> Option<()> {
        let url = format!("{}/v1/auth/login", self.base());
        let credentials = json!({"username": player.name, "password": PASSWORD});
        let response = self.http.post(url).json(&credentials).send().await.ok()?;
        let session: Value = response.error_for_status().ok()?.json().await.ok()?;
        session["access_token"].as_str()?.clone_into(&mut player.access_token.borrow_mut());
        Some(())
    }

    pub async fn look(&self, path: &str, by: Option<&Player>) -> Value {
        self.ask(Method::GET, path, by, "look", &json!({})).await
    }

    /// Waits for so many more moves to be acknowledged, and until nobody has waited for long.
    pub async fn let_pass(&self, moves: u64) {
        let mut progress = self.moves.subscribe();
        let aim = *progress.borrow() + moves;
        // What `wait_for` gives keeps the number from being written.
        let has_passed =
            tokio::time::timeout(self.limit, progress.wait_for(|moves| *moves >= aim)).await.is_ok();
        assert!(has_passed, "the tables stand still");
        let nobody_is_late = async || (self.late.get() == 0).then_some(());
        assert!(within(self.limit, nobody_is_late).await.is_some(), "a request gets no answer");
    }
}

/// A game that was played to its end, as its players remember it.
pub struct Played {
    pub path: String,
    pub kind: &'static str,
    pub version: u64,
    pub moves: Vec<Move>,
    /// How often the stream of its watcher broke off, and went on.
    pub breaks: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Move {
    pub seq: u64,
    pub seat: u64,
    pub player: String,
    pub action: Value,
}

/// Plays at one table until all kills are done. `seconds`: for each decision, if the games have a clock.
pub async fn play_on(room: &Room, table: u64, seconds: Option<u32>, mut dice: Dice) -> Vec<Played> {
    // With options under which each kind shuffles the whole deck.
    let (kind, options) = if table.is_multiple_of(2) {
        ("ritunas_favour", json!({"kings": "worthless"}))
    } else {
        ("royal_gambit", json!({}))
    };
    let mut games = Vec::new();
    while games.is_empty() || !room.kills_are_over.get() {
        let name = format!("table-{table}-{}", games.len());
        let mut wanted = json!({"kind": kind, "options": options, "sit": true, "client_seed": name});
        if let Some(seconds) = seconds {
            wanted["turn_seconds"] = json!(seconds);
        }
        games.push(play(room, kind, wanted, &mut dice).await);
    }
    games
}

/// Plays one game to its end, while somebody watches it.
async fn play(room: &Room, kind: &'static str, mut wanted: Value, dice: &mut Dice) -> Played {
    let mut players: Vec<&Player> = room.players.iter().collect();
    dice.shuffle(&mut players);
    players.truncate(2 + dice.below(SEATS as u64 - 1) as usize);
    wanted["seats"] = json!(players.len());
    let name = wanted["client_seed"].as_str().unwrap().to_owned();
    let mut game = room.ask(Method::POST, "/v1/games", Some(players[0]), &name, &wanted).await;
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    for player in &players[1..] {
        let seat = json!({"client_seed": player.name});
        game = room.ask(Method::POST, &format!("{path}/seats"), Some(player), "sit", &seat).await;
    }
    let ((moves, version), watched) =
        tokio::join!(play_out(room, &path, &players, game, dice), watch_to_the_end(room, &path));
    assert_eq!(watched.version, version, "{path} was watched to its end");
    Played { path, kind, version, moves, breaks: watched.breaks }
}

/// Each seat chooses from its menu until the game is over: the moves, and the last version. One move in four is sent
/// twice at the same time.
async fn play_out(
    room: &Room,
    path: &str,
    players: &[&Player],
    mut game: Value,
    dice: &mut Dice,
) -> (Vec<Move>, u64) {
    let mut moves = Vec::new();
    while game["status"] == "active" {
        let seat = game["to_act"][0].as_u64().unwrap();
        let player = players[seat as usize];
        let before = room.look(path, Some(player)).await;
        assert_eq!(before["version"], game["version"], "{path}: what was not acknowledged is in the log");
        let action = order(dice.pick(list(&before["legal_actions"])), dice);
        let (key, to) = (format!("after-{}", before["version"]), format!("{path}/actions"));
        let act = || room.ask(Method::POST, &to, Some(player), &key, &action);
        game = if dice.one_in(4) {
            let (answer, other) = tokio::join!(act(), act());
            assert!(room.agree(&answer, &other), "a repeat gets the first answer: {answer}, not {other}");
            answer
        } else {
            act().await
        };
        room.acknowledged();
        let seq = game["seq"].as_u64().unwrap();
        assert_eq!(seq, before["version"].as_u64().unwrap() + 1);
        moves.push(Move { seq, seat, player: player.name.clone(), action });
    }
    (moves, game["version"].as_u64().unwrap())
}

/// What a watcher saw of a game.
#[derive(Default)]
struct Watched {
    version: u64,
    /// How often the stream broke off before the end.
    breaks: u64,
}

/// Follows a game's stream from the first entry to the last. A stream that breaks off goes on where it was: every entry
/// has to come once.
async fn watch_to_the_end(room: &Room, path: &str) -> Watched {
    let (mut watched, mut is_over) = (Watched::default(), false);
    while !is_over {
        let url = format!("{}{path}/stream?after={}", room.base(), watched.version);
        match room.http.get(url).send().await {
            Ok(response) if response.status() == StatusCode::NO_CONTENT => is_over = true,
            Ok(response) if response.status() == StatusCode::OK => {
                let mut events = Events::of(response).await;
                let rest = loop {
                    match events.try_next().await {
                        Ok(Some(event)) => {
                            assert_eq!(
                                event.id,
                                (watched.version + 1).to_string(),
                                "{path}: a gap, or twice"
                            );
                            watched.version += 1;
                        }
                        rest => break rest,
                    }
                };
                watched.breaks += u64::from(rest.is_err());
            }
            Ok(response) if response.status() != StatusCode::SERVICE_UNAVAILABLE => {
                panic!("{path}: {}", response.text().await.unwrap_or_default())
            }
            away => {
                room.note_unanswered(format!("{path}/stream: {away:?}"));
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    watched
}

/// What was signed and stored before the kills holds after them.
pub async fn still_signed_in(room: &Room, player: &Player) {
    let me = room.look("/v1/me", Some(player)).await;
    assert_eq!(me["username"], player.name);
    let token = json!({"refresh_token": player.refresh_token});
    let session = room.ask(Method::POST, "/v1/auth/refresh", None, "refresh", &token).await;
    assert_eq!(session["account"]["username"], player.name);
}
