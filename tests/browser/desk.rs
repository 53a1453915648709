//! An organiser runs a tournament on a phone: entrants check in, an announcement, a penalty, a clock that is stopped, a
//! call for a referee, a table that is played once more, and a result that is set.

use serde_json::{Value, json};

use super::chromium::Chromium;
use super::manners::has_manners;
use super::page::{PHONE, Page, Person};
use super::tournament::as_player;
use crate::api::app::TestApp;
use crate::api::client::Client;

/// A tournament with check-in, made on the page. Its path in the API.
async fn make(page: &Page) -> String {
    page.click("button", "Make one").await;
    page.select("#t-kind", "ritunas_favour").await;
    page.click("#t-name", "").await;
    page.type_in("Hall Cup").await;
    page.until("document.querySelector('#t-rounds')").await;
    page.select("#t-size", "2").await;
    page.click("summary", "Description, venue, times and prizes").await;
    page.click("#t-venue", "").await;
    page.type_in("Town hall, first floor").await;
    page.click("summary", "Check-in, late players and pauses").await;
    page.click("label", "Before the start, entrants say").await;
    page.until("all('#t-minutes', '').length === 1").await;
    has_manners(page, "a new tournament with check-in").await;
    page.resize(PHONE).await;
    page.click("button", "Make the tournament").await;
    page.until("location.pathname.startsWith('/tournaments/0')").await;
    page.eval("'/v1' + location.pathname").await.as_str().unwrap().to_owned()
}

/// Entrants say in their own browsers that they are there; the organiser sees it.
async fn check_in(chromium: &'static Chromium, app: &TestApp, page: &Page, players: [&Client; 2]) {
    let path = page.eval("location.pathname").await.as_str().unwrap().to_owned();
    page.click("#d-names", "").await;
    page.type_in("ann\nbob").await;
    page.click("button", "Enter them").await;
    page.shows("2 entrants entered").await;
    page.shows("0 of 2 are here").await;
    for (player, now) in players.into_iter().zip(["1 of 2 are here", "2 of 2 are here"]) {
        let person = Person::new(chromium).await;
        let own = as_player(&person, app, player, &path).await;
        own.shows("Town hall, first floor").await;
        has_manners(&own, "an entrant before the start").await;
        own.resize(PHONE).await;
        own.click("button", "I am here").await;
        own.shows("You are here").await;
        has_manners(&own, "an entrant who is there").await;
        page.shows(now).await;
    }
}

/// Says something, takes points off, and gives them back.
async fn announce_and_penalise(page: &Page) {
    page.click("summary", "Make an announcement").await;
    page.click("#d-announce", "").await;
    page.type_in("Soup is at eight").await;
    page.click("form button", "Announce").await;
    page.until("all('.announced', 'Soup is at eight').length === 1").await;
    page.click(".desk summary", "Entrants").await;
    page.click(".desk button[aria-label='Decide about ann']", "").await;
    page.click("dialog button", "Penalise").await;
    page.click("#d-reason", "").await;
    page.type_in("came late").await;
    page.select("#d-score", "2").await;
    page.eval("document.querySelector('#d-score').dispatchEvent(new Event('input'))").await;
    page.click("dialog button", "Penalise").await;
    page.until("document.querySelector('dialog') === null").await;
    page.click(".desk button", "Penalties").await;
    page.shows("came late").await;
    page.click("dialog button", "Cancel it").await;
    page.click("dialog form button", "Cancel the penalty").await;
    page.shows("Cancelled by olga").await;
    page.click("dialog button", "Close").await;
    page.until("document.querySelector('dialog') === null").await;
}

/// Stops the clock of the only table, sees to the call of a player there, gives time, and lets the clock run again.
async fn keep_time(chromium: &'static Chromium, app: &TestApp, page: &Page, path: &str, player: &Client) {
    let decide = ".desk button[aria-label='Decide about table 1 of round 1']";
    page.click(decide, "").await;
    page.click("dialog button", "Stop the clock").await;
    page.until("document.querySelector('dialog') === null").await;
    page.shows("the clock stands").await;
    app.tick().await;

    let game = player.get(path).await.ok()["you"]["game"].as_str().unwrap().to_owned();
    let person = Person::new(chromium).await;
    let own = as_player(&person, app, player, &format!("/games/{game}")).await;
    own.shows("The organiser has stopped the clocks.").await;
    own.click("button", "Call a referee").await;
    own.click("#d-call", "").await;
    own.type_in("My phone is dead").await;
    own.click("dialog form button", "Call a referee").await;
    own.shows("Your call: My phone is dead").await;
    let leaving = "[...document.querySelectorAll('.leaving button')].map((button) => button.textContent)";
    assert_eq!(
        own.eval(leaving).await,
        json!(["Leave the game"]),
        "a tournament's game is called off by its organisers"
    );
    has_manners(&own, "a table whose clock stands").await;

    page.shows("My phone is dead").await;
    has_manners(page, "the desk with a call for a referee").await;
    page.resize(PHONE).await;
    page.click(".desk button[aria-label='Seen to: the call of ann']", "").await;
    page.click("#d-answer", "").await;
    page.type_in("You have ten minutes more").await;
    page.click("dialog form button", "Seen to").await;
    page.until("document.querySelector('dialog') === null").await;
    own.shows("You have ten minutes more").await;

    page.click(decide, "").await;
    page.click("dialog button", "Give time").await;
    page.click("dialog button", "10 min").await;
    has_manners(page, "giving time at a table").await;
    page.resize(PHONE).await;
    page.click("dialog form button", "Give time").await;
    page.until("document.querySelector('dialog') === null").await;
    page.click(decide, "").await;
    page.click("dialog button", "Start the clock").await;
    page.until("document.querySelector('dialog') === null").await;
    app.tick().await;
    own.shows("The organiser gives everybody 10 min more").await;
    let game = player.get(&format!("/v1/games/{game}")).await.ok();
    assert_eq!((&game["paused"], &game["seats"][0]["bank_ms"]), (&json!(false), &json!(600_000)));
}

/// Has the only table played once more, and then says how it ended.
async fn judge(app: &TestApp, page: &Page) {
    let decide = "[aria-label='Decide about table 1 of round 1']";
    page.click(&format!(".desk button{decide}"), "").await;
    page.click("dialog button", "Play it once more").await;
    page.click("#d-reason", "").await;
    page.type_in("a power cut").await;
    page.click("dialog form button", "Play it once more").await;
    page.shows("Played once more").await;
    app.tick().await;
    page.click(&format!("details.round button{decide}"), "").await;
    page.click("dialog button", "Set the result").await;
    for (field, text) in [("#d-score-0", "7"), ("#d-score-1", "30"), ("#d-reason", "the phones died")] {
        page.click(field, "").await;
        page.type_in(text).await;
    }
    has_manners(page, "setting the result of a table").await;
    page.resize(PHONE).await;
    page.click("dialog form button", "Set the result").await;
    page.until("document.querySelector('dialog') === null").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_organiser_on_a_phone_sees_who_is_there_and_decides_about_a_table() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let [olga, ann, bob] = [app.user("olga").await, app.user("ann").await, app.user("bob").await];
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &olga, "/tournaments").await;
    let path = make(&page).await;
    page.click(".desk summary", "Entrants").await;
    check_in(chromium, &app, &page, [&ann, &bob]).await;
    page.click("button", "Start the tournament").await;
    page.click("dialog button", "Start").await;
    page.shows("The first round is being drawn").await;
    app.tick().await;
    page.shows("Round 1 of 3").await;
    announce_and_penalise(&page).await;
    keep_time(chromium, &app, &page, &path, &ann).await;
    judge(&app, &page).await;

    let told = "document.querySelector('details.round[open] tbody').innerText";
    let told = page.until(&format!("{told}.includes('Result set') && {told}")).await;
    let tournament = app.anon().get(&path).await.ok();
    let table: &Value = &tournament["rounds"][0]["tables"][0];
    assert_eq!((&table["result"]["scores"], &table["result"]["by"]), (&json!([7, 30]), &json!("olga")));
    assert_eq!(table["earlier_games"].as_array().unwrap().len(), 1);
    let (winner, loser) = (table["players"][1].as_str().unwrap(), table["players"][0].as_str().unwrap());
    for part in
        [&*format!("1st {winner} (30) and 2nd {loser} (7)"), "The phones died.", "olga", "Played once more"]
    {
        assert!(told.as_str().unwrap().contains(part), "{part}: {told}");
    }
    has_manners(&page, "a round with a result that was set").await;
}
