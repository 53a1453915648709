//! Conditions of entry, the waiting list, roles, teams and prescribed tables.

use std::process::Command;

use serde_json::{Value, json};

use super::{bots, enter, made, play};
use crate::api::app::TestApp;
use crate::api::client::Client;
use crate::api::contract::{DOCUMENT, resolved};
use crate::random::dice::Dice;
use crate::random::orders::list;

/// Accounts with these names.
async fn users<const N: usize>(app: &TestApp, names: [&str; N]) -> [Client; N] {
    let mut users = Vec::new();
    for name in names {
        users.push(app.user(name).await);
    }
    users.try_into().unwrap_or_else(|_| unreachable!("there are as many"))
}

#[tokio::test]
async fn players_enter_who_meet_the_conditions_and_others_wait_for_a_place() {
    let app = TestApp::start().await;
    let [olga, ann, ben, cleo] = users(&app, ["olga", "ann", "ben", "cleo"]).await;
    let conditions = json!({"accounts_only": true, "rating_to": 4000});
    let admission = json!({"type": "limited", "max": 2, "waiting_list": true});
    let path = made(&olga, json!({"conditions": conditions, "admission": admission})).await;
    let entries = format!("{path}/entries");
    let refused = app.guest().await.post(&entries, &json!({})).await;
    assert_eq!((refused.code(), refused.status.as_u16()), ("not_eligible", 403));
    enter(&path, &[ann.clone(), ben.clone(), cleo.clone()]).await;
    let seen = cleo.get(&path).await.ok();
    assert_eq!((&seen["entrants"], &seen["waiting"]), (&json!(2), &json!(1)));
    assert_eq!(seen["you"]["waiting"], true);
    let listed = olga.get(&entries).await.ok();
    let waiting: Vec<&Value> = list(&listed["items"]).iter().map(|entrant| &entrant["waiting"]).collect();
    assert_eq!(waiting, [false, false, true]);
    let standings = olga.get(&format!("{path}/standings")).await.ok();
    assert_eq!(standings["items"][2]["status"], "waiting");

    let mut stream = cleo.stream("/v1/me/stream").await;
    ben.delete(&format!("{entries}/me")).await.ok();
    loop {
        let notice = stream.next().await.unwrap().json();
        if notice["type"] == "place_freed" {
            assert_eq!(notice["tournament"]["id"], seen["id"]);
            break;
        }
    }
    assert_eq!(cleo.get(&path).await.ok()["you"]["waiting"], false);

    // A rating that nobody has.
    let path = made(&olga, json!({"conditions": {"rating_from": 1}})).await;
    assert_eq!(ann.post(&format!("{path}/entries"), &json!({})).await.code(), "not_eligible");
    olga.post(&format!("{path}/entries/bulk"), &json!({"entries": [{"player": "ann"}]})).await.ok();
}

#[tokio::test]
async fn referees_decide_at_the_tables_and_directors_run_the_tournament() {
    let app = TestApp::start().await;
    let [olga, ann, ben] = users(&app, ["olga", "ann", "ben"]).await;
    let path = made(&olga, json!({})).await;
    bots(&olga, &path, "random", 3).await;
    let organisers = format!("{path}/organisers");
    let mut stream = ben.stream("/v1/me/stream").await;
    olga.post(&organisers, &json!({"player": "ann"})).await.ok();
    olga.post(&organisers, &json!({"player": "ben", "role": "referee"})).await.ok();
    loop {
        let notice = stream.next().await.unwrap().json();
        if notice["type"] == "organiser_named" {
            assert_eq!(notice["role"], "referee");
            break;
        }
    }
    assert_eq!(
        olga.post(&organisers, &json!({"player": "ann", "role": "owner"})).await.code(),
        "invalid_body"
    );
    let role = &resolved(&DOCUMENT["components"]["schemas"]["NameOrganiser"]["properties"]["role"])["enum"];
    assert_eq!(*role, json!(["referee", "director"]), "an owner is not named");
    let refused = ben.post(&format!("{path}/start"), &json!({})).await;
    assert_eq!((refused.code(), refused.status.as_u16()), ("not_director", 403));
    let announcement = json!({"text": "Round 1 begins at three."});
    ben.post(&format!("{path}/announcements"), &announcement).await.ok();
    ann.post(&format!("{path}/start"), &json!({})).await.ok();
    // The owner alone dismisses others; organisers may step down.
    assert_eq!(ann.delete(&format!("{organisers}/ben")).await.code(), "not_creator");
    assert_eq!(olga.delete(&format!("{organisers}/cleo")).await.code(), "organiser_not_found");
    olga.delete(&format!("{organisers}/ben")).await.ok();
    assert_eq!(ben.post(&format!("{path}/announcements"), &announcement).await.code(), "not_organiser");
    let refused = olga.delete(&format!("{organisers}/olga")).await;
    assert_eq!((refused.code(), refused.status.as_u16()), ("owner_stays", 409));
    let left = ann.delete(&format!("{organisers}/ann")).await.ok();
    assert_eq!(left["organisers"], json!([{"player": "olga", "role": "owner"}]));
    // What they organise no longer is none of their tournaments.
    assert_eq!(ann.get("/v1/me/tournaments").await.ok()["items"], json!([]));
    olga.post(&organisers, &json!({"player": "ann"})).await.ok();
    assert_eq!(list(&ann.get("/v1/me/tournaments").await.ok()["items"]).len(), 1);
}

#[tokio::test]
async fn the_number_of_organisers_is_no_matter_of_the_body() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({})).await;
    let mut last = None;
    for n in 0..20 {
        let name = format!("helper{n}");
        app.user(&name).await;
        last = Some(olga.post(&format!("{path}/organisers"), &json!({"player": name})).await);
    }
    let refused = last.unwrap();
    assert_eq!((refused.code(), refused.status.as_u16()), ("too_many_changes", 409));
}

#[tokio::test]
async fn teams_sit_apart_and_count_together() {
    let app = TestApp::start().await;
    let [olga, ann, ben, cleo] = users(&app, ["olga", "ann", "ben", "cleo"]).await;
    let change = json!({"teams": {"size": 2}, "table_size": 2, "format":
        {"type": "rounds", "rounds": 2, "seating": "balanced"}});
    let path = made(&olga, change).await;
    let entries = format!("{path}/entries");
    assert_eq!(ann.post(&entries, &json!({})).await.code(), "team_required");
    let enter = async |player: &Client, team: &str| player.post(&entries, &json!({"team": team})).await;
    assert_eq!(enter(&ann, "=1+1").await.ok()["you"]["team"], "=1+1");
    assert_eq!(enter(&ben, "=1+1").await.status, 201);
    let refused = enter(&cleo, "=1+1").await;
    assert_eq!((refused.code(), refused.status.as_u16()), ("team_full", 409));
    assert_eq!(enter(&cleo, "Owls").await.status, 201);
    let rows = json!({"entries": [{"bot": "random", "team": "owls"}, {"bot": "random", "team": "owls"}]});
    let refused = olga.post(&format!("{entries}/bulk"), &rows).await;
    assert_eq!(refused.code(), "team_full");
    assert!(refused.body["detail"].as_str().unwrap().starts_with("row 2: "), "{}", refused.body);
    olga.post(&format!("{path}/bots"), &json!({"policy": "random", "team": "owls"})).await.ok();
    let team = format!("{entries}/cleo/team");
    assert_eq!(cleo.put(&team, &json!({"team": "Foxes"})).await.code(), "not_organiser");
    olga.put(&team, &json!({"team": null})).await.ok();
    olga.put(&team, &json!({"team": "Owls"})).await.ok();

    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    play(&app, &path, &[ann.clone(), ben.clone(), cleo.clone()], &mut Dice::new(1)).await;
    let done = olga.get(&path).await.ok();
    for round in list(&done["rounds"]) {
        for table in list(&round["tables"]) {
            let names = list(&table["players"]);
            assert!(names.contains(&json!("ann")) != names.contains(&json!("ben")), "{table}");
        }
    }
    let standings = olga.get(&format!("{path}/standings")).await.ok();
    let result = |player: &Value| {
        let row = list(&standings["items"]).iter().find(|row| row["player"] == *player).unwrap();
        row["result"].as_f64().unwrap()
    };
    let teams = olga.get(&format!("{path}/teams")).await.ok();
    assert_eq!(list(&teams["items"]).len(), 2);
    for team in list(&teams["items"]) {
        let sum: f64 = list(&team["members"]).iter().map(|member| result(&member["player"])).sum();
        assert!((team["result"].as_f64().unwrap() - sum).abs() < 1e-9, "{team}");
    }
    let first = olga.get(&format!("{path}/teams?limit=1")).await.ok();
    assert_eq!((&first["items"][0], &first["next"]), (&teams["items"][0], &json!(1)));
    let sheet = olga.get(&format!("{path}/teams?format=csv")).await.ok();
    let sheet = sheet.as_str().unwrap();
    assert_eq!(sheet.lines().count(), 5);
    assert!(sheet.contains(",'=1+1,"), "no spreadsheet computes a name: {sheet}");

    // An audit draws each round again, and finds rematches that are told wrongly.
    app.clock.advance(11);
    let bundle = olga.get(&format!("{path}/audit")).await.ok();
    let games = format!("/v1/audit/games?tournament={}", done["id"].as_str().unwrap());
    let games = app.anon().get(&games).await.ok();
    let file = std::env::temp_dir().join(format!("cardroom-teams-{}.jsonl", std::process::id()));
    let audited = |bundle: &Value| {
        std::fs::write(&file, format!("{bundle}\n{}", games.as_str().unwrap())).unwrap();
        let audit = Command::new(env!("CARGO_BIN_EXE_cardroom")).arg("audit").arg(&file).output().unwrap();
        (audit.status.success(), String::from_utf8(audit.stdout).unwrap())
    };
    let (is_right, words) = audited(&bundle);
    assert!(is_right, "{words}");
    let mut tampered = bundle.clone();
    let log = tampered["log"].as_array_mut().unwrap();
    let began = log.iter_mut().rfind(|entry| entry["type"] == "round_began").unwrap();
    began["data"]["rematches"]["pairs"] = json!(1 + began["data"]["rematches"]["pairs"].as_u64().unwrap());
    let (is_right, words) = audited(&tampered);
    assert!(!is_right && words.contains("WRONG  rounds"), "{words}");
    std::fs::remove_file(file).unwrap();
}

#[tokio::test]
async fn a_round_is_played_at_the_tables_that_a_director_prescribes() {
    let app = TestApp::start().await;
    let [olga, ann] = users(&app, ["olga", "ann"]).await;
    let path = made(&olga, json!({"table_size": 2, "pause_after_rounds": true})).await;
    bots(&olga, &path, "random", 4).await;
    enter(&path, std::slice::from_ref(&ann)).await;
    let tables = json!({"tables": [["random 4", "random 1"], ["random 2", "ann"]]});
    assert_eq!(ann.put(&format!("{path}/rounds/1/tables"), &tables).await.code(), "not_organiser");
    for bad in [
        json!({"tables": []}),
        json!({"tables": [["random 1"]]}),
        json!({"tables": [["random 1", "random 1"]]}),
        json!({"tables": [["random 1", "random 2", "ann"]]}),
    ] {
        let refused = olga.put(&format!("{path}/rounds/1/tables"), &bad).await;
        assert_eq!(refused.code(), "invalid_body", "{bad}");
    }
    let unknown = json!({"tables": [["random 1", "zoe"]]});
    assert_eq!(olga.put(&format!("{path}/rounds/1/tables"), &unknown).await.code(), "entrant_not_found");
    let told = olga.put(&format!("{path}/rounds/1/tables"), &tables).await.ok()["prescribed"].clone();
    let expected = json!({
        "round": 1, "tables": tables["tables"], "table_count": 2, "byes": ["random 3"], "bye_count": 1,
    });
    assert_eq!(told, expected);
    let taken_back = olga.delete(&format!("{path}/rounds/1/tables")).await.ok();
    assert_eq!(taken_back["prescribed"], Value::Null);
    olga.put(&format!("{path}/rounds/1/tables"), &tables).await.ok();
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    app.tick().await;
    let drawn = olga.get(&path).await.ok();
    let mut seated: Vec<Vec<String>> = list(&drawn["rounds"][0]["tables"])
        .iter()
        .map(|table| list(&table["players"]).iter().map(|name| name.as_str().unwrap().to_owned()).collect())
        .collect();
    seated.iter_mut().for_each(|table| table.sort());
    assert_eq!(seated, [["random 1", "random 4"], ["ann", "random 2"]]);
    assert_eq!(drawn["rounds"][0]["byes"], json!(["random 3"]));
    assert_eq!(drawn["prescribed"], Value::Null);
}
