//! Bots that think ahead: no request waits for them, and no replica has to survive their thoughts.

use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;
use super::clocks::newest;
use crate::random::dice::Dice;
use crate::random::orders::order;

/// A game of ann against bots that think ahead, in which nobody else sits.
async fn against(app: &TestApp, ann: &Client, kind: &str, policy: &str, bots: u64) -> Value {
    let wanted = json!({"kind": kind, "sit": true, "bots": vec![policy; bots as usize]});
    let game = ann.post("/v1/games", &wanted).await.ok();
    app.tick().await;
    ann.get(&path(&game)).await.ok()
}

fn path(game: &Value) -> String {
    format!("/v1/games/{}", game["id"].as_str().unwrap())
}

async fn version(app: &TestApp, path: &str) -> u64 {
    app.anon().get(path).await.ok()["version"].as_u64().unwrap()
}

/// Acts for ann until it is somebody else's turn, and gives the answer to her last action.
async fn until_the_bot_s_turn(ann: &Client, game: &Value, dice: &mut Dice) -> Value {
    let mut game = game.clone();
    while game["to_act"] == json!([0]) {
        let line = dice.pick(game["legal_actions"].as_array().unwrap()).clone();
        game = ann.post(&format!("{}/actions", path(&game)), &order(&line, dice)).await.ok();
    }
    game
}

#[tokio::test]
async fn bots_of_every_level_play_every_kind_to_its_end() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let dice = &mut Dice::new(5);
    for kind in app.anon().get("/v1/kinds").await.ok()["items"].as_array().unwrap() {
        let (name, rivals) = (kind["kind"].as_str().unwrap(), kind["seats"]["min"].as_u64().unwrap() - 1);
        for policy in ["novice", "skilled", "expert"] {
            let mut game = against(&app, &ann, name, policy, rivals).await;
            let path = path(&game);
            while game["status"] == "active" {
                until_the_bot_s_turn(&ann, &game, dice).await;
                app.tick().await;
                game = ann.get(&path).await.ok();
            }
            assert_eq!(game["status"], "finished", "{name} {policy}");
            let bot = &game["seats"][1]["bot"];
            assert_eq!(bot, policy, "{name}");
            let bundle = app.anon().get(&format!("{path}/audit")).await.ok();
            let report = app.anon().post("/v1/audit/verify", &bundle).await.ok();
            assert_eq!(report["ok"], true, "{name} {policy}: {report}");
        }
    }
}

#[tokio::test]
async fn an_action_is_answered_before_the_bot_behind_it_has_thought() {
    let app = TestApp::start().await;
    let (ann, dice) = (app.user("ann").await, &mut Dice::new(3));
    let game = against(&app, &ann, "knights_heads", "expert", 1).await;
    let answer = until_the_bot_s_turn(&ann, &game, dice).await;
    assert_eq!((&answer["to_act"], &answer["status"]), (&json!([1]), &json!("active")));
    app.tick().await;
    let after = ann.get(&path(&game)).await.ok();
    assert_eq!(after["to_act"], json!([0]));
    assert_eq!(newest(&app, &path(&game)).await["by"], json!({"type": "bot", "bot": "expert"}));
}

#[tokio::test]
async fn a_replica_that_fails_in_thought_leaves_the_turn_to_another() {
    let app = TestApp::start().await;
    let other = app.replica().await;
    let (ann, dice) = (app.user("ann").await, &mut Dice::new(3));
    let game = against(&app, &ann, "sevens", "expert", 1).await;
    let answer = until_the_bot_s_turn(&ann, &game, dice).await;
    assert_eq!(answer["to_act"], json!([1]));
    // The first replica takes the game, and nothing is heard of it again.
    app.app.scheduler.poll().await.unwrap();
    other.pass(9).await;
    assert_eq!(version(&app, &path(&game)).await, answer["version"].as_u64().unwrap());
    other.pass(2).await;
    let after = other.anon().get(&path(&game)).await.ok();
    assert!(after["version"].as_u64() > answer["version"].as_u64());
    assert_eq!(newest(&app, &path(&game)).await["by"], json!({"type": "bot", "bot": "expert"}));
    // What the first thinks about at last is over.
    let now = version(&app, &path(&game)).await;
    app.app.scheduler.thinking.poll().await;
    assert_eq!(version(&app, &path(&game)).await, now);
}

#[tokio::test]
async fn a_thought_about_a_game_that_has_gone_on_is_given_up_and_the_bot_thinks_anew() {
    let app = TestApp::start().await;
    let (ann, dice) = (app.user("ann").await, &mut Dice::new(3));
    // All pass cards at the same time.
    let wanted = json!({"kind": "ricketts_hearts", "sit": true, "bots": ["expert", "expert", "expert"]});
    let game = ann.post("/v1/games", &wanted).await.ok();
    assert_eq!(game["to_act"], json!([0, 1, 2, 3]));
    app.app.scheduler.poll().await.unwrap();
    let line = dice.pick(game["legal_actions"].as_array().unwrap()).clone();
    let passed = ann.post(&format!("{}/actions", path(&game)), &order(&line, dice)).await.ok();
    assert_eq!(app.app.scheduler.thinking.poll().await, 1);
    assert_eq!(version(&app, &path(&game)).await, passed["version"].as_u64().unwrap());
    app.tick().await;
    let after = ann.get(&path(&game)).await.ok();
    assert!(after["version"].as_u64().unwrap() >= passed["version"].as_u64().unwrap() + 3, "{after}");
}

/// How long a thought of a bot takes here, in seconds.
const THOUGHT: i64 = 3;
/// The clock of each decision, in seconds: shorter than two thoughts, so that it would run out if it ran meanwhile.
const TURN: i64 = 5;
/// How many games a player plays at once.
const AT_ONCE: usize = 50;

/// `GAMES=2000 cargo test no_clock_of_a_person -- --nocapture` plays ten thousand; with `KIND=sevens`, only those of this kind.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a test is told by whoever runs it, not by a configuration")]
async fn no_clock_of_a_person_runs_while_a_bot_thinks() {
    let games = std::env::var("GAMES").map_or(5, |games| games.parse().expect("GAMES is a number"));
    let only = std::env::var("KIND").ok();
    let app = TestApp::start().await;
    let kinds = app.anon().get("/v1/kinds").await.ok();
    let (mut played, mut decisions) = (0, 0);
    for kind in kinds["items"].as_array().unwrap() {
        let (name, rivals) = (kind["kind"].as_str().unwrap(), kind["seats"]["min"].as_u64().unwrap() - 1);
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let wanted = json!({
            "kind": name, "sit": true, "bots": vec!["expert"; rivals as usize], "turn_seconds": TURN,
            "options": if name == "ricketts_hearts" { json!({"target_score": 20}) } else { json!({}) },
        });
        for from in (0..games).step_by(AT_ONCE) {
            let at_once = AT_ONCE.min(games - from);
            decisions += play_while_bots_think(&app, &wanted, at_once, from as u64).await;
            played += at_once;
        }
        println!("{name}: {played} games so far, {decisions} decisions of people");
    }
    assert!(played > 0, "no such kind");
}

/// Plays games to their ends, in which every thought takes its time. Returns how often their player decided.
async fn play_while_bots_think(app: &TestApp, wanted: &Value, games: usize, seed: u64) -> u32 {
    let (mut ann, dice) = (app.guest().await, &mut Dice::new(seed));
    let mut running = Vec::new();
    for _ in 0..games {
        running.push(path(&ann.post("/v1/games", wanted).await.ok()));
    }
    let (mut decisions, mut rounds) = (0, 0);
    while !running.is_empty() {
        let mut left = Vec::new();
        for path in running {
            let mut game = ann.get(&path).await.ok();
            while game["to_act"].as_array().unwrap().contains(&json!(0)) {
                let deadline: jiff::Timestamp = game["deadline"].as_str().unwrap().parse().unwrap();
                let whole = jiff::SignedDuration::from_secs(TURN);
                assert_eq!(
                    deadline.duration_since(app.clock.now()),
                    whole,
                    "the turn has just begun: {game}"
                );
                let line = dice.pick(game["legal_actions"].as_array().unwrap()).clone();
                game = ann.post(&format!("{path}/actions"), &order(&line, dice)).await.ok();
                decisions += 1;
            }
            if game["status"] == "active" {
                left.push(path);
            } else {
                assert_eq!(game["status"], "finished");
                let bundle = app.anon().get(&format!("{path}/audit")).await.ok().to_string();
                assert!(
                    bundle.contains(r#""type":"bot""#) && !bundle.contains(r#""type":"clock""#),
                    "{bundle}"
                );
            }
        }
        running = left;
        app.app.scheduler.poll().await.unwrap();
        app.clock.advance(THOUGHT);
        app.app.scheduler.thinking.poll().await;
        rounds += 1;
        if rounds % 100 == 0 {
            let token = json!({"refresh_token": ann.session["refresh_token"]});
            ann = app.anon().with_session(app.anon().post("/v1/auth/refresh", &token).await.ok());
        }
    }
    assert!(decisions > games as u32);
    decisions
}
