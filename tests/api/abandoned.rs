//! Games whose players are all gone: three replicas bring them to their ends by the clock alone, though one of them
//! is killed with games in its hands.

use std::time::Duration;

use cardroom::clock::Clock;
use cardroom::games::cipher::EntryCipher;
use cardroom::games::service::{Conditions, GameService};
use cardroom_core::log::Hex32;
use cardroom_core::log::entry::{By, Entry, Event, Visibility};
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::registry::newest;
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide::Command;
use cardroom_core::table::turns::Pace;
use cardroom_core::table::{Actor, Table};
use diesel::prelude::*;
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use futures_util::future::join_all;
use jiff::SignedDuration;
use jiff_diesel::ToDiesel;
use serde_json::json;
use tokio::time::timeout;
use uuid::Uuid;

use super::app::{Program, TestApp, TestDatabase, runtime};
use super::client::PATIENCE;
use crate::random::dice::Dice;
use crate::random::options;

/// Games of each kind: a thousand in all.
const GAMES: usize = 200;
/// How many decisions the program makes before it is killed, at least.
const BEFORE: i64 = 300;
/// Seconds for a decision: the fewest that there are.
const TURN: u32 = 5;

#[tokio::test]
async fn a_thousand_games_that_all_have_left_come_to_their_ends_and_no_decision_is_made_twice() {
    let first = TestApp::start().await;
    // The third is a process of its own. As long as it lives, all go by the system's time.
    let mut third = Program::start(&first.database).await;
    keep_up(&first);
    let replicas = [first.replica().await, first];
    let games = replicas[0].app.games.as_ref().clone();
    let ids = runtime().spawn(start_games(games)).await.unwrap();
    assert_eq!(ids.len(), 1000);

    let mut connection = replicas[0].database.connection().await;
    let acts = async {
        while decisions(&mut connection).await < BEFORE {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, acts).await.expect("the program plays for those who are gone");
    for _ in 0..20 {
        keep_up(&replicas[0]);
        join_all(replicas.iter().map(TestApp::tick)).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    kill_with_games_in_hand(&mut third, &replicas[0].database).await;

    keep_up(&replicas[0]);
    for turn in 0.. {
        replicas[0].clock.advance(TURN.into());
        join_all(replicas.iter().map(TestApp::tick)).await;
        if unfinished(&mut connection).await == 0 {
            break;
        }
        assert!(turn < 1000, "they go on and on");
    }
    for id in ids {
        every_decision_was_made_once(id, &mut connection).await;
    }
}

/// Sets the test's clock to the system's, to the second.
fn keep_up(app: &TestApp) {
    app.clock.advance(Clock::System.now().duration_since(app.clock.now()).as_secs());
}

/// Nobody can write entries for a moment, so the program takes games that are due and comes no further; and it is
/// killed. Its last appends are on their way.
async fn kill_with_games_in_hand(program: &mut Program, database: &TestDatabase) {
    use cardroom::store::schema::deadlines;
    // Games are taken for longer than anybody has to decide.
    let taken = || {
        let later = Clock::System.now() + SignedDuration::from_secs(8);
        deadlines::table.filter(deadlines::due_at.gt(later.to_diesel())).count()
    };
    let (mut writer, mut reader) = (database.connection().await, database.connection().await);
    writer.batch_execute("BEGIN; LOCK TABLE entries IN EXCLUSIVE MODE").await.unwrap();
    let takes = async {
        while taken().get_result::<i64>(&mut reader).await.unwrap() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, takes).await.expect("the program takes games that are due");
    program.kill();
    assert!(taken().get_result::<i64>(&mut reader).await.unwrap() > 0);
    writer.batch_execute("ROLLBACK").await.unwrap();
}

async fn start_games(games: GameService) -> Vec<Uuid> {
    let mut ids = Vec::new();
    let mut dice = Dice::new(11);
    for kind in newest() {
        for _ in 0..GAMES {
            let guest = |n: u64| Actor {
                account: Uuid::from_u128(ids.len() as u128 * 100 + u128::from(n)),
                username: format!("guest-{n}"),
                admin: false,
                is_program: false,
                invite: None,
            };
            // A hand of it takes 56 decisions, and mostly there is but one.
            let options = match kind.kind {
                "ricketts_hearts" => {
                    kind.resolve_options(&options::raw(&json!({"target_score": 1}))).unwrap()
                }
                _ => options::draw(kind, &mut dice),
            };
            let seats = kind.min_seats.max(2);
            let pace = Pace { turn_seconds: Some(TURN), bank_seconds: dice.below(3) as u32, bot_delay_ms: 0 };
            let (sit, visibility, bots) = (Some(String::new()), Visibility::Public, Vec::new());
            let new = NewGame { kind, options, seats, visibility, sit, pace, bots, rated: true };
            let id = games.create(&guest(0), new, None, None).await.unwrap().table.id;
            for n in 1..u64::from(seats) {
                let command = Command::Sit { client_seed: String::new(), invite: None, seat: None };
                games.command(id, &guest(n), &command, &Conditions::default()).await.unwrap();
            }
            ids.push(id);
        }
    }
    ids
}

async fn unfinished(connection: &mut AsyncPgConnection) -> i64 {
    use cardroom::store::schema::games;
    games::table.filter(games::status.ne("finished")).count().get_result(connection).await.unwrap()
}

/// How many entries are neither the start of a game nor chance.
async fn decisions(connection: &mut AsyncPgConnection) -> i64 {
    use cardroom::store::schema::entries;
    entries::table
        .filter(entries::entry.like("%\"type\":\"acted\"%"))
        .count()
        .get_result(connection)
        .await
        .unwrap()
}

/// Reads the log again, entry by entry: each action was a decision that the game waited for, of a seat whose time
/// had run out, and there is no other.
async fn every_decision_was_made_once(id: Uuid, connection: &mut AsyncPgConnection) {
    use cardroom::store::schema::{entries, games};
    let seed: Vec<u8> = games::table.find(id).select(games::server_seed).first(connection).await.unwrap();
    let log: Vec<(String, Vec<u8>)> = entries::table
        .filter(entries::game_id.eq(id))
        .order(entries::seq)
        .select((entries::entry, entries::hash))
        .load(connection)
        .await
        .unwrap();
    let seed = Seed::new(seed.try_into().unwrap());
    let cipher = EntryCipher::new(&seed, id);
    let entry = |((text, hash), seq): ((String, Vec<u8>), u32)| {
        let text = cipher.decrypt(seq, &text).unwrap();
        (Entry::parse(&text).unwrap(), Hex32(hash.try_into().unwrap()))
    };
    let log: Vec<_> = log.into_iter().zip(1..).map(entry).collect();
    let mut table = Table::replay(id, seed, log[..1].to_vec()).unwrap();
    for (entry, hash) in &log[1..] {
        if matches!(entry.event, Event::Acted(_)) {
            assert_eq!(entry.by, By::Clock {});
            assert!(table.to_act().contains(entry.seat.unwrap()), "{id} {}", entry.seq);
            assert!(table.deadline().unwrap() <= entry.at.0, "{id} {}: too early", entry.seq);
        }
        table.evolve(entry, *hash).unwrap();
    }
    assert!(matches!(log.last().unwrap().0.event, Event::Finished(_)));
}
