//! Streams of whole games: what each viewer gets is what the log and the game gave them at each version.

use cardroom_core::rules::registry::{self, Kind};
use cardroom_core::table::Actor;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::super::app::TestApp;
use super::super::client::{Client, Event};
use super::super::contract::check_event;
use super::super::games::started;
use super::{Truth, actor, id_of, pass};
use crate::random::dice::Dice;
use crate::random::options;
use crate::random::orders::{list, order};

/// The most moves of a game: a tedious one is called off then.
const MOVES: usize = 120;

/// Somebody who has watched.
struct Watched {
    viewer: Option<Actor>,
    client: Client,
    events: Vec<Event>,
}

#[tokio::test]
async fn every_seat_and_a_spectator_see_each_move_of_a_whole_game_as_it_is_made() {
    let app = TestApp::start().await;
    let admin = app.admin("referee").await;
    for (kind, seed) in registry::newest().zip(1..) {
        let mut dice = Dice::new(seed);
        let (path, watched) = play(&app, &admin, kind, &mut dice).await;
        let truth = Truth::of(&app.database, id_of(&path)).await;
        let mut streams = Vec::new();
        for Watched { viewer, client, events } in watched {
            assert_same_over_http(&client, &path, &events, &mut dice).await;
            let random = dice.below(u64::from(truth.version())) as u32;
            for after in [0, random, truth.version() - 1] {
                let rest = client.stream(&format!("{path}/stream?after={after}")).await.rest().await;
                streams.push((rest, Some(after), viewer.clone()));
            }
            streams.push((events, None, viewer));
        }
        let check = move || {
            for (events, after, viewer) in streams {
                truth.check(&events, after, viewer.as_ref());
            }
        };
        tokio::task::spawn_blocking(check).await.unwrap();
    }
}

/// Plays a game of short options by chance, with everybody watching from when they came.
async fn play(app: &TestApp, admin: &Client, kind: &Kind, dice: &mut Dice) -> (String, Vec<Watched>) {
    let seats = kind.min_seats.max(3).min(kind.max_seats);
    let options: Value = serde_json::from_str(options::draw(kind, dice).get()).unwrap();
    let mut players = vec![app.guest().await];
    let wanted = json!({"kind": kind.kind, "seats": seats, "sit": true, "options": options});
    let mut game = players[0].post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    let stream = format!("{path}/stream");
    let mut watching = vec![watch(&app.anon(), &stream).await, watch(&players[0], &stream).await];
    for _ in 1..seats {
        let player = app.guest().await;
        game = player.post(&format!("{path}/seats"), &json!({})).await.ok();
        watching.push(watch(&player, &stream).await);
        players.push(player);
    }
    for _ in 0..MOVES {
        if game["status"] != "active" {
            break;
        }
        let player = &players[game["to_act"][0].as_u64().unwrap() as usize];
        let menu = player.get(&path).await.ok()["legal_actions"].take();
        let action = order(dice.pick(list(&menu)), dice);
        game = player.post(&format!("{path}/actions"), &action).await.ok();
    }
    if game["status"] == "active" {
        admin.post(&format!("{path}/abort"), &json!(null)).await.ok();
    }
    (path, join_all(watching).await)
}

/// Opens a stream, which is read to its end by what is given back.
async fn watch(client: &Client, stream: &str) -> impl Future<Output = Watched> + use<> {
    let (client, events) = (client.clone(), tokio::spawn(client.stream(stream).await.rest()));
    let viewer = (!client.session.is_null()).then(|| actor(&client.session));
    async move { Watched { viewer, client, events: events.await.unwrap() } }
}

/// Some versions, asked for over HTTP; and every event against the document.
async fn assert_same_over_http(client: &Client, path: &str, events: &[Event], dice: &mut Dice) {
    events.iter().for_each(|event| check_event("GameEvent", event));
    for _ in 0..5 {
        let event = dice.pick(&events[1..]);
        let shown = client.get(&format!("{path}?version={}", event.id)).await.ok();
        assert_eq!(event.json()["game"], shown);
    }
    let last = events.last().unwrap().json();
    let after = last["game"]["version"].as_u64().unwrap() - 1;
    let log = client.get(&format!("{path}/log?after={after}")).await.ok();
    assert_eq!(json!([last["entry"]]), log["items"]);
}

#[tokio::test]
async fn a_stream_goes_on_after_the_last_event_that_came() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let stream = format!("{path}/stream");
    pass(&players, &path, 4).await;
    let newest = players[0].get(&path).await.ok()["version"].as_u64().unwrap();
    // The header says it better than the address, which a browser does not change when it comes back.
    let returning = app.anon().with("last-event-id", "7");
    let mut since_then = returning.stream(&format!("{stream}?after=2")).await;
    for id in 8..=newest {
        assert_eq!(since_then.next().await.unwrap().id, id.to_string());
    }
    // At the newest version there is nothing to tell until something happens.
    let mut from_now = app.anon().stream(&format!("{stream}?after={newest}")).await;
    pass(&players, &path, 1).await;
    for events in [&mut since_then, &mut from_now] {
        assert_eq!(events.next().await.unwrap().id, (newest + 1).to_string());
    }
    for (returning, query, code) in [
        (app.anon(), "?after=99", "no_such_version"),
        (app.anon().with("last-event-id", "99"), "", "no_such_version"),
        (app.anon().with("last-event-id", "99"), "?after=1", "no_such_version"),
        (app.anon(), "?after=-1", "invalid_parameter"),
        (app.anon(), "?after=x", "invalid_parameter"),
        (app.anon(), "?colour=red", "invalid_parameter"),
        (app.anon().with("last-event-id", "x"), "", "invalid_parameter"),
        (app.anon().with("last-event-id", ""), "", "invalid_parameter"),
        (app.anon().with("last-event-id", "4294967296"), "", "invalid_parameter"),
    ] {
        assert_eq!(returning.get(&format!("{stream}{query}")).await.code(), code, "{query}");
    }
}

#[tokio::test]
async fn the_stream_of_a_game_that_is_over_ends_at_once_and_tells_browsers_not_to_come_back() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let game = ann.post("/v1/games", &json!({"kind": "sevens", "sit": true})).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    let stream = format!("{path}/stream");
    let live = ann.stream(&stream).await;
    ann.post(&format!("{path}/abort"), &json!(null)).await.ok();

    let truth = Truth::of(&app.database, id_of(&path)).await;
    let viewer = Some(actor(&ann.session));
    truth.check(&live.rest().await, None, viewer.as_ref());
    truth.check(&ann.stream(&stream).await.rest().await, None, viewer.as_ref());
    let rest = ann.stream(&format!("{stream}?after=1")).await.rest().await;
    truth.check(&rest, Some(1), viewer.as_ref());
    assert_eq!(ann.get(&format!("{stream}?after=3")).await.status, 204);
}

#[tokio::test]
async fn a_stream_is_not_kept_by_anybody_nor_held_back() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let browser = app.anon().with("accept-encoding", "gzip, br").with("origin", "https://frontend.example");
    let mut events = browser.stream(&format!("{path}/stream")).await;
    let headers = events.response.headers();
    for (name, value) in [
        ("content-type", "text/event-stream"),
        ("cache-control", "no-store"),
        ("access-control-allow-origin", "*"),
        ("x-accel-buffering", "no"),
    ] {
        assert_eq!(headers[name], value);
    }
    for absent in ["content-encoding", "content-length", "etag"] {
        assert!(!headers.contains_key(absent), "{absent}");
    }
    assert!(headers.contains_key("x-request-id"));
    // Each event comes before the next move is made.
    assert_eq!(events.next().await.unwrap().id, "6");
    for id in 7..10 {
        pass(&players, &path, 1).await;
        assert_eq!(events.next().await.unwrap().id, id.to_string());
    }
}
