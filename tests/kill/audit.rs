//! Whether logs hold what their players remember.

use std::fmt;

use cardroom_core::log::fairness::{Seed, Source};
use cardroom_core::log::{Hex32, chain};
use serde_json::{Value, json};

use super::room::{Move, Played, Room, still_signed_in};
use crate::random::orders::list;

/// What happened in games whose logs hold all of it.
#[derive(Default)]
pub struct Audited {
    games: usize,
    moves: usize,
    breaks: u64,
    /// How often the clock acted.
    pub by_clock: usize,
}

impl fmt::Display for Audited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Audited { games, moves, breaks, by_clock } = self;
        write!(
            f,
            "{moves} acknowledged moves in {games} games, none lost, none twice; {breaks} streams broke off and went on \
             without a gap; decisions by the clock: {by_clock}"
        )
    }
}

/// Audits the games of all tables. All players are still signed in, too.
pub async fn audit_all(room: &Room, tables: &[Vec<Played>]) -> Audited {
    let mut audited = Audited::default();
    for game in tables.iter().flatten() {
        audited.by_clock += audit(room, game).await;
        audited.games += 1;
        audited.moves += game.moves.len();
        audited.breaks += game.breaks;
    }
    for player in &room.players {
        still_signed_in(room, player).await;
    }
    audited
}

/// The log holds the acknowledged moves and no others of players, and everything follows from the seeds. Returns how often
/// the clock acted.
async fn audit(room: &Room, played: &Played) -> usize {
    let game = room.look(&played.path, None).await;
    assert_eq!((&game["status"], game["version"].as_u64()), (&json!("finished"), Some(played.version)));
    let log = whole_log(room, &played.path).await;
    assert!(log.iter().map(|entry| entry["seq"].as_u64().unwrap()).eq(1..=played.version));

    let acted = log.iter().filter(|entry| entry["type"] == "acted");
    let (by_clock, by_players): (Vec<&Value>, Vec<&Value>) =
        acted.partition(|entry| entry["by"]["type"] == "clock");
    let by_players: Vec<Move> = by_players.into_iter().map(as_move).collect();
    assert_eq!(by_players, played.moves, "{}", played.path);

    let seed = Seed::new(hex32(&game["fairness"]["server_seed"]).0);
    assert_eq!(seed.commitment(), hex32(&log[0]["data"]["commitment"]));
    assert_chained(&seed, &log);
    let deck = room.look(&format!("/v1/kinds/{}", played.kind), None).await["deck"].take();
    assert_chances(seed, &game["id"], &log, list(&deck));
    by_clock.len()
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

fn hex32(value: &Value) -> Hex32 {
    value.as_str().unwrap().parse().unwrap()
}
