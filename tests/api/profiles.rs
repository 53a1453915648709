//! What everybody may know of a player.

use diesel_async::SimpleAsyncConnection;
use serde_json::{Value, json};

use super::app::TestApp;
use super::leaderboards::played;
use crate::random::orders::list;

#[tokio::test]
async fn a_profile_tells_how_the_last_games_and_the_rating_went() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let mut games = Vec::new();
    for _ in 0..12 {
        games.push(played(&[&ann, &bob], json!({})).await);
        app.rate().await;
        app.clock.advance(5);
    }
    let hidden = played(&[&ann, &bob], json!({"visibility": "private"})).await;
    app.rate().await;
    games.reverse();
    let profile = app.anon().get("/v1/players/ann").await.ok();
    let listed: Vec<&str> =
        list(&profile["games"]).iter().map(|game| game["game"].as_str().unwrap()).collect();
    assert_eq!(listed, games[..10], "the newest ten of everybody's");
    assert!(!profile.to_string().contains(&hidden));
    let record = &profile["kinds"][0];
    let places: Vec<Value> = list(&profile["games"]).iter().map(|game| game["place"].clone()).collect();
    assert_eq!(list(&record["form"]), &places);
    assert_eq!(record["counters"], json!({}));

    let page = app.anon().get("/v1/players/ann/ratings/ritunas_favour?limit=5").await.ok();
    let next = page["next"].as_str().unwrap();
    let rest = format!("/v1/players/ann/ratings/ritunas_favour?cursor={next}");
    let rest = app.anon().get(&rest).await.ok();
    let points: Vec<Value> = list(&page["items"]).iter().chain(list(&rest["items"])).cloned().collect();
    let of: Vec<&str> = points.iter().map(|point| point["game"].as_str().unwrap()).collect();
    assert_eq!(of, games);
    assert_eq!(points[0]["rating"], record["rating"]["rating"]);
    assert_eq!(list(&app.anon().get("/v1/players/ann/ratings/sevens").await.ok()["items"]).len(), 0);
    assert_eq!(app.anon().get("/v1/players/ann/ratings/whist").await.code(), "kind_not_found");
    assert_eq!(app.anon().get("/v1/players/nobody/ratings/sevens").await.code(), "player_not_found");

    app.rebuild().await;
    let again = app.anon().get("/v1/players/ann/ratings/ritunas_favour?limit=200").await.ok();
    assert_eq!(list(&again["items"]), &points, "a rebuild gives the same");
}

#[tokio::test]
async fn players_are_found_by_how_their_names_begin() {
    let app = TestApp::start().await;
    for name in ["Anna", "ann", "anna-b", "anna_c", "ANNA2", "bob"] {
        app.user(name).await;
    }
    app.guest().await;
    let found = async |query: &str| -> Vec<String> {
        let page = app.anon().get(&format!("/v1/players?{query}")).await.ok();
        list(&page["items"]).iter().map(|player| player["username"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(found("prefix=ANN").await, ["ann", "Anna", "anna-b", "ANNA2", "anna_c"]);
    assert_eq!(found("prefix=anna&limit=2").await, ["Anna", "anna-b"]);
    assert_eq!(found("prefix=anna&limit=2&cursor=anna-b").await, ["ANNA2", "anna_c"]);
    assert_eq!(found("prefix=guest-").await, [] as [&str; 0]);
    assert_eq!(found("prefix=%25").await, [] as [&str; 0]);
    for wrong in ["", "prefix=", "prefix=a&limit=0"] {
        assert_eq!(
            app.anon().get(&format!("/v1/players?{wrong}")).await.code(),
            "invalid_parameter",
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn a_program_says_so_for_ever_and_has_a_leaderboard_of_its_own() {
    let app = TestApp::start().await;
    let (ann, hal) = (app.user("ann").await, app.user("hal").await);
    assert_eq!(hal.get("/v1/me").await.ok()["program"], false);
    assert_eq!(hal.post("/v1/me/program", &json!(null)).await.ok()["program"], true);
    let refresh = json!({"refresh_token": hal.session["refresh_token"]});
    let hal = app.anon().with_session(app.anon().post("/v1/auth/refresh", &refresh).await.ok());
    let game = played(&[&ann, &hal], json!({})).await;
    app.rate().await;
    let seats = app.anon().get(&format!("/v1/games/{game}")).await.ok()["seats"].clone();
    let programs: Vec<(&str, bool)> = list(&seats)
        .iter()
        .map(|seat| (seat["player"].as_str().unwrap(), seat["program"].as_bool().unwrap_or_default()))
        .collect();
    assert_eq!(programs.iter().filter(|(_, is_program)| *is_program).collect::<Vec<_>>(), [&("hal", true)]);
    let names = async |query: &str| -> Vec<Value> {
        let board = app.anon().get(&format!("/v1/leaderboards/ritunas_favour{query}")).await.ok();
        list(&board["items"]).iter().map(|row| row["player"].clone()).collect()
    };
    assert_eq!(names("").await, ["ann"]);
    assert_eq!(names("?programs=true").await, ["hal"]);
    assert_eq!(app.anon().get("/v1/players/hal").await.ok()["program"], true);
    assert_eq!(app.anon().get("/v1/players?prefix=hal").await.ok()["items"][0]["program"], true);
    let bundle = app.anon().get(&format!("/v1/games/{game}/audit")).await.ok();
    let verified = app.anon().post("/v1/audit/verify", &bundle).await.ok();
    assert_eq!(verified["ok"], true, "{verified}");
}

#[tokio::test]
async fn a_profile_tells_of_public_games_only() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let account = ann.session["account"]["id"].as_str().unwrap();
    let games = [
        ("public", "finished", "1"),
        ("public", "finished", "2"),
        ("public", "active", "NULL"),
        ("private", "finished", "1"),
    ];
    let mut sql = String::new();
    for (number, (visibility, status, place)) in games.into_iter().enumerate() {
        sql += &format!(
            "INSERT INTO games (game_id, server_seed, kind, rules_version, options, seats, created_at, status, visibility, created_by, ended_at)
             VALUES ('00000000-0000-0000-0000-00000000000{number}', sha256(''), 'sevens', 1, '{{}}', 2, now(), '{status}', '{visibility}', '{account}',
                 CASE WHEN '{status}' = 'finished' THEN now() END);
             INSERT INTO game_players (game_id, account_id, place)
             VALUES ('00000000-0000-0000-0000-00000000000{number}', '{account}', {place});"
        );
    }
    app.database.connection().await.batch_execute(&sql).await.unwrap();
    let profile = app.anon().get("/v1/players/ANN").await.ok();
    assert_eq!(profile["username"], "ann");
    assert_eq!(
        profile["kinds"],
        json!([{
            "kind": "sevens", "games": 3, "finished": 2, "wins": 1, "form": [], "rating": null, "counters": {},
        }])
    );
}
