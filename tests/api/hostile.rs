//! Requests by somebody who wants to see another seat's cards, or to break something.

use diesel_async::SimpleAsyncConnection;
use reqwest::Method;
use serde_json::{Value, json};

use super::app::TestApp;
use super::games::{started, turn};

#[tokio::test]
async fn actions_that_are_none_are_refused_and_leave_no_trace() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let actions = format!("{path}/actions");
    let game = players[0].get(&path).await.ok();
    let here = players[turn(&game)].clone().with("content-type", "application/json");
    let huge = format!(r#"{{"type":"hit","x":"{}"}}"#, "y".repeat(70_000));
    let deep = format!(r#"{{"type":{}1{}}}"#, "[".repeat(20_000), "]".repeat(20_000));
    for (body, code) in [
        ("{", "malformed_json"),
        ("{\"type\":\"hit\"", "malformed_json"),
        ("{\"type\":\"hit\"}}", "malformed_json"),
        ("\u{0}", "malformed_json"),
        ("null", "illegal_action"),
        ("[]", "illegal_action"),
        ("7", "illegal_action"),
        ("\"hit\"", "illegal_action"),
        ("{}", "illegal_action"),
        ("", "illegal_action"),
        (r#"{"type":"HIT"}"#, "illegal_action"),
        (r#"{"type":null}"#, "illegal_action"),
        (r#"{"type":["hit"]}"#, "illegal_action"),
        (r#"{"type":"hit","seat":0}"#, "illegal_action"),
        (r#"{"type":{"hit":null}}"#, "illegal_action"),
        (r#"["hit"]"#, "illegal_action"),
        (r#"["hit",{}]"#, "illegal_action"),
        (r#"{"type":"hit","type":"stay"}"#, "illegal_action"),
        (r#"{"type":"hit","by":{"type":"player","player":"ann"}}"#, "illegal_action"),
        (r#"{"type":"give","seat":1}"#, "illegal_action"),
        (r#"{"type":"spy","seat":99999999999999999999}"#, "illegal_action"),
        (r#"{"type":"spy","seat":-1}"#, "illegal_action"),
        (r#"{"type":"spy","seat":1.0}"#, "illegal_action"),
        (r#"{"type":"spy","seat":1e0}"#, "illegal_action"),
        (r#"{"type":"spy","seat":"1"}"#, "illegal_action"),
        (r#"{"type":"pass","cards":["QS"]}"#, "illegal_action"),
        (deep.as_str(), "illegal_action"),
        (huge.as_str(), "body_too_large"),
    ] {
        let reply = here.send(Method::POST, &actions, body.as_bytes().to_vec()).await;
        assert_eq!(reply.code(), code, "{}", &body[..body.len().min(80)]);
    }
    let reply = here.send(Method::POST, &actions, b"{\"type\":\"\xff\"}".to_vec()).await;
    assert_eq!(reply.code(), "malformed_json", "that is not UTF-8");
    let plain = players[turn(&game)].clone().with("content-type", "text/plain");
    let reply = plain.send(Method::POST, &actions, b"{\"type\":\"hit\"}".to_vec()).await;
    assert_eq!(reply.code(), "unsupported_media_type");
    assert_eq!(players[0].get(&path).await.ok()["version"], game["version"]);
}

#[tokio::test]
async fn nobody_acts_for_another_seat_or_without_a_token_that_holds() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let actions = format!("{path}/actions");
    let game = players[0].get(&path).await.ok();
    let other = &players[1 - turn(&game)];
    for body in [
        json!({"type": "hit"}),
        json!({"type": "hit", "seat": turn(&game)}),
        json!({"type": "hit", "player": players[turn(&game)].username()}),
    ] {
        assert_eq!(other.post(&actions, &body).await.code(), "not_your_turn");
    }
    assert_eq!(app.anon().post(&actions, &json!({"type": "hit"})).await.code(), "unauthorized");
    let forged = format!("{}x", players[turn(&game)].token());
    let reply = app.anon().with_token(&forged).post(&actions, &json!({"type": "hit"})).await;
    assert_eq!((reply.code(), reply.header("www-authenticate").is_some()), ("unauthorized", true));
    // A token that does not hold is not taken for nobody's, where anybody may look.
    assert_eq!(app.anon().with_token(&forged).get(&path).await.code(), "unauthorized");
    assert_eq!(players[0].get(&path).await.ok()["version"], game["version"]);
}

#[tokio::test]
async fn ids_and_methods_that_are_none_get_their_own_problems() {
    let app = TestApp::start().await;
    let guest = app.guest().await;
    let unknown = "/v1/games/01a1fc9d-a274-78bd-af66-c863bef3b407";
    for (method, path, code) in [
        (Method::GET, unknown.to_owned(), "game_not_found"),
        (Method::GET, format!("{unknown}/log"), "game_not_found"),
        (Method::POST, format!("{unknown}/actions"), "game_not_found"),
        (Method::POST, format!("{unknown}/seats"), "game_not_found"),
        (Method::POST, format!("{unknown}/start"), "game_not_found"),
        (Method::POST, format!("{unknown}/abort"), "game_not_found"),
        (Method::DELETE, format!("{unknown}/seats/me"), "game_not_found"),
        (Method::GET, "/v1/games/7".to_owned(), "invalid_parameter"),
        (Method::GET, "/v1/games/..%2f..%2fetc%2fpasswd".to_owned(), "invalid_parameter"),
        (Method::PUT, unknown.to_owned(), "method_not_allowed"),
        (Method::DELETE, "/v1/games".to_owned(), "method_not_allowed"),
        (Method::GET, format!("{unknown}/seats"), "method_not_allowed"),
        (Method::GET, "/v1/kinds/whist".to_owned(), "kind_not_found"),
        (Method::GET, "/v2/games".to_owned(), "not_found"),
    ] {
        assert_eq!(guest.send(method.clone(), &path, Vec::new()).await.code(), code, "{method} {path}");
    }
}

#[tokio::test]
async fn a_running_game_s_seed_and_deck_are_in_no_answer() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let mut answers: Vec<String> = Vec::new();
    let mut collect = |body: &Value| answers.push(body.to_string());
    let admin = app.admin("root").await;
    for caller in [&players[0], &players[1], &app.anon(), &admin] {
        for way in ["", "?version=4", "?version=5", "/log", "/log?after=4"] {
            collect(&caller.get(&format!("{path}{way}")).await.ok());
        }
        collect(&caller.get("/v1/games").await.ok());
        collect(&caller.post(&format!("{path}/actions"), &json!({"type": "fold"})).await.body);
    }
    admin.post(&format!("{path}/abort"), &json!(null)).await.ok();
    let seed = players[0].get(&path).await.ok()["fairness"]["server_seed"].as_str().unwrap().to_owned();
    let log = players[0].get(&format!("{path}/log")).await.ok();
    let shuffle = log["items"].as_array().unwrap().iter().find(|entry| entry["data"]["k"] == 1).unwrap();
    let top = shuffle["data"]["shuffle"]["result"][0].to_string();
    for answer in answers {
        assert!(!answer.contains(&seed), "{answer}");
        assert!(!answer.contains(&top), "no card has been dealt: {answer}");
    }
}

#[tokio::test]
async fn a_list_of_what_is_rare_looks_at_a_bounded_number_of_games_for_each_page() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let rare = ann.post("/v1/games", &json!({"kind": "sevens", "seats": 2, "sit": true})).await.ok();
    // Newer than any that is made by time.
    let many =
        "INSERT INTO games (game_id, server_seed, kind, rules_version, options, seats, created_at, status,
                    visibility, created_by, ended_at)
                SELECT ('ffffffff' || right(gen_random_uuid()::text, 28))::uuid, sha256(n::text::bytea),
                    'royal_gambit', 1, '{}', 2, now(), 'finished', 'public', accounts.id, now()
                FROM accounts, generate_series(1, 12000) AS n";
    app.database.connection().await.batch_execute(many).await.unwrap();
    let first = app.anon().get("/v1/games?kind=sevens").await.ok();
    assert_eq!(first["items"], json!([]), "older games are left to the next page");
    let cursor = first["next"].as_str().unwrap();
    assert!(
        cursor.ends_with("-0000-0000-000000000000"),
        "{cursor} is the id of a game, which may be private"
    );
    let second = app.anon().get(&format!("/v1/games?kind=sevens&cursor={cursor}")).await.ok();
    assert_eq!((&second["items"][0]["id"], &second["next"]), (&rare["id"], &Value::Null));

    let page = app.anon().get("/v1/games?status=finished&kind=royal_gambit&limit=7").await.ok();
    assert_eq!(page["items"].as_array().map(Vec::len), Some(7));
    assert_eq!(page["next"], page["items"][6]["id"]);
    // Statuses and players have windows of their own.
    for query in [
        "free_seats=true",
        "player=ann&kind=sevens",
        "status=open&kind=sevens",
        "status=open&free_seats=true",
        "status=open&timed=true",
    ] {
        let found = app.anon().get(&format!("/v1/games?{query}")).await.ok();
        assert_eq!((&found["items"][0]["id"], &found["next"]), (&rare["id"], &Value::Null), "{query}");
    }
}
