//! How long a game takes to open that is not in memory: `cargo bench --bench open`.
//!
//! A game of each kind of 50,000 entries, or as many as its longest game has, on a PostgreSQL of its own: read in one
//! statement and replayed, from its whole log; from a snapshot as old as snapshots get; and from one of its end.
//! Medians of nine rounds, and their ranges, in milliseconds.

use std::path::Path;
use std::time::Instant;

use cardroom::clock::Clock;
use cardroom::games::budget::Rates;
use cardroom::games::cipher::EntryCipher;
use cardroom::games::log::GameLog;
use cardroom::games::quotas::{QuotaLimits, Quotas};
use cardroom::games::snapshots::{EVERY, encrypted};
use cardroom::games::uptime::Uptime;
use cardroom::store::append::{Append, AppendOutcome, NewEntry};
use cardroom::store::database::Database;
use cardroom::store::deadlines::Due;
use cardroom::store::game_rows::NewGame as GameRow;
use cardroom::store::games::Change;
use cardroom::store::log::Log;
use cardroom_core::log::entry::Visibility;
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::registry;
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide::{Command, HashedEntry};
use cardroom_core::table::snapshot::RULES;
use cardroom_core::table::turns::Pace;
use cardroom_core::table::{Actor, Table};
use jiff::Timestamp;
use local_postgres::Durability;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use uuid::Uuid;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 9;
const ENTRIES: u32 = 50_000;

/// A log, its table at the end, and the table as long before that as a snapshot may be.
struct Played {
    log: Vec<HashedEntry>,
    end: Table,
    earlier: Table,
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("open-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder of ours");
    #[expect(clippy::disallowed_methods, reason = "this is no part of the program")]
    let path = std::env::var_os("PATH").unwrap_or_default();
    let settings = local_postgres::Settings { data_dir: folder.clone(), durability: Durability::Full, path };
    let postgres = local_postgres::Server::start(&settings).expect("PostgreSQL starts");
    let database = Database::new(&postgres.url("postgres"), 2).expect("a pool");
    database.migrate().await.expect("the tables are made");
    let log = Log::start(database.clone(), 1);
    let uptime = Uptime::begin(database.clone(), Clock::System).await.expect("the tables are there");
    let unattended = Rates { each: u32::MAX, all: u32::MAX };
    let quotas = QuotaLimits {
        games_per_account: u32::MAX,
        guest_games_per_address: u32::MAX,
        bot_games_per_account: u32::MAX,
        participations_per_account: u32::MAX,
        unattended,
    };
    let games = GameLog::start(database.clone(), uptime, Quotas::new(quotas), 1);
    let rng = &mut StdRng::seed_from_u64(1);

    let [kind, entries, whole, oldest, newest] =
        ["kind", "entries", "whole log", "old snapshot", "new snapshot"];
    println!("{kind:16} {entries:>8} {whole:>24} {oldest:>24} {newest:>24}");
    for (kind, options) in [
        ("ritunas_favour", json!({"charge": 0, "hands": 1000})),
        ("sevens", json!({"ante": 0, "hands": 1000})),
        ("ricketts_hearts", json!({"target_score": 1000})),
        ("knights_heads", json!({"ante": 0, "hands": 1000})),
        ("royal_gambit", json!({"target_score": 500})),
    ] {
        let Played { log: entries, end, earlier } = play(kind, &options, rng);
        store(&log, &entries, &end).await;
        let id = end.id;
        print!("{kind:16} {:>8}", end.version);
        for from in [None, Some(&earlier), Some(&end)] {
            if let Some(table) = from {
                let snapshot = encrypted(table).expect("it is being played");
                database.keep_snapshot(id, RULES, &snapshot).await.expect("it is kept");
            }
            let mut times = Vec::new();
            for _ in 0..ROUNDS {
                let start = Instant::now();
                let table = games.replay(id, u32::MAX).await;
                times.push(start.elapsed().as_secs_f64() * 1e3);
                assert_eq!(table.expect("it opens").hash(), end.hash());
            }
            times.sort_by(f64::total_cmp);
            let spread = format!("{:.1} ({:.1}–{:.1})", times[ROUNDS / 2], times[0], times[ROUNDS - 1]);
            print!(" {spread:>24}");
        }
        println!();
    }
    drop((games, log, database));
    postgres.stop();
    let _ = std::fs::remove_dir_all(folder);
}

/// A game at a full table, random but for who can stay: then it lasts.
fn play(kind: &str, options: &Value, rng: &mut StdRng) -> Played {
    let kind = registry::by_name(kind).expect("it is a kind");
    let new = NewGame {
        kind,
        options: kind.resolve_options(&raw(options)).expect("they are good"),
        seats: kind.max_seats,
        visibility: Visibility::Public,
        sit: Some(String::new()),
        pace: Pace::default(),
        bots: Vec::new(),
        rated: true,
    };
    let at = Timestamp::UNIX_EPOCH;
    let id = Uuid::from_u128(rng.random());
    let made = Table::create(id, Seed::new(rng.random()), &actor(0), new, at).expect("it can be made");
    let (mut table, mut log, mut tables) = (made.table, made.entries, Vec::new());
    let mut guests = 0;
    while table.version < ENTRIES {
        guests += 1;
        let next = match table.to_act().iter().next() {
            None => table.decide(
                &actor(guests),
                &Command::Sit { client_seed: String::new(), invite: None, seat: None },
                at,
            ),
            Some(seat) => {
                let action = random_action(&table.legal_actions(Some(seat)), rng);
                table.decide(&actor(u128::from(seat)), &Command::Act { action }, at)
            }
        };
        let step = next.expect("it is legal");
        if step.table.is_over() {
            break;
        }
        table = step.table;
        log.extend(step.entries);
        tables.push(table.clone());
    }
    let earlier = tables.iter().find(|earlier| earlier.version + EVERY >= table.version);
    Played { earlier: earlier.expect("it is long").clone(), end: table, log }
}

fn random_action(menu: &RawValue, rng: &mut StdRng) -> Box<RawValue> {
    let menu: Vec<Value> = serde_json::from_str(menu.get()).expect("a menu is a list");
    let stay = menu.iter().find(|line| line["type"] == "stay");
    let line = stay.or_else(|| menu.choose(rng)).expect("somebody can act");
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

async fn store(log: &Log, entries: &[HashedEntry], table: &Table) {
    let made = GameRow {
        server_seed: *table.seed().bytes(),
        kind: String::new(),
        rules_version: 1,
        options: String::new(),
        seats: 0,
        visibility: "public",
        created_by: Uuid::nil(),
        created_at: Timestamp::UNIX_EPOCH,
        idempotency_key: None,
        turn_seconds: None,
        bank_seconds: 0,
        is_rated: true,
        rematch_of: None,
        guest_network: None,
    };
    let cipher = EntryCipher::new(table.seed(), table.id);
    let entry = |sealed: &HashedEntry| NewEntry {
        seq: sealed.entry.seq.cast_signed(),
        entry: cipher.stored_text(sealed),
        hash: sealed.hash.0,
    };
    let entries = entries.iter().map(entry).collect();
    let append = Append { game_id: table.id, entries, claim: None, due: Due::Unchanged };
    let done = log.append_with(append, vec![Change::Made(Box::new(made))], u32::MAX).await;
    assert_eq!(done.expect("it is stored"), AppendOutcome::Done);
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

fn raw(value: &Value) -> Box<RawValue> {
    to_raw_value(value).expect("it is JSON")
}
