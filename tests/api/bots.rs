//! Bots over HTTP: seated, followed, watched.

use cardroom_core::bots;
use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;
use crate::random::dice::Dice;
use crate::random::orders::order;

async fn log(client: &Client, path: &str) -> Vec<Value> {
    let (mut log, mut after) = (Vec::new(), json!(0));
    while !after.is_null() {
        let page = client.get(&format!("{path}/log?after={after}&limit=200")).await.ok();
        log.extend(page["items"].as_array().unwrap().clone());
        after = page["next"].clone();
    }
    log
}

fn path(game: &Value) -> String {
    format!("/v1/games/{}", game["id"].as_str().unwrap())
}

#[tokio::test]
async fn one_request_after_registering_one_plays_alone_against_bots_and_to_the_end() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let mut dice = Dice::new(3);
    for kind in app.anon().get("/v1/kinds").await.ok()["items"].as_array().unwrap() {
        let rivals = vec!["steady"; kind["seats"]["min"].as_u64().unwrap() as usize - 1];
        let mut game =
            ann.post("/v1/games", &json!({"kind": kind["kind"], "sit": true, "bots": rivals})).await.ok();
        let path = path(&game);
        assert_eq!((&game["status"], &game["you"]), (&json!("active"), &json!(0)), "{}", kind["kind"]);
        while game["status"] == "active" {
            if game["to_act"] == json!([0]) {
                let line = dice.pick(game["legal_actions"].as_array().unwrap()).clone();
                let before = game["version"].as_u64().unwrap();
                game = ann.post(&format!("{path}/actions"), &order(&line, &mut dice)).await.ok();
                assert_eq!(game["seq"], before + 1);
            } else {
                // Out of the game, or the bots had very much to do.
                app.tick().await;
                game = ann.get(&path).await.ok();
            }
        }
        assert_eq!(game["status"], "finished");
        assert_eq!(game["outcome"]["places"].as_array().unwrap().len(), rivals.len() + 1);
        let bots = log(&ann, &path).await.into_iter().filter(|entry| entry["by"]["type"] == "bot");
        assert!(bots.into_iter().all(|entry| entry["by"] == json!({"type": "bot", "bot": "steady"})));
    }
    let profile = ann.get("/v1/players/ann").await.ok();
    assert!(profile["kinds"].as_array().unwrap().iter().all(|kind| kind["finished"] == 1), "{profile}");
}

#[tokio::test]
async fn who_made_a_game_seats_bots_before_it_starts() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let wanted = json!({"kind": "royal_gambit", "seats": 4, "bots": ["random"]});
    let game = ann.post("/v1/games", &wanted).await.ok();
    let path = path(&game);
    let bots = format!("{path}/bots");
    assert_eq!((&game["seats"][0]["bot"], &game["seats"][0]["player"]), (&json!("random"), &Value::Null));
    assert_eq!(bob.post(&bots, &json!({"policy": "steady"})).await.code(), "not_creator");
    assert_eq!(ann.post(&bots, &json!({"policy": "brilliant"})).await.code(), "invalid_body");
    assert_eq!(ann.post(&bots, &json!({})).await.code(), "invalid_body");
    bob.post(&format!("{path}/seats"), &json!({})).await.ok();
    let listed = app.anon().get("/v1/games").await.ok()["items"][0].clone();
    assert_eq!((&listed["players"], &listed["bots"]), (&json!(["bob"]), &json!(1)));
    let seated = ann.post(&bots, &json!({"policy": "steady"})).await;
    assert_eq!((seated.status.as_u16(), &seated.body["seats"][2]["bot"]), (201, &json!("steady")));
    assert_eq!(seated.body["status"], "open");
    let last = ann.post(&bots, &json!({"policy": "steady"})).await.ok();
    assert_eq!(last["status"], "active");
    assert_eq!(ann.post(&bots, &json!({"policy": "steady"})).await.code(), "game_not_open");
    let log = log(&ann, &path).await;
    assert_eq!(log[1]["by"], json!({"type": "player", "player": "ann"}));
    assert_eq!(log[1]["data"], json!({"bot": "random", "client_seed": ""}));
    let started = log.iter().find(|entry| entry["type"] == "started").unwrap();
    assert_eq!(started["data"]["seats"][0], json!({"seat": 0, "was": 0, "player": null, "bot": "random"}));
    // A creator who does not play starts a game of bots.
    let game =
        ann.post("/v1/games", &json!({"kind": "sevens", "seats": 4, "bots": ["random", "steady"]})).await;
    let started = ann.post(&format!("{}/start", self::path(&game.body)), &json!(null)).await.ok();
    assert_eq!(started["seats"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn there_are_as_many_seats_as_people_and_bots_unless_one_says_so() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    for (wanted, seats, status) in [
        (json!({"kind": "sevens", "sit": true, "bots": ["random"]}), 2, "active"),
        (json!({"kind": "sevens", "sit": true, "bots": ["random", "steady"]}), 3, "active"),
        (json!({"kind": "sevens", "sit": true, "seats": 4, "bots": ["random"]}), 4, "open"),
        (json!({"kind": "sevens", "bots": ["random"]}), 2, "open"),
        (json!({"kind": "ricketts_hearts", "sit": true, "bots": ["random"]}), 4, "open"),
        (json!({"kind": "sevens", "sit": true}), 6, "open"),
        (json!({"kind": "sevens", "sit": true, "bots": []}), 6, "open"),
    ] {
        let game = ann.post("/v1/games", &wanted).await.ok();
        let found = (game["seats"].as_array().unwrap().len(), game["status"].as_str().unwrap());
        assert_eq!(found, (seats, status), "{wanted}");
    }
    for (wanted, code) in [
        (json!({"kind": "sevens", "sit": true, "seats": 2, "bots": ["random", "random"]}), "invalid_options"),
        (json!({"kind": "sevens", "bots": vec!["random"; 7]}), "invalid_options"),
        (json!({"kind": "sevens", "bots": vec!["random"; 300]}), "invalid_options"),
        (json!({"kind": "sevens", "bots": ["best"]}), "invalid_body"),
        (json!({"kind": "sevens", "bots": "random"}), "invalid_body"),
        (json!({"kind": "sevens", "bot_delay_ms": 10_001}), "invalid_options"),
    ] {
        assert_eq!(ann.post("/v1/games", &wanted).await.code(), code, "{wanted}");
    }
}

#[tokio::test]
async fn games_of_bots_play_themselves_and_every_action_follows_from_what_its_seat_saw() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    for kind in app.anon().get("/v1/kinds").await.ok()["items"].as_array().unwrap() {
        let bots = vec!["steady"; kind["seats"]["min"].as_u64().unwrap() as usize];
        let game = ann.post("/v1/games", &json!({"kind": kind["kind"], "bots": bots})).await.ok();
        assert!(game["version"].as_u64().unwrap() < 80, "an append is bounded");
        app.tick().await;
        let game = app.anon().get(&path(&game)).await.ok();
        assert_eq!(game["status"], "finished", "{}", kind["kind"]);
        let log = log(&app.anon(), &path(&game)).await;
        let acted: Vec<&Value> = log.iter().filter(|entry| entry["type"] == "acted").collect();
        // Steady bots leave nothing to luck, so any will do.
        for entry in acted.iter().take(25) {
            let (id, seq) = (game["id"].as_str().unwrap(), entry["seq"].as_u64().unwrap() as u32);
            let before = app.app.games.look_back(id.parse().unwrap(), None, seq - 1).await.unwrap();
            let seat = entry["seat"].as_u64().unwrap() as u8;
            let seen = before.at_seat(seat).unwrap();
            let action: Value = serde_json::from_str(bots::steady(&seen).get()).unwrap();
            assert_eq!(entry["data"], json!({"action": action}));
        }
        let hand = app.anon().get(&format!("{}/hands/1", path(&game))).await.ok();
        assert_eq!(hand["players"][1], "steady (seat 1)");
    }
}

#[tokio::test]
async fn a_repeat_gets_the_same_answer_and_the_bots_do_not_act_again() {
    let app = TestApp::start().await;
    let replica = app.replica().await;
    let ann = app.user("ann").await.with("idempotency-key", "k");
    let wanted = json!({"kind": "ritunas_favour", "sit": true, "bots": ["random", "random", "steady"]});
    let made = ann.post("/v1/games", &wanted).await;
    let again = replica.at(&ann).post("/v1/games", &wanted).await;
    assert_eq!((again.header("idempotency-replayed"), &again.body), (Some("true"), &made.body));
    let actions = format!("{}/actions", path(&made.body));
    let ann = ann.with("idempotency-key", "m");
    let acted = ann.post(&actions, &json!({"type": "stick"})).await;
    assert!(acted.body["version"].as_u64().unwrap() > acted.body["seq"].as_u64().unwrap());
    let later = ann.clone().with("idempotency-key", "l").post(&actions, &json!({"type": "stick"})).await;
    assert!(later.status == 201 || later.code() == "illegal_action");
    for at in [&app, &replica] {
        let again = at.at(&ann).post(&actions, &json!({"type": "stick"})).await;
        assert_eq!((again.header("idempotency-replayed"), &again.body), (Some("true"), &acted.body));
    }
}

#[tokio::test]
async fn a_bot_that_waits_acts_when_its_time_has_come() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let wanted = json!({"kind": "royal_gambit", "bots": ["steady", "steady"], "bot_delay_ms": 2000});
    let game = ann.post("/v1/games", &wanted).await.ok();
    assert_eq!(
        (&game["version"], &game["bot_delay_ms"], &game["deadline"]),
        (&json!(6), &json!(2000), &Value::Null)
    );
    let version = async || app.anon().get(&path(&game)).await.ok()["version"].as_u64().unwrap();
    app.pass(1).await;
    assert_eq!(version().await, 6);
    app.pass(1).await;
    assert_eq!(version().await, 7);
    app.pass(10).await;
    assert_eq!(log(&ann, &path(&game)).await.iter().filter(|entry| entry["type"] == "acted").count(), 6);
}
