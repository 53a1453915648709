//! How fast logs are replayed, in memory and on one core: `cargo bench --bench replay`.
//!
//! For each kind the logs of random games at a full table, in entries a second: by the rules alone, from chances and
//! actions of the kind's own types, each of them judged; as tables, from entries that have been read and from
//! their text as the database holds it; and from bundles with every check of an audit. Medians of nine rounds.

use std::borrow::Borrow;
use std::time::Instant;

use cardroom::accounts::signing::Key;
use cardroom_core::audit::{self, Bundle, Keys, Signed};
use cardroom_core::log::Hex32;
use cardroom_core::log::entry::{Acted, Chance, Drawn, Entry, Event, Visibility};
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::cards::CardName;
use cardroom_core::rules::knights_heads::KnightsHeads;
use cardroom_core::rules::registry::{self, Kind};
use cardroom_core::rules::ricketts_hearts::RickettsHearts;
use cardroom_core::rules::ritunas_favour::RitunasFavour;
use cardroom_core::rules::royal_gambit::RoyalGambit;
use cardroom_core::rules::sevens::Sevens;
use cardroom_core::rules::{self, Facts, Game, Seat};
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide::Command;
use cardroom_core::table::turns::Pace;
use cardroom_core::table::{Actor, Table};
use jiff::Timestamp;
use jsonwebtoken::jwk::JwkSet;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use uuid::Uuid;

const ROUNDS: usize = 9;
const GAMES: usize = 100;

fn main() {
    let [kind, entries, rules, read, text, audited] =
        ["kind", "entries", "typed, 1/s", "read, 1/s", "from text, 1/s", "audited, 1/s"];
    println!("{kind:16} {entries:>10} {rules:>16} {read:>16} {text:>16} {audited:>16}");
    let key = Key::new("bench".to_owned(), &[1; 32], Timestamp::UNIX_EPOCH).expect("32 bytes are a key");
    let keys = Keys::Known(JwkSet { keys: vec![key.jwk()] });
    for kind in registry::newest() {
        let mut rng = StdRng::seed_from_u64(1);
        let games: Vec<(Table, Vec<(String, Hex32)>)> = (0..GAMES).map(|_| a_game(kind, &mut rng)).collect();
        let bundles: Vec<String> = games.iter().map(|(table, log)| bundle(table, log, &key)).collect();
        let logs: Vec<&Vec<(String, Hex32)>> = games.iter().map(|(_, log)| log).collect();
        let read: Vec<Vec<(Entry, Hex32)>> = logs.iter().map(|log| parsed(log)).collect();
        let entries: usize = logs.iter().map(|log| log.len()).sum();
        let typed = typed(kind.kind, &read);
        let replays =
            median(|| read.iter().for_each(|log| replay(log.iter().map(|(entry, hash)| (entry, *hash)))));
        let from_text = median(|| logs.iter().for_each(|log| replay(parsed(log))));
        let audits = median(|| bundles.iter().for_each(|text| audit(text, &keys)));
        let per_second = |seconds: f64| entries as f64 / seconds;
        println!(
            "{:16} {entries:>10} {typed:>16.0} {:>16.0} {:>16.0} {:>16.0}",
            kind.kind,
            per_second(replays),
            per_second(from_text),
            per_second(audits)
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

/// How many entries of these logs a kind's rules take a second.
fn typed(kind: &str, logs: &[Vec<(Entry, Hex32)>]) -> f64 {
    match kind {
        RitunasFavour::KIND => typed_as::<RitunasFavour>(logs),
        Sevens::KIND => typed_as::<Sevens>(logs),
        RickettsHearts::KIND => typed_as::<RickettsHearts>(logs),
        KnightsHeads::KIND => typed_as::<KnightsHeads>(logs),
        RoyalGambit::KIND => typed_as::<RoyalGambit>(logs),
        other => unreachable!("{other} is no kind"),
    }
}

/// What rules are told.
enum Input<G: Game> {
    Chance(rules::Chance<G::Card>),
    Action(Seat, G::Action),
}

fn typed_as<G: Game>(logs: &[Vec<(Entry, Hex32)>]) -> f64 {
    let inputs = |log: &Vec<(Entry, Hex32)>| log.iter().filter_map(|(entry, _)| input(entry)).collect();
    let games: Vec<Vec<Input<G>>> = logs.iter().map(inputs).collect();
    let seconds = median(|| {
        for inputs in &games {
            let mut game = G::new(G::Options::default(), *G::SEATS.end()).expect("defaults are good");
            let facts = &mut Facts::ignored();
            for input in inputs {
                match input {
                    Input::Chance(chance) => {
                        rules::draw(&mut game, chance.clone(), facts).expect("it was asked")
                    }
                    Input::Action(seat, action) => {
                        rules::play(&mut game, *seat, action, facts).expect("it is legal");
                    }
                }
            }
            assert!(game.outcome().is_some());
        }
    });
    games.iter().map(Vec::len).sum::<usize>() as f64 / seconds
}

fn input<G: Game>(entry: &Entry) -> Option<Input<G>> {
    match &entry.event {
        Event::Chance(Chance { drawn: Drawn::Pick { result, .. }, .. }) => {
            Some(Input::Chance(rules::Chance::Pick(*result)))
        }
        Event::Chance(Chance { drawn: Drawn::Shuffle { result: Some(order) }, .. }) => {
            let card = |name: &CardName| G::Card::try_from(*name).expect("it is of this deck");
            Some(Input::Chance(rules::Chance::Shuffle(order.iter().map(card).collect())))
        }
        Event::Acted(Acted { action, .. }) => {
            let action = serde_json::from_str(action.get()).expect("it is of this kind");
            Some(Input::Action(entry.seat?, action))
        }
        _ => None,
    }
}

/// A random game at a full table, and its log.
fn a_game(kind: &'static Kind, rng: &mut StdRng) -> (Table, Vec<(String, Hex32)>) {
    let new = NewGame {
        kind,
        options: kind.resolve_options(&raw(&json!({}))).expect("defaults are good"),
        seats: kind.max_seats,
        visibility: Visibility::Public,
        sit: Some(String::new()),
        pace: Pace::default(),
        bots: Vec::new(),
        rated: true,
    };
    let (seed, at) = (Seed::new(rng.random()), Timestamp::UNIX_EPOCH);
    let mut step = Table::create(Uuid::nil(), seed, &actor(0), new, at).expect("it can be made");
    let mut log = Vec::new();
    let mut guests = 0;
    loop {
        guests += 1;
        log.extend(step.entries.iter().map(|sealed| (sealed.text.clone(), sealed.hash)));
        let table = step.table;
        if table.is_over() {
            return (table, log);
        }
        let next = match table.to_act().iter().next() {
            None => {
                let sit = Command::Sit { client_seed: String::new(), invite: None, seat: None };
                table.decide(&actor(guests), &sit, at)
            }
            Some(seat) => {
                let action = random_action(&table.legal_actions(Some(seat)), rng);
                table.decide(&actor(u128::from(seat)), &Command::Act { action }, at)
            }
        };
        step = next.expect("it is legal");
    }
}

fn bundle(table: &Table, log: &[(String, Hex32)], key: &Key) -> String {
    let lines: Vec<String> = log.iter().map(|(text, hash)| audit::line(text, *hash)).collect();
    let signed = Signed { game: table.id, version: table.version, hash: table.hash() };
    [audit::head(table), lines.join(","), audit::tail(table, &key.sign_log(&signed))].concat()
}

fn audit(text: &str, keys: &Keys) {
    let bundle = Bundle::parse(text).expect("we wrote it");
    assert!(audit::verify(&bundle, keys, &[]).ok);
}

fn actor(n: u128) -> Actor {
    Actor {
        account: Uuid::from_u128(n),
        username: format!("p{n}"),
        admin: false,
        is_program: false,
        invite: None,
    }
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

fn replay(log: impl IntoIterator<Item = (impl Borrow<Entry>, Hex32)>) {
    let table = Table::replay(Uuid::nil(), Seed::new([0; 32]), log).expect("it replays");
    assert!(table.is_over());
}

fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("it is JSON")
}
