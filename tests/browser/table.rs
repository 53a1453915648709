//! What a table does when a press comes late, and when somebody else looks on.

use serde_json::{Value, json};

use super::chromium::Chromium;
use super::page::Person;
use super::tournament::as_player;
use crate::api::app::TestApp;
use crate::api::client::Client;
use crate::eventually::eventually;
use crate::random::orders::list;

/// Makes a game for two, at which both sit, and gives its path.
async fn table(ann: &Client, bob: &Client, wanted: Value) -> String {
    let made = ann.post("/v1/games", &wanted).await.ok();
    let path = format!("/games/{}", made["id"].as_str().unwrap());
    bob.post(&format!("/v1{path}/seats"), &json!({"invite": made["invite"]})).await.ok();
    path
}

/// Sticks for whoever is to act, until it is Ann's turn.
async fn until_her_turn(ann: &Client, bob: &Client, game: &str) {
    while ann.get(game).await.ok()["legal_actions"] == json!([]) {
        bob.post(&format!("{game}/actions"), &json!({"type": "stick"})).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_that_comes_late_is_not_played_in_another_hand() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let wanted = json!({"kind": "ritunas_favour", "seats": 2, "sit": true, "options": {"hands": 9}});
    let path = table(&ann, &bob, wanted).await;
    let game = format!("/v1{path}");
    until_her_turn(&ann, &bob, &game).await;
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &ann, &path).await;
    page.until("offer().state === 'mine'").await;
    // The line is so bad that the request waits.
    page.eval(
        "(window.real = window.fetch, window.held = [], window.fetch = (input, init) =>
            window.held !== null && String(input).includes('/actions')
                ? new Promise((go) => window.held.push(() => go(window.real(input, init))))
                : window.real(input, init), true)",
    )
    .await;
    page.click("button", "Stick").await;
    page.until("window.held.length === 1").await;
    // The hand comes to its end without it, and she is to act in another one.
    let hand = |game: &Value| game["view"]["hand"].as_u64().unwrap();
    let before = hand(&ann.get(&game).await.ok());
    while hand(&ann.get(&game).await.ok()) == before {
        until_her_turn(&ann, &bob, &game).await;
        ann.post(&format!("{game}/actions"), &json!({"type": "stick"})).await.ok();
    }
    until_her_turn(&ann, &bob, &game).await;
    let version = ann.get(&game).await.ok()["version"].clone();
    page.eval("(window.late = window.held, window.held = null, window.late.forEach((go) => go()), true)")
        .await;
    page.shows("The table has moved on, so this was not done.").await;
    assert_eq!(ann.get(&game).await.ok()["version"], version);
    // Her next press is meant for this hand.
    page.click("button", "Stick").await;
    let acted = eventually(async || {
        let log = ann.get(&format!("{game}/log?after={version}")).await.ok();
        list(&log["items"]).first().map(|entry| entry["type"].clone())
    });
    assert_eq!(acted.await.expect("an entry"), "acted");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_signs_out_leaves_no_hand_on_the_screen() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let person = Person::new(chromium).await;
    for visibility in ["private", "public"] {
        let wanted = json!({"kind": "sevens", "seats": 2, "sit": true, "visibility": visibility});
        let path = table(&ann, &bob, wanted).await;
        let page = as_player(&person, &app, &ann, &path).await;
        let cards = "[...document.querySelectorAll('.hand li')].length";
        page.until(&format!("{cards} > 0")).await;
        page.click("button", "Sign out").await;
        match visibility {
            "private" => page.shows("Nothing is here.").await,
            _ => drop(page.until(&format!("{cards} === 0")).await),
        }
        // Nor does it come back with the address.
        page.arrive(&path).await;
        page.until("document.querySelector('h1')").await;
        assert_eq!(page.eval(cards).await, 0, "{visibility}");
    }
}
