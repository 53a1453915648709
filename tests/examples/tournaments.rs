//! Tournaments: what organisers and entrants ask for.

use reqwest::Method;
use serde_json::{Value, json};

use super::id;
use super::walk::Walk;
use crate::api::app::TestApp;
use crate::api::client::Client;
use crate::random::dice::Dice;
use crate::random::orders::{list, order};

/// What organisers do while a tournament runs.
async fn desk(walk: &mut Walk, ann: &Client, path: &str) {
    let text = json!({"text": "Round 2 begins at three."});
    walk.post(ann, "announce", &format!("{path}/announcements"), text).await;
    walk.get(ann, "list_announcements", &format!("{path}/announcements")).await;
    let penalty = json!({"player": "cleo", "reason": "late at the table", "result": -0.5, "score": -10});
    walk.post(ann, "penalise", &format!("{path}/penalties"), penalty).await;
    walk.get(ann, "list_penalties", &format!("{path}/penalties")).await;
    walk.delete(ann, "cancel_penalty", &format!("{path}/penalties/1")).await;
    let reason = json!({"reason": "did not come"});
    ann.post(&format!("{path}/entries/steady%201/disqualify"), &reason).await.ok();
    walk.post(ann, "reinstate", &format!("{path}/entries/steady%201/reinstate"), json!({})).await;
    let player = json!({"player": "ben"});
    walk.post(ann, "replace_entrant", &format!("{path}/entries/steady%202/replace"), player).await;
    walk.post(ann, "pause_tournament", &format!("{path}/pause"), json!({"reason": "Lunch until two."})).await;
    walk.post(ann, "resume_tournament", &format!("{path}/resume"), json!({})).await;
}

/// A table that is played once more, and another whose result an organiser sets.
async fn tables(app: &TestApp, walk: &mut Walk, [ann, cleo]: [&Client; 2], path: &str) {
    app.tick().await;
    let text = json!({"text": "My phone is dead."});
    walk.post(cleo, "call_referee", &format!("{path}/calls"), text).await;
    walk.get(ann, "list_calls", &format!("{path}/calls")).await;
    let answer = json!({"answer": "You have five minutes more."});
    walk.post(ann, "answer_call", &format!("{path}/calls/1/answer"), answer).await;
    let table = format!("{path}/rounds/1/tables/1");
    walk.post(ann, "pause_table", &format!("{table}/pause"), json!({})).await;
    walk.post(ann, "add_time", &format!("{table}/extra-time"), json!({"seconds": 300})).await;
    walk.post(ann, "resume_table", &format!("{table}/resume"), json!({})).await;
    let drawn = ann.get(path).await.ok()["rounds"][0]["tables"][0].clone();
    let scores: Vec<usize> = (1..=list(&drawn["players"]).len()).collect();
    let result =
        json!({"game": drawn["game"], "reason": "the phones died in the last hand", "scores": scores});
    walk.post(ann, "set_table_result", &format!("{table}/result"), result).await;
    walk.delete(ann, "cancel_table_result", &format!("{table}/result")).await;
    let redo = json!({"game": drawn["game"], "reason": "a power cut"});
    walk.post(ann, "redo_table", &format!("{table}/redo"), redo).await;
}

/// Two teams of bots.
async fn teams(app: &TestApp, walk: &mut Walk, ann: &Client, mut wanted: Value) {
    wanted["teams"] = json!({"size": 2});
    wanted["check_in_minutes"] = Value::Null;
    let path = format!("/v1/tournaments/{}", id(&ann.post("/v1/tournaments", &wanted).await.ok()));
    for team in ["Foxes", "Foxes", "Owls", "Owls"] {
        ann.post(&format!("{path}/bots"), &json!({"policy": "steady", "team": team})).await.ok();
    }
    let team = json!({"team": "Hares"});
    walk.put(ann, "change_team", &format!("{path}/entries/steady%204/team"), team).await;
    ann.post(&format!("{path}/start"), &json!({})).await.ok();
    while app.anon().get(&path).await.ok()["status"] != "finished" {
        app.tick().await;
        app.clock.advance(1);
    }
    walk.get(&app.anon(), "get_team_standings", &format!("{path}/teams")).await;
}

/// Two tables of bots that are dealt the same cards.
pub async fn walk_through_duplicate(app: &TestApp, walk: &mut Walk, ann: &Client) {
    let wanted = json!({
        "name": "Same cards", "kind": "royal_gambit", "options": {"target_score": 3}, "table_size": 2, "duplicate": true,
        "format": {"type": "rounds", "rounds": 1, "seating": "random"}, "scoring": {"type": "places"},
    });
    let made = ann.post("/v1/tournaments", &wanted).await.ok();
    let path = format!("/v1/tournaments/{}", id(&made));
    let bots =
        json!({"entries": [{"bot": "steady"}, {"bot": "steady"}, {"bot": "random"}, {"bot": "random"}]});
    ann.post(&format!("{path}/entries/bulk"), &bots).await.ok();
    ann.post(&format!("{path}/start"), &json!({})).await.ok();
    while ann.get(&path).await.ok()["status"] != "finished" {
        app.tick().await;
        app.clock.advance(1);
    }
    let game = ann.get(&path).await.ok()["rounds"][0]["tables"][0]["game"].clone();
    let path = format!("/v1/games/{}/hands/1/comparison", game.as_str().unwrap());
    walk.get(&app.anon(), "get_hand_comparison", &path).await;
}

/// A tournament from its creation to its audit.
pub async fn walk_through(app: &TestApp, walk: &mut Walk, [ann, ben, cleo]: &[Client; 3]) {
    let wanted = json!({
        "name": "Autumn cup", "kind": "royal_gambit", "options": {"target_score": 3}, "table_size": 3,
        "format": {"type": "rounds", "rounds": 1, "seating": "random"}, "scoring": {"type": "places"},
        "check_in_minutes": 30, "details": {"venue": "Town hall, first floor"},
    });
    let made = walk.post(ann, "create_tournament", "/v1/tournaments", wanted.clone()).await;
    let path = format!("/v1/tournaments/{}", id(&made));
    walk.post(ben, "enter_tournament", &format!("{path}/entries"), json!({"client_seed": "lucky"})).await;
    let ticket = format!("{path}/stream-ticket");
    walk.post(ann, "create_tournament_stream_ticket", &ticket, json!({})).await;
    walk.get(ben, "list_own_tournaments", "/v1/me/tournaments").await;
    walk.delete(ben, "withdraw_from_tournament", &format!("{path}/entries/me")).await;
    walk.post(ann, "enter_bot", &format!("{path}/bots"), json!({"policy": "steady"})).await;
    let rows = json!({"entries": [{"player": "cleo"}, {"bot": "steady"}, {"bot": "random"}]});
    walk.post(ann, "enter_many", &format!("{path}/entries/bulk"), rows).await;
    walk.post(ann, "name_organiser", &format!("{path}/organisers"), json!({"player": "ben"})).await;
    let referee = json!({"player": "cleo", "role": "referee"});
    ann.post(&format!("{path}/organisers"), &referee).await.ok();
    walk.delete(ann, "dismiss_organiser", &format!("{path}/organisers/cleo")).await;
    let wish = json!({"tables": [["steady 1", "random 1"], ["cleo", "steady 2"]]});
    walk.put(ann, "prescribe_tables", &format!("{path}/rounds/1/tables"), wish).await;
    walk.delete(ann, "cancel_prescribed_tables", &format!("{path}/rounds/1/tables")).await;
    let change = json!({"details": {"starts_at": "2026-11-20T18:00:00Z", "time_zone": "Europe/Berlin"}});
    walk.send(ann, "edit_tournament", Method::PATCH, &path, change).await;
    walk.post(cleo, "check_in", &format!("{path}/entries/cleo/check-in"), json!({})).await;
    walk.delete(cleo, "cancel_check_in", &format!("{path}/entries/cleo/check-in")).await;
    cleo.post(&format!("{path}/entries/cleo/check-in"), &json!({})).await.ok();
    walk.post(ann, "start_tournament", &format!("{path}/start"), json!({})).await;
    desk(walk, ann, &path).await;
    tables(app, walk, [ann, cleo], &path).await;
    let reason = json!({"reason": "did not come"});
    walk.post(ben, "disqualify", &format!("{path}/entries/cleo/disqualify"), reason).await;
    let mut dice = Dice::new(1);
    while app.anon().get(&path).await.ok()["status"] != "finished" {
        app.tick().await;
        let mut has_moved = false;
        for player in [ben, cleo] {
            let game = player.get(&path).await.ok()["you"]["game"].clone();
            let Some(game) = game.as_str().map(|game| format!("/v1/games/{game}")) else { continue };
            let menu = player.get(&game).await.ok()["legal_actions"].clone();
            if !list(&menu).is_empty() {
                let action = order(dice.pick(list(&menu)), &mut dice);
                player.post(&format!("{game}/actions"), &action).await.ok();
                has_moved = true;
            }
        }
        if !has_moved {
            // Bots take a moment.
            app.clock.advance(1);
        }
    }
    let anon = app.anon();
    walk.get(&anon, "list_tournaments", "/v1/tournaments").await;
    walk.get(&anon, "get_tournament", &path).await;
    walk.get(&anon, "list_tables", &format!("{path}/rounds/1/tables")).await;
    walk.get(&anon, "get_crosstable", &format!("{path}/crosstable")).await;
    walk.get(&anon, "get_tournament_luck", &format!("{path}/luck")).await;
    walk.get(&anon, "get_tournament_calendar", &format!("{path}/calendar.ics")).await;
    walk.get(&anon, "get_tournament_feed", &format!("{path}/feed.atom")).await;
    walk.get(&anon, "get_tournament_audit", &format!("{path}/audit")).await;
    walk.get(&anon, "list_certificates", &format!("{path}/certificates")).await;
    walk.get(&anon, "get_tournament_log", &format!("{path}/log?limit=4")).await;
    for (operation, list) in [
        ("list_entrants", "entries"),
        ("list_entrants_csv", "entries.csv"),
        ("get_standings", "standings"),
        ("get_standings_csv", "standings.csv"),
        ("list_points", "points"),
        ("list_points_csv", "points.csv"),
    ] {
        walk.get(&anon, operation, &format!("{path}/{list}")).await;
    }
    teams(app, walk, ann, wanted.clone()).await;
    super::series::series(walk, ann, &path).await;
    let copy = json!({"name": "Winter cup"});
    let made = walk.post(ann, "copy_tournament", &format!("{path}/copy"), copy).await;
    let path = format!("/v1/tournaments/{}", id(&made));
    walk.post(ann, "abort_tournament", &format!("{path}/abort"), json!({})).await;
}
