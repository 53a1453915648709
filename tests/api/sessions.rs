//! Sessions and passwords, as their owner sees and changes them.

use cardroom::store::accounts::{NewToken, begin_family, by_username};
use cardroom::store::database::Database;
use cardroom::store::sessions::of;
use jiff::SignedDuration;
use serde_json::{Value, json};
use uuid::Uuid;

use super::app::{PASSWORD, TestApp};
use super::client::Client;
use crate::random::orders::list;

const NEW: &str = "an altogether different staple";

async fn login(app: &TestApp, username: &str, password: &str) -> Client {
    let credentials = json!({"username": username, "password": password});
    let session = app.anon().post("/v1/auth/login", &credentials).await.ok();
    app.anon().with_session(session)
}

async fn sessions(client: &Client) -> Vec<Value> {
    list(&client.get("/v1/me/sessions").await.ok()["items"]).clone()
}

/// Whether the session's refresh token still works. It is used up by that.
async fn is_alive(client: &Client) -> bool {
    let token = json!({"refresh_token": client.session["refresh_token"]});
    client.post("/v1/auth/refresh", &token).await.status == 200
}

/// Uses the refresh token of a session in a request with this key.
async fn refresh(app: &TestApp, session: &Value, key: &str) -> Option<Value> {
    let client = app.anon().with("idempotency-key", key);
    let reply = client.post("/v1/auth/refresh", &json!({"refresh_token": session["refresh_token"]})).await;
    let mut answer = reply.body.clone();
    answer["is_repeat"] = json!(reply.header("idempotency-replayed") == Some("true"));
    (reply.status == 200).then_some(answer)
}

#[tokio::test]
async fn a_refresh_whose_answer_was_lost_is_repeated() {
    let app = TestApp::start().await;
    let session = app.user("ann").await.session;
    let lost = refresh(&app, &session, "one").await.unwrap();
    assert_eq!(lost["is_repeat"], false);
    // The network stays bad, and the requests come all at once in the end.
    let repeats = [0; 4].map(|_| refresh(&app, &session, "one"));
    let answers = futures_util::future::join_all(repeats).await;
    assert!(answers.iter().all(Option::is_some), "{answers:?}");
    app.clock.advance(3600);
    let heard = refresh(&app, &session, "one").await.unwrap();
    assert_eq!(heard["is_repeat"], true);
    app.anon().with_session(heard.clone()).get("/v1/me").await.ok();
    let next = refresh(&app, &heard, "two").await.unwrap();
    // If the token of the lost answer is used now, a stranger has it: the family ends.
    assert_eq!(refresh(&app, &lost, "three").await, None);
    assert_eq!(refresh(&app, &next, "four").await, None);
}

#[tokio::test]
async fn a_used_refresh_token_is_a_copy_under_another_key_and_once_the_answer_has_come() {
    let app = TestApp::start().await;
    for (name, again) in [("ann", "other"), ("bob", "same")] {
        let session = app.user(name).await.session;
        let next = refresh(&app, &session, "same").await.unwrap();
        let last = if again == "same" { refresh(&app, &next, "next").await.unwrap() } else { next };
        assert_eq!(refresh(&app, &session, again).await, None, "{name}");
        assert_eq!(refresh(&app, &last, "last").await, None, "{name}: the family has ended");
    }
}

#[tokio::test]
async fn with_one_session_more_than_an_account_may_have_the_oldest_ends() {
    let app = TestApp::start().await;
    let first = app.user("ann").await;
    app.clock.advance(1);
    let second = login(&app, "ann", PASSWORD).await;
    let database = Database::new(&app.database.url, 1).unwrap();
    let account = by_username(&database, "ann").await.unwrap().unwrap();
    // Begins one more session, and returns how many there are.
    let begin = async |n: u16| {
        let mut digest = [0; 32];
        digest[..2].copy_from_slice(&n.to_be_bytes());
        let family = Uuid::from_u128(u128::MAX - 1000 + u128::from(n));
        let token = NewToken { digest, expires_at: app.clock.now() + SignedDuration::from_hours(1) };
        assert!(begin_family(&database, &account, family, &token).await.unwrap());
        of(&database, account.id, None, 1000, app.clock.now()).await.unwrap().len()
    };
    for n in 3..=500 {
        assert_eq!(begin(n).await, usize::from(n));
    }
    assert_eq!(begin(501).await, 500);
    assert!(!is_alive(&first).await);
    assert!(is_alive(&second).await);
}

#[tokio::test]
async fn sessions_are_listed_and_ended_one_by_one_or_all_but_this() {
    let app = TestApp::start().await;
    let first = app.user("ann").await;
    app.clock.advance(60);
    let second = login(&app, "ann", PASSWORD).await;
    app.clock.advance(60);
    let third = login(&app, "ann", PASSWORD).await;
    let stranger = app.user("bob").await;

    let seen = sessions(&second).await;
    let current: Vec<bool> = seen.iter().map(|session| session["current"].as_bool().unwrap()).collect();
    assert_eq!(current, [false, true, false], "the newest comes first: {seen:?}");
    assert_eq!(seen[1]["created_at"], "2026-11-20T18:01:00.000000Z");
    assert_eq!(seen[1]["refreshed_at"], seen[1]["created_at"]);
    let page = second.get("/v1/me/sessions?limit=1").await.ok();
    let next = second.get(&format!("/v1/me/sessions?cursor={}", page["next"].as_str().unwrap())).await.ok();
    assert_eq!(list(&next["items"])[..], seen[1..]);

    let path = format!("/v1/me/sessions/{}", seen[0]["id"].as_str().unwrap());
    assert_eq!(stranger.delete(&path).await.code(), "session_not_found");
    assert_eq!(second.delete(&path).await.status, 204);
    assert_eq!(second.delete(&path).await.code(), "session_not_found");
    assert!(!is_alive(&third).await);
    assert_eq!(sessions(&second).await.len(), 2);

    assert_eq!(second.delete("/v1/me/sessions").await.status, 204);
    assert!(!is_alive(&first).await);
    assert!(is_alive(&second).await);
    assert_eq!(sessions(&stranger).await.len(), 1);
}

#[tokio::test]
async fn a_new_password_takes_the_old_one_and_ends_all_other_sessions() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let other = login(&app, "ann", PASSWORD).await;
    let change = async |client: &Client, current: &str, new: &str| {
        let body = json!({"current_password": current, "new_password": new});
        client.put("/v1/me/password", &body).await
    };
    assert_eq!(change(&ann, "not the password", NEW).await.code(), "wrong_password");
    assert_eq!(change(&ann, PASSWORD, "12345678").await.code(), "weak_password");
    assert_eq!(change(&ann, PASSWORD, "short").await.code(), "invalid_body");
    assert_eq!(change(&app.guest().await, PASSWORD, NEW).await.code(), "account_required");
    assert_eq!(sessions(&ann).await.len(), 2, "nothing was done");

    assert_eq!(change(&ann, PASSWORD, NEW).await.status, 204);
    assert!(!is_alive(&other).await);
    assert!(is_alive(&ann).await);
    let old = json!({"username": "ann", "password": PASSWORD});
    assert_eq!(app.anon().post("/v1/auth/login", &old).await.code(), "wrong_credentials");
    login(&app, "ann", NEW).await;
}

#[tokio::test]
async fn whoever_has_stolen_a_token_guesses_passwords_no_faster() {
    let app = TestApp::start_with(|settings| settings.login_limit = 3).await;
    let ann = app.user("ann").await;
    let body = json!({"current_password": "guessed once more", "new_password": NEW});
    let mut refused = 0;
    for _ in 0..12 {
        refused += u32::from(ann.put("/v1/me/password", &body).await.code() == "too_many_requests");
    }
    assert!(refused >= 6, "{refused}");
}

#[tokio::test]
async fn a_sign_in_whose_password_has_been_changed_meanwhile_begins_no_session() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let database = Database::new(&app.database.url, 1).unwrap();
    // What a sign-in has read that still checks the password.
    let read = by_username(&database, "ann").await.unwrap().unwrap();
    let begins = async |family: u128| {
        let expires_at = app.clock.now() + SignedDuration::from_hours(1);
        let token = NewToken { digest: [family as u8; 32], expires_at };
        begin_family(&database, &read, Uuid::from_u128(family), &token).await.unwrap()
    };
    assert!(begins(1).await);
    let body = json!({"current_password": PASSWORD, "new_password": NEW});
    ann.put("/v1/me/password", &body).await;
    assert!(!begins(2).await);
    assert_eq!(sessions(&ann).await.len(), 1);
}
