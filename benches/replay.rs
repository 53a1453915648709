//! How fast logs are replayed, in memory and on one core: `cargo bench --bench replay`.
//!
//! For each kind the logs of random games at a full table, in entries a second: from entries that have been
//! read, and from their text as the database holds it. Medians of nine rounds.

use std::time::Instant;

use cardroom::ledger::Hex32;
use cardroom::ledger::entry::{Entry, Visibility};
use cardroom::ledger::fairness::Seed;
use cardroom::rules::registry::{self, Kind};
use cardroom::table::decide::{Command, NewGame};
use cardroom::table::{Actor, Table};
use jiff::Timestamp;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use uuid::Uuid;

const ROUNDS: usize = 9;
const GAMES: usize = 100;

fn main() {
    println!("{:16} {:>10} {:>16} {:>16}", "kind", "entries", "read, 1/s", "from text, 1/s");
    for kind in registry::newest() {
        let mut rng = StdRng::seed_from_u64(1);
        let logs: Vec<Vec<(String, Hex32)>> = (0..GAMES).map(|_| log_of_a_game(kind, &mut rng)).collect();
        let read: Vec<Vec<(Entry, Hex32)>> = logs.iter().map(|log| parsed(log)).collect();
        let entries: usize = logs.iter().map(Vec::len).sum();
        let replays = median(|| read.iter().for_each(|log| replay(log.clone())));
        let from_text = median(|| logs.iter().for_each(|log| replay(parsed(log))));
        let per_second = |seconds: f64| entries as f64 / seconds;
        println!(
            "{:16} {entries:>10} {:>16.0} {:>16.0}",
            kind.kind,
            per_second(replays),
            per_second(from_text)
        );
    }
}

/// The median of the rounds' times, in seconds.
fn median(mut round: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            round();
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

/// The log of a random game at a full table.
fn log_of_a_game(kind: &'static Kind, rng: &mut StdRng) -> Vec<(String, Hex32)> {
    let new = NewGame {
        kind,
        options: kind.resolve_options(&raw(&json!({}))).expect("defaults are good"),
        seats: kind.max_seats,
        visibility: Visibility::Public,
        sit: Some(String::new()),
    };
    let (seed, at) = (Seed::new(rng.random()), Timestamp::UNIX_EPOCH);
    let mut step = Table::create(Uuid::nil(), seed, &actor(0), new, at).expect("it can be made");
    let mut log = Vec::new();
    for guests in 1.. {
        log.extend(step.entries.iter().map(|sealed| (sealed.text.clone(), sealed.hash)));
        let table = step.table;
        if table.is_over() {
            break;
        }
        let next = match table.to_act().iter().next() {
            None => {
                let sit = Command::Sit { client_seed: String::new(), invite: None };
                table.decide(&actor(guests), &sit, at)
            }
            Some(seat) => {
                let action = random_action(&table.legal_actions(Some(seat)), rng);
                table.decide(&actor(u128::from(seat)), &Command::Act { action }, at)
            }
        };
        step = next.expect("it is legal");
    }
    log
}

fn actor(n: u128) -> Actor {
    Actor { account: Uuid::from_u128(n), username: format!("p{n}"), admin: false }
}

fn random_action(menu: &RawValue, rng: &mut StdRng) -> Box<RawValue> {
    let menu: Vec<Value> = serde_json::from_str(menu.get()).expect("a menu is a list");
    let line = menu.choose(rng).expect("somebody can act");
    let mut action = json!({"type": line["type"]});
    for (name, domain) in line["params"].as_object().expect("params are named") {
        let from = domain["from"].as_array().map(Vec::as_slice).unwrap_or_default();
        action[name] = match domain["type"].as_str() {
            Some("integer") => domain["min"].clone(),
            Some("cards") => from[..domain["min"].as_u64().expect("a number") as usize].into(),
            _ => from.choose(rng).expect("there is a choice").clone(),
        };
    }
    raw(&action)
}

fn parsed(log: &[(String, Hex32)]) -> Vec<(Entry, Hex32)> {
    log.iter().map(|(text, hash)| (Entry::parse(text).expect("we wrote it"), *hash)).collect()
}

fn replay(log: Vec<(Entry, Hex32)>) {
    let table = Table::replay(Uuid::nil(), Seed::new([0; 32]), log).expect("it replays");
    assert!(table.is_over());
}

fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("it is JSON")
}
