//! A database that Citus distributes loses nothing that was acknowledged, and its servers can be played on for long.
//!
//! 64 clients play while the tables are distributed, while shards move to a new server, and while servers are killed.
//! `deploy/shards/run` makes the servers and runs these tests; `docs/scaling.md` has the results.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use cardroom::store::append::{Append, AppendOutcome, NewEntry};
use cardroom::store::database::Database;
use cardroom::store::deadlines::Due;
use cardroom::store::log::Log;
use cardroom::store::shards::DistributeError;
use diesel::dsl::sql;
use diesel::sql_types::{Array, Integer};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use futures_util::future::join_all;
use tokio::sync::watch;
use uuid::Uuid;

use super::kill::audit::audit_all;
use super::kill::launch;
use super::kill::room::{Room, play_on};
use super::random::dice::Dice;
use super::seed::seed_of_this_run;

const CLIENTS: usize = 64;
const TABLES: u64 = 64;
/// Less than a server is away. No player takes nearly as long.
const TURN_SECONDS: u32 = 15;
const AWAY: Duration = Duration::from_secs(25);
/// The moves before a fault, and after it.
const MOVES_BETWEEN: u64 = 300;
/// Beyond this an answer is given up, and the trial with it.
const LIMIT: Duration = Duration::from_secs(240);

const COORDINATOR: u8 = 0;
const WORKER: u8 = 1;

#[tokio::test]
#[ignore = "needs the servers that deploy/shards/run makes"]
async fn shards_lose_nothing_that_was_acknowledged() {
    let (seed, began) = (seed_of_this_run(), Instant::now());
    let (mut service, address) = launch(cardroom(&["--listen=127.0.0.1:0"])).await;
    let mut room = Room::new(watch::Sender::new(vec![address]).subscribe(), LIMIT);
    room.pause = Duration::from_millis(250);
    let room = room.enter(CLIENTS).await;

    let tables = (0..TABLES)
        .map(|table| play_on(&room, table, Some(TURN_SECONDS), Dice::new(seed.wrapping_add(1 + table))));
    let (games, ()) = tokio::join!(join_all(tables), distribute_and_kill(&room));

    let audited = audit_all(&room, &games).await;
    service.kill().unwrap();
    service.wait().unwrap();
    // What is at the workers and what is at the coordinator belong together.
    let checked = cardroom(&["check"]).output().unwrap();
    let told = String::from_utf8_lossy(&checked.stdout);
    assert!(checked.status.success(), "{told}{}", String::from_utf8_lossy(&checked.stderr));
    println!("{CLIENTS} clients: {audited}; SEED={seed}, {} s", began.elapsed().as_secs());
    assert_eq!(audited.by_clock, 0, "the clock punished somebody for an outage");
}

async fn distribute_and_kill(room: &Room) {
    room.let_pass(MOVES_BETWEEN).await;
    room.count_anew();
    let distributing = tokio::task::spawn_blocking(|| cardroom(&["distribute"]).output().unwrap());
    let output = distributing.await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    room.let_pass(MOVES_BETWEEN).await;
    tell(said.trim(), room);
    let begun = Instant::now();
    let moved = order(&["add"]).await;
    let seconds = begun.elapsed().as_secs();
    room.let_pass(MOVES_BETWEEN).await;
    tell(&format!("{} after {seconds} s", moved.trim()), room);
    for (what, server) in [("a worker is killed", WORKER), ("the coordinator is killed", COORDINATOR)] {
        order(&["kill", &server.to_string()]).await;
        let before = *room.moves.borrow();
        // By the second half of it, the service counts as down.
        tokio::time::sleep(AWAY / 2).await;
        let half = *room.moves.borrow();
        tokio::time::sleep(AWAY / 2).await;
        let meanwhile = *room.moves.borrow() - before;
        // More than the answers that were under way.
        let go_on = *room.moves.borrow() - half > CLIENTS as u64;
        assert!(server != WORKER || go_on, "the games of the other workers stand still");
        order(&["start", &server.to_string()]).await;
        room.let_pass(MOVES_BETWEEN).await;
        tell(&format!("{what}, {meanwhile} moves while it is away"), room);
    }
    room.kills_are_over.set(true);
}

/// What happened since the last such line.
fn tell(what: &str, room: &Room) {
    let longest = room.longest.get();
    println!(
        "{what}: {:.1} s at most without a move, {:.1} s at most until an answer; so far {} moves are acknowledged",
        longest.stillness.as_secs_f64(),
        longest.wait.as_secs_f64(),
        *room.moves.borrow(),
    );
    room.count_anew();
}

/// Citus would keep the plans there that the next test counts, see `store::connect`.
#[tokio::test]
#[ignore = "needs the servers that deploy/shards/run makes"]
async fn a_coordinator_that_takes_shards_is_refused() {
    let database = Database::new(&url(), 4).unwrap();
    database.migrate().await.unwrap();
    let take_shards = async |does: bool| {
        let sql = format!(
            "SELECT citus_set_node_property(nodename, nodeport, 'shouldhaveshards', {does})
             FROM pg_dist_node WHERE groupid = 0"
        );
        let mut connection = AsyncPgConnection::establish(&url()).await.unwrap();
        connection.batch_execute(&sql).await.unwrap();
    };
    take_shards(true).await;
    let refused = database.distribute(32).await;
    take_shards(false).await;
    assert!(matches!(refused, Err(DistributeError::ShardsOnCoordinator)), "{refused:?}");
}

/// Some releases of Citus keep one more plan for each execution of a prepared statement; see `store::connect`.
#[tokio::test]
#[ignore = "needs the servers that deploy/shards/run makes"]
async fn the_memory_of_a_server_does_not_grow_with_what_is_appended() {
    let database = Database::new(&url(), 4).unwrap();
    database.migrate().await.unwrap();
    database.distribute(32).await.unwrap();
    database.read_shards().await.unwrap();
    let (game_id, log) =
        (Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001), Log::start(database.clone(), 1));
    let port = database.shards().unwrap().server_of(game_id).unwrap().port;
    let append = async |versions: Range<u32>| {
        for version in versions {
            let entry = NewEntry { seq: version as i32, entry: "{}".to_owned(), hash: [0; 32] };
            let append = Append { game_id, entries: vec![entry], claim: None, due: Due::Unchanged };
            assert_eq!(log.append(append).await.unwrap(), AppendOutcome::Done);
            assert_eq!(log.tail(game_id, version - 1).await.unwrap().len(), 1);
        }
    };
    append(1..200).await;
    let before = memory_of_sessions(port).await;
    append(200..1200).await;
    let after = memory_of_sessions(port).await;
    assert!(after < before + 4096, "1,000 appends: from {before} to {after} KiB");
}

/// The memory that the sessions which append and read at a server have for themselves, in KiB.
async fn memory_of_sessions(port: u16) -> u64 {
    let url = format!("postgres://cardroom@127.0.0.1:{port}/cardroom?sslmode=disable");
    let mut connection = AsyncPgConnection::establish(&url).await.unwrap();
    let sessions = sql::<Array<Integer>>(
        "(SELECT array_agg(pid) FROM pg_stat_activity
          WHERE query LIKE 'INSERT INTO entries%' OR query LIKE 'SELECT game_id, seq, entry%')",
    );
    let sessions: Vec<i32> = diesel::select(sessions).get_result(&mut connection).await.unwrap();
    assert!(sessions.len() >= 2, "one appends, and one reads");
    let memory = |session| {
        let status = fs::read_to_string(format!("/proc/{session}/status")).unwrap();
        let own = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        own.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap()
    };
    sessions.into_iter().map(memory).sum()
}

#[expect(clippy::disallowed_methods, reason = "a test is told by whoever runs it, not by a configuration")]
fn url() -> String {
    std::env::var("SHARDS_URL").expect("deploy/shards/run sets SHARDS_URL")
}

/// The program under test, on the database that the environment names.
fn cardroom(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    command.args(arguments).args(["--log=error", "--database-url", &url()]);
    // All clients share an address.
    command.args(["--rate-limit=1000000", "--auth-rate-limit=1000000", "--connection-limit=10000"]);
    command.args(["--stream-limit=10000", "--stream-limit-per-address=10000"]);
    command
}

/// Returns what the cluster says.
async fn order(arguments: &[&str]) -> String {
    let mut ordered = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/shards/cluster"));
    ordered.args(arguments);
    let output = tokio::task::spawn_blocking(move || ordered.output()).await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cluster {arguments:?}: {said}{complaint}");
    said
}
