//! A database that is there and takes no writes: not ready, and refused for the moment.

use std::time::Instant;

use diesel::sql_types::BigInt;
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use futures_util::future::join_all;
use serde_json::json;
use tokio::time::timeout;

use super::app::TestApp;
use super::client::{PATIENCE, Reply};
use super::proxy::Flow;
use super::servers;
use super::silence::{is_unavailable, start};
use crate::eventually::eventually;

/// Asks until the answer has this status: answers hold for a second.
async fn ready_with(app: &TestApp, status: u16) -> Reply {
    let asked = eventually(async || {
        let reply = app.anon().get("/health/ready").await;
        (reply.status == status).then_some(reply)
    });
    asked.await.expect("readiness follows the database")
}

#[tokio::test]
async fn it_is_not_ready_while_the_database_takes_no_writes() {
    let app = TestApp::start().await;
    ready_with(&app, 200).await;
    let mut connection = app.database.connection().await;
    let name = &app.database.name;
    // What comes to an end: the row's write, the room on the disk, the right to write.
    for (begin, end) in [
        (
            "CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING \
             ERRCODE = '53100', MESSAGE = 'could not extend file \"base/1/2\": No space left on device'; END $$; \
             CREATE TRIGGER disk_full BEFORE INSERT ON readiness EXECUTE FUNCTION disk_full()",
            "DROP FUNCTION disk_full CASCADE",
        ),
        (
            &format!("ALTER DATABASE {name} SET temp_file_limit TO 0"),
            &format!("ALTER DATABASE {name} RESET temp_file_limit"),
        ),
        (
            &format!("ALTER DATABASE {name} SET default_transaction_read_only TO on"),
            &format!("ALTER DATABASE {name} RESET default_transaction_read_only"),
        ),
    ] {
        // Settings of a database hold for new sessions.
        let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                      WHERE datname = current_database() AND pid <> pg_backend_pid()";
        connection.batch_execute(begin).await.unwrap();
        connection.batch_execute(others).await.unwrap();
        is_unavailable(&ready_with(&app, 503).await);
        assert_eq!(app.anon().get("/health/live").await.status, 200);
        connection.batch_execute(end).await.unwrap();
        connection.batch_execute(others).await.unwrap();
        ready_with(&app, 200).await;
    }
}

#[tokio::test]
async fn a_flood_of_health_checks_is_no_flood_of_writes() {
    let app = TestApp::start().await;
    let mut connection = app.database.connection().await;
    let counted = "CREATE TABLE written (at timestamptz DEFAULT clock_timestamp());
        CREATE FUNCTION counts() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN INSERT INTO written DEFAULT VALUES; RETURN NULL; END $$;
        CREATE TRIGGER counts AFTER INSERT OR UPDATE ON readiness FOR EACH ROW EXECUTE FUNCTION counts()";
    connection.batch_execute(counted).await.unwrap();
    let began = Instant::now();
    for _ in 0..20 {
        let clients: Vec<_> = (0..25).map(|_| app.anon()).collect();
        let replies = join_all(clients.iter().map(|client| client.get("/health/ready"))).await;
        assert!(replies.iter().all(|reply| reply.status == 200));
    }
    // The first, and one for each second.
    let most = began.elapsed().as_secs() as i64 + 1;
    let count = diesel::select(diesel::dsl::sql::<BigInt>("(SELECT count(DISTINCT at) FROM written)"));
    let count: i64 = count.get_result(&mut connection).await.unwrap();
    assert!((1..=most).contains(&count), "{count} writes, {most} seconds");
}

#[tokio::test]
async fn a_silent_database_is_not_ready_and_that_is_said_at_once() {
    if servers::are_distributed() {
        return println!("the line that is cut here leads to a server alone");
    }
    let (app, proxy) = start().await;
    ready_with(&app, 200).await;
    proxy.set(Flow::Nothing);
    let clients: Vec<_> = (0..50).map(|_| app.anon()).collect();
    let all = join_all(clients.iter().map(|client| client.get("/health/ready")));
    timeout(PATIENCE, all).await.expect("an answer in time");
    is_unavailable(&ready_with(&app, 503).await);
    proxy.set(Flow::Through);
    ready_with(&app, 200).await;
}

#[tokio::test]
async fn what_postgresql_cannot_do_just_now_is_a_503() {
    let app = TestApp::start().await;
    let mut connection = app.database.connection().await;
    for (code, message) in [
        ("53100", "could not extend file \"base/1/2\": No space left on device"),
        ("53200", "out of memory"),
        ("53300", "sorry, too many clients already"),
        ("57P01", "terminating connection due to administrator command"),
        ("57P03", "the database system is not accepting connections"),
        ("57014", "canceling statement due to statement timeout"),
        ("25006", "cannot execute INSERT in a read-only transaction"),
        ("40001", "could not serialize access due to concurrent update"),
        ("40P01", "deadlock detected"),
    ] {
        let fails = format!(
            "CREATE OR REPLACE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN RAISE EXCEPTION USING ERRCODE = '{code}', MESSAGE = '{message}'; END $$;
             CREATE OR REPLACE TRIGGER fails BEFORE INSERT ON accounts EXECUTE FUNCTION fails()"
        );
        connection.batch_execute(&fails).await.unwrap();
        let reply = app.anon().post("/v1/auth/guest", &json!({})).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (503, "unavailable"), "{code}");
        assert!(reply.header("retry-after").is_some());
    }
}
