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

/// The statuses in the document's table of answers that are no problem documents.
fn bare_statuses() -> Vec<&'static str> {
    let page = include_str!("../../docs/deploy.md");
    let table =
        page.split("## Errors without a problem document").nth(1).unwrap().split("\n## ").next().unwrap();
    let first = |row: &'static str| row.strip_prefix("| ")?.split(' ').next();
    table.lines().filter_map(first).filter(|cell| cell.parse::<u16>().is_ok()).collect()
}

#[tokio::test]
async fn what_is_refused_before_the_service_sees_it_is_answered_as_the_document_says() {
    let app = TestApp::start_with(|settings| settings.request_seconds = 1).await;
    // No more than is read, or the answer could be lost with the connection.
    let begun = "GET /v1/kinds HTTP/1.1\r\nhost: cards\r\nx: ";
    let large = begun.to_owned() + &"x".repeat(128 * 1024 - begun.len());
    for (status, head) in [
        ("400", "GET /v1/kinds HTTP/1.1\r\nhost: cards\r\nx y\r\n\r\n"),
        ("408", "GET /v1/kinds HTTP/1.1\r\nhost:"),
        ("431", &large),
    ] {
        let mut wire = Wire::open(app.base()).await;
        wire.send(head).await;
        let answer = wire.rest().await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{status}: {answer}");
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let is_problem = body.contains("\"code\":");
        assert!(
            is_problem != bare_statuses().contains(&status),
            "{status}: docs/deploy.md says otherwise: {answer}"
        );
    }
    assert_eq!(bare_statuses(), ["400", "408", "431"]);
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
