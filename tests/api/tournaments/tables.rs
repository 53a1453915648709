//! Tables that are played once more, results that an organiser sets, check-in, and what is told about a tournament.

use reqwest::Method;
use serde_json::{Value, json};

use super::{bots, enter, made, play, points, standings};
use crate::api::app::TestApp;
use crate::api::client::{Client, Reply};
use crate::random::dice::Dice;
use crate::random::orders::list;

async fn delete(client: &Client, path: &str) -> Reply {
    client.send(Method::DELETE, path, Vec::new()).await
}

async fn status(client: &Client, game: &Value) -> Value {
    client.get(&format!("/v1/games/{}", game.as_str().unwrap())).await.ok()["status"].clone()
}

#[tokio::test]
async fn a_table_that_went_wrong_is_played_once_more_or_its_result_is_set() {
    let app = TestApp::start().await;
    let players =
        [app.user("ann").await, app.user("ben").await, app.user("cleo").await, app.user("dora").await];
    let olga = app.user("olga").await;
    let format = json!({"type": "rounds", "rounds": 2, "seating": "swiss"});
    let path = made(&olga, json!({"result_by": {"type": "places"}, "table_size": 2, "format": format})).await;
    enter(&path, &players).await;
    let table = |round: u16, number: u16, what: &str| format!("{path}/rounds/{round}/tables/{number}/{what}");
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;

    // The first table is played once more: the same seats, a new game, and the old one is called off.
    let before = olga.get(&path).await.ok()["rounds"][0]["tables"].clone();
    let redo = json!({"game": before[0]["game"], "reason": "a power cut"});
    assert_eq!(players[0].post(&table(1, 1, "redo"), &redo).await.code(), "not_organiser");
    assert_eq!(olga.post(&table(1, 3, "redo"), &redo).await.code(), "table_not_found");
    assert_eq!(
        olga.post(&table(1, 1, "redo"), &json!({"game": before[0]["game"], "reason": " "})).await.code(),
        "invalid_body"
    );
    let key = "the-power-came-back";
    let done = olga.clone().with("Idempotency-Key", key).post(&table(1, 1, "redo"), &redo).await.ok();
    let again = olga.clone().with("Idempotency-Key", key).post(&table(1, 1, "redo"), &redo).await.ok();
    let twice = olga.post(&table(1, 1, "redo"), &redo).await;
    assert_eq!(twice.code(), "other_game", "another organiser would throw away the new game");
    let after = &done["rounds"][0]["tables"][0];
    assert_eq!(again["rounds"][0]["tables"][0], *after, "the same request is done once");
    assert_ne!(after["game"], before[0]["game"]);
    assert_eq!(
        (&after["players"], &after["earlier_games"]),
        (&before[0]["players"], &json!([before[0]["game"]]))
    );
    app.tick().await;
    assert_eq!(status(&olga, &before[0]["game"]).await, "aborted");
    assert_eq!(status(&olga, &after["game"]).await, "active");
    let first = players.iter().find(|player| after["players"][0] == player.username()).unwrap();
    assert_eq!(first.get(&path).await.ok()["you"]["game"], after["game"], "players are led to the new game");

    // The second table's result is set while its game runs.
    let told =
        |scores: Value| json!({"game": before[1]["game"], "reason": "the phones died", "scores": scores});
    for bad in [json!([1]), json!([1, 2, 3])] {
        assert_eq!(olga.post(&table(1, 2, "result"), &told(bad)).await.code(), "invalid_body");
    }
    let set = olga.post(&table(1, 2, "result"), &told(json!([7, 30]))).await.ok();
    let result = &set["rounds"][0]["tables"][1]["result"];
    assert_eq!((&result["places"], &result["by"]), (&json!([2, 1]), &json!("olga")));
    app.tick().await;
    assert_eq!(status(&olga, &before[1]["game"]).await, "aborted");
    let winner = before[1]["players"][1].as_str().unwrap();
    let row = async |player: &str| -> Value {
        standings(&app.anon(), &path).await.into_iter().find(|row| row["player"] == player).unwrap()
    };
    assert_eq!((&row(winner).await["result"], &row(winner).await["score"]), (&json!(1), &json!(0)));

    // The tournament goes on by itself, and the result can be changed while it does.
    let mut dice = Dice::new(3);
    let tournament = play(&app, &path, &players, &mut dice).await;
    assert_eq!(tournament["status"], "finished");
    assert_eq!(olga.post(&table(2, 1, "redo"), &redo).await.code(), "tournament_over");
    let result_before = row(winner).await["result"].as_f64().unwrap();
    olga.post(&table(1, 2, "result"), &told(json!([30, 7]))).await.ok();
    assert_eq!(row(winner).await["result"].as_f64().unwrap(), result_before - 1.0);
    let cancelled = delete(&olga, &table(1, 2, "result")).await.ok();
    assert_eq!(cancelled["rounds"][0]["tables"][1]["result"], Value::Null);
    // A replica that has to read the log knows the same.
    let other = app.replica().await;
    assert_eq!(standings(&other.anon(), &path).await, standings(&app.anon(), &path).await);
    let games: Vec<Value> =
        points(&app.anon(), &path).await.iter().map(|point| point["game"].clone()).collect();
    assert!(
        !games.contains(&before[0]["game"]) && !games.contains(&before[1]["game"]),
        "they were called off"
    );
}

#[tokio::test]
async fn entrants_check_in_and_organisers_say_where_and_when() {
    let app = TestApp::start().await;
    let [olga, ann, ben] = [app.user("olga").await, app.user("ann").await, app.user("ben").await];
    let bad = json!({"name": "Cup", "kind": "sevens", "check_in_minutes": 0,
        "format": {"type": "rounds", "rounds": 1, "seating": "random"}});
    assert_eq!(olga.post("/v1/tournaments", &bad).await.code(), "invalid_options");
    let path = made(&olga, json!({"check_in_minutes": 15, "details": {"venue": "Town hall"}})).await;
    enter(&path, &[ann.clone(), ben.clone()]).await;
    bots(&olga, &path, "steady", 2).await;
    let soon = app.clock.now() + jiff::SignedDuration::from_mins(20);
    let change =
        json!({"name": "Winter cup", "details": {"starts_at": soon.to_string(), "result_prize": "a cup"}});
    assert_eq!(ann.patch(&path, &change.clone()).await.code(), "not_organiser");
    let edited = olga.patch(&path, &change).await.ok();
    assert_eq!(edited["setup"]["name"], "Winter cup");
    let details = &edited["details"];
    assert_eq!((&details["venue"], &details["result_prize"]), (&json!("Town hall"), &json!("a cup")));
    assert!(
        list(&app.anon().get("/v1/tournaments").await.ok()["items"])
            .iter()
            .any(|one| one["name"] == "Winter cup")
    );
    assert_eq!(
        olga.patch(&path, &json!({"details": {"venue": "x".repeat(201)}})).await.code(),
        "invalid_options"
    );
    assert_eq!(olga.patch(&path, &json!({"setup": {}})).await.code(), "invalid_body");

    let check_in = format!("{path}/entries/ann/check-in");
    assert_eq!(ann.post(&check_in, &json!(null)).await.code(), "check_in_not_open");
    app.clock.advance(10 * 60);
    assert_eq!(ben.post(&check_in, &json!(null)).await.code(), "not_organiser");
    assert_eq!(ann.post(&check_in, &json!(null)).await.ok()["you"]["checked_in"], true);
    let entries = app.anon().get(&format!("{path}/entries")).await.ok();
    let there: Vec<&Value> = list(&entries["items"]).iter().map(|one| &one["checked_in"]).collect();
    assert_eq!(there, [&json!(true), &json!(false), &json!(true), &json!(true)]);
    assert_eq!(delete(&ann, &check_in).await.ok()["you"]["checked_in"], false);
    olga.post(&check_in, &json!(null)).await.ok();

    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    let tournament = ben.get(&path).await.ok();
    assert_eq!((&tournament["you"]["absent"], &tournament["you"]["game"]), (&json!(true), &Value::Null));
    let seated: usize =
        list(&tournament["rounds"][0]["tables"]).iter().map(|table| list(&table["players"]).len()).sum();
    assert_eq!(seated, 3);
    let rows = standings(&app.anon(), &path).await;
    assert!(rows.iter().any(|row| row["player"] == "ben" && row["status"] == "absent"));
    assert_eq!(
        ben.post(&format!("{path}/entries/ben/check-in"), &json!(null)).await.code(),
        "check_in_closed"
    );
}
