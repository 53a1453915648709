//! What requests at a table in memory cost: every statement that reaches the test's database is counted.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use diesel::connection::{Instrumentation, InstrumentationEvent, set_default_instrumentation};
use diesel::dsl::count_star;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::app::TestApp;
use super::client::{Client, Reply};
use super::servers;

/// The statement that makes truth, of a move that no bot follows.
const APPEND: &str = "INSERT INTO entries";
/// What the log has that memory does not.
const TAIL: &str = "SELECT watched.game_id, tail.seq";
/// Whether a key has been used.
const CLAIM: &str = r#"SELECT "entries"."seq", "entries"."hash", "entries"."request""#;
/// The seed of a game that is replayed, its snapshot if it has one, and its entries.
pub const OPEN: &str = "WITH snapshot AS (SELECT seq, state FROM snapshots";

#[tokio::test]
async fn a_move_is_one_statement_and_one_row() {
    if servers::are_distributed() {
        return println!("shards need more statements");
    }
    let table = Warm::table().await;
    for _ in 0..3 {
        let (reply, cost) = table.cost(table.stick(table.mover().await)).await;
        assert_eq!(reply.status, 201);
        assert_eq!(cost, Cost { statements: vec![APPEND], rows: 1 });
    }
}

#[tokio::test]
async fn an_idempotency_key_costs_a_move_nothing_and_a_repeat_no_row() {
    if servers::are_distributed() {
        return println!("shards need more statements");
    }
    let table = Warm::table().await;
    let mover = table.mover().await.clone().with("idempotency-key", "one");

    let (first, cost) = table.cost(table.stick(&mover)).await;
    assert_eq!(cost, Cost { statements: vec![APPEND], rows: 1 });

    // The rules refuse it by now; so the tail is read, the key found, and the first answer made again.
    let (again, cost) = table.cost(table.stick(&mover)).await;
    assert_eq!(cost, Cost { statements: vec![TAIL, CLAIM, OPEN], rows: 0 });
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.body, first.body);
}

#[tokio::test]
async fn a_refused_move_is_one_look_at_the_tail_and_no_row() {
    if servers::are_distributed() {
        return println!("shards need more statements");
    }
    let table = Warm::table().await;
    let mover = table.mover().await;
    let unseated = table.app.guest().await;
    let looked = Cost { statements: vec![TAIL], rows: 0 };

    let (reply, cost) = table.cost(table.act(mover, json!({"type": "fold"}))).await;
    assert_eq!((reply.code(), cost), ("illegal_action", looked.clone()));

    let (reply, cost) = table.cost(table.stick(&unseated)).await;
    assert_eq!((reply.code(), cost), ("not_seated", looked.clone()));

    let stale = mover.clone().with("if-match", "\"1\"");
    let (reply, cost) = table.cost(table.stick(&stale)).await;
    assert_eq!((reply.code(), cost), ("stale_version", looked));
}

#[tokio::test]
async fn a_look_at_a_game_is_one_look_at_the_tail() {
    if servers::are_distributed() {
        return println!("shards need more statements");
    }
    let table = Warm::table().await;
    let looked = Cost { statements: vec![TAIL], rows: 0 };

    let (reply, cost) = table.cost(table.app.anon().get(&table.path)).await;
    assert_eq!((reply.status.as_u16(), cost), (200, looked.clone()));

    let known = table.app.anon().with("if-none-match", reply.header("etag").unwrap());
    let (reply, cost) = table.cost(known.get(&table.path)).await;
    assert_eq!((reply.status.as_u16(), cost), (304, looked));
}

#[tokio::test]
async fn a_table_that_is_not_in_memory_costs_a_move_one_statement_more() {
    if servers::are_distributed() {
        return println!("shards need more statements");
    }
    let table = Warm::table().await;
    let replica = table.app.replica().await;
    let mover = replica.at(table.mover().await);

    let (reply, cost) = table.cost(table.stick(&mover)).await;
    assert_eq!(reply.status, 201);
    assert_eq!(cost, Cost { statements: vec![OPEN, APPEND], rows: 1 });
}

#[tokio::test]
async fn those_who_ask_for_a_cold_table_at_once_wait_for_one_replay() {
    let table = Warm::table().await;
    let replica = table.app.replica().await;
    let crowd: Vec<Client> = table.seats.iter().cycle().take(24).map(|seat| replica.at(seat)).collect();
    let requests = join_all(crowd.iter().map(|client| client.get(&table.path)));
    let (replies, statements) = sent(&table.app, requests).await;

    assert!(replies.iter().all(|reply| reply.status == 200));
    let replays = statements.iter().filter(|statement| statement.starts_with(OPEN));
    assert_eq!(replays.count(), 1, "{statements:?}");
}

/// A game in its first turns, with the clock of a day that a game has by default: the next few moves end no hand.
struct Warm {
    app: TestApp,
    path: String,
    seats: Vec<Client>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Cost {
    /// How each began, in the order in which they were sent.
    statements: Vec<&'static str>,
    /// By how many the log grew.
    rows: i64,
}

impl Warm {
    async fn table() -> Warm {
        listen();
        let app = TestApp::start().await;
        let wanted = json!({"kind": "ritunas_favour", "seats": 6, "sit": true,
            "options": {"charge": 0, "hands": 1000}});
        let mut seats = vec![app.guest().await];
        let game = seats[0].post("/v1/games", &wanted).await.ok();
        let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
        for _ in 1..6 {
            let guest = app.guest().await;
            guest.post(&format!("{path}/seats"), &json!({})).await.ok();
            seats.push(guest);
        }
        let table = Warm { app, path, seats };
        // The first move opens the connection that the log keeps, and prepares the statement.
        table.stick(table.mover().await).await.ok();
        table
    }

    /// Whom the game waits for.
    async fn mover(&self) -> &Client {
        let game = self.app.anon().get(&self.path).await.ok();
        &self.seats[game["to_act"][0].as_u64().unwrap() as usize]
    }

    async fn stick(&self, client: &Client) -> Reply {
        self.act(client, json!({"type": "stick"})).await
    }

    async fn act(&self, client: &Client, action: Value) -> Reply {
        client.post(&format!("{}/actions", self.path), &action).await
    }

    /// What a request costs the database. It ends with its answer, so nothing comes after.
    async fn cost(&self, request: impl Future<Output = Reply>) -> (Reply, Cost) {
        let rows = self.rows().await;
        let (reply, statements) = sent(&self.app, request).await;
        (reply, Cost { statements: statements.iter().map(kind).collect(), rows: self.rows().await - rows })
    }

    async fn rows(&self) -> i64 {
        use cardroom::store::schema::entries;
        let mut connection = self.app.database.connection().await;
        entries::table.select(count_star()).first(&mut connection).await.unwrap()
    }
}

/// Listens to what is sent by programs that start from now on.
pub fn listen() {
    set_default_instrumentation(listener).unwrap();
}

/// What is sent to the test's database meanwhile.
pub async fn sent<T>(app: &TestApp, meanwhile: impl Future<Output = T>) -> (T, Vec<String>) {
    heard().insert(app.database.url.clone(), Vec::new());
    let done = meanwhile.await;
    (done, heard().remove(&app.database.url).unwrap())
}

fn kind(statement: &String) -> &'static str {
    [APPEND, TAIL, CLAIM, OPEN]
        .into_iter()
        .find(|kind| statement.starts_with(kind))
        .unwrap_or_else(|| panic!("not expected: {statement}"))
}

/// The statements that are listened for, by the database's URL: other tests run beside this one.
fn heard() -> std::sync::MutexGuard<'static, BTreeMap<String, Vec<String>>> {
    static HEARD: Mutex<BTreeMap<String, Vec<String>>> = Mutex::new(BTreeMap::new());
    HEARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hears what one connection sends once it has been opened: only then does it know where the connection leads.
fn listener() -> Option<Box<dyn Instrumentation>> {
    let mut database = String::new();
    Some(Box::new(move |event: InstrumentationEvent<'_>| match event {
        InstrumentationEvent::FinishEstablishConnection { url, .. } => database = url.to_owned(),
        InstrumentationEvent::StartQuery { query, .. } => {
            let statement = query.to_string();
            // One for many moves, after the answers, by a task of its own, which begins with listening.
            let of_wake_ups = ["SELECT pg_notify(", "SET application_name"];
            let is_wake_up = of_wake_ups.iter().any(|of_wake_ups| statement.starts_with(of_wake_ups));
            if let Some(statements) = heard().get_mut(&database).filter(|_| !is_wake_up) {
                statements.push(statement);
            }
        }
        _ => {}
    }))
}
