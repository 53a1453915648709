//! Three replicas on one PostgreSQL: whoever comes and goes between them misses nothing and gets nothing twice.

use std::cell::{Cell, RefCell};
use std::process::{Child, Command};

use cardroom::store::accounts::set_role;
use cardroom::store::append::{Append, AppendOutcome, NewEntry};
use cardroom::store::database::Database;
use cardroom::store::deadlines::Due;
use cardroom::store::log::Log;
use cardroom_core::table::{Actor, decide};
use diesel_async::SimpleAsyncConnection;
use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Duration, timeout};

use super::super::app::{PASSWORD, TestApp, TestDatabase};
use super::super::client::{Event, Events};
use super::super::games::{started, turn};
use super::{Truth, actor, id_of, pass};
use crate::attempt::{attempt, unexpired};
use crate::eventually::eventually;
use crate::kill::launch;
use crate::random::dice::Dice;
use crate::random::orders::{list, order};
use crate::seed::seed_of_this_run;

/// The most events that a watcher takes before it goes elsewhere.
const STAY: u64 = 6;

#[tokio::test]
async fn three_replicas_show_a_hundred_games_to_watchers_who_come_and_go() {
    let app = TestApp::start_with(|settings| {
        (settings.rate_limit, settings.stream_limit) = (1_000_000, 1_000);
        settings.stream_limit_per_address = 1_000;
    });
    let app = app.await;
    let replicas = [app.replica().await, app.replica().await];
    let bases = [&app, &replicas[0], &replicas[1]].map(|app| app.base().to_owned());
    let room = Room::enter(bases, &app.database, seed_of_this_run()).await;
    let games = join_all((0..100).map(|game| room.game(game, 10))).await;
    for watched in games.iter().flatten() {
        watched.check(&app.database).await;
    }
}

#[tokio::test]
async fn kill_9_of_replicas_costs_watchers_nothing_but_their_connections() {
    let database = TestDatabase::create().await;
    let mut programs = Vec::new();
    for _ in 0..3 {
        programs.push(start(&database).await);
    }
    let bases: Vec<String> = programs.iter().map(|(_, base)| base.clone()).collect();
    let room = Room::enter(bases.try_into().unwrap(), &database, seed_of_this_run()).await;
    let kill_all = async {
        for nth in 0..6 {
            room.let_pass(25).await;
            let (program, _) = &mut programs[nth % 3];
            program.kill().unwrap();
            program.wait().unwrap();
            programs[nth % 3] = start(&database).await;
            room.bases.borrow_mut()[nth % 3].clone_from(&programs[nth % 3].1);
        }
        room.kills_are_over.set(true);
    };
    let (games, ()) = tokio::join!(join_all((0..6).map(|game| room.games_during_kills(game))), kill_all);
    for (program, _) in &mut programs {
        program.kill().unwrap();
        program.wait().unwrap();
    }
    for watched in games.iter().flatten() {
        watched.check(&database).await;
    }
}

pub async fn start(database: &TestDatabase) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    command.args([
        "--listen=127.0.0.1:0",
        "--rate-limit=1000000",
        "--stream-limit=1000",
        "--stream-limit-per-address=1000",
        "--log=error",
        "--webhook-networks=127.0.0.0/8",
    ]);
    command.args(["--workers=1", "--db-connections=3", "--database-url", &database.url]);
    launch(command).await
}

/// What all players and watchers share.
pub struct Room {
    pub http: reqwest::Client,
    /// Where the replicas listen now.
    pub bases: RefCell<[String; 3]>,
    dice: RefCell<Dice>,
    admin: String,
    /// How many moves have been made.
    moves: watch::Sender<u64>,
    kills_are_over: Cell<bool>,
}

/// Somebody's stream, put together from all its pieces.
struct Watched {
    path: String,
    viewer: Option<Actor>,
    events: Vec<Event>,
}

impl Watched {
    async fn check(&self, database: &TestDatabase) {
        Truth::of(database, id_of(&self.path)).await.check(&self.events, None, self.viewer.as_ref());
    }
}

impl Room {
    pub async fn enter(bases: [String; 3], database: &TestDatabase, seed: u64) -> Room {
        let mut room = Room {
            http: reqwest::Client::new(),
            bases: RefCell::new(bases),
            dice: RefCell::new(Dice::new(seed)),
            admin: String::new(),
            moves: watch::Sender::new(0),
            kills_are_over: Cell::new(false),
        };
        let credentials = json!({"username": "referee", "password": PASSWORD});
        room.ask(Method::POST, "/v1/auth/register", "", "", &credentials).await;
        let own = Database::new(&database.url, 1).unwrap();
        assert!(set_role(&own, "referee", "admin").await.unwrap());
        let session = room.ask(Method::POST, "/v1/auth/login", "", "", &credentials).await;
        room.admin = word(&session["access_token"]);
        room
    }

    /// Any of the replicas.
    pub fn base(&self) -> String {
        self.dice.borrow_mut().pick(&*self.bases.borrow()).clone()
    }

    pub fn below(&self, n: u64) -> u64 {
        self.dice.borrow_mut().below(n)
    }

    /// Asks replicas until one answers.
    pub async fn ask(&self, method: Method, path: &str, token: &str, key: &str, body: &Value) -> Value {
        let answer = eventually(async || {
            let request = self.http.request(method.clone(), self.base() + path);
            unexpired(attempt(request, token, key, body).await)
        });
        answer.await.unwrap_or_else(|| panic!("{path} {key} {body}: no answer"))
    }

    async fn let_pass(&self, moves: u64) {
        let aim = *self.moves.borrow() + moves;
        self.moves.subscribe().wait_for(|moves| *moves >= aim).await.unwrap();
    }

    /// Waits for so many moves, or until it is over.
    pub async fn let_pass_or(&self, moves: u64, over: &Cell<bool>) {
        let aim = *self.moves.borrow() + moves;
        let mut made = self.moves.subscribe();
        while *made.borrow_and_update() < aim && !over.get() {
            let _ = timeout(Duration::from_millis(100), made.changed()).await;
        }
    }

    /// A game of two, called off after so many moves, with everybody who watched it: the two, and two more.
    async fn game(&self, nth: u64, moves: u64) -> Vec<Watched> {
        self.watched_game(nth, |made| made < moves).await
    }

    /// One game after the other, so that there are moves as long as there are kills.
    async fn games_during_kills(&self, nth: u64) -> Vec<Watched> {
        let mut watched = Vec::new();
        while !self.kills_are_over.get() {
            watched.extend(self.watched_game(nth, |_| !self.kills_are_over.get()).await);
        }
        watched
    }

    async fn watched_game(&self, nth: u64, goes_on: impl Fn(u64) -> bool) -> Vec<Watched> {
        let guest = async || self.ask(Method::POST, "/v1/auth/guest", "", "", &json!({})).await;
        let sessions = [guest().await, guest().await];
        let tokens = sessions.each_ref().map(|session| word(&session["access_token"]));
        let kind = ["royal_gambit", "ritunas_favour", "sevens", "knights_heads"][nth as usize % 4];
        let wanted = json!({"kind": kind, "seats": 2, "sit": true});
        let game = self.ask(Method::POST, "/v1/games", &tokens[0], "make", &wanted).await;
        let path = format!("/v1/games/{}", word(&game["id"]));
        let viewers = [(Some(0), 0), (Some(1), 1), (None, 0), (None, 0)];
        let watching = join_all(viewers.map(|(seat, token)| {
            let token = seat.map_or("", |_: usize| tokens[token].as_str());
            let viewer = seat.map(|seat| actor(&sessions[seat]));
            let events = self.watch(&path, token);
            let path = path.clone();
            async move { Watched { path, viewer, events: events.await } }
        }));
        let playing = self.play(&path, &tokens, goes_on);
        tokio::join!(watching, playing).0
    }

    pub async fn play(&self, path: &str, tokens: &[String; 2], goes_on: impl Fn(u64) -> bool) {
        self.ask(Method::POST, &format!("{path}/seats"), &tokens[1], "sit", &json!({})).await;
        let mut made = 0;
        let mut game = self.ask(Method::GET, path, "", "", &json!({})).await;
        while goes_on(made) && game["status"] == "active" {
            let mover = &tokens[turn(&game)];
            let menu = self.ask(Method::GET, path, mover, "", &json!({})).await["legal_actions"].take();
            let action = {
                let mut dice = self.dice.borrow_mut();
                order(dice.pick(list(&menu)), &mut dice)
            };
            let key = format!("after-{}", game["version"]);
            game = self.ask(Method::POST, &format!("{path}/actions"), mover, &key, &action).await;
            self.moves.send_modify(|moves| *moves += 1);
            made += 1;
        }
        if game["status"] == "active" {
            self.ask(Method::POST, &format!("{path}/abort"), &self.admin, "abort", &json!({})).await;
        }
    }

    /// Watches a game to its end, now here and now there.
    async fn watch(&self, path: &str, token: &str) -> Vec<Event> {
        let mut events: Vec<Event> = Vec::new();
        while events.last().is_none_or(|event| !is_over(event)) {
            let piece = eventually(async || {
                let mut request = self.http.get(format!("{}{path}/stream", self.base()));
                if !token.is_empty() {
                    request = request.bearer_auth(token);
                }
                if let Some(last) = events.last() {
                    request = request.header("last-event-id", &last.id);
                }
                request
                    .send()
                    .await
                    .ok()
                    .filter(|response| response.status() != StatusCode::SERVICE_UNAVAILABLE)
            });
            let mut piece = Events::of(piece.await.expect("a replica that answers")).await;
            for _ in 0..=self.below(STAY) {
                // A stream that breaks off is as good as one that was left.
                let Ok(Some(event)) = piece.try_next().await else { break };
                events.push(event);
            }
        }
        events
    }
}

fn is_over(event: &Event) -> bool {
    ["aborted", "finished"].iter().any(|status| event.data.contains(&format!(r#""status":"{status}""#)))
}

pub fn word(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_listener_that_is_killed_comes_back_and_misses_nothing() {
    let app = TestApp::start().await;
    let replica = app.replica().await;
    let (path, players) = started(&app, 2).await;
    let mut events = replica.anon().stream(&format!("{path}/stream")).await;
    assert_eq!(events.next().await.unwrap().id, "6");
    let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'cardroom listens'";
    let mut connection = app.database.connection().await;
    for round in 0..3 {
        connection.batch_execute(kill).await.unwrap();
        pass(&players, &path, 5).await;
        for nth in 1..=5 {
            assert_eq!(events.next().await.unwrap().id, (6 + round * 5 + nth).to_string());
        }
    }
}

#[tokio::test]
async fn what_nobody_tells_of_is_found_all_the_same() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let mut events = app.anon().stream(&format!("{path}/stream")).await;
    assert_eq!(events.next().await.unwrap().id, "6");
    let silent = Log::start(Database::new(&app.database.url, 1).unwrap(), 1);
    for id in 7..=9 {
        let mover = &players[turn(&players[0].get(&path).await.ok())];
        let truth = Truth::of(&app.database, id_of(&path)).await;
        let table = truth.table(truth.version());
        let action = RawValue::from_string(r#"{"type":"stay"}"#.to_owned()).unwrap();
        let step = table.decide(&actor(&mover.session), &decide::Command::Act { action }, app.clock.now());
        let entries = step.unwrap_or_else(|refusal| panic!("{}", refusal.detail)).entries.into_iter();
        let entries = entries.map(|sealed| NewEntry {
            seq: sealed.entry.seq.cast_signed(),
            entry: sealed.text,
            hash: sealed.hash.0,
        });
        let append =
            Append { game_id: table.id, entries: entries.collect(), claim: None, due: Due::Unchanged };
        assert_eq!(silent.append(append).await.unwrap(), AppendOutcome::Done);
        assert_eq!(events.next().await.unwrap().id, id.to_string());
    }
}
