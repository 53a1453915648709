//! The tournament that the room was made for: Knights' Heads by courts of knights, sixty entrants at tables of six, with
//! an organiser who does not play. Two come late, one is disqualified and taken back, a table is played once more. Then
//! everything is checked again without the service.

use std::fs;
use std::process::{Command, Output};

use reqwest::Method;
use serde_json::{Value, json};

use super::{bots, enter, made, move_on};
use crate::api::app::TestApp;
use crate::random::dice::Dice;
use crate::random::orders::list;

const ROUNDS: usize = 3;

#[tokio::test]
async fn a_tournament_of_sixty_is_audited_offline_and_counted_again_in_python() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let people = [app.user("ann").await, app.user("ben").await];
    let late = [app.user("cleo").await, app.user("dora").await];
    let path = made(
        &olga,
        json!({
            "name": "Courts of knights", "kind": "knights_heads", "options": {"hands": 3}, "table_size": 6,
            "format": {"type": "rounds", "rounds": ROUNDS, "seating": "swiss"}, "result": {"type": "chips"},
            "scoring": {"type": "courts_of_knights"}, "late_entry": {"until_round": 2, "missed": "nothing"},
            "turn_seconds": 600, "no_show_limit": 3,
        }),
    )
    .await;
    enter(&path, &people).await;
    bots(&olga, &path, "steady", 56).await;
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    enter(&path, &late).await;
    let act = async |what: &str, body: Value| olga.post(&format!("{path}/{what}"), &body).await.ok();
    let game = olga.get(&path).await.ok()["rounds"][0]["tables"][1]["game"].clone();
    act("rounds/1/tables/2/redo", json!({"game": game, "reason": "a wrong deck"})).await;
    act("entries/ben/disqualify", json!({"reason": "two phones"})).await;
    act("entries/ben/reinstate", json!(null)).await;
    act("penalties", json!({"player": "ann", "reason": "late at the table", "result": -5})).await;
    act("rounds/1/tables/1/time", json!({"seconds": 300})).await;
    act("pause", json!({"reason": "a fire alarm", "stop_clocks": true})).await;
    app.tick().await;
    act("resume", json!(null)).await;
    let everybody = [people, late].concat();
    let mut dice = Dice::new(60);
    let tournament = loop {
        app.tick().await;
        if !move_on(&path, &everybody, &mut dice).await {
            app.clock.advance(1);
        }
        let tournament = olga.get(&path).await.ok();
        if tournament["status"] != "active" {
            break tournament;
        }
    };
    assert_eq!(tournament["status"], "finished");
    let rounds = list(&tournament["rounds"]);
    let seated = |round: &Value| -> usize {
        list(&round["tables"]).iter().map(|table| list(&table["players"]).len()).sum()
    };
    assert_eq!(rounds.iter().map(seated).collect::<Vec<_>>(), [58, 60, 60]);
    assert!(list(&rounds[1]["tables"]).iter().all(|table| list(&table["players"]).len() == 6));

    // The bundles of tournament and games, in one file.
    app.clock.advance(11);
    let anon = app.anon();
    let text = async |path: String| match anon.get(&path).await.ok() {
        Value::String(text) => text,
        json => format!("{json}\n"),
    };
    let bundle = text(format!("{path}/audit")).await;
    let id = tournament["id"].as_str().unwrap();
    let games = text(format!("/v1/audit/games?tournament={id}")).await;
    assert_eq!(games.lines().count(), 31, "ten tables in each round, and one that was played once more");
    let folder = std::env::temp_dir().join(format!("cardroom-official-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let keys = write("keys.json", &text("/.well-known/jwks.json".to_owned()).await);
    let audited = |text: &str| audit(&write("all.jsonl", text), &keys);
    let whole = bundle.clone() + &games;
    let told = audited(&whole);
    assert!(told.status.success(), "{told:?}");
    let words = String::from_utf8(told.stdout).unwrap();
    assert!(words.contains("tournament \"Courts of knights\"") && !words.contains("WRONG"), "{words}");
    let counted =
        Command::new("python3").args(["docs/count.py", &write("all.jsonl", &whole)]).output().unwrap();
    assert!(counted.status.success(), "{counted:?}");
    assert_eq!(String::from_utf8(counted.stdout).unwrap().lines().count(), 60);

    // Whatever is changed is found, and named.
    let mut lines: Vec<&str> = games.lines().collect();
    lines.remove(7);
    let tampered = |change: &dyn Fn(&mut Value)| {
        let mut value: Value = serde_json::from_str(&bundle).unwrap();
        change(&mut value);
        format!("{value}\n{games}")
    };
    let began = |bundle: &Value, nth: usize| {
        let log = list(&bundle["log"]);
        let rounds = log.iter().enumerate().filter(|(_, entry)| entry["type"] == "round_began");
        rounds.map(|(at, _)| at).nth(nth).unwrap()
    };
    for (check, text) in [
        ("games", format!("{bundle}{}\n", lines.join("\n"))),
        ("standings", tampered(&|bundle| bundle["standings"][0]["result"] = json!(9999))),
        ("tournament", tampered(&|bundle| bundle["tournament"]["name"] = json!("Another cup"))),
        ("signature", tampered(&|bundle| drop(bundle["log"].as_array_mut().unwrap().pop()))),
        (
            "rounds",
            tampered(&|bundle| {
                // Two players of the second round change their tables.
                let at = began(bundle, 1);
                let tables = &mut bundle["log"][at]["data"]["tables"];
                let (one, other) = (tables[0]["seats"][0].clone(), tables[1]["seats"][0].clone());
                tables[0]["seats"][0] = other;
                tables[1]["seats"][0] = one;
            }),
        ),
        (
            "log",
            tampered(&|bundle| {
                let at = began(bundle, 0);
                bundle["log"][at]["data"]["lots"].as_array_mut().unwrap().swap(0, 1);
            }),
        ),
        ("commitment", tampered(&|bundle| bundle["fairness"]["commitment"] = json!("00".repeat(32)))),
    ] {
        let told = audited(&text);
        assert!(!told.status.success(), "{check}");
        let words = String::from_utf8(told.stdout).unwrap();
        let line = format!("WRONG  {check}");
        assert!(words.lines().any(|told| told.trim_start().starts_with(&line)), "{check}: {words}");
    }
    fs::remove_dir_all(folder).unwrap();
}

fn audit(file: &str, keys: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardroom")).args(["audit", file, "--keys", keys]).output().unwrap()
}

#[tokio::test]
async fn a_tournament_shows_its_audit_when_it_is_over() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({})).await;
    // Bots alone would play to the end at once.
    enter(&path, &[app.user("ann").await]).await;
    bots(&olga, &path, "steady", 3).await;
    let audit = format!("{path}/audit");
    assert_eq!(app.anon().get(&audit).await.code(), "not_finished");
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    assert_eq!(app.anon().get(&audit).await.code(), "not_finished");
    olga.post(&format!("{path}/abort"), &json!(null)).await.ok();
    assert_eq!(app.anon().get(&audit).await.code(), "not_finished", "its games are still to be called off");
    app.tick().await;
    let told = app.anon().get(&audit).await;
    let etag = told.header("etag").unwrap().to_owned();
    assert_eq!(told.ok()["tournament"]["status"], "aborted");
    let again = app.anon().with("If-None-Match", &etag).send(Method::GET, &audit, Vec::new()).await;
    assert_eq!(again.status, 304);
    assert_eq!(
        app.anon().get(&format!("/v1/tournaments/{}/audit", uuid::Uuid::nil())).await.code(),
        "tournament_not_found"
    );
}
