//! The other pages, each looked at as it is when something is there to see.

use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::json;

use super::chromium::Chromium;
use super::manners::has_manners;
use super::page::{PHONE, Person};
use crate::any_game;
use crate::api::app::TestApp;
use crate::api::leaderboards::played;

#[tokio::test(flavor = "multi_thread")]
async fn every_page_fits_a_phone_and_a_desk_and_is_for_everybody() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    app.set_to_now().await;
    let end = any_game::play(app.base(), "sevens", 2, &mut StdRng::seed_from_u64(4)).await.unwrap();
    let (id, player) = (end["id"].as_str().unwrap(), end["seats"][0]["player"].as_str().unwrap());
    let ann = app.user("ann").await;
    let waiting = ann.post("/v1/games", &json!({"kind": "royal_gambit", "sit": true})).await.ok();
    let running = json!({"kind": "knights_heads", "seats": 2, "sit": true, "bots": ["steady"]});
    let running = ann.post("/v1/games", &running).await.ok();
    played(&[&ann, &app.user("ben").await], json!({})).await;
    app.rate().await;
    let person = Person::new(chromium).await;
    let page = person.open(app.base(), "/", PHONE).await;
    page.until("document.querySelectorAll('.kinds > li').length === 5").await;
    page.shows("Being played now").await;
    has_manners(&page, "the first page").await;
    let id_of = |game: &serde_json::Value| game["id"].as_str().unwrap().to_owned();
    let mut addresses = vec![
        "/games".to_owned(),
        format!("/games/{id}"),
        format!("/games/{id}?version=12"),
        format!("/games/{id}/hands/1"),
        format!("/games/{}", id_of(&waiting)),
        format!("/games/{}", id_of(&running)),
        format!("/players/{player}"),
        "/players/ann".to_owned(),
        "/players/nobody".to_owned(),
    ];
    for kind in cardroom_core::rules::registry::newest() {
        addresses.push(format!("/kinds/{}", kind.kind));
        addresses.push(format!("/leaderboards/{}", kind.kind));
    }
    for address in &addresses {
        page.arrive(address).await;
        has_manners(&page, address).await;
    }
    page.arrive("/players/ann").await;
    page.click("button", "How lucky was ann?").await;
    page.shows("Won without luck").await;
    assert_eq!(page.eval("document.querySelectorAll('.luck tbody tr').length").await, 1);
    has_manners(&page, "a player without luck").await;
}
