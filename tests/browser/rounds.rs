//! The rounds of a tournament with more tables than it shows.

use serde_json::json;

use super::chromium::Chromium;
use super::page::{PHONE, Person};
use crate::api::app::TestApp;
use crate::api::client::Client;
use crate::api::tournaments::{bots, made};

/// A tournament of two rounds at tables of two, whose first round is played. Gives its path.
async fn started(app: &TestApp, olga: &Client, entrants: usize) -> String {
    let path = made(olga, json!({"table_size": 2, "pause_after_rounds": true})).await;
    bots(olga, &path, "random", entrants).await;
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    path
}

async fn go_on_to_the_second_round(app: &TestApp, olga: &Client, path: &str) {
    for _ in 0..1000 {
        if app.anon().get(path).await.ok()["round"] == 2 {
            return;
        }
        olga.post(&format!("{path}/resume"), &json!(null)).await;
        app.tick().await;
        app.clock.advance(1);
    }
    panic!("the second round does not begin");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_table_of_a_large_round_and_of_an_earlier_one_can_be_found() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = started(&app, &olga, 411).await;
    let page_path = path.strip_prefix("/v1").unwrap();
    let person = Person::new(chromium).await;
    let page = person.open(app.base(), page_path, PHONE).await;
    page.shows("205 tables").await;
    page.click("button", "Show all 205").await;
    page.until("document.querySelector('.round [aria-label$=\"table 205\"]')").await;
    page.shows("sits out").await;

    // A page that is opened now is shown the second round alone, and loads the first when a reader opens it.
    go_on_to_the_second_round(&app, &olga, &path).await;
    let page = person.open(app.base(), page_path, PHONE).await;
    page.until("document.querySelector('[data-key=round-2][open]')").await;
    page.click("[data-key=round-1] summary", "Round 1").await;
    page.until("document.querySelector('[data-key=round-1][open] [aria-label=\"Replay: table 1\"]')").await;
    page.click("[data-key=round-1] button", "Show all 205").await;
    page.until("document.querySelector('[data-key=round-1][open] [aria-label=\"Replay: table 205\"]')").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_earlier_round_folds_when_the_next_begins_and_has_all_its_tables_when_it_is_opened_again() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    // Of the first round, 50 tables are shown beside the second.
    let path = started(&app, &olga, 300).await;
    let person = Person::new(chromium).await;
    let page = person.open(app.base(), path.strip_prefix("/v1").unwrap(), PHONE).await;
    page.until("document.querySelector('[data-key=round-1][open]')").await;
    go_on_to_the_second_round(&app, &olga, &path).await;
    page.until("document.querySelector('[data-key=round-2][open]')").await;
    page.until("document.querySelector('[data-key=round-1]:not([open])')").await;
    page.click("[data-key=round-1] summary", "Round 1").await;
    page.click("[data-key=round-1] button", "Show all 150").await;
    page.until("document.querySelector('[data-key=round-1][open] [aria-label=\"Replay: table 150\"]')").await;
}
