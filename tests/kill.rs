//! `kill -9` loses nothing that was acknowledged.
//!
//! Guests play on several tables of the real program while it and its PostgreSQL are killed again and again.
//! Whoever gets no answer asks again under the same key, so that in the end every move was acknowledged, and
//! the logs must hold exactly the acknowledged moves.

use std::cell::Cell;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use cardroom::ledger::fairness::{Seed, Source};
use cardroom::ledger::{Hex32, chain};
use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::embedded::{Folder, eventually, kill_9};
use super::laws::dice::Dice;
use super::laws::orders::{list, order};

/// How often the service is killed, and how often PostgreSQL.
const KILLS_OF_EACH: usize = 6;
/// The most acknowledged moves between one kill and the next.
const MOVES_BETWEEN: u64 = 30;
/// The tables that are played at the same time. Each begins a new game until all kills are done.
const TABLES: u64 = 6;
const GUESTS: usize = 4;
/// Beyond this an answer is given up, and the test with it.
const LIMIT: Duration = Duration::from_secs(30);

#[derive(Clone, Copy)]
enum Victim {
    Service,
    Postgres,
}

#[tokio::test]
async fn kill_9_loses_nothing_that_was_acknowledged() {
    let seed: u64 = rand::random();
    println!("the dice of this run: {seed}");
    let folder = Folder::new();
    let mut house = House::open(&folder).await;
    let room = Room::enter(&house).await;

    let tables = (0..TABLES).map(|table| play_on(&room, table, Dice::new(seed.wrapping_add(1 + table))));
    let (games, ()) =
        tokio::join!(join_all(tables), kill_again_and_again(&mut house, &room, Dice::new(seed)));

    for played in games.iter().flatten() {
        audit(&room, played).await;
    }
    for guest in &room.guests {
        still_signed_in(&room, guest).await;
    }
    house.close();
}

async fn kill_again_and_again(house: &mut House<'_>, room: &Room, mut dice: Dice) {
    for _ in 0..KILLS_OF_EACH {
        let mut victims = [Victim::Service, Victim::Postgres];
        dice.shuffle(&mut victims);
        for victim in victims {
            room.let_pass(1 + dice.below(MOVES_BETWEEN)).await;
            house.kill(victim).await;
        }
    }
    room.let_pass(1).await;
    room.kills_are_over.set(true);
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
    async fn kill(&mut self, victim: Victim) {
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
                kill_9(std::fs::read_to_string(file).unwrap().lines().next().unwrap());
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
    guests: Vec<Guest>,
    /// How many moves have been acknowledged.
    moves: watch::Sender<u64>,
    kills_are_over: Cell<bool>,
}

struct Guest {
    name: String,
    access_token: String,
    refresh_token: String,
}

impl Room {
    async fn enter(house: &House<'_>) -> Room {
        let mut room = Room {
            http: reqwest::Client::builder().timeout(LIMIT).build().unwrap(),
            address: house.address.subscribe(),
            guests: Vec::new(),
            moves: watch::Sender::new(0),
            kills_are_over: Cell::new(false),
        };
        for _ in 0..GUESTS {
            let session = room.ask(Method::POST, "/v1/auth/guest", None, "guest", &json!({})).await;
            let word = |value: &Value| value.as_str().unwrap().to_owned();
            room.guests.push(Guest {
                name: word(&session["account"]["username"]),
                access_token: word(&session["access_token"]),
                refresh_token: word(&session["refresh_token"]),
            });
        }
        room
    }

    /// Asks until there is an answer, under one key. That the house is away is the only excuse for none.
    async fn ask(&self, method: Method, path: &str, by: Option<&Guest>, key: &str, body: &Value) -> Value {
        let answer = eventually(async || {
            let url = format!("{}{path}", *self.address.borrow());
            let request = self.http.request(method.clone(), url).header("idempotency-key", key).json(body);
            let request = match by {
                Some(guest) => request.bearer_auth(&guest.access_token),
                None => request,
            };
            let response = request.send().await.ok()?;
            let status = response.status();
            let answer: Value = response.json().await.ok()?;
            if status == StatusCode::SERVICE_UNAVAILABLE {
                return None;
            }
            assert!(status.is_success(), "{path} {key} {body}: {status} {answer}");
            Some(answer)
        });
        answer.await.unwrap_or_else(|| panic!("{path} {key} {body}: no answer"))
    }

    async fn look(&self, path: &str, by: Option<&Guest>) -> Value {
        self.ask(Method::GET, path, by, "look", &json!({})).await
    }

    /// Waits for so many more moves to be acknowledged.
    async fn let_pass(&self, moves: u64) {
        let mut progress = self.moves.subscribe();
        let aim = *progress.borrow() + moves;
        let passed = tokio::time::timeout(LIMIT, progress.wait_for(|moves| *moves >= aim)).await;
        assert!(passed.is_ok(), "the tables stand still");
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
    let mut players: Vec<&Guest> = room.guests.iter().collect();
    dice.shuffle(&mut players);
    players.truncate(2 + dice.below(GUESTS as u64 - 1) as usize);
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

/// The log holds the acknowledged moves and no others, and everything follows from the seeds.
async fn audit(room: &Room, played: &Played) {
    let game = room.look(&played.path, None).await;
    assert_eq!((&game["status"], game["version"].as_u64()), (&json!("finished"), Some(played.version)));
    let log = whole_log(room, &played.path).await;
    assert!(log.iter().map(|entry| entry["seq"].as_u64().unwrap()).eq(1..=played.version));

    let acted: Vec<Move> = log.iter().filter(|entry| entry["type"] == "acted").map(as_move).collect();
    assert_eq!(acted, played.moves, "{}", played.path);

    let seed = Seed::new(hex32(&game["fairness"]["server_seed"]).0);
    assert_eq!(seed.commitment(), hex32(&log[0]["data"]["commitment"]));
    assert_chained(&seed, &log);
    let deck = room.look(&format!("/v1/kinds/{}", played.kind), None).await["deck"].take();
    assert_chances(seed, &game["id"], &log, list(&deck));
}

async fn whole_log(room: &Room, path: &str) -> Vec<Value> {
    let (mut log, mut after) = (Vec::new(), json!(0));
    while !after.is_null() {
        let mut page = room.look(&format!("{path}/log?limit=200&after={after}"), None).await;
        log.append(page["items"].as_array_mut().unwrap());
        after = page["next"].take();
    }
    log
}

fn as_move(entry: &Value) -> Move {
    Move {
        seq: entry["seq"].as_u64().unwrap(),
        seat: entry["seat"].as_u64().unwrap(),
        player: entry["by"]["player"].as_str().unwrap().to_owned(),
        action: entry["data"]["action"].clone(),
    }
}

fn assert_chained(seed: &Seed, log: &[Value]) {
    let mut hash = chain::GENESIS;
    for (entry, seq) in log.iter().zip(1..) {
        let mut bare = entry.clone();
        let told = bare.as_object_mut().unwrap().remove("hash").unwrap();
        hash = chain::hash(hash, seed, seq, &chain::canonical(&bare));
        assert_eq!(hash, hex32(&told), "entry {seq}");
    }
}

/// Nobody left before the start, so the client seeds stand in the order of the seats.
fn assert_chances(seed: Seed, id: &Value, log: &[Value], deck: &[Value]) {
    let of_type = |wanted: &'static str| log.iter().filter(move |entry| entry["type"] == wanted);
    let client_seeds = of_type("seated").map(|entry| entry["data"]["client_seed"].as_str().unwrap());
    let source = Source::new(seed, id.as_str().unwrap().parse().unwrap(), client_seeds);
    for (entry, k) in of_type("chance").zip(0..) {
        let data = &entry["data"];
        assert_eq!(data["k"], k);
        if k == 0 {
            let drawn = source.chance(k).uniform(data["pick"]["of"].as_u64().unwrap() as u32);
            assert_eq!(data["pick"]["result"], drawn);
        } else {
            let mut cards: Vec<&Value> = deck.iter().map(|card| &card["card"]).collect();
            source.chance(k).shuffle(&mut cards);
            assert_eq!(data["shuffle"]["result"], json!(cards), "chance {k}");
        }
    }
}

/// What was signed and stored before the kills holds after them.
async fn still_signed_in(room: &Room, guest: &Guest) {
    let me = room.look("/v1/me", Some(guest)).await;
    assert_eq!(me["username"], guest.name);
    let token = json!({"refresh_token": guest.refresh_token});
    let session = room.ask(Method::POST, "/v1/auth/refresh", None, "refresh", &token).await;
    assert_eq!(session["account"]["username"], guest.name);
}

fn hex32(value: &Value) -> Hex32 {
    value.as_str().unwrap().parse().unwrap()
}
