//! The rounds of a tournament with more tables than it shows.

use serde_json::json;

use super::chromium::Chromium;
use super::page::{PHONE, Person};
use crate::api::app::TestApp;
use crate::api::tournaments::{bots, made};

#[tokio::test(flavor = "multi_thread")]
async fn every_table_of_a_large_round_and_of_an_earlier_one_can_be_found() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({"table_size": 2, "pause_after_rounds": true})).await;
    bots(&olga, &path, "random", 411).await;
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;

    let person = Person::new(chromium).await;
    let page = person.open(app.base(), path.strip_prefix("/v1").unwrap(), PHONE).await;
    page.shows("205 tables").await;
    page.click("button", "Show all 205").await;
    page.until("document.querySelector('.round [aria-label$=\"table 205\"]')").await;
    page.shows("sits out").await;

    for _ in 0..1000 {
        if app.anon().get(&path).await.ok()["round"] == 2 {
            break;
        }
        olga.post(&format!("{path}/resume"), &json!(null)).await;
        app.tick().await;
        app.clock.advance(1);
    }
    // The tournament shows the second round alone, and the first is loaded when it is opened.
    page.until("document.querySelector('[data-key=round-2][open]')").await;
    page.click("[data-key=round-1] summary", "Round 1").await;
    page.until("document.querySelector('[data-key=round-1] [aria-label=\"Replay: table 1\"]')").await;
}
