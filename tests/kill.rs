//! `kill -9` loses nothing that was acknowledged.
//!
//! Players sit at several tables of the real program while it and its PostgreSQL are killed again and again.
//! Whoever gets no answer asks again under the same key, so that in the end every move was acknowledged, and
//! the logs must hold exactly the acknowledged moves.

mod audit;

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::watch;

use self::audit::audit;
use super::api::app::PASSWORD;
use super::attempt::{Expired, attempt};
use super::eventually::within;
use super::folder::Folder;
use super::kill_9;
use super::random::dice::Dice;
use super::random::orders::{list, order};
use super::seed::seed_of_this_run;

/// How much is killed, and who plays meanwhile.
struct Run {
    rounds: usize,
    /// The kills of a round, in an order that the dice choose.
    services: usize,
    postgres: usize,
    /// Accounts; each plays at several tables.
    clients: usize,
    /// The tables that are played at the same time. Each begins a new game until all kills are done.
    tables: u64,
    /// Beyond this an answer is given up, and the test with it. After a quarter of it nothing more is killed until the
    /// answer is there, so that only the house can be to blame.
    limit: Duration,
}

/// The most acknowledged moves between one kill and the next.
const MOVES_BETWEEN: u64 = 30;
/// The most seats of a game.
const SEATS: usize = 4;

#[derive(Clone, Copy)]
enum Victim {
    Service,
    Postgres,
}

#[tokio::test]
async fn kill_9_loses_nothing_that_was_acknowledged() {
    let limit = Duration::from_secs(30);
    Run { rounds: 6, services: 1, postgres: 1, clients: 4, tables: 6, limit }.play().await;
}

/// See CONTRIBUTING.md.
#[tokio::test]
#[ignore = "takes half an hour"]
async fn a_thousand_kills_lose_nothing_that_was_acknowledged() {
    let limit = Duration::from_secs(120);
    Run { rounds: 100, services: 10, postgres: 1, clients: 16, tables: 16, limit }.play().await;
}

impl Run {
    async fn play(&self) {
        let (seed, began) = (seed_of_this_run(), Instant::now());
        let folder = Folder::new();
        let mut house = House::open(&folder).await;
        let room = Room::enter(&house, self).await;

        let tables =
            (0..self.tables).map(|table| play_on(&room, table, Dice::new(seed.wrapping_add(1 + table))));
        let (games, ()) =
            tokio::join!(join_all(tables), self.kill_again_and_again(&mut house, &room, Dice::new(seed)));

        let (mut played, mut moves) = (0, 0);
        for game in games.iter().flatten() {
            audit(&room, game).await;
            (played, moves) = (played + 1, moves + game.moves.len());
        }
        for player in &room.players {
            still_signed_in(&room, player).await;
        }
        house.close();
        println!(
            "{} kills of the service and {} of PostgreSQL under {} clients: {moves} acknowledged moves in {played} \
             games, none lost, none twice; SEED={seed}, {} s",
            self.rounds * self.services,
            self.rounds * self.postgres,
            self.clients,
            began.elapsed().as_secs(),
        );
    }

    async fn kill_again_and_again(&self, house: &mut House<'_>, room: &Room, mut dice: Dice) {
        for round in 1..=self.rounds {
            let mut victims =
                [vec![Victim::Service; self.services], vec![Victim::Postgres; self.postgres]].concat();
            dice.shuffle(&mut victims);
            for victim in victims {
                room.let_pass(1 + dice.below(MOVES_BETWEEN)).await;
                house.kill(victim, room).await;
            }
            println!("round {round} of {}: {} moves are acknowledged", self.rounds, *room.moves.borrow());
        }
        room.let_pass(1).await;
        room.kills_are_over.set(true);
    }
}

/// The program under test, on a folder that outlives it.
struct House<'f> {
    folder: &'f Folder,
    program: Child,
    /// Where it listens: elsewhere after every start.
    address: watch::Sender<String>,
}

impl House<'_> {
    async fn open(folder: &Folder) -> House<'_> {
        let (program, address) = start(folder).await;
        House { folder, program, address: watch::Sender::new(address) }
    }

    /// The service is started again; PostgreSQL has to come back by itself.
    async fn kill(&mut self, victim: Victim, room: &Room) {
        match victim {
            Victim::Service => {
                self.program.kill().unwrap();
                self.program.wait().unwrap();
                let (program, address) = start(self.folder).await;
                self.program = program;
                self.address.send_replace(address);
            }
            Victim::Postgres => {
                let file = self.folder.cluster().join("postmaster.pid");
                // An earlier kill may still be felt.
                let ready = within(room.limit, async || {
                    let text = std::fs::read_to_string(&file).ok()?;
                    let pid = text.lines().next()?;
                    let is_alive = std::path::Path::new("/proc").join(pid).exists();
                    (is_alive && text.trim_end().ends_with("ready")).then(|| pid.to_owned())
                });
                kill_9(&ready.await.expect("PostgreSQL comes back"));
            }
        }
    }

    /// Asks the program to end, and waits until it has, its PostgreSQL too.
    fn close(mut self) {
        let asked = Command::new("kill").arg(self.program.id().to_string()).status().unwrap();
        assert!(asked.success() && self.program.wait().unwrap().success());
    }
}

impl Drop for House<'_> {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Starts the program on its folder.
pub async fn start(folder: &Folder) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    command.args(["--listen=127.0.0.1:0", "--rate-limit=1000000", "--log=error", "--data-dir"]);
    command.arg(folder.data_dir()).env_remove("DATABASE_URL");
    launch(command).await
}

/// Starts the program, and gives its address once it serves. The clients go on asking meanwhile.
pub async fn launch(mut command: Command) -> (Child, String) {
    command.stdout(Stdio::piped());
    let started = tokio::task::spawn_blocking(move || {
        let mut program = command.spawn().unwrap();
        // The pipe stays open behind the first line, or the program could not print the others.
        let stdout = program.stdout.as_mut().unwrap();
        let greeting = BufReader::new(stdout).lines().next().expect("it starts").unwrap();
        (program, greeting)
    });
    let (program, greeting) = started.await.unwrap();
    let address = greeting.split_once("serves ").and_then(|(_, url)| url.strip_suffix("/v1"));
    (program, address.expect("the first line tells where").to_owned())
}

/// What the clients share.
struct Room {
    http: reqwest::Client,
    address: watch::Receiver<String>,
    players: Vec<Player>,
    /// How many moves have been acknowledged.
    moves: watch::Sender<u64>,
    kills_are_over: Cell<bool>,
    /// How many requests have waited for a quarter of the limit.
    late: Cell<usize>,
    limit: Duration,
}

struct Player {
    name: String,
    /// It holds for a quarter of an hour; then there is another.
    access_token: RefCell<String>,
    refresh_token: String,
}

impl Room {
    async fn enter(house: &House<'_>, run: &Run) -> Room {
        let mut room = Room {
            http: reqwest::Client::builder().timeout(run.limit / 4).build().unwrap(),
            address: house.address.subscribe(),
            players: Vec::new(),
            moves: watch::Sender::new(0),
            kills_are_over: Cell::new(false),
            late: Cell::new(0),
            limit: run.limit,
        };
        for client in 0..run.clients {
            let credentials = json!({"username": format!("player{client}"), "password": PASSWORD});
            let session = room.ask(Method::POST, "/v1/auth/register", None, "register", &credentials).await;
            let word = |value: &Value| value.as_str().unwrap().to_owned();
            room.players.push(Player {
                name: word(&session["account"]["username"]),
                access_token: RefCell::new(word(&session["access_token"])),
                refresh_token: word(&session["refresh_token"]),
            });
        }
        room
    }

    /// Asks until there is an answer, under one key. That the house is away is the only excuse for none.
    async fn ask(&self, method: Method, path: &str, by: Option<&Player>, key: &str, body: &Value) -> Value {
        let (began, is_late) = (Instant::now(), Cell::new(false));
        let answer = within(self.limit, async || {
            if began.elapsed() > self.limit / 4 && !is_late.replace(true) {
                self.late.update(|late| late + 1);
            }
            let url = format!("{}{path}", *self.address.borrow());
            let token = by.map(|player| player.access_token.borrow().clone()).unwrap_or_default();
            match (attempt(self.http.request(method.clone(), url), &token, key, body).await?, by) {
                (Err(Expired), Some(player)) => self.sign_in(player).await.and(None),
                (answer, _) => answer.ok(),
            }
        });
        let answer = answer.await.unwrap_or_else(|| panic!("{path} {key} {body}: no answer"));
        self.late.update(|late| late - usize::from(is_late.get()));
        answer
    }

    async fn sign_in(&self, player: &Player) -> Option<()> {
        let url = format!("{}/v1/auth/login", *self.address.borrow());
        let credentials = json!({"username": player.name, "password": PASSWORD});
        let response = self.http.post(url).json(&credentials).send().await.ok()?;
        let session: Value = response.error_for_status().ok()?.json().await.ok()?;
        session["access_token"].as_str()?.clone_into(&mut player.access_token.borrow_mut());
        Some(())
    }

    async fn look(&self, path: &str, by: Option<&Player>) -> Value {
        self.ask(Method::GET, path, by, "look", &json!({})).await
    }

    /// Waits for so many more moves to be acknowledged, and until nobody has waited for long.
    async fn let_pass(&self, moves: u64) {
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
struct Played {
    path: String,
    kind: &'static str,
    version: u64,
    moves: Vec<Move>,
}

#[derive(Debug, PartialEq, Eq)]
struct Move {
    seq: u64,
    seat: u64,
    player: String,
    action: Value,
}

/// Plays at one table until all kills are done.
async fn play_on(room: &Room, table: u64, mut dice: Dice) -> Vec<Played> {
    // With options under which each kind shuffles the whole deck.
    let (kind, options) = if table.is_multiple_of(2) {
        ("ritunas_favour", json!({"kings": "worthless"}))
    } else {
        ("royal_gambit", json!({}))
    };
    let mut games = Vec::new();
    while games.is_empty() || !room.kills_are_over.get() {
        let name = format!("table-{table}-{}", games.len());
        games.push(play(room, kind, &options, &name, &mut dice).await);
    }
    games
}

/// Plays one game, each seat choosing from its menu. One move in four is sent twice at the same time.
async fn play(room: &Room, kind: &'static str, options: &Value, name: &str, dice: &mut Dice) -> Played {
    let mut players: Vec<&Player> = room.players.iter().collect();
    dice.shuffle(&mut players);
    players.truncate(2 + dice.below(SEATS as u64 - 1) as usize);
    let wanted =
        json!({"kind": kind, "options": options, "seats": players.len(), "sit": true, "client_seed": name});
    let mut game = room.ask(Method::POST, "/v1/games", Some(players[0]), name, &wanted).await;
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    for player in &players[1..] {
        let seat = json!({"client_seed": player.name});
        game = room.ask(Method::POST, &format!("{path}/seats"), Some(player), "sit", &seat).await;
    }
    let mut moves = Vec::new();
    while game["status"] == "active" {
        let seat = game["to_act"][0].as_u64().unwrap();
        let player = players[seat as usize];
        let before = room.look(&path, Some(player)).await;
        assert_eq!(before["version"], game["version"], "only what was acknowledged is in the log");
        let action = order(dice.pick(list(&before["legal_actions"])), dice);
        let (key, to) = (format!("after-{}", before["version"]), format!("{path}/actions"));
        let act = || room.ask(Method::POST, &to, Some(player), &key, &action);
        game = if dice.one_in(4) {
            let (answer, other) = tokio::join!(act(), act());
            assert_eq!(answer, other, "a repeat gets the first answer");
            answer
        } else {
            act().await
        };
        room.moves.send_modify(|moves| *moves += 1);
        let seq = game["seq"].as_u64().unwrap();
        assert_eq!(seq, before["version"].as_u64().unwrap() + 1);
        moves.push(Move { seq, seat, player: player.name.clone(), action });
    }
    Played { path, kind, version: game["version"].as_u64().unwrap(), moves }
}

/// What was signed and stored before the kills holds after them.
async fn still_signed_in(room: &Room, player: &Player) {
    let me = room.look("/v1/me", Some(player)).await;
    assert_eq!(me["username"], player.name);
    let token = json!({"refresh_token": player.refresh_token});
    let session = room.ask(Method::POST, "/v1/auth/refresh", None, "refresh", &token).await;
    assert_eq!(session["account"]["username"], player.name);
}
