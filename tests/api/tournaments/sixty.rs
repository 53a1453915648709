//! Sixty at Knights' Heads: people and bots, three replicas of which one is killed in each round. The tournament ends
//! by itself, and its standings and points are what the logs of its games say.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::process::Command;

use cardroom_core::audit::Bundle;
use cardroom_core::table::projection::Reader;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::super::app::{PASSWORD, Program, TestDatabase};
use crate::attempt::{attempt, unexpired};
use crate::eventually::eventually;
use crate::random::dice::Dice;
use crate::random::orders::{list, order};
use crate::seed::seed_of_this_run;

const PEOPLE: usize = 4;
const ROUNDS: usize = 5;

#[tokio::test]
async fn sixty_play_five_rounds_while_replicas_are_killed_and_the_logs_bear_the_standings_out() {
    let database = TestDatabase::create().await;
    let mut programs = Vec::new();
    for _ in 0..3 {
        programs.push(Program::start(&database).await);
    }
    let room = Room {
        http: reqwest::Client::new(),
        bases: RefCell::new(programs.iter().map(|program| program.base.clone()).collect()),
        dice: RefCell::new(Dice::new(seed_of_this_run())),
    };
    let register = async |name: String| {
        let credentials = json!({"username": name, "password": PASSWORD});
        let session = room.ask(Method::POST, "/v1/auth/register", "", "", &credentials).await;
        session["access_token"].as_str().unwrap().to_owned()
    };
    let olga = register("olga".to_owned()).await;
    let wanted = json!({
        "name": "Sixty", "kind": "knights_heads", "options": {"hands": 20}, "turn_seconds": 600,
        "format": {"type": "rounds", "rounds": ROUNDS, "seating": "swiss"}, "scoring": {"type": "courts_of_knights"},
    });
    let made = room.ask(Method::POST, "/v1/tournaments", &olga, "make", &wanted).await;
    let path = format!("/v1/tournaments/{}", made["id"].as_str().unwrap());
    let mut people = Vec::new();
    for n in 0..PEOPLE {
        let token = register(format!("player{n}")).await;
        room.ask(Method::POST, &format!("{path}/entries"), &token, "enter", &json!({})).await;
        people.push(token);
    }
    let policy = |n: usize| if n.is_multiple_of(2) { "steady" } else { "random" };
    let bots: Vec<Value> = (PEOPLE..60).map(|n| json!({"bot": policy(n)})).collect();
    room.ask(Method::POST, &format!("{path}/entries/bulk"), &olga, "bots", &json!({"entries": bots})).await;
    room.ask(Method::POST, &format!("{path}/start"), &olga, "start", &json!({})).await;

    let playing = join_all(people.iter().map(|token| room.play(&path, token)));
    let killing = async {
        for round in 0..ROUNDS {
            while room.get(&path, "").await["rounds"].as_array().unwrap().len() <= round {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            let program = &mut programs[round % 3];
            program.kill();
            *program = Program::start(&database).await;
            room.bases.borrow_mut()[round % 3].clone_from(&program.base);
        }
    };
    tokio::join!(playing, killing);
    let tournament = room.get(&path, "").await;
    assert_eq!(tournament["status"], "finished");
    let told = room.standings_and_points(&path).await;
    let counted = room.count(&tournament).await;
    assert_eq!(told, counted);
    assert_eq!(told.len(), 60);
    assert!(
        told.values().any(|(_, score)| score.is_some()) && told.values().any(|(_, score)| score.is_none())
    );

    // Thrown away and counted again.
    let mut rebuild = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    rebuild.args(["rebuild", "--log=error", "--database-url", &database.url]);
    assert!(rebuild.status().unwrap().success());
    programs[0].kill();
    programs[0] = Program::start(&database).await;
    room.bases.replace(vec![programs[0].base.clone()]);
    assert_eq!(room.standings_and_points(&path).await, counted);
}

/// Each player's result in thousandths, and their score.
type Sheet = BTreeMap<String, (i64, Option<i64>)>;

struct Room {
    http: reqwest::Client,
    /// Where the replicas listen now.
    bases: RefCell<Vec<String>>,
    dice: RefCell<Dice>,
}

impl Room {
    async fn get(&self, path: &str, token: &str) -> Value {
        self.ask(Method::GET, path, token, "", &Value::Null).await
    }

    /// Asks replicas until one answers. What a person does may have been done by the clock meanwhile.
    async fn ask(&self, method: Method, path: &str, token: &str, key: &str, body: &Value) -> Value {
        let answer = eventually(async || {
            let base = self.dice.borrow_mut().pick(&self.bases.borrow()).clone();
            let request = self.http.request(method.clone(), base + path);
            unexpired(attempt(request, token, key, body).await)
        });
        answer.await.unwrap_or_else(|| panic!("{path} {key} {body}: no answer"))
    }

    /// Plays with any legal moves until the tournament is over.
    async fn play(&self, path: &str, token: &str) {
        loop {
            let tournament = self.get(path, token).await;
            if tournament["status"] != "active" {
                return;
            }
            let Some(game) = tournament["you"]["game"].as_str() else {
                // The first round is being drawn.
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                continue;
            };
            let path = format!("/v1/games/{game}");
            let mut game = self.get(&path, token).await;
            while game["status"] == "active" {
                let menu = list(&game["legal_actions"]);
                if menu.is_empty() {
                    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                    game = self.get(&path, token).await;
                    continue;
                }
                let action = {
                    let mut dice = self.dice.borrow_mut();
                    order(dice.pick(menu), &mut dice)
                };
                let key = format!("after-{}", game["version"]);
                game = self.ask(Method::POST, &format!("{path}/actions"), token, &key, &action).await;
            }
        }
    }

    /// What the service says; the points come to the score of each.
    async fn standings_and_points(&self, path: &str) -> Sheet {
        let mut earned = BTreeMap::<String, i64>::new();
        let mut cursor = String::new();
        loop {
            let page = self.get(&format!("{path}/points?limit=200{cursor}"), "").await;
            for point in list(&page["items"]) {
                assert_eq!(
                    (&point["reason"], list(&point["cards"]).len() >= 4),
                    (&json!("court of knights"), true)
                );
                assert!(point["courts_of_knights"].as_u64() > Some(0), "{point}");
                *earned.entry(point["player"].as_str().unwrap().to_owned()).or_default() +=
                    point["points"].as_i64().unwrap();
            }
            match page["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        let standings = self.get(&format!("{path}/standings?limit=200"), "").await;
        let mut sheet = Sheet::new();
        for row in list(&standings["items"]) {
            let player = row["player"].as_str().unwrap().to_owned();
            let score = row["score"].as_i64();
            assert_eq!(score, earned.get(&player).copied(), "{row}");
            assert_eq!((&row["games"], &row["byes"]), (&json!(ROUNDS), &json!(0)));
            sheet.insert(player, ((row["result"].as_f64().unwrap() * 1000.0).round() as i64, score));
        }
        sheet
    }

    /// The same, from the logs of the games alone.
    async fn count(&self, tournament: &Value) -> Sheet {
        let mut sheet = Sheet::new();
        for table in list(&tournament["rounds"]).iter().flat_map(|round| list(&round["tables"])) {
            let players: Vec<&str> =
                list(&table["players"]).iter().map(|name| name.as_str().unwrap()).collect();
            assert_eq!(players.len(), 6);
            let audit = format!("/v1/games/{}/audit", table["game"].as_str().unwrap());
            let told = self.get(&audit, "").await;
            let text = told.to_string();
            let bundle = Bundle::parse(&text).unwrap();
            for placing in list(&told["outcome"]["places"]) {
                let player = players[placing["seat"].as_u64().unwrap() as usize];
                let won = placing["score"].as_i64().unwrap() - 200;
                sheet.entry(player.to_owned()).or_default().0 += won * 1000;
            }
            let hands = json!(bundle.reading(Reader::Whole).unwrap().into_hands());
            for shown in facts(&hands, "shown") {
                let knights =
                    list(&shown["cards"]).iter().filter(|card| card.as_str().unwrap().starts_with('N'));
                let courts = knights.count() as i64 / 4;
                if courts > 0 {
                    let player = players[shown["seat"].as_u64().unwrap() as usize];
                    *sheet.get_mut(player).unwrap().1.get_or_insert(0) += courts;
                }
            }
        }
        sheet
    }
}

/// All facts of this type, wherever they stand.
fn facts<'a>(value: &'a Value, name: &str) -> Vec<&'a Value> {
    match value {
        Value::Object(fields) if fields.get("type").is_some_and(|is| is == name) => vec![value],
        Value::Object(fields) => fields.values().flat_map(|field| facts(field, name)).collect(),
        Value::Array(items) => items.iter().flat_map(|item| facts(item, name)).collect(),
        _ => Vec::new(),
    }
}
