//! A wall clock that was wrong by days and is put back: nothing waits until it has caught up.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;
use super::clocks::{look, newest, timed};
use super::games::turn;

const DAY: i64 = 24 * 60 * 60;
const AHEAD: i64 = 5 * DAY;

/// The same caller with a new access token.
async fn anew(app: &TestApp, client: &Client) -> Client {
    let token = json!({"refresh_token": client.session["refresh_token"]});
    app.anon().with_session(app.anon().post("/v1/auth/refresh", &token).await.ok())
}

async fn outages(app: &TestApp) -> i64 {
    use cardroom::store::schema::outages;
    outages::table.count().get_result(&mut app.database.connection().await).await.unwrap()
}

#[tokio::test]
async fn turns_that_run_when_the_clock_is_put_back_keep_what_is_left_of_them() {
    for restarts in [false, true] {
        let app = TestApp::start().await;
        // One game goes on while the clock is wrong, at the other nothing happens.
        let (moved, players) = timed(&app, 10, 0).await;
        let (quiet, _) = timed(&app, 60, 0).await;
        app.clock.advance(AHEAD);
        app.tick().await;
        let mover = anew(&app, &players[turn(&look(&app, &moved).await)]).await;
        mover.post(&format!("{moved}/actions"), &json!({"type": "stay"})).await.ok();
        app.pass(3).await;
        app.clock.advance(-AHEAD);
        let app = if restarts { app.replica().await } else { app };
        app.tick().await;
        assert_eq!(outages(&app).await, 0, "the service was never down");

        let before = look(&app, &moved).await;
        let quiet_before = look(&app, &quiet).await;
        app.pass(6).await;
        assert_eq!(look(&app, &moved).await, before, "9 of 10 seconds have passed");
        app.pass(1).await;
        let acted = newest(&app, &moved).await;
        assert_eq!((&acted["by"], &acted["seat"]), (&json!({"type": "clock"}), &before["to_act"][0]));
        assert_eq!(acted["at"], before["deadline"], "the log's own time goes on from where it is");

        let mover = anew(&app, &players[turn(&look(&app, &moved).await)]).await;
        let after = mover.post(&format!("{moved}/actions"), &json!({"type": "stay"})).await.ok();
        app.pass(9).await;
        assert_eq!(look(&app, &moved).await["version"], after["version"], "a turn that begins now, too");
        app.pass(1).await;
        assert_ne!(look(&app, &moved).await["version"], after["version"]);

        app.pass(39).await;
        assert_eq!(look(&app, &quiet).await["version"], quiet_before["version"], "59 of 60 seconds");
        app.pass(1).await;
        assert_eq!(newest(&app, &quiet).await["by"], json!({"type": "clock"}));
        for path in [moved, quiet] {
            // Who opens a game anew replays it, and a replay refuses a clock that acts too early.
            assert_eq!(look(&app.replica().await, &path).await, look(&app, &path).await);
        }
    }
}

#[tokio::test]
async fn a_turn_that_begins_before_the_service_has_noticed_is_a_whole_one() {
    let app = TestApp::start().await;
    let (path, players) = timed(&app, 60, 0).await;
    app.pass(5).await;
    app.clock.advance(-70);
    let mover = anew(&app, &players[turn(&look(&app, &path).await)]).await;
    let moved = mover.post(&format!("{path}/actions"), &json!({"type": "stay"})).await.ok();
    app.tick().await;
    app.pass(59).await;
    assert_eq!(look(&app, &path).await["version"], moved["version"], "59 of 60 seconds have passed");
    app.pass(1).await;
    assert_eq!(newest(&app, &path).await["by"], json!({"type": "clock"}));
}

#[tokio::test]
async fn a_turn_that_began_at_a_time_that_nobody_knows_begins_anew() {
    let app = TestApp::start().await;
    let (path, players) = timed(&app, 60, 0).await;
    app.clock.advance(AHEAD);
    app.tick().await;
    let mover = anew(&app, &players[turn(&look(&app, &path).await)]).await;
    let moved = mover.post(&format!("{path}/actions"), &json!({"type": "stay"})).await.ok();
    app.pass(3).await;
    app.clock.advance(-AHEAD);
    app.tick().await;
    // The row is older than the move, and comes when the turn before would have ended.
    app.pass(57 + 59).await;
    assert_eq!(look(&app, &path).await["version"], moved["version"], "59 of 60 seconds have passed");
    app.pass(1).await;
    assert_eq!(newest(&app, &path).await["by"], json!({"type": "clock"}));
}

#[tokio::test]
async fn bots_do_not_wait_until_the_clock_has_caught_up() {
    for policy in ["steady", "expert"] {
        bot_does_not_wait(policy).await;
    }
}

async fn bot_does_not_wait(policy: &str) {
    let app = TestApp::start().await;
    app.clock.advance(AHEAD);
    app.tick().await;
    let wanted = json!({"kind": "royal_gambit", "bots": [policy, policy], "bot_delay_ms": 2000});
    let made = app.user("ann").await.post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", made["id"].as_str().unwrap());
    app.clock.advance(-AHEAD);
    app.tick().await;
    for _ in 0..3 {
        let before = look(&app, &path).await["version"].as_u64();
        app.pass(1).await;
        assert_eq!(look(&app, &path).await["version"].as_u64(), before);
        app.pass(1).await;
        assert!(look(&app, &path).await["version"].as_u64() > before);
    }
}

#[tokio::test]
async fn what_was_issued_while_the_clock_was_ahead_does_not_hold_for_days() {
    let app = TestApp::start().await;
    app.clock.advance(AHEAD);
    app.tick().await;
    let guest = app.guest().await;
    let made = guest.post("/v1/games", &json!({"kind": "sevens", "sit": true})).await.ok();
    let stream = format!("/v1/games/{}/stream", made["id"].as_str().unwrap());
    let ticket = guest.post(&format!("{stream}-ticket"), &json!(null)).await.ok();
    app.clock.advance(-AHEAD);

    assert_eq!(guest.get("/v1/me").await.code(), "unauthorized");
    assert_eq!(anew(&app, &guest).await.get("/v1/me").await.ok()["username"], guest.username());
    let with_ticket = format!("{stream}?ticket={}", ticket["ticket"].as_str().unwrap());
    assert_eq!(app.anon().get(&with_ticket).await.code(), "invalid_ticket");
}

#[tokio::test]
async fn a_replica_that_read_the_keys_while_the_clock_was_ahead_learns_of_new_ones() {
    let app = TestApp::start().await;
    app.clock.advance(36 * DAY);
    let known = app.anon().get("/.well-known/jwks.json").await.ok();
    app.clock.advance(-AHEAD);
    let other = app.replica().await;
    let guest: Value = other.guest().await.session;
    assert_eq!(app.anon().with_session(guest).get("/v1/me").await.status, 200);
    assert_ne!(app.anon().get("/.well-known/jwks.json").await.ok(), known);
}
