//! Turn clocks over HTTP: rows that any replica fires. What the times mean is in `../clocks.rs`.

use std::time::Duration;

use cardroom::store::database::Database;
use diesel::prelude::*;
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use futures_util::future::join_all;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;
use super::games::turn;
use super::servers;

/// A game of Royal Gambit with a clock that has just started: its path, and its players by seat.
pub async fn timed(app: &TestApp, turn_seconds: u32, bank_seconds: u32) -> (String, Vec<Client>) {
    let players = vec![app.guest().await, app.guest().await];
    let wanted = json!({"kind": "royal_gambit", "seats": 2, "sit": true,
        "turn_seconds": turn_seconds, "bank_seconds": bank_seconds});
    let made = players[0].post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", made["id"].as_str().unwrap());
    players[1].post(&format!("{path}/seats"), &json!({})).await.ok();
    (path, players)
}

pub async fn look(app: &TestApp, path: &str) -> Value {
    app.anon().get(path).await.ok()
}

/// The newest action in the log.
pub async fn newest(app: &TestApp, path: &str) -> Value {
    let log = app.anon().get(&format!("{path}/log?limit=200")).await.ok();
    let mut acted = log["items"].as_array().unwrap().iter().filter(|entry| entry["type"] == "acted");
    acted.next_back().unwrap().clone()
}

#[tokio::test]
async fn the_clock_plays_for_who_has_not_and_says_so() {
    let app = TestApp::start().await;
    let (path, _) = timed(&app, 10, 5).await;
    let game = look(&app, &path).await;
    assert_eq!((&game["turn_seconds"], &game["bank_seconds"]), (&json!(10), &json!(5)));
    assert_eq!(game["deadline"], "2026-11-20T18:00:15.000000Z");
    assert_eq!((&game["seats"][0]["away"], &game["seats"][0]["bank_ms"]), (&json!(false), &json!(5000)));
    app.pass(14).await;
    assert_eq!(look(&app, &path).await["version"], game["version"]);
    app.pass(1).await;
    let after = look(&app, &path).await;
    assert_eq!(after["version"].as_u64().unwrap(), game["version"].as_u64().unwrap() + 1);
    assert_eq!(after["seats"][turn(&game)]["bank_ms"], 0);
    let entry = newest(&app, &path).await;
    assert_eq!((&entry["by"], &entry["seat"]), (&json!({"type": "clock"}), &game["to_act"][0]));
    assert_eq!((&entry["data"], &entry["at"]), (&json!({"action": {"type": "stay"}}), &game["deadline"]));
    // Both go on missing, and the deal goes round the table: that ends it.
    for _ in 0..60 {
        app.pass(1).await;
    }
    let end = look(&app, &path).await;
    assert_eq!((&end["status"], &end["outcome"]["winners"]), (&json!("finished"), &json!([0, 1])));
    assert_eq!(end["deadline"], Value::Null);
    assert!(due(&app).await.is_empty());
}

#[tokio::test]
async fn a_clock_has_bounds() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    for (wrong, code) in [
        (json!({"turn_seconds": 4}), "invalid_options"),
        (json!({"turn_seconds": 604_801}), "invalid_options"),
        (json!({"turn_seconds": -5}), "invalid_body"),
        (json!({"turn_seconds": 5.5}), "invalid_body"),
        (json!({"turn_seconds": "60"}), "invalid_body"),
        (json!({"turn_seconds": 60, "bank_seconds": 604_801}), "invalid_options"),
        (json!({"turn_seconds": null, "bank_seconds": 60}), "invalid_options"),
    ] {
        let mut wanted = wrong.clone();
        wanted["kind"] = json!("sevens");
        assert_eq!(ann.post("/v1/games", &wanted).await.code(), code, "{wrong}");
    }
    for right in [
        json!({"turn_seconds": 5}),
        json!({"turn_seconds": 604_800, "bank_seconds": 604_800}),
        json!({"turn_seconds": null}),
    ] {
        let mut wanted = right;
        wanted["kind"] = json!("sevens");
        app.clock.advance(1);
        let game = ann.post("/v1/games", &wanted).await.ok();
        assert_eq!(game["turn_seconds"], wanted["turn_seconds"]);
        let listed = app.anon().get("/v1/games?limit=1").await.ok();
        assert_eq!(listed["items"][0]["turn_seconds"], wanted["turn_seconds"]);
    }
}

#[tokio::test]
async fn a_game_that_nothing_is_due_at_has_no_row() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let wanted = json!({"kind": "royal_gambit", "sit": true, "bots": ["steady"], "turn_seconds": null});
    ann.post("/v1/games", &wanted).await.ok();
    super::games::started(&app, 2).await;
    assert!(due(&app).await.is_empty());
    let (path, players) = timed(&app, 60, 0).await;
    assert_eq!(due(&app).await.len(), 1);
    let before = due(&app).await;
    app.pass(3).await;
    let seat = turn(&look(&app, &path).await);
    players[seat].post(&format!("{path}/actions"), &json!({"type": "stay"})).await.ok();
    assert_eq!(due(&app).await, before, "a move that puts the deadline off does not write it");
    app.pass(57).await;
    let put_off = due(&app).await[0];
    assert_eq!(put_off, before[0] + SignedDuration::from_secs(3), "it is put off when it comes");
    app.pass(1).await;
    assert_eq!(due(&app).await, [put_off]);
    app.pass(1).await;
    players[1 - seat].post(&format!("{path}/actions"), &json!({"type": "stay"})).await.ok();
    assert!(due(&app).await[0] > put_off, "a move in the last ten seconds writes it");
    let admin = app.admin("root").await;
    admin.post(&format!("{path}/abort"), &json!(null)).await.ok();
    assert!(due(&app).await.is_empty());
}

#[tokio::test]
async fn a_row_never_comes_later_than_the_deadline_however_long_players_take() {
    let app = TestApp::start().await;
    let replicas = [app.replica().await, app.replica().await];
    let (path, players) = timed(&app, 5, 20).await;
    let (mut by_clock, mut brought_forward) = (0, 0);
    // Some use up their reserve: the one after them then has less time than they had.
    for (round, takes) in [0, 3, 6, 1, 14, 40, 0, 2, 4, 0, 9, 1].into_iter().cycle().take(60).enumerate() {
        let game = look(&app, &path).await;
        let has_moved = async || look(&app, &path).await["version"] != game["version"];
        for _ in 0..takes {
            replicas[0].pass(1).await;
            on_time(&app, &path).await;
            if has_moved().await {
                break;
            }
        }
        if has_moved().await {
            by_clock += 1;
            continue;
        }
        let before = due(&app).await;
        let mover = replicas[round % 2].at(&players[turn(&game)]);
        mover.post(&format!("{path}/actions"), &json!({"type": "stay"})).await.ok();
        on_time(&app, &path).await;
        brought_forward += u32::from(due(&app).await < before);
    }
    println!("{by_clock} decisions by the clock, {brought_forward} deadlines brought forward");
    assert!(by_clock > 0 && brought_forward > 0);
}

/// The row of the only game comes no later than its deadline, and that has not passed.
async fn on_time(app: &TestApp, path: &str) {
    let game = look(app, path).await;
    let deadline: jiff::Timestamp = game["deadline"].as_str().unwrap().parse().unwrap();
    assert!(due(app).await[0] <= deadline, "{game}");
    assert!(deadline > app.clock.now(), "{game}");
}

async fn due(app: &TestApp) -> Vec<jiff::Timestamp> {
    use cardroom::store::schema::deadlines;
    let mut connection = app.database.connection().await;
    let due: Vec<jiff_diesel::Timestamp> =
        deadlines::table.select(deadlines::due_at).load(&mut connection).await.unwrap();
    due.into_iter().map(Into::into).collect()
}

#[tokio::test]
async fn deadlines_hold_over_a_restart() {
    let app = TestApp::start().await;
    let (path, _) = timed(&app, 10, 0).await;
    app.pass(6).await;
    let before = look(&app, &path).await;
    let restarted = app.replica().await;
    restarted.pass(3).await;
    assert_eq!(look(&restarted, &path).await["version"], before["version"]);
    restarted.pass(1).await;
    assert_eq!(newest(&restarted, &path).await["by"], json!({"type": "clock"}));
}

#[tokio::test]
async fn a_service_that_was_down_grants_the_time_it_was_down_once() {
    let app = TestApp::start().await;
    let (path, players) = timed(&app, 10, 20).await;
    app.pass(5).await;
    let before = look(&app, &path).await;
    // Nobody is up for ten minutes; then three replicas come up at once.
    app.clock.advance(600);
    let replicas = join_all((0..3).map(|_| app.replica())).await;
    for replica in &replicas {
        replica.tick().await;
    }
    let outages: Vec<bool> = {
        use cardroom::store::schema::outages;
        let mut connection = app.database.connection().await;
        outages::table.select(outages::since.lt(outages::until)).load(&mut connection).await.unwrap()
    };
    assert_eq!(outages, [true]);
    replicas[0].pass(24).await;
    let game = look(&replicas[1], &path).await;
    assert_eq!(game["version"], before["version"], "29 seconds of 30 have passed");
    assert_eq!(game["deadline"], before["deadline"], "it tells when at the earliest");
    let (seat, other) = (turn(&game), 1 - turn(&game));
    let mover = replicas[2].at(&players[seat]);
    let moved = mover.post(&format!("{path}/actions"), &json!({"type": "stay"})).await.ok();
    assert_eq!(moved["seats"][seat]["bank_ms"], 1000);
    assert_eq!(newest(&app, &path).await["data"]["granted_ms"], 600_000);
    replicas[1].pass(29).await;
    assert_eq!(look(&app, &path).await["version"], moved["version"]);
    replicas[1].pass(1).await;
    let entry = newest(&app, &path).await;
    assert_eq!((&entry["by"], &entry["seat"]), (&json!({"type": "clock"}), &json!(other)));
    assert_eq!(entry["data"].get("granted_ms"), None);
}

#[tokio::test]
async fn a_move_that_is_the_first_thing_after_an_outage_is_not_charged_for_it() {
    let app = TestApp::start().await;
    let (path, players) = timed(&app, 60, 20).await;
    app.pass(5).await;
    app.clock.advance(600);
    for granted in [json!(600_000), json!(null)] {
        let seat = turn(&look(&app, &path).await);
        let moved = players[seat].post(&format!("{path}/actions"), &json!({"type": "stay"})).await.ok();
        assert_eq!(moved["seats"][seat]["bank_ms"], 20_000);
        assert_eq!(newest(&app, &path).await["data"]["granted_ms"], granted);
        // With shards, no request waits until the outage is written down.
        app.tick().await;
        app.pass(3).await;
    }
    let moved = look(&app, &path).await;
    app.pass(76).await;
    assert_eq!(look(&app, &path).await["version"], moved["version"], "79 of 80 seconds have passed");
    app.pass(1).await;
    assert_eq!(newest(&app, &path).await["by"], json!({"type": "clock"}));
}

/// However many games there are, and however long it takes to change their rows.
#[tokio::test]
async fn an_outage_is_written_down_though_that_takes_longer_than_a_statement_may() {
    if servers::are_distributed() {
        return println!("a distributed table takes no trigger");
    }
    let app = TestApp::start().await;
    timed(&app, 60, 0).await;
    app.pass(5).await;
    let slow = "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
                    AS $$ BEGIN PERFORM pg_sleep(2); RETURN NEW; END $$;
                CREATE TRIGGER slow BEFORE UPDATE ON deadlines FOR EACH ROW EXECUTE FUNCTION slow()";
    app.database.connection().await.batch_execute(slow).await.unwrap();
    let hasty = Database::with_limit(&app.database.url, 1, Duration::from_secs(1)).unwrap();
    app.clock.advance(600);
    let came_up = hasty.come_up(&app.clock, SignedDuration::from_hours(1)).await.unwrap();
    assert_eq!((came_up.at, came_up.outages.len()), (app.clock.now(), 1));
}

#[tokio::test]
async fn of_a_move_and_the_clock_one_is_first_and_the_other_does_nothing() {
    let app = TestApp::start().await;
    let replicas = [app.replica().await, app.replica().await];
    let (path, players) = timed(&app, 5, 0).await;
    let (mut moved, mut missed) = (0, 0);
    for round in 0..25 {
        let game = look(&app, &path).await;
        let seat = turn(&game);
        let mover = replicas[round % 2].at(&players[seat]);
        // On the very second at which time runs out.
        app.clock.advance(4);
        app.tick().await;
        app.clock.advance(1);
        let (actions, stay) = (format!("{path}/actions"), json!({"type": "stay"}));
        let at_the_version = mover.with("if-match", &format!("\"{}\"", game["version"]));
        let (reply, ..) = tokio::join!(
            at_the_version.post(&actions, &stay),
            replicas[0].tick(),
            replicas[1].tick(),
            app.tick()
        );
        let log = app.anon().get(&format!("{path}/log?after={}", game["version"])).await.ok();
        let decisions: Vec<Value> = log["items"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|entry| entry["type"] == "acted")
            .cloned()
            .collect();
        assert_eq!(decisions.len(), 1, "{decisions:?}");
        assert_eq!(decisions[0]["seat"], seat);
        match reply.status.as_u16() {
            201 => moved += 1,
            _ => {
                assert_eq!(reply.code(), "stale_version");
                missed += 1;
            }
        }
        assert_eq!(decisions[0]["by"]["type"] == "player", reply.status == 201);
        // One who plays between keeps the game from ending.
        let game = look(&app, &path).await;
        players[turn(&game)].post(&actions, &json!({"type": "stay"})).await.ok();
    }
    println!("{moved} moves and {missed} times the clock");
    assert_eq!(moved + missed, 25);
}
