//! Groups, and the knockout after them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{bots, enter, made, play, standings};
use crate::api::app::TestApp;
use crate::random::dice::Dice;
use crate::random::orders::list;

#[tokio::test]
async fn the_best_of_each_group_play_a_knockout() {
    let app = TestApp::start().await;
    let [olga, ann] = [app.user("olga").await, app.user("ann").await];
    let format = json!({"type": "groups", "groups": 3, "rounds": 3, "qualify": 2, "advance": 1});
    let bad = json!({"name": "Cup", "kind": "sevens", "table_size": 2, "format": format, "duplicate": true});
    assert_eq!(olga.post("/v1/tournaments", &bad).await.code(), "invalid_options");
    let path = made(&olga, json!({"format": format, "table_size": 2})).await;
    enter(&path, std::slice::from_ref(&ann)).await;
    bots(&olga, &path, "random", 4).await;
    assert_eq!(olga.post(&format!("{path}/start"), &json!(null)).await.code(), "too_few_entrants");
    bots(&olga, &path, "random", 7).await;
    assert!(
        standings(&ann, &path).await.iter().all(|row| row.get("group").is_none()),
        "no group before the lots"
    );
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    let tournament = play(&app, &path, std::slice::from_ref(&ann), &mut Dice::new(3)).await;
    assert_eq!(tournament["status"], "finished");

    let rows = standings(&ann, &path).await;
    let group: BTreeMap<&str, u64> =
        rows.iter().map(|row| (row["player"].as_str().unwrap(), row["group"].as_u64().unwrap())).collect();
    let rounds = list(&tournament["rounds"]);
    let pair = |table: &Value| {
        let players = list(&table["players"]).iter().map(|player| group[player.as_str().unwrap()]);
        players.collect::<Vec<u64>>()
    };
    for round in &rounds[..3] {
        assert_eq!(list(&round["tables"]).len(), 6);
        assert!(list(&round["tables"]).iter().all(|table| pair(table)[0] == pair(table)[1]));
    }
    // Two of each of the three groups: nobody meets one of their own group at once.
    assert_eq!(list(&rounds[3]["tables"]).len(), 3);
    assert!(list(&rounds[3]["tables"]).iter().all(|table| pair(table)[0] != pair(table)[1]));
    for number in 1..=3 {
        let went_on = rows.iter().filter(|row| row["group"] == number && row["round"].as_u64() > Some(3));
        assert_eq!(went_on.count(), 2, "{rows:?}");
    }
    let sheet = ann.with("accept", "text/csv").get(&format!("{path}/standings")).await.ok();
    assert!(sheet.as_str().unwrap().lines().next().unwrap().ends_with(",team,group"));
}
