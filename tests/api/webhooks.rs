//! Webhooks: what concerns an account is sent to it.

use std::process::{Command, Stdio};

use cardroom::clock::Clock;
use cardroom::config::Settings;
use cardroom::store::webhooks::Secret;
use cardroom::webhooks::message::signatures;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tokio::task::AbortHandle;
use uuid::Uuid;

use super::app::{PASSWORD, TestApp, runtime};
use super::client::Client;
use super::receiver::{Received, Receiver};
use crate::eventually::eventually;
use crate::random::orders::list;

/// Receivers of tests listen at this machine.
pub fn to_this_machine(settings: &mut Settings) {
    settings.webhook_networks = vec!["127.0.0.0/8".parse().unwrap()];
}

/// Sends to webhooks until it is dropped.
pub struct Delivering(AbortHandle);

impl Delivering {
    pub fn by(app: &TestApp) -> Delivering {
        Delivering(runtime().spawn(app.app.deliveries.clone().run()).abort_handle())
    }
}

impl Drop for Delivering {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The path of a new webhook, and its secret.
pub async fn webhook(client: &Client, url: &str, events: &Value) -> (String, String) {
    let wanted = json!({"url": url, "events": events});
    let created = client.post("/v1/webhooks", &wanted).await.ok();
    let id = created["webhook"]["id"].as_str().unwrap();
    (format!("/v1/webhooks/{id}"), created["secret"].as_str().unwrap().to_owned())
}

/// Something that the account is told: a game that it created is called off. The game's id.
pub async fn happen(client: &Client) -> String {
    let game = client.post("/v1/games", &json!({"kind": "sevens"})).await.ok();
    let id = game["id"].as_str().unwrap().to_owned();
    client.post(&format!("/v1/games/{id}/abort"), &json!(null)).await.ok();
    id
}

/// The same account, with a token that holds for another quarter of an hour.
async fn again(app: &TestApp, client: &Client) -> Client {
    let credentials = json!({"username": client.username(), "password": PASSWORD});
    app.anon().with_session(app.anon().post("/v1/auth/login", &credentials).await.ok())
}

/// Messages of several games come in any order.
fn sorted(mut games: Vec<String>) -> Vec<String> {
    games.sort();
    games
}

fn games_of(received: &[Received]) -> Vec<String> {
    let game = |message: &Received| message.json()["data"]["game"]["id"].as_str().unwrap().to_owned();
    received.iter().map(game).collect()
}

/// The newest message of a game, as soon as there is one.
async fn sent_of(receiver: &Receiver, game: &str) -> Received {
    let is_of = |message: &Received| message.json()["data"]["game"]["id"] == game;
    let found = eventually(async || receiver.received().into_iter().rfind(&is_of));
    found.await.expect("a message of the game")
}

/// Waits until the webhook is as `is` says.
pub async fn becomes(client: &Client, path: &str, is: impl Fn(&Value) -> bool) -> Value {
    let found = eventually(async || Some(client.get(path).await.ok()).filter(&is));
    found.await.expect("it becomes so")
}

#[tokio::test]
async fn a_webhook_is_sent_what_its_account_s_stream_tells_signed_and_in_order() {
    let app = TestApp::start_with(to_this_machine).await;
    let _delivering = Delivering::by(&app);
    let (receiver, turns) = (Receiver::start().await, Receiver::start().await);
    let [ann, bob] = [app.user("ann").await, app.user("bob").await];
    let (_, secret) = webhook(&ann, &receiver.url, &json!(null)).await;
    webhook(&ann, &turns.url, &json!(["your_turn", "your_turn"])).await;
    let mut events = ann.stream("/v1/me/stream").await;
    assert_eq!(events.next().await.unwrap().name, "games");

    let game = ann.post("/v1/games", &json!({"kind": "royal_gambit", "seats": 2, "sit": true})).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    bob.post(&format!("{path}/seats"), &json!({})).await.ok();
    for _ in 0..6 {
        for player in [&ann, &bob] {
            let seen = player.get(&path).await.ok();
            if let Some(action) = list(&seen["legal_actions"]).first() {
                let action = json!({"type": action["type"], "cards": action["cards"]});
                let _ = player.post(&format!("{path}/actions"), &action).await;
            }
        }
    }
    for player in [&ann, &bob] {
        player.post(&format!("{path}/abort"), &json!(null)).await.ok();
    }
    let mut told = Vec::new();
    while told.last().is_none_or(|notice: &Value| notice["type"] != "game_over") {
        told.push(events.next().await.unwrap().json());
    }
    let received = receiver.first(told.len()).await;
    for (message, notice) in received.iter().zip(&told) {
        let expected = json!({"type": notice["type"], "timestamp": notice["at"], "data": notice});
        assert_eq!(message.json(), expected);
        assert_eq!(message.id, notice["id"].as_str().unwrap());
        assert!(message.is_signed_with(&secret), "{message:?}");
    }
    let own: Vec<Value> = told.into_iter().filter(|notice| notice["type"] == "your_turn").collect();
    let received = turns.first(own.len()).await;
    assert_eq!(received.iter().map(|message| message.json()["data"].clone()).collect::<Vec<_>>(), own);
}

#[tokio::test]
async fn a_message_that_is_refused_is_sent_again_under_its_id_while_the_others_wait() {
    let app = TestApp::start_with(to_this_machine).await;
    let _delivering = Delivering::by(&app);
    let receiver = Receiver::answering(|before| match before {
        0 => (500, "", "out of order"),
        1 => (302, "location: http://127.0.0.1:1/\r\n", ""),
        _ => (200, "", "thanks"),
    });
    let receiver = receiver.await;
    let ann = app.user("ann").await;
    let (path, _) = webhook(&ann, &receiver.url, &json!(["game_over"])).await;
    let games = [happen(&ann).await, happen(&ann).await];
    receiver.first(1).await;
    let deliveries = format!("{path}/deliveries");
    let pending = becomes(&ann, &deliveries, |page| page["items"][0]["status"] == "pending").await;
    let [pending] = &list(&pending["items"])[..] else { panic!("{pending}") };
    assert_eq!((&pending["response_status"], &pending["response"]), (&json!(500), &json!("out of order")));
    assert_eq!(pending["next_attempt_at"], "2026-11-20T18:00:05.000000Z");
    assert_eq!(ann.get(&path).await.ok()["failing_since"], "2026-11-20T18:00:00.000000Z");

    app.clock.advance(5);
    let redirected = |page: &Value| page["items"][0]["attempts"] == 2;
    let pending = becomes(&ann, &deliveries, redirected).await;
    assert_eq!(pending["items"][0]["response_status"], 302);
    assert_eq!(pending["items"][0]["next_attempt_at"], "2026-11-20T18:05:05.000000Z");
    app.clock.advance(300);
    let received = receiver.first(4).await;
    let of = games_of(&received);
    assert_eq!(sorted(of[2..].to_vec()), sorted(games.into()));
    assert!(of[..3].iter().all(|game| *game == of[0]));
    assert!(
        received[..3].iter().all(|message| message.id == received[0].id && message.body == received[0].body)
    );
    assert_ne!(received[0].timestamp, received[1].timestamp);
    becomes(&ann, &path, |webhook| webhook["failing_since"].is_null()).await;
    let delivered = format!("{deliveries}?status=delivered");
    let delivered = becomes(&ann, &delivered, |page| list(&page["items"]).len() == 2).await;
    assert_eq!(delivered["items"][1]["attempts"], 3);
}

#[tokio::test]
async fn a_receiver_that_is_gone_or_fails_for_days_is_left_alone_and_goes_on_where_it_was_left() {
    let app = TestApp::start_with(to_this_machine).await;
    let _delivering = Delivering::by(&app);
    let ann = app.user("ann").await;
    let gone = Receiver::answering(|before| (if before == 0 { 410 } else { 204 }, "", "")).await;
    let (path, _) = webhook(&ann, &gone.url, &json!(["game_over"])).await;
    let mut games = vec![happen(&ann).await];
    let disabled = becomes(&ann, &path, |webhook| webhook["enabled"] == false).await;
    assert_eq!(disabled["disabled_reason"], "gone");
    games.push(happen(&ann).await);
    let enabled = ann.put(&path, &json!({"url": gone.url, "events": ["game_over"]})).await.ok();
    assert_eq!((&enabled["enabled"], &enabled["disabled_reason"]), (&json!(true), &json!(null)));
    assert_eq!(games_of(&gone.first(3).await), [&games[0], &games[0], &games[1]].map(String::clone));
    ann.delete(&path).await.ok();
    assert_eq!(ann.get(&path).await.code(), "webhook_not_found");

    let failing = Receiver::answering(|_| (503, "", "")).await;
    let (path, _) = webhook(&ann, &failing.url, &json!(["game_over"])).await;
    let disabled = eventually(async || {
        app.clock.advance(6 * 3600);
        let ann = again(&app, &ann).await;
        // A message is given up after 31 hours, and the next one is tried.
        happen(&ann).await;
        let webhook = ann.get(&path).await.ok();
        (webhook["enabled"] == false).then_some(webhook)
    });
    let disabled = disabled.await.expect("it is disabled");
    assert_eq!(disabled["disabled_reason"], "failing");
    let time = |name: &str| disabled[name].as_str().unwrap().parse::<Timestamp>().unwrap();
    let failed_for = time("disabled_at").duration_since(time("failing_since"));
    assert!(failed_for >= SignedDuration::from_hours(72), "{failed_for}");
}

#[tokio::test]
async fn a_message_that_nobody_takes_for_more_than_a_day_is_given_up_and_the_next_is_sent() {
    let app = TestApp::start_with(to_this_machine).await;
    let _delivering = Delivering::by(&app);
    let mut ann = app.user("ann").await;
    let receiver = Receiver::answering(|before| (if before < 8 { 500 } else { 200 }, "", "")).await;
    let (path, _) = webhook(&ann, &receiver.url, &json!(["game_over"])).await;
    let games = [happen(&ann).await, happen(&ann).await];
    let deliveries = format!("{path}/deliveries");
    for (nth, seconds) in [5, 300, 1800, 7200, 18_000, 36_000, 50_400].into_iter().enumerate() {
        becomes(&ann, &deliveries, |page| page["items"][0]["attempts"] == nth + 1).await;
        app.clock.advance(seconds - 1);
        assert_eq!(receiver.received().len(), nth + 1);
        app.clock.advance(1);
        receiver.first(nth + 2).await;
        ann = again(&app, &ann).await;
    }
    let received = games_of(&receiver.first(9).await);
    assert_eq!(sorted(received[7..].to_vec()), sorted(games.into()));
    assert!(received[..8].iter().all(|game| *game == received[0]));
    let page = becomes(&ann, &deliveries, |page| list(&page["items"]).len() == 2).await;
    assert_eq!((&page["items"][1]["status"], &page["items"][1]["attempts"]), (&json!("failed"), &json!(8)));
}

#[tokio::test]
async fn nothing_is_sent_to_addresses_that_are_not_public() {
    let app = TestApp::start().await;
    let _delivering = Delivering::by(&app);
    let ann = app.user("ann").await;
    let refused = [
        "http://example.com/",
        "https://127.0.0.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://169.254.169.254/latest/meta-data",
        "https://user:secret@example.com/",
        "ftp://example.com/",
        "https://",
        "example.com",
        "",
    ];
    for url in refused {
        let answer = ann.post("/v1/webhooks", &json!({"url": url})).await;
        assert_eq!((answer.status.as_u16(), answer.code()), (422, "invalid_url"), "{url}");
    }
    let long = format!("https://example.com/{}", "x".repeat(2000));
    assert_eq!(ann.post("/v1/webhooks", &json!({"url": long})).await.code(), "invalid_url");
    // A name tells where it leads only when it is looked up.
    let (path, _) = webhook(&ann, "https://localhost:1/", &json!(["game_over"])).await;
    let tested = ann.post(&format!("{path}/test"), &json!(null)).await.ok();
    assert_eq!(
        (&tested["status"], &tested["error"]),
        (&json!("failed"), &json!("the address is not public"))
    );
    happen(&ann).await;
    let page = becomes(&ann, &format!("{path}/deliveries"), |page| list(&page["items"]).len() == 2).await;
    assert_eq!(page["items"][0]["error"], "the address is not public");
}

#[tokio::test]
async fn a_webhook_is_tried_its_deliveries_are_replayed_and_its_secret_is_replaced() {
    let app = TestApp::start_with(to_this_machine).await;
    let delivering = Delivering::by(&app);
    let receiver = Receiver::answering(|_| (200, "", "\0thanks\n")).await;
    let ann = app.user("ann").await;
    let (path, first) = webhook(&ann, &receiver.url, &json!(["game_over"])).await;
    let tested = ann.post(&format!("{path}/test"), &json!(null)).await.ok();
    assert_eq!((&tested["status"], &tested["n"]), (&json!("delivered"), &json!(1)));
    assert_eq!((&tested["response"], &tested["message"]["type"]), (&json!("thanks\n"), &json!("test")));
    let games = [happen(&ann).await, happen(&ann).await, happen(&ann).await];
    let sent = receiver.first(4).await;
    assert_eq!(sorted(games_of(&sent[1..])), sorted(games.into()));
    becomes(&ann, &format!("{path}/deliveries"), |page| page["items"][0]["n"] == 4).await;

    let replayed = ann.post(&format!("{path}/replay"), &json!({"from": 2, "to": 3})).await;
    assert_eq!((replayed.status.as_u16(), replayed.ok()), (202, json!({"messages": 2})));
    let replayed = receiver.first(6).await;
    assert_eq!([&replayed[4].body, &replayed[5].body], [&sent[1].body, &sent[2].body]);
    assert_eq!([&replayed[4].id, &replayed[5].id], [&sent[1].id, &sent[2].id]);
    let failed = ann.post(&format!("{path}/replay"), &json!({"from": 1, "failed": true})).await.ok();
    assert_eq!(failed, json!({"messages": 0}));

    let second = ann.post(&format!("{path}/secret"), &json!(null)).await.ok()["secret"].clone();
    let second = second.as_str().unwrap();
    let game = happen(&ann).await;
    // The replica learns of the new secret within a second, and sends again what it has sent meanwhile.
    let both = eventually(async || {
        let message = sent_of(&receiver, &game).await;
        message.is_signed_with(second).then_some(message)
    });
    assert!(both.await.unwrap().is_signed_with(&first));
    app.clock.advance(24 * 3600 + 1);
    let ann = again(&app, &ann).await;
    let one = sent_of(&receiver, &happen(&ann).await).await;
    assert!(!one.is_signed_with(&first) && one.is_signed_with(second), "{one:?}");

    // What happens while no replica sends is sent by the next.
    app.app.deliveries.release().await.unwrap();
    drop(delivering);
    let game = happen(&ann).await;
    let replica = app.replica().await;
    let _delivering = Delivering::by(&replica);
    sent_of(&receiver, &game).await;
}

#[tokio::test]
async fn the_example_receiver_takes_genuine_messages_and_no_others() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    let mut receiver = Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/receiver.py"))
        .arg(free.port().to_string())
        .env("SECRET", secret)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let now = Clock::System.now().as_second();
    let body = r#"{"type":"test","timestamp":"2026-11-20T18:00:00.000000Z","data":{}}"#;
    let bytes = *b"0123456789abcdef0123456789abcdef";
    let key = Secret { id: Uuid::nil(), bytes };
    let send = async |id: &str, at: i64, body: &str, signatures: String| {
        let sent = eventually(async || {
            let request = reqwest::Client::new().post(format!("http://{free}/")).body(body.to_owned());
            let request = request.header("webhook-id", id).header("webhook-timestamp", at);
            request.header("webhook-signature", &signatures).send().await.ok()
        });
        sent.await.expect("it listens").status().as_u16()
    };
    let signed = |at: i64| signatures(std::slice::from_ref(&key), "one", at, body);
    assert_eq!(send("one", now, body, signed(now)).await, 204);
    assert_eq!(send("one", now, body, signed(now)).await, 204);
    let other = Secret { id: Uuid::nil(), bytes: [7; 32] };
    let both = signatures(&[other.clone(), key.clone()], "two", now, body);
    assert_eq!(send("two", now, body, both).await, 204);
    let forged = [
        send("two", now, body, signed(now)).await,
        send("one", now + 1, body, signed(now)).await,
        send("one", now, "{}", signed(now)).await,
        send("one", now, body, signatures(&[other], "one", now, body)).await,
        send("one", now - 301, body, signed(now - 301)).await,
        send("one", now, body, String::new()).await,
    ];
    assert_eq!(forged, [401; 6]);
    receiver.kill().unwrap();
    let output = receiver.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2, "each message is printed once");
}
