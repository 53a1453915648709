//! Personal access tokens: what they open, and what they do not.

use serde_json::{Value, json};

use super::app::{PASSWORD, TestApp};
use super::client::Client;
use super::tournaments;
use crate::random::orders::list;

/// A client with a new token of these scopes, and the token's id.
async fn with_token(app: &TestApp, owner: &Client, scopes: &[&str]) -> (Client, String) {
    let created = owner.post("/v1/me/tokens", &json!({"name": "my bot", "scopes": scopes})).await.ok();
    let id = created["personal_token"]["id"].as_str().unwrap().to_owned();
    (app.anon().with_token(created["token"].as_str().unwrap()), id)
}

#[tokio::test]
async fn a_token_does_what_its_scopes_allow_and_nothing_else() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let (reader, _) = with_token(&app, &ann, &["read"]).await;
    let (player, _) = with_token(&app, &ann, &["play"]).await;
    let (organiser, _) = with_token(&app, &ann, &["organise", "read", "read"]).await;

    let wanted = json!({"kind": "sevens", "visibility": "private"});
    let game = player.post("/v1/games", &wanted).await.ok();
    assert_eq!(game["created_by"], "ann");
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    let cup = json!({"name": "Cup", "kind": "sevens", "format": {"type": "rounds", "rounds": 1, "seating": "random"},
        "scoring": {"type": "places"}});
    let cup = organiser.post("/v1/tournaments", &cup).await.ok();
    let cup = format!("/v1/tournaments/{}", cup["id"].as_str().unwrap());
    for token in [&reader, &player, &organiser] {
        assert_eq!(token.get("/v1/me").await.ok()["username"], "ann");
        assert_eq!(list(&token.get("/v1/me/games").await.ok()["items"]).len(), 1);
        assert_eq!(token.get(&path).await.ok()["id"], game["id"], "a private game of its owner");
    }
    let refused = [
        reader.post("/v1/games", &json!({"kind": "sevens"})).await,
        reader.post(&format!("{path}/seats"), &json!({})).await,
        reader.post(&format!("{cup}/entries"), &json!({})).await,
        organiser.post(&format!("{path}/seats"), &json!({})).await,
        organiser.post(&format!("{cup}/entries"), &json!({})).await,
        player.post("/v1/tournaments", &json!({})).await,
        player.post(&format!("{cup}/start"), &json!(null)).await,
        player.get("/v1/me/tokens").await,
        player.post("/v1/me/tokens", &json!({"name": "another", "scopes": ["play"]})).await,
        player.get("/v1/me/sessions").await,
        player.get("/v1/me/export").await,
        player.get("/v1/webhooks").await,
        player.put("/v1/me/password", &json!({})).await,
        player.post("/v1/me/program", &json!(null)).await,
        player.delete("/v1/me").await,
        player.post("/v1/auth/logout", &json!(null)).await,
    ];
    for answer in refused {
        assert_eq!((answer.status.as_u16(), answer.code()), (403, "insufficient_scope"));
    }
    player.post(&format!("{path}/seats"), &json!({})).await.ok();
    player.post(&format!("{cup}/entries"), &json!({})).await.ok();
    organiser.post(&format!("{cup}/abort"), &json!(null)).await.ok();
}

/// Checking in is a part of playing: without it an entrant is not seated.
#[tokio::test]
async fn a_token_for_playing_checks_its_own_entrant_in_and_no_other() {
    let app = TestApp::start().await;
    let (ann, ben) = (app.user("ann").await, app.user("ben").await);
    let cup = tournaments::made(&ann, json!({"check_in_minutes": 15})).await;
    tournaments::enter(&cup, &[ann.clone(), ben]).await;
    let starts = json!({"details": {"starts_at": "2026-11-20T18:10:00.000000Z"}});
    ann.patch(&cup, &starts).await.ok();
    let (player, _) = with_token(&app, &ann, &["play"]).await;
    let (organiser, _) = with_token(&app, &ann, &["organise"]).await;
    let of = |name: &str| format!("{cup}/entries/{name}/check-in");
    let checked_in = player.post(&of("ANN"), &json!(null)).await.ok();
    assert_eq!(checked_in["you"]["checked_in"], true);
    player.delete(&of("ann")).await.ok();
    for refused in [player.post(&of("ben"), &json!(null)).await, player.delete(&of("ben")).await] {
        assert_eq!((refused.status.as_u16(), refused.code()), (403, "insufficient_scope"));
    }
    organiser.post(&of("ben"), &json!(null)).await.ok();
    assert_eq!(player.post("/v1/me/tokens", &json!({})).await.code(), "insufficient_scope");
}

/// In the tournament it is called what it was called when it entered.
#[tokio::test]
async fn a_token_for_playing_checks_in_an_entrant_who_has_another_name_since() {
    let app = TestApp::start().await;
    let (olga, guest) = (app.user("olga").await, app.guest().await);
    let cup = tournaments::made(&olga, json!({"check_in_minutes": 15})).await;
    tournaments::enter(&cup, std::slice::from_ref(&guest)).await;
    let starts = json!({"details": {"starts_at": "2026-11-20T18:10:00.000000Z"}});
    olga.patch(&cup, &starts).await.ok();
    let credentials = json!({"username": "gus", "password": PASSWORD});
    let gus = app.anon().with_session(guest.post("/v1/auth/upgrade", &credentials).await.ok());
    let (player, _) = with_token(&app, &gus, &["play"]).await;
    let of = |name: &str| format!("{cup}/entries/{name}/check-in");
    let checked_in = player.post(&of(guest.username()), &json!(null)).await.ok();
    assert_eq!(checked_in["you"]["checked_in"], true);
    assert_eq!(player.post(&of("gus"), &json!(null)).await.code(), "insufficient_scope");
}

/// What only an admin sees, nobody sees with a token, and so not with a ticket that a token gave.
#[tokio::test]
async fn a_ticket_gives_a_token_no_more_than_the_token_has() {
    let app = TestApp::start().await;
    let (admin, olga) = (app.admin("admin").await, app.user("olga").await);
    let cup = tournaments::made(&olga, json!({"admission": {"type": "invite"}})).await;
    let (reader, _) = with_token(&app, &admin, &["read"]).await;
    for (caller, sees) in [(&admin, true), (&reader, false)] {
        assert_eq!(caller.get(&cup).await.ok()["invite"].is_string(), sees);
        let ticket = caller.post(&format!("{cup}/stream-ticket"), &json!(null)).await.ok()["ticket"].clone();
        let stream = format!("{cup}/stream?ticket={}", ticket.as_str().unwrap());
        let first = app.anon().stream(&stream).await.next().await.unwrap().json();
        assert_eq!((first["id"].is_string(), first["invite"].is_string()), (true, sees));
    }
}

#[tokio::test]
async fn every_operation_that_needs_an_account_says_what_a_token_must_include() {
    use actix_web::http::Method;
    use cardroom::http::accounts::scopes::required;

    let document = cardroom::app::openapi();
    let mut allowed = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys().filter(|method| *method != "get") {
            let scope = required(&Method::from_bytes(method.to_uppercase().as_bytes()).unwrap(), path);
            let words: Vec<&str> = scope.iter().map(|scope| scope.word()).collect();
            if !words.is_empty() {
                allowed.push(format!("{method} {path} {}", words.join(" or ")));
            }
        }
    }
    // A new operation that changes something is not allowed before somebody has thought of it.
    insta::assert_snapshot!(allowed.join("\n"), @r"
    post /v1/audit/verify read
    post /v1/games play
    post /v1/games/join play
    post /v1/games/stream-ticket read
    post /v1/games/{id}/abort play
    post /v1/games/{id}/actions play
    post /v1/games/{id}/bots play
    post /v1/games/{id}/invite play
    post /v1/games/{id}/rematch play
    post /v1/games/{id}/resign play
    post /v1/games/{id}/seats play
    delete /v1/games/{id}/seats/me play
    delete /v1/games/{id}/seats/{seat} play
    put /v1/games/{id}/seats/{seat} play
    post /v1/games/{id}/start play
    post /v1/games/{id}/stream-ticket read
    post /v1/kinds/knights_heads/rank read
    post /v1/me/stream-ticket read
    post /v1/series organise
    delete /v1/series/{id} organise
    patch /v1/series/{id} organise
    delete /v1/series/{id}/tournaments/{tournament} organise
    put /v1/series/{id}/tournaments/{tournament} organise
    post /v1/tournaments organise
    patch /v1/tournaments/{id} organise
    post /v1/tournaments/{id}/abort organise
    post /v1/tournaments/{id}/announcements organise
    post /v1/tournaments/{id}/bots organise
    post /v1/tournaments/{id}/calls play
    post /v1/tournaments/{id}/calls/{n}/answer organise
    post /v1/tournaments/{id}/copy organise
    post /v1/tournaments/{id}/entries play
    post /v1/tournaments/{id}/entries/bulk organise
    delete /v1/tournaments/{id}/entries/me play
    delete /v1/tournaments/{id}/entries/{player}/check-in play or organise
    post /v1/tournaments/{id}/entries/{player}/check-in play or organise
    post /v1/tournaments/{id}/entries/{player}/disqualify organise
    post /v1/tournaments/{id}/entries/{player}/reinstate organise
    post /v1/tournaments/{id}/entries/{player}/replace organise
    put /v1/tournaments/{id}/entries/{player}/team organise
    post /v1/tournaments/{id}/organisers organise
    delete /v1/tournaments/{id}/organisers/{player} organise
    post /v1/tournaments/{id}/pause organise
    post /v1/tournaments/{id}/penalties organise
    delete /v1/tournaments/{id}/penalties/{penalty} organise
    post /v1/tournaments/{id}/resume organise
    delete /v1/tournaments/{id}/rounds/{round}/tables organise
    put /v1/tournaments/{id}/rounds/{round}/tables organise
    post /v1/tournaments/{id}/rounds/{round}/tables/{table}/extra-time organise
    post /v1/tournaments/{id}/rounds/{round}/tables/{table}/pause organise
    post /v1/tournaments/{id}/rounds/{round}/tables/{table}/redo organise
    delete /v1/tournaments/{id}/rounds/{round}/tables/{table}/result organise
    post /v1/tournaments/{id}/rounds/{round}/tables/{table}/result organise
    post /v1/tournaments/{id}/rounds/{round}/tables/{table}/resume organise
    post /v1/tournaments/{id}/start organise
    post /v1/tournaments/{id}/stream-ticket read
    ");
}

#[tokio::test]
async fn a_token_ends_when_its_owner_says_so_and_by_itself() {
    let app = TestApp::start().await;
    let replica = app.replica().await;
    let (ann, eve) = (app.user("ann").await, app.user("eve").await);
    let (token, id) = with_token(&app, &ann, &["read"]).await;
    let elsewhere = replica.at(&token);
    assert_eq!(elsewhere.get("/v1/me").await.ok()["username"], "ann");
    let path = format!("/v1/me/tokens/{id}");
    let listed = ann.get("/v1/me/tokens").await.ok();
    assert_eq!(listed["items"][0]["name"], "my bot");
    assert_eq!(listed["items"][0]["used_at"], "2026-11-20T18:00:00.000000Z");
    assert!(!listed.to_string().contains("cardroom_pat_"), "a token is told once");
    assert_eq!(eve.delete(&path).await.code(), "token_not_found");

    assert_eq!(token.get("/v1/me").await.ok()["username"], "ann");
    let ticket = token.post("/v1/me/stream-ticket", &json!(null)).await.ok()["ticket"].clone();
    let stream = format!("/v1/me/stream?ticket={}", ticket.as_str().unwrap());
    assert_eq!(app.anon().stream(&stream).await.next().await.unwrap().name, "games");
    assert_eq!(ann.delete(&path).await.status, 204);
    assert_eq!(token.get("/v1/me").await.code(), "unauthorized");
    assert_eq!(app.anon().get(&stream).await.code(), "invalid_ticket");
    app.clock.advance(5);
    assert_eq!(elsewhere.get("/v1/me").await.code(), "unauthorized");

    let wanted = json!({"name": "short", "scopes": ["read"], "days": 1});
    let created = ann.post("/v1/me/tokens", &wanted).await.ok();
    assert_eq!(created["personal_token"]["expires_at"], "2026-11-21T18:00:05.000000Z");
    let token = app.anon().with_token(created["token"].as_str().unwrap());
    token.get("/v1/me").await.ok();
    app.clock.advance(24 * 3600);
    assert_eq!(token.get("/v1/me").await.code(), "unauthorized");
}

#[tokio::test]
async fn an_account_has_fifty_tokens_a_guest_none_and_wrong_ones_are_refused() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let wanted = json!({"name": "bot", "scopes": ["play"]});
    assert_eq!(app.guest().await.post("/v1/me/tokens", &wanted).await.code(), "account_required");
    for wrong in [
        json!({"name": "", "scopes": ["play"]}),
        json!({"name": "two\nlines", "scopes": ["play"]}),
        json!({"name": "x".repeat(101), "scopes": ["play"]}),
        json!({"name": "bot", "scopes": []}),
        json!({"name": "bot", "scopes": ["everything"]}),
        json!({"name": "bot", "scopes": ["play"], "days": 0}),
        json!({"name": "bot", "scopes": ["play"], "days": 367}),
    ] {
        assert_eq!(ann.post("/v1/me/tokens", &wrong).await.code(), "invalid_body", "{wrong}");
    }
    for _ in 0..50 {
        ann.post("/v1/me/tokens", &wanted).await.ok();
    }
    assert_eq!(ann.post("/v1/me/tokens", &wanted).await.code(), "too_many_tokens");
    app.clock.advance(91 * 24 * 3600);
    let credentials = json!({"username": "ann", "password": super::app::PASSWORD});
    let ann = app.anon().with_session(app.anon().post("/v1/auth/login", &credentials).await.ok());
    ann.post("/v1/me/tokens", &wanted).await.ok();
    assert_eq!(list(&ann.get("/v1/me/tokens").await.ok()["items"]).len(), 1);
}

#[tokio::test]
async fn tokens_that_are_tried_are_charged_to_the_network_as_sign_ins_are() {
    let app = TestApp::start_with(|settings| settings.auth_rate_limit = 5).await;
    let ann = app.user("ann").await;
    let (token, _) = with_token(&app, &ann, &["read"]).await;
    token.get("/v1/me").await.ok();
    let wrong = |n: u32| app.anon().with_token(&format!("cardroom_pat_{n}"));
    let codes: Vec<String> = {
        let mut codes = Vec::new();
        for n in 0..8 {
            codes.push(wrong(n).get("/v1/me").await.code().to_owned());
        }
        codes
    };
    assert_eq!(codes.first().map(String::as_str), Some("unauthorized"));
    assert_eq!(codes.last().map(String::as_str), Some("too_many_requests"));
    for _ in 0..20 {
        token.get("/v1/me").await.ok();
    }
}

#[tokio::test]
async fn an_admin_s_token_is_no_admin() {
    let app = TestApp::start().await;
    let root = app.admin("root").await;
    let (token, _) = with_token(&app, &root, &["read", "play", "organise"]).await;
    let ann = app.user("ann").await;
    let made: Value = ann.post("/v1/games", &json!({"kind": "sevens"})).await.ok();
    let abort = format!("/v1/games/{}/abort", made["id"].as_str().unwrap());
    assert_eq!(token.post(&abort, &json!(null)).await.code(), "not_creator");
    let cup = tournaments::made(&ann, json!({})).await;
    assert_eq!(token.post(&format!("{cup}/abort"), &json!(null)).await.code(), "not_organiser");
    root.post(&abort, &json!(null)).await.ok();
}
