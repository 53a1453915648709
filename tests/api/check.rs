//! `cardroom check`: it finds nothing in what the service wrote, and whatever was changed behind its back.

use std::process::Command;

use cardroom::archive_files::ArchiveFiles;
use cardroom::check::{Told, check};
use cardroom::store::database::Database;
use diesel_async::SimpleAsyncConnection;
use serde_json::json;

use super::app::{TestApp, TestDatabase};
use super::games::{started, turn};
use super::leaderboards::played;
use super::tournaments::{bots, made};
use crate::eventually::eventually;

/// What a command finds.
#[derive(Default)]
pub struct Findings(pub Vec<String>);

impl Told for Findings {
    fn fault(&mut self, what: &str, fault: &str) {
        self.0.push(format!("{what}: {fault}"));
    }

    fn progress(&mut self, _: &str, done: u64, of: u64) {
        assert!(done <= of);
    }
}

/// The faults that are found.
pub async fn faults(app: &TestApp) -> Vec<String> {
    faults_with(app, None).await
}

/// The same, where archived games lie in files.
pub async fn faults_with(app: &TestApp, archive: Option<ArchiveFiles>) -> Vec<String> {
    faults_of(&Database::new(&app.database.url, 1).unwrap().with_archive(archive)).await
}

/// The same of a database that may have master keys.
pub async fn faults_of(database: &Database) -> Vec<String> {
    let mut findings = Findings::default();
    let checked = check(database, &mut findings).await.unwrap();
    assert_eq!(checked.faults, findings.0.len() as u64);
    findings.0
}

/// Games that run, wait, were called off and were counted; and a tournament that is over.
pub async fn busy() -> TestApp {
    let app = TestApp::start().await;
    let (ann, bob, guest) = (app.user("ann").await, app.user("bob").await, app.guest().await);
    for _ in 0..3 {
        played(&[&ann, &bob], json!({})).await;
    }
    played(&[&ann, &bob], json!({"visibility": "private"})).await;
    played(&[&ann, &guest], json!({"seats": 3, "bots": ["steady"]})).await;
    app.rate().await;
    let off = ann.post("/v1/games", &json!({"kind": "knights_heads", "sit": true})).await.ok();
    ann.post(&format!("/v1/games/{}/abort", off["id"].as_str().unwrap()), &json!({})).await.ok();
    let (path, players) = started(&app, 2).await;
    let game = players[0].get(&path).await.ok();
    let mover = &players[turn(&game)];
    let action = mover.get(&path).await.ok()["legal_actions"][0]["type"].clone();
    mover.post(&format!("{path}/actions"), &json!({"type": action})).await.ok();

    let cup = made(&ann, json!({})).await;
    bots(&ann, &cup, "steady", 6).await;
    ann.post(&format!("{cup}/start"), &json!({})).await.ok();
    let over = eventually(async || {
        app.pass(1).await;
        (app.anon().get(&cup).await.ok()["status"] == "finished").then_some(())
    });
    over.await.expect("the cup ends");
    // Last, or its time would run out meanwhile.
    let wanted = json!({"kind": "sevens", "seats": 2, "sit": true, "turn_seconds": 60, "bots": ["random"]});
    ann.post("/v1/games", &wanted).await.ok();
    app
}

#[tokio::test]
async fn a_check_finds_whatever_was_changed_behind_the_service_s_back_and_nothing_else() {
    let app = busy().await;
    assert_eq!(faults(&app).await, [] as [&str; 0]);
    let of_over = "game_id = (SELECT min(game_id::text)::uuid FROM games WHERE status = 'finished')";
    let of_active = "game_id = (SELECT min(game_id::text)::uuid FROM games WHERE status = 'active')";
    let changes = [
        (
            "entries",
            format!("UPDATE entries SET hash = sha256(hash) WHERE seq = 2 AND {of_over}"),
            "the hash does not",
        ),
        (
            "entries",
            format!("UPDATE entries SET entry = entry || ' ' WHERE seq = 1 AND {of_active}"),
            "entry 1",
        ),
        ("entries", format!("DELETE FROM entries WHERE seq = 3 AND {of_active}"), "entry 3 was to come"),
        (
            "entries",
            format!(
                "DELETE FROM entries WHERE {of_over} AND seq = (SELECT max(seq) FROM entries WHERE {of_over})"
            ),
            "the log ends at",
        ),
        (
            "games",
            format!("UPDATE games SET status = 'active', ended_at = NULL WHERE {of_over}"),
            "status: the row has Active",
        ),
        ("games", format!("UPDATE games SET options = '{{}}' WHERE {of_active}"), "options"),
        (
            "games",
            format!("UPDATE games SET created_at = created_at - interval '1 s' WHERE {of_over}"),
            "created_at",
        ),
        ("games", "DELETE FROM games WHERE tournament_id IS NULL".to_owned(), "it has entries, but no row"),
        ("games", "DELETE FROM games WHERE tournament_id IS NOT NULL".to_owned(), "is not there"),
        ("games", "UPDATE games SET bots = bots + 1".to_owned(), "bots"),
        ("game_players", format!("DELETE FROM game_players WHERE {of_active}"), "its players"),
        (
            "game_players",
            "UPDATE game_players SET score = score + 1 WHERE score IS NOT NULL".to_owned(),
            "its players",
        ),
        ("deadlines", "DELETE FROM deadlines".to_owned(), "no deadline says so"),
        (
            "tournament_hands",
            "UPDATE tournament_hands SET scores = array_append(scores, 1)".to_owned(),
            "the row of hand",
        ),
        ("tournament_hands", "DELETE FROM tournament_hands WHERE hand = 1".to_owned(), "hand"),
        ("tournaments", "UPDATE tournaments SET status = 'active'".to_owned(), "status: the row has Active"),
        ("tournaments", "UPDATE tournaments SET entrants = 5".to_owned(), "entrants"),
        ("tournament_log", "DELETE FROM tournament_log WHERE seq = 2".to_owned(), "tournament"),
        ("rated_games", "DELETE FROM rated_games WHERE n = 2".to_owned(), "neither was counted nor waits"),
        ("ratings", "UPDATE ratings SET mu = mu + 1".to_owned(), "it does not follow from the games"),
        ("ratings", "DELETE FROM ratings WHERE period = 'all'".to_owned(), "it is missing"),
        (
            "rating_history",
            "UPDATE rating_history SET rating = rating + 1".to_owned(),
            "the rating of account",
        ),
    ];
    let mut missed = Vec::new();
    for (table, change, fault) in changes {
        // Without foreign keys, as in a database that was restored by halves.
        let before = format!("SET session_replication_role TO replica; CREATE TABLE saved AS TABLE {table}");
        let after = format!("DELETE FROM {table}; INSERT INTO {table} TABLE saved; DROP TABLE saved");
        let mut connection = app.database.connection().await;
        connection.batch_execute(&before).await.unwrap();
        connection.batch_execute(&change).await.unwrap();
        let found = faults(&app).await;
        if !found.iter().any(|found| found.contains(fault)) {
            missed.push(format!("{change}: {found:?}"));
        }
        connection.batch_execute(&after).await.unwrap();
    }
    assert_eq!(missed, [] as [&str; 0]);
    assert_eq!(faults(&app).await, [] as [&str; 0], "all is as it was");

    let (code, told) = checked(&app.database).await;
    assert!(code == Some(0) && told.contains("faults: 0"), "{told}");
    let mut connection = app.database.connection().await;
    connection.batch_execute("UPDATE games SET bots = 9 WHERE tournament_id IS NULL").await.unwrap();
    let (code, told) = checked(&app.database).await;
    assert!(code == Some(1) && told.starts_with("WRONG  game "), "{told}");
}

/// What the command says.
async fn checked(database: &TestDatabase) -> (Option<i32>, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    program.arg("check").env("DATABASE_URL", &database.url);
    let output = tokio::task::spawn_blocking(move || program.output()).await.unwrap().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}
