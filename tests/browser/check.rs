//! The page that checks a game.

use std::path::Path;

use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use super::chromium::Chromium;
use super::manners::has_manners;
use super::page::{DESK, PHONE, Page, Person};
use crate::any_game;
use crate::api::app::TestApp;
use crate::audits::Folder;

/// A way to lie, and the step that has to find it.
type Lie = (&'static str, fn(&mut Value));

/// What anyone can do who has a bundle in their hands.
const LIES: [Lie; 10] = [
    ("form", |bundle| bundle["note"] = json!("honest")),
    ("commitment", |bundle| bundle["fairness"]["commitment"] = json!("ab".repeat(32))),
    ("game", |bundle| bundle["game"]["seats"][0]["client_seed"] = json!("theirs")),
    ("chances", |bundle| {
        let order = entry(bundle, "chance", |data| data["shuffle"].is_object());
        order["data"]["shuffle"]["result"].as_array_mut().unwrap().reverse();
    }),
    ("chances", |bundle| bundle["fairness"]["shuffle_id"] = json!("018f0000-0000-7000-8000-000000000000")),
    ("chain", |bundle| {
        entry(bundle, "acted", |_| true)["at"] = json!("2026-11-20T18:00:00.000009Z");
    }),
    ("chain", |bundle| {
        let log = bundle["log"].as_array_mut().unwrap();
        log.remove(log.len() / 2);
    }),
    ("signature", |bundle| {
        let signature = bundle["signature"].as_str().unwrap();
        let (signed, _) = signature.rsplit_once('.').unwrap();
        bundle["signature"] = json!(format!("{signed}.{}", "A".repeat(86)));
    }),
    ("outcome", |bundle| {
        let score = bundle["outcome"]["places"][0]["score"].as_i64().unwrap();
        bundle["outcome"]["places"][0]["score"] = json!(score + 1);
    }),
    ("legality", |bundle| {
        entry(bundle, "acted", |_| true)["data"]["action"] = json!({"type": "look_into_the_deck"});
    }),
];

fn entry<'a>(bundle: &'a mut Value, kind: &str, fits: impl Fn(&Value) -> bool) -> &'a mut Value {
    let log = bundle["log"].as_array_mut().unwrap();
    log.iter_mut().find(|entry| entry["type"] == kind && fits(&entry["data"])).unwrap()
}

/// Whether this build has the rules for the browser.
fn has_rules() -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("web/core.wasm").exists()
}

/// Plays a game by dice that fall alike in every run, and gives its id.
async fn played(app: &TestApp, kind: &str) -> String {
    let end = any_game::play(app.base(), kind, 3, &mut StdRng::seed_from_u64(11)).await.unwrap();
    end["id"].as_str().unwrap().to_owned()
}

/// The steps that say no, once all are there.
async fn wrong(page: &Page) -> Vec<String> {
    page.until("document.querySelector('.verdict.good, .verdict.bad, .verdict.wait')").await;
    let failed = "[...document.querySelectorAll('.checks > .failed')].map((step) => step.dataset.key)";
    serde_json::from_value(page.eval(failed).await).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_good_bundle_is_green_and_of_a_tampered_one_the_step_that_finds_it_is_red() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let id = played(&app, "sevens").await;
    let person = Person::new(chromium).await;
    let page = person.open(app.base(), &format!("/check?game={id}"), PHONE).await;
    assert_eq!(wrong(&page).await, [""; 0]);
    let passed = page.eval("document.querySelectorAll('.checks > .passed').length").await;
    assert_eq!(passed, if has_rules() { 9 } else { 7 });
    page.shows(if has_rules() { "all 9 steps passed" } else { "7 of 9 steps" }).await;
    page.click("[data-key=chances] summary", "The numbers").await;
    page.click("[data-key=chances] button", "Show all").await;
    page.until("document.querySelectorAll('[data-key=chances] dt').length > 12").await;

    let bundle = app.anon().get(&format!("/v1/games/{id}/audit")).await.ok();
    let folder = Folder::new("browser");
    for (number, (step, lie)) in LIES.iter().enumerate() {
        if *step == "legality" && !has_rules() {
            continue;
        }
        let mut lied = bundle.clone();
        lie(&mut lied);
        let file = folder.write(&format!("{number}.json"), &lied.to_string());
        page.choose("#file", &[&file]).await;
        page.shows(&format!("The file {number}.json.")).await;
        let wrong = wrong(&page).await;
        assert!(wrong.iter().any(|name| name == step), "{number}: {step} is not in {wrong:?}");
        page.shows("Something is wrong").await;
    }
    has_manners(&page, "a tampered bundle").await;

    // The honest bundle of another game is none of this one.
    let other = played(&app, "ritunas_favour").await;
    page.eval(&format!(
        "(window.real = window.fetch, window.fetch = (input, init) =>
            window.real(String(input).replace('{id}', '{other}'), init), true)"
    ))
    .await;
    page.go_on("/games").await;
    page.go_on(&format!("/check?game={id}")).await;
    page.shows(&format!("It is the bundle of game {other}, not of {id}")).await;
    assert_eq!(wrong(&page).await, ["form"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_is_made_of_a_link_and_shows_its_numbers_and_the_house_can_be_asked() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let id = played(&app, "ritunas_favour").await;
    let person = Person::new(chromium).await;
    let page = person.open(app.base(), "/check", DESK).await;
    has_manners(&page, "before a check").await;
    page.click("#game", "").await;
    page.type_in("no game at all").await;
    page.press("Enter").await;
    page.shows("Enter the link of a game").await;
    page.eval("document.querySelector('#game').value = ''").await;
    page.click("#game", "").await;
    page.type_in(&format!("{}/games/{id}/hands/1", app.base())).await;
    page.press("Enter").await;
    assert_eq!(wrong(&page).await, [""; 0]);
    assert_eq!(page.eval("location.search").await, format!("?game={id}"));

    let bundle = app.anon().get(&format!("/v1/games/{id}/audit")).await.ok();
    page.click(".checks [data-key=commitment] summary", "").await;
    page.shows(bundle["fairness"]["server_seed"].as_str().unwrap()).await;
    page.click(".house button", "Ask the house").await;
    page.shows("The house finds nothing wrong.").await;
    page.click(".limits summary", "").await;
    has_manners(&page, "a good bundle").await;

    // A game that goes on has not shown its seeds.
    let ann = app.user("ann").await;
    let game = ann.post("/v1/games", &json!({"kind": "sevens"})).await.ok();
    page.go(&format!("/check?game={}", game["id"].as_str().unwrap())).await;
    page.shows("This game is not over.").await;
    has_manners(&page, "a game that is not over").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_bundle_or_a_hostile_one_holds_nothing_up() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let person = Person::new(chromium).await;
    let page = person.open(app.base(), "/check", PHONE).await;
    let folder = Folder::new("hostile");
    let nested = format!("{{\"log\":{}{}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let long = format!("{{\"format\":\"cardroom.audit/1\",\"log\":[{}0]}}", "0,".repeat(4_000_000));
    for (name, text) in [("nested.json", nested), ("long.json", long), ("empty.json", String::new())] {
        let file = folder.write(name, &text);
        page.choose("#file", &[&file]).await;
        page.shows(&format!("The file {name}.")).await;
        assert_eq!(wrong(&page).await, ["form"], "{name}");
    }
    let file = folder.write("large.json", &" ".repeat(33 * 1024 * 1024));
    page.choose("#file", &[&file]).await;
    page.shows("has more than 32 MiB").await;
    let file = folder.write_bytes("picture.json", &[0xff, 0xd8]);
    page.choose("#file", &[&file]).await;
    page.shows("This file is no text").await;
    has_manners(&page, "no bundle").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_web_crypto_the_page_says_so_and_offers_to_ask_the_house() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let id = played(&app, "royal_gambit").await;
    let person = Person::new(chromium).await;
    let base = app.base().replace("127.0.0.1", "neighbour.test");
    let page = person.open(&base, &format!("/check?game={id}"), PHONE).await;
    assert_eq!(wrong(&page).await, [""; 0]);
    assert_eq!(page.eval("isSecureContext").await, false);
    page.shows("computes no hashes for a page that did not come over HTTPS").await;
    page.shows("What your browser could not check, the house can.").await;
    let open = "[...document.querySelectorAll('.checks > .open')].map((step) => step.dataset.key)";
    let open: Vec<String> = serde_json::from_value(page.eval(open).await).unwrap();
    // The rules bring hashes of their own.
    if has_rules() {
        assert_eq!(open, ["signature"]);
    }
    page.click(".house button", "Ask the house").await;
    page.shows("The house finds nothing wrong.").await;
    has_manners(&page, "a check without WebCrypto").await;
}
