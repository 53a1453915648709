//! Tables that are dealt the same cards: nobody learns from one what comes at another.

use cardroom::config::Settings;
use cardroom::entropy::Entropy;
use serde_json::{Value, json};

use super::super::app::TestApp;
use super::super::at_rest::{dump, forms, master_key};
use super::super::audits::exported;
use super::super::client::Client;
use super::super::leaderboards;
use super::{bots, enter, made, move_on, play, points};
use crate::random::dice::Dice;
use crate::random::orders::list;

#[tokio::test]
async fn nothing_of_a_duplicate_round_is_told_before_its_last_table_has_ended() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let players = [app.user("ann").await, app.user("ben").await];
    let path = made(
        &olga,
        json!({
            "kind": "sevens", "table_size": 2, "options": {"hands": 2}, "duplicate": true,
            "format": {"type": "rounds", "rounds": 1, "seating": "random"}, "scoring": {"type": "chips"},
        }),
    );
    let path = path.await;
    enter(&path, &players).await;
    bots(&olga, &path, "random", 2).await;
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    app.tick().await;
    let tournament = app.anon().get(&path).await.ok();
    let round = &tournament["rounds"][0];
    assert!(round["shuffle_id"].is_string());
    let games: Vec<String> = list(&round["tables"])
        .iter()
        .map(|table| format!("/v1/games/{}", table["game"].as_str().unwrap()))
        .collect();
    assert_eq!(games.len(), 2);

    let (mut dice, admin) = (Dice::new(7), app.admin("root").await);
    let mut checked = 0;
    // A game that ends while one of the tables is over and the other is not.
    let mut plain = None;
    loop {
        app.tick().await;
        let open: Vec<&String> = {
            let mut open = Vec::new();
            for game in &games {
                if is_running(&app, game).await {
                    open.push(game);
                }
            }
            open
        };
        if open.is_empty() {
            break;
        }
        for game in &games {
            for viewer in [&app.anon(), &olga, &players[0], &players[1]] {
                nothing_is_told(viewer, game, &path).await;
            }
            if !open.contains(&game) {
                checked += 1;
                nothing_is_told_by_refusals(&[&olga, &players[0], &players[1]], &admin, game).await;
            }
        }
        if checked > 0 && plain.is_none() {
            plain = Some(
                leaderboards::played(&[&app.user("cat").await, &app.user("dan").await], json!({})).await,
            );
            app.clock.advance(11);
            assert_eq!(exported(&app.anon(), "").await, Vec::from_iter(plain.clone()));
        }
        // One table after the other, so that one is over long before the other.
        let first = [players[0].clone()];
        if !move_on(&path, &first, &mut dice).await {
            move_on(&path, &players, &mut dice).await;
        }
        app.clock.advance(1);
    }
    assert!(checked > 0, "one of them is over before the other");
    app.tick().await;
    // An export that went on to the plain game misses neither of the tables.
    app.clock.advance(11);
    let rest = exported(&app.anon(), &format!("?cursor={}", plain.unwrap())).await;
    let ended = |id: &String| games.iter().any(|game| game.ends_with(id));
    assert!(rest.len() == 2 && rest[0] != rest[1] && rest.iter().all(ended), "{rest:?}");
    assert_eq!(exported(&app.anon(), &format!("?cursor={}", rest[0])).await, rest[1..]);
    assert_eq!(exported(&app.anon(), &format!("?cursor={}", rest[1])).await, [""; 0]);
    // Now both are there, with the same orders.
    let mut shuffles = Vec::new();
    for game in &games {
        let log = app.anon().get(&format!("{game}/log?limit=200")).await.ok();
        let order = list(&log["items"]).iter().find(|entry| !entry["data"]["shuffle"].is_null()).unwrap();
        shuffles.push(order["data"]["shuffle"]["result"].clone());
        assert!(list(&shuffles[0]).len() == 36);
        let bundle = app.anon().get(&format!("{game}/audit")).await.ok();
        assert_eq!(bundle["fairness"]["shuffle_id"], round["shuffle_id"]);
        let judged = app.anon().post("/v1/audit/verify", &bundle).await.ok();
        assert_eq!(judged["ok"], true, "{judged}");
        let mut other = bundle.clone();
        other["fairness"]["shuffle_id"] = bundle["game"]["id"].clone();
        assert_eq!(app.anon().post("/v1/audit/verify", &other).await.ok()["ok"], false);
    }
    assert_eq!(shuffles[0], shuffles[1]);
    // A player who has won or lost chips has points.
    let has_points = |cell: &&Value| cell["table_score"] != 200;
    let told = points(&app.anon(), &path).await;
    assert_eq!(told.len(), cells(&app.anon(), &path).await.iter().filter(has_points).count(), "{told:?}");
    assert_eq!(told.iter().map(|point| point["points"].as_i64().unwrap()).sum::<i64>(), 0, "{told:?}");
}

#[tokio::test]
async fn the_database_tells_no_cards_of_a_duplicate_round_though_one_of_its_tables_has_ended() {
    // With these chances one table ends before the other.
    let key = |settings: &mut Settings| settings.master_key = Some(master_key(1));
    let app = TestApp::start_from(Entropy::fixed(1), key).await;
    let olga = app.user("olga").await;
    let players = [app.user("ann").await, app.user("ben").await];
    let path = made(
        &olga,
        json!({
            "kind": "sevens", "table_size": 2, "options": {"hands": 1}, "duplicate": true,
            "format": {"type": "rounds", "rounds": 1, "seating": "random"}, "scoring": {"type": "chips"},
        }),
    );
    let path = path.await;
    enter(&path, &players).await;
    bots(&olga, &path, "random", 2).await;
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    app.tick().await;
    let tables = app.anon().get(&path).await.ok()["rounds"][0]["tables"].clone();
    let game = |table: &Value| table["game"].as_str().unwrap().to_owned();
    let games: Vec<String> = list(&tables).iter().map(game).collect();
    let mut dice = Dice::new(7);
    let running = async || {
        let both = [is_running(&app, &games[0]).await, is_running(&app, &games[1]).await];
        both.into_iter().filter(|running| *running).count()
    };
    while running().await == 2 {
        move_on(&path, &[players[0].clone()], &mut dice).await;
        app.clock.advance(1);
        app.tick().await;
    }
    assert_eq!(running().await, 1, "the other is over, and its last entry holds the seed of both");
    let dump = dump(&app.database).await;
    let seed = app.app.database.server_seed(games[0].parse().unwrap()).await.unwrap().unwrap();
    assert!(forms(&seed).iter().all(|form| !dump.contains(form)));
    // What was played at one tells of the other's cards.
    assert!(!dump.contains("type:acted") && !dump.contains("type:finished"));
}

async fn is_running(app: &TestApp, game: &str) -> bool {
    use cardroom::store::schema::games;
    use diesel::prelude::*;
    use diesel_async::RunQueryDsl;
    let id: uuid::Uuid = game.rsplit('/').next().unwrap().parse().unwrap();
    let mut connection = app.database.connection().await;
    let status: String = games::table.find(id).select(games::status).first(&mut connection).await.unwrap();
    status == "active"
}

/// Whoever does not sit there sees no card of it, and nobody a seed.
async fn nothing_is_told(viewer: &Client, game: &str, path: &str) {
    let shown = viewer.get(game).await.ok();
    let sits = !shown["you"].is_null();
    assert!(shown["fairness"]["server_seed"].is_null() && shown["outcome"].is_null());
    for told_later in ["audit", "hands/1/review", "hands/1/comparison"] {
        assert_eq!(viewer.get(&format!("{game}/{told_later}")).await.code(), "not_finished");
    }
    let log = viewer.get(&format!("{game}/log?limit=200")).await.ok();
    for entry in list(&log["items"]) {
        assert!(entry["type"] != "finished", "{entry}");
        assert!(entry["data"]["shuffle"]["result"].is_null(), "{entry}");
        assert!(sits || entry["type"] != "acted" && entry["type"] != "chance", "{entry}");
    }
    if !sits {
        assert_eq!(viewer.get(&format!("{game}/hands")).await.ok()["items"], json!([]));
    }
    assert_eq!(points(viewer, path).await, Vec::<Value>::new());
    for cell in cells(viewer, path).await {
        assert_eq!((&cell["table_score"], &cell["same_cards_mean"]), (&Value::Null, &Value::Null), "{cell}");
    }
    for row in super::standings(viewer, path).await {
        assert_eq!((row["result"].clone(), row["score"].clone()), (json!(0), json!(0)), "{row}");
    }
}

/// A table that has ended refuses everything, but not by saying that it has ended.
async fn nothing_is_told_by_refusals(viewers: &[&Client], admin: &Client, game: &str) {
    let before = viewers[0].get(game).await.ok();
    for viewer in viewers {
        let sits = !viewer.get(game).await.ok()["you"].is_null();
        let expected = if sits { "not_your_turn" } else { "not_seated" };
        for command in ["resign", "abort"] {
            assert_eq!(viewer.post(&format!("{game}/{command}"), &json!(null)).await.code(), expected);
        }
        let action = viewer.post(&format!("{game}/actions"), &json!({"type": "fold"})).await;
        assert_eq!(action.code(), expected);
    }
    assert_eq!(admin.post(&format!("{game}/abort"), &json!(null)).await.code(), "not_your_turn");
    assert_eq!(viewers[0].get(game).await.ok(), before);
}

#[tokio::test]
async fn a_duplicate_tournament_of_bots_comes_to_its_end() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(
        &olga,
        json!({
            "kind": "ritunas_favour", "table_size": 3, "options": {"hands": 3}, "duplicate": true,
            "scoring": {"type": "places"},
        }),
    );
    let path = path.await;
    bots(&olga, &path, "steady", 6).await;
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    let tournament = play(&app, &path, &[], &mut Dice::new(3)).await;
    let rounds = list(&tournament["rounds"]);
    assert_eq!(rounds.len(), 2);
    assert_ne!(rounds[0]["shuffle_id"], rounds[1]["shuffle_id"]);
    // Chips won and lost are compared with like seats: over all they come to nothing.
    let rows = super::standings(&app.anon(), &path).await;
    let sum: f64 = rows.iter().map(|row| row["result"].as_f64().unwrap()).sum();
    assert!(sum.abs() < 1e-6, "{sum}");
    // What the other table made of the same cards stands beside each result, and says the same.
    let cells = cells(&app.anon(), &path).await;
    assert_eq!(cells.len(), 12);
    for cell in &cells {
        let other = cells.iter().find(|other| {
            let same = |name: &str| other[name] == cell[name];
            same("round") && same("seat") && !same("table")
        });
        let (score, mean) = (&cell["table_score"], &cell["same_cards_mean"]);
        assert!(score.is_i64() && *mean == other.unwrap()["table_score"], "{cell}");
        let half = (score.as_i64().unwrap() - mean.as_i64().unwrap()) as f64 / 2.0;
        assert!((cell["result"].as_f64().unwrap() - half).abs() < 1e-9, "{cell}");
    }
    let sheet = app.anon().get(&format!("{path}/crosstable?format=csv")).await.ok();
    let mut lines = sheet.as_str().unwrap().lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let at = |name: &str| head.iter().position(|column| *column == name).unwrap();
    let (score, mean) = (at("table_score"), at("same_cards_mean"));
    let told: Vec<String> = lines.map(|line| format!("{} {}", line[score], line[mean])).collect();
    let expected = cells.iter().map(|cell| format!("{} {}", cell["table_score"], cell["same_cards_mean"]));
    assert_eq!(told, expected.collect::<Vec<_>>());
}

/// All cells of the crosstable, line by line.
async fn cells(viewer: &Client, path: &str) -> Vec<Value> {
    let table = viewer.get(&format!("{path}/crosstable?limit=200")).await.ok();
    list(&table["items"]).iter().flat_map(|line| list(&line["rounds"])).cloned().collect()
}

/// Everybody's first decision has the same cards in it, and tables part where their players do.
#[tokio::test]
async fn a_hand_of_a_duplicate_round_stands_beside_the_same_hand_at_other_tables() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let mut kinds_with_forks = 0;
    for kind in ["ricketts_hearts", "sevens", "ritunas_favour", "knights_heads", "royal_gambit"] {
        let wanted = json!({
            "kind": kind, "options": {}, "table_size": if kind == "ricketts_hearts" { 4 } else { 2 }, "duplicate": true,
            "format": {"type": "rounds", "rounds": 1, "seating": "random"}, "scoring": {"type": "places"},
        });
        let path = made(&olga, wanted).await;
        bots(&olga, &path, "steady", 8).await;
        bots(&olga, &path, "random", 8).await;
        olga.post(&format!("{path}/start"), &json!({})).await.ok();
        let tournament = play(&app, &path, &[], &mut Dice::new(3)).await;
        let tables = list(&tournament["rounds"][0]["tables"]);
        let games: Vec<&str> = tables.iter().map(|table| table["game"].as_str().unwrap()).collect();
        let mut forks = 0;
        for game in &games {
            let hand = app.anon().get(&format!("/v1/games/{game}/hands/1")).await.ok();
            let compared = app.anon().get(&format!("/v1/games/{game}/hands/1/comparison")).await.ok();
            let told = list(&compared["tables"]);
            assert_eq!((told.len(), &told[0]["game"]), (games.len(), &json!(game)), "{kind}");
            assert!(games.iter().all(|game| told.iter().any(|table| table["game"] == *game)));
            assert_eq!((&compared["hand"], &compared["tables_left_out"]), (&json!(1), &json!(0)));
            let first = list(&hand["entries"]).iter().find(|entry| !entry["action"].is_null()).unwrap();
            let decisions = list(&compared["decisions"]);
            assert_eq!(decisions[0]["seq"], first["seq"], "{kind}");
            for decision in decisions {
                let choices = list(&decision["choices"]);
                let at: u64 = choices.iter().map(|choice| choice["tables"].as_u64().unwrap()).sum();
                assert!((2..=games.len() as u64).contains(&at), "{decision}");
                assert!(decision["seq"] != first["seq"] || at == games.len() as u64, "{decision}");
                assert!(choices.iter().any(|choice| choice["action"] == decision["taken"]), "{decision}");
                forks += usize::from(choices.len() > 1);
            }
            // The means of what was chosen first, weighed by the tables, are the mean of the seat over all tables.
            let seat = decisions[0]["seat"].as_u64().unwrap() as usize;
            let scores = told.iter().map(|table| table["seats"][seat]["score"].as_i64().unwrap());
            let means = list(&decisions[0]["choices"])
                .iter()
                .map(|choice| choice["score_mean"].as_f64().unwrap() * choice["tables"].as_f64().unwrap());
            let (exact, sum) = (scores.sum::<i64>() as f64, means.sum::<f64>());
            assert!((exact - sum).abs() < 0.01, "{kind}: {exact} {sum}");
            let words = app.anon().with("accept", "text/plain");
            let text = words.get(&format!("/v1/games/{game}/hands/1/comparison")).await.ok();
            assert!(text.as_str().unwrap().contains("with the same cards"), "{text}");
        }
        kinds_with_forks += usize::from(forks > 0);
    }
    // In one of five kinds, all bots may play alike by chance.
    assert!(kinds_with_forks >= 4, "{kinds_with_forks}");
}

/// The second hand is dealt from the same shuffle everywhere, though the scores before it are not the same.
#[tokio::test]
async fn later_hands_of_a_duplicate_round_are_compared_whatever_the_scores_are() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let wanted = json!({
        "kind": "ricketts_hearts", "options": {}, "table_size": 4, "duplicate": true, "scoring": {"type": "places"},
        "format": {"type": "rounds", "rounds": 1, "seating": "random"},
    });
    let path = made(&olga, wanted).await;
    bots(&olga, &path, "random", 8).await;
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    let tournament = play(&app, &path, &[], &mut Dice::new(3)).await;
    let game = tournament["rounds"][0]["tables"][0]["game"].as_str().unwrap();
    let compared = app.anon().get(&format!("/v1/games/{game}/hands/2/comparison")).await.ok();
    assert_eq!(list(&compared["tables"]).len(), 2);
    // All four pass cards that are the same at both tables.
    let passes = list(&compared["decisions"]).iter().filter(|decision| decision["taken"]["type"] == "pass");
    assert_eq!(passes.count(), 4, "{compared}");
    let hands = list(&app.anon().get(&format!("/v1/games/{game}/hands?limit=200")).await.ok()["items"]).len();
    let none = app.anon().get(&format!("/v1/games/{game}/hands/{}/comparison", hands + 1)).await;
    assert_eq!(none.code(), "hand_not_found");
}

/// Where a seat is out, or another one deals, the same deck gives other cards. Rows of the same deal tell the same cards.
#[tokio::test]
async fn tables_that_deal_to_other_seats_are_not_compared() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let (mut alike, mut different) = (0, 0);
    for (kind, options) in
        [("sevens", json!({"buy_in": 40, "hands": 12})), ("royal_gambit", json!({"target_score": 40}))]
    {
        let wanted = json!({
            "kind": kind, "options": options, "table_size": 3, "duplicate": true, "scoring": {"type": "places"},
            "format": {"type": "rounds", "rounds": 1, "seating": "random"},
        });
        let path = made(&olga, wanted).await;
        bots(&olga, &path, "random", 12).await;
        olga.post(&format!("{path}/start"), &json!({})).await.ok();
        let tournament = play(&app, &path, &[], &mut Dice::new(5)).await;
        let games: Vec<&str> = list(&tournament["rounds"][0]["tables"])
            .iter()
            .map(|table| table["game"].as_str().unwrap())
            .collect();
        for hand in 1..=12 {
            let mut deals = Vec::new();
            for game in &games {
                let told = app.anon().get(&format!("/v1/games/{game}/hands/{hand}")).await;
                if told.status == 200 && !told.body["to_version"].is_null() {
                    let first = list(&told.body["entries"])[0]["facts"].clone();
                    let cards = |fact: &&Value| fact.get("card").or(fact.get("cards")).is_some();
                    let dealt: Vec<Value> = list(&first).iter().filter(cards).cloned().collect();
                    deals.push((*game, dealt));
                }
            }
            for (game, dealt) in &deals {
                let compared =
                    app.anon().get(&format!("/v1/games/{game}/hands/{hand}/comparison")).await.ok();
                for table in list(&compared["tables"]) {
                    let other = deals.iter().find(|(other, _)| table["game"] == *other).unwrap();
                    assert_eq!(&other.1, dealt, "{kind}, hand {hand}");
                    alike += 1;
                }
                different += deals.len() - list(&compared["tables"]).len();
            }
        }
    }
    assert!(alike > 20 && different > 0, "{alike} {different}");
}

#[tokio::test]
async fn a_game_with_cards_of_its_own_is_not_compared_and_no_game_that_runs() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let game = ann.post("/v1/games", &json!({"kind": "sevens", "bots": ["steady", "random"]})).await.ok();
    app.tick().await;
    let path = format!("/v1/games/{}/hands/1/comparison", game["id"].as_str().unwrap());
    assert_eq!(app.anon().get(&path).await.code(), "not_duplicate");
    let running = json!({"kind": "sevens", "sit": true, "bots": ["steady"]});
    let game = ann.post("/v1/games", &running).await.ok();
    let path = format!("/v1/games/{}/hands/1/comparison", game["id"].as_str().unwrap());
    assert_eq!(ann.get(&path).await.code(), "not_finished");
}
