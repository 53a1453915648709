//! `cardroom role` and `cardroom rebuild` beside a program that runs, on its own PostgreSQL.

use std::process::{Child, Command};

use diesel::QueryableByName;
use diesel::sql_types::Text;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use serde_json::{Value, json};

use super::api::app::PASSWORD;
use super::api::client::Client;
use super::api::leaderboards::played;
use super::eventually::eventually;
use super::folder::Folder;
use super::kill::start;

/// Gives a command on the program's folder, and tells how it ended and what it said.
async fn command(folder: &Folder, words: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    command.args(words).arg("--data-dir").arg(folder.data_dir()).env_remove("DATABASE_URL");
    let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
    let told = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(told).unwrap())
}

pub async fn register(base: &str, name: &str) -> Client {
    let credentials = json!({"username": name, "password": PASSWORD});
    let anon = Client::anon(base);
    let session = anon.post("/v1/auth/register", &credentials).await.ok();
    anon.with_session(session)
}

fn stop(mut program: Child) {
    assert!(Command::new("kill").arg(program.id().to_string()).status().unwrap().success());
    assert!(program.wait().unwrap().success());
}

async fn connect(folder: &Folder) -> AsyncPgConnection {
    let socket = folder.data_dir().join("socket").to_str().unwrap().replace('/', "%2F");
    AsyncPgConnection::establish(&format!("postgres://cardroom@{socket}/postgres")).await.unwrap()
}

#[derive(QueryableByName)]
pub struct Line {
    #[diesel(sql_type = Text)]
    pub line: String,
}

/// Every figure that follows from the logs.
async fn figures(connection: &mut AsyncPgConnection) -> Vec<String> {
    let mut figures = Vec::new();
    for table in ["ratings", "rated_games", "tournament_hands"] {
        let rows = diesel::sql_query(format!("SELECT {table}::text AS line FROM {table} ORDER BY 1"));
        let rows: Vec<Line> = rows.load(connection).await.unwrap();
        assert!(!rows.is_empty(), "{table}");
        figures.extend(rows.into_iter().map(|row| row.line));
    }
    figures
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_is_given_while_the_program_runs_and_while_it_does_not() {
    let folder = Folder::new();
    let (program, base) = start(&folder).await;
    register(&base, "ann").await;
    let role = async || {
        let credentials = json!({"username": "ann", "password": PASSWORD});
        Client::anon(&base).post("/v1/auth/login", &credentials).await.ok()["account"]["role"].clone()
    };
    assert_eq!(role().await, "player");
    let (ok, told) = command(&folder, &["role", "ann", "admin"]).await;
    assert!(ok && told.contains("ann is admin"), "{told}");
    assert_eq!(role().await, "admin");
    let (ok, told) = command(&folder, &["role", "bob", "admin"]).await;
    assert!(!ok && told.contains("no account bob"), "{told}");
    stop(program);
    let (ok, told) = command(&folder, &["role", "ann", "player"]).await;
    assert!(ok && told.contains("ann is player"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_waits_for_a_program_that_is_starting() {
    let folder = Folder::new();
    let starting = async {
        let (program, _) = start(&folder).await;
        stop(program);
    };
    let commanding = async {
        // The program holds the folder, and has no server yet.
        let unfinished = folder.data_dir().join("postgres.new");
        assert!(eventually(async || unfinished.exists().then_some(())).await.is_some());
        command(&folder, &["role", "nobody", "admin"]).await
    };
    let ((), (ok, told)) = tokio::join!(starting, commanding);
    // The program may be told to stop while the command is at it.
    assert!(!ok && (told.contains("no account nobody") || told.contains("unavailable")), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_makes_no_database_of_its_own() {
    let folder = Folder::new();
    for words in [&["check"][..], &["rebuild"], &["role", "ann", "admin"]] {
        let (ok, told) = command(&folder, words).await;
        assert!(!ok && told.contains("DATABASE_URL is not set, and there is no database in"), "{told}");
    }
    assert!(!folder.data_dir().exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_does_not_change_the_tables_under_a_program_that_is_older() {
    let folder = Folder::new();
    let (program, _) = start(&folder).await;
    let newest = "DELETE FROM __diesel_schema_migrations
         WHERE version = (SELECT max(version) FROM __diesel_schema_migrations)";
    connect(&folder).await.batch_execute(newest).await.unwrap();
    let (ok, told) = command(&folder, &["role", "ann", "admin"]).await;
    assert!(!ok && told.contains("is older than this one"), "{told}");
    stop(program);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rebuild_beside_a_program_that_plays_comes_to_what_a_quiet_one_does() {
    let folder = Folder::new();
    let (mut program, base) = start(&folder).await;
    let (ann, bob) = (register(&base, "ann").await, register(&base, "bob").await);
    let wanted = json!({"name": "Cup", "kind": "knights_heads", "options": {"hands": 10},
        "format": {"type": "rounds", "rounds": 4, "seating": "swiss"}});
    let made = ann.post("/v1/tournaments", &wanted).await.ok();
    let path = format!("/v1/tournaments/{}", made["id"].as_str().unwrap());
    let bots = json!({"entries": vec![json!({"bot": "steady"}); 12]});
    ann.post(&format!("{path}/entries/bulk"), &bots).await.ok();
    ann.post(&format!("{path}/start"), &json!({})).await.ok();
    let has_ended = async || ann.get(&path).await.ok()["status"] == "finished";
    let playing = async {
        while !has_ended().await {
            played(&[&ann, &bob], json!({})).await;
        }
        played(&[&ann, &bob], json!({})).await;
    };
    let rebuilding = async {
        loop {
            let (ok, told) = command(&folder, &["rebuild"]).await;
            assert!(ok, "{told}");
            if has_ended().await {
                break;
            }
        }
    };
    tokio::join!(playing, rebuilding);

    let mut connection = connect(&folder).await;
    let counted = async || {
        let waiting = "SELECT 'games wait' AS line FROM unrated_games";
        let waiting: Vec<Line> = diesel::sql_query(waiting).load(&mut connect(&folder).await).await.unwrap();
        waiting.is_empty().then_some(())
    };
    assert!(eventually(counted).await.is_some(), "games are still not rated");
    let before = figures(&mut connection).await;
    let standings =
        async |base: &str| -> Value { Client::anon(base).get(&format!("{path}/standings")).await.ok() };
    let told = standings(&base).await;

    // The program reads figures that are wrong, and then they are written anew.
    program.kill().unwrap();
    program.wait().unwrap();
    let (program, base) = start(&folder).await;
    let mut connection = connect(&folder).await;
    let wrong = "UPDATE ratings SET mu = 99, games = 7;
         UPDATE tournament_hands SET scores = array_fill(0::bigint, ARRAY[cardinality(scores)]), awards = NULL,
             places = CASE WHEN places IS NOT NULL THEN array_fill(1::smallint, ARRAY[cardinality(places)]) END
         WHERE cardinality(scores) > 0;";
    connection.batch_execute(wrong).await.unwrap();
    assert_ne!(standings(&base).await, told);
    let (ok, said) = command(&folder, &["rebuild"]).await;
    assert!(ok, "{said}");
    assert_eq!(standings(&base).await, told, "the program does not go by what it has in memory");
    assert_eq!(figures(&mut connection).await, before);
    stop(program);

    let (ok, said) = command(&folder, &["rebuild"]).await;
    assert!(ok, "{said}");
    let server = folder.start();
    let mut connection = AsyncPgConnection::establish(&server.url("postgres")).await.unwrap();
    assert_eq!(figures(&mut connection).await, before, "nor does a quiet rebuild change anything");
}
