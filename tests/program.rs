//! The program as a whole: how it starts, what it refuses to start with, and how it stops.

use std::process::{Command, Stdio};

use cardroom::store::database::Database;
use cardroom_core::rules::registry::by_name;
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::api::app::TestDatabase;
use super::api::at_rest::master_key;
use super::api::client::Events;
use super::audits;
use super::audits::games::{Game, key};
use super::eventually::eventually;
use super::folder::Folder;
use super::kill::{launch, start};
use super::kill_9;
use super::random::dice::Dice;

#[test]
fn a_wrong_setting_is_refused_at_the_start_by_its_name() {
    for (name, value) in [
        ("CARDROOM_LISTEN", "everywhere"),
        ("CARDROOM_LISTEN", "127.0.0.1:99999"),
        ("CARDROOM_WORKERS", "0"),
        ("CARDROOM_DB_CONNECTIONS", "many"),
        ("CARDROOM_CACHE_MB", "-1"),
        ("CARDROOM_QUEUE", "0"),
        ("CARDROOM_LOG", "verbose"),
        ("CARDROOM_LOG", "info,cardroom=loud"),
        ("CARDROOM_LOG_FORMAT", "xml"),
        ("CARDROOM_DB_STATEMENT_SECONDS", "0"),
        ("DATABASE_URL", "mysql://localhost/cardroom"),
        ("DATABASE_URL", "postgres://localhost/cardroom?sslmode=allow"),
        ("DATABASE_URL", "postgres://localhost/cardroom?sslmode=verify-full"),
        ("DATABASE_URL", "postgres://localhost/cardroom?sslmode=verify-full&sslrootcert=/no/such/file"),
        ("DATABASE_URL", "postgres://localhost/cardroom?sslcert=/only/half"),
        ("DATABASE_URL", "postgres://localhost/cardroom?target_session_attrs=sometimes"),
        ("DATABASE_URL", "postgres://a,b/cardroom?port=1,2,3"),
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_cardroom"));
        let output = program.env(name, value).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{name}={value}");
        let flag = format!("--{}", name.trim_start_matches("CARDROOM_").replace('_', "-").to_lowercase());
        assert!(told.contains(name) || told.contains(&flag), "{name}={value}: {told}");
    }
}

#[tokio::test]
async fn a_wrong_address_with_a_password_is_refused_at_the_start_and_not_quoted() {
    let test = TestDatabase::create().await;
    let (mail_from, public_url) =
        (("CARDROOM_MAIL_FROM", "house@example.org"), ("CARDROOM_PUBLIC_URL", "https://cards.example.org"));
    for (database, smtp) in [
        ("postgresql+asyncpg://ann:SECRET@localhost/cardroom", None),
        ("postgres://ann:SECRET@localhost:port/cardroom", None),
        (&*test.url, Some("smtps://ann:SEC#SECRET@mail.example.org")),
        (&*test.url, Some("mail://ann:SECRET@mail.example.org")),
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_cardroom"));
        program.arg("rebuild").env("DATABASE_URL", database);
        program
            .envs(smtp.map(|url| [("CARDROOM_SMTP_URL", url), mail_from, public_url]).into_iter().flatten());
        let output = program.output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let name = if smtp.is_some() { "CARDROOM_SMTP_URL" } else { "DATABASE_URL" };
        assert!(!output.status.success() && told.contains(name), "{told}");
        assert!(!told.contains("SECRET"), "{told}");
    }
}

#[tokio::test]
async fn a_wrong_master_key_or_signing_key_is_refused_at_the_start_in_one_line_that_does_not_quote_it() {
    let test = TestDatabase::create().await;
    let folder = audits::Folder::new("no-keys");
    let (good, other) = (master_key(1), master_key(2));
    let run = |variables: &[(&str, &str)]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_cardroom"));
        program.args(["rebuild", "--log=error", "--database-url", &test.url]).envs(variables.iter().copied());
        let output = program.output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(run(&[("CARDROOM_MASTER_KEY", &good)]), (true, String::new()));
    let nothing = folder.write("nothing.pem", "no key at all");
    for (variables, told) in [
        (vec![], "is not among those given"),
        (vec![("CARDROOM_MASTER_KEY", other.as_str())], "is not among those given"),
        (vec![("CARDROOM_MASTER_KEY", &good[1..])], "CARDROOM_MASTER_KEY: key 1 is no key"),
        (vec![("CARDROOM_MASTER_KEY", "")], "CARDROOM_MASTER_KEY is empty"),
        (vec![("CARDROOM_MASTER_KEY_FILE", "/nowhere")], "CARDROOM_MASTER_KEY_FILE=/nowhere: "),
        (vec![("CARDROOM_MASTER_KEY", &good), ("CARDROOM_MASTER_KEY_FILE", &nothing)], "not both"),
        (
            vec![("CARDROOM_MASTER_KEY", &good), ("CARDROOM_SIGNING_KEYS", &nothing)],
            "CARDROOM_SIGNING_KEYS, ",
        ),
    ] {
        let (is_up, line) = run(&variables);
        assert!(!is_up && line.contains(told) && line.lines().count() == 1, "{told}: {line}");
        assert!(!line.contains(&good[1..]) && !line.contains(&other), "{line}");
    }
    // Given both, it starts, and the commands say what is to be done.
    let both = folder.write("master", &format!("{other}\n{good}\n"));
    assert!(run(&[("CARDROOM_MASTER_KEY_FILE", &both)]).0);
    let mut rewrap = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    rewrap.args(["rewrap", "--database-url", &test.url, "--master-key-file", &both]);
    let output = String::from_utf8(rewrap.output().unwrap().stdout).unwrap();
    assert_eq!(output, "secrets changed: 2; all in the database are now wrapped by the first master key\n");
    assert!(run(&[("CARDROOM_MASTER_KEY", &other)]).0);
    assert!(!run(&[("CARDROOM_MASTER_KEY", &good)]).0);
}

/// A game of Sevens in which seat 0 trades a card and then everybody sees what it got.
fn traded() -> Game {
    let kind = by_name("sevens").unwrap();
    let games = (0..1000).map(|seed| Game::played_for(kind, &mut Dice::new(seed), usize::MAX));
    let trades = |game: &Game| {
        game.log.iter().any(|s| s.entry.seat == Some(0) && s.text.contains("\"trade\":[\""))
            && game.log.iter().filter(|s| s.text.contains("fold")).count() > 1
    };
    games.into_iter().find(trades).unwrap()
}

fn cardroom(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_cardroom")).args(arguments).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (output.status.success(), told)
}

#[test]
fn audits_are_made_from_files_with_and_without_the_house_s_keys() {
    let folder = audits::Folder::new("program");
    let game = traded();
    let text = game.bundle(&key(1));
    let bundle = folder.write("bundle.json", &text);
    let (ours, others) = (json!({"keys": [key(1).jwk()]}), json!({"keys": [key(2).jwk()]}));
    let keys = folder.write("keys.json", &ours.to_string());
    let other_keys = folder.write("other_keys.json", &others.to_string());
    let (ok, told) = cardroom(&["audit", &bundle]);
    assert!(ok && told.contains("only the house's own keys tell whose that is"), "{told}");
    let (ok, told) = cardroom(&["audit", &bundle, "--keys", &keys]);
    assert!(ok && told.contains("by the key key-1\n") && !told.contains("WRONG"), "{told}");
    let (ok, told) = cardroom(&["audit", &bundle, "--keys", &other_keys]);
    assert!(!ok && told.contains("WRONG  signature"), "{told}");

    let changed =
        folder.write("changed.json", &text.replacen("\"client_seed\":\"", "\"client_seed\":\"x", 9));
    let (ok, told) = cardroom(&["audit", "--json", &changed]);
    let report: Value = serde_json::from_str(told.lines().next().unwrap()).unwrap();
    assert_eq!((ok, &report["ok"], &report["game"]["id"]), (false, &json!(false), &json!(game.table.id)));
    let chain = report["checks"].as_array().unwrap().iter().find(|check| check["name"] == "chain").unwrap();
    assert_eq!((&chain["ok"], &chain["seq"]), (&json!(false), &json!(2)));

    let export = folder.write("export.jsonl", &format!("{text}\n{text}\n"));
    let (ok, told) = cardroom(&["audit", &export]);
    assert!(ok && told.matches("ok     legality").count() == 2, "{told}");

    let acted = game.log.iter().find(|sealed| sealed.text.contains("acted")).unwrap();
    let receipt = json!({"seq": acted.entry.seq, "hash": acted.hash, "status": "active"});
    let receipts = folder.write("receipts.jsonl", &format!("{receipt}\n"));
    let (ok, told) = cardroom(&["audit", &bundle, "--receipts", &receipts]);
    assert!(ok && told.contains("1 acknowledged entries stand in the log"), "{told}");
    let receipt = json!({"seq": acted.entry.seq - 1, "hash": acted.hash});
    let receipts = folder.write("receipts.jsonl", &receipt.to_string());
    let (ok, told) = cardroom(&["audit", &bundle, "--receipts", &receipts]);
    assert!(!ok && told.contains("WRONG  receipts"), "{told}");

    let none = [
        ("{}", "this is no audit bundle"),
        ("nonsense", "this is no audit bundle"),
        ("\n", "no bundle in it"),
    ];
    for (file, what) in none {
        let (ok, told) = cardroom(&["audit", &folder.write("none.json", file)]);
        assert!(!ok && told.contains(what), "{told}");
    }
    let (ok, told) = cardroom(&["audit", "/no/such/file"]);
    assert!(!ok && told.contains("/no/such/file"), "{told}");
}

#[test]
fn a_replay_tells_all_or_what_a_seat_could_know() {
    let folder = audits::Folder::new("replay");
    let game = traded();
    let bundle = folder.write("bundle.json", &game.bundle(&key(1)));
    let (ok, whole) = cardroom(&["replay", &bundle]);
    assert!(ok && whole.contains("Hand 1 of Sevens") && whole.contains("The result:"), "{whole}");
    let (ok, as_seat) = cardroom(&["replay", &bundle, "--seat", "0"]);
    assert!(ok, "{as_seat}");
    let dealt = |text: &str, name: &str| {
        text.lines().any(|line| line.contains(&format!("{name} is dealt ")) && !line.contains('?'))
    };
    assert!(dealt(&whole, "player1") && dealt(&whole, "player0"), "{whole}");
    assert!(!dealt(&as_seat, "player1") && dealt(&as_seat, "player0"), "{as_seat}");
    let (ok, told) = cardroom(&["replay", &bundle, "--seat", "9"]);
    assert!(!ok && told.contains("seats, from 0"), "{told}");
    let (ok, told) = cardroom(&["replay", &bundle, "--hand", "99"]);
    assert!(ok && !told.contains("Hand 1 of"), "{told}");
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
    let lobby = Events::of(http.get(format!("{base}/v1/games/stream")).send().await.unwrap()).await;
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
    assert_eq!(lobby.rest().await[0].name, "lobby", "and then it ends, and does not break off");
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

#[tokio::test(flavor = "multi_thread")]
async fn the_program_plays_on_where_no_player_does() {
    let folder = Folder::new();
    let (mut program, base) = start(&folder).await;
    let http = reqwest::Client::new();
    let ann = json!({"username": "ann", "password": "correct horse battery"});
    let ann = http.post(format!("{base}/v1/auth/register")).json(&ann).send().await.unwrap();
    let ann: Value = ann.json().await.unwrap();
    let wanted = json!({"kind": "ritunas_favour", "bots": ["steady", "random"], "bot_delay_ms": 1, "options": {"hands": 2}});
    let making = http.post(format!("{base}/v1/games")).json(&wanted);
    let made = making.bearer_auth(ann["access_token"].as_str().unwrap()).send().await.unwrap();
    let game: Value = made.json().await.unwrap();
    assert_eq!(game["status"], "active");
    let url = format!("{base}/v1/games/{}", game["id"].as_str().unwrap());
    let ended = eventually(async || {
        let game: Value = http.get(&url).send().await.ok()?.json().await.ok()?;
        (game["status"] == "finished").then_some(game)
    });
    assert_eq!(ended.await.unwrap()["outcome"]["places"].as_array().unwrap().len(), 2);
    signal(program.id(), "TERM");
    assert!(program.wait().unwrap().success());
}

/// The process of the program's PostgreSQL once it takes connections.
async fn postgres(folder: &Folder, other_than: &str) -> String {
    let ready = eventually(async || {
        let text = std::fs::read_to_string(folder.cluster().join("postmaster.pid")).ok()?;
        let pid = text.lines().next()?.to_owned();
        (text.trim_end().ends_with("ready") && pid != other_than).then_some(pid)
    });
    ready.await.expect("PostgreSQL comes back")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgresql_that_comes_back_each_time_is_never_given_up() {
    let folder = Folder::new();
    let (mut program, base) = start(&folder).await;
    let mut killed = String::new();
    for _ in 0..20 {
        killed = postgres(&folder, &killed).await;
        kill_9(&killed);
    }
    postgres(&folder, &killed).await;
    let guest = async || {
        let made = reqwest::Client::new().post(format!("{base}/v1/auth/guest")).send().await.ok()?;
        made.status().is_success().then_some(())
    };
    assert!(eventually(guest).await.is_some(), "it serves on");
    signal(program.id(), "TERM");
    assert!(program.wait().unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_whose_postgresql_cannot_start_again_ends_and_says_why_in_one_line() {
    let folder = Folder::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    command.args(["--listen=127.0.0.1:0", "--log=error", "--data-dir"]).arg(folder.data_dir());
    command.env_remove("DATABASE_URL").stderr(Stdio::piped());
    let (program, _) = launch(command).await;
    std::fs::write(folder.cluster().join("postgresql.conf"), "no_such_setting = 1\n").unwrap();
    kill_9(&postgres(&folder, "").await);
    let ended = tokio::task::spawn_blocking(move || program.wait_with_output().unwrap()).await.unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(!ended.status.success(), "{told}");
    let told: Vec<&str> = told.lines().filter(|line| line.starts_with("cardroom: ")).collect();
    assert!(matches!(told[..], [line] if line.contains("no_such_setting")), "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_have_an_address_of_their_own_and_lines_of_the_log_the_trace_of_the_caller() {
    let database = TestDatabase::create().await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    command.args(["--listen=127.0.0.1:0", "--workers=1", "--db-connections=3", "--log-format=json"]);
    command.args(["--database-url", &database.url, "--metrics-listen", &free.to_string()]);
    command.stderr(Stdio::piped());
    let (program, base) = launch(command).await;
    let http = reqwest::Client::new();
    let status = async |url: String, traceparent: &str| {
        http.get(url).header("traceparent", traceparent).send().await.unwrap().status().as_u16()
    };
    let (trace, parent) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
    let traced = format!("00-{trace}-{parent}-01");
    assert_eq!(status(format!("{base}/v1/players/nobody"), &traced).await, 404);
    let malformed = "made-up-".repeat(100);
    assert_eq!(status(format!("{base}/health/live"), &malformed).await, 200);

    assert_eq!(status(format!("{base}/metrics"), &traced).await, 404);
    assert_eq!(status(format!("http://{free}/v1/kinds"), &traced).await, 404);
    let metrics = http.get(format!("http://{free}/metrics")).send().await.unwrap().text().await.unwrap();
    assert!(metrics.contains("cardroom_problems_total{code=\"player_not_found\"} 1\n"), "{metrics}");

    signal(program.id(), "TERM");
    let output = program.wait_with_output().unwrap();
    assert!(output.status.success());
    let log = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |path: &str| lines.iter().find(|line| line["fields"]["path"] == path).unwrap();
    let span = &of("/v1/players/{username}")["span"];
    assert_eq!((&span["trace_id"], &span["parent_id"]), (&json!(trace), &json!(parent)));
    assert_eq!(of("/health/live")["span"], Value::Null);
    assert!(!log.contains("made-up"), "{log}");
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

#[tokio::test]
async fn an_older_program_does_not_start_on_the_tables_of_a_newer_one_and_says_so() {
    let test = TestDatabase::create().await;
    let newer = "INSERT INTO __diesel_schema_migrations (version) VALUES ('99999999999999')";
    test.connection().await.batch_execute(newer).await.unwrap();
    let before = tables(&test).await;
    for command in [&["serve", "--listen=127.0.0.1:0"][..], &["role", "ann", "admin"]] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_cardroom"));
        let output = program.args(command).env("DATABASE_URL", &test.url).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{told}");
        assert!(told.contains("newer release") && told.contains("99999999999999"), "{told}");
    }
    assert_eq!(tables(&test).await, before);
}

async fn tables(test: &TestDatabase) -> i64 {
    let count =
        "(SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '\\_\\_%')";
    diesel::select(diesel::dsl::sql::<diesel::sql_types::BigInt>(count))
        .get_result(&mut test.connection().await)
        .await
        .unwrap()
}
