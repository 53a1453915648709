//! A session at a browser whose network fails it, and one that the card room has ended.

use serde_json::json;

use super::chromium::Chromium;
use super::manners::has_manners;
use super::page::{DESK, Page, Person};
use super::tournament::as_player;
use crate::api::app::{PASSWORD, TestApp};

/// The session as the browser keeps it.
const KEPT: &str = "JSON.parse(localStorage.getItem('session'))";

/// Lets the access token run out, so that the page's next request begins with a refresh.
async fn run_out(page: &Page) {
    page.eval(&format!("(localStorage.setItem('session', JSON.stringify({{...{KEPT}, until: 0}})), true)"))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_whose_answer_is_lost_signs_nobody_out() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &ann, "/games").await;
    run_out(&page).await;
    page.lose_the_answer("*/v1/auth/refresh").await;
    page.arrive("/me").await;
    page.until(&format!("{KEPT}.until > 0")).await;
    assert!(page.has_lost_it());
    page.shows("My account").await;
    // What it has now is good for a refresh, too.
    let renewed = page.eval(&format!("{KEPT}.refresh")).await;
    let refresh = json!({"refresh_token": renewed});
    assert_eq!(app.anon().post("/v1/auth/refresh", &refresh).await.ok()["account"]["username"], "ann");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_signed_out_by_the_card_room_is_told_so() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &ann, "/me").await;
    page.resize(DESK).await;
    page.shows("My account").await;
    let credentials = json!({"username": "ann", "password": PASSWORD});
    let session = app.anon().post("/v1/auth/login", &credentials).await.ok();
    app.anon().with_session(session).delete("/v1/me/sessions").await.ok();
    run_out(&page).await;
    page.go_on("/games").await;
    page.shows("Your session has ended.").await;
    has_manners(&page, "after the session has ended").await;
    page.click("button", "Sign in again").await;
    page.until("document.querySelector('dialog[open]')").await;
    page.press("Escape").await;
    page.click("#ended button", "Close").await;
    page.until("document.querySelector('#ended').textContent === ''").await;
}
