//! What happens at once: many clients on one turn, one request many times, two replicas on one game.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::app::TestApp;
use super::client::{Client, Reply};
use super::games::{started, turn};

/// How often each code came, `201` for what was accepted.
fn tally(replies: &[Reply]) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for reply in replies {
        let code = if reply.status == 201 { "201".to_owned() } else { reply.code().to_owned() };
        match counts.iter_mut().find(|(known, _)| *known == code) {
            Some((_, count)) => *count += 1,
            None => counts.push((code, 1)),
        }
    }
    counts.sort();
    counts
}

async fn version(client: &Client, path: &str) -> u64 {
    client.get(path).await.ok()["version"].as_u64().unwrap()
}

/// A game of Rituna's Favour that waits for somebody who can stick, and does not wait for them after that.
async fn one_decision(app: &TestApp) -> (String, Vec<Client>, Client) {
    let mut players = vec![app.guest().await];
    let wanted = json!({"kind": "ritunas_favour", "seats": 5, "sit": true});
    let made = players[0].post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", made["id"].as_str().unwrap());
    for _ in 1..5 {
        let guest = app.guest().await;
        guest.post(&format!("{path}/seats"), &json!({})).await.ok();
        players.push(guest);
    }
    let here = players[turn(&players[0].get(&path).await.ok())].clone();
    (path, players, here)
}

#[tokio::test]
async fn of_two_hundred_who_race_for_a_turn_with_if_match_one_wins_and_the_rest_are_told_it_is_gone() {
    let app = TestApp::start().await;
    let (path, _, here) = one_decision(&app).await;
    let before = version(&here, &path).await;
    let racer = here.clone().with("if-match", &format!("\"{before}\""));
    let actions = format!("{path}/actions");
    let action = json!({"type": "stick"});
    let replies = join_all((0..200).map(|_| racer.post(&actions, &action))).await;
    assert_eq!(tally(&replies), [("201".to_owned(), 1), ("stale_version".to_owned(), 199)]);
    assert_eq!(version(&here, &path).await, before + 1);
}

#[tokio::test]
async fn of_two_hundred_who_race_without_if_match_one_wins_and_the_rest_are_judged_by_what_is_now() {
    let app = TestApp::start().await;
    let (path, _, here) = one_decision(&app).await;
    let before = version(&here, &path).await;
    let actions = format!("{path}/actions");
    let action = json!({"type": "stick"});
    let replies = join_all((0..200).map(|_| here.post(&actions, &action))).await;
    assert_eq!(tally(&replies), [("201".to_owned(), 1), ("not_your_turn".to_owned(), 199)]);
    assert_eq!(version(&here, &path).await, before + 1);
}

#[tokio::test]
async fn one_request_sent_fifty_times_at_once_is_done_once_and_answered_alike() {
    let app = TestApp::start().await;
    let (other, replica) = (app.replica().await, app.replica().await);
    let (path, _, here) = one_decision(&app).await;
    let before = version(&here, &path).await;
    let keyed = here.clone().with("idempotency-key", "only-once");
    let (actions, action) = (format!("{path}/actions"), json!({"type": "stick"}));
    let at = [keyed.clone(), other.at(&keyed), replica.at(&keyed)];
    let replies = join_all((0..50).map(|n| at[n % 3].post(&actions, &action))).await;
    assert_eq!(tally(&replies), [("201".to_owned(), 50)]);
    assert!(replies.iter().all(|reply| reply.body == replies[0].body));
    let first: Vec<_> =
        replies.iter().filter(|reply| reply.header("idempotency-replayed").is_none()).collect();
    assert_eq!(first.len(), 1);
    assert_eq!(version(&here, &path).await, before + 1);
}

#[tokio::test]
async fn the_first_answer_comes_again_when_the_game_has_long_moved_on() {
    let app = TestApp::start().await;
    let (path, players, here) = one_decision(&app).await;
    let (actions, action) = (format!("{path}/actions"), json!({"type": "stick"}));
    let keyed = here.clone().with("idempotency-key", "k1");
    let first = keyed.post(&actions, &action).await;
    for _ in 0..2 {
        let next = turn(&here.get(&path).await.ok());
        players[next].post(&actions, &action).await.ok();
    }
    let now = version(&here, &path).await;
    for retry in [keyed.clone(), keyed.clone().with("if-match", first.header("etag").unwrap())] {
        let again = retry.post(&actions, &action).await;
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!((again.status, again.body.to_string()), (first.status, first.body.to_string()));
        assert_eq!(again.header("etag"), first.header("etag"));
    }
    assert_eq!(keyed.post(&actions, &json!({"type": "take"})).await.code(), "idempotency_key_reused");
    // Another caller's key is another key.
    let other = players.iter().find(|player| player.username() != here.username()).unwrap();
    let elsewhere = other.clone().with("idempotency-key", "k1").post(&actions, &action).await;
    assert_ne!(elsewhere.header("idempotency-replayed"), Some("true"));
    assert!(version(&here, &path).await <= now + 1);
    for key in ["", "with space", &"x".repeat(65), "ż"] {
        let Ok(value) = reqwest::header::HeaderValue::from_bytes(key.as_bytes()) else { continue };
        let reply = here.clone().with_bytes("idempotency-key", value).post(&actions, &action).await;
        assert_eq!(reply.code(), "invalid_parameter", "{key}");
    }
}

#[tokio::test]
async fn a_game_asked_for_twenty_times_at_once_under_one_key_is_made_once() {
    let app = TestApp::start().await;
    let replica = app.replica().await;
    let ann = app.user("ann").await.with("idempotency-key", "my-game");
    let at = [ann.clone(), replica.at(&ann)];
    let wanted = json!({"kind": "royal_gambit", "seats": 2, "sit": true});
    let replies = join_all((0..20).map(|n| at[n % 2].post("/v1/games", &wanted))).await;
    assert_eq!(tally(&replies), [("201".to_owned(), 20)]);
    assert!(replies.iter().all(|reply| reply.body == replies[0].body));
    assert_eq!(app.anon().get("/v1/games").await.ok()["items"].as_array().unwrap().len(), 1);
    let another = ann.post("/v1/games", &json!({"kind": "ritunas_favour"})).await;
    assert_eq!(another.code(), "idempotency_key_reused");
}

#[tokio::test]
async fn seats_and_starts_are_done_once_too() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let game = ann.post("/v1/games", &json!({"kind": "royal_gambit", "seats": 3, "sit": true})).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    let keyed = bob.clone().with("idempotency-key", "sit");
    let seats = format!("{path}/seats");
    let (seed, nothing) = (json!({"client_seed": "x"}), json!(null));
    let replies = join_all((0..10).map(|_| keyed.post(&seats, &seed))).await;
    assert_eq!(tally(&replies), [("201".to_owned(), 10)]);
    let starter = ann.clone().with("idempotency-key", "start");
    let start = format!("{path}/start");
    let replies = join_all((0..10).map(|_| starter.post(&start, &nothing))).await;
    assert!(replies.iter().all(|reply| reply.status == 200 && reply.body == replies[0].body));
    let log = ann.get(&format!("{path}/log")).await.ok();
    let types: Vec<&Value> = log["items"].as_array().unwrap().iter().map(|entry| &entry["type"]).collect();
    assert_eq!(types, ["created", "seated", "seated", "started", "chance", "chance"]);
}

#[tokio::test]
async fn two_replicas_play_one_game_by_turns() {
    let app = TestApp::start().await;
    let replica = app.replica().await;
    let (path, players) = started(&app, 2).await;
    let actions = format!("{path}/actions");
    for n in 0..30 {
        let there = if n % 2 == 0 { &replica } else { &app };
        let game = there.at(&players[0]).get(&path).await.ok();
        if game["status"] != "active" {
            break;
        }
        let player = there.at(&players[turn(&game)]);
        let menu = player.get(&path).await.ok()["legal_actions"].clone();
        let mut action = json!({"type": menu[n % menu.as_array().unwrap().len()]["type"]});
        if let Some(seat) = menu[0]["params"]["seat"]["from"].get(0) {
            action["seat"] = seat.clone();
        }
        let done = player.post(&actions, &action).await.ok();
        // What one replica has acknowledged, the other shows.
        let other = if n % 2 == 0 { &app } else { &replica };
        let seen = other.at(&player).get(&path).await.ok();
        assert_eq!((&seen["version"], &seen["view"]), (&done["version"], &done["view"]));
    }
}

#[tokio::test]
async fn racing_replicas_never_write_the_same_turn_twice() {
    let app = TestApp::start().await;
    let (second, third) = (app.replica().await, app.replica().await);
    let (path, players, _) = one_decision(&app).await;
    let actions = format!("{path}/actions");
    let action = json!({"type": "stick"});
    let mut accepted = 0;
    for _ in 0..15 {
        let game = players[0].get(&path).await.ok();
        let here = &players[turn(&game)];
        let racers = [here.clone(), second.at(here), third.at(here)];
        let replies = join_all((0..24).map(|n| racers[n % 3].post(&actions, &action))).await;
        let won = replies.iter().filter(|reply| reply.status == 201).count();
        // After the last seat's turn the next hand begins, and may begin with the same seat.
        assert!(
            won >= 1 && replies.iter().all(|reply| reply.status == 201 || reply.code() == "not_your_turn")
        );
        accepted += won;
    }
    let log = players[0].get(&format!("{path}/log?limit=200")).await.ok();
    let entries = log["items"].as_array().unwrap();
    assert_eq!(entries.iter().filter(|entry| entry["type"] == "acted").count(), accepted);
    for (entry, seq) in entries.iter().zip(1..) {
        assert_eq!(entry["seq"], seq);
    }
}

#[tokio::test]
async fn people_who_race_for_the_last_seats_get_one_each_and_the_game_starts_once() {
    let app = TestApp::start().await;
    let replica = app.replica().await;
    let ann = app.user("ann").await;
    let game = ann.post("/v1/games", &json!({"kind": "royal_gambit", "seats": 4})).await.ok();
    let seats = format!("/v1/games/{}/seats", game["id"].as_str().unwrap());
    let mut guests = Vec::new();
    for n in 0..12 {
        let guest = app.guest().await;
        guests.push(if n % 2 == 0 { guest } else { replica.at(&guest) });
    }
    let body = json!({});
    let replies = join_all(guests.iter().map(|guest| guest.post(&seats, &body))).await;
    assert_eq!(tally(&replies), [("201".to_owned(), 4), ("game_not_open".to_owned(), 8)]);
    let listed = app.anon().get("/v1/games?status=active").await.ok();
    assert_eq!(listed["items"][0]["players"].as_array().unwrap().len(), 4);
}
