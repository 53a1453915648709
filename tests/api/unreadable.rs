//! What the database holds and cannot be read is an error that somebody sees: nothing stands in for it.

use diesel_async::SimpleAsyncConnection;
use reqwest::Method;
use serde_json::json;

use super::app::{PASSWORD, TestApp};
use super::at_rest::master_key;
use super::audits::exported;
use super::leaderboards::played;
use super::tournaments;

#[tokio::test]
async fn a_game_with_options_that_cannot_be_read_is_an_error_of_the_list_and_not_null() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    ann.post("/v1/games", &json!({"kind": "sevens"})).await.ok();
    ann.post("/v1/games", &json!({"kind": "royal_gambit"})).await.ok();
    let junk = "UPDATE games SET options = 'junk' WHERE kind = 'sevens'";
    app.database.connection().await.batch_execute(junk).await.unwrap();
    assert_eq!(app.anon().get("/v1/games?kind=royal_gambit").await.status, 200);
    for list in ["/v1/games", "/v1/games/stream"] {
        let page = app.anon().get(list).await;
        assert_eq!((page.status.as_u16(), page.code()), (500, "internal"), "{list}");
    }
}

#[tokio::test]
async fn a_stream_of_the_lobby_ends_at_a_game_with_options_that_cannot_be_read() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    ann.post("/v1/games", &json!({"kind": "sevens"})).await.ok();
    let mut events = app.anon().stream("/v1/games/stream").await;
    assert_eq!(events.next().await.unwrap().name, "lobby");
    let junk = "UPDATE games SET options = 'junk', changed = pg_current_xact_id()::text::bigint";
    app.database.connection().await.batch_execute(junk).await.unwrap();
    // The first change may repeat what the list has shown.
    while let Some(event) = events.next().await {
        assert_eq!(event.json()["options"]["buy_in"], 200, "it shows no game with other options");
    }
}

#[tokio::test]
async fn a_tournament_that_cannot_be_read_keeps_nobody_from_the_rest_nor_from_going() {
    let app = TestApp::start().await;
    let (olga, ann) = (app.user("olga").await, app.user("ann").await);
    let cup = tournaments::made(&olga, json!({})).await;
    ann.post(&format!("{cup}/entries"), &json!({})).await.ok();
    let mut stream = ann.stream("/v1/me/stream").await;
    let made = ann.post("/v1/games", &json!({"kind": "sevens", "seats": 6, "sit": true})).await.ok();
    let game = format!("/v1/games/{}", made["id"].as_str().unwrap());
    olga.post(&format!("{game}/seats"), &json!({})).await.ok();
    let seen = stream.next().await.unwrap().id;
    let junk = "UPDATE tournament_log SET entry = '{}' WHERE seq = 2";
    app.database.connection().await.batch_execute(junk).await.unwrap();

    // A replica that has not read it before.
    let replica = app.replica().await;
    let there = replica.at(&ann);
    assert_eq!(there.get(&cup).await.code(), "internal");
    for (name, after) in [("bob", String::new()), ("cem", format!("?after={seen}"))] {
        let mut stream = there.stream(&format!("/v1/me/stream{after}")).await;
        let other = app.user(name).await;
        other.post(&format!("{game}/seats"), &json!({})).await.ok();
        other.delete(&format!("{game}/seats/me")).await.ok();
        let is_told = |data: &str| data.contains("seat_taken") && data.contains(name);
        while !is_told(&stream.next().await.unwrap().data) {}
    }
    let proof = serde_json::to_vec(&json!({"password": PASSWORD})).unwrap();
    let deleting = there.with("content-type", "application/json");
    assert_eq!(deleting.send(Method::DELETE, "/v1/me", proof).await.status, 204);
}

#[tokio::test]
async fn a_game_whose_seed_does_not_open_keeps_nobody_from_the_others() {
    let app = TestApp::start_with(|settings| settings.master_key = Some(master_key(1))).await;
    let [ann, bob, cat] = [app.user("ann").await, app.user("bob").await, app.user("cat").await];
    let lobby = app.anon().stream("/v1/games/stream").await.next().await.unwrap().id;
    let wanted = json!({"kind": "sevens", "seats": 3});
    let open = ann.post("/v1/games/join", &wanted).await.ok();
    let ended = played(&[&ann, &bob], json!({})).await;
    let seeds = "UPDATE games SET server_seed = set_byte(server_seed, 40, 255 - get_byte(server_seed, 40))";
    app.database.connection().await.batch_execute(seeds).await.unwrap();
    app.clock.advance(1);
    let other = played(&[&ann, &bob], json!({})).await;
    app.clock.advance(11);

    // A replica that has not read them before.
    let replica = app.replica().await;
    assert_eq!(replica.anon().get(&format!("/v1/games/{ended}")).await.code(), "internal");
    let joined = replica.at(&cat).post("/v1/games/join", &wanted).await.ok();
    assert_ne!(joined["id"], open["id"]);
    let mut changes = replica.anon().stream(&format!("/v1/games/stream?after={lobby}")).await;
    while changes.next().await.expect("it goes on").json()["id"] != joined["id"] {}
    let export = replica.anon().get("/v1/audit/games").await.ok();
    let lines: Vec<&str> = export.as_str().unwrap().lines().collect();
    let unreadable = json!({"game": {"id": ended}, "error": "this game cannot be read"});
    assert_eq!((lines.len(), lines[0]), (2, unreadable.to_string().as_str()));
    assert_eq!(exported(&replica.anon(), &format!("?cursor={ended}")).await, [other]);
}
