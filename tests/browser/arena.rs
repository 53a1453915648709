//! An arena, a tournament with groups and a freezeout, made and played on a phone.

use serde_json::{Value, json};

use super::chromium::Chromium;
use super::manners::has_manners;
use super::page::{PHONE, Page, Person};
use super::tournament::{as_player, play};
use crate::api::app::TestApp;

/// Makes a tournament of Ritunas Favour at tables of two on the page. Its path in the API.
async fn make(page: &Page, name: &str, format: &str, fields: &[(&str, &str)]) -> String {
    page.click("button", "Make one").await;
    page.select("#t-kind", "ritunas_favour").await;
    page.click("#t-name", "").await;
    page.type_in(name).await;
    page.until("document.querySelector('#t-format')").await;
    page.select("#t-size", "2").await;
    page.select("#t-format", format).await;
    for (field, value) in fields {
        page.select(field, value).await;
    }
    has_manners(page, "a new tournament of another format").await;
    page.resize(PHONE).await;
    page.click("button", "Make the tournament").await;
    page.until("location.pathname.startsWith('/tournaments/0')").await;
    page.eval("'/v1' + location.pathname").await.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_of_an_arena_takes_a_break_and_comes_back() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    app.set_to_now().await;
    let [olga, ann] = [app.user("olga").await, app.user("ann").await];
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &olga, "/tournaments").await;
    let path = make(&page, "Lunch arena", "arena", &[("#t-length", "30")]).await;
    page.shows("an arena of 30 min").await;
    page.select("#d-bots", "3").await;
    page.click("button", "Enter them").await;
    page.shows("3 entrants entered").await;
    page.click("button", "Start the tournament").await;
    page.click("dialog button", "Start").await;
    page.shows("Players get tables until").await;

    // Ann comes after the start.
    let theirs = Person::new(chromium).await;
    let own = as_player(&theirs, &app, &ann, path.strip_prefix("/v1").unwrap()).await;
    own.shows("You get a table as soon as one is free").await;
    own.click("button", "Enter").await;
    own.shows("You get the next table as soon as one is free.").await;
    own.click("button", "Take a break").await;
    own.shows("You are on a break").await;
    app.pass(6).await;
    own.shows("You are on a break").await;
    assert_eq!(ann.get(&path).await.ok()["you"]["game"], Value::Null);
    own.click("button", "I am back").await;
    own.shows("You get the next table as soon as one is free.").await;
    app.pass(70).await;
    own.until("all('a', 'To my table').length === 1").await;
    has_manners(&own, "a player of an arena").await;
    page.until("all('h2', 'Organiser').length === 1 && all('main li', 'ann').length > 0").await;
    has_manners(&page, "the desk of an arena").await;
    ann.delete(&format!("{path}/entries/ann/check-in")).await.ok();
    own.shows("You are on a break").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_standings_name_the_groups() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &olga, "/tournaments").await;
    let fields = [("#t-groups", "2"), ("#t-rounds", "2"), ("#t-qualify", "1")];
    let path = make(&page, "Group cup", "groups", &fields).await;
    page.shows("2 groups of 2 rounds, one of each goes on").await;
    page.select("#d-bots", "6").await;
    page.click("button", "Enter them").await;
    page.shows("6 entrants entered").await;
    page.click("button", "Start the tournament").await;
    page.click("dialog button", "Start").await;
    page.shows("The first round is being drawn").await;
    // The page asks for the places before a round, and before the tournament was made there are none.
    app.clock.advance(1);
    assert_eq!(play(&app, &path, &[]).await["status"], json!("finished"));
    page.shows("It is over").await;
    page.shows("group 2").await;
    has_manners(&page, "a tournament with groups").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_freezeout_asks_for_nothing_that_it_cannot_have_and_tells_who_brings_how_many_chips() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &olga, "/tournaments").await;
    let hidden = "['#t-fill', '#t-result', '#t-duplicate', '#t-teams', '#o-stacks']\
        .filter((id) => document.querySelector(id)?.checkVisibility() ?? false).length";
    let form = async || {
        page.until("document.querySelector('#t-format')").await;
        page.eval("(document.querySelectorAll('details').forEach((one) => { one.open = true; }), true)")
            .await;
    };
    page.click("button", "Make one").await;
    page.select("#t-kind", "ricketts_hearts").await;
    page.until("document.querySelector('#t-format') && !document.querySelector('option[value=freezeout]')")
        .await;
    page.select("#t-kind", "sevens").await;
    page.until("document.querySelector('option[value=freezeout]')").await;
    form().await;
    assert_eq!(page.eval(hidden).await, json!(4), "the stacks of a tournament follow from its format");
    page.select("#t-format", "freezeout").await;
    assert_eq!(page.eval(hidden).await, json!(0));
    page.arrive("/tournaments").await;
    let path = make(&page, "Friday freezeout", "freezeout", &[]).await;
    page.shows("a freezeout, in which the ante doubles with each round").await;
    page.select("#d-bots", "5").await;
    page.click("button", "Enter them").await;
    page.shows("5 entrants entered").await;
    page.click("button", "Start the tournament").await;
    page.click("dialog button", "Start").await;
    page.shows("The first round is being drawn").await;
    // The page asks for the places before a round, and before the tournament was made there are none.
    app.clock.advance(1);
    let tournament = play(&app, &path, &[]).await;
    assert_eq!(tournament["status"], json!("finished"));
    page.shows("It is over").await;
    let last = tournament["rounds"].as_array().unwrap().last().unwrap();
    let stack = last["tables"][0]["stacks"][0].as_u64().unwrap();
    page.shows(&format!(" with {}", grouped(stack))).await;
    has_manners(&page, "a freezeout").await;
}

/// A number below a million as the page writes it.
fn grouped(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}
