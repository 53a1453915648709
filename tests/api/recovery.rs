//! Recovery of accounts whose passwords are lost.

use serde_json::{Value, json};

use super::app::{PASSWORD, TestApp};
use crate::random::orders::list;

const NEW: &str = "an altogether different staple";

fn recovery(username: &str, code: &str) -> Value {
    json!({"username": username, "code": code, "password": NEW})
}

#[tokio::test]
async fn a_recovery_code_opens_the_account_once_and_ends_everything_else() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let codes = list(&ann.session["recovery_codes"]).clone();
    assert_eq!(codes.len(), 10);
    let first = codes[0].as_str().unwrap();
    let token = ann.post("/v1/me/tokens", &json!({"name": "bot", "scopes": ["read"]})).await.ok();
    let token = app.anon().with_token(token["token"].as_str().unwrap());

    let anon = app.anon();
    for (username, code) in
        [("bob", first), ("nobody", first), ("x", first), ("ann", "0000-0000-0000-0000"), ("ann", "")]
    {
        let refused = anon.post("/v1/auth/recover", &recovery(username, code)).await;
        assert_eq!(
            (refused.status.as_u16(), refused.code()),
            (403, "wrong_recovery_code"),
            "{username} {code}"
        );
    }
    let weak = json!({"username": "ann", "code": first, "password": "password1"});
    assert_eq!(anon.post("/v1/auth/recover", &weak).await.code(), "weak_password");
    let written = first.to_uppercase().replace('-', " ");
    let session = anon.post("/v1/auth/recover", &recovery("Ann", &written)).await.ok();
    assert_eq!(session["account"]["id"], ann.session["account"]["id"]);
    assert_eq!(anon.post("/v1/auth/recover", &recovery("ann", first)).await.code(), "wrong_recovery_code");

    let refresh = json!({"refresh_token": ann.session["refresh_token"]});
    assert_eq!(anon.post("/v1/auth/refresh", &refresh).await.code(), "invalid_refresh_token");
    assert_eq!(token.get("/v1/me").await.code(), "unauthorized");
    let login = |password: &str| json!({"username": "ann", "password": password});
    assert_eq!(anon.post("/v1/auth/login", &login(PASSWORD)).await.code(), "wrong_credentials");
    anon.post("/v1/auth/login", &login(NEW)).await.ok();
    let ann = app.anon().with_session(session);
    assert_eq!(ann.get("/v1/me/recovery-codes").await.ok(), json!({"left": 9}));
    assert_eq!(bob.get("/v1/me/recovery-codes").await.ok(), json!({"left": 10}));
}

#[tokio::test]
async fn new_codes_take_the_place_of_the_old_ones_and_want_the_password() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let old = ann.session["recovery_codes"][0].as_str().unwrap();
    let wrong = ann.post("/v1/me/recovery-codes", &json!({"password": "not the password"})).await;
    assert_eq!(wrong.code(), "wrong_password");
    let renewed = ann.post("/v1/me/recovery-codes", &json!({"password": PASSWORD})).await.ok();
    let anon = app.anon();
    assert_eq!(anon.post("/v1/auth/recover", &recovery("ann", old)).await.code(), "wrong_recovery_code");
    anon.post("/v1/auth/recover", &recovery("ann", renewed["codes"][9].as_str().unwrap())).await.ok();

    let guest = app.guest().await;
    assert!(guest.session.get("recovery_codes").is_none());
    let refused = guest.post("/v1/me/recovery-codes", &json!({"password": PASSWORD})).await;
    assert_eq!(refused.code(), "account_required");
    let upgraded =
        guest.post("/v1/auth/upgrade", &json!({"username": "gus", "password": PASSWORD})).await.ok();
    assert_eq!(list(&upgraded["recovery_codes"]).len(), 10);
}

#[tokio::test]
async fn an_admin_lets_somebody_back_in_for_three_days() {
    let app = TestApp::start().await;
    let (root, ann, guest) = (app.admin("root").await, app.user("ann").await, app.guest().await);
    let path = "/v1/players/ann/recovery-code";
    assert_eq!(ann.post(path, &json!(null)).await.code(), "forbidden");
    let of = |name: &str| format!("/v1/players/{name}/recovery-code");
    assert_eq!(root.post(&of("nobody"), &json!(null)).await.code(), "player_not_found");
    assert_eq!(root.post(&of(guest.username()), &json!(null)).await.code(), "account_required");
    let given = root.post(path, &json!(null)).await.ok();
    assert_eq!(given["expires_at"], "2026-11-23T18:00:00.000000Z");
    let code = given["code"].as_str().unwrap();
    app.anon().post("/v1/auth/recover", &recovery("ann", code)).await.ok();
    let late = root.post(path, &json!(null)).await.ok();
    app.clock.advance(72 * 3600);
    let late = app.anon().post("/v1/auth/recover", &recovery("ann", late["code"].as_str().unwrap())).await;
    assert_eq!(late.code(), "wrong_recovery_code");
}

#[tokio::test]
async fn codes_of_one_account_cannot_be_tried_without_end() {
    let app = TestApp::start_with(|settings| settings.login_limit = 3).await;
    app.user("ann").await;
    let mut codes = Vec::new();
    for n in 0..8 {
        let tried = app.anon().post("/v1/auth/recover", &recovery("ann", &format!("{n}"))).await;
        codes.push(tried.code().to_owned());
    }
    assert_eq!(codes.last().map(String::as_str), Some("too_many_requests"), "{codes:?}");
}
