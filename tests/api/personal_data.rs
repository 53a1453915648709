//! What is held about an account: its owner gets it, and has it deleted.

use cardroom::store::database::Database;
use cardroom::store::personal_data::{self, Deleted};
use diesel_async::SimpleAsyncConnection;
use reqwest::Method;
use serde_json::{Value, json};

use super::app::{PASSWORD, TestApp};
use super::check::faults;
use super::client::{Client, Reply};
use super::expiry::expire;
use super::leaderboards::played;
use super::tournaments;
use crate::random::orders::list;

async fn delete(client: &Client) -> Reply {
    let body = serde_json::to_vec(&json!({"password": PASSWORD})).unwrap();
    client.clone().with("content-type", "application/json").send(Method::DELETE, "/v1/me", body).await
}

#[tokio::test]
async fn an_export_has_all_that_is_held_and_no_secret() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let game = played(&[&ann, &bob], json!({})).await;
    app.rate().await;
    let cup = tournaments::made(&ann, json!({"name": "Ann's cup"})).await;
    let token = ann.post("/v1/me/tokens", &json!({"name": "my bot", "scopes": ["read"]})).await.ok();
    let webhook = ann.post("/v1/webhooks", &json!({"url": "https://example.com/ann"})).await.ok();
    let reply = ann.get("/v1/me/export").await;
    assert_eq!(reply.header("content-disposition"), Some("attachment; filename=\"cardroom.json\""));
    let export = reply.ok();
    assert_eq!(export["account"]["username"], "ann");
    assert_eq!(export["sessions"][0]["created_at"], "2026-11-20T18:00:00.000000Z");
    assert_eq!(export["personal_tokens"][0]["name"], "my bot");
    assert_eq!(export["webhooks"][0]["url"], "https://example.com/ann");
    assert_eq!(export["networks"][0]["network"], "127.0.0.1");
    assert_eq!(
        (&export["games"][0]["game"], &export["games"][0]["status"]),
        (&json!(game), &json!("finished"))
    );
    assert_eq!(export["tournaments"][0]["name"], "Ann's cup");
    assert!(cup.ends_with(export["tournaments"][0]["tournament"].as_str().unwrap()));
    assert_eq!(export["ratings"][0]["game"], game);
    assert_eq!(export["recovery_codes_left"], 10);
    let text = export.to_string();
    let session = &ann.session;
    for secret in
        [&token["token"], &webhook["secret"], &session["refresh_token"], &session["recovery_codes"][0]]
    {
        assert!(!text.contains(secret.as_str().unwrap()));
    }
    assert!(!text.contains("argon2") && !text.contains("bob\""), "{text}");
}

#[tokio::test]
async fn an_export_lists_ratings_of_whatever_kinds_there_are() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let account = ann.session["account"]["id"].as_str().unwrap();
    let kinds = ["sevens", "royal_gambit"];
    let sql = format!(
        "INSERT INTO rating_history (account_id, kind, n, game_id, ended_at, rating)
             SELECT '{account}', kind, n, gen_random_uuid(), now(), 1500
             FROM unnest(ARRAY['sevens', 'royal_gambit']) AS kind, generate_series(1, 201) AS n"
    );
    app.database.connection().await.batch_execute(&sql).await.unwrap();
    let export = ann.get("/v1/me/export").await.ok();
    let of_kind =
        |kind: &&str| list(&export["ratings"]).iter().filter(|rating| rating["kind"] == **kind).count();
    assert_eq!(kinds.each_ref().map(of_kind), [201, 201]);
}

#[tokio::test]
async fn an_export_of_many_games_lists_each_once() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let account = ann.session["account"]["id"].as_str().unwrap();
    let sql = format!(
        "INSERT INTO games (game_id, server_seed, kind, rules_version, options, seats, created_at, status, visibility, created_by, ended_at)
             SELECT gen_random_uuid(), sha256(''), 'sevens', 1, '{{}}', 2, now(), 'aborted', 'public', '{account}', now()
             FROM generate_series(1, 450);
         INSERT INTO participations (account_id, n, game_id, since, until)
             SELECT '{account}', row_number() OVER (), game_id, 1, 2 FROM games;
         UPDATE accounts SET participations = 450 WHERE id = '{account}'"
    );
    app.database.connection().await.batch_execute(&sql).await.unwrap();
    let export = ann.get("/v1/me/export").await.ok();
    let games: std::collections::BTreeSet<&str> =
        list(&export["games"]).iter().map(|game| game["game"].as_str().unwrap()).collect();
    assert_eq!((list(&export["games"]).len(), games.len()), (450, 450));
}

#[tokio::test]
async fn a_deleted_account_leaves_its_tables_and_its_name_belongs_to_nobody_again() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let finished = played(&[&ann, &bob], json!({})).await;
    app.rate().await;
    let own = ann.post("/v1/games", &json!({"kind": "sevens", "sit": true})).await.ok();
    let bobs = bob.post("/v1/games", &json!({"kind": "sevens", "seats": 3, "sit": true})).await.ok();
    let bobs = format!("/v1/games/{}", bobs["id"].as_str().unwrap());
    ann.post(&format!("{bobs}/seats"), &json!({})).await.ok();
    let running = bob.post("/v1/games", &json!({"kind": "sevens", "seats": 2, "sit": true})).await.ok();
    let running = format!("/v1/games/{}", running["id"].as_str().unwrap());
    ann.post(&format!("{running}/seats"), &json!({})).await.ok();
    let cup = tournaments::made(&bob, json!({})).await;
    ann.post(&format!("{cup}/entries"), &json!({})).await.ok();
    bob.post(&format!("{cup}/organisers"), &json!({"player": "ann"})).await.ok();
    let token = ann.post("/v1/me/tokens", &json!({"name": "bot", "scopes": ["play"]})).await.ok();
    let token = app.anon().with_token(token["token"].as_str().unwrap());

    assert_eq!(ann.delete("/v1/me").await.code(), "wrong_password");
    let organised = tournaments::made(&ann, json!({})).await;
    assert_eq!(delete(&ann).await.code(), "organises_tournament");
    // Nor would it be if it had begun meanwhile.
    let database = Database::new(&app.database.url, 1).unwrap();
    let account = ann.session["account"]["id"].as_str().unwrap().parse().unwrap();
    let deleted = personal_data::delete(&database, account, app.clock.now()).await.unwrap();
    assert!(matches!(deleted, Deleted::Owns(id) if organised.ends_with(&id.to_string())), "{deleted:?}");
    assert_eq!(ann.get("/v1/me").await.ok()["username"], "ann", "nothing is half done");
    assert_eq!(bob.get(&running).await.ok()["seats"][1]["resigned"], Value::Null);
    ann.post(&format!("{organised}/abort"), &json!(null)).await.ok();
    assert_eq!(delete(&ann).await.status, 204);

    let anon = app.anon();
    let own = format!("/v1/games/{}", own["id"].as_str().unwrap());
    assert_eq!(anon.get(&own).await.ok()["status"], "aborted");
    assert_eq!(anon.get(&bobs).await.ok()["seats"][1]["player"], Value::Null);
    let seats = anon.get(&running).await.ok()["seats"].clone();
    assert!(list(&seats).iter().any(|seat| seat["player"] == "ann" && seat["resigned"] == true), "{seats}");
    let shown = anon.get(&cup).await.ok();
    assert_eq!((&shown["entrants"], list(&shown["organisers"]).len()), (&json!(0), 1), "{shown}");
    let log = anon.get(&format!("/v1/games/{finished}/log")).await.ok();
    assert!(log.to_string().contains("\"ann\""), "the name stays in what was signed");

    assert_eq!(ann.get("/v1/me").await.code(), "player_not_found");
    assert_eq!(token.get("/v1/me").await.code(), "unauthorized");
    let refresh = json!({"refresh_token": ann.session["refresh_token"]});
    assert_eq!(anon.post("/v1/auth/refresh", &refresh).await.code(), "invalid_refresh_token");
    let credentials = json!({"username": "Ann", "password": PASSWORD});
    assert_eq!(anon.post("/v1/auth/login", &credentials).await.code(), "wrong_credentials");
    assert_eq!(anon.post("/v1/auth/register", &credentials).await.code(), "username_taken");
    let recovery = json!({"username": "ann", "code": ann.session["recovery_codes"][0], "password": PASSWORD});
    assert_eq!(anon.post("/v1/auth/recover", &recovery).await.code(), "wrong_recovery_code");
    assert_eq!(anon.get("/v1/players/ann").await.code(), "player_not_found");
    assert_eq!(list(&anon.get("/v1/players?prefix=ann").await.ok()["items"]).len(), 0);
    let board = anon.get("/v1/leaderboards/ritunas_favour").await.ok();
    assert!(!board.to_string().contains("ann"), "{board}");

    // Its access token holds for some minutes, and begins nothing any more.
    let refused = [
        ann.post("/v1/games", &json!({"kind": "sevens"})).await,
        ann.post(&format!("{bobs}/seats"), &json!({})).await,
        ann.post(&format!("{cup}/entries"), &json!({})).await,
        ann.post("/v1/webhooks", &json!({"url": "https://example.com/"})).await,
        ann.post("/v1/me/tokens", &json!({"name": "bot", "scopes": ["play"]})).await,
    ];
    for answer in refused {
        assert_eq!((answer.status.as_u16(), answer.code()), (401, "unauthorized"));
    }
    app.rebuild().await;
    let board = anon.get("/v1/leaderboards/ritunas_favour").await.ok();
    assert!(!board.to_string().contains("ann"), "{board}");
}

#[tokio::test]
async fn the_game_that_a_deleted_account_has_left_is_rated_with_what_the_account_had() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    for _ in 0..3 {
        played(&[&ann, &bob], json!({})).await;
    }
    app.rate().await;
    let wanted = json!({"kind": "ritunas_favour", "seats": 2, "sit": true, "options": {"hands": 1}});
    let game = bob.post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    ann.post(&format!("{path}/seats"), &json!({})).await.ok();
    assert_eq!(delete(&ann).await.status, 204);
    expire(&app).await;
    while bob.get(&path).await.ok()["status"] == "active" {
        bob.post(&format!("{path}/actions"), &json!({"type": "stick"})).await.ok();
    }
    app.rate().await;
    assert_eq!(faults(&app).await, Vec::<String>::new());
    let counted = app.figures().await;
    app.rebuild().await;
    assert_eq!(app.figures().await, counted, "counted anew, it comes to the same");

    app.clock.advance(60);
    expire(&app).await;
    let figures = app.figures().await.concat();
    let account = |client: &Client| client.session["account"]["id"].as_str().unwrap().to_owned();
    assert!(figures.contains(&account(&bob)) && !figures.contains(&account(&ann)), "{figures}");
    app.rebuild().await;
    assert!(!app.figures().await.concat().contains(&account(&ann)));
    assert_eq!(faults(&app).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_guest_is_deleted_without_a_password() {
    let app = TestApp::start().await;
    let guest = app.guest().await;
    assert_eq!(guest.delete("/v1/me").await.status, 204);
    assert_eq!(guest.get("/v1/me").await.code(), "player_not_found");
    assert_eq!(guest.delete("/v1/me").await.code(), "player_not_found");

    // A token from before the upgrade does not know of the password; the account does.
    let guest = app.guest().await;
    guest.post("/v1/auth/upgrade", &json!({"username": "gus", "password": PASSWORD})).await.ok();
    assert_eq!(guest.delete("/v1/me").await.code(), "wrong_password");
    assert_eq!(app.anon().get("/v1/players/gus").await.ok()["guest"], false);
}

#[tokio::test]
async fn an_organiser_who_has_another_name_since_organises_nothing_once_deleted() {
    let app = TestApp::start().await;
    let (bob, guest) = (app.user("bob").await, app.guest().await);
    let cup = tournaments::made(&bob, json!({})).await;
    bob.post(&format!("{cup}/organisers"), &json!({"player": guest.username()})).await.ok();
    let credentials = json!({"username": "gus", "password": PASSWORD});
    let gus = app.anon().with_session(guest.post("/v1/auth/upgrade", &credentials).await.ok());
    assert_eq!(delete(&gus).await.status, 204);
    let organisers = bob.get(&cup).await.ok()["organisers"].clone();
    assert_eq!(organisers, json!([{"player": "bob", "role": "owner"}]));
}
