//! The program as a whole: how it starts, what it refuses to start with, and how it stops.

use std::process::Command;

use cardroom::store::database::Database;
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::api::app::TestDatabase;
use super::embedded::Folder;
use super::kill::start;

#[test]
fn a_wrong_setting_is_refused_at_the_start_by_its_name() {
    for (name, value) in [
        ("CARDROOM_LISTEN", "everywhere"),
        ("CARDROOM_LISTEN", "127.0.0.1:99999"),
        ("CARDROOM_WORKERS", "0"),
        ("CARDROOM_DB_CONNECTIONS", "many"),
        ("CARDROOM_CACHE_MB", "-1"),
        ("CARDROOM_LOG_FORMAT", "xml"),
        ("DATABASE_URL", "mysql://localhost/cardroom"),
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_cardroom"));
        let output = program.env(name, value).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{name}={value}");
        let flag = format!("--{}", name.trim_start_matches("CARDROOM_").replace('_', "-").to_lowercase());
        assert!(told.contains(name) || told.contains(&flag), "{name}={value}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_told_to_stop_finishes_what_it_has_begun_and_loses_nothing() {
    let folder = Folder::new();
    let (mut program, base) = start(&folder).await;
    let http = reqwest::Client::new();
    let post = async |path: String, token: Option<&str>, body: Value| -> Result<Value, reqwest::Error> {
        let mut request = http.post(format!("{base}{path}")).json(&body);
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        request.send().await?.error_for_status()?.json().await
    };
    let guest = post("/v1/auth/guest".to_owned(), None, json!({})).await.unwrap();
    let token = guest["access_token"].as_str().unwrap();
    // Games are made for as long as the program answers; it is told to stop in the middle of it.
    let making = join_all((0..8).map(async |_| {
        let mut made = Vec::new();
        for _ in 0..10 {
            match post("/v1/games".to_owned(), Some(token), json!({"kind": "sevens", "sit": true})).await {
                Ok(game) => made.push(game["id"].clone()),
                Err(_) => break,
            }
            if made.len() == 3 {
                signal(program.id(), "TERM");
            }
        }
        made
    }));
    let made: Vec<Value> = making.await.into_iter().flatten().collect();
    assert!(program.wait().unwrap().success());
    assert!(!made.is_empty());
    assert!(!folder.cluster().join("postmaster.pid").exists(), "its PostgreSQL has stopped");

    let (mut again, base) = start(&folder).await;
    for id in made {
        let url = format!("{base}/v1/games/{}", id.as_str().unwrap());
        let game: Value = http.get(url).send().await.unwrap().json().await.unwrap();
        assert_eq!((&game["status"], &game["version"]), (&json!("open"), &json!(2)), "{game}");
    }
    signal(again.id(), "INT");
    assert!(again.wait().unwrap().success());
}

fn signal(pid: u32, name: &str) {
    Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn migrations_go_back_down_and_up_again_and_replicas_take_turns() {
    let test = TestDatabase::create().await;
    let database = Database::new(&test.url, 2).unwrap();
    database.revert().await.unwrap();
    assert_eq!(tables(&test).await, 0, "nothing is left");
    let replicas: Vec<Database> = (0..4).map(|_| Database::new(&test.url, 1).unwrap()).collect();
    for migrated in join_all(replicas.iter().map(Database::migrate)).await {
        migrated.unwrap();
    }
    assert!(tables(&test).await > 0);
    // A constraint of the new tables is at work.
    let broken = "INSERT INTO entries (game_id, seq, entry, hash) VALUES (gen_random_uuid(), 0, '{}', '')";
    assert!(test.connection().await.batch_execute(broken).await.is_err());
}

async fn tables(test: &TestDatabase) -> i64 {
    let count =
        "(SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '\\_\\_%')";
    diesel::select(diesel::dsl::sql::<diesel::sql_types::BigInt>(count))
        .get_result(&mut test.connection().await)
        .await
        .unwrap()
}
