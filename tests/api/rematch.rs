//! A game once more.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;

/// A game that is over: three people and two bots, with a clock; its path, and its people.
async fn over(app: &TestApp, visibility: &str) -> (String, Vec<Client>) {
    let people = vec![app.user("ann").await, app.user("bob").await, app.user("cat").await];
    let wanted = json!({"kind": "royal_gambit", "seats": 5, "sit": true, "bots": ["steady", "random"],
        "turn_seconds": 60, "bank_seconds": 30, "visibility": visibility, "options": {"target_score": 7}});
    let game = people[0].post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    for person in &people[1..] {
        person.post(&format!("{path}/seats"), &json!({"invite": game["invite"]})).await.ok();
    }
    assert_eq!(people[0].post(&format!("{path}/rematch"), &json!({})).await.code(), "not_finished");
    app.admin("root").await.post(&format!("{path}/abort"), &json!(null)).await.ok();
    (path, people)
}

#[tokio::test]
async fn a_game_is_played_again_by_those_who_sat_at_it() {
    let app = TestApp::start().await;
    let (path, people) = over(&app, "private").await;
    let ask = format!("{path}/rematch");
    assert_eq!(app.user("dan").await.post(&ask, &json!({})).await.code(), "game_not_found");
    assert_eq!(people[1].get(&path).await.ok()["rematch"], Value::Null);

    let made = people[1].post(&ask, &json!({"client_seed": "mine"})).await;
    assert_eq!(made.status, 201);
    let (old, new) = (people[1].get(&path).await.ok(), made.body.clone());
    assert_eq!(old["rematch"], new["id"]);
    assert_eq!(made.header("location").unwrap(), format!("/v1/games/{}", new["id"].as_str().unwrap()));
    for same in ["kind", "options", "visibility", "turn_seconds", "bank_seconds", "bot_delay_ms"] {
        assert_eq!(new[same], old[same], "{same}");
    }
    let who: Vec<_> =
        new["seats"].as_array().unwrap().iter().map(|seat| (&seat["player"], &seat["bot"])).collect();
    let (nobody, none) = (Value::Null, Value::Null);
    let (bob, steady, random) = (json!("bob"), json!("steady"), json!("random"));
    assert_eq!(
        who,
        [(&bob, &none), (&nobody, &steady), (&nobody, &random), (&nobody, &none), (&nobody, &none)]
    );
    assert_eq!((&new["created_by"], &new["status"]), (&json!("bob"), &json!("open")));

    let found = people[1].post(&ask, &json!({})).await;
    assert_eq!(
        (found.status.as_u16(), &found.body["version"]),
        (201, &new["version"]),
        "who sits there finds it"
    );
    people[0].post(&ask, &json!({})).await.ok();
    let started = people[2].post(&ask, &json!({})).await.ok();
    assert_eq!((&started["id"], &started["status"]), (&new["id"], &json!("active")));
    // Who has the old game's version is told of the rematch all the same.
    let etag = people[0].get(&path).await.header("etag").unwrap().to_owned();
    assert_eq!(people[0].clone().with("if-none-match", &etag).get(&path).await.status, 200);
}

#[tokio::test]
async fn only_those_who_sat_at_a_public_game_ask_for_its_rematch() {
    let app = TestApp::start().await;
    let (path, people) = over(&app, "public").await;
    let ask = format!("{path}/rematch");
    assert_eq!(app.user("dan").await.post(&ask, &json!({})).await.code(), "not_seated");
    assert_eq!(app.anon().post(&ask, &json!({})).await.code(), "unauthorized");
    assert_eq!(people[0].post(&ask, &json!({"client_seed": "x".repeat(65)})).await.code(), "invalid_body");
    assert_eq!(people[0].post(&ask, &json!({"seats": 2})).await.code(), "invalid_body");
    assert_eq!(people[0].post(&format!("{path}0/rematch"), &json!({})).await.status, 400);
    // The creator can start it without the others.
    let new = people[0].post(&ask, &json!({})).await.ok();
    let start = format!("/v1/games/{}/start", new["id"].as_str().unwrap());
    assert_eq!(people[0].post(&start, &json!(null)).await.ok()["status"], "active");
    assert_eq!(people[1].post(&ask, &json!({})).await.code(), "game_not_open");
}

#[tokio::test]
async fn all_who_ask_at_once_over_replicas_meet_at_one_table() {
    for round in 0..5 {
        let app = TestApp::start().await;
        let replicas = [app.replica().await, app.replica().await];
        let (path, people) = over(&app, if round % 2 == 0 { "public" } else { "private" }).await;
        let ask = format!("{path}/rematch");
        let at = [&app, &replicas[0], &replicas[1]];
        let keyed: Vec<Client> =
            (0..12).map(|n| at[n % 3].at(&people[n / 4]).with("idempotency-key", "again")).collect();
        let body = json!({"client_seed": "again"});
        let replies = join_all(keyed.iter().map(|client| client.post(&ask, &body))).await;
        let ids: Vec<Value> = replies.into_iter().map(|reply| reply.ok()["id"].clone()).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        let new = people[0].get(&format!("/v1/games/{}", ids[0].as_str().unwrap())).await.ok();
        assert_eq!(new["status"], "active");
        let mut players: Vec<&str> =
            new["seats"].as_array().unwrap().iter().filter_map(|seat| seat["player"].as_str()).collect();
        players.sort_unstable();
        assert_eq!(players, ["ann", "bob", "cat"]);
        let listed = people[0].get("/v1/games").await.ok();
        assert_eq!(listed["items"].as_array().unwrap().len(), 2, "the old game and the new one");
    }
}
