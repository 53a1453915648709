//! Audits over HTTP: when they open and for whom, what they prove, and what cannot be found out before.

use std::process::Command;

use cardroom::store::append::{Append, NewEntry};
use cardroom::store::database::Database;
use cardroom::store::deadlines::Due;
use cardroom::store::game_rows::NewGame;
use cardroom::store::games::{Change, End};
use cardroom::store::log::Log;
use cardroom::store::status::Status;
use cardroom_core::audit::{self, Signed};
use cardroom_core::log::Hex32;
use cardroom_core::log::chain;
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::registry::by_name;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::app::TestApp;
use super::client::Client;
use super::games::{started, turn};
use crate::audits::games::{Game, key};
use crate::audits::long;
use crate::random::dice::Dice;

/// Plays a random game with clients of their own, and tells where it is.
async fn played(app: &TestApp, kind: &str, seed: u64) -> String {
    let mut rng = <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(seed);
    let seats = by_name(kind).unwrap().min_seats;
    let end = crate::any_game::play(app.base(), kind, usize::from(seats), &mut rng).await.unwrap();
    format!("/v1/games/{}", end["id"].as_str().unwrap())
}

#[tokio::test]
async fn the_bundle_of_a_game_of_each_kind_proves_it_to_anyone() {
    let app = TestApp::start().await;
    let anon = app.anon();
    for kind in cardroom_core::rules::registry::newest() {
        let path = played(&app, kind.kind, 11).await;
        let reply = anon.get(&format!("{path}/audit")).await;
        let (etag, bundle) = (reply.header("etag").unwrap().to_owned(), reply.ok());
        let report = anon.post("/v1/audit/verify", &bundle).await.ok();
        assert_eq!(report["ok"], true, "{report:#}");
        let game = anon.get(&path).await.ok();
        assert_eq!(bundle["outcome"], game["outcome"]);
        assert_eq!(bundle["log"].as_array().unwrap().len() as u64, game["version"].as_u64().unwrap());
        let again = anon.clone().with("if-none-match", &etag).get(&format!("{path}/audit")).await;
        assert_eq!((again.status.as_u16(), again.body), (304, Value::Null));
        // The same as the log gives it.
        let log = anon.get(&format!("{path}/log?limit=200")).await.ok();
        for (entry, told) in log["items"].as_array().unwrap().iter().zip(bundle["log"].as_array().unwrap()) {
            assert_eq!(entry, told);
        }
    }
}

#[tokio::test]
async fn an_audit_opens_when_the_game_is_over_and_for_who_may_see_it() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let audit = format!("{path}/audit");
    for caller in [&players[0], &app.anon(), &app.admin("root").await] {
        assert_eq!(caller.get(&audit).await.code(), "not_finished");
    }
    let admin = app.at(&app.admin("boss").await);
    admin.post(&format!("{path}/abort"), &json!({})).await.ok();
    let bundle = app.anon().get(&audit).await.ok();
    assert_eq!((&bundle["outcome"], &bundle["game"]["kind"]), (&Value::Null, &json!("royal_gambit")));
    assert_eq!(app.anon().post("/v1/audit/verify", &bundle).await.ok()["ok"], true);

    let ann = app.user("ann").await;
    let wanted = json!({"kind": "royal_gambit", "visibility": "private", "sit": true});
    let game = ann.post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    ann.post(&format!("{path}/abort"), &json!({})).await.ok();
    let audit = format!("{path}/audit");
    assert_eq!(app.anon().get(&audit).await.code(), "game_not_found");
    assert_eq!(players[0].get(&audit).await.code(), "game_not_found");
    let bundle = ann.get(&audit).await.ok();
    assert_eq!(app.anon().post("/v1/audit/verify", &bundle).await.ok()["ok"], true, "none sat but one");
}

#[tokio::test]
async fn anything_can_be_sent_to_be_verified_and_only_truth_passes() {
    let app = TestApp::start().await;
    let anon = app.anon();
    let path = played(&app, "sevens", 12).await;
    let bundle = anon.get(&format!("{path}/audit")).await.ok();
    let mut changed = bundle.clone();
    changed["outcome"]["winners"] = json!([]);
    let report = anon.post("/v1/audit/verify", &changed).await.ok();
    assert_eq!(report["ok"], false);
    let wrong: Vec<&Value> =
        report["checks"].as_array().unwrap().iter().filter(|check| check["ok"] == false).collect();
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert_eq!(wrong[0]["name"], "outcome");
    // A true game, but of another house.
    let elsewhere = Game::played_for(by_name("sevens").unwrap(), &mut Dice::new(4), usize::MAX);
    let foreign: Value = serde_json::from_str(&elsewhere.bundle(&key(1))).unwrap();
    let report = anon.post("/v1/audit/verify", &foreign).await.ok();
    assert_eq!((&report["ok"], &report["checks"][0]["name"]), (&json!(false), &json!("signature")));

    for body in [json!({}), json!([]), json!({"format": "cardroom.audit/1"})] {
        assert_eq!(anon.post("/v1/audit/verify", &body).await.code(), "not_a_bundle");
    }
    let send = async |kind: &str, body: Vec<u8>| {
        let caller = anon.clone().with("content-type", kind);
        caller.send(reqwest::Method::POST, "/v1/audit/verify", body).await
    };
    assert_eq!(send("application/json", b"nonsense".to_vec()).await.code(), "not_a_bundle");
    assert_eq!(send("application/json", vec![0xff, 0xfe]).await.code(), "not_a_bundle");
    assert_eq!(send("text/plain", b"{}".to_vec()).await.code(), "unsupported_media_type");
    assert_eq!(send("application/json", vec![b' '; 33 * 1024 * 1024]).await.code(), "body_too_large");
}

#[tokio::test]
async fn the_answer_to_an_action_is_a_receipt() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let mut receipts = Vec::new();
    for n in 0..6 {
        let game = players[0].get(&path).await.ok();
        let caller = players[turn(&game)].clone().with("idempotency-key", &format!("move-{n}"));
        let menu = caller.get(&path).await.ok()["legal_actions"].clone();
        let mut action = json!({"type": menu[0]["type"]});
        if let Some(seats) = menu[0]["params"]["seat"]["from"].as_array() {
            action["seat"] = seats[0].clone();
        }
        let actions = format!("{path}/actions");
        let answer = caller.post(&actions, &action).await.ok();
        let again = caller.post(&actions, &action).await;
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.ok(), answer);
        receipts.push((answer["seq"].as_u64().unwrap(), answer["hash"].clone()));
    }
    // While the game runs, and in the bundle.
    app.admin("root").await.post(&format!("{path}/abort"), &json!({})).await.ok();
    let log = players[0].get(&format!("{path}/log?limit=200")).await.ok()["items"].clone();
    let bundle = players[0].get(&format!("{path}/audit")).await.ok();
    for (seq, hash) in receipts {
        for log in [&log, &bundle["log"]] {
            assert_eq!(log[seq as usize - 1]["hash"], hash);
        }
    }
}

/// Puts a game that was played in memory into the database, as if it had been played there.
async fn store(app: &TestApp, game: &Game) {
    let table = &game.table;
    let created: Value = serde_json::from_str(&game.log[0].text).unwrap();
    let at = game.log[0].entry.at.0;
    let made = NewGame {
        server_seed: *table.seed().bytes(),
        kind: created["data"]["kind"].as_str().unwrap().to_owned(),
        rules_version: 1,
        options: created["data"]["options"].to_string(),
        seats: 2,
        visibility: "public",
        created_by: uuid::Uuid::nil(),
        created_at: at,
        idempotency_key: None,
        turn_seconds: None,
        bank_seconds: 0,
        rematch_of: None,
        guest_network: None,
        is_rated: true,
    };
    let entries = game.log.iter().map(|sealed| NewEntry {
        seq: sealed.entry.seq as i32,
        entry: sealed.text.clone(),
        hash: sealed.hash.0,
    });
    let append = Append { game_id: table.id, entries: entries.collect(), claim: None, due: Due::Unchanged };
    let status = if table.outcome().is_some() { Status::Finished } else { Status::Aborted };
    let end = End { status, at: game.log.last().unwrap().entry.at.0, results: Vec::new() };
    let changes = vec![Change::Made(Box::new(made)), Change::Ended(end)];
    Log::start(Database::clone(&app.app.database), 1).append_with(append, changes, u32::MAX).await.unwrap();
}

#[tokio::test]
async fn a_game_of_ten_thousand_entries_is_audited_like_any_other() {
    let app = TestApp::start().await;
    let options = long("ritunas_favour", &json!({"hands": 1000, "charge": 0}));
    let kind = by_name("ritunas_favour").unwrap();
    let game = Game::of(kind, options, kind.max_seats, &mut Dice::new(1), usize::MAX);
    assert!(game.log.len() > 10_000, "{}", game.log.len());
    store(&app, &game).await;
    // The game may be a private one.
    let admin = app.admin("root").await;
    let bundle = admin.get(&format!("/v1/games/{}/audit", game.table.id)).await.ok();
    let mut here: Value = serde_json::from_str(&game.bundle(&key(1))).unwrap();
    here["signature"] = bundle["signature"].clone();
    assert_eq!(bundle, here);
    let report = app.anon().post("/v1/audit/verify", &bundle).await.ok();
    assert_eq!(report["ok"], true, "{report:#}");
}

/// The games' ids in an export, each of whose lines is a true bundle.
pub async fn exported(caller: &Client, query: &str) -> Vec<String> {
    let body = caller.get(&format!("/v1/audit/games{query}")).await.ok();
    let lines = body.as_str().unwrap_or_default().lines();
    lines
        .map(|line| {
            let bundle = audit::Bundle::parse(line).unwrap();
            let report = audit::verify(&bundle, &audit::Keys::Bundled, &[]);
            assert!(report.ok, "{report:#?}");
            serde_json::from_str::<Value>(bundle.game().get()).unwrap()["id"].as_str().unwrap().to_owned()
        })
        .collect()
}

#[tokio::test]
async fn games_are_exported_to_those_who_may_and_an_export_goes_on_where_it_broke_off() {
    let app = TestApp::start().await;
    let kinds = ["sevens", "royal_gambit"].map(|kind| by_name(kind).unwrap());
    let mut games: Vec<Game> =
        (0..12).map(|n| Game::played_for(kinds[n % 2], &mut Dice::new(n as u64), 60)).collect();
    games.sort_by_key(|game| (game.log.last().unwrap().entry.at.0, game.table.id));
    for game in &games {
        store(&app, game).await;
    }
    let mut ids: Vec<String> = games.iter().map(|game| game.table.id.to_string()).collect();
    // These games have lasted for minutes by their own clock.
    app.clock.advance(3600);
    let (ann, bob, root) = (app.user("ann").await, app.user("bob").await, app.admin("root").await);
    let private =
        ann.post("/v1/games", &json!({"kind": "ricketts_hearts", "visibility": "private"})).await.ok();
    let id = private["id"].as_str().unwrap().to_owned();
    ann.post(&format!("/v1/games/{id}/abort"), &json!({})).await.ok();
    ids.push(id);
    let public = &ids[..12];
    let anon = app.anon();
    app.clock.advance(300);
    assert_eq!(exported(&anon, "").await, public);
    assert_eq!(exported(&bob, "").await, public);
    assert_eq!(exported(&ann, "").await, ids, "her own private game, too");
    assert_eq!(exported(&root, "").await, ids);

    let sevens = exported(&root, "?kind=sevens").await;
    assert_eq!(sevens.len(), 6);
    let kinds = [sevens, exported(&root, "?kind=royal_gambit").await].concat();
    assert_eq!(kinds.len(), 12);

    for (n, id) in ids.iter().enumerate() {
        let rest = exported(&root, &format!("?cursor={id}")).await;
        assert_eq!(rest, ids[n + 1..], "after {n}");
    }
    assert_eq!(anon.get(&format!("/v1/audit/games?cursor={}", ids[12])).await.code(), "game_not_found");

    let time = |n: usize| games[n].log.last().unwrap().entry.at.0;
    let span = exported(&root, &format!("?from={}&before={}", time(2), time(9))).await;
    let within = (0..12).filter(|&n| time(n) >= time(2) && time(n) < time(9));
    assert_eq!(span, within.map(|n| ids[n].clone()).collect::<Vec<_>>());

    for query in ["?kind=poker", "?from=yesterday", "?limit=3", "?cursor=1"] {
        assert_eq!(anon.get(&format!("/v1/audit/games{query}")).await.code(), "invalid_parameter");
    }
}

#[tokio::test]
async fn a_game_that_ended_a_moment_ago_comes_with_the_next_export() {
    let app = TestApp::start().await;
    let (path, _) = started(&app, 2).await;
    app.admin("root").await.post(&format!("{path}/abort"), &json!({})).await.ok();
    app.clock.advance(9);
    assert!(exported(&app.anon(), "").await.is_empty());
    app.clock.advance(2);
    assert_eq!(exported(&app.anon(), "").await, [path.trim_start_matches("/v1/games/")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_audits_a_url() {
    let app = TestApp::start().await;
    let path = played(&app, "ritunas_favour", 13).await;
    let (base, jwks) = (app.base().to_owned(), format!("{}/.well-known/jwks.json", app.base()));
    let audit = |path: String| {
        let arguments = ["audit".to_owned(), format!("{base}{path}"), "--keys".to_owned(), jwks.clone()];
        Command::new(env!("CARGO_BIN_EXE_cardroom")).args(arguments).output().unwrap()
    };
    let output = audit(format!("{path}/audit"));
    assert!(output.status.success(), "{output:?}");
    let output = audit("/v1/games/018f0000-0000-7000-8000-000000000000/audit".to_owned());
    assert!(!output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().contains("404"));
}

/// Everything of the house's that a player sees while the game runs, as keys and salts to try.
fn guesses(game: &Value, log: &[Value]) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = vec![Vec::new(), vec![0; 32]];
    let mut hex = |word: &Value| {
        let text = word.as_str().unwrap();
        words.push(text.as_bytes().to_vec());
        if let Ok(bytes) = text.parse::<Hex32>() {
            words.push(bytes.0.to_vec());
        }
    };
    hex(&game["fairness"]["commitment"]);
    hex(&game["id"]);
    log.iter().for_each(|entry| hex(&entry["hash"]));
    for entry in log.iter().filter(|entry| entry["type"] == "seated") {
        words.push(entry["data"]["client_seed"].as_str().unwrap().as_bytes().to_vec());
    }
    words
}

/// The cards that the traded card can have been, by a hash that was published.
fn candidates(before: &Value, entry: &Value, deck: &[&str], salts: &[Vec<u8>]) -> Vec<String> {
    let before: Hex32 = serde_json::from_value(before.clone()).unwrap();
    let hits = deck.iter().filter(|card| {
        let mut guess = entry.clone();
        let hash = guess.as_object_mut().unwrap().remove("hash").unwrap();
        guess["data"]["action"]["trade"] = json!([card]);
        let text = chain::canonical(&guess);
        salts.iter().any(|salt| {
            let digest =
                Sha256::new().chain_update(before.0).chain_update(salt).chain_update(&text).finalize();
            json!(Hex32(digest.into())) == hash
        })
    });
    hits.map(|card| (*card).to_owned()).collect()
}

#[tokio::test]
async fn nothing_that_the_house_publishes_tells_a_hidden_card_before_the_end() {
    let app = TestApp::start().await;
    let players = [app.guest().await, app.guest().await];
    let wanted =
        json!({"kind": "sevens", "seats": 2, "sit": true, "options": {"hands": 1}, "client_seed": "a"});
    let made = players[0].post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", made["id"].as_str().unwrap());
    players[1].post(&format!("{path}/seats"), &json!({"client_seed": "b"})).await.ok();
    let trader = turn(&players[0].get(&path).await.ok());
    let menu = players[trader].get(&path).await.ok()["legal_actions"].clone();
    let card = menu[0]["params"]["trade"]["from"][0].clone();
    let action = json!({"type": "check", "trade": [card]});
    let answer = players[trader].post(&format!("{path}/actions"), &action).await.ok();
    let seq = answer["seq"].as_u64().unwrap() as usize;

    let spy = &players[1 - trader];
    let game = spy.get(&path).await.ok();
    let log = spy.get(&format!("{path}/log?limit=200")).await.ok()["items"].as_array().unwrap().clone();
    assert_eq!(log[seq - 1]["data"]["action"]["trade"], json!([null]), "this is what is hidden");
    let words = guesses(&game, &log);
    let mut salts = words.clone();
    for key in &words {
        let salt = |message: String| {
            let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
            mac.update(message.as_bytes());
            mac.finalize().into_bytes().to_vec()
        };
        salts.extend([salt(format!("salt:{seq}")), Sha256::digest(key).to_vec()]);
    }
    let deck = ["C", "G", "S"].map(|suit| [1, 2, 3, 4, 5, 6].map(|n| format!("{n}{suit}"))).concat();
    let deck: Vec<&str> = deck.iter().map(String::as_str).collect();
    let found = candidates(&log[seq - 2]["hash"], &log[seq - 1], &deck, &salts);
    assert!(found.is_empty(), "{found:?}");

    // With the seed, which is shown at the end, the same search finds the card: it was able to.
    spy.post(&format!("{path}/actions"), &json!({"type": "fold"})).await.ok();
    let end = spy.get(&path).await.ok();
    let seed: Hex32 = serde_json::from_value(end["fairness"]["server_seed"].clone()).unwrap();
    let salt = chain::salt(&Seed::new(seed.0), seq as u32).to_vec();
    let found = candidates(&log[seq - 2]["hash"], &log[seq - 1], &deck, &[salt]);
    assert_eq!(json!(found), json!([card]));
}

#[test]
fn a_signature_is_made_for_one_log() {
    let signed = Signed { game: uuid::Uuid::nil(), version: 3, hash: chain::GENESIS };
    assert_eq!(key(1).sign_log(&signed), key(1).sign_log(&signed), "the same again and again");
    assert_ne!(key(1).sign_log(&signed), key(1).sign_log(&Signed { version: 4, ..signed.clone() }));
    assert_ne!(key(1).sign_log(&signed), key(2).sign_log(&signed));
}
