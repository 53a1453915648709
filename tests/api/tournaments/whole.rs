//! Tournaments from their first entry to their last hand.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::super::app::TestApp;
use super::{bots, enter, made, play, points, standings};
use crate::random::dice::Dice;
use crate::random::orders::list;

#[tokio::test]
async fn a_tournament_runs_to_its_end_by_itself_and_its_standings_follow_from_its_games() {
    let app = TestApp::start().await;
    let (olga, ann, ben) = (app.user("olga").await, app.user("ann").await, app.user("ben").await);
    let path = made(&olga, json!({"scoring": {"type": "places"}})).await;
    let players = [ann.clone(), ben.clone()];
    enter(&path, &players).await;
    bots(&olga, &path, "random", 6).await;
    let before = standings(&app.anon(), &path).await;
    assert!(before.len() == 8 && before.iter().all(|row| row["place"].is_null() && row["games"] == 0));
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    let tournament = play(&app, &path, &players, &mut Dice::new(1)).await;
    assert_eq!(tournament["status"], "finished");
    let rounds = list(&tournament["rounds"]);
    assert_eq!(rounds.len(), 2);

    // Counted anew: a point for each opponent who came in behind.
    let mut beaten = std::collections::BTreeMap::<String, i64>::new();
    for round in rounds {
        let tables = list(&round["tables"]);
        let mut sizes: Vec<_> = tables.iter().map(|table| list(&table["players"]).len()).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [2, 3, 3]);
        for table in tables {
            let game = app.anon().get(&format!("/v1/games/{}", table["game"].as_str().unwrap())).await.ok();
            assert_eq!(game["status"], "finished");
            let places = list(&game["outcome"]["places"]);
            for placing in places {
                let behind =
                    places.iter().filter(|other| other["place"].as_u64() > placing["place"].as_u64());
                let seat = placing["seat"].as_u64().unwrap() as usize;
                let name = table["players"][seat].as_str().unwrap().to_owned();
                *beaten.entry(name).or_default() += behind.count() as i64;
            }
        }
    }
    let rows = standings(&app.anon(), &path).await;
    assert_eq!(rows.len(), 8);
    for row in &rows {
        assert_eq!(row["score"], beaten[row["player"].as_str().unwrap()], "{row}");
        assert_eq!((row["games"].clone(), row["status"].clone()), (json!(2), json!("finished")));
    }
    let places: Vec<u64> = rows.iter().map(|row| row["place"].as_u64().unwrap()).collect();
    assert!(places[0] == 1 && places.is_sorted());

    // Each point leads to the entry that earned it.
    let scored = points(&app.anon(), &path).await;
    let total: i64 = scored.iter().map(|point| point["points"].as_i64().unwrap()).sum();
    assert_eq!(total, beaten.values().sum::<i64>());
    for point in &scored {
        let (game, seq) = (point["game"].as_str().unwrap(), point["seq"].as_u64().unwrap());
        let log = app.anon().get(&format!("/v1/games/{game}/log?after={}&limit=1", seq - 1)).await.ok();
        assert_eq!(log["items"][0]["type"], "finished");
    }
    let alone = app.anon().get(&format!("{path}/points?player=ann&limit=200")).await.ok();
    let own = scored.iter().filter(|point| point["player"] == "ann").count();
    assert_eq!(list(&alone["items"]).len(), own);
    assert_eq!(app.anon().get(&format!("{path}/points?player=zoe")).await.code(), "entrant_not_found");
    for cursor in ["x", "-300000000000000000.00000000000000000000000000000000.1.0"] {
        let refused = app.anon().get(&format!("{path}/points?cursor={cursor}")).await;
        assert_eq!(refused.code(), "invalid_parameter", "{cursor}");
    }
}

#[tokio::test]
async fn standings_can_be_read_printed_and_taken_elsewhere_as_they_are_and_as_they_were() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({"name": "Cup <of> \"cups\" & more"})).await;
    bots(&olga, &path, "random", 6).await;
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    let mut seen: Vec<(Timestamp, Value)> = Vec::new();
    while app.anon().get(&path).await.ok()["status"] != "finished" {
        app.clock.advance(1);
        let scheduler = app.app.scheduler.clone();
        super::super::app::runtime().spawn(async move { scheduler.poll().await.unwrap() }).await.unwrap();
        let now = app.anon().get(&format!("{path}/standings")).await.ok();
        seen.push((app.clock.now(), now));
    }
    for (at, then) in &seen {
        let again = app.anon().get(&format!("{path}/standings?as_of={at}")).await.ok();
        assert_eq!(again, *then, "{at}");
    }
    let long_ago = app.anon().get(&format!("{path}/standings?as_of=2020-01-01T00:00:00Z")).await;
    assert_eq!(long_ago.code(), "no_such_version");

    let whole = standings(&app.anon(), &path).await;
    let sheet = app.anon().with("accept", "text/csv").get(&format!("{path}/standings")).await.ok();
    let lines: Vec<&str> = sheet.as_str().unwrap().lines().collect();
    assert_eq!(lines.len(), whole.len() + 1);
    assert!(lines[0].starts_with("place,player,result,score"));
    for (line, row) in lines[1..].iter().zip(&whole) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!((cells[0], cells[1]), (&*row["place"].to_string(), row["player"].as_str().unwrap()));
        assert_eq!(cells[2].parse::<f64>().unwrap(), row["result"].as_f64().unwrap());
    }
    let page = app.anon().with("accept", "text/html").get(&format!("{path}/standings")).await.ok();
    assert!(page.as_str().unwrap().contains("<h1>Cup &lt;of&gt; &quot;cups&quot; &amp; more</h1>"));
    let part = app.anon().get(&format!("{path}/standings?limit=4")).await.ok();
    let rest = app.anon().get(&format!("{path}/standings?cursor={}", part["next"])).await.ok();
    assert_eq!([list(&part["items"]).clone(), list(&rest["items"]).clone()].concat(), whole);
}

#[tokio::test]
async fn what_was_drawn_can_be_checked_by_the_log() {
    use cardroom_core::log::fairness::{Seed, Source};
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({})).await;
    bots(&olga, &path, "random", 5).await;
    let shown = olga.get(&path).await.ok();
    assert!(shown["fairness"]["server_seed"].is_null());
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    play(&app, &path, &[], &mut Dice::new(1)).await;
    let shown = app.anon().get(&path).await.ok();
    let seed: cardroom_core::log::Hex32 =
        serde_json::from_value(shown["fairness"]["server_seed"].clone()).unwrap();
    let seed = Seed::new(seed.0);
    assert_eq!(json!(seed.commitment()), shown["fairness"]["commitment"]);
    let id = shown["id"].as_str().unwrap().parse().unwrap();
    let mut log = Vec::new();
    let mut next = json!(0);
    while !next.is_null() {
        let page = app.anon().get(&format!("{path}/log?after={next}&limit=3")).await.ok();
        log.extend(list(&page["items"]).clone());
        next = page["next"].clone();
    }
    assert_eq!(log.len() as u64, shown["version"].as_u64().unwrap());
    assert!(log.iter().zip(1..).all(|(entry, seq)| entry["seq"] == seq));
    let rounds: Vec<&Value> = log.iter().filter(|entry| entry["type"] == "round_began").collect();
    assert_eq!(rounds.len(), 2);
    for (round, k) in rounds.iter().zip(0..) {
        let mut lots: Vec<u32> = (0..5).collect();
        Source::new(seed.clone(), id, []).chance(k).shuffle(&mut lots);
        assert_eq!(round["data"]["lots"], json!(lots));
        // Nor could the house choose the cards when it knew who would sit where.
        for table in list(&round["data"]["tables"]) {
            let bundle = format!("/v1/games/{}/audit", table["game"].as_str().unwrap());
            let fairness = app.anon().get(&bundle).await.ok()["fairness"].clone();
            let seed = seed.hmac(format_args!("table:{}:{}:0", k + 1, table["table"]));
            assert_eq!(fairness["server_seed"], json!(cardroom_core::log::Hex32(seed)));
            assert_eq!(fairness["shuffle_id"], shown["id"]);
        }
    }
}

#[tokio::test]
async fn a_tournament_that_is_called_off_takes_its_games_with_it() {
    let app = TestApp::start().await;
    let (olga, ann) = (app.user("olga").await, app.user("ann").await);
    let path = made(&olga, json!({})).await;
    enter(&path, std::slice::from_ref(&ann)).await;
    bots(&olga, &path, "random", 3).await;
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    app.tick().await;
    let game = ann.get(&path).await.ok()["you"]["game"].as_str().unwrap().to_owned();
    assert_eq!(ann.get(&format!("/v1/games/{game}")).await.ok()["status"], "active");
    olga.post(&format!("{path}/abort"), &json!({})).await.ok();
    assert_eq!(olga.post(&format!("{path}/abort"), &json!({})).await.code(), "tournament_over");
    app.replica().await.tick().await;
    assert_eq!(ann.get(&format!("/v1/games/{game}")).await.ok()["status"], "aborted");
    assert!(!app.anon().get(&path).await.ok()["fairness"]["server_seed"].is_null());
}

#[tokio::test]
async fn replicas_that_all_would_move_a_tournament_on_do_it_once() {
    let app = TestApp::start().await;
    let replicas = [app.replica().await, app.replica().await];
    let olga = app.user("olga").await;
    let path = made(&olga, json!({"format": {"type": "knockout", "advance": 1}})).await;
    bots(&olga, &path, "random", 9).await;
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    for _ in 0..500 {
        futures_util::future::join_all([&app, &replicas[0], &replicas[1]].map(TestApp::tick)).await;
        app.clock.advance(1);
        if app.anon().get(&path).await.ok()["status"] == "finished" {
            break;
        }
    }
    let tournament = app.anon().get(&path).await.ok();
    assert_eq!(tournament["status"], "finished");
    let rounds = list(&tournament["rounds"]);
    assert_eq!(rounds.len(), 2);
    assert_eq!(list(&rounds[1]["tables"]).len(), 1);
    let games = app.anon().get("/v1/games?limit=200").await.ok();
    assert_eq!(list(&games["items"]).len(), 4, "three tables and the last one");
    let rows = standings(&app.anon(), &path).await;
    assert_eq!(rows[0]["place"], 1);
    assert_eq!(rows.iter().filter(|row| row["status"] == "eliminated").count(), 6);
}
