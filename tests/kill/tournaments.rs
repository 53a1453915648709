//! Tournaments of bots that organisers run while the service is killed.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::room::{Player, Room};
use crate::api::tournaments::offline::Offline;
use crate::random::dice::Dice;
use crate::random::orders::list;

const ROUNDS: u64 = 3;
const BOTS: u64 = 5;
const EXPERTS: usize = 2;
/// Games are in the export so long after their end.
const EXPORTED_AFTER: Duration = Duration::from_secs(11);

/// A tournament that was played to its end, as its organiser remembers it.
#[derive(Clone)]
pub struct Organised {
    path: String,
    /// The types of the entries that the organiser's acts have written, each with the words that were said.
    acts: Vec<(&'static str, String)>,
}

/// Runs tournaments, one after the other, until all kills are done.
pub async fn organise(room: &Room, nth: u64, mut dice: Dice) -> Vec<Organised> {
    let organiser = &room.players[nth as usize];
    let mut tournaments = Vec::new();
    while tournaments.is_empty() || !room.kills_are_over.get() {
        let name = format!("Cup {nth}-{}", tournaments.len());
        tournaments.push(run(room, organiser, &name, &mut dice).await);
    }
    tournaments
}

/// Runs a tournament. The next round waits for the organiser, who does this and that while a round is played.
async fn run(room: &Room, organiser: &Player, name: &str, dice: &mut Dice) -> Organised {
    let (kind, table_size, options) = *dice.pick(&[
        ("ritunas_favour", 3, r#"{"hands": 3}"#),
        ("sevens", 2, r#"{"hands": 3, "level_hands": 1}"#),
        ("knights_heads", 4, r#"{"hands": 2}"#),
    ]);
    let seating = *dice.pick(&["random", "swiss", "balanced"]);
    let wanted = json!({
        "name": name, "kind": kind, "table_size": table_size, "fill": "random", "pause_after_rounds": true,
        "options": serde_json::from_str::<Value>(options).unwrap(), "scoring": {"type": "chips"},
        "format": {"type": "rounds", "rounds": ROUNDS, "seating": seating},
    });
    let ask = async |what: &str, key: &str, body: &Value| {
        room.ask(Method::POST, what, Some(organiser), key, body).await
    };
    let made = ask("/v1/tournaments", &name.replace(' ', "-"), &wanted).await;
    let path = format!("/v1/tournaments/{}", made["id"].as_str().unwrap());
    let mut bots = vec![json!({"bot": "steady"}); BOTS as usize];
    // Some of the kills meet these in thought.
    bots.extend(vec![json!({"bot": "expert"}); EXPERTS]);
    ask(&format!("{path}/entries/bulk"), "enter", &json!({"entries": bots})).await;
    ask(&format!("{path}/start"), "start", &json!({})).await;
    let mut acts = Vec::new();
    for round in 1..=ROUNDS {
        look_until(room, &path, |tournament| list(&tournament["rounds"]).len() as u64 >= round).await;
        // While the last round is played, the tournament may end at any moment.
        if round == ROUNDS {
            break;
        }
        let mut stopped = false;
        for act in 0..dice.below(4) {
            let words = format!("{round}.{act}");
            let player = format!("steady {}", 1 + dice.below(BOTS));
            let (entry, to, body) = match dice.below(3) {
                0 if !stopped => ("paused", "pause", json!({"reason": words, "stop_clocks": true})),
                1 => ("penalised", "penalties", json!({"player": player, "reason": words, "result": -1})),
                _ => ("announced", "announcements", json!({"text": words})),
            };
            stopped |= entry == "paused";
            ask(&format!("{path}/{to}"), &words, &body).await;
            acts.push((entry, words));
        }
        ask(&format!("{path}/resume"), &format!("resume-{round}"), &json!({})).await;
        acts.push(("resumed", String::new()));
    }
    look_until(room, &path, |tournament| tournament["status"] == "finished").await;
    Organised { path, acts }
}

async fn look_until(room: &Room, path: &str, is_so: impl Fn(&Value) -> bool) {
    let began = tokio::time::Instant::now();
    while !is_so(&room.look(path, None).await) {
        // Kills hold a round up, but not for long.
        assert!(began.elapsed() < 4 * room.limit, "{path} stands still");
        sleep(Duration::from_millis(50)).await;
    }
}

/// The logs hold what was acknowledged, once and in order, and the program finds no fault in what it shows of the
/// tournaments. How many acts each had.
pub async fn audit(room: &Room, tournaments: &[Organised]) -> Vec<usize> {
    sleep(EXPORTED_AFTER).await;
    let text = async |path: &str| {
        let url = format!("{}{path}", room.base());
        let response = room.http.get(url).send().await.unwrap().error_for_status().unwrap();
        response.text().await.unwrap()
    };
    let offline = Offline::of(&text("/.well-known/jwks.json").await);
    let mut counts = Vec::new();
    for Organised { path, acts } in tournaments {
        let log = room.look(&format!("{path}/log?limit=200"), None).await;
        let written: Vec<(&str, String)> = list(&log["items"]).iter().filter_map(act_of).collect();
        assert_eq!(&written, acts, "{path}");
        let games = text(&format!("/v1/audit/games?tournament={}", path.rsplit('/').next().unwrap())).await;
        let told = offline.audit(&format!("{}\n{games}", text(&format!("{path}/audit")).await));
        assert!(told.status.success(), "{path}: {}", String::from_utf8_lossy(&told.stdout));
        counts.push(acts.len());
    }
    counts
}

/// The act of the organiser that has written this entry.
fn act_of(entry: &Value) -> Option<(&'static str, String)> {
    let words = |name: &str| entry["data"][name].as_str().unwrap_or_default().to_owned();
    match entry["type"].as_str().unwrap() {
        "announced" => Some(("announced", words("text"))),
        "penalised" => Some(("penalised", words("reason"))),
        "paused" => Some(("paused", words("reason"))),
        "resumed" => Some(("resumed", String::new())),
        _ => None,
    }
}
