//! Those who watch a tournament's tables, some hands behind.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::super::app::TestApp;
use super::super::client::Client;
use super::super::statements::{OPEN, listen, sent};
use super::{bots, enter, made, move_on};
use crate::random::dice::Dice;
use crate::random::orders::list;

/// The hand that is being played, as the caller sees it.
async fn hand(client: &Client, game: &str) -> u64 {
    let hands = client.get(&format!("{game}/hands?limit=200")).await.ok();
    list(&hands["items"]).iter().map(|hand| hand["hand"].as_u64().unwrap()).max().unwrap_or(0)
}

#[tokio::test]
async fn spectators_are_as_many_hands_behind_as_the_organiser_wants() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let players = [app.user("ann").await, app.user("ben").await];
    let path = made(
        &olga,
        json!({
            "kind": "knights_heads", "table_size": 2, "options": {"hands": 6}, "spectator_delay_hands": 2,
            "format": {"type": "rounds", "rounds": 1, "seating": "random"},
            "scoring": {"type": "winning_hands"},
        }),
    );
    let path = path.await;
    enter(&path, &players).await;
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    app.tick().await;
    let id = players[0].get(&path).await.ok()["you"]["game"].as_str().unwrap().to_owned();
    let game = format!("/v1/games/{id}");
    let stream = app.anon().stream(&format!("{game}/stream")).await;
    let watching = tokio::spawn(stream.rest());
    let mut dice = Dice::new(5);
    let mut behind = Vec::new();
    while move_on(&path, &players, &mut dice).await {
        let shown = players[0].get(&game).await.ok();
        if shown["status"] != "active" {
            break;
        }
        let (here, there) = (hand(&players[0], &game).await, hand(&app.anon(), &game).await);
        assert!(there <= here.saturating_sub(2), "at hand {here} they see {there}");
        behind.push((here, there));
        let seen = app.anon().get(&game).await.ok();
        let log = app.anon().get(&format!("{game}/log?limit=200")).await.ok();
        let last = list(&log["items"]).last().unwrap()["seq"].clone();
        assert!(log["next"].is_u64() || last == seen["version"], "{last} {}", seen["version"]);
        let told = super::points(&app.anon(), &path).await;
        assert!(told.iter().all(|point| point["hand"].as_u64() <= Some(there)), "{there}: {told:?}");
        let refused = olga.post(&format!("{game}/actions"), &json!({"type": "pass"})).await;
        assert_eq!(refused.code(), "not_seated");
        assert!(refused.body["version"].is_null() || refused.body["version"] == seen["version"]);
    }
    assert!(behind.iter().any(|(here, there)| *there + 2 == *here), "{behind:?}");
    // Once it is over, all of it is there, and the stream has told each entry once.
    let whole = app.anon().get(&game).await.ok();
    assert_eq!(whole["status"], "finished");
    let events = watching.await.unwrap();
    let seqs: Vec<u64> = events.iter().map(|event| event.id.parse().unwrap()).collect();
    let from = seqs[0];
    assert_eq!(seqs, (from..=whole["version"].as_u64().unwrap()).collect::<Vec<_>>());
    let told: Vec<Value> = super::points(&app.anon(), &path).await;
    assert!(!told.is_empty());
}

#[tokio::test]
async fn bots_tables_are_watched_like_any_other() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({"spectator_delay_hands": 1})).await;
    bots(&olga, &path, "random", 3).await;
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    app.tick().await;
    let tournament = app.anon().get(&path).await.ok();
    let game = tournament["rounds"][0]["tables"][0]["game"].as_str().unwrap().to_owned();
    let events = app.anon().stream(&format!("/v1/games/{game}/stream?after=0")).await.rest();
    let (events, ()) = tokio::join!(events, async {
        while app.anon().get(&path).await.ok()["status"] == "active" {
            app.clock.advance(1);
            app.tick().await;
        }
    });
    assert_eq!(events.last().unwrap().json()["game"]["status"], "finished");
    assert!(events.iter().zip(1..).all(|(event, seq): (_, u32)| event.id == seq.to_string()));
}

/// How many watch the same table.
const WATCHERS: usize = 8;
/// How far a watcher may see who is some hands behind.
const BEHIND: &str = r#"SELECT "tournament_hands"."seq""#;

#[tokio::test]
async fn spectators_share_what_is_read_for_them() {
    listen();
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let players = [app.user("ann").await, app.user("ben").await, app.user("cat").await];
    let path = made(&olga, json!({"spectator_delay_hands": 2})).await;
    enter(&path, &players).await;
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    app.tick().await;
    let id = players[0].get(&path).await.ok()["you"]["game"].as_str().unwrap().to_owned();
    let game = format!("/v1/games/{id}");
    let here = players[0].get(&game).await.ok()["version"].as_u64().unwrap();
    let anon = app.anon();

    let began = Instant::now();
    let watching = async {
        let stream = format!("{game}/stream");
        let mut streams = join_all((0..WATCHERS).map(|_| anon.stream(&stream))).await;
        for stream in &mut streams {
            let seen = stream.next().await.unwrap();
            assert!(seen.id.parse::<u64>().unwrap() < here, "{} of {here}", seen.id);
        }
        tokio::time::sleep(Duration::from_secs(4)).await;
    };
    let ((), statements) = sent(&app, watching).await;
    let count = |beginning| statements.iter().filter(|statement| statement.starts_with(beginning)).count();
    assert_eq!(count(OPEN), 1, "{statements:?}");
    // Each at its beginning, and then all of them together, twice a second at most.
    let most = WATCHERS + 2 * began.elapsed().as_secs() as usize + 2;
    assert!((WATCHERS..=most).contains(&count(BEHIND)), "{statements:?}");
}
