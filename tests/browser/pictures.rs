//! Pictures of the pages, on a phone and on a desk. `CARDROOM_WRITE_PICTURES=1 cargo test pictures` makes them anew in
//! `docs/pictures/`.

use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::json;

use super::chromium::Chromium;
use super::manners::makes_no_complaint;
use super::page::{DESK, PHONE, Page, Person, Theme};
use super::player::{By, Offer, step};
use super::tournament::as_player;
use crate::any_game;
use crate::api::app::TestApp;
use crate::random::dice::Dice;

/// How many moves are made at a table before its picture.
const MOVES: usize = 8;
/// Seconds that a turn may take at these tables.
const TURN: u32 = 120;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures")
}

#[expect(clippy::disallowed_methods, reason = "a test has no settings")]
fn is_written_anew() -> bool {
    std::env::var_os("CARDROOM_WRITE_PICTURES").is_some()
}

/// Takes the page on a phone and on a desk, and keeps the pictures if they are made anew. They have to be there.
async fn take(page: &Page, name: &str, theme: Theme) {
    page.wear(theme).await;
    for (size, word) in [(PHONE, "phone"), (DESK, "desk")] {
        page.resize(size).await;
        page.eval("(scrollTo(0, 0), await document.fonts.ready, await drawn())").await;
        let picture = page.picture().await;
        assert!(picture.starts_with(b"\x89PNG"), "{name}");
        let file = folder().join(format!("{name}-{word}.png"));
        if is_written_anew() {
            std::fs::create_dir_all(folder()).unwrap();
            std::fs::write(file, picture).unwrap();
        } else {
            assert!(file.exists(), "{}: make the pictures anew", file.display());
        }
    }
    makes_no_complaint(page, name);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_table_has_its_picture() {
    let Some(chromium) = Chromium::here() else { return };
    for kind in cardroom_core::rules::registry::newest().map(|kind| kind.kind) {
        let app = TestApp::start().await;
        // A clock on the table shows what is left by the browser's time, and bots that answer at once let it stand.
        app.set_to_now().await;
        let player = app.guest().await;
        let wanted = json!({"kind": kind, "sit": true, "bots": vec!["steady"; 3], "turn_seconds": TURN});
        let game = player.post("/v1/games", &wanted).await.ok();
        let table = format!("/games/{}", game["id"].as_str().unwrap());
        let person = Person::new(chromium).await;
        let page = as_player(&person, &app, &player, &table).await;
        page.until("offer().state !== 'away'").await;
        let mut dice = Dice::new(11);
        let mut moves = 0;
        loop {
            let offer = Offer::on(&page).await;
            if offer.is_over() || (offer.is_mine() && moves >= MOVES) {
                break;
            }
            if offer.is_mine() {
                step(&page, &offer, By::Clicks, &mut dice).await;
                moves += 1;
            } else {
                app.pass(1).await;
            }
        }
        let theme = if kind == "ritunas_favour" { Theme::Dark } else { Theme::Light };
        take(&page, kind, theme).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_other_page_has_its_picture() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    app.set_to_now().await;
    let end = any_game::play(app.base(), "knights_heads", 4, &mut StdRng::seed_from_u64(4)).await.unwrap();
    let game = end["id"].as_str().unwrap();
    let ann = app.user("ann").await;
    for (kind, seats) in [("sevens", 4), ("royal_gambit", 3), ("knights_heads", 6)] {
        ann.post("/v1/games", &json!({"kind": kind, "seats": seats, "sit": true})).await.ok();
    }
    let running =
        json!({"kind": "ritunas_favour", "seats": 4, "sit": true, "bots": ["steady", "steady", "steady"]});
    ann.post("/v1/games", &running).await.ok();
    let cup = json!({
        "name": "Autumn cup", "kind": "royal_gambit", "table_size": 4, "options": {"target_score": 5},
        "format": {"type": "rounds", "rounds": 2, "seating": "swiss"}, "scoring": {"type": "places"},
    });
    let cup = ann.post("/v1/tournaments", &cup).await.ok();
    let cup = format!("/tournaments/{}", cup["id"].as_str().unwrap());
    let rows = vec![json!({"bot": "steady"}); 8];
    ann.post(&format!("/v1{cup}/entries/bulk"), &json!({"entries": rows})).await.ok();
    ann.post(&format!("/v1{cup}/start"), &json!(null)).await.ok();
    while app.anon().get(&format!("/v1{cup}")).await.ok()["status"] == "active" {
        app.pass(1).await;
    }
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &ann, "/").await;
    page.until("document.querySelectorAll('.kinds > li').length === 5").await;
    page.shows("Being played now").await;
    take(&page, "home", Theme::Light).await;
    for (name, path) in [
        ("lobby", "/games".to_owned()),
        ("replay", format!("/games/{game}?version=40")),
        ("hand", format!("/games/{game}/hands/1")),
        ("rules", "/kinds/knights_heads".to_owned()),
        ("tournament", cup.clone()),
        ("projector", format!("{cup}?screen=projector")),
        ("me", "/me".to_owned()),
        ("check", format!("/check?game={game}")),
    ] {
        page.arrive(&path).await;
        if name == "check" {
            page.until("document.querySelector('.verdict.good, .verdict.wait')").await;
        }
        take(&page, name, Theme::Light).await;
    }
}
