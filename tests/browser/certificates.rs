//! What remains of a tournament: the certificates of its winners, on the screen and on paper, and the luck of the cards.

use serde_json::{Value, json};

use super::chromium::Chromium;
use super::embedded::{cup, play};
use super::manners::has_manners;
use super::page::{PHONE, Person};
use super::tournament::as_player;
use crate::api::app::TestApp;
use crate::random::orders::list;

#[tokio::test(flavor = "multi_thread")]
async fn winners_get_certificates_of_one_sheet_each_with_the_hash_that_proves_them() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    app.set_to_now().await;
    let olga = app.user("olga").await;
    let cup = cup(&olga).await;
    let details =
        json!({"details": {"venue": "Town hall", "score_prize": "A goblet", "time_zone": "Europe/Berlin"}});
    olga.patch(&format!("/v1{cup}"), &details).await.ok();
    olga.post(&format!("/v1{cup}/start"), &Value::Null).await.ok();
    play(&app, &cup).await;
    olga.post(&format!("/v1{cup}/resume"), &json!({})).await.ok();
    play(&app, &cup).await;
    let told = app.anon().get(&format!("/v1{cup}/certificates")).await.ok();
    let person = Person::new(chromium).await;
    let page = as_player(&person, &app, &olga, &cup).await;
    page.click("summary", "Round by round").await;
    page.until("all('.crosstable td a.figure', '').length === 16").await;
    assert_eq!(
        page.eval("all('.crosstable td a.figure + div', '(').length").await,
        16,
        "with the luck in it"
    );
    has_manners(&page, "the crosstable of a duplicate tournament").await;
    page.resize(PHONE).await;
    page.click("button", "How lucky was everybody?").await;
    page.shows("Won without luck").await;
    assert_eq!(page.eval("document.querySelectorAll('.luck tbody tr').length").await, 8);
    has_manners(&page, "a tournament without luck").await;
    page.click("a", "Certificate of the other prize").await;
    page.until("document.querySelector('article.certificate')").await;
    let certificate = &told["items"][1];
    let winners = list(&certificate["statement"]["winners"]).len();
    assert_eq!(page.eval("document.querySelectorAll('article.certificate').length").await, json!(winners));
    for text in ["Hall \"Open\" & <b>", "Town hall", "A goblet", certificate["hash"].as_str().unwrap()] {
        page.shows(text).await;
    }
    has_manners(&page, "a certificate").await;
    let printed = page.print().await;
    let pages = printed.windows(12).filter(|word| *word == b"/Type /Page\n").count();
    assert_eq!(pages, winners, "each has a sheet");
    page.go_on(&format!("{cup}/certificates/none")).await;
    page.shows("Nobody has won by this.").await;
}
