//! The rounds of large tournaments, which no answer shows whole.

use serde_json::{Value, json};

use super::{bots, made};
use crate::api::app::TestApp;
use crate::random::dice::Dice;
use crate::random::orders::list;

fn numbers<'a>(items: &'a Value, field: &'a str) -> impl Iterator<Item = u64> + 'a {
    list(items).iter().map(move |item| item[field].as_u64().unwrap())
}

#[tokio::test]
async fn a_tournament_shows_200_tables_and_a_list_has_all_of_them() {
    let app = TestApp::start().await;
    let (olga, anon) = (app.user("olga").await, app.anon());
    let path = made(&olga, json!({"table_size": 2, "pause_after_rounds": true})).await;
    bots(&olga, &path, "random", 411).await;
    assert_eq!(anon.get(&path).await.ok()["round"], 0);
    // The same bound holds for a round for which an organiser has said who sits together.
    let said = json!({"tables": [["random 1", "random 2"]]});
    let told = olga.put(&format!("{path}/rounds/1/tables"), &said).await.ok()["prescribed"].clone();
    assert_eq!((list(&told["byes"]).len(), &told["bye_count"]), (200, &json!(409)));
    let pairs = |n: usize| json!([format!("random {}", 2 * n), format!("random {}", 2 * n + 1)]);
    let said = json!({"tables": (1..=205).map(pairs).collect::<Vec<Value>>()});
    let told = olga.put(&format!("{path}/rounds/1/tables"), &said).await.ok()["prescribed"].clone();
    assert_eq!((list(&told["tables"]).len(), &told["table_count"]), (200, &json!(205)));
    olga.delete(&format!("{path}/rounds/1/tables")).await.ok();
    assert_eq!(anon.get(&format!("{path}/rounds/1/tables")).await.code(), "table_not_found");
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;

    let shown = anon.get(&path).await.ok();
    let [round] = list(&shown["rounds"]).as_slice() else { panic!("{}", shown["rounds"]) };
    assert_eq!((&shown["round"], &round["round"]), (&json!(1), &json!(1)));
    assert_eq!((&round["table_count"], &round["bye_count"]), (&json!(205), &json!(1)));
    assert!(numbers(&round["tables"], "table").eq(1..=200));

    let first = anon.get(&format!("{path}/rounds/1/tables?limit=200")).await;
    assert_eq!(first.body["items"], round["tables"]);
    let next = first.body["next"].as_str().unwrap();
    let rest = anon.get(&format!("{path}/rounds/1/tables?limit=200&cursor={next}")).await.ok();
    assert!(numbers(&rest["items"], "table").eq(201..=205));
    assert_eq!(rest["next"], Value::Null);
    assert_eq!(anon.get(&format!("{path}/rounds/1/tables?limit=201")).await.code(), "invalid_parameter");

    // The next round is as large. Then only the newer one is shown.
    let mut now = shown;
    for _ in 0..1000 {
        if now["round"] == 2 {
            break;
        }
        olga.post(&format!("{path}/resume"), &json!(null)).await;
        app.tick().await;
        app.clock.advance(1);
        now = anon.get(&path).await.ok();
    }
    assert!(numbers(&now["rounds"], "round").eq([2]));
    assert!(numbers(&now["rounds"], "table_count").eq([205]));
    let earlier = anon.get(&format!("{path}/rounds/1/tables?limit=200")).await.ok();
    assert_eq!(earlier["items"], first.body["items"]);
}

#[tokio::test]
async fn two_rounds_share_the_tables_that_are_shown_and_the_newer_has_its_own_first() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({"table_size": 2})).await;
    bots(&olga, &path, "random", 300).await;
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    let ended = super::play(&app, &path, &[], &mut Dice::new(1)).await;
    let rounds = list(&ended["rounds"]);
    assert!(numbers(&ended["rounds"], "table_count").eq([150, 150]));
    assert!(numbers(&rounds[0]["tables"], "table").eq(1..=50));
    assert!(numbers(&rounds[1]["tables"], "table").eq(1..=150));
}

#[tokio::test]
async fn a_small_tournament_shows_all_its_rounds() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({})).await;
    bots(&olga, &path, "random", 9).await;
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    let ended = super::play(&app, &path, &[], &mut Dice::new(1)).await;
    assert!(numbers(&ended["rounds"], "round").eq([1, 2]));
    assert!(
        list(&ended["rounds"])
            .iter()
            .all(|round| round["table_count"] == 3 && list(&round["tables"]).len() == 3)
    );
}
