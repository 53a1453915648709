//! The standings of a tournament in a frame on another page: they keep themselves up to date, in the page's language and
//! colours, and no other page of the card room can stand there.

use serde_json::{Value, json};

use super::chromium::Chromium;
use super::manners::has_manners;
use super::page::{PHONE, Page, Person, Size};
use super::tournament::as_player;
use crate::api::app::TestApp;
use crate::api::client::Client;

const NARROW: Size = Size(320, 640);

/// A tournament of bots, which has not begun. All tables of a round have the same cards.
pub async fn cup(organiser: &Client) -> String {
    let wanted = json!({
        "name": "Hall \"Open\" & <b>", "kind": "ritunas_favour", "table_size": 4, "options": {"hands": 1},
        "format": {"type": "rounds", "rounds": 2, "seating": "random"}, "pause_after_rounds": true, "duplicate": true,
    });
    let cup = organiser.post("/v1/tournaments", &wanted).await.ok();
    let cup = format!("/tournaments/{}", cup["id"].as_str().unwrap());
    let rows = vec![json!({"bot": "steady"}); 8];
    organiser.post(&format!("/v1{cup}/entries/bulk"), &json!({"entries": rows})).await.ok();
    cup
}

/// Plays the running round to its end.
pub async fn play(app: &TestApp, cup: &str) {
    for _ in 0..200 {
        app.pass(1).await;
        let tournament = app.anon().get(&format!("/v1{cup}")).await.ok();
        if tournament["paused"] == true || tournament["status"] != "active" {
            return;
        }
    }
    panic!("the round does not end");
}

/// Puts this markup onto a page that has no policy of its own, as another site would.
async fn embed(page: &Page, markup: &str) {
    page.go("/health/live").await;
    page.until("document.body !== null").await;
    page.eval(&format!("(document.body.innerHTML = {}, true)", json!(markup))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn standings_in_a_frame_of_another_page_keep_themselves_up_to_date() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    app.set_to_now().await;
    let olga = app.user("olga").await;
    let cup = cup(&olga).await;
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &olga, &cup).await;
    page.click("summary", "On a page of your own").await;
    has_manners(&page, "the lines to copy").await;
    let code = page.until("all('pre', '<iframe')[0]?.textContent").await;
    olga.post(&format!("/v1{cup}/start"), &Value::Null).await.ok();
    play(&app, &cup).await;

    embed(&page, code.as_str().unwrap()).await;
    let inside = "document.querySelector('iframe').contentDocument";
    page.until(&format!("{inside}?.querySelectorAll('tbody tr').length === 8")).await;
    let title = page.eval(&format!("{inside}.querySelector('h1').textContent")).await;
    assert_eq!(title, "Hall \"Open\" & <b>");
    assert_eq!(page.eval("document.querySelector('iframe').title").await, "Standings of Hall \"Open\" & <b>");
    page.until(&format!("{inside}.body.innerText.includes('Round 1 of 2.')")).await;
    olga.post(&format!("/v1{cup}/resume"), &json!({})).await.ok();
    play(&app, &cup).await;
    page.until(&format!("{inside}.body.innerText.includes('It is over.')")).await;

    embed(&page, &format!("<iframe src=\"{}{cup}\"></iframe>", app.base())).await;
    page.until("document.querySelector('iframe').contentDocument === null").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn standings_for_a_frame_fit_a_narrow_one_in_the_language_and_colours_that_it_asks_for() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    app.set_to_now().await;
    let olga = app.user("olga").await;
    let cup = cup(&olga).await;
    olga.post(&format!("/v1{cup}/start"), &Value::Null).await.ok();
    app.tick().await;
    let person = Person::new(chromium).await;
    let page = person.open(app.base(), &format!("{cup}/embed?language=de&theme=dark"), PHONE).await;
    page.shows("Tisch 2").await;
    assert_eq!(
        page.eval("document.documentElement.lang + document.documentElement.dataset.theme").await,
        "dedark"
    );
    page.resize(NARROW).await;
    let root = "document.documentElement";
    assert_eq!(page.eval(&format!("{root}.scrollWidth - {root}.clientWidth")).await, 0);
    assert_eq!(page.eval("all('a', '').every((link) => link.target === '_blank')").await, true);
    page.arrive(&format!("{cup}/embed")).await;
    has_manners(&page, "standings for a frame").await;
    page.go("/tournaments/none/embed").await;
    page.until("document.querySelector('[role=status]')?.textContent").await;
}
