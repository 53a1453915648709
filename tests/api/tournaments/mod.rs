//! Tournaments, as organisers, players and spectators meet them.

mod admission;
mod after;
mod arena;
mod called_off;
mod clocks;
mod copy;
mod desk;
mod duplicates;
mod entries;
mod freezeout;
mod groups;
mod live;
mod luck;
mod many;
mod official;
pub mod offline;
mod rounds;
mod sixty;
mod spectators;
mod tables;
mod twins;
mod unreadable;
mod whole;

use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;
use crate::random::dice::Dice;
use crate::random::orders::{list, order};

/// Makes a tournament of Royal Gambit, two rounds at tables of three, and gives its path. `change` names what is to
/// be otherwise.
pub async fn made(organiser: &Client, change: Value) -> String {
    let mut wanted = json!({
        "name": "Autumn cup", "kind": "royal_gambit", "table_size": 3,
        "options": {"target_score": 3},
        "format": {"type": "rounds", "rounds": 2, "seating": "random"},
        "scoring": {"type": "places"},
    });
    for (field, value) in change.as_object().unwrap() {
        wanted[field] = value.clone();
    }
    let made = organiser.post("/v1/tournaments", &wanted).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let path = made.header("location").unwrap().to_owned();
    assert_eq!(made.ok()["status"], "open");
    path
}

pub async fn enter(path: &str, players: &[Client]) {
    for player in players {
        player.post(&format!("{path}/entries"), &json!({})).await.ok();
    }
}

pub async fn bots(organiser: &Client, path: &str, policy: &str, number: usize) {
    let rows = vec![json!({"bot": policy}); number];
    organiser.post(&format!("{path}/entries/bulk"), &json!({"entries": rows})).await.ok();
}

/// Makes one legal move for each of the players that some game waits for; whether there was any.
async fn move_on(path: &str, players: &[Client], dice: &mut Dice) -> bool {
    let mut moved = false;
    for player in players {
        let game = &player.get(path).await.ok()["you"]["game"];
        let Some(game) = game.as_str().map(|id| format!("/v1/games/{id}")) else { continue };
        let menu = player.get(&game).await.ok()["legal_actions"].clone();
        if list(&menu).is_empty() {
            continue;
        }
        let action = order(dice.pick(list(&menu)), dice);
        player.post(&format!("{game}/actions"), &action).await.ok();
        moved = true;
    }
    moved
}

/// Plays on until the tournament is over, each player with any legal move.
async fn play(app: &TestApp, path: &str, players: &[Client], dice: &mut Dice) -> Value {
    for _ in 0..10_000 {
        app.tick().await;
        if !move_on(path, players, dice).await {
            let tournament = app.anon().get(path).await.ok();
            if tournament["status"] != "active" {
                return tournament;
            }
            // Bots wait for nobody, but for the clock that says when.
            app.clock.advance(1);
        }
    }
    panic!("the tournament goes on and on");
}

async fn standings(client: &Client, path: &str) -> Vec<Value> {
    list(&client.get(&format!("{path}/standings?limit=200")).await.ok()["items"]).clone()
}

async fn points(client: &Client, path: &str) -> Vec<Value> {
    let mut points = Vec::new();
    let mut page = client.get(&format!("{path}/points?limit=7")).await.ok();
    loop {
        points.extend(list(&page["items"]).iter().cloned());
        let Some(next) = page["next"].as_str() else { return points };
        page = client.get(&format!("{path}/points?limit=7&cursor={next}")).await.ok();
    }
}
