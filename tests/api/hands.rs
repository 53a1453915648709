//! Hand histories over HTTP: whole games cut into hands, what a running hand tells to whom, the two forms.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;
use super::games::{started, turn};

async fn all_pages(client: &Client, list: &str, parameter: &str) -> Vec<Value> {
    let (mut items, mut next) = (Vec::new(), json!("0"));
    while !next.is_null() {
        let word = next.as_str().map_or_else(|| next.to_string(), str::to_owned);
        let page = client.get(&format!("{list}?limit=3&{parameter}={word}")).await.ok();
        items.extend(page["items"].as_array().unwrap().clone());
        next = page["next"].clone();
    }
    items
}

fn facts(hand: &Value) -> impl Iterator<Item = &Value> {
    let entries = hand["entries"].as_array().unwrap().iter();
    entries.flat_map(|entry| entry["facts"].as_array().unwrap())
}

#[tokio::test]
async fn the_hands_of_a_whole_game_hold_every_action_once_and_add_up_to_its_result() {
    let app = TestApp::start().await;
    let anon = app.anon();
    for kind in anon.get("/v1/kinds").await.ok()["items"].as_array().unwrap() {
        let (name, seats) = (kind["kind"].as_str().unwrap(), kind["seats"]["min"].as_u64().unwrap());
        let mut rng = <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(3);
        let end = crate::any_game::play(app.base(), name, seats as usize, &mut rng).await.unwrap();
        let path = format!("/v1/games/{}", end["id"].as_str().unwrap());
        let mut hands = Vec::new();
        for (summary, n) in all_pages(&anon, &format!("{path}/hands"), "cursor").await.iter().zip(1..) {
            assert_eq!(summary["hand"], n);
            let hand = anon.get(&format!("{path}/hands/{n}")).await.ok();
            for field in ["hand", "kind", "from_version", "to_version", "players"] {
                assert_eq!(summary[field], hand[field]);
            }
            assert_eq!(hand["entries"][0]["seq"], hand["from_version"]);
            assert_eq!(hand["entries"].as_array().unwrap().last().unwrap()["seq"], hand["to_version"]);
            let results: Vec<&Value> = summary["results"].as_array().unwrap().iter().collect();
            assert!(!results.is_empty() && results.iter().all(|result| facts(&hand).any(|f| f == *result)));
            let text = anon.clone().with("accept", "text/plain").get(&format!("{path}/hands/{n}")).await.ok();
            for seat in end["seats"].as_array().unwrap() {
                assert!(text.as_str().unwrap().contains(seat["player"].as_str().unwrap()), "{text}");
            }
            hands.push(hand);
        }
        every_action_stands_in_one_hand(&hands, &all_pages(&anon, &format!("{path}/log"), "after").await);
        what_was_won_is_the_result(&hands, &end);
    }
}

fn every_action_stands_in_one_hand(hands: &[Value], log: &[Value]) {
    let told = hands.iter().flat_map(|hand| hand["entries"].as_array().unwrap());
    let told: Vec<(&Value, &Value, &Value)> = told
        .filter(|entry| !entry["action"].is_null())
        .map(|entry| (&entry["seq"], &entry["seat"], &entry["action"]))
        .collect();
    let acted = log.iter().filter(|entry| entry["type"] == "acted");
    let acted: Vec<_> = acted.map(|e| (&e["seq"], &e["seat"], &e["data"]["action"])).collect();
    assert_eq!(told, acted);
}

fn what_was_won_is_the_result(hands: &[Value], end: &Value) {
    let ended = facts(hands.last().unwrap()).last().unwrap();
    assert_eq!(ended["type"], "hand_ended");
    let standing = ["stacks", "totals", "scores"].iter().find_map(|name| ended.get(name)).unwrap();
    for placing in end["outcome"]["places"].as_array().unwrap() {
        let seat = &placing["seat"];
        assert_eq!(standing[seat.as_u64().unwrap() as usize], placing["score"]);
        if ["ritunas_favour", "sevens", "royal_gambit"].contains(&end["kind"].as_str().unwrap()) {
            let own = hands.iter().flat_map(facts).filter(|fact| fact["seat"] == *seat);
            let start = end["options"]["buy_in"].as_i64().unwrap_or(0);
            assert_eq!(start + own.map(gain).sum::<i64>(), placing["score"].as_i64().unwrap());
        }
    }
}

/// What a fact brings its seat.
fn gain(fact: &Value) -> i64 {
    let chips = || fact["chips"].as_i64().unwrap();
    match fact["type"].as_str().unwrap() {
        "charged" | "anted" | "called" | "raised" => -chips(),
        "pot_won" | "pot_returned" | "unmatched_returned" => chips(),
        "stayed" => fact["score"].as_i64().unwrap(),
        _ => 0,
    }
}

#[tokio::test]
async fn while_a_game_runs_a_seat_reads_of_its_own_cards_only_and_after_it_everybody_of_all() {
    let app = TestApp::start().await;
    let players = [app.user("ann").await, app.user("bob").await, app.user("cat").await];
    let wanted = json!({"kind": "sevens", "seats": 3, "sit": true});
    let path =
        format!("/v1/games/{}", players[0].post("/v1/games", &wanted).await.ok()["id"].as_str().unwrap());
    for player in &players[1..] {
        player.post(&format!("{path}/seats"), &json!({})).await.ok();
    }
    for _ in 0..2 {
        let seat = turn(&players[0].get(&path).await.ok());
        let menu = players[seat].get(&path).await.ok()["legal_actions"].clone();
        let trade = json!([menu[0]["params"]["trade"]["from"][1]]);
        players[seat].post(&format!("{path}/actions"), &json!({"type": "check", "trade": trade})).await.ok();
    }
    let hand = format!("{path}/hands/1");
    let anon = app.anon();
    let mut before = Vec::new();
    for viewer in players.iter().chain([&anon]) {
        before.push(both_forms(viewer, &hand).await);
    }
    assert_eq!(anon.get(&hand).await.ok()["to_version"], Value::Null);

    app.admin("root").await.post(&format!("{path}/abort"), &json!(null)).await.ok();
    let whole = anon.get(&hand).await.ok();
    for (seat, (json, text)) in before.iter().enumerate() {
        let held = cards_of(facts(&whole).filter(|fact| fact["seat"] == seat));
        assert_eq!((&cards_in(json), &cards_in(text)), (&held, &held), "seat {seat}");
    }
    let all = cards_of(facts(&whole));
    for viewer in players.iter().chain([&anon]) {
        let (json, text) = both_forms(viewer, &hand).await;
        assert_eq!((&cards_in(&json), &cards_in(&text)), (&all, &all));
    }
}

async fn both_forms(viewer: &Client, path: &str) -> (String, String) {
    let json = viewer.get(path).await.ok().to_string();
    let text = viewer.clone().with("accept", "text/plain").get(path).await.ok();
    (json, text.as_str().unwrap().to_owned())
}

/// Every word that is a card of Sevens.
fn cards_in(bytes: &str) -> BTreeSet<String> {
    let words = bytes.split(|c: char| !c.is_ascii_alphanumeric());
    let is_card = |word: &str| match *word.as_bytes() {
        [number, suit] => (b'1'..=b'6').contains(&number) && b"CGS".contains(&suit),
        _ => false,
    };
    words.filter(|word| is_card(word)).map(str::to_owned).collect()
}

/// The cards that facts are about.
fn cards_of<'a>(facts: impl Iterator<Item = &'a Value>) -> BTreeSet<String> {
    cards_in(&facts.map(Value::to_string).collect::<Vec<_>>().join(" "))
}

#[tokio::test]
async fn a_hand_has_the_game_s_version_and_who_knows_it_gets_304() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let version = players[0].get(&path).await.header("etag").unwrap().to_owned();
    for list in [format!("{path}/hands"), format!("{path}/hands/1")] {
        let reply = players[0].get(&list).await;
        assert_eq!(reply.header("etag"), Some(version.as_str()));
        let varies = reply.header("vary").unwrap();
        assert!(varies.split(", ").any(|header| header == "accept"), "{varies}");
        let known = players[0].clone().with("if-none-match", &version);
        assert_eq!(known.get(&list).await.status, 304);
    }
    let known = players[0].clone().with("if-none-match", &version);
    assert_eq!(known.get(&format!("{path}/hands/2")).await.code(), "hand_not_found");
}

#[tokio::test]
async fn what_has_not_begun_is_not_there() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let open = ann.post("/v1/games", &json!({"kind": "sevens", "visibility": "private"})).await.ok();
    let path = format!("/v1/games/{}/hands", open["id"].as_str().unwrap());
    assert_eq!(ann.get(&path).await.ok(), json!({"items": [], "next": null}));
    for (n, code) in [("0", "hand_not_found"), ("1", "hand_not_found"), ("first", "invalid_parameter")] {
        assert_eq!(ann.get(&format!("{path}/{n}")).await.code(), code);
    }
    for hidden in [path.clone(), format!("{path}/1")] {
        assert_eq!(app.anon().get(&hidden).await.code(), "game_not_found");
    }
    for wrong in ["limit=0", "cursor=x", "after=1"] {
        assert_eq!(ann.get(&format!("{path}?{wrong}")).await.code(), "invalid_parameter", "{wrong}");
    }
}
