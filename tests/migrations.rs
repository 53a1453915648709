//! The tables change while replicas use them.

use std::time::Duration;

use cardroom::store::database::Database;
use diesel::QueryableByName;
use diesel::sql_types::{Array, Integer};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};

use super::api::app::TestDatabase;
use super::eventually::eventually;

/// Reverts a migration that is there.
async fn forget(connection: &mut AsyncPgConnection, version: u32, down: &str) {
    let forget = format!("DELETE FROM __diesel_schema_migrations WHERE version::integer = {version}");
    connection.batch_execute(&format!("{down}; {forget}")).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_that_waits_for_a_table_does_not_keep_others_from_it() {
    let test_database = TestDatabase::create().await;
    let mut connection = test_database.connection().await;
    forget(&mut connection, 29, include_str!("../migrations/00000000000029_arenas/down.sql")).await;
    let database = Database::new(&test_database.url, 1).unwrap();
    assert!(!database.is_migrated().await.unwrap());

    // As a dump of the database does.
    let mut long = test_database.connection().await;
    long.batch_execute("BEGIN; LOCK TABLE tournaments IN ACCESS SHARE MODE").await.unwrap();
    let migrating = tokio::spawn({
        let database = database.clone();
        async move { database.migrate().await }
    });
    let waits = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'tournaments'::regclass";
    for _ in 0..2 {
        let begun = async || {
            (diesel::sql_query(waits).execute(&mut test_database.connection().await).await.unwrap() > 0)
                .then_some(())
        };
        assert!(eventually(begun).await.is_some(), "the migration waits for the table");
        let read = "SET statement_timeout TO 2000; SELECT count(*) FROM tournaments";
        connection.batch_execute(read).await.expect("it does not make others wait");
        tokio::time::sleep(Duration::from_millis(600)).await;
    }
    assert!(!migrating.is_finished());
    long.batch_execute("COMMIT").await.unwrap();
    migrating.await.unwrap().expect("and comes about in the end");
    assert!(database.is_migrated().await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_of_a_newer_release_are_not_those_of_this_program() {
    let test_database = TestDatabase::create().await;
    let database = Database::new(&test_database.url, 1).unwrap();
    assert!(database.is_migrated().await.unwrap());
    let newer = "INSERT INTO __diesel_schema_migrations (version) VALUES ('99999999999999')";
    test_database.connection().await.batch_execute(newer).await.unwrap();
    assert!(!database.is_migrated().await.unwrap());
}

#[derive(QueryableByName, Debug, PartialEq, Eq)]
struct Seconds {
    #[diesel(sql_type = Array<Integer>)]
    seconds_wanted: Vec<i32>,
    #[diesel(sql_type = Array<Integer>)]
    seconds_added: Vec<i32>,
}

#[tokio::test(flavor = "multi_thread")]
async fn time_that_was_given_to_a_game_becomes_time_of_each_seat() {
    let test_database = TestDatabase::create().await;
    let mut connection = test_database.connection().await;
    let games: String = [(2, 0, 0), (3, 60, 0), (4, 90, 90)]
        .iter()
        .map(|(seats, wanted, added)| {
            format!(
                "INSERT INTO games (game_id, server_seed, kind, rules_version, options, seats, created_at, status, visibility,
                     created_by, seconds_wanted, seconds_added)
                 VALUES (gen_random_uuid(), decode(repeat('00', 32), 'hex'), 'sevens', 1, '{{}}', {seats}, now(), 'active',
                     'public', gen_random_uuid(), {wanted}, {added});"
            )
        })
        .collect();
    let of_a_game = "DROP INDEX games_clocks_behind;
         ALTER TABLE games DROP COLUMN seconds_wanted, DROP COLUMN seconds_added,
             ADD COLUMN seconds_wanted integer NOT NULL DEFAULT 0, ADD COLUMN seconds_added integer NOT NULL DEFAULT 0;
         CREATE INDEX games_clocks_behind ON games (game_id)
             WHERE status = 'active' AND (pause_wanted <> is_paused OR seconds_wanted > seconds_added);";
    forget(&mut connection, 30, &format!("{of_a_game} {games}")).await;

    Database::new(&test_database.url, 1).unwrap().migrate().await.unwrap();
    let seconds = "SELECT seconds_wanted, seconds_added FROM games ORDER BY seats";
    let seconds: Vec<Seconds> = diesel::sql_query(seconds).load(&mut connection).await.unwrap();
    let of_seats = |wanted: &[i32], added: &[i32]| Seconds {
        seconds_wanted: wanted.into(),
        seconds_added: added.into(),
    };
    assert_eq!(
        seconds,
        [of_seats(&[], &[]), of_seats(&[60, 60, 60], &[0, 0, 0]), of_seats(&[90; 4], &[90; 4])]
    );
}
