//! Bots of a chosen level, and the review of a hand that they have played.

use serde_json::{Value, json};

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

#[tokio::test(flavor = "multi_thread")]
async fn somebody_sees_how_other_tables_played_the_same_cards() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let wanted = json!({
        "name": "Same cards", "kind": "ricketts_hearts", "table_size": 4, "duplicate": true,
        "format": {"type": "rounds", "rounds": 1, "seating": "random"}, "scoring": {"type": "places"},
    });
    let cup = olga.post("/v1/tournaments", &wanted).await.ok();
    let path = format!("/v1/tournaments/{}", cup["id"].as_str().unwrap());
    let bots: Vec<Value> = (0..8).map(|_| json!({"bot": "random"})).collect();
    olga.post(&format!("{path}/entries/bulk"), &json!({"entries": bots})).await.ok();
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    while olga.get(&path).await.ok()["status"] != "finished" {
        app.tick().await;
        app.clock.advance(1);
    }
    let tournament = olga.get(&path).await.ok();
    let games =
        [0, 1].map(|table| tournament["rounds"][0]["tables"][table]["game"].as_str().unwrap().to_owned());
    app.set_to_now().await;
    let person = Person::new(chromium).await;
    let page = person.open(app.base(), &format!("/games/{}/hands/1", games[0]), PHONE).await;
    page.click("button", "What did others do with these cards?").await;
    page.shows("2 tables with these cards").await;
    // Each table's bots are named as its own page names them.
    let named = "[...document.querySelectorAll('.reviews .list tr')].filter((row) => /Bot 1.*Bot 4/.test(row.textContent)).length";
    assert_eq!(page.eval(named).await, json!(2));
    page.eval("document.querySelector('.reviews .steps details').open = true").await;
    page.shows("Brought in the mean").await;
    has_manners(&page, "a hand beside the same hand at another table").await;
    page.click("a", "elsewhere").await;
    page.until(&format!("location.pathname === '/games/{}/hands/1'", games[1])).await;
}
