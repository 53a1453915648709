//! What holds for every request, and the service's own routes.

use super::app::TestApp;

#[tokio::test]
async fn it_is_alive_and_ready() {
    let app = TestApp::start().await;
    assert_eq!(app.anon().get("/health/live").await.ok()["status"], "ok");
    assert_eq!(app.anon().get("/health/ready").await.ok()["status"], "ok");
}

#[tokio::test]
async fn it_is_alive_but_not_ready_while_the_database_is_away() {
    let app = TestApp::start().await;
    app.database.go_away().await;
    assert_eq!(app.anon().get("/health/ready").await.code(), "unavailable");
    assert_eq!(app.anon().get("/v1/players/ann").await.code(), "unavailable");
    assert_eq!(app.anon().get("/health/live").await.ok()["status"], "ok");
    app.database.come_back().await;
    assert_eq!(app.anon().get("/health/ready").await.ok()["status"], "ok");
}
