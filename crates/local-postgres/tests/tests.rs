//! The PostgreSQL that a program runs itself, and what it survives.

#![expect(clippy::unwrap_used, reason = "clippy excuses tests, but not the functions they share")]

mod eventually;
mod folder;

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use diesel::QueryResult;
use diesel::dsl::sql;
use diesel::sql_types::{Integer, Text};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use local_postgres::{Durability, Server, Settings, StartError};

use eventually::eventually;
use folder::Folder;

#[tokio::test]
async fn a_restart_keeps_the_data() {
    let folder = Folder::new();
    let server = folder.start();
    leave_a_mark(&server.url("postgres")).await;
    server.stop();

    assert_marked(&folder.start().url("postgres")).await;
}

#[tokio::test]
async fn the_server_comes_back_when_it_is_killed() {
    let folder = Folder::new();
    let server = folder.start();
    let url = server.url("postgres");
    leave_a_mark(&url).await;
    let before = postmaster(&url).await.unwrap();

    kill_9(&before);
    let back = eventually(async || postmaster(&url).await.ok().filter(|pid| *pid != before)).await;

    assert!(back.is_some(), "no new server took connections");
    assert_marked(&url).await;
}

#[tokio::test]
async fn nothing_is_in_the_way_when_program_and_server_are_killed() {
    let folder = Folder::new();
    let (mut program, url) = start_in_a_program(&folder);
    leave_a_mark(&url).await;

    kill_9(&postmaster(&url).await.unwrap());
    program.kill().unwrap();
    program.wait().unwrap();

    assert_marked(&folder.start().url("postgres")).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_server_ends_when_its_program_is_killed() {
    let folder = Folder::new();
    let (mut program, url) = start_in_a_program(&folder);
    leave_a_mark(&url).await;
    let process = Path::new("/proc").join(postmaster(&url).await.unwrap());
    assert!(process.exists());

    program.kill().unwrap();
    program.wait().unwrap();

    let gone = eventually(async || (!process.exists()).then_some(())).await;
    assert!(gone.is_some(), "the server outlives its program");
    assert_marked(&folder.start().url("postgres")).await;
}

#[tokio::test]
async fn a_program_that_starts_before_the_orphan_has_gone_takes_over() {
    let folder = Folder::new();
    let (mut program, url) = start_in_a_program(&folder);
    leave_a_mark(&url).await;

    program.kill().unwrap();
    program.wait().unwrap();

    assert_marked(&folder.start().url("postgres")).await;
}

/// Not a test but the program that others kill, in a process of its own.
#[test]
#[ignore = "started by the tests that kill it"]
fn a_program_that_is_killed() {
    let here = Folder(".".into());
    let server = here.start();
    println!("\n{}", server.url("postgres"));
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

#[tokio::test]
async fn a_stale_pid_file_with_a_number_in_use_is_no_hindrance() {
    let folder = Folder::new();
    folder.start().stop();
    let ours = std::process::id();
    let stale = format!("{ours}\n{}\n1\n5432\n/tmp\n\n1 1\nready   \n", folder.cluster().display());
    fs::write(folder.cluster().join("postmaster.pid"), stale).unwrap();

    assert_ne!(postmaster(&folder.start().url("postgres")).await.unwrap(), ours.to_string());
}

#[tokio::test]
async fn a_second_program_on_the_same_folder_is_refused_and_the_first_goes_on() {
    let folder = Folder::new();
    let first = folder.start();

    let refusal = Server::start(&folder.settings()).err().expect("the folder is in use");
    assert!(matches!(refusal, StartError::InUse(_)), "{refusal}");
    assert!(postmaster(&first.url("postgres")).await.is_ok());

    first.stop();
    assert!(Server::start(&folder.settings()).is_ok());
}

#[tokio::test]
async fn a_path_too_long_or_too_strange_for_a_socket_is_no_hindrance() {
    for name in ["x".repeat(120), "a, \"b\" %20'é".to_owned()] {
        let folder = Folder::new();
        let server = Server::start(&Settings { data_dir: folder.0.join(name), ..folder.settings() }).unwrap();
        assert!(postmaster(&server.url("postgres")).await.is_ok());
    }
}

#[tokio::test]
async fn a_half_made_cluster_is_made_anew() {
    let folder = Folder::new();
    let unfinished = folder.data_dir().join("postgres.new");
    fs::create_dir_all(unfinished.join("base")).unwrap();
    fs::write(unfinished.join("PG_VERSION"), "").unwrap();

    assert!(postmaster(&folder.start().url("postgres")).await.is_ok());
    assert!(!unfinished.exists());
}

#[tokio::test]
async fn a_program_killed_while_it_makes_the_cluster_can_be_started_again_at_once() {
    let folder = Folder::new();
    let mut program = spawn_program(&folder);
    let unfinished = folder.data_dir().join("postgres.new");
    assert!(eventually(async || unfinished.join("global").exists().then_some(())).await.is_some());

    program.kill().unwrap();
    program.wait().unwrap();

    assert!(postmaster(&folder.start().url("postgres")).await.is_ok());
}

#[tokio::test]
async fn only_tests_give_up_what_a_power_cut_would_take() {
    for (durability, to_disk) in [(Durability::Full, "on"), (Durability::None, "off")] {
        let folder = Folder::new();
        let server = Server::start(&Settings { durability, ..folder.settings() }).unwrap();
        let mut connection = AsyncPgConnection::establish(&server.url("postgres")).await.unwrap();
        for (name, expected) in [
            ("fsync", to_disk),
            ("full_page_writes", to_disk),
            ("synchronous_commit", "on"),
            ("data_checksums", "on"),
        ] {
            let shown = diesel::select(sql::<Text>(&format!("current_setting('{name}')")));
            assert_eq!(shown.get_result::<String>(&mut connection).await.unwrap(), expected, "{name}");
        }
    }
}

#[test]
fn a_server_that_cannot_start_says_in_one_line_what_postgresql_said() {
    let folder = Folder::new();
    folder.start().stop();
    fs::write(folder.cluster().join("postgresql.conf"), "no_such_setting = 1\n").unwrap();

    let refusal = Server::start(&folder.settings()).err().expect("the settings are wrong").to_string();
    assert!(refusal.contains("no_such_setting"), "{refusal}");
    assert_eq!(refusal.lines().count(), 1);
}

#[test]
fn a_data_folder_that_is_a_file_or_that_others_could_change_is_refused() {
    let folder = Folder::new();
    let refused = |path: &Path, why: &str| {
        let settings = Settings { data_dir: path.to_owned(), ..folder.settings() };
        let refusal = Server::start(&settings).err().expect("it is refused").to_string();
        assert!(refusal.contains(why), "{}: {refusal}", path.display());
    };
    let place = |name: &str| folder.0.join(name);
    let made = |name: &str, mode: u32| {
        fs::create_dir_all(place(name)).unwrap();
        fs::set_permissions(place(name), Permissions::from_mode(mode)).unwrap();
        place(name)
    };
    fs::write(place("file"), "").unwrap();
    refused(&place("file"), "it is no folder");
    for mode in [0o777, 0o1777, 0o770, 0o702] {
        refused(&made("shared", mode), "others can write to it");
    }
    symlink(place("shared"), place("link")).unwrap();
    refused(&place("link"), "others can write to it");
    let inside = made("open/inside", 0o700);
    made("open", 0o777);
    refused(&inside, "anybody can write to");
    let theirs = made("theirs", 0o755);
    // Root alone can give things away.
    if chown(&theirs, Some(4_000_000), None).is_ok() {
        refused(&theirs, "it belongs to another user");
    }
    assert!(!place("shared").join("lock").exists(), "nothing was left in it");
}

/// Runs [`a_program_that_is_killed`] in this folder, and gives the URL of its server once it runs.
fn start_in_a_program(folder: &Folder) -> (Child, String) {
    let mut program = spawn_program(folder);
    let lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let url = lines.map_while(Result::ok).find(|line| line.starts_with("postgres://"));
    (program, url.expect("the program prints its URL"))
}

fn spawn_program(folder: &Folder) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_program_that_is_killed", "--ignored", "--nocapture"])
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

async fn leave_a_mark(url: &str) {
    let mut connection = AsyncPgConnection::establish(url).await.unwrap();
    connection.batch_execute("CREATE TABLE marks AS SELECT 42 AS mark").await.unwrap();
}

async fn assert_marked(url: &str) {
    let mut connection = AsyncPgConnection::establish(url).await.unwrap();
    let mark = diesel::select(sql::<Integer>("(SELECT mark FROM marks)"));
    assert_eq!(mark.get_result::<i32>(&mut connection).await.unwrap(), 42);
}

/// The process that the server itself says it is.
async fn postmaster(url: &str) -> QueryResult<String> {
    let mut connection = AsyncPgConnection::establish(url)
        .await
        .map_err(|error| diesel::result::Error::QueryBuilderError(error.into()))?;
    diesel::select(sql::<Text>("split_part(pg_read_file('postmaster.pid'), E'\\n', 1)"))
        .get_result(&mut connection)
        .await
}

fn kill_9(pid: &str) {
    assert!(Command::new("sh").args(["-c", &format!("kill -9 {pid}")]).status().unwrap().success());
}
