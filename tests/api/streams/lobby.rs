//! The lobby as it changes.

use std::time::{Duration, Instant};

use diesel_async::SimpleAsyncConnection;
use serde_json::{Value, json};

use super::super::app::TestApp;
use super::super::client::{Client, Event, Events};
use super::super::contract::check_event;
use super::super::games::started;
use super::super::servers;
use super::super::tournaments::{enter, made};

const LOBBY: &str = "/v1/games/stream";

async fn make(client: &Client, wanted: Value) -> String {
    client.post("/v1/games", &wanted).await.ok()["id"].as_str().unwrap().to_owned()
}

/// The game as the event and the list have it, which must be the same.
async fn next(events: &mut Events, client: &Client, id: &str) -> Event {
    let event = events.next().await.unwrap();
    assert_eq!(event.name, "game");
    check_event("LobbyEvent", &event);
    assert_eq!(event.json()["id"], id);
    let list = client.get("/v1/games?limit=200").await.ok();
    let listed = list["items"].as_array().unwrap().iter().find(|game| game["id"] == id).unwrap();
    assert_eq!(event.json(), *listed);
    event
}

#[tokio::test]
async fn the_lobby_s_stream_tells_of_games_that_are_made_and_of_seats_and_stages_that_change() {
    let app = TestApp::start().await;
    let replica = app.replica().await;
    let (ann, bob, anon) = (app.user("ann").await, replica.at(&app.user("bob").await), app.anon());
    let before = make(&ann, json!({"kind": "sevens"})).await;
    app.database.settle().await;

    let mut events = anon.stream(LOBBY).await;
    let first = events.next().await.unwrap();
    assert_eq!((first.name.as_str(), &first.json()), ("lobby", &anon.get("/v1/games").await.ok()));
    check_event("LobbyEvent", &first);
    assert_eq!(first.json()["items"][0]["id"], before);

    let id = make(&ann, json!({"kind": "royal_gambit", "seats": 2, "sit": true})).await;
    assert_eq!(next(&mut events, &anon, &id).await.json()["players"], json!(["ann"]));
    let path = format!("/v1/games/{id}");
    bob.post(&format!("{path}/seats"), &json!({})).await.ok();
    let started = next(&mut events, &anon, &id).await;
    assert_eq!(
        (&started.json()["status"], &started.json()["players"]),
        (&json!("active"), &json!(["ann", "bob"]))
    );

    // Moves are no news here.
    let game = ann.get(&path).await.ok();
    let mover = if game["to_act"][0] == 0 { &ann } else { &bob };
    mover.post(&format!("{path}/actions"), &json!({"type": "stay"})).await.ok();
    let seats = format!("/v1/games/{before}/seats");
    bob.post(&seats, &json!({})).await.ok();
    assert_eq!(next(&mut events, &anon, &before).await.json()["players"], json!(["bob"]));
    bob.delete(&format!("{seats}/me")).await.ok();
    assert_eq!(next(&mut events, &anon, &before).await.json()["players"], json!([]));
    ann.post(&format!("/v1/games/{before}/abort"), &json!(null)).await.ok();
    assert_eq!(next(&mut events, &anon, &before).await.json()["status"], "aborted");

    // Each game once, as it is by now, in the order of its last change.
    let returning = replica.anon().with("last-event-id", &first.id);
    let mut rest = returning.stream(LOBBY).await;
    for id in [&id, &before] {
        next(&mut rest, &anon, id).await;
    }
    let mut rest = replica.anon().stream(&format!("{LOBBY}?after={}", started.id)).await;
    next(&mut rest, &anon, &before).await;
}

#[tokio::test]
async fn a_filtered_lobby_tells_of_its_own_games_and_of_those_that_leave_it() {
    let app = TestApp::start().await;
    let (ann, anon) = (app.user("ann").await, app.anon());
    let mut open = anon.stream(&format!("{LOBBY}?status=open&kind=sevens")).await;
    let mut active = anon.stream(&format!("{LOBBY}?status=active")).await;
    let mut aborted = anon.stream(&format!("{LOBBY}?status=aborted")).await;
    for events in [&mut open, &mut active, &mut aborted] {
        assert_eq!(events.next().await.unwrap().json()["items"], json!([]));
    }
    let other = make(&ann, json!({"kind": "royal_gambit"})).await;
    let id = make(&ann, json!({"kind": "sevens", "sit": true})).await;
    next(&mut open, &anon, &id).await;
    let bob = app.user("bob").await;
    bob.post(&format!("/v1/games/{id}/seats"), &json!({})).await.ok();
    next(&mut open, &anon, &id).await;
    ann.post(&format!("/v1/games/{id}/start"), &json!(null)).await.ok();
    for events in [&mut open, &mut active] {
        assert_eq!(next(events, &anon, &id).await.json()["status"], "active");
    }
    ann.post(&format!("/v1/games/{other}/abort"), &json!(null)).await.ok();
    next(&mut aborted, &anon, &other).await;
    for wrong in ["status=lost", "colour=red", "kind=whist", "after=x", "after=9223372036854775807"] {
        let reply = anon.get(&format!("{LOBBY}?{wrong}")).await;
        assert_eq!(reply.code(), "invalid_parameter", "{wrong}");
    }
}

#[tokio::test]
async fn private_games_are_told_to_their_own_people_alone() {
    let app = TestApp::start().await;
    let (ann, bob, eve) = (app.user("ann").await, app.user("bob").await, app.user("eve").await);
    let mut of_ann = ann.stream(LOBBY).await;
    let mut of_bob = bob.stream(LOBBY).await;
    let mut of_eve = eve.stream(LOBBY).await;
    let mut starts = Vec::new();
    for events in [&mut of_ann, &mut of_bob, &mut of_eve] {
        starts.push(events.next().await.unwrap().id);
    }
    let wanted = json!({"kind": "sevens", "visibility": "private"});
    let game = ann.post("/v1/games", &wanted).await.ok();
    let (id, invite) = (game["id"].as_str().unwrap(), game["invite"].clone());
    next(&mut of_ann, &ann, id).await;
    bob.post(&format!("/v1/games/{id}/seats"), &json!({"invite": invite})).await.ok();
    next(&mut of_ann, &ann, id).await;
    next(&mut of_bob, &bob, id).await;
    let public = make(&ann, json!({"kind": "sevens"})).await;
    next(&mut of_eve, &eve, &public).await;
    // And so it is for somebody who comes back.
    let mut of_eve = eve.with("last-event-id", &starts[2]).stream(LOBBY).await;
    assert_eq!(of_eve.next().await.unwrap().json()["id"], public);
}

#[tokio::test]
async fn a_change_that_is_committed_late_is_not_missed() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let late = make(&ann, json!({"kind": "sevens"})).await;
    app.database.settle().await;
    let mut events = app.anon().stream(LOBBY).await;
    let start = events.next().await.unwrap().id;
    // A transaction gets its id, and is overtaken before it commits.
    let mut slow = app.database.connection().await;
    let touch = format!(
        "BEGIN; UPDATE games SET changed = pg_current_xact_id()::text::bigint WHERE game_id = '{late}'"
    );
    diesel_async::SimpleAsyncConnection::batch_execute(&mut slow, &touch).await.unwrap();
    let early = make(&ann, json!({"kind": "royal_gambit"})).await;
    diesel_async::SimpleAsyncConnection::batch_execute(&mut slow, "COMMIT").await.unwrap();
    next(&mut events, &ann, &late).await;
    next(&mut events, &ann, &early).await;
    let mut again = app.anon().with("last-event-id", &start).stream(LOBBY).await;
    next(&mut again, &ann, &late).await;
    next(&mut again, &ann, &early).await;
}

#[tokio::test]
async fn games_of_tournaments_are_not_told_in_the_lobby_whenever_they_began() {
    let app = TestApp::start().await;
    let players = [app.user("ann").await, app.user("bob").await];
    let before = app.anon().stream(LOBBY).await.next().await.unwrap();
    let wanted = json!({"kind": "sevens", "table_size": 2, "options": {}, "format": {"type": "rounds", "rounds": 1, "seating": "random"}});
    let path = made(&players[0], wanted).await;
    enter(&path, &players).await;
    players[0].post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    assert!(players[0].get(&path).await.ok()["you"]["game"].is_string(), "a game of the tournament runs");
    let after = make(&players[0], json!({"kind": "sevens"})).await;
    app.database.settle().await;
    let returning = app.anon().with("last-event-id", &before.id);
    next(&mut returning.stream(LOBBY).await, &app.anon(), &after).await;
}

/// Much less than the service waits for the database to tell of the lobby.
const SOON: Duration = Duration::from_secs(2);

#[tokio::test]
async fn a_lobby_that_cannot_be_read_holds_up_no_game() {
    if servers::are_distributed() {
        return println!("each server has locks of its own");
    }
    let app = TestApp::start().await;
    let (path, players) = started(&app, 5).await;
    let (mut lobby, mut game) =
        (app.anon().stream(LOBBY).await, app.anon().stream(&format!("{path}/stream")).await);
    assert_eq!(lobby.next().await.unwrap().name, "lobby");
    assert_eq!(game.next().await.unwrap().name, "game");
    let mut holder = app.database.connection().await;
    // The lobby is looked at each second. It tells of accounts; moves do not.
    holder.batch_execute("BEGIN; LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE").await.unwrap();
    app.database.is_locked().await;
    // Each would be told only when the lobby is given up. One is enough, because the machine may be busy.
    let mut is_soon = false;
    for _ in 0..10 {
        super::pass(&players, &path, 1).await;
        let moved = Instant::now();
        let told = game.next().await.unwrap();
        assert_eq!(told.json()["entry"]["type"], "acted");
        is_soon |= moved.elapsed() < SOON;
        if is_soon {
            break;
        }
    }
    assert!(is_soon, "no move is told while the lobby waits");
    holder.batch_execute("ROLLBACK").await.unwrap();
    // And what waited goes on.
    let made = make(&players[0], json!({"kind": "sevens"})).await;
    let mut seen = lobby.next().await.unwrap();
    while seen.json()["id"] != made {
        seen = lobby.next().await.unwrap();
    }
}
