//! What organisers do while a tournament runs.

use reqwest::Method;
use serde_json::{Value, json};

use super::{bots, made, play};
use crate::api::app::TestApp;
use crate::api::client::{Client, Reply};
use crate::random::dice::Dice;
use crate::random::orders::list;

async fn delete(client: &Client, path: &str) -> Reply {
    client.send(Method::DELETE, path, Vec::new()).await
}

/// The entrant's line in the standings.
async fn line(app: &TestApp, path: &str, player: &str) -> Value {
    let standings = app.anon().get(&format!("{path}/standings")).await.ok();
    list(&standings["items"]).iter().find(|row| row["player"] == player).unwrap().clone()
}

#[tokio::test]
async fn a_tournament_as_it_really_goes() {
    let app = TestApp::start().await;
    let [olga, ann, ben, late] =
        [app.user("olga").await, app.user("ann").await, app.user("ben").await, app.user("late").await];
    let change = json!({
        "pause_after_rounds": true, "late_entry": {"until_round": 2, "missed": "mean"}, "fill": "steady",
        "format": {"type": "rounds", "rounds": 3, "seating": "swiss"}, "turn_seconds": 5,
    });
    let path = made(&olga, change).await;
    for player in [&ann, &ben] {
        player.post(&format!("{path}/entries"), &json!({})).await.ok();
    }
    bots(&olga, &path, "steady", 3).await;
    let act =
        async |client: &Client, what: &str, body: Value| client.post(&format!("{path}/{what}"), &body).await;
    let penalty = json!({"player": "ann", "reason": "late", "result": -0.5, "score": -2});
    assert_eq!(act(&olga, "penalties", penalty.clone()).await.code(), "tournament_not_active");
    assert_eq!(act(&olga, "pause", json!({})).await.code(), "tournament_not_active");
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;

    // Only organisers do these.
    for (what, body) in [
        ("announcements", json!({"text": "On we go."})),
        ("penalties", penalty.clone()),
        ("pause", json!(null)),
        ("resume", json!(null)),
        ("entries/ann/reinstate", json!(null)),
        ("entries/ann/replace", json!({"player": "late"})),
    ] {
        assert_eq!(act(&ann, what, body).await.code(), "not_organiser", "{what}");
    }
    assert_eq!(delete(&ann, &format!("{path}/penalties/1")).await.code(), "not_organiser");

    // The first round is drawn, and the next one waits for Olga.
    assert_eq!(ann.get(&path).await.ok()["paused"], true);
    let mut dice = Dice::new(7);
    late.post(&format!("{path}/entries"), &json!({})).await.ok();
    while super::move_on(&path, &[ann.clone(), ben.clone()], &mut dice).await {
        app.clock.advance(1);
        app.tick().await;
    }
    app.pass(600).await;
    assert_eq!(list(&ann.get(&path).await.ok()["rounds"]).len(), 1, "nothing is drawn");

    let said = act(&olga, "announcements", json!({"text": "Round 2 begins."})).await;
    assert_eq!(said.status, 201);
    let said = said.ok();
    let told = app.anon().get(&format!("{path}/announcements")).await.ok();
    assert_eq!(
        (&told["items"][0]["text"], &told["items"][0]["by"]),
        (&json!("Round 2 begins."), &json!("olga"))
    );
    assert_eq!(told["items"][0], said, "what was made is answered");

    let before = line(&app, &path, "ann").await;
    let given = act(&olga, "penalties", penalty).await;
    assert_eq!(given.status, 201);
    assert_eq!(given.ok(), app.anon().get(&format!("{path}/penalties")).await.ok()["items"][0]);
    let finer = json!({"player": "ann", "reason": "late", "result": 0.0005});
    assert_eq!(act(&olga, "penalties", finer).await.code(), "invalid_body");
    let nothing = json!({"player": "ann", "reason": "late"});
    assert_eq!(act(&olga, "penalties", nothing).await.code(), "invalid_body");
    let after = line(&app, &path, "ann").await;
    assert_eq!(after["penalties"], json!({"result": -0.5, "score": -2}));
    assert_eq!(after["result"].as_f64().unwrap(), before["result"].as_f64().unwrap() - 0.5);
    assert_eq!(after["score"].as_i64().unwrap(), before["score"].as_i64().unwrap() - 2);
    let sheet = app.anon().get(&format!("{path}/standings.csv")).await;
    assert!(sheet.body.as_str().unwrap().contains(",-0.5,-2,"), "{}", sheet.body);

    // Ben is put out and taken back; Ann goes home, and somebody else plays on for her.
    act(&olga, "entries/ben/disqualify", json!({"reason": "two phones"})).await.ok();
    assert_eq!(line(&app, &path, "ben").await["status"], "disqualified");
    act(&olga, "entries/ben/reinstate", json!(null)).await.ok();
    assert_eq!(act(&olga, "entries/ben/reinstate", json!(null)).await.code(), "entrant_not_out");
    assert_eq!(line(&app, &path, "ben").await["status"], "playing");
    app.user("cleo").await;
    for (player, code) in [("nobody", "player_not_found"), ("ben", "already_entered")] {
        let refused = act(&olga, "entries/ann/replace", json!({"player": player})).await;
        assert_eq!(refused.code(), code);
    }
    act(&olga, "entries/ann/replace", json!({"player": "cleo"})).await.ok();
    assert_eq!(line(&app, &path, "cleo").await["penalties"]["score"], -2);
    delete(&olga, &format!("{path}/penalties/1")).await.ok();
    assert_eq!(line(&app, &path, "cleo").await["result"], before["result"]);
    let penalties = app.anon().get(&format!("{path}/penalties")).await.ok();
    assert_eq!(penalties["items"][0]["cancelled_by"], "olga");

    act(&olga, "resume", json!(null)).await.ok();
    app.tick().await;
    let tournament = ann.get(&path).await.ok();
    let seated: Vec<&Value> =
        list(&tournament["rounds"][1]["tables"]).iter().flat_map(|table| list(&table["players"])).collect();
    for player in ["ben", "cleo", "late"] {
        assert!(seated.contains(&&json!(player)), "{player} plays: {seated:?}");
    }
    assert!(!seated.contains(&&json!("ann")));

    // The rest is played by the clock, each round on Olga's word.
    for _ in 0..400 {
        app.pass(5).await;
        let tournament = olga.get(&path).await.ok();
        if tournament["status"] == "finished" {
            break;
        }
        act(&olga, "resume", json!(null)).await.ok();
    }
    let tournament = play(&app, &path, &[], &mut dice).await;
    assert_eq!((&tournament["status"], &tournament["paused"]), (&json!("finished"), &json!(false)));
    // A replica that has to read the log knows the same.
    let other = app.replica().await;
    let mine = app.anon().get(&format!("{path}/standings")).await.ok();
    assert_eq!(other.anon().get(&format!("{path}/standings")).await.ok(), mine);
}

#[tokio::test]
async fn those_in_a_tournament_hear_what_its_organisers_do() {
    let app = TestApp::start().await;
    let [olga, ann, ben] = [app.user("olga").await, app.user("ann").await, app.user("ben").await];
    let path = made(&olga, json!({"fill": "steady"})).await;
    for player in [&ann, &ben] {
        player.post(&format!("{path}/entries"), &json!({})).await.ok();
    }
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    let mut stream = ann.stream("/v1/me/stream").await;
    stream.next().await.unwrap();
    let act = async |what: &str, body: Value| olga.post(&format!("{path}/{what}"), &body).await.ok();
    act("announcements", json!({"text": "The bar is open."})).await;
    act("penalties", json!({"player": "ben", "reason": "loud", "score": -1})).await;
    act("penalties", json!({"player": "ann", "reason": "late", "result": 0.25})).await;
    act("entries/ann/disqualify", json!({"reason": "two phones"})).await;
    act("entries/ann/reinstate", json!(null)).await;
    let mut told = Vec::new();
    while told.len() < 4 {
        let notice = stream.next().await.unwrap().json();
        let kind = notice["type"].as_str().unwrap().to_owned();
        if ["announcement", "penalised", "disqualified", "reinstated"].contains(&&*kind) {
            told.push((kind, notice));
        }
    }
    let kinds: Vec<&str> = told.iter().map(|(kind, _)| &**kind).collect();
    assert_eq!(kinds, ["announcement", "penalised", "disqualified", "reinstated"]);
    assert_eq!(told[0].1["text"], "The bar is open.");
    assert_eq!((&told[1].1["reason"], &told[1].1["result"]), (&json!("late"), &json!(0.25)));
}
