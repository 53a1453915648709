//! A new release takes over from an old one while people play, and nothing that was acknowledged is lost.
//!
//! Both programs run on one database for a while; `deploy/upgrade/try` names them. `docs/operations.md` has the results.

use std::collections::BTreeSet;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use futures_util::future::join_all;
use serde_json::json;
use tokio::sync::watch;

use super::api::client::Client;
use super::beside::{Line, register};
use super::folder::Folder;
use super::kill::audit::audit_all;
use super::kill::launch;
use super::kill::room::{Room, play_on};
use super::random::dice::Dice;
use super::seed::seed_of_this_run;

const CLIENTS: usize = 32;
const TABLES: u64 = 32;
/// The acknowledged moves of each phase.
const MOVES: u64 = 500;
/// Beyond this an answer is given up, and the trial with it.
const LIMIT: Duration = Duration::from_secs(240);
/// What a load balancer takes to notice that it has one replica less.
const BALANCER: Duration = Duration::from_secs(1);

/// Whatever two databases differ in, if the same program has brought both up to date. The order of columns is none of it:
/// a column that was added later stands behind.
const TABLES_OF_A_DATABASE: &str = "
    SELECT format('column %s.%s %s %s %s', table_name, column_name, udt_name, is_nullable, column_default) AS line
        FROM information_schema.columns WHERE table_schema = 'public'
    UNION SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION SELECT format('view %s %s', viewname, definition) FROM pg_views WHERE schemaname = 'public'
    UNION SELECT format('trigger %s', pg_get_triggerdef(oid)) FROM pg_trigger WHERE NOT tgisinternal
    UNION SELECT format('function %s', pg_get_functiondef(oid)) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        AND prokind = 'f'
    UNION SELECT format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace";
const MIGRATIONS: &str = "SELECT version AS line FROM __diesel_schema_migrations";

#[tokio::test]
#[ignore = "needs the two programs that deploy/upgrade/try names"]
async fn an_upgrade_loses_nothing_that_was_acknowledged() {
    let (seed, began) = (seed_of_this_run(), Instant::now());
    let folder = Folder::new();
    let server = folder.start();
    let url = server.url("postgres");
    let (old, address) = start("OLD_PROGRAM", &url).await;
    let upgrade = Upgrade { url: url.clone(), addresses: watch::Sender::new(vec![address]) };
    let room = Room::new(upgrade.addresses.subscribe(), LIMIT).enter(CLIENTS).await;

    let tables =
        (0..TABLES).map(|table| play_on(&room, table, None, Dice::new(seed.wrapping_add(1 + table))));
    let (games, new) = tokio::join!(join_all(tables), upgrade.run(&room, old));

    let audited = audit_all(&room, &games).await;
    assert_eq!(audited.by_clock, 0, "no clock acted");
    new.stop().await;
    the_tables_are_those_of_a_new_database(&url, &server.url("fresh")).await;
    println!(
        "{CLIENTS} clients: {audited}; requests without an answer: {}; SEED={seed}, {} s",
        room.unanswered.get(),
        began.elapsed().as_secs()
    );
    let why = room.last_unanswered.borrow();
    assert_eq!(room.unanswered.get(), 0, "somebody had to ask again: {why}");
}

struct Upgrade {
    url: String,
    /// What a load balancer would know.
    addresses: watch::Sender<Vec<String>>,
}

impl Upgrade {
    /// Gives the new program, which alone is left in the end.
    async fn run(&self, room: &Room, old: Program) -> Program {
        room.let_pass(1).await;
        room.count_anew();
        room.let_pass(MOVES).await;
        tell("the old program alone", room);
        let before = lines(&self.url, MIGRATIONS).await;

        let starting = Instant::now();
        let (new, address) = start("NEW_PROGRAM", &self.url).await;
        let (after, took) = (lines(&self.url, MIGRATIONS).await, starting.elapsed());
        room.let_pass(1).await;
        tell("the old program, while the new one starts", room);
        let new_ones: Vec<_> = after.difference(&before).collect();
        println!("    the new one served after {:.1} s; its migrations: {new_ones:?}", took.as_secs_f64());

        room.has_two_releases.set(true);
        let old_address = self.addresses.borrow()[0].clone();
        self.addresses.send_modify(|addresses| addresses.push(address.clone()));
        room.let_pass(2 * MOVES).await;
        tell("both, in turns", room);
        if !new_ones.is_empty() {
            self.old_program_refuses_to_start().await;
        }
        tell_of_a_tournament(&old_address, &address).await;

        self.addresses.send_replace(vec![address]);
        tokio::time::sleep(BALANCER).await;
        let stopping = Instant::now();
        old.stop().await;
        room.has_two_releases.set(false);
        tell("the new one, while the old program stops", room);
        println!("    the old one stopped after {:.1} s", stopping.elapsed().as_secs_f64());
        room.let_pass(MOVES).await;
        tell("the new program alone", room);
        room.kills_are_over.set(true);
        new
    }

    /// A replica of the old release that crashes during the upgrade does not come back.
    async fn old_program_refuses_to_start(&self) {
        let mut command = serve("OLD_PROGRAM", &self.url);
        let ended = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(!ended.status.success() && said.contains("a newer release"), "{said}");
        println!("    another replica of the old release does not start any more: {}", said.trim());
    }
}

/// Whether the old program can read a tournament that the new one makes. This is told, and not required: the log of a
/// tournament may have what is new in the release.
async fn tell_of_a_tournament(old: &str, new: &str) {
    let wanted = json!({"name": "Cup", "kind": "knights_heads", "options": {"hands": 5},
        "format": {"type": "rounds", "rounds": 2, "seating": "swiss"}});
    let made = register(new, "olga").await.post("/v1/tournaments", &wanted).await.ok();
    let path = format!("/v1/tournaments/{}", made["id"].as_str().unwrap());
    let status = Client::anon(old).get(&path).await.status;
    println!("    the old program answers {status} for a tournament that the new one made");
}

/// What happened since the last such line.
fn tell(phase: &str, room: &Room) {
    let longest = room.longest.get();
    println!(
        "{phase}: {:.1} s at most without a move, {:.1} s at most until an answer; so far {} moves are acknowledged, and {} \
         requests were not answered",
        longest.stillness.as_secs_f64(),
        longest.wait.as_secs_f64(),
        *room.moves.borrow(),
        room.unanswered.get()
    );
    room.count_anew();
}

/// A program that runs, and ends with this value.
struct Program(Child);

impl Program {
    /// Asks it to end, as systemd and Kubernetes do.
    async fn stop(mut self) {
        let asked = Command::new("kill").arg(self.0.id().to_string()).status().unwrap();
        let ended = tokio::task::spawn_blocking(move || self.0.wait()).await.unwrap().unwrap();
        assert!(asked.success() && ended.success());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn start(program: &str, url: &str) -> (Program, String) {
    let (program, address) = launch(serve(program, url)).await;
    (Program(program), address)
}

/// One of the two programs, as a replica on the database.
#[expect(clippy::disallowed_methods, reason = "a test is told by whoever runs it, not by a configuration")]
fn serve(program: &str, url: &str) -> Command {
    let program = std::env::var_os(program).expect("deploy/upgrade/try names both programs");
    let mut command = Command::new(program);
    command.args(["--listen=127.0.0.1:0", "--log=error", "--database-url", url]);
    // All clients share an address.
    command.args(["--rate-limit=1000000", "--auth-rate-limit=1000000", "--connection-limit=10000"]);
    command.args(["--stream-limit=10000", "--stream-limit-per-address=10000"]);
    command
}

async fn lines(url: &str, query: &str) -> BTreeSet<String> {
    let mut connection = AsyncPgConnection::establish(url).await.unwrap();
    let lines: Vec<Line> = diesel::sql_query(query).load(&mut connection).await.unwrap();
    lines.into_iter().map(|row| row.line).collect()
}

/// A migration that was changed after the old program ran it would be missing.
async fn the_tables_are_those_of_a_new_database(upgraded: &str, fresh: &str) {
    let mut connection = AsyncPgConnection::establish(upgraded).await.unwrap();
    connection.batch_execute("CREATE DATABASE fresh").await.unwrap();
    let (new, _) = start("NEW_PROGRAM", fresh).await;
    let (upgraded, fresh) =
        (lines(upgraded, TABLES_OF_A_DATABASE).await, lines(fresh, TABLES_OF_A_DATABASE).await);
    new.stop().await;
    assert!(fresh.len() > 100, "{fresh:?}");
    let differences: Vec<_> = upgraded.symmetric_difference(&fresh).collect();
    assert!(
        differences.is_empty(),
        "the upgrade leaves other tables than a new database has: {differences:#?}"
    );
}
