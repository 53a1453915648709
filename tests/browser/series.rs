//! A series, from making it on a phone to its standings, and a tournament made like one that is over.

use super::chromium::Chromium;
use super::manners::has_manners;
use super::page::{PHONE, Page, Person};
use super::tournament::as_player;
use crate::api::app::TestApp;
use crate::api::series::three;

/// Makes a series of the best tournaments, and puts these into it; the second by its address.
async fn make(page: &Page, app: &TestApp, cups: &[String]) {
    page.click("a", "Series").await;
    page.shows("There are none yet.").await;
    page.click("button", "Make a series").await;
    page.click("#s-name", "").await;
    page.type_in("City league").await;
    page.click("label", "Only the best tournaments").await;
    page.until("document.querySelector('#s-best').offsetParent !== null").await;
    has_manners(page, "a new series").await;
    page.resize(PHONE).await;
    page.click("button", "Make the series").await;
    page.until("location.pathname.startsWith('/series/0')").await;
    for (number, cup) in cups.iter().enumerate() {
        page.until("document.querySelector('#s-cup')").await;
        let id = cup.rsplit('/').next().unwrap();
        if number == 1 {
            page.select("#s-cup", "").await;
            page.click("#s-address", "").await;
            page.type_in(&format!("{}/tournaments/{id}", app.base())).await;
        } else {
            page.select("#s-cup", id).await;
        }
        page.click("button", "Add it").await;
        page.until(&format!("document.querySelector('main ol a[href$=\"{id}\"]')")).await;
        page.until(&format!("document.querySelector('#s-cup option[value=\"{id}\"]') === null")).await;
    }
    page.until("document.querySelectorAll('.crosstable tbody tr').length === 3").await;
    page.until("all('.crosstable th', '').length === 6").await;
    has_manners(page, "a series").await;
}

/// Makes another tournament like an earlier one, which is in the series.
async fn copy(page: &Page, earlier: &str) {
    page.arrive(earlier).await;
    page.shows("It counts for: City league").await;
    page.click("button", "Make another like this").await;
    page.until("document.querySelector('dialog #y-name').value === 'June cup'").await;
    has_manners(page, "another tournament like one that is over").await;
    page.resize(PHONE).await;
    page.click("dialog #y-name", "").await;
    page.eval("document.querySelector('#y-name').select()").await;
    page.type_in("August cup").await;
    page.click("dialog button", "Make the tournament").await;
    page.shows("August cup").await;
    page.until("document.querySelector('main h1').textContent === 'August cup'").await;
    assert_ne!(page.eval("location.pathname").await, earlier);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_organiser_makes_a_series_of_the_tournaments_and_another_tournament_like_one_of_them() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    app.set_to_now().await;
    let olga = app.user("olga").await;
    let players = [app.user("ann").await, app.user("ben").await, app.user("cem").await];
    let cups = three(&app, &olga, &players).await;
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &olga, "/tournaments").await;
    make(&page, &app, &cups).await;
    let series = page.eval("location.pathname").await.as_str().unwrap().to_owned();
    page.resize(PHONE).await;
    page.click("button", "Take out").await;
    page.until("document.querySelectorAll('main ol > li').length === 2").await;

    let stranger = Person::new(chromium).await;
    let seen = stranger.open(app.base(), &series, PHONE).await;
    seen.until("document.querySelectorAll('.crosstable tbody tr').length === 3").await;
    assert_eq!(seen.eval("all('main button', '').length").await, 0, "only its owner changes it");
    has_manners(&seen, "a series for everybody").await;

    page.arrive("/series").await;
    page.shows("City league").await;
    has_manners(&page, "all series").await;
    page.arrive("/me").await;
    page.shows("My series").await;
    page.until(&format!("document.querySelector('a[href=\"{series}\"]')")).await;
    has_manners(&page, "my series").await;
    page.resize(PHONE).await;
    copy(&page, &cups[1].replace("/v1", "")).await;
}
