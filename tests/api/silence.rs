//! A database that says nothing any more, though its connections stay open and new ones are accepted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cardroom::store::database::Database;
use cardroom::store::join::JoinLock;
use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use futures_util::future::join_all;
use serde_json::json;
use tokio::time::timeout;

use super::app::{TestApp, TestDatabase, runtime};
use super::client::{Client, PATIENCE, Reply};
use super::games::{started, turn};
use super::proxy::{Flow, Proxy};
use super::servers;
use crate::eventually::eventually;

/// Moves of one game that wait for each other.
const MOVES: usize = 30;

pub async fn start() -> (TestApp, Proxy) {
    let database = Arc::new(TestDatabase::create().await);
    let proxy = Proxy::to(&database).await;
    let app = TestApp::start_through(&proxy, database).await;
    runtime().spawn(app.app.scheduler.clone().run());
    (app, proxy)
}

pub fn is_unavailable(reply: &Reply) {
    assert_eq!((reply.status.as_u16(), reply.code()), (503, "unavailable"));
    assert!(reply.header("retry-after").is_some());
}

/// The player whose turn it is. The request comes under this key.
async fn mover(path: &str, players: &[Client], key: &str) -> Client {
    let game = players[0].get(path).await.ok();
    players[turn(&game)].clone().with("idempotency-key", key)
}

#[tokio::test]
async fn a_database_that_falls_silent_is_answered_503_and_play_goes_on_when_it_is_back() {
    if servers::are_distributed() {
        return println!("moves do not go through the coordinator, whose line is cut here");
    }
    let (app, proxy) = start().await;
    let (path, players) = started(&app, 2).await;
    let (mover, action) = (mover(&path, &players, "the-move").await, json!({"type": "stay"}));
    let mut watcher = players[0].stream(&format!("{path}/stream")).await;
    assert_eq!(watcher.next().await.unwrap().name, "game");
    let actions = format!("{path}/actions");

    for silence in 0..2 {
        proxy.set(Flow::Nothing);
        let began = Instant::now();
        // Twice: on connections that were open, and on new ones.
        for _ in 0..2 {
            let anon = app.anon();
            let moves = join_all((0..MOVES).map(|_| mover.post(&actions, &action)));
            let looks = join_all((0..MOVES).map(|_| anon.get(&path)));
            let body = json!({});
            let others = async {
                tokio::join!(
                    anon.get("/v1/games"),
                    anon.get("/v1/players/ann"),
                    anon.post("/v1/auth/guest", &body)
                )
            };
            let all = timeout(PATIENCE, async { tokio::join!(moves, looks, others) });
            let (moves, looks, others) = all.await.expect("a silent database is answered 503");
            moves.iter().chain(&looks).for_each(is_unavailable);
            [others.0, others.1, others.2].iter().for_each(is_unavailable);
        }
        println!("silence {silence}: all were answered 503, twice, after {:?}", began.elapsed());
        assert_eq!(app.anon().get("/health/live").await.status, 200);

        proxy.set(Flow::Through);
        let began = Instant::now();
        let done =
            eventually(async || Some(mover.post(&actions, &action).await).filter(|it| it.status == 201));
        let done = done.await.expect("play goes on without a restart");
        assert_eq!(done.header("idempotency-replayed").is_some(), silence == 1);
        println!("silence {silence}: play went on after {:?}", began.elapsed());
        let ready =
            eventually(async || Some(app.anon().get("/health/ready").await).filter(|it| it.status == 200));
        ready.await.expect("the service is ready again");
    }
    let told = eventually(async || Some(app.anon().get(&path).await).filter(|it| it.status == 200));
    let version = told.await.unwrap().ok()["version"].as_u64().unwrap().to_string();
    let mut seen = watcher.next().await.unwrap();
    while seen.id != version {
        seen = watcher.next().await.unwrap();
    }
}

#[tokio::test]
async fn a_move_whose_commit_was_not_heard_is_found_by_who_asks_again() {
    if servers::are_distributed() {
        return println!("moves do not go through the coordinator, whose line is cut here");
    }
    let (app, proxy) = start().await;
    let (path, players) = started(&app, 3).await;
    let (actions, action) = (format!("{path}/actions"), json!({"type": "stay"}));
    // It opens the connection and prepares the statement, for which answers are needed.
    mover(&path, &players, "the-first").await.post(&actions, &action).await.ok();
    let before = players[0].get(&path).await.ok()["version"].as_u64().unwrap();
    let mover = mover(&path, &players, "the-move").await;

    proxy.set(Flow::NoAnswers);
    let unknown = timeout(PATIENCE, mover.post(&actions, &action)).await.expect("an answer in time");
    is_unavailable(&unknown);
    proxy.set(Flow::Through);

    let looked = eventually(async || Some(players[0].get(&path).await).filter(|it| it.status == 200));
    assert!(looked.await.unwrap().ok()["version"].as_u64().unwrap() > before, "the move is in the log");
    let again = mover.post(&actions, &action).await;
    assert_eq!((again.status.as_u16(), again.header("idempotency-replayed")), (201, Some("true")));
    let log = app.anon().get(&format!("{path}/log")).await.ok();
    let acted = log["items"].as_array().unwrap().iter().filter(|entry| entry["type"] == "acted");
    assert_eq!(acted.count(), 2);
}

#[tokio::test]
async fn a_session_at_work_is_no_silent_database_and_neither_is_one_that_waits_for_the_program() {
    let database = TestDatabase::create().await;
    let limited = Database::with_limit(&database.url, 1, Duration::from_secs(4)).unwrap();
    let mut idle = limited.own_session().await.unwrap();
    let lock = JoinLock::new(limited.clone());
    let work = async {
        // The only connection of the pool is free for the work under the lock.
        three_statements(&mut limited.connection().await.unwrap()).await;
        tokio::time::sleep(Duration::from_secs(5)).await;
    };
    lock.alone(work).await.unwrap();
    assert!(!idle.is_broken(), "a session was given up");
}

/// Each of them is quick enough, but not all of them together.
async fn three_statements(connection: &mut AsyncPgConnection) {
    for _ in 0..3 {
        connection.batch_execute("SELECT pg_sleep(2)").await.unwrap();
    }
}
