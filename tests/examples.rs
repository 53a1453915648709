//! The examples of the OpenAPI document come from a real game: this walk through the whole API sends each request and
//! keeps each answer. `CARDROOM_WRITE_EXAMPLES=1 cargo test examples` writes them anew.

mod series;
mod tournaments;
mod walk;

use std::collections::BTreeMap;

use cardroom::entropy::Entropy;
use reqwest::Method;
use serde_json::{Value, json};

use crate::api::app::{PASSWORD, TestApp};
use crate::api::client::Client;
use crate::api::contract::{DOCUMENT, check_answer, check_request};
use crate::api::mail_server::{MailServer, code};
use walk::Walk;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi/examples.json");

fn id(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}

async fn accounts(app: &TestApp, walk: &mut Walk) -> [Client; 3] {
    let anon = app.anon();
    let credentials = |name: &str| json!({"username": name, "password": PASSWORD});
    let ann = walk.post(&anon, "register", "/v1/auth/register", credentials("ann")).await;
    let ben = walk.post(&anon, "register", "/v1/auth/register", credentials("ben")).await;
    let again = walk.post(&anon, "login", "/v1/auth/login", credentials("ann")).await;
    let again = json!({"refresh_token": again["refresh_token"]});
    let fresh = walk.post(&anon, "refresh", "/v1/auth/refresh", again).await;
    let fresh = anon.clone().with_session(fresh);
    anon.post("/v1/auth/login", &credentials("ann")).await.ok();
    walk.post(&fresh, "logout", "/v1/auth/logout", json!({})).await;
    let guest = walk.post(&anon, "guest", "/v1/auth/guest", json!({})).await;
    let guest = anon.clone().with_session(guest);
    let [ann, ben] = [ann, ben].map(|session| anon.clone().with_session(session));
    walk.get(&ann, "me", "/v1/me").await;
    let sessions = walk.get(&ann, "list_sessions", "/v1/me/sessions").await;
    let first = format!("/v1/me/sessions/{}", id(&sessions["items"][0]));
    walk.delete(&ann, "end_session", &first).await;
    walk.delete(&ann, "end_other_sessions", "/v1/me/sessions").await;
    let change = json!({"current_password": PASSWORD, "new_password": "an altogether different staple"});
    walk.put(&ann, "change_password", "/v1/me/password", change).await;
    walk.post(&guest, "upgrade", "/v1/auth/upgrade", credentials("cleo")).await;
    [ann, ben, guest]
}

async fn kinds(app: &TestApp, walk: &mut Walk) {
    let anon = app.anon();
    walk.get(&anon, "list_kinds", "/v1/kinds").await;
    walk.get(&anon, "get_kind", "/v1/kinds/royal_gambit").await;
    walk.get(&anon, "get_odds", "/v1/kinds/sevens/odds").await;
    let cards = ["N3", "N4", "N5", "N6", "A4", "M4", "D3", "J3", "B1", "E4"];
    walk.post(&anon, "rank_knights_heads", "/v1/kinds/knights_heads/rank", json!({"cards": cards})).await;
    walk.get(&anon, "list_problems", "/v1/problems").await;
    for (operation, path) in
        [("live", "/health/live"), ("ready", "/health/ready"), ("jwks", "/.well-known/jwks.json")]
    {
        walk.get(&anon, operation, path).await;
    }
}

async fn games(app: &TestApp, walk: &mut Walk, [ann, ben, _]: &[Client; 3]) {
    let wanted = json!({"kind": "royal_gambit", "options": {"target_score": 2}, "seats": 3});
    let table = walk.post(ann, "create_game", "/v1/games", wanted.clone()).await;
    let path = format!("/v1/games/{}", id(&table));
    walk.post(ann, "sit_down", &format!("{path}/seats"), json!({"client_seed": "lucky"})).await;
    walk.delete(ann, "stand_up", &format!("{path}/seats/me")).await;
    walk.post(ann, "seat_bot", &format!("{path}/bots"), json!({"policy": "steady"})).await;
    for player in [ann, ben] {
        walk.post(player, "sit_down", &format!("{path}/seats"), json!({})).await;
    }
    walk.get(&app.anon(), "list_games", "/v1/games?status=active").await;
    walk.get(ann, "list_own_games", "/v1/me/games").await;
    loop {
        app.tick().await;
        let mut table = Value::Null;
        for player in [ann, ben] {
            table = walk.get(player, "get_game", &path).await;
            let Some(line) = table["legal_actions"].get(0) else { continue };
            let mut action = json!({"type": line["type"]});
            for (name, domain) in line["params"].as_object().into_iter().flatten() {
                action[name] = domain["from"][0].clone();
            }
            walk.post(player, "act", &format!("{path}/actions"), action).await;
        }
        if table["status"] == "finished" {
            break;
        }
    }
    walk.get(ann, "get_log", &format!("{path}/log?limit=4")).await;
    walk.get(ann, "list_hands", &format!("{path}/hands")).await;
    walk.get(ann, "get_hand", &format!("{path}/hands/1")).await;
    walk.get(&app.anon(), "get_hand_review", &format!("{path}/hands/1/review")).await;
    walk.get(&app.anon(), "get_review", &format!("{path}/review")).await;
    walk.get(&app.anon(), "get_game_luck", &format!("{path}/luck")).await;
    let bundle = walk.get(&app.anon(), "get_audit", &format!("{path}/audit")).await;
    walk.post(&app.anon(), "verify_audit", "/v1/audit/verify", bundle).await;
    walk.post(ann, "ask_for_rematch", &format!("{path}/rematch"), json!({})).await;
    walk.get(&app.anon(), "profile", "/v1/players/ann").await;
    app.tick().await;
    walk.get(&app.anon(), "get_leaderboard", "/v1/leaderboards/royal_gambit").await;

    let table = walk.post(ann, "create_game", "/v1/games", wanted.clone()).await;
    let path = format!("/v1/games/{}", id(&table));
    walk.post(ann, "create_stream_ticket", &format!("{path}/stream-ticket"), json!({})).await;
    for (operation, path) in [
        ("create_lobby_stream_ticket", "/v1/games/stream-ticket"),
        ("create_account_stream_ticket", "/v1/me/stream-ticket"),
    ] {
        walk.post(ann, operation, path, json!({})).await;
    }
    walk.post(ann, "abort_game", &format!("{path}/abort"), json!({})).await;
    let mut private = wanted.clone();
    private["visibility"] = json!("private");
    let table = walk.post(ann, "create_game", "/v1/games", private).await;
    let path = format!("/v1/games/{}", id(&table));
    walk.post(ann, "renew_invite", &format!("{path}/invite"), json!({})).await;
    walk.post(ann, "seat_bot", &format!("{path}/bots"), json!({"policy": "steady"})).await;
    walk.put(ann, "move_seat", &format!("{path}/seats/0"), json!({"to": 2})).await;
    walk.delete(ann, "clear_seat", &format!("{path}/seats/2")).await;
    let table = walk.post(ann, "create_game", "/v1/games", wanted.clone()).await;
    let path = format!("/v1/games/{}", id(&table));
    for player in [ann, ben] {
        walk.post(player, "sit_down", &format!("{path}/seats"), json!({})).await;
    }
    walk.post(ann, "start_game", &format!("{path}/start"), json!({})).await;
    walk.post(ann, "resign", &format!("{path}/resign"), json!({})).await;
    walk.post(ann, "join_game", "/v1/games/join", wanted).await;
}

/// Where an account can be reached.
async fn mail_address(app: &TestApp, walk: &mut Walk, ben: &Client, mail: &MailServer) {
    let (anon, path) = (app.anon(), "/v1/me/mail-address");
    let wanted = json!({"address": "ben@example.com", "password": PASSWORD});
    walk.put(ben, "change_mail_address", path, wanted).await;
    let code = json!({"code": code(&mail.first(1).await[0])});
    walk.post(&anon, "confirm_mail_address", "/v1/auth/confirm-mail-address", code).await;
    walk.get(ben, "get_mail_address", path).await;
    walk.post(&anon, "recover_by_mail", "/v1/auth/recover/mail", json!({"username": "ben"})).await;
    // The code is drawn before the next request draws anything.
    mail.first(2).await;
    let proof = json!({"password": PASSWORD});
    walk.send(ben, "delete_mail_address", Method::DELETE, path, proof).await;
}

/// What an account keeps, and its end.
async fn keeping(app: &TestApp, walk: &mut Walk, ben: &Client) {
    let token = json!({"name": "my bot", "scopes": ["play"]});
    let token = walk.post(ben, "create_personal_token", "/v1/me/tokens", token).await;
    walk.get(ben, "list_personal_tokens", "/v1/me/tokens").await;
    let token = format!("/v1/me/tokens/{}", id(&token["personal_token"]));
    walk.delete(ben, "end_personal_token", &token).await;
    let proof = json!({"password": PASSWORD});
    walk.post(ben, "renew_recovery_codes", "/v1/me/recovery-codes", proof.clone()).await;
    walk.get(ben, "get_recovery_codes", "/v1/me/recovery-codes").await;
    let admin = app.admin("root").await;
    let path = "/v1/players/ben/recovery-code";
    let given = walk.post(&admin, "give_recovery_code", path, Value::Null).await;
    let recovery = json!({"username": "ben", "code": given["code"], "password": PASSWORD});
    let session = walk.post(&app.anon(), "recover", "/v1/auth/recover", recovery).await;
    let ben = app.anon().with_session(session);
    walk.post(&ben, "declare_program", "/v1/me/program", Value::Null).await;
    walk.get(&ben, "find_players", "/v1/players?prefix=be").await;
    walk.get(&ben, "get_rating_history", "/v1/players/ben/ratings/royal_gambit").await;
    walk.get(&ben, "get_player_luck", "/v1/players/ben/luck/royal_gambit").await;
    walk.get(&ben, "export_account", "/v1/me/export").await;
    walk.send(&ben, "delete_account", Method::DELETE, "/v1/me", proof).await;
}

async fn webhooks(walk: &mut Walk, ann: &Client) {
    let wanted = json!({"url": "https://example.com/cardroom", "events": ["your_turn", "game_over"]});
    let created = walk.post(ann, "create_webhook", "/v1/webhooks", wanted.clone()).await;
    let path = format!("/v1/webhooks/{}", id(&created["webhook"]));
    walk.get(ann, "list_webhooks", "/v1/webhooks").await;
    walk.get(ann, "get_webhook", &path).await;
    walk.post(ann, "rotate_webhook_secret", &format!("{path}/secret"), json!({})).await;
    walk.put(ann, "change_webhook", &path, json!({"url": "https://localhost/", "enabled": true})).await;
    walk.post(ann, "test_webhook", &format!("{path}/test"), json!({})).await;
    walk.get(ann, "list_deliveries", &format!("{path}/deliveries?status=failed")).await;
    walk.post(ann, "replay_deliveries", &format!("{path}/replay"), json!({"from": 1, "failed": true})).await;
    walk.delete(ann, "delete_webhook", &path).await;
    walk.get(ann, "get_push_key", "/v1/push-key").await;
    let wanted = json!({
        "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABn",
        "keys": {
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        },
        "events": ["your_turn"],
    });
    let subscribed = walk.post(ann, "create_push_subscription", "/v1/me/push-subscriptions", wanted).await;
    walk.get(ann, "list_push_subscriptions", "/v1/me/push-subscriptions").await;
    let path = format!("/v1/me/push-subscriptions/{}", id(&subscribed));
    walk.delete(ann, "delete_push_subscription", &path).await;
}

/// Operations whose answers are pages, streams of events or metrics, which nobody reads as an example.
const WITHOUT: [&str; 12] = [
    "docs",
    "docs_file",
    "problems",
    "openapi",
    "metrics",
    "stream_account",
    "stream_game",
    "stream_games",
    "stream_standings",
    "stream_tournament",
    "export_audits",
    "logout",
];

#[tokio::test]
async fn every_request_and_answer_has_an_example_from_a_real_game() {
    let mail = MailServer::start(0).await;
    let app = TestApp::start_from(Entropy::fixed(18), |settings| mail.settings(settings)).await;
    let mut walk = Walk::default();
    let players = accounts(&app, &mut walk).await;
    kinds(&app, &mut walk).await;
    games(&app, &mut walk, &players).await;
    tournaments::walk_through(&app, &mut walk, &players).await;
    tournaments::walk_through_duplicate(&app, &mut walk, &players[0]).await;
    webhooks(&mut walk, &players[0]).await;
    mail_address(&app, &mut walk, &players[1], &mail).await;
    keeping(&app, &mut walk, &players[1]).await;
    walk.examples.retain(|operation, _| !WITHOUT.contains(&operation.as_str()));
    #[expect(clippy::disallowed_methods, reason = "a test has no settings")]
    let is_written_anew = std::env::var_os("CARDROOM_WRITE_EXAMPLES").is_some();
    if is_written_anew {
        let text = cardroom::http::operations::document::layout::laid_out(&json!(walk.examples));
        std::fs::write(FILE, text + "\n").unwrap();
        return;
    }
    let kept: BTreeMap<String, Value> =
        serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap();
    for item in DOCUMENT["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            let name = operation["operationId"].as_str().unwrap();
            if WITHOUT.contains(&name) {
                continue;
            }
            let (kept, sent) = (&kept[name], &walk.examples[name]);
            assert_eq!(kept["status"], sent["status"], "{name}");
            if let Some(request) = kept.get("request") {
                check_request(operation, request);
                assert_eq!(shape(request), shape(&sent["request"]), "{name}: write the examples anew");
            }
            if let Some(answer) = kept.get("answer") {
                check_answer(operation, &kept["status"], answer);
            }
        }
    }
}

/// The names of a request's fields, with no values that the walk may have drawn.
fn shape(value: &Value) -> Vec<&String> {
    value.as_object().into_iter().flatten().map(|(name, _)| name).collect()
}
