//! The tournament that the room was made for: Knights' Heads by courts of knights, sixty entrants at tables of six, with
//! an organiser who does not play. Two come late, one is disqualified and taken back, a table is played once more. Then
//! everything is checked again without the service.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use reqwest::Method;
use serde_json::{Value, json};

use super::offline::{Offline, bundles};
use super::{bots, enter, made, move_on, standings};
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
            "format": {"type": "rounds", "rounds": ROUNDS, "seating": "swiss"}, "result_by": {"type": "chips"},
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
    // Tables of bots are over by now; those at which somebody sits are not.
    for table in 1..=10 {
        act(&format!("rounds/1/tables/{table}/extra-time"), json!({"seconds": 300})).await;
    }
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
    let (bundle, games) = bundles(&app, &path).await;
    assert_eq!(games.lines().count(), 31, "ten tables in each round, and one that was played once more");
    let offline = Offline::new(&app).await;
    let whole = bundle.clone() + &games;
    let told = offline.audit(&whole);
    assert!(told.status.success(), "{told:?}");
    let words = String::from_utf8(told.stdout).unwrap();
    assert!(words.contains("tournament \"Courts of knights\"") && !words.contains("WRONG"), "{words}");
    let counted = Command::new("python3")
        .args(["docs/count.py", &offline.write("all.jsonl", &whole)])
        .output()
        .unwrap();
    assert!(counted.status.success(), "{counted:?}");
    assert_eq!(String::from_utf8(counted.stdout).unwrap().lines().count(), 60);
    let certificates = certificates_are_proved(&app, &path, &words).await;

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
        ("games", tampered(&|bundle| bundle["log"][0]["data"]["setup"]["turn_seconds"] = json!(599))),
        ("games", tampered(&|bundle| each(bundle, "time_added", &|data| data["seconds"] = json!(299)))),
        ("games", tampered(&|bundle| each(bundle, "paused", &|data| data["stop_clocks"] = json!(false)))),
        ("commitment", tampered(&|bundle| bundle["fairness"]["commitment"] = json!("00".repeat(32)))),
    ] {
        offline.finds(check, &text);
    }

    // An organiser can still put the winner out. Then others have won.
    let winner = certificates[0]["statement"]["winners"][0]["player"].as_str().unwrap();
    act(&format!("entries/{}/disqualify", winner.replace(' ', "%20")), json!({"reason": "marked cards"}))
        .await;
    let (bundle, games) = bundles(&app, &path).await;
    let told = offline.audit(&(bundle + &games));
    let words = String::from_utf8(told.stdout).unwrap();
    let after = certificates_are_proved(&app, &path, &words).await;
    assert_ne!(after[0]["hash"], certificates[0]["hash"]);
    let mut winners = after.iter().flat_map(|one| list(&one["statement"]["winners"]));
    assert!(winners.all(|one| one["player"] != winner));
}

/// Changes what each entry of this type says. The log has at least one.
fn each(bundle: &mut Value, kind: &str, change: &dyn Fn(&mut Value)) {
    let log = bundle["log"].as_array_mut().unwrap();
    let mut meant = log.iter_mut().filter(|entry| entry["type"] == kind).peekable();
    assert!(meant.peek().is_some());
    meant.for_each(|entry| change(&mut entry["data"]));
}

/// The certificates name those who have won, the audit tells the same, and the script of the documents comes to their hashes.
async fn certificates_are_proved(app: &TestApp, path: &str, words: &str) -> Vec<Value> {
    let told = app.anon().get(&format!("{path}/certificates")).await.ok();
    let rows = standings(&app.anon(), path).await;
    let best = rows.iter().filter_map(|row| row["score"].as_i64()).max().filter(|&best| best > 0);
    let all = list(&told["items"]).clone();
    assert_eq!(all.len(), 1 + usize::from(best.is_some()));
    for (one, ranking) in all.iter().zip(["result", "score"]) {
        let has_won = |row: &&Value| match ranking {
            "result" => row["place"] == 1,
            _ => row["score"].as_i64() == best && !row["place"].is_null(),
        };
        let mut winners: Vec<&Value> = rows.iter().filter(has_won).collect();
        winners.sort_by_key(|row| row["entrant"].as_u64());
        let names: Vec<&str> = winners.iter().map(|row| row["player"].as_str().unwrap()).collect();
        let statement = &one["statement"];
        let named = list(&statement["winners"]).iter().map(|winner| winner["player"].as_str().unwrap());
        assert_eq!((&statement["ranking"], named.collect::<Vec<_>>()), (&json!(ranking), names.clone()));
        let hash = one["hash"].as_str().unwrap();
        let line = format!("won by {ranking}: {}; certificate {hash}", names.join(", "));
        assert!(words.lines().any(|told| told.trim_start() == line), "{line}: {words}");
    }
    let page = fs::read_to_string("docs/tournaments.md").unwrap();
    let script = page.split("python3 -c '").nth(1).unwrap().split("'\n```").next().unwrap();
    let mut python = Command::new("python3")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    python.stdin.take().unwrap().write_all(told.to_string().as_bytes()).unwrap();
    let judged = python.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(judged.stdout).unwrap(), "True\n".repeat(all.len()));
    all
}

#[tokio::test]
async fn a_tournament_shows_its_audit_when_it_is_over() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({})).await;
    // Bots alone would play to the end at once.
    enter(&path, &[app.user("ann").await]).await;
    bots(&olga, &path, "steady", 3).await;
    let (audit, certificates) = (format!("{path}/audit"), format!("{path}/certificates"));
    for early in [&audit, &certificates] {
        assert_eq!(app.anon().get(early).await.code(), "not_finished");
    }
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    assert_eq!(app.anon().get(&audit).await.code(), "not_finished");
    olga.post(&format!("{path}/abort"), &json!(null)).await.ok();
    assert_eq!(app.anon().get(&audit).await.code(), "not_finished", "its games are still to be called off");
    app.tick().await;
    let told = app.anon().get(&audit).await;
    let etag = told.header("etag").unwrap().to_owned();
    assert_eq!(told.ok()["tournament"]["status"], "aborted");
    assert_eq!(app.anon().get(&certificates).await.code(), "was_aborted", "nobody has won it");
    let again = app.anon().with("If-None-Match", &etag).send(Method::GET, &audit, Vec::new()).await;
    assert_eq!(again.status, 304);
    for what in ["audit", "certificates"] {
        let none = format!("/v1/tournaments/{}/{what}", uuid::Uuid::nil());
        assert_eq!(app.anon().get(&none).await.code(), "tournament_not_found");
    }
}

#[tokio::test]
async fn an_admin_who_calls_a_table_off_is_named_in_its_log() {
    let app = TestApp::start().await;
    let (olga, admin) = (app.user("olga").await, app.admin("admin").await);
    let path = made(&olga, json!({"format": {"type": "rounds", "rounds": 1, "seating": "random"}})).await;
    enter(&path, &[app.user("ann").await]).await;
    bots(&olga, &path, "steady", 1).await;
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    let game = olga.get(&path).await.ok()["rounds"][0]["tables"][0]["game"].as_str().unwrap().to_owned();
    let abort = format!("/v1/games/{game}/abort");
    assert_eq!(olga.post(&abort, &json!(null)).await.code(), "not_seated", "the desk is where she does that");
    admin.post(&abort, &json!(null)).await.ok();
    let log = app.anon().get(&format!("/v1/games/{game}/log?limit=200")).await.ok();
    let last = list(&log["items"]).last().unwrap();
    assert_eq!((&last["type"], &last["by"]["player"]), (&json!("aborted"), &json!("admin")));
    assert_eq!(last["data"]["admin"], true);
    app.tick().await;
    assert_eq!(olga.get(&path).await.ok()["status"], "finished");
    let (bundle, games) = bundles(&app, &path).await;
    let told = Offline::new(&app).await.audit(&(bundle + &games));
    assert!(told.status.success(), "{told:?}");
}
