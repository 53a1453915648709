//! Games whose players are all gone: three replicas bring them to their ends by the clock alone.

use cardroom::ledger::Hex32;
use cardroom::ledger::entry::{By, Entry, Event, Visibility};
use cardroom::ledger::fairness::Seed;
use cardroom::play::room::{Conditions, Room};
use cardroom::rules::registry::by_name;
use cardroom::table::decide::Command;
use cardroom::table::making::NewGame;
use cardroom::table::turns::Pace;
use cardroom::table::{Actor, Table};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::app::{TestApp, runtime};
use crate::laws::dice::Dice;
use crate::laws::options;

/// Games of each kind: a thousand. Hearts has 56 decisions a hand, and four hands to be sure that all are gone.
const GAMES: [(&str, u32); 5] = [
    ("ritunas_favour", 300),
    ("sevens", 300),
    ("knights_heads", 190),
    ("royal_gambit", 190),
    ("ricketts_hearts", 20),
];

#[tokio::test]
async fn a_thousand_games_that_all_have_left_come_to_their_ends_and_no_decision_is_made_twice() {
    let first = TestApp::start().await;
    let second = first.replica().await;
    let third = first.replica().await;
    let room = first.app.room.as_ref().clone();
    let ids = runtime().spawn(start_games(room)).await.unwrap();
    assert_eq!(ids.len(), 1000);

    let mut replicas = vec![first, second, third];
    let mut seconds = 0;
    while unfinished(&replicas[0]).await > 0 {
        seconds += 1;
        replicas[0].clock.advance(1);
        futures_util::future::join_all(replicas.iter().map(TestApp::tick)).await;
        if seconds == 12 {
            // One falls silent with games in its hands: taken, and not played on.
            let stopped = replicas.pop().unwrap();
            stopped.clock.advance(3);
            let now = stopped.clock.now();
            let lease = now + jiff::SignedDuration::from_secs(10);
            assert!(!stopped.app.database.take_due(now, lease, 32).await.unwrap().is_empty());
        }
        assert!(seconds < 3000, "they go on and on");
    }
    let mut connection = replicas[0].database.connection().await;
    for id in ids {
        every_decision_was_made_once(id, &mut connection).await;
    }
}

async fn start_games(room: Room) -> Vec<Uuid> {
    let mut ids = Vec::new();
    let mut dice = Dice::new(11);
    for (kind, games) in GAMES {
        let kind = by_name(kind).unwrap();
        for _ in 0..games {
            let guest = |n: u64| Actor {
                account: Uuid::from_u128(ids.len() as u128 * 100 + u128::from(n)),
                username: format!("guest-{n}"),
                admin: false,
            };
            let options = options::draw(kind, &mut dice);
            let seats = kind.min_seats.max(2);
            let pace = Pace { turn_seconds: Some(5), bank_seconds: dice.below(3) as u32, bot_delay_ms: 0 };
            let (sit, visibility, bots) = (Some(String::new()), Visibility::Public, Vec::new());
            let new = NewGame { kind, options, seats, visibility, sit, pace, bots };
            let id = room.create(&guest(0), new, None, None).await.unwrap().table.id;
            for n in 1..u64::from(seats) {
                let command = Command::Sit { client_seed: String::new(), invite: None };
                room.command(id, &guest(n), &command, &Conditions::default()).await.unwrap();
            }
            ids.push(id);
        }
    }
    ids
}

async fn unfinished(app: &TestApp) -> i64 {
    use cardroom::store::schema::games;
    let mut connection = app.database.connection().await;
    games::table.filter(games::status.ne("finished")).count().get_result(&mut connection).await.unwrap()
}

/// Reads the log again, entry by entry: each action was a decision that the game waited for, of a seat whose time
/// had run out, and there is no other.
async fn every_decision_was_made_once(id: Uuid, connection: &mut diesel_async::AsyncPgConnection) {
    use cardroom::store::schema::{entries, games};
    let seed: Vec<u8> = games::table.find(id).select(games::server_seed).first(connection).await.unwrap();
    let log: Vec<(String, Vec<u8>)> = entries::table
        .filter(entries::game_id.eq(id))
        .order(entries::seq)
        .select((entries::entry, entries::hash))
        .load(connection)
        .await
        .unwrap();
    let log: Vec<_> = log
        .into_iter()
        .map(|(text, hash)| (Entry::parse(&text).unwrap(), Hex32(hash.try_into().unwrap())))
        .collect();
    let seed = Seed::new(seed.try_into().unwrap());
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
