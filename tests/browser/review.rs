//! Bots of a chosen level, and the review of a hand that they have played.

use serde_json::json;

use super::chromium::Chromium;
use super::manners::has_manners;
use super::page::{PHONE, Person};
use crate::api::app::TestApp;

#[tokio::test(flavor = "multi_thread")]
async fn somebody_plays_bots_of_a_chosen_level_and_asks_afterwards_what_was_right() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    app.set_to_now().await;
    let person = Person::new(chromium).await;
    let page = person.open(app.base(), "/games", PHONE).await;
    page.click("button", "New game").await;
    page.select("#new-kind", "sevens").await;
    page.select("#seats", "3").await;
    page.select("#bots", "1").await;
    page.select("#policy", "expert").await;
    has_manners(&page, "a new game against experts").await;
    page.click("button", "Make the game").await;
    page.until("document.querySelector('[title=\"Expert bot\"]') !== null").await;
    page.select("#bot-level", "novice").await;
    has_manners(&page, "an open table that takes a bot").await;
    page.click("button", "Add a bot").await;
    page.until("document.querySelector('[title=\"Novice bot\"]') !== null").await;
    let ann = app.user("ann").await;
    let bots = json!({"kind": "sevens", "bots": ["expert", "novice"]});
    let game = ann.post("/v1/games", &bots).await.ok();
    app.tick().await;
    page.arrive(&format!("/games/{}/hands/1", game["id"].as_str().unwrap())).await;
    page.click("button", "What should they have done?").await;
    page.shows("Own decisions cost").await;
    page.eval("document.querySelector('.steps details').open = true").await;
    page.shows("Worth").await;
    page.click("button", "Who was lucky in the whole game?").await;
    page.shows("Mistakes").await;
    has_manners(&page, "the review of a hand").await;
}
