//! Two who play, one who watches, and a network that fails them.

use serde_json::{Value, json};

use super::chromium::Chromium;
use super::line::Line;
use super::manners::{has_manners, makes_no_complaint};
use super::page::{DESK, PHONE, Page, Person};
use super::player::{By, Offer, play, step};
use crate::api::app::TestApp;
use crate::random::dice::Dice;

/// A table of two that has begun: the page of each, its address, and the browsers that they are in.
struct Table {
    /// Their windows close with them.
    _people: [Person; 2],
    pages: [Page; 2],
    path: String,
}

impl Table {
    /// One makes it in the lobby, the other sits down at the address that they were sent.
    async fn begin(chromium: &'static Chromium, bases: [&str; 2], kind: &str) -> Table {
        let people = [Person::new(chromium).await, Person::new(chromium).await];
        let maker = people[0].open(bases[0], "/games", DESK).await;
        maker.click("button", "New game").await;
        maker.select("#new-kind", kind).await;
        maker.select("#seats", "2").await;
        maker.select("#time", "").await;
        has_manners(&maker, "the dialog for a new game").await;
        maker.click("dialog button", "Make the game").await;
        maker.until("location.pathname.startsWith('/games/')").await;
        let path = maker.eval("location.pathname").await.as_str().unwrap().to_owned();
        let other = people[1].open(bases[1], &path, PHONE).await;
        has_manners(&other, "a table that is open").await;
        other.click("button", "Sit down").await;
        for page in [&maker, &other] {
            page.until("offer().state === 'mine' || offer().state === 'waits'").await;
        }
        Table { _people: people, pages: [maker, other], path }
    }

    /// The page whose turn it is.
    async fn turn(&self) -> (usize, Offer) {
        for at in (0..2).cycle().take(200) {
            let offer = Offer::on(&self.pages[at]).await;
            if offer.is_mine() {
                return (at, offer);
            }
        }
        let [one, other] = &self.pages;
        panic!("it is nobody's turn:\n{}\n{}", one.text().await, other.text().await);
    }
}

/// What came from the card room about this game, and not of its rules.
async fn of_the_game(page: &Page, path: &str) -> String {
    let all = page.eval("window.received").await;
    let all = all.as_array().unwrap().iter().filter_map(Value::as_str);
    all.filter(|text| text.contains(&format!("/v1{path}"))).collect::<Vec<_>>().join("\n")
}

/// The first card of Sevens that a text names.
fn card_in(text: &str) -> Option<&str> {
    let quoted = text.split('"');
    quoted.into_iter().find(|word| matches!(word.as_bytes(), [b'1'..=b'6', b'C' | b'G' | b'S']))
}

#[tokio::test(flavor = "multi_thread")]
async fn two_play_each_other_and_who_watches_gets_no_hidden_card() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let table = Table::begin(chromium, [app.base(); 2], "sevens").await;
    let watcher = Person::new(chromium).await;
    let watching = watcher.open(app.base(), &table.path, DESK).await;
    watching.until("offer().state === 'waits'").await;
    let mut moves = 0;
    let mut dice = Dice::new(5);
    loop {
        let text = of_the_game(&watching, &table.path).await;
        if text.contains(r#""type":"shown""#) {
            break;
        }
        assert_eq!(card_in(&text), None, "who watches was sent a card after {moves} moves:\n{text}");
        let cards =
            watching.eval("document.querySelectorAll('main .card:not(.back, .outline)').length").await;
        assert_eq!(cards, 0, "who watches sees a card:\n{}", watching.markup().await);
        let (at, offer) = table.turn().await;
        step(&table.pages[at], &offer, By::Clicks, &mut dice).await;
        moves += 1;
        assert!(moves < 300, "nobody ever shows");
    }
    assert!(moves > 0, "cards were hidden for a while");
    // Those who play see their own.
    for page in &table.pages {
        assert!(card_in(&of_the_game(page, &table.path).await).is_some());
    }
    play(&app, &[&table.pages[0], &table.pages[1]], By::Clicks, &mut dice).await;
    watching.until("offer().state === 'over'").await;
    for (page, what) in
        [(&table.pages[0], "who made it"), (&table.pages[1], "who joined"), (&watching, "who watches")]
    {
        has_manners(page, what).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_whose_answer_is_lost_is_made_once_and_a_stream_that_broke_off_goes_on() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let lines = [Line::to(app.base()).await, Line::to(app.base()).await];
    let table = Table::begin(chromium, [&lines[0].base, &lines[1].base], "royal_gambit").await;
    let mut dice = Dice::new(9);
    let log = async || {
        let log = app.anon().get(&format!("/v1{}/log?limit=200", table.path)).await.ok();
        log["items"].as_array().unwrap().clone()
    };
    let acted = |log: &[Value]| log.iter().filter(|entry| entry["type"] == "acted").count();

    let (at, _) = table.turn().await;
    let page = &table.pages[at];
    page.lose_the_answer("*/actions").await;
    while !page.has_lost_it() {
        step(page, &Offer::on(page).await, By::Clicks, &mut dice).await;
    }
    let before = log().await;
    assert_eq!(acted(&before), 1, "the house has heard it");
    page.until("document.querySelector('.t-bar button:disabled') === null").await;
    assert_eq!(acted(&log().await), 1, "and it is there once");
    assert_eq!(app.anon().get(&format!("/v1{}", table.path)).await.ok()["version"], json!(before.len()));

    // While one is away the other goes on.
    let (at, _) = table.turn().await;
    let (goes_on, away) = (&table.pages[at], &table.pages[1 - at]);
    lines[1 - at].cut();
    away.until("!document.querySelector('#away').hidden").await;
    has_manners(away, "a page that is cut off").await;
    let known = log().await.len();
    while log().await.len() == known {
        step(goes_on, &Offer::on(goes_on).await, By::Clicks, &mut dice).await;
    }
    lines[1 - at].mend();
    away.until("document.querySelector('#away').hidden").await;
    play(&app, &[goes_on, away], By::Clicks, &mut dice).await;
    for page in [goes_on, away] {
        page.until("offer().state === 'over'").await;
    }
    let game = app.anon().get(&format!("/v1{}", table.path)).await.ok();
    assert_eq!(game["version"], json!(game_length(&app, &table.path).await));
    makes_no_complaint(goes_on, "who stayed");
}

/// How many entries the log has, each counted once.
async fn game_length(app: &TestApp, path: &str) -> usize {
    let bundle = app.anon().get(&format!("/v1{path}/audit")).await.ok();
    bundle["log"].as_array().unwrap().len()
}
