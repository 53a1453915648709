//! What holds for every request, and the service's own routes.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::app::{PASSWORD, TestApp};
use crate::eventually::eventually;

#[tokio::test]
async fn it_is_alive_and_ready() {
    let app = TestApp::start().await;
    assert_eq!(app.anon().get("/health/live").await.ok()["status"], "ok");
    assert_eq!(app.anon().get("/health/ready").await.ok()["status"], "ok");
}

#[tokio::test]
async fn it_is_alive_but_not_ready_while_the_database_is_away() {
    let app = TestApp::start().await;
    app.database.go_away().await;
    let away = app.anon().get("/health/ready").await;
    assert_eq!((away.status, away.code()), (StatusCode::SERVICE_UNAVAILABLE, "unavailable"));
    assert!(away.header("retry-after").is_some());
    assert_eq!(app.anon().get("/v1/players/ann").await.code(), "unavailable");
    assert_eq!(app.anon().get("/health/live").await.ok()["status"], "ok");
    app.database.come_back().await;
    // An answer holds for a second.
    let ready =
        eventually(async || Some(app.anon().get("/health/ready").await).filter(|it| it.status == 200));
    assert_eq!(ready.await.unwrap().ok()["status"], "ok");
}

#[tokio::test]
async fn an_unknown_path_is_a_problem() {
    let app = TestApp::start().await;
    for path in ["/nothing", "/v1", "/v1/nothing", "/v1/me/", "/docs/nothing.js", "/%00", "/%ff"] {
        assert_eq!(app.anon().get(path).await.code(), "not_found", "{path}");
    }
}

#[tokio::test]
async fn a_wrong_method_is_told_which_ones_there_are() {
    let app = TestApp::start().await;
    let reply = app.anon().delete("/v1/me/games").await;
    assert_eq!((reply.code(), reply.header("allow")), ("method_not_allowed", Some("GET, HEAD, OPTIONS")));
    let reply = app.anon().get("/v1/auth/login").await;
    assert_eq!((reply.code(), reply.header("allow")), ("method_not_allowed", Some("POST, OPTIONS")));
    let made_up = Method::from_bytes(b"DEAL").unwrap();
    assert_eq!(app.anon().send(made_up, "/v1/me", Vec::new()).await.code(), "method_not_allowed");
}

#[tokio::test]
async fn a_body_that_is_not_json_is_malformed() {
    let app = TestApp::start().await;
    let client = app.anon().with("content-type", "application/json");
    let bodies: [&[u8]; 5] =
        [b"{", b"nonsense", b"{\"username\": \"\xff\xfe\"}", b"{\"username\": 1e999}", b"\0"];
    for body in bodies {
        let reply = client.send(Method::POST, "/v1/auth/login", body.to_vec()).await;
        assert_eq!(reply.code(), "malformed_json", "{body:?}");
    }
    let deep = "[".repeat(10_000).into_bytes();
    let reply = client.send(Method::POST, "/v1/auth/login", deep).await;
    assert!(reply.status.is_client_error());
}

#[tokio::test]
async fn a_body_of_another_form_is_invalid() {
    let app = TestApp::start().await;
    let bodies = [
        json!({}),
        json!([]),
        json!("ann"),
        json!({"username": 5, "password": PASSWORD}),
        json!({"username": "ann"}),
        json!({"username": "ann", "password": PASSWORD, "role": "admin"}),
    ];
    for body in bodies {
        let reply = app.anon().post("/v1/auth/register", &body).await;
        assert_eq!(
            (reply.status, reply.code()),
            (StatusCode::UNPROCESSABLE_ENTITY, "invalid_body"),
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_missing_body_is_an_empty_object() {
    let app = TestApp::start().await;
    assert_eq!(app.anon().post("/v1/auth/login", &Value::Null).await.code(), "invalid_body");
}

#[tokio::test]
async fn a_body_may_be_large_but_not_huge() {
    let app = TestApp::start().await;
    let fits = json!({"refresh_token": "x".repeat(60_000)});
    assert_eq!(app.anon().post("/v1/auth/refresh", &fits).await.code(), "invalid_refresh_token");
    let huge = json!({"refresh_token": "x".repeat(70_000)});
    let reply = app.anon().post("/v1/auth/refresh", &huge).await;
    assert_eq!((reply.status, reply.code()), (StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"));
}

#[tokio::test]
async fn a_body_of_another_media_type_is_refused() {
    let app = TestApp::start().await;
    let body = json!({"refresh_token": "x"}).to_string().into_bytes();
    for client in [
        app.anon(),
        app.anon().with("content-type", "text/plain"),
        app.anon().with("content-type", "application/json").with("content-encoding", "gzip"),
    ] {
        let reply = client.send(Method::POST, "/v1/auth/refresh", body.clone()).await;
        assert_eq!(reply.code(), "unsupported_media_type");
    }
}

#[tokio::test]
async fn a_request_keeps_the_id_that_it_brings() {
    let app = TestApp::start().await;
    let reply = app.anon().with("x-request-id", "mine-17").get("/health/live").await;
    assert_eq!(reply.header("x-request-id"), Some("mine-17"));
}

#[tokio::test]
async fn an_id_that_would_not_fit_into_a_log_is_replaced() {
    let app = TestApp::start().await;
    for id in ["", "two words", &"x".repeat(65)] {
        let reply = app.anon().with("x-request-id", id).get("/health/live").await;
        assert_ne!(reply.header("x-request-id"), Some(id));
    }
}

#[tokio::test]
async fn pages_of_any_origin_may_call_without_credentials() {
    let app = TestApp::start().await;
    let page = app.anon().with("origin", "https://cards.example");
    let reply = page.get("/v1/players/nobody").await;
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    assert_eq!(reply.header("access-control-allow-credentials"), None);
    let exposed = reply.header("access-control-expose-headers").unwrap().to_lowercase();
    for header in
        ["etag", "location", "x-request-id", "ratelimit-remaining", "retry-after", "idempotency-replayed"]
    {
        assert!(exposed.contains(header), "{header} is not in {exposed}");
    }
}

#[tokio::test]
async fn metrics_count_by_pattern_and_not_by_path() {
    let app = TestApp::start().await;
    app.anon().get("/v1/players/somebody").await;
    app.anon().get("/made/up").await;
    let metrics = app.anon().get("/metrics").await.ok().as_str().unwrap().to_owned();
    assert!(metrics.contains(r#"endpoint="/v1/players/{username}",method="GET",status="404""#), "{metrics}");
    assert!(!metrics.contains("somebody") && !metrics.contains("made/up"), "{metrics}");
}

#[tokio::test]
async fn large_answers_are_compressed_and_small_ones_are_not() {
    let app = TestApp::start().await;
    let client = app.anon().with("accept-encoding", "gzip");
    let small = client.get("/health/live").await;
    assert_eq!(small.header("content-encoding"), None);
    let base = app.base().to_owned();
    let plain = reqwest::Client::new();
    let large =
        plain.get(format!("{base}/openapi.json")).header("accept-encoding", "gzip").send().await.unwrap();
    assert_eq!(large.headers()["content-encoding"], "gzip");
}

#[tokio::test]
async fn the_document_and_its_pages_are_served_from_here() {
    let app = TestApp::start().await;
    assert_eq!(app.anon().get("/openapi.json").await.ok(), *super::contract::DOCUMENT);
    let page = app.anon().get("/docs").await.ok();
    assert!(!page.as_str().unwrap().contains("src=\"http"), "{page}");
    app.anon().get("/docs/swagger-ui-bundle.js").await.ok();
}

#[tokio::test]
async fn every_problem_has_its_place_on_the_page_of_problems() {
    let app = TestApp::start().await;
    let page = app.anon().get("/docs/problems").await.ok();
    for code in cardroom::http::problem::CODES {
        assert!(page.as_str().unwrap().contains(&format!("id=\"{}\"", code.code)), "{}", code.code);
    }
}

#[tokio::test]
async fn pages_run_no_foreign_script_and_stand_in_no_foreign_frame() {
    let app = TestApp::start().await;
    for path in ["/docs", "/docs/problems"] {
        let page = app.anon().get(path).await;
        let policy = page.header("content-security-policy").unwrap();
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("script-src 'self' 'unsafe-inline'"), "{policy}");
        assert_eq!(page.header("x-frame-options"), Some("DENY"));
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
        // A script has to come from a file, or the policy would stop it.
        let inline =
            page.body.as_str().unwrap().split("<script").skip(1).filter(|tag| !tag.starts_with(" src="));
        assert_eq!(inline.count(), 0);
    }
    for path in ["/v1/kinds", "/v1/nothing", "/docs/swagger-ui.css"] {
        assert_eq!(app.anon().get(path).await.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
}

#[tokio::test]
async fn standings_may_stand_in_a_frame() {
    let app = TestApp::start().await;
    let wanted = json!({"name": "cup", "kind": "sevens", "format": {"type": "rounds", "rounds": 1, "seating": "random"}});
    let cup = app.user("ann").await.post("/v1/tournaments", &wanted).await.ok();
    let path = format!("/v1/tournaments/{}/standings", cup["id"].as_str().unwrap());
    let page = app.anon().with("accept", "text/html").get(&path).await;
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors *"), "{policy}");
    assert_eq!(page.header("x-frame-options"), None);
}
