//! Results without the luck of the deals: beside the standings, and the same as those of the games, added up.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{bots, enter, made, play, standings};
use crate::api::app::TestApp;
use crate::random::dice::Dice;
use crate::random::orders::list;

#[tokio::test]
async fn a_tournament_tells_what_its_entrants_won_without_luck() {
    let app = TestApp::start().await;
    let [olga, ann, ben] = [app.user("olga").await, app.user("ann").await, app.user("ben").await];
    let format = json!({"type": "rounds", "rounds": 2, "seating": "swiss"});
    let path =
        made(&olga, json!({"kind": "sevens", "options": {"hands": 6}, "table_size": 2, "format": format}))
            .await;
    enter(&path, &[ann.clone(), ben.clone()]).await;
    bots(&olga, &path, "steady", 6).await;
    let luck = format!("{path}/luck");
    assert_eq!(app.anon().get(&luck).await.code(), "not_finished");
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    let running = olga.get(&path).await.ok()["rounds"][0]["tables"][0]["game"].clone();
    assert_eq!(app.anon().get(&luck).await.code(), "not_finished");
    assert_eq!(
        app.anon().get(&format!("/v1/games/{}/luck", running.as_str().unwrap())).await.code(),
        "not_finished"
    );
    let tournament = play(&app, &path, &[ann, ben], &mut Dice::new(9)).await;
    assert_eq!(tournament["status"], "finished");

    // By the games alone.
    let mut sums: BTreeMap<String, [f64; 4]> = BTreeMap::new();
    let mut games = 0;
    for table in list(&tournament["rounds"]).iter().flat_map(|round| list(&round["tables"])) {
        let game = format!("/v1/games/{}", table["game"].as_str().unwrap());
        let told = app.anon().get(&format!("{game}/luck")).await.ok();
        let shown = app.anon().get(&game).await.ok();
        games += 1;
        let hands = list(&app.anon().get(&format!("{game}/hands")).await.ok()["items"]).len();
        assert_eq!((&told["deals"], &told["deals_left_out"]), (&json!(hands), &json!(0)));
        for (player, seat) in list(&table["players"]).iter().zip(list(&told["seats"])) {
            let winners = list(&shown["outcome"]["winners"]);
            let won = if winners.contains(&seat["seat"]) { 1.0 / winners.len() as f64 } else { 0.0 };
            let figure = |name: &str| seat[name].as_f64().unwrap();
            assert!((figure("won") - won).abs() < 0.0001, "{seat} {}", shown["outcome"]);
            let sum = sums.entry(player.as_str().unwrap().to_owned()).or_default();
            for (sum, more) in sum.iter_mut().zip([1.0, won, figure("luck"), figure("won_without_luck")]) {
                *sum += more;
            }
        }
    }
    let told = app.anon().get(&luck).await.ok();
    assert_eq!(
        (&told["games"], &told["tables_left_out"], &told["next"]),
        (&json!(games), &json!(0), &Value::Null)
    );
    let rows = standings(&app.anon(), &path).await;
    let lines = list(&told["items"]);
    assert_eq!(lines.len(), rows.len());
    for (line, row) in lines.iter().zip(&rows) {
        assert_eq!((&line["player"], &line["place"]), (&row["player"], &row["place"]));
        let own = sums[line["player"].as_str().unwrap()];
        for (name, sum) in ["games", "won", "luck", "won_without_luck"].iter().zip(own) {
            assert!((line[name].as_f64().unwrap() - sum).abs() < 0.001, "{name} of {line}: {sum}");
        }
        assert!(line["won_without_luck_error"].as_f64().unwrap() > 0.0);
    }
    assert!(lines.iter().any(|line| line["luck"].as_f64().unwrap().abs() > 0.01), "{told}");

    let first = app.anon().get(&format!("{luck}?limit=3")).await;
    assert!(first.header("link").unwrap().contains("cursor=3"));
    let second = app.anon().get(&format!("{luck}?limit=200&cursor=3")).await.ok();
    assert_eq!([list(&first.ok()["items"]).clone(), list(&second["items"]).clone()].concat(), *lines);
    // Another replica comes to the same.
    let other = app.replica().await;
    assert_eq!(other.anon().get(&luck).await.ok(), told);
}

#[tokio::test]
async fn a_game_that_was_called_off_has_no_winner_whose_luck_could_be_told() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let game = ann.post("/v1/games", &json!({"kind": "sevens", "sit": true, "bots": ["steady"]})).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    ann.post(&format!("{path}/abort"), &json!(null)).await.ok();
    assert_eq!(ann.get(&format!("{path}/luck")).await.code(), "was_aborted");
}
