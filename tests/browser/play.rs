//! Whole games, by clicking alone and by the keyboard alone.

use cardroom_core::rules::registry::newest;

use super::chromium::Chromium;
use super::manners::{has_manners, makes_no_complaint};
use super::page::{DESK, PHONE, Page, Person};
use super::player::{By, play};
use crate::api::app::TestApp;
use crate::random::dice::Dice;

/// Somebody who has never been here finds the first page and plays a kind there.
async fn newcomer_plays(chromium: &'static Chromium, kind: &'static str, by: By) {
    let app = TestApp::start().await;
    let person = Person::new(chromium).await;
    let page = person.open(app.base(), "/", if by == By::Clicks { PHONE } else { DESK }).await;
    let button = format!("[data-key={kind}] button");
    page.until(&format!("document.querySelector('{button}')")).await;
    match by {
        By::Clicks => page.click(&button, "Play now").await,
        By::Keys => page.tab_to(&button).await,
    }
    page.until("location.pathname.startsWith('/games/') && offer().state !== 'away'").await;
    play(&app, &[&page], by, &mut Dice::new(17)).await;
    makes_no_complaint(&page, kind);
    has_manners(&page, &format!("a game of {kind} that is over")).await;
    replays(&page, kind).await;
    check(&page, by).await;
}

/// Of a game with no more versions than this each is looked at.
const EVERY_VERSION: u64 = 300;

/// Steps through the game, and back to its end.
async fn replays(page: &Page, kind: &str) {
    page.click(".stepper button", "Step through the game").await;
    page.until("document.querySelector('#version')").await;
    let newest = page.eval("Number(document.querySelector('#version').max)").await.as_u64().unwrap();
    let shows = async |version: u64| {
        page.shows(&format!("Version {version} of {newest}")).await;
        page.until("document.querySelector('h1').textContent.includes('as it was')").await;
        page.until(&format!("location.search === '?version={version}'")).await;
    };
    if newest <= EVERY_VERSION {
        shows(newest).await;
        for version in (1..newest).rev() {
            page.press("[").await;
            shows(version).await;
        }
    }
    for version in [newest, newest - 1, newest / 2, 1] {
        page.go_on(&format!("{}?version={version}", at(page).await)).await;
        shows(version).await;
    }
    makes_no_complaint(page, &format!("a replay of {kind}"));
    page.click("button", "To the end").await;
    page.until("offer().state === 'over'").await;
}

async fn at(page: &Page) -> String {
    page.eval("location.pathname").await.as_str().unwrap().to_owned()
}

/// Follows the link that checks the game.
async fn check(page: &Page, by: By) {
    let link = ".desk a[href^='/check?game=']";
    match by {
        By::Clicks => page.click(link, "").await,
        By::Keys => page.tab_to(link).await,
    }
    page.until("document.querySelector('.verdict.good, .verdict.wait')").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_guest_plays_ritunas_favour_by_clicking_alone() {
    if let Some(chromium) = Chromium::here() {
        newcomer_plays(chromium, "ritunas_favour", By::Clicks).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_guest_plays_sevens_by_clicking_alone() {
    if let Some(chromium) = Chromium::here() {
        newcomer_plays(chromium, "sevens", By::Clicks).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_guest_plays_ricketts_hearts_by_clicking_alone() {
    if let Some(chromium) = Chromium::here() {
        newcomer_plays(chromium, "ricketts_hearts", By::Clicks).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_guest_plays_knights_heads_by_clicking_alone() {
    if let Some(chromium) = Chromium::here() {
        newcomer_plays(chromium, "knights_heads", By::Clicks).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_guest_plays_royal_gambit_by_clicking_alone() {
    if let Some(chromium) = Chromium::here() {
        newcomer_plays(chromium, "royal_gambit", By::Clicks).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_guest_plays_by_the_keyboard_alone() {
    if let Some(chromium) = Chromium::here() {
        newcomer_plays(chromium, "ricketts_hearts", By::Keys).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kind_that_nobody_has_drawn_is_played_too() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let person = Person::new(chromium).await;
    let page = person.open(app.base(), "/", PHONE).await;
    page.click("[data-key=ritunas_favour] button", "Play now").await;
    page.until("location.pathname.startsWith('/games/')").await;
    page.go(&format!("{}?plain", at(&page).await)).await;
    page.until("offer().state !== 'away'").await;
    has_manners(&page, "a table that nobody has drawn").await;
    play(&app, &[&page], By::Clicks, &mut Dice::new(3)).await;
    makes_no_complaint(&page, "a game that nobody has drawn");
}

#[test]
fn each_kind_is_played() {
    let names: Vec<&str> = newest().map(|kind| kind.kind).collect();
    let source = include_str!("play.rs");
    let is_played =
        |name: &&str| source.contains(&format!("newcomer_plays(chromium, \"{name}\", By::Clicks)"));
    assert!(names.iter().all(is_played), "{names:?}");
}
