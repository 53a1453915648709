//! A tournament of eight, from making it on a phone to its standings on paper.

use serde_json::{Value, json};

use super::chromium::Chromium;
use super::manners::has_manners;
use super::page::{PHONE, Page, Person};
use crate::api::app::TestApp;
use crate::api::client::Client;
use crate::api::tournaments::made;

/// Opens a page of the card room as somebody who has signed in.
pub async fn as_player(person: &Person, app: &TestApp, player: &Client, path: &str) -> Page {
    let page = person.open(app.base(), "/games", PHONE).await;
    page.until("document.querySelector('h1')").await;
    let Value::Object(session) = &player.session else { panic!("{}", player.session) };
    let [account, access, refresh] = ["account", "access_token", "refresh_token"].map(|name| &session[name]);
    let kept = json!({"account": account, "access": access, "refresh": refresh, "key": "refresh"});
    let kept = format!("JSON.stringify({{...{kept}, until: Date.now() + 600_000}})");
    page.eval(&format!("(localStorage.setItem('session', {kept}), true)")).await;
    page.arrive(path).await;
    page
}

/// Plays whatever waits for these players, until the tournament is over.
pub async fn play(app: &TestApp, path: &str, players: &[Client]) -> Value {
    for _ in 0..2000 {
        app.tick().await;
        let tournament = app.anon().get(path).await.ok();
        if tournament["status"] != "active" {
            return tournament;
        }
        for player in players {
            let game = player.get(path).await.ok()["you"]["game"].clone();
            let Some(game) = game.as_str().map(|id| format!("/v1/games/{id}")) else { continue };
            if player.get(&game).await.ok()["legal_actions"] != json!([]) {
                player.post(&format!("{game}/actions"), &json!({"type": "stick"})).await.ok();
            }
        }
        app.clock.advance(1);
    }
    panic!("the tournament does not end")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_organiser_runs_a_tournament_of_eight_on_a_phone_and_prints_its_standings() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let players = [app.user("ann").await, app.user("bob").await];
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &olga, "/tournaments").await;
    page.click("button", "Make one").await;
    page.select("#t-kind", "ritunas_favour").await;
    page.click("#t-name", "").await;
    page.type_in("Hall Open").await;
    page.until("document.querySelector('#t-rounds')").await;
    has_manners(&page, "making a tournament").await;
    page.resize(PHONE).await;
    page.select("#t-rounds", "2").await;
    page.click("button", "Make the tournament").await;
    page.until("location.pathname.startsWith('/tournaments/0')").await;
    let path = page.eval("'/v1' + location.pathname").await.as_str().unwrap().to_owned();

    page.click("#d-names", "").await;
    page.type_in("ann\nnobody\nbob").await;
    page.click("button", "Enter them").await;
    page.shows("nobody").await;
    page.click("button", "Leave these out and enter the rest").await;
    page.shows("2 entrants entered").await;
    page.select("#d-bots", "6").await;
    page.click("button", "Enter them").await;
    page.shows("6 entrants entered").await;
    has_manners(&page, "the desk before the start").await;
    page.resize(PHONE).await;
    page.click("button", "Start the tournament").await;
    page.click("dialog button", "Start").await;
    page.shows("The first round is being drawn").await;
    app.tick().await;
    page.shows("Round 1 of 2").await;
    has_manners(&page, "the desk while a round is played").await;
    let ended = play(&app, &path, &players).await;
    assert_eq!(ended["status"], "finished");
    page.shows("It is over").await;
    has_manners(&page, "a tournament that is over").await;

    let standings = app.anon().get(&format!("{path}/standings")).await.ok();
    let rows = standings["items"].as_array().or(standings["rows"].as_array()).unwrap().len();
    assert_eq!(rows, 8);
    let pages = page.print().await;
    assert!(pages.starts_with(b"%PDF"), "it prints");
    page.media("print").await;
    let shown = page.eval("[...document.querySelectorAll('main table')].filter(isSeen)[0].rows.length").await;
    assert_eq!(shown, 9, "the head and eight players");
    let buttons = "all('button', '').filter((button) => !button.closest('table')).length";
    assert_eq!(page.eval(buttons).await, 0, "beside the scores, nothing to press is printed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_keeps_what_was_refused_and_tells_its_line() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({"table_size": 2})).await;
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &olga, &path["/v1".len()..]).await;
    // The house takes five hundred at once.
    page.click("#d-names", "").await;
    page.type_in(&format!("{}nobody\nbot\n", "bot\n".repeat(500))).await;
    page.click("button", "Enter them").await;
    page.shows("500 entrants entered").await;
    page.shows("Line 1: ").await;
    assert_eq!(page.eval("document.querySelector('#d-names').value").await, "nobody\nbot\n");
    page.click("button", "Leave these out and enter the rest").await;
    page.shows("1 entrant entered").await;
    assert_eq!(olga.get(&path).await.ok()["entrants"], 501);
}
