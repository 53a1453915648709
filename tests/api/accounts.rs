//! Accounts and sessions.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cardroom::accounts::signing::Key;
use cardroom::accounts::tokens::{AUDIENCE, LIFETIME};
use cardroom::store::keys;
use diesel_async::SimpleAsyncConnection;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::app::{PASSWORD, TestApp};
use super::client::Client;

const DAY: i64 = 24 * 60 * 60;

#[tokio::test]
async fn who_registers_is_signed_in() {
    let app = TestApp::start().await;
    let credentials = json!({"username": "Ann", "password": PASSWORD});
    let reply = app.anon().post("/v1/auth/register", &credentials).await;
    assert_eq!(reply.status, StatusCode::CREATED);
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    let session = reply.ok();
    assert_eq!((&session["token_type"], &session["expires_in"]), (&json!("Bearer"), &json!(LIFETIME)));
    let me = app.anon().with_session(session.clone()).get("/v1/me").await.ok();
    assert_eq!(me, session["account"]);
    assert_eq!(
        (&me["username"], &me["role"], &me["guest"]),
        (&json!("Ann"), &json!("player"), &json!(false))
    );
}

#[tokio::test]
async fn a_name_is_taken_in_any_case() {
    let app = TestApp::start().await;
    app.user("Ann").await;
    let credentials = json!({"username": "aNN", "password": PASSWORD});
    assert_eq!(app.anon().post("/v1/auth/register", &credentials).await.code(), "username_taken");
}

#[tokio::test]
async fn of_two_who_want_a_name_at_once_one_gets_it() {
    let app = TestApp::start().await;
    let other = app.replica().await;
    let credentials = json!({"username": "ann", "password": PASSWORD});
    let (one, two) = (app.anon(), other.anon());
    let (one, two) = tokio::join!(
        one.post("/v1/auth/register", &credentials),
        two.post("/v1/auth/register", &credentials)
    );
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
}

#[tokio::test]
async fn names_and_passwords_have_their_forms() {
    let app = TestApp::start().await;
    let long = "x".repeat(33);
    for username in ["", "an", &long, "an n", "ann\u{0}", "änne", "guest-1", "GUEST-ann"] {
        let credentials = json!({"username": username, "password": PASSWORD});
        let reply = app.anon().post("/v1/auth/register", &credentials).await;
        assert_eq!(reply.code(), "invalid_body", "{username}");
    }
    for password in ["", "1234567", &"x".repeat(257)] {
        let credentials = json!({"username": "ann", "password": password});
        let reply = app.anon().post("/v1/auth/register", &credentials).await;
        assert_eq!(reply.code(), "invalid_body", "{password}");
    }
    let credentials = json!({"username": "ann", "password": "ein \u{0} Žluťoučký kůň"});
    app.anon().post("/v1/auth/register", &credentials).await.ok();
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_password_look_alike() {
    let app = TestApp::start().await;
    app.user("ann").await;
    let guest = app.guest().await;
    let right = json!({"username": "ANN", "password": PASSWORD});
    assert_eq!(app.anon().post("/v1/auth/login", &right).await.ok()["account"]["username"], "ann");
    let wrong_password = json!({"username": "ann", "password": "not the password"});
    let refused = app.anon().post("/v1/auth/login", &wrong_password).await;
    assert_eq!((refused.status, refused.code()), (StatusCode::UNAUTHORIZED, "wrong_credentials"));
    for username in ["nobody", "no such name", "nul\u{0}nul", guest.username()] {
        let wrong_name = json!({"username": username, "password": PASSWORD});
        assert_eq!(app.anon().post("/v1/auth/login", &wrong_name).await.body, refused.body, "{username}");
    }
}

#[tokio::test]
async fn a_guest_becomes_a_player_and_keeps_the_account() {
    let app = TestApp::start().await;
    let guest = app.guest().await;
    assert!(guest.username().starts_with("guest-"));
    let credentials = json!({"username": "ann", "password": PASSWORD});
    let session = guest.post("/v1/auth/upgrade", &credentials).await.ok();
    assert_eq!(session["account"]["id"], guest.session["account"]["id"]);
    assert_eq!(session["account"]["guest"], false);
    let ann = app.anon().with_session(session);
    assert_eq!(ann.post("/v1/auth/upgrade", &credentials).await.code(), "not_a_guest");
    app.anon().post("/v1/auth/login", &credentials).await.ok();
}

#[tokio::test]
async fn an_upgrade_ends_every_session_that_the_guest_had() {
    let app = TestApp::start().await;
    let guest = app.guest().await;
    let refresh =
        async |token: &Value| app.anon().post("/v1/auth/refresh", &json!({"refresh_token": token})).await;
    let next = refresh(&guest.session["refresh_token"]).await.ok();
    let credentials = json!({"username": "ann", "password": PASSWORD});
    let ann = app.anon().with_session(guest.post("/v1/auth/upgrade", &credentials).await.ok());
    assert_eq!(refresh(&next["refresh_token"]).await.code(), "invalid_refresh_token");
    let refreshed = refresh(&ann.session["refresh_token"]).await.ok();
    // A later login is a session of its own, which another upgrade that is refused leaves alone.
    assert_eq!(ann.post("/v1/auth/upgrade", &credentials).await.code(), "not_a_guest");
    refresh(&refreshed["refresh_token"]).await.ok();
}

#[tokio::test]
async fn a_guest_gets_no_name_that_is_taken() {
    let app = TestApp::start().await;
    app.user("ann").await;
    let guest = app.guest().await;
    let credentials = json!({"username": "Ann", "password": PASSWORD});
    assert_eq!(guest.post("/v1/auth/upgrade", &credentials).await.code(), "username_taken");
    assert_eq!(app.anon().post("/v1/auth/upgrade", &credentials).await.code(), "unauthorized");
}

#[tokio::test]
async fn nobody_has_no_profile() {
    let app = TestApp::start().await;
    for name in ["nobody", "%00", "%ff", "a%20b", &"x".repeat(2000)] {
        assert_eq!(app.anon().get(&format!("/v1/players/{name}")).await.code(), "player_not_found", "{name}");
    }
}

#[tokio::test]
async fn without_a_token_the_caller_is_told_to_sign_in() {
    let app = TestApp::start().await;
    let reply = app.anon().get("/v1/me").await;
    assert_eq!((reply.status, reply.code()), (StatusCode::UNAUTHORIZED, "unauthorized"));
    assert!(reply.header("www-authenticate").unwrap().starts_with("Bearer"));
}

#[tokio::test]
async fn what_is_no_token_is_refused() {
    let app = TestApp::start().await;
    for value in ["Bearer", "Bearer ", "Bearer a.b.c", "Basic YW5uOmFubg==", "nonsense"] {
        let reply = app.anon().with("authorization", value).get("/v1/me").await;
        assert_eq!(reply.code(), "unauthorized", "{value}");
    }
}

#[tokio::test]
async fn a_token_expires_even_if_it_has_been_used_before() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    app.clock.advance(LIFETIME - 1);
    ann.get("/v1/me").await.ok();
    app.clock.advance(1);
    assert_eq!(ann.get("/v1/me").await.code(), "unauthorized");
}

#[tokio::test]
async fn a_token_that_was_changed_is_refused() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let [head, claims, signature] = parts(ann.token());
    let mut admin = decoded(&claims);
    admin["role"] = json!("admin");
    let changed = [head.clone(), encoded(&admin), signature.clone()].join(".");
    assert_eq!(ann.clone().with_token(&changed).get("/v1/me").await.code(), "unauthorized");
    let unsigned =
        [encoded(&json!({"alg": "none", "typ": "at+jwt"})), claims.clone(), String::new()].join(".");
    assert_eq!(ann.clone().with_token(&unsigned).get("/v1/me").await.code(), "unauthorized");
    let mut symmetric = decoded(&head);
    symmetric["alg"] = json!("HS256");
    let confused = [encoded(&symmetric), claims, signature].join(".");
    assert_eq!(ann.clone().with_token(&confused).get("/v1/me").await.code(), "unauthorized");
    ann.get("/v1/me").await.ok();
}

#[tokio::test]
async fn a_token_for_somebody_else_or_of_somebody_else_is_refused() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let [_, claims, _] = parts(ann.token());
    let genuine = decoded(&claims);
    assert_eq!((&genuine["aud"], &genuine["iss"]), (&json!(AUDIENCE), &json!("cardroom")));
    assert_eq!(status_of(&app, &ann, "at+jwt", &genuine).await, StatusCode::OK);
    assert_eq!(status_of(&app, &ann, "JWT", &genuine).await, StatusCode::UNAUTHORIZED);
    for (claim, value) in
        [("aud", json!("chess")), ("iss", json!("elsewhere")), ("exp", Value::Null), ("sub", json!("ann"))]
    {
        let mut other = genuine.clone();
        other[claim] = value;
        assert_eq!(status_of(&app, &ann, "at+jwt", &other).await, StatusCode::UNAUTHORIZED, "{claim}");
    }
}

#[tokio::test]
async fn tokens_hold_on_every_replica_and_after_a_restart() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let other = app.replica().await;
    other.at(&ann).get("/v1/me").await.ok();
    drop(app);
    other.replica().await.at(&ann).get("/v1/me").await.ok();
}

#[tokio::test]
async fn replicas_that_start_together_sign_with_one_key() {
    let app = TestApp::start().await;
    app.database.connection().await.batch_execute("DELETE FROM signing_keys").await.unwrap();
    let (one, two) = tokio::join!(app.replica(), app.replica());
    let keys = one.anon().get("/.well-known/jwks.json").await.ok();
    assert_eq!(keys["keys"].as_array().unwrap().len(), 1);
    assert_eq!(two.anon().get("/.well-known/jwks.json").await.ok(), keys);
}

#[tokio::test]
async fn keys_rotate_and_the_old_ones_stay_listed() {
    let app = TestApp::start().await;
    let other = app.replica().await;
    let before = app.anon().get("/.well-known/jwks.json").await.ok();
    app.clock.advance(31 * DAY);
    let ann = app.user("ann").await;
    let after = app.anon().get("/.well-known/jwks.json").await.ok();
    assert_eq!(after["keys"].as_array().unwrap().len(), 2);
    assert_eq!(after["keys"][1], before["keys"][0]);
    let [head, _, _] = parts(ann.token());
    assert_eq!(decoded(&head)["kid"], after["keys"][0]["kid"]);
    other.at(&ann).get("/v1/me").await.ok();
}

#[tokio::test]
async fn a_key_that_has_been_replaced_for_long_signs_nobody_in() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let stored = keys::all(&app.app.database).await.unwrap().remove(0);
    let old = Key::new(stored.kid, &stored.secret, stored.created_at).unwrap();
    let [_, claims, _] = parts(ann.token());
    let mut claims = decoded(&claims);
    let mut status = async |days: i64| {
        app.clock.advance(days * DAY);
        claims["exp"] = json!(app.clock.now().as_second() + 60);
        let token = old.sign("at+jwt", &claims);
        ann.clone().with_token(&token).get("/v1/me").await.status
    };
    assert_eq!(status(30).await, StatusCode::OK);
    assert_eq!(status(2).await, StatusCode::UNAUTHORIZED, "a copy of it was found in an old backup");
}

#[tokio::test]
async fn the_published_key_checks_the_tokens() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let jwks = app.anon().get("/.well-known/jwks.json").await.ok();
    let key = &jwks["keys"][0];
    assert_eq!(
        (&key["kty"], &key["crv"], &key["alg"], &key["use"]),
        (&json!("OKP"), &json!("Ed25519"), &json!("EdDSA"), &json!("sig"))
    );
    let point = URL_SAFE_NO_PAD.decode(key["x"].as_str().unwrap()).unwrap();
    let (signed, signature) = ann.token().rsplit_once('.').unwrap();
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    let public = aws_lc_rs::signature::UnparsedPublicKey::new(&aws_lc_rs::signature::ED25519, point);
    public.verify(signed.as_bytes(), &signature).unwrap();
}

#[tokio::test]
async fn a_session_goes_on_with_its_refresh_token() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    app.clock.advance(29 * DAY);
    let session = refresh(&ann, &ann.session).await.unwrap();
    assert_eq!(session["account"], ann.session["account"]);
    app.anon().with_session(session).get("/v1/me").await.ok();
}

#[tokio::test]
async fn a_refresh_token_expires() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    app.clock.advance(30 * DAY);
    assert_eq!(refresh(&ann, &ann.session).await, Err("invalid_refresh_token".to_owned()));
}

#[tokio::test]
async fn a_refresh_token_that_comes_twice_ends_its_family_and_no_other() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let credentials = json!({"username": "ann", "password": PASSWORD});
    let elsewhere = app.anon().post("/v1/auth/login", &credentials).await.ok();
    let second = refresh(&ann, &ann.session).await.unwrap();
    let third = refresh(&ann, &second).await.unwrap();
    assert!(refresh(&ann, &ann.session).await.is_err());
    assert!(refresh(&ann, &third).await.is_err());
    refresh(&ann, &elsewhere).await.unwrap();
}

#[tokio::test]
async fn of_two_refreshes_at_once_one_succeeds_and_then_the_family_has_ended() {
    let app = TestApp::start().await;
    let other = app.replica().await;
    let ann = app.user("ann").await;
    let there = other.at(&ann);
    let (one, two) = tokio::join!(refresh(&ann, &ann.session), refresh(&there, &ann.session));
    let winner = match (one, two) {
        (Ok(session), Err(_)) | (Err(_), Ok(session)) => session,
        both => panic!("{both:?}"),
    };
    assert!(refresh(&ann, &winner).await.is_err());
}

#[tokio::test]
async fn who_logs_out_cannot_refresh_that_session() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let credentials = json!({"username": "ann", "password": PASSWORD});
    let elsewhere = app.anon().post("/v1/auth/login", &credentials).await.ok();
    let reply = ann.post("/v1/auth/logout", &Value::Null).await;
    assert_eq!((reply.status, reply.body), (StatusCode::NO_CONTENT, Value::Null));
    assert!(refresh(&ann, &ann.session).await.is_err());
    refresh(&ann, &elsewhere).await.unwrap();
}

#[tokio::test]
async fn a_refresh_token_is_stored_nowhere() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let token = ann.session["refresh_token"].as_str().unwrap();
    let found = format!(
        "DO $$ BEGIN ASSERT (SELECT count(*) FROM refresh_tokens) = 1;
         ASSERT (SELECT bool_and(digest = sha256('{token}')) FROM refresh_tokens); END $$"
    );
    app.database.connection().await.batch_execute(&found).await.unwrap();
}

#[tokio::test]
async fn a_new_role_shows_from_the_next_token_on() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    assert!(cardroom::store::accounts::set_role(&app.app.database, "Ann", "admin").await.unwrap());
    let session = refresh(&ann, &ann.session).await.unwrap();
    assert_eq!(session["account"]["role"], "admin");
    let [_, claims, _] = parts(session["access_token"].as_str().unwrap());
    assert_eq!(decoded(&claims)["role"], "admin");
}

async fn refresh(client: &Client, session: &Value) -> Result<Value, String> {
    let reply = client.post("/v1/auth/refresh", &json!({"refresh_token": session["refresh_token"]})).await;
    if reply.status.is_success() { Ok(reply.body) } else { Err(reply.code().to_owned()) }
}

/// What `GET /v1/me` says to claims that our own key has signed.
async fn status_of(app: &TestApp, client: &Client, typ: &str, claims: &Value) -> StatusCode {
    let token = app.app.tokens.sign(typ, claims).await.unwrap();
    client.clone().with_token(&token).get("/v1/me").await.status
}

fn parts(token: &str) -> [String; 3] {
    let parts: Vec<String> = token.split('.').map(str::to_owned).collect();
    parts.try_into().unwrap()
}

fn decoded(part: &str) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

fn encoded(value: &Value) -> String {
    URL_SAFE_NO_PAD.encode(value.to_string())
}
