//! An arena: players come and go, and get the next table while others still play.

use std::process::Command;

use serde_json::{Value, json};

use super::offline::{Offline, bundles};
use super::{bots, enter, made, standings};
use crate::api::app::TestApp;
use crate::api::client::Client;
use crate::random::dice::Dice;
use crate::random::orders::{list, order};

async fn game_of(path: &str, player: &Client) -> Option<String> {
    player.get(path).await.ok()["you"]["game"].as_str().map(str::to_owned)
}

async fn is_over(game: &str, player: &Client) -> bool {
    player.get(&format!("/v1/games/{game}")).await.ok()["status"] == "finished"
}

/// Two play their game to its end.
async fn play_out(path: &str, players: [&Client; 2], dice: &mut Dice) {
    let game = game_of(path, players[0]).await.unwrap();
    assert_eq!(game_of(path, players[1]).await.as_ref(), Some(&game));
    for _ in 0..10_000 {
        for player in players {
            let seen = player.get(&format!("/v1/games/{game}")).await.ok();
            if seen["status"] == "finished" {
                return;
            }
            let menu = list(&seen["legal_actions"]);
            if !menu.is_empty() {
                player.post(&format!("/v1/games/{game}/actions"), &order(dice.pick(menu), dice)).await.ok();
            }
        }
    }
    panic!("the game goes on and on");
}

#[tokio::test]
async fn players_come_and_go_until_the_time_is_up() {
    let app = TestApp::start().await;
    let [olga, ann, ben, cat, dan] = [
        app.user("olga").await,
        app.user("ann").await,
        app.user("ben").await,
        app.user("cat").await,
        app.user("dan").await,
    ];
    let format = json!({"type": "arena", "minutes": 10});
    let path = made(&olga, json!({"format": format, "table_size": 2, "turn_seconds": 3600})).await;
    enter(&path, &[ann.clone(), ben.clone(), cat.clone()]).await;
    assert_eq!(ann.get(&path).await.ok()["arena_ends_at"], Value::Null);
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    let ends: jiff::Timestamp = ann.get(&path).await.ok()["arena_ends_at"].as_str().unwrap().parse().unwrap();
    assert_eq!(ends.duration_since(app.clock.now()).as_mins(), 10);
    let mut seated = Vec::new();
    let mut free = Vec::new();
    for player in [&ann, &ben, &cat] {
        if game_of(&path, player).await.is_some() { seated.push(player) } else { free.push(player) }
    }
    let ([one, other], [waits]) = (&seated[..], &free[..]) else { panic!("two are seated, one waits") };
    let (one, other, waits) = (*one, *other, *waits);
    let first = game_of(&path, one).await.unwrap();

    // One who comes later plays the one who waits, though the others still play.
    enter(&path, std::slice::from_ref(&dan)).await;
    app.pass(5).await;
    let second = game_of(&path, &dan).await.unwrap();
    assert_eq!((game_of(&path, waits).await, game_of(&path, one).await), (Some(second.clone()), Some(first)));

    // A player on a break gets no table; their opponent waits.
    let mut dice = Dice::new(1);
    let check_in = |player: &Client| format!("{path}/entries/{}/check-in", player.username());
    one.delete(&check_in(one)).await.ok();
    assert_eq!(one.get(&path).await.ok()["you"]["absent"], true);
    play_out(&path, [one, other], &mut dice).await;
    app.pass(61).await;
    assert_eq!(ann.get(&path).await.ok()["rounds"].as_array().unwrap().len(), 2);
    assert_eq!(other.delete(&check_in(one)).await.code(), "not_organiser");
    one.post(&check_in(one), &json!(null)).await.ok();
    app.tick().await;
    let third = game_of(&path, one).await.unwrap();
    assert_eq!(game_of(&path, other).await, Some(third.clone()), "the two who are free play again");

    // At the end, nobody is seated any more, and games that run are played out.
    play_out(&path, [waits, &dan], &mut dice).await;
    app.clock.advance(ends.duration_since(app.clock.now()).as_secs());
    app.tick().await;
    assert!(is_over(&second, &dan).await);
    let tournament = ann.get(&path).await.ok();
    assert_eq!((&tournament["status"], list(&tournament["rounds"]).len()), (&json!("active"), 3));
    assert_eq!(
        app.user("eve").await.post(&format!("{path}/entries"), &json!({})).await.code(),
        "registration_closed"
    );
    play_out(&path, [one, other], &mut dice).await;
    app.tick().await;
    assert_eq!(ann.get(&path).await.ok()["status"], "finished");
    let rows = standings(&app.anon(), &path).await;
    let games = |player: &Client| {
        rows.iter().find(|row| row["player"] == player.username()).unwrap()["games"].clone()
    };
    assert_eq!([one, other, waits, &dan].map(games), [json!(2), json!(2), json!(1), json!(1)]);
    let bundle = app.anon().get(&format!("{path}/audit")).await.ok();
    assert_eq!(bundle["tournament"]["status"], "finished");
}

#[tokio::test]
async fn two_who_are_free_are_seated_though_others_have_left_in_the_middle_of_their_games() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let four = [app.user("ann").await, app.user("ben").await, app.user("cat").await, app.user("dan").await];
    let eve = app.user("eve").await;
    let format = json!({"type": "arena", "minutes": 60});
    let path = made(&olga, json!({"format": format, "table_size": 2, "turn_seconds": 3600})).await;
    enter(&path, &four).await;
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    let first = game_of(&path, &four[0]).await;
    let (mut here, mut there) = (Vec::new(), Vec::new());
    for player in &four {
        if game_of(&path, player).await == first { here.push(player) } else { there.push(player) }
    }
    enter(&path, std::slice::from_ref(&eve)).await;
    for leaver in [here[0], there[0]] {
        leaver.delete(&format!("{path}/entries/{}/check-in", leaver.username())).await.ok();
    }
    play_out(&path, [here[0], here[1]], &mut Dice::new(1)).await;
    app.pass(6).await;
    let next = game_of(&path, &eve).await;
    assert!(next.is_some(), "eve and {} are free, and wait for no other game", here[1].username());
    assert_eq!(game_of(&path, here[1]).await, next);
}

#[tokio::test]
async fn an_arena_of_bots_is_audited_offline_and_a_table_drawn_too_early_is_found() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let format = json!({"type": "arena", "minutes": 3});
    let path = made(&olga, json!({"format": format, "table_size": 3, "bot_delay_ms": 900})).await;
    bots(&olga, &path, "random", 10).await;
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    for _ in 0..3000 {
        app.pass(1).await;
        if app.anon().get(&path).await.ok()["status"] == "finished" {
            break;
        }
    }
    let rounds = app.anon().get(&path).await.ok()["rounds"].as_array().unwrap().len();
    assert!(rounds > 3, "{rounds}");
    let (bundle, games) = bundles(&app, &path).await;
    let offline = Offline::new(&app).await;
    let told = offline.audit(&(bundle.clone() + &games));
    assert!(told.status.success(), "{told:?}");
    let file = offline.write("all.jsonl", &(bundle.clone() + &games));
    let counted = Command::new("python3").args(["docs/count.py", &file]).output().unwrap();
    assert!(counted.status.success(), "{counted:?}");
    // The second round is said to have been drawn when the first had just begun.
    let mut tampered: Value = serde_json::from_str(&bundle).unwrap();
    let log = tampered["log"].as_array_mut().unwrap();
    let began: Vec<usize> = (0..log.len()).filter(|&at| log[at]["type"] == "round_began").collect();
    log[began[1]]["at"] = log[began[0]]["at"].clone();
    offline.finds("rounds", &format!("{tampered}\n{games}"));
}
