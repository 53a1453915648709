//! A table at which more happens than anybody can read: the page keeps up, and a click is heard.

use serde_json::json;
use tokio::time::{Duration, sleep};

use super::chromium::Chromium;
use super::manners::makes_no_complaint;
use super::page::{DESK, PHONE, Page, Person, Size};
use super::recorded::Recorded;
use crate::api::app::TestApp;

/// Measures from when a page hears of something to when it shows it.
const METER: &str = include_str!("meter.js");

/// How many events are told, at 200 a second.
const EVENTS: usize = 600;
/// The most entries that the story shows.
const SHOWN: usize = 80;
/// In which drawing after it was heard an event is shown, at the latest: the next, or the one after it where the page was
/// drawing as it heard. How long a drawing takes is the machine's affair.
const LATEST: f64 = 2.0;
/// How many drawings there are at least: the events are shown as they come, and not all at the end. A quiet machine makes 90
/// of them, one with six other programs 17.
const DRAWINGS: f64 = 3.0;
/// How many nodes of the page may change for an event, in the mean: 14 to 16 on a quiet machine. On a
/// busy one more events share a drawing, and it is less.
const CHANGES: f64 = 30.0;

/// Opens the table of a game that has not gone on yet, and looks at how long everything takes there.
async fn watch(person: &Person, game: &Recorded, size: Size) -> Page {
    let page = person.open(&game.base, &game.page, size).await;
    page.until("document.querySelector('.t-board .seat')").await;
    page.until("window.received.some((text) => text.includes('retry: 2000'))").await;
    page.until("window.pending === 0 && drawn()").await;
    page.load(METER).await;
    page
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_events_a_second_are_shown_as_they_come_and_a_click_between_them_is_heard() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start_with(|settings| settings.rate_limit = 1_000_000).await;
    app.set_to_now().await;
    // A game so long takes a while to record, so it is one kind.
    for (kind, size) in [("ritunas_favour", DESK), ("ritunas_favour", PHONE)] {
        let person = Person::new(chromium).await;
        let game = Recorded::of(&app, kind, EVENTS).await;
        let page = watch(&person, &game, size).await;
        game.begin();
        page.until(&format!("meter.newest() > {}", game.last() - game.length())).await;
        page.click("[data-key=options] > summary", "").await;
        page.until(&format!("meter.newest() === {}", game.last())).await;
        let told = page.eval("meter.told()").await;
        println!("{kind} at {size:?}: {told}");
        let of = |name: &str| told[name].as_f64().unwrap();
        assert_eq!(of("heard"), game.length() as f64, "{kind}: each event comes once");
        assert!(
            (1.0..=LATEST).contains(&of("latest_drawing")) && of("drawings") >= DRAWINGS,
            "{kind}: {told}"
        );
        assert!(of("changes") < game.length() as f64 * CHANGES, "{kind}: {told}");
        assert!(of("opened_at") > 0.0 && of("opened_at") < game.last() as f64, "{kind}: {told}");
        assert!(of("said") < game.length() as f64 / 20.0, "{kind}: nobody can listen to that: {told}");
        let listed = "[...document.querySelectorAll('.t-story .at')].map((at) => Number(at.textContent))";
        let hand: Vec<usize> = game.last_hand().into_iter().take(SHOWN).collect();
        assert_eq!(page.eval(listed).await, json!(hand), "{kind}: the story of the last hand");
        makes_no_complaint(&page, kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_in_a_tab_that_nobody_sees_costs_nothing_and_is_new_when_somebody_looks() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start_with(|settings| settings.rate_limit = 1_000_000).await;
    app.set_to_now().await;
    let person = Person::new(chromium).await;
    let game = Recorded::of(&app, "sevens", EVENTS / 3).await;
    let page = watch(&person, &game, DESK).await;
    page.eval("meter.hide(true)").await;
    let before = page.eval("meter.told()").await;
    game.begin();
    sleep(Duration::from_secs(2)).await;
    let told = page.eval("meter.told()").await;
    assert_eq!((&told["heard"], &told["changes"]), (&json!(0), &before["changes"]), "{told}");
    page.eval("meter.hide(false)").await;
    page.until(&format!("meter.newest() === {}", game.last())).await;
    assert_eq!(page.eval("meter.told()").await["heard"], json!(game.length()), "nothing is lost");
    makes_no_complaint(&page, "a tab that was hidden");
}
