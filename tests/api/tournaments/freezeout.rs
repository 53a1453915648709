//! Freezeouts over HTTP, and games whose seats do not begin alike.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::app::TestApp;
use super::super::check::faults;
use super::offline::{Offline, bundles};
use super::{bots, enter, made, play, points, standings};
use crate::random::dice::Dice;
use crate::random::orders::list;

/// What the entrants have, by name: at first as much as the buy-in.
type Chips = BTreeMap<String, i64>;

#[tokio::test]
async fn a_freezeout_is_played_until_nobody_else_can_pay_and_anybody_can_check_it() {
    for (kind, ante) in [("sevens", "ante"), ("knights_heads", "ante"), ("ritunas_favour", "charge")] {
        let app = TestApp::start().await;
        let olga = app.user("olga").await;
        let players = [app.user("ann").await, app.user("ben").await, app.user("cleo").await];
        let wanted = json!({
            "kind": kind, "table_size": 3, "options": {"hands": 2, "buy_in": 100, ante: 5},
            "format": {"type": "freezeout"}, "scoring": {"type": "chips"},
        });
        let path = made(&olga, wanted).await;
        enter(&path, &players).await;
        bots(&olga, &path, "random", 5).await;
        olga.post(&format!("{path}/start"), &json!({})).await.ok();
        let tournament = play(&app, &path, &players, &mut Dice::new(3)).await;
        assert_eq!(tournament["status"], "finished");
        let chips = is_carried(&app, &tournament, ante).await;
        let rows = standings(&olga, &path).await;
        for row in &rows {
            let won = chips[row["player"].as_str().unwrap()] - 100;
            assert_eq!((&row["result"], &row["score"]), (&json!(won), &json!(won)), "{row}");
        }
        assert_eq!(rows[0]["round"], list(&tournament["rounds"]).len());
        let told = points(&olga, &path).await;
        assert_eq!(told.iter().map(|point| point["points"].as_i64().unwrap()).sum::<i64>(), 0);
        app.rate().await;
        assert_eq!(app.anon().get(&format!("/v1/leaderboards/{kind}")).await.ok()["items"], json!([]));
        can_be_checked(&app, &path).await;
        assert_eq!(faults(&app).await, [""; 0]);
    }
}

/// Each seat brings what the last game left it, and pays twice as much in each round. Gives what all have at the end.
async fn is_carried(app: &TestApp, tournament: &Value, ante: &str) -> Chips {
    let mut chips = Chips::new();
    for (round, level) in list(&tournament["rounds"]).iter().zip(0..) {
        let mut after = chips.clone();
        for table in list(&round["tables"]) {
            let game = app.anon().get(&format!("/v1/games/{}", table["game"].as_str().unwrap())).await.ok();
            assert_eq!((&game["options"]["stacks"], &game["rated"]), (&table["stacks"], &json!(false)));
            assert_eq!(game["options"][ante], 5 << level);
            let names = list(&table["players"]).iter().map(|name| name.as_str().unwrap().to_owned());
            for (seat, name) in names.enumerate() {
                let brought = table["stacks"][seat].as_i64().unwrap();
                assert_eq!(brought, *chips.get(&name).unwrap_or(&100), "{name} in {round}");
                assert!(brought >= 5 << level);
                let placing = list(&game["outcome"]["places"]).iter().find(|placing| placing["seat"] == seat);
                after.insert(name, placing.unwrap()["score"].as_i64().unwrap());
            }
        }
        chips = after;
    }
    assert_eq!(chips.values().sum::<i64>(), 800, "no chip is lost or made");
    chips
}

/// The program accepts the bundles, and finds chips that went from one seat to another between two rounds.
async fn can_be_checked(app: &TestApp, path: &str) {
    let offline = Offline::new(app).await;
    let (tournament, games) = bundles(app, path).await;
    let told = offline.audit(&format!("{tournament}{games}"));
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stdout));
    let mut moved: Value = serde_json::from_str(&tournament).unwrap();
    let began = |entry: &&mut Value| entry["type"] == "round_began" && entry["data"]["round"] == 2;
    let entry = moved["log"].as_array_mut().unwrap().iter_mut().find(began).unwrap();
    let stacks = entry["data"]["tables"][0]["stacks"].as_array_mut().unwrap();
    let (one, other) = (stacks[0].as_u64().unwrap(), stacks[1].as_u64().unwrap());
    (stacks[0], stacks[1]) = (json!(one + 1), json!(other - 1));
    offline.finds("rounds", &format!("{moved}\n{games}"));
}

#[tokio::test]
async fn a_handicap_is_chosen_with_the_game_and_does_not_count_for_ratings() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let game = |stacks: Value| {
        json!({"kind": "sevens", "seats": 3, "sit": true, "client_seed": "ann",
            "options": {"stacks": stacks}, "bots": ["random", "random"]})
    };
    let made = ann.post("/v1/games", &game(json!([500, 50]))).await.ok();
    assert_eq!((&made["options"]["stacks"], &made["rated"]), (&json!([500, 50]), &json!(false)));
    let seats = made["view"]["seats"].clone();
    let chips = |seat: &Value| seat["stack"].as_u64().unwrap() + seat["put_in"].as_u64().unwrap_or(0);
    let all: u64 = list(&seats).iter().map(chips).sum();
    assert!(
        all <= 750 && seats[0]["stack"].as_u64().unwrap() >= 300,
        "the third begins with the buy-in: {seats}"
    );
    for (stacks, told) in [
        (json!([10, 20, 30, 40]), "3"),
        (json!([500, 4]), "first hand"),
        (json!([]), "stacks"),
        (json!([0]), "stacks"),
        (json!([2_000_000_000, 1]), "chips"),
        (json!("500"), "options"),
        (json!([1.5]), "options"),
    ] {
        let refused = ann.post("/v1/games", &game(stacks.clone())).await;
        assert_eq!((refused.status.as_u16(), refused.code()), (422, "invalid_options"), "{stacks}");
        assert!(refused.body["detail"].as_str().unwrap().contains(told), "{}", refused.body);
    }
}
