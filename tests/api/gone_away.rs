//! Callers who go away in the middle of a request.

use std::time::Duration;

use cardroom::games::service::Conditions;
use cardroom_core::table::decide::Command;
use diesel_async::SimpleAsyncConnection;
use serde_json::json;
use serde_json::value::to_raw_value;

use super::app::{TestApp, runtime};
use super::games::{started, turn};
use super::servers;
use super::streams::actor;
use crate::eventually::within;

/// How long it may take to finish what was begun, on a busy machine.
const SOON: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_move_is_finished_though_its_caller_has_gone_away() {
    if servers::are_distributed() {
        return println!("each server has locks of its own");
    }
    let app = TestApp::start().await;
    let (path, players) = started(&app, 3).await;
    let mut events = app.anon().stream(&format!("{path}/stream")).await;
    let game = events.next().await.unwrap().json();
    let (id, mover) = (game["id"].as_str().unwrap().parse().unwrap(), actor(&players[turn(&game)].session));
    let mut holder = app.database.connection().await;
    // Entries can be read, and none can be written.
    holder.batch_execute("BEGIN; LOCK TABLE entries IN SHARE MODE").await.unwrap();
    let games = app.app.games.clone();
    let moving = runtime().spawn(async move {
        let stay = Command::Act { action: to_raw_value(&json!({"type": "stay"})).unwrap() };
        games.command(id, &mover, &stay, &Conditions::default()).await.is_ok()
    });
    app.database.is_locked().await;
    moving.abort();
    assert!(moving.await.unwrap_err().is_cancelled());
    holder.batch_execute("ROLLBACK").await.unwrap();

    let told = events.next().await.unwrap();
    assert_eq!(told.json()["entry"]["type"], "acted");
    // What follows from the append: those who watch are told, and it is counted.
    let actions = &app.app.database.metrics.actions.player;
    assert!(within(SOON, async || (actions.get() == 1).then_some(())).await.is_some());
}
