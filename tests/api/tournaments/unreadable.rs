//! What the database holds of a tournament and cannot be read is an error, and no wrong score or shorter page.

use diesel_async::SimpleAsyncConnection;
use serde_json::json;

use super::super::app::TestApp;
use super::super::client::Client;
use super::{enter, made, standings};

async fn spoil(app: &TestApp, sql: &str) {
    app.database.connection().await.batch_execute(sql).await.unwrap();
}

#[tokio::test]
async fn an_entry_that_cannot_be_read_is_an_error_of_the_page_and_not_left_out() {
    let app = TestApp::start().await;
    let organiser = app.user("olga").await;
    let path = made(&organiser, json!({})).await;
    enter(&path, &[app.user("ann").await, app.user("ben").await]).await;
    let log = format!("{path}/log");
    assert_eq!(app.anon().get(&log).await.ok()["items"].as_array().unwrap().len(), 3);
    spoil(&app, "UPDATE tournament_log SET entry = 'junk' WHERE seq = 2").await;
    for page in [&log, &format!("{log}?limit=2")] {
        let page = app.anon().get(page).await;
        assert_eq!((page.status.as_u16(), page.code()), (500, "internal"));
    }
    assert_eq!(app.anon().get(&format!("{log}?after=2")).await.ok()["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_hand_whose_scoring_cannot_be_read_is_not_counted_otherwise_and_its_table_can_be_called_off() {
    let app = TestApp::start().await;
    let organiser = app.user("olga").await;
    let players = [app.user("ann").await, app.user("ben").await, app.user("cleo").await];
    let path = made(&organiser, json!({})).await;
    enter(&path, &players).await;
    organiser.post(&format!("{path}/start"), &json!({})).await.ok();
    app.tick().await;
    let scoring = |now: &str, then: &str| {
        format!(r#"UPDATE entries SET entry = replace(entry, '"{now}"', '"{then}"') WHERE seq = 1"#)
    };
    spoil(&app, &scoring("places", "luck")).await;
    // It has not read the log before.
    let replica = app.replica().await;
    let game = players[0].get(&path).await.ok()["you"]["game"].as_str().unwrap().to_owned();
    let game = format!("/v1/games/{game}");
    let stays = async || {
        let table = replica.anon().get(&game).await.ok();
        let seat = table["to_act"][0].as_u64().unwrap() as usize;
        let sits = |player: &&Client| table["seats"][seat]["player"] == player.username();
        let player = replica.at(players.iter().find(sits).unwrap());
        player.post(&format!("{game}/actions"), &json!({"type": "stay"})).await
    };
    assert_eq!(stays().await.status, 201);
    assert_eq!(stays().await.status, 201);
    // The third to stay ends the hand.
    for _ in 0..2 {
        let refused = stays().await;
        assert_eq!((refused.status.as_u16(), refused.code()), (500, "internal"));
    }
    assert_eq!(replica.anon().get(&game).await.ok()["view"]["hand"], 1);
    // The clock, too, ends no hand, and goes on with other tables.
    replica.pass(61).await;
    assert_eq!(replica.anon().get(&game).await.ok()["view"]["hand"], 1);
    assert_eq!(standings(&replica.anon(), &path).await.len(), 3);

    organiser.post(&format!("{path}/abort"), &json!({})).await.ok();
    replica.tick().await;
    assert_eq!(replica.anon().get(&game).await.ok()["status"], "aborted");
}
