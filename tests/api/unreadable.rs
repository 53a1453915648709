//! What the database holds and cannot be read is an error that somebody sees: nothing stands in for it.

use diesel_async::SimpleAsyncConnection;
use serde_json::json;

use super::app::TestApp;

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
