//! What a client can hold open, and for how long.

use std::time::Duration;

use super::app::TestApp;
use super::wire::Wire;

/// A body of which one byte comes, and no more.
const HEAD: &str = "HTTP/1.1\r\nhost: cards\r\ncontent-type: application/json\r\n";

#[tokio::test]
async fn a_body_that_does_not_come_is_given_up() {
    let app = TestApp::start_with(|settings| settings.request_seconds = 1).await;
    for body in ["content-length: 50\r\n\r\n{", "transfer-encoding: chunked\r\n\r\n1\r\n{\r\n"] {
        let mut wire = Wire::open(app.base()).await;
        wire.send(&format!("POST /v1/auth/login {HEAD}{body}")).await;
        let answer = wire.rest().await;
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
        assert!(answer.contains("\"code\":\"request_timeout\""), "{answer}");
    }
}

#[tokio::test]
async fn a_body_that_nobody_reads_does_not_keep_its_connection_open() {
    let app = TestApp::start().await;
    for body in ["content-length: 50\r\n\r\n{", "transfer-encoding: chunked\r\n\r\n1\r\n{\r\n"] {
        for request in ["POST /v1/auth/guest", "GET /v1/kinds", "POST /v1/nothing"] {
            let mut wire = Wire::open(app.base()).await;
            wire.send(&format!("{request} {HEAD}{body}")).await;
            let answer = wire.rest().await;
            assert!(answer.starts_with("HTTP/1.1 "), "{request}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_chunked_body_that_is_read_leaves_its_connection_open_for_the_next_request() {
    let app = TestApp::start().await;
    let mut wire = Wire::open(app.base()).await;
    for _ in 0..2 {
        wire.send(&format!(
            "POST /v1/auth/login {HEAD}transfer-encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"
        ))
        .await;
        assert!(wire.next().await.starts_with("HTTP/1.1 422 "));
    }
}

#[tokio::test]
async fn one_address_has_no_more_connections_than_it_may() {
    let app = TestApp::start_with(|settings| settings.connection_limit = 3).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(answered(&app).await.expect("a place"));
    }
    assert!(answered(&app).await.is_none(), "one too many is closed");
    drop(held.pop());
    // The service has noticed when the place is free again.
    loop {
        if answered(&app).await.is_some() {
            break;
        }
    }
}

/// A connection on which a request was answered; none where it was closed instead.
async fn answered(app: &TestApp) -> Option<Wire> {
    let mut wire = Wire::open(app.base()).await;
    wire.send("GET /health/live HTTP/1.1\r\nhost: cards\r\n\r\n").await;
    let answer = wire.next().await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 200 "), "{answer}");
    (!answer.is_empty()).then_some(wire)
}

#[tokio::test]
async fn a_trusted_proxy_has_as_many_connections_as_it_likes() {
    let app = TestApp::start_with(|settings| {
        settings.connection_limit = 1;
        settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    })
    .await;
    let held = [answered(&app).await, answered(&app).await, answered(&app).await];
    assert!(held.iter().all(Option::is_some));
}

#[tokio::test]
async fn an_idle_connection_stays_open_for_longer_than_a_load_balancer_waits() {
    // The library's own default is five seconds.
    let longer = Duration::from_secs(6);
    let app = TestApp::start().await;
    let mut wire = answered(&app).await.unwrap();
    assert_eq!(wire.rest_within(longer).await, None);
    let short = TestApp::start_with(|settings| settings.keep_alive_seconds = 1).await;
    assert_eq!(answered(&short).await.unwrap().rest().await, "");
}
