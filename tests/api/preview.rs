//! What messengers show with a link to a hand: its picture, and what the head of the page says.

use reqwest::Method;
use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;
use super::games::{started, turn};

/// A game of Royal Gambit with one hand that has ended, and another that runs: its path in the page.
async fn played(app: &TestApp, visibility: &str) -> String {
    let (ann, bob) =
        (app.user(&format!("ann_{visibility}")).await, app.user(&format!("bob_{visibility}")).await);
    let wanted = json!({"kind": "royal_gambit", "seats": 2, "sit": true, "turn_seconds": null, "visibility": visibility});
    let game = ann.post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    let chair = if game["invite"].is_null() { json!({}) } else { json!({"invite": game["invite"]}) };
    bob.post(&format!("{path}/seats"), &chair).await.ok();
    for _ in 0..2 {
        let seat = turn(&ann.get(&path).await.ok());
        [&ann, &bob][seat].post(&format!("{path}/actions"), &json!({"type": "stay"})).await.ok();
    }
    assert_ne!(ann.get(&format!("{path}/hands/1")).await.ok()["to_version"], Value::Null);
    path.trim_start_matches("/v1").to_owned()
}

/// The page at this address.
async fn page(client: &Client, path: &str) -> String {
    client.get(path).await.ok().as_str().unwrap().to_owned()
}

/// What an element of the page's head says.
fn said<'a>(page: &'a str, property: &str) -> Option<&'a str> {
    page.split(&format!("property=\"{property}\" content=\"")).nth(1)?.split('"').next()
}

#[tokio::test]
async fn a_link_to_a_hand_comes_with_a_picture_of_it() {
    let app = TestApp::start().await;
    let hand = format!("{}/hands/1", played(&app, "public").await);
    let page = page(&app.anon(), &hand).await;
    assert_eq!(said(&page, "og:title"), Some("Royal Gambit, hand 1"));
    assert_eq!(said(&page, "og:description"), Some("Nobody scores."));
    assert_eq!((said(&page, "og:image:width"), said(&page, "og:image:height")), (Some("1200"), Some("630")));
    assert!(page.contains("name=\"twitter:card\" content=\"summary_large_image\""), "{page}");
    let address = said(&page, "og:image").unwrap();
    assert_eq!(address, format!("{}{hand}/preview.png", app.base()));

    let answer = reqwest::get(address).await.unwrap();
    assert_eq!(
        (answer.status().as_u16(), &answer.headers()["content-type"]),
        (200, &"image/png".parse().unwrap())
    );
    assert_eq!(answer.headers()["cache-control"], "no-cache");
    let png = answer.bytes().await.unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(png[16..24], [0, 0, 4, 176, 0, 0, 2, 118], "1200 by 630");
}

#[tokio::test]
async fn a_messenger_that_has_the_picture_or_the_page_is_told_so() {
    let app = TestApp::start().await;
    let hand = format!("{}/hands/1", played(&app, "public").await);
    for path in [format!("{hand}/preview.png"), hand] {
        let first = app.anon().with("accept-encoding", "gzip").get(&path).await;
        let tag = first.header("etag").unwrap();
        let again = app.anon().with("if-none-match", tag).get(&path).await;
        assert_eq!((again.status.as_u16(), &again.body), (304, &Value::Null), "{path}");
        let head = app.anon().send(Method::HEAD, &path, Vec::new()).await;
        assert_eq!((head.status.as_u16(), head.header("etag"), &head.body), (200, Some(tag), &Value::Null));
        assert_eq!(head.header("content-type"), first.header("content-type"), "{path}");
    }
}

#[tokio::test]
async fn a_hand_that_has_not_ended_has_no_picture() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let hand = format!("{}/hands/1", path.trim_start_matches("/v1"));
    for viewer in [&players[0], &app.anon()] {
        assert_eq!(viewer.get(&format!("{hand}/preview.png")).await.code(), "hand_not_found");
        assert_eq!(said(&page(viewer, &hand).await, "og:image"), None);
    }
    let other = hand.replace("/hands/1", "/hands/x");
    assert_eq!(app.anon().get(&format!("{other}/preview.png")).await.code(), "hand_not_found");
    assert_eq!(page(&app.anon(), &other).await, page(&app.anon(), &hand).await);
}

#[tokio::test]
async fn the_link_to_a_private_hand_tells_as_little_as_one_that_leads_nowhere() {
    let app = TestApp::start().await;
    let hand = format!("{}/hands/1", played(&app, "private").await);
    let nowhere = "/games/0198c1c5-21b0-7d1a-8f63-6d1f2b9c0a11/hands/1";
    let known = page(&app.anon(), nowhere).await;
    assert_eq!((said(&known, "og:title"), said(&known, "og:image")), (Some("A hand"), None));
    // A player of the game is shown no more: messengers show the picture to everybody with the link.
    let ann = app.admin("root").await;
    for viewer in [&app.anon(), &ann] {
        assert_eq!(page(viewer, &hand).await, known);
        assert_eq!(viewer.get(&format!("{hand}/preview.png")).await.code(), "game_not_found");
        assert_eq!(viewer.get(&format!("{nowhere}/preview.png")).await.code(), "game_not_found");
    }
}

#[tokio::test]
async fn the_picture_is_where_the_operator_says_that_the_card_room_is_reached() {
    let app = TestApp::start_with(|settings| {
        settings.public_url = Some("https://cards.example/room".to_owned());
    });
    let app = app.await;
    let hand = format!("{}/hands/1", played(&app, "public").await);
    let page = page(&app.anon(), &hand).await;
    assert_eq!(said(&page, "og:image"), Some(&*format!("https://cards.example/room{hand}/preview.png")));
}

#[tokio::test]
async fn every_kind_has_pictures_of_all_its_hands() {
    let app = TestApp::start().await;
    let anon = app.anon();
    for kind in anon.get("/v1/kinds").await.ok()["items"].as_array().unwrap() {
        let (name, seats) = (kind["kind"].as_str().unwrap(), kind["seats"]["max"].as_u64().unwrap());
        let mut rng = <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(5);
        let end = crate::any_game::play(app.base(), name, seats as usize, &mut rng).await.unwrap();
        let path = format!("/games/{}", end["id"].as_str().unwrap());
        let hands = anon.get(&format!("/v1{path}/hands?limit=3")).await.ok();
        for hand in hands["items"].as_array().unwrap().iter().filter(|hand| !hand["to_version"].is_null()) {
            let hand = format!("{path}/hands/{}", hand["hand"]);
            assert_eq!(anon.get(&format!("{hand}/preview.png")).await.status, 200, "{name}");
            let page = page(&anon, &hand).await;
            let (title, told) = (said(&page, "og:title").unwrap(), said(&page, "og:description").unwrap());
            assert!(title.contains(", hand ") && told.len() > 1, "{name}: {title}: {told}");
        }
    }
}
