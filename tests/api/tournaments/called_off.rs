//! Tournaments that are called off while their tables play.

use serde_json::{Value, json};

use super::{enter, made};
use crate::api::app::TestApp;
use crate::random::orders::list;

/// The cards of all its games follow from it.
#[tokio::test]
async fn the_seed_of_a_tournament_that_was_called_off_is_shown_when_no_table_plays_any_more() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let players = [app.user("ann").await, app.user("ben").await, app.user("cleo").await];
    let path = made(&olga, json!({})).await;
    enter(&path, &players).await;
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    app.tick().await;
    let mut stream = app.anon().stream(&format!("{path}/stream")).await;
    stream.next().await.unwrap();
    let (seed_of, last_of) = (
        |shown: &Value| shown["fairness"]["server_seed"].clone(),
        async || {
            let log = app.anon().get(&format!("{path}/log")).await.ok();
            list(&log["items"]).last().unwrap().clone()
        },
    );
    let aborted = olga.post(&format!("{path}/abort"), &json!({})).await;
    assert_eq!(aborted.header("etag"), None, "the same version will show more");
    assert_eq!((&aborted.body["status"], seed_of(&aborted.body)), (&json!("aborted"), Value::Null));
    let version = aborted.body["version"].clone();
    let shown = app.anon().with("if-none-match", &format!("\"{version}\"")).get(&path).await;
    assert_eq!((shown.status.as_u16(), shown.header("etag"), seed_of(&shown.body)), (200, None, Value::Null));
    let told = last_of().await;
    assert_eq!((&told["type"], &told["data"]), (&json!("aborted"), &json!({"server_seed": null})));
    let mut event = stream.next().await.unwrap().json();
    while event["entry"]["type"] != "aborted" {
        event = stream.next().await.unwrap().json();
    }
    assert_eq!((&event["entry"], seed_of(&event["tournament"])), (&told, Value::Null));
    assert_eq!(app.anon().get(&format!("{path}/audit")).await.code(), "not_finished");

    app.tick().await;
    let shown = app.anon().get(&path).await;
    assert!(seed_of(&shown.body).is_string() && shown.header("etag").is_some());
    assert_eq!(last_of().await["data"]["server_seed"], seed_of(&shown.body));
    assert_eq!(app.anon().get(&format!("{path}/audit")).await.status, 200);
}

/// Both find all tables that are to be called off, and each is called off by the one that comes first.
#[tokio::test]
async fn two_replicas_call_off_the_tables_of_a_duplicate_tournament_that_is_aborted() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let wanted = json!({
        "kind": "sevens", "table_size": 2, "options": {"hands": 2}, "duplicate": true,
        "format": {"type": "rounds", "rounds": 1, "seating": "random"}, "scoring": {"type": "chips"},
    });
    let path = made(&olga, wanted).await;
    let players =
        [app.user("ann").await, app.user("ben").await, app.user("cat").await, app.user("dan").await];
    enter(&path, &players).await;
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    app.tick().await;
    let tables = app.anon().get(&path).await.ok()["rounds"][0]["tables"].clone();
    let games: Vec<String> =
        list(&tables).iter().map(|table| format!("/v1/games/{}", table["game"].as_str().unwrap())).collect();
    assert_eq!(games.len(), 2);
    let replica = app.replica().await;
    olga.post(&format!("{path}/abort"), &json!({})).await.ok();
    tokio::join!(app.tick(), replica.tick());
    for game in &games {
        assert_eq!(app.anon().get(game).await.ok()["status"], "aborted");
    }
}
