//! How much one caller may ask for, and who is taken for one caller.

use diesel_async::SimpleAsyncConnection;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::app::{PASSWORD, TestApp};
use super::client::{Client, PATIENCE, Reply};
use super::games::{started, turn};
use super::wire::Wire;

#[tokio::test]
async fn what_is_left_to_a_caller_is_told() {
    let app = TestApp::start_with(|settings| settings.rate_limit = 60).await;
    let reply = app.anon().get("/v1/kinds").await;
    assert_eq!(reply.header("ratelimit-limit"), Some("60"));
    assert_eq!(reply.header("ratelimit-remaining"), Some("59"));
    assert_eq!(reply.header("ratelimit-reset"), Some("1"));
}

#[tokio::test]
async fn a_caller_over_the_limit_waits_and_may_then_go_on() {
    let app = TestApp::start_with(|settings| settings.rate_limit = 2).await;
    app.anon().get("/v1/kinds").await.ok();
    app.anon().get("/v1/kinds").await.ok();
    let reply = app.anon().get("/v1/kinds").await;
    assert_eq!((reply.status, reply.code()), (StatusCode::TOO_MANY_REQUESTS, "too_many_requests"));
    assert_eq!(reply.header("retry-after"), Some("30"));
    app.clock.advance(30);
    app.anon().get("/v1/kinds").await.ok();
}

#[tokio::test]
async fn health_checks_are_outside_the_limits() {
    let app = TestApp::start_with(|settings| settings.rate_limit = 1).await;
    app.anon().get("/v1/kinds").await.ok();
    for _ in 0..3 {
        app.anon().get("/health/live").await.ok();
        app.anon().get("/health/ready").await.ok();
    }
}

#[tokio::test]
async fn accounts_have_allowances_of_their_own() {
    let app = TestApp::start_with(|settings| settings.rate_limit = 3).await;
    let (ann, ben) = (app.guest().await, app.guest().await);
    for _ in 0..3 {
        ann.get("/v1/me").await.ok();
    }
    assert_eq!(ann.get("/v1/me").await.code(), "too_many_requests");
    ben.get("/v1/me").await.ok();
}

#[tokio::test]
async fn signing_in_has_a_limit_of_its_own() {
    let app = TestApp::start_with(|settings| settings.auth_rate_limit = 1).await;
    app.guest().await;
    let refused = login(&app.anon(), "nobody", PASSWORD).await;
    assert_eq!((refused.code(), refused.header("ratelimit-limit")), ("too_many_requests", Some("1")));
    app.anon().get("/v1/kinds").await.ok();
}

#[tokio::test]
async fn sign_in_is_limited_however_its_path_is_written() {
    let app = TestApp::start_with(|settings| settings.auth_rate_limit = 1).await;
    app.guest().await;
    for path in ["/v1/auth/login", "/v1/auth/%6cogin", "/v1/%61uth/register", "/v1/auth/gues%74"] {
        let body = json!({"username": "nobody", "password": PASSWORD}).to_string();
        let length = body.len();
        let mut wire = Wire::open(app.base()).await;
        wire.send(&format!(
            "POST {path} HTTP/1.1\r\nhost: cards\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        ))
        .await;
        let answer = wire.rest().await;
        assert!(answer.starts_with("HTTP/1.1 429 "), "{path}: {answer}");
    }
}

#[tokio::test]
async fn sign_in_is_charged_to_the_network_whatever_token_comes_with_it() {
    let app = TestApp::start_with(|settings| settings.auth_rate_limit = 2).await;
    let (ann, ben) = (app.guest().await, app.guest().await);
    for guest in [ann, ben] {
        assert_eq!(login(&guest, "nobody", PASSWORD).await.code(), "too_many_requests");
        let upgrade = json!({"username": "anybody", "password": PASSWORD});
        assert_eq!(guest.post("/v1/auth/upgrade", &upgrade).await.code(), "too_many_requests");
    }
}

/// Behind a proxy that is trusted, on this machine.
async fn behind_a_proxy(login_limit: u32) -> TestApp {
    TestApp::start_with(|settings| {
        settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
        settings.login_limit = login_limit;
    })
    .await
}

fn from(app: &TestApp, address: &str) -> Client {
    app.anon().with("x-forwarded-for", address)
}

async fn login(client: &Client, username: &str, password: &str) -> Reply {
    client.post("/v1/auth/login", &json!({"username": username, "password": password})).await
}

async fn register(client: &Client, username: &str, password: &str) -> Reply {
    client.post("/v1/auth/register", &json!({"username": username, "password": password})).await
}

#[tokio::test]
async fn many_addresses_cannot_try_passwords_of_one_account_and_its_owner_is_not_locked_out() {
    let app = behind_a_proxy(3).await;
    register(&from(&app, "192.0.2.1"), "ann", PASSWORD).await.ok();
    for name in ["ann", "ANN", "nobody"] {
        let mut refused = 0;
        for n in 0..6 {
            let reply = login(&from(&app, &format!("198.51.100.{n}")), name, "a wrong password").await;
            refused += u32::from(reply.code() == "too_many_requests");
        }
        assert!(refused >= 3, "{name}: an account that is there and one that is not look alike");
    }
    let stranger = from(&app, "203.0.113.7");
    assert_eq!(login(&stranger, "ann", PASSWORD).await.code(), "too_many_requests");
    for _ in 0..10 {
        login(&from(&app, "192.0.2.1"), "ann", PASSWORD).await.ok();
    }
    for _ in 0..3 {
        assert_eq!(login(&from(&app, "192.0.2.1"), "ann", "wrong").await.code(), "wrong_credentials");
    }
    assert_eq!(login(&from(&app, "192.0.2.1"), "ann", "wrong").await.code(), "too_many_requests");
    app.clock.advance(60);
    login(&stranger, "ann", PASSWORD).await.ok();
}

#[tokio::test]
async fn a_password_that_is_easy_to_guess_is_refused_with_the_reason() {
    let app = TestApp::start().await;
    for (password, reason) in [
        ("password", "common password"),
        ("12345678", "common"),
        ("qwertyuiop", ""),
        ("aaaaaaaaaaaa", "Repeat"),
        ("annabel-lee", ""),
    ] {
        let reply = register(&app.anon(), "annabel-lee", password).await;
        assert_eq!((reply.status, reply.code()), (StatusCode::UNPROCESSABLE_ENTITY, "weak_password"));
        let detail = reply.body["detail"].as_str().unwrap();
        assert!(detail.to_lowercase().contains(&reason.to_lowercase()), "{password}: {detail}");
    }
    let guest = app.guest().await;
    let upgrade = json!({"username": "annabel-lee", "password": "password1"});
    assert_eq!(guest.post("/v1/auth/upgrade", &upgrade).await.code(), "weak_password");
    register(&app.anon(), "annabel-lee", "many birds over 9 hills").await.ok();
}

#[tokio::test]
async fn clients_behind_a_trusted_proxy_have_allowances_of_their_own() {
    let app = TestApp::start_with(|settings| {
        settings.rate_limit = 1;
        settings.trusted_proxies = vec!["127.0.0.1".parse::<std::net::IpAddr>().unwrap().into()];
    })
    .await;
    for (name, value) in [
        ("x-forwarded-for", "192.0.2.1"),
        ("x-forwarded-for", "192.0.2.1, 192.0.2.2"),
        ("forwarded", "for=192.0.2.3"),
        ("forwarded", "for=\"[2001:db8::1]:80\""),
    ] {
        app.anon().with(name, value).get("/v1/kinds").await.ok();
        assert_eq!(
            app.anon().with(name, value).get("/v1/kinds").await.code(),
            "too_many_requests",
            "{value}"
        );
    }
    let made_up = app.anon().with("x-forwarded-for", "192.0.2.99, 192.0.2.1");
    assert_eq!(
        made_up.get("/v1/kinds").await.code(),
        "too_many_requests",
        "what a client wrote is passed over"
    );
}

#[tokio::test]
async fn a_client_that_is_no_trusted_proxy_speaks_for_itself_alone() {
    let app = TestApp::start_with(|settings| settings.rate_limit = 1).await;
    from(&app, "192.0.2.1").get("/v1/kinds").await.ok();
    assert_eq!(from(&app, "192.0.2.2").get("/v1/kinds").await.code(), "too_many_requests");
}

#[tokio::test]
async fn a_refused_action_over_the_limit_reads_nothing() {
    let app = TestApp::start_with(|settings| settings.rate_limit = 3).await;
    let (path, players) = started(&app, 2).await;
    let actions = format!("{path}/actions");
    let stay = json!({"type": "stay"});
    let game = players[0].get(&path).await.ok();
    let (mover, other) = (&players[turn(&game)], &players[1 - turn(&game)]);
    while other.post(&actions, &stay).await.code() != "too_many_requests" {}
    while mover.get(&path).await.status != StatusCode::TOO_MANY_REQUESTS {}

    let mut holder = app.database.connection().await;
    // Entries can neither be read nor written.
    holder.batch_execute("BEGIN; LOCK TABLE entries IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let at_once = async |player: &Client, action: &Value| {
        timeout(PATIENCE, player.post(&actions, action)).await.expect("an answer without the database")
    };
    assert_eq!(at_once(other, &stay).await.code(), "too_many_requests");
    assert_eq!(at_once(mover, &json!({"type": "give", "seat": 1})).await.code(), "too_many_requests");
    holder.batch_execute("ROLLBACK").await.unwrap();

    let done = mover.post(&actions, &stay).await;
    assert_eq!(done.status, StatusCode::CREATED, "a legal action in one's own turn is never throttled");
}

#[tokio::test]
async fn an_action_that_was_done_before_is_charged_when_it_is_repeated() {
    let app = TestApp::start_with(|settings| settings.rate_limit = 20).await;
    let (path, players) = started(&app, 2).await;
    let game = players[0].get(&path).await.ok();
    let mover = players[turn(&game)].clone().with("idempotency-key", "once");
    let act = async || mover.post(&format!("{path}/actions"), &json!({"type": "stay"})).await;
    let done = act().await;
    let left = |reply: &Reply| reply.header("ratelimit-remaining").unwrap().parse::<u32>().unwrap();
    let mut before = left(&done);
    loop {
        let again = act().await;
        if again.status == StatusCode::TOO_MANY_REQUESTS {
            break;
        }
        assert_eq!((again.header("idempotency-replayed"), &again.body), (Some("true"), &done.body));
        assert_eq!(left(&again), before - 1);
        before -= 1;
    }
    assert_eq!(before, 0);
    app.clock.advance(60);
    assert_eq!(act().await.body, done.body);
}
