//! What nobody uses expires: games and tournaments that wait in vain, and guests who have never played.

use diesel_async::RunQueryDsl;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::app::{TestApp, runtime};
use super::client::Client;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Lets a replica look for what has expired, if it is time.
pub async fn expire(app: &TestApp) -> usize {
    let expiry = app.app.expiry.clone();
    runtime().spawn(async move { expiry.poll().await.unwrap() }).await.unwrap()
}

async fn later(app: &TestApp, seconds: i64) -> usize {
    app.clock.advance(seconds);
    expire(app).await
}

async fn make(client: &Client, wanted: Value) -> String {
    let game = client.post("/v1/games", &wanted).await.ok();
    format!("/v1/games/{}", game["id"].as_str().unwrap())
}

async fn status(app: &TestApp, path: &str) -> String {
    app.anon().get(path).await.ok()["status"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_open_game_that_nobody_sits_at_is_called_off_after_an_hour_once_by_whichever_replica() {
    let app = TestApp::start().await;
    let replica = app.replica().await;
    let ann = app.user("ann").await;
    let path = make(&ann, json!({"kind": "sevens", "seats": 4, "bots": ["steady"]})).await;
    assert_eq!(later(&app, 59 * MINUTE).await, 0);
    assert_eq!(status(&app, &path).await, "open");
    app.database.settle().await;
    let mut lobby = app.anon().stream("/v1/games/stream").await;
    lobby.next().await.unwrap();

    app.clock.advance(2 * MINUTE);
    let (here, there) = tokio::join!(expire(&app), expire(&replica));
    assert_eq!(here + there, 1, "one of them does it");
    let told = lobby.next().await.unwrap().json();
    assert_eq!((&told["status"], path.ends_with(told["id"].as_str().unwrap())), (&json!("aborted"), true));
    for app in [&app, &replica] {
        assert_eq!(status(app, &path).await, "aborted");
    }
    let log = app.anon().get(&format!("{path}/log")).await.ok();
    let last = log["items"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["type"], &last["by"]), (&json!("aborted"), &json!({"type": "system"})));
    assert_eq!(log["items"].as_array().unwrap().iter().filter(|entry| entry["type"] == "aborted").count(), 1);
    assert!(last["data"]["server_seed"].is_string());
    let bundle = app.anon().get(&format!("{path}/audit")).await.ok();
    assert_eq!(app.anon().post("/v1/audit/verify", &bundle).await.ok()["ok"], true);
    assert_eq!(later(&app, DAY).await, 0, "it is over");
}

#[tokio::test]
async fn the_hour_begins_anew_when_the_last_person_stands_up() {
    let app = TestApp::start().await;
    let path = make(&app.guest().await, json!({"kind": "sevens"})).await;
    let seats = format!("{path}/seats");
    app.clock.advance(50 * MINUTE);
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    for client in [&ann, &bob] {
        client.post(&seats, &json!({})).await.ok();
    }
    assert_eq!(later(&app, 11 * MINUTE).await, 0, "two sit there");
    for client in [&ann, &bob] {
        app.clock.advance(MINUTE);
        client.delete(&format!("{seats}/me")).await.ok();
    }
    assert_eq!(later(&app, 59 * MINUTE).await, 0);
    assert_eq!(later(&app, 2 * MINUTE).await, 1);
    assert_eq!(status(&app, &path).await, "aborted");
}

#[tokio::test]
async fn an_open_game_that_never_starts_is_called_off_after_a_day_and_one_that_is_played_is_not() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let waiting = make(&ann, json!({"kind": "sevens", "sit": true})).await;
    let played = make(&ann, json!({"kind": "sevens", "sit": true, "bots": ["steady"]})).await;
    assert_eq!(later(&app, DAY - MINUTE).await, 0);
    assert_eq!(later(&app, 2 * MINUTE).await, 1);
    assert_eq!(
        (status(&app, &waiting).await.as_str(), status(&app, &played).await.as_str()),
        ("aborted", "active")
    );
}

#[tokio::test]
async fn an_open_tournament_that_nobody_starts_is_called_off_after_a_month() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let format = json!({"type": "rounds", "rounds": 1, "seating": "random"});
    let cup = json!({"name": "Never played", "kind": "sevens", "format": format});
    let cup = ann.post("/v1/tournaments", &cup).await.ok();
    let path = format!("/v1/tournaments/{}", cup["id"].as_str().unwrap());
    assert_eq!(later(&app, 30 * DAY - MINUTE).await, 0);
    assert_eq!(later(&app, 2 * MINUTE).await, 1);
    let log = app.anon().get(&format!("{path}/log")).await.ok();
    assert_eq!(log["items"][1]["by"], json!({"type": "system"}));
    assert_eq!(app.replica().await.anon().get(&path).await.ok()["status"], "aborted");
}

#[tokio::test]
async fn a_tournament_that_is_planned_far_ahead_waits_for_its_start_but_not_for_more_than_a_year() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let format = json!({"type": "rounds", "rounds": 1, "seating": "random"});
    let mut paths = Vec::new();
    for starts_at in ["2027-01-20T18:00:00Z", "9000-01-01T00:00:00Z"] {
        let cup =
            json!({"name": "Cup", "kind": "sevens", "format": format, "details": {"starts_at": starts_at}});
        let cup = ann.post("/v1/tournaments", &cup).await.ok();
        paths.push(format!("/v1/tournaments/{}", cup["id"].as_str().unwrap()));
    }
    assert_eq!(later(&app, 91 * DAY - MINUTE).await, 0);
    assert_eq!(later(&app, 2 * MINUTE).await, 1);
    assert_eq!(app.replica().await.anon().get(&paths[0]).await.ok()["status"], "aborted");
    assert_eq!(later(&app, 304 * DAY - 2 * MINUTE).await, 0);
    assert_eq!(later(&app, 2 * DAY).await, 1);
    assert_eq!(app.replica().await.anon().get(&paths[1]).await.ok()["status"], "aborted");
}

#[tokio::test]
async fn a_guest_who_has_never_played_is_gone_after_a_month_and_everybody_else_stays() {
    let app = TestApp::start().await;
    let (idle, signed_in) = (app.guest().await, app.guest().await);
    let (maker, sitter, entrant) = (app.guest().await, app.guest().await, app.guest().await);
    let ann = app.user("ann").await;
    let game = make(&maker, json!({"kind": "sevens"})).await;
    sitter.post(&format!("{game}/seats"), &json!({})).await.ok();
    sitter.delete(&format!("{game}/seats/me")).await.ok();
    let format = json!({"type": "rounds", "rounds": 1, "seating": "random"});
    let cup =
        ann.post("/v1/tournaments", &json!({"name": "Cup", "kind": "sevens", "format": format})).await.ok();
    let cup = format!("/v1/tournaments/{}/entries", cup["id"].as_str().unwrap());
    entrant.post(&cup, &json!({})).await.ok();

    app.clock.advance(20 * DAY);
    let token = json!({"refresh_token": signed_in.session["refresh_token"]});
    let session = app.anon().post("/v1/auth/refresh", &token).await.ok();
    app.clock.advance(9 * DAY);
    expire(&app).await;
    let profile =
        |client: &Client| format!("/v1/players/{}", client.session["account"]["username"].as_str().unwrap());
    assert_eq!(app.anon().get(&profile(&idle)).await.status, 200);
    later(&app, 2 * DAY).await;
    assert_eq!(app.anon().get(&profile(&idle)).await.code(), "player_not_found");
    for stays in [&signed_in, &maker, &sitter, &entrant, &ann] {
        assert_eq!(app.anon().get(&profile(stays)).await.status, 200);
    }
    let token = json!({"refresh_token": session["refresh_token"]});
    app.anon().post("/v1/auth/refresh", &token).await.ok();
    later(&app, 31 * DAY).await;
    assert_eq!(app.anon().get(&profile(&signed_in)).await.code(), "player_not_found", "nobody came back");
}

#[tokio::test]
async fn a_review_is_kept_for_a_month_and_computed_anew_after_it() {
    let app = TestApp::start().await;
    let path = make(&app.user("ann").await, json!({"kind": "sevens", "bots": ["steady", "random"]})).await;
    app.tick().await;
    let review = format!("{path}/hands/1/review");
    let first = app.anon().get(&review).await.ok();
    assert_eq!(later(&app, 30 * DAY - MINUTE).await, 0);
    assert_eq!(later(&app, 2 * MINUTE).await, 1);
    assert_eq!(app.anon().get(&review).await.ok(), first);
    assert_eq!(later(&app, DAY).await, 0);
}

#[tokio::test]
async fn the_oldest_reviews_make_room_where_there_are_too_many_or_too_large_ones() {
    let app = TestApp::start().await;
    let path = make(&app.user("ann").await, json!({"kind": "sevens", "bots": ["steady", "random"]})).await;
    app.tick().await;
    for hand in 1..=4 {
        app.clock.advance(MINUTE);
        app.anon().get(&format!("{path}/hands/{hand}/review")).await.ok();
    }
    let (database, long_ago) = (app.app.database.clone(), app.clock.now() - SignedDuration::from_hours(1));
    let left = async |rows, bytes| {
        database.delete_old_reviews(long_ago, rows, bytes).await.unwrap();
        let mut connection = app.database.connection().await;
        let kept = "SELECT string_agg(subject, ', ' ORDER BY subject) AS subjects FROM reviews";
        let Left { subjects } = diesel::sql_query(kept).get_result(&mut connection).await.unwrap();
        subjects.unwrap_or_default()
    };
    assert_eq!(left(4, 1_000_000).await, "hand 1, hand 2, hand 3, hand 4");
    assert_eq!(left(3, 1_000_000).await, "hand 2, hand 3, hand 4");
    assert_eq!(left(3, 1).await, "");
}

/// What is left of reviews.
#[derive(diesel::QueryableByName)]
struct Left {
    #[diesel(sql_type = diesel::sql_types::Nullable<diesel::sql_types::Text>)]
    subjects: Option<String>,
}

#[tokio::test]
async fn what_is_not_to_expire_stays() {
    let app = TestApp::start_with(|settings| {
        settings.expire_empty_games_minutes = 0;
        settings.expire_open_games_hours = 0;
        settings.expire_open_tournaments_days = 0;
        settings.expire_unused_guests_days = 0;
    });
    let app = app.await;
    app.guest().await;
    let path = make(&app.user("ann").await, json!({"kind": "sevens"})).await;
    assert_eq!(later(&app, 1000 * DAY).await, 0);
    assert_eq!(status(&app, &path).await, "open");
}
