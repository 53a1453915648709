//! Games whose logs lie in files: everybody is told of them what was told before.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;

use cardroom::archive::{ArchiveError, Filed, archive, restore};
use cardroom::archive_files::{ArchiveFiles, Place};
use cardroom::check::check;
use cardroom::store::database::Database;
use diesel::sql_types::{BigInt, Text};
use diesel_async::RunQueryDsl;
use flate2::Compression;
use flate2::read::{GzDecoder, MultiGzDecoder};
use flate2::write::GzEncoder;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::app::{PASSWORD, TestApp};
use super::check::{Findings, busy, faults_with};
use super::client::Client;
use crate::eventually::eventually;
use crate::random::dice::Dice;

/// Where a test's archives lie: in an empty folder, or where `ARCHIVES` says, as `deploy/archives/try` does.
#[expect(clippy::disallowed_methods, reason = "a test is told by whoever runs it, not by a configuration")]
fn place(name: &str) -> ArchiveFiles {
    let files = match std::env::var("ARCHIVES") {
        Ok(address) => format!("{address}/{name}").parse(),
        Err(_) => {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("archives").join(name);
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).unwrap();
            Ok(ArchiveFiles::Folder(folder))
        }
    };
    files.unwrap()
}

/// All of a file.
async fn content(archives: &ArchiveFiles, file: &str) -> Vec<u8> {
    let length = archives.length(file).await.unwrap().unwrap();
    archives.read(file, 0, length).await.unwrap().to_vec()
}

/// Puts a file in the place of another.
async fn put(archives: &ArchiveFiles, file: &str, content: &[u8]) {
    let mut writer = archives.create(file).await.unwrap();
    writer.append(content).await.unwrap();
    writer.finish().await.unwrap();
}

/// Archives as if so many days had gone by.
async fn archive_after(app: &TestApp, archives: &ArchiveFiles, days: i64) -> (Vec<Filed>, Vec<String>) {
    let (now, mut findings) = (in_days(app, days), Findings::default());
    let filed = archive(&app.app.database, &app.app.audits, archives, now, &mut findings).await.unwrap();
    (filed, findings.0)
}

fn in_days(app: &TestApp, days: i64) -> Timestamp {
    app.clock.now() + SignedDuration::from_hours(24 * days)
}

/// How many entries the database has, and of how many games.
async fn stored(app: &TestApp) -> (i64, i64) {
    #[derive(diesel::QueryableByName)]
    struct Count {
        #[diesel(sql_type = BigInt)]
        entries: i64,
        #[diesel(sql_type = BigInt)]
        games: i64,
    }
    let count = "SELECT count(*) AS entries, count(DISTINCT game_id) AS games FROM entries";
    let Count { entries, games } =
        diesel::sql_query(count).get_result(&mut app.database.connection().await).await.unwrap();
    (entries, games)
}

/// The paths of all games that are over.
async fn over(app: &TestApp) -> Vec<String> {
    #[derive(diesel::QueryableByName)]
    struct Over {
        #[diesel(sql_type = Text)]
        path: String,
    }
    let over =
        "SELECT '/v1/games/' || game_id AS path FROM games WHERE ended_at IS NOT NULL ORDER BY game_id";
    let over: Vec<Over> = diesel::sql_query(over).load(&mut app.database.connection().await).await.unwrap();
    over.into_iter().map(|over| over.path).collect()
}

/// All that a caller is told of these games and of what follows from them, path by path.
async fn told(caller: &Client, games: &[String]) -> Vec<(String, Value)> {
    let mut told = Vec::new();
    for game in games {
        let after = caller.get(game).await.ok();
        told.push((game.clone(), after.clone()));
        let hand = if after["status"] == "finished" { "/hands/1" } else { "/hands" };
        for path in ["/log", "/log?after=1&limit=3", "?version=1", "?version=2", "/audit", "/hands", hand] {
            let path = format!("{game}{path}");
            let reply = caller.get(&path).await;
            told.push((path, json!([reply.status.as_u16(), reply.body])));
        }
        let events = caller.stream(&format!("{game}/stream?after=0")).await.rest().await;
        let events: Vec<Value> = events.iter().map(|event| json!([event.id, event.data])).collect();
        told.push((format!("{game}/stream"), json!(events)));
    }
    for path in ["/v1/audit/games", "/v1/leaderboards/ritunas_favour", "/v1/players/ann"] {
        told.push((path.to_owned(), caller.get(path).await.ok()));
    }
    told
}

#[tokio::test(flavor = "multi_thread")]
async fn archived_games_are_told_as_before_and_come_back() {
    let app = busy().await;
    let archives = place("told");
    let reads =
        |archives: Option<ArchiveFiles>| app.replica_with(move |settings| settings.archive = archives);
    let admin = app.admin("mod").await;
    // What ended a moment ago is not exported yet.
    app.pass(11).await;
    app.rate().await;
    let paths = over(&app).await;
    assert!(paths.len() > 7, "{paths:?}");
    let before = told(&admin, &paths).await;
    let (entries, games) = stored(&app).await;

    // What ended in this month, or less than a week ago, stays.
    assert_eq!(archive_after(&app, &archives, 8).await, (vec![], vec![]));
    let (filed, faults) = archive_after(&app, &archives, 12).await;
    assert_eq!((&faults[..], filed.len()), (&[] as &[String], 1));
    assert_eq!((&*filed[0].month, &*filed[0].file), ("2026-11", "cardroom-2026-11.jsonl.gz"));
    let (left, running) = stored(&app).await;
    assert!(running >= 2, "games that are not over stay in the database");
    assert_eq!((filed[0].games, filed[0].entries), ((games - running) as u64, (entries - left) as u64));
    assert_eq!(filed[0].games as usize, paths.len());
    assert_eq!(archive_after(&app, &archives, 60).await.0, [], "nothing is archived twice");

    // Where the files are not that the database knows, the disk is another one: nothing leaves for it.
    let (elsewhere, mut findings) = (place("elsewhere"), Findings::default());
    let there =
        archive(&app.app.database, &app.app.audits, &elsewhere, in_days(&app, 60), &mut findings).await;
    assert!(there.unwrap_err().to_string().contains("cardroom-2026-11.jsonl.gz"));
    let database = Database::new(&app.database.url, 1).unwrap().with_archive(Some(elsewhere));
    let error = check(&database, &mut findings).await.unwrap_err();
    assert!(error.to_string().contains("none of its files is there"), "{error}");
    assert_eq!(findings.0, [""; 0], "no game is wrong because a disk is away");

    // A replica that knows no table yet reads the file; points and ratings come to the same from it.
    let replica = reads(Some(archives.clone())).await;
    let there = replica.at(&admin);
    assert_eq!(told(&there, &paths).await, before);
    assert_eq!(faults_with(&app, Some(archives.clone())).await, [] as [&str; 0]);
    assert!(replica.rebuild().await > 0);
    assert_eq!(told(&there, &paths).await, before);
    // A player cannot go on with a game because its entries are gone.
    let credentials = json!({"username": "ann", "password": PASSWORD});
    let session = there.post("/v1/auth/login", &credentials).await.ok();
    let ann = replica.anon().with_session(session);
    assert_eq!(ann.get(&paths[0]).await.ok()["you"], 0);
    let refused = ann.post(&format!("{}/actions", paths[0]), &json!({"type": "stick"})).await;
    assert_eq!(refused.code(), "game_over");

    // Anybody can check the file.
    let mut lines = String::new();
    let (file, good) = (&filed[0].file, content(&archives, &filed[0].file).await);
    MultiGzDecoder::new(&good[..]).read_to_string(&mut lines).unwrap();
    let plain = Path::new(env!("CARGO_TARGET_TMPDIR")).join("archived.jsonl");
    fs::write(&plain, &lines).unwrap();
    let mut audit = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    audit.arg("audit").arg(&plain);
    let audited = tokio::task::spawn_blocking(move || audit.output()).await.unwrap().unwrap();
    assert!(audited.status.success(), "{}", String::from_utf8_lossy(&audited.stdout));
    assert_eq!(lines.lines().count(), paths.len());

    // A client is told that a game cannot be read where the setting is missing; a check finds a file that was changed.
    let blind = reads(None).await;
    let reply = blind.at(&admin).get(&paths[0]).await;
    assert_eq!((reply.status.as_u16(), reply.code()), (503, "unavailable"));
    let mut broken = good.clone();
    broken[good.len() / 2] ^= 1;
    put(&archives, file, &broken).await;
    let faults = faults_with(&app, Some(archives.clone())).await;
    assert!(faults[0].contains("archive cardroom-2026-11.jsonl.gz: it was changed"), "{faults:?}");
    let error = restore(&app.app.database, &archives, "2026-11").await.unwrap_err();
    assert!(matches!(error, ArchiveError::File { .. }), "{error}");
    put(&archives, file, &good).await;

    // Somebody writes another game into its place: nobody is told it, and the house does not sign it.
    let mut moving = app.app.database.move_logs().await.unwrap().unwrap();
    let (id, Place { position, length }) = *moving.games_in(file).await.unwrap().last().unwrap();
    moving.end().await;
    let (start, size) = (position as usize, length as usize);
    let mut bundle = String::new();
    GzDecoder::new(&good[start..]).read_to_string(&mut bundle).unwrap();
    let later = bundle.replacen("0Z\"", "1Z\"", 1);
    assert_ne!(bundle, later);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(later.as_bytes()).unwrap();
    let mut forged = encoder.finish().unwrap();
    assert!(forged.len() <= size, "{} bytes have no room in {size}", forged.len());
    forged.resize(size, 0);
    put(&archives, file, &[&good[..start], &forged].concat()).await;
    let replica = reads(Some(archives.clone())).await;
    for what in ["", "/audit"] {
        let reply = replica.at(&admin).get(&format!("/v1/games/{id}{what}")).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (503, "unavailable"));
    }
    put(&archives, file, &good).await;

    let held = app.app.database.move_logs().await.unwrap();
    let error = restore(&app.app.database, &archives, "2026-11").await.unwrap_err();
    assert!(matches!(error, ArchiveError::Running), "{error}");
    drop(held);
    // PostgreSQL gives the lock free when it has heard that the connection is gone.
    let error = eventually(async || {
        let error = restore(&app.app.database, &archives, "2026-10").await.unwrap_err();
        (!matches!(error, ArchiveError::Running)).then_some(error)
    })
    .await
    .unwrap();
    assert_eq!(error.to_string(), "no games of 2026-10 are archived");
    assert_eq!(restore(&app.app.database, &archives, "2026-11").await.unwrap(), filed);
    assert_eq!(stored(&app).await, (entries, games));
    let replica = reads(None).await;
    assert_eq!(told(&replica.at(&admin), &paths).await, before);
    assert_eq!(faults_with(&app, None).await, [] as [&str; 0]);
    let (again, _) = archive_after(&app, &archives, 12).await;
    assert_eq!(again[0].file, "cardroom-2026-11-2.jsonl.gz", "a file is never written over");
    assert_eq!(content(&archives, file).await, good);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_whose_log_is_not_true_or_not_told_yet_stays_in_the_database() {
    let app = busy().await;
    app.rate().await;
    let archives = place("faults");
    let nth = |n: u8| {
        format!("(SELECT game_id FROM games WHERE status = 'finished' ORDER BY game_id OFFSET {n} LIMIT 1)")
    };
    let changes = [
        format!("UPDATE entries SET hash = sha256(hash) WHERE seq = 2 AND game_id = {}", nth(0)),
        format!("UPDATE entries SET entry = 'no entry' WHERE seq = 3 AND game_id = {}", nth(1)),
        // Its cards are dealt at a table that is still played.
        format!(
            "UPDATE games SET shuffle_id = '00000000-0000-0000-0000-000000000001'
             WHERE game_id IN ({}, (SELECT game_id FROM games WHERE status = 'active' LIMIT 1))",
            nth(2)
        ),
        format!("INSERT INTO unrated_games SELECT game_id, ended_at FROM games WHERE game_id = {}", nth(3)),
    ];
    for change in changes {
        let changed = diesel::sql_query(change).execute(&mut app.database.connection().await).await;
        assert!(changed.unwrap() > 0);
    }
    let ((_, games), over) = (stored(&app).await, over(&app).await);
    let (filed, faults) = archive_after(&app, &archives, 12).await;
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert_eq!(filed[0].games as usize, over.len() - 4);
    assert_eq!(stored(&app).await.1, games - filed[0].games as i64);
}

#[tokio::test]
async fn a_long_file_is_read_piece_by_piece_and_from_anywhere() {
    let (archives, file, dice) = (place("long"), "long.gz", &mut Dice::new(1));
    assert_eq!(archives.length(file).await.unwrap(), None);
    // Some 20 MiB: a bucket is sent two parts of it, and it is read in three pieces. One game is longer than a piece.
    let lengths = (0..100).map(|n| if n == 50 { 9 << 20 } else { 1 + dice.below(230_000) });
    let games: Vec<Vec<u8>> = (1..).zip(lengths).map(|(n, length)| vec![n; length as usize]).collect();
    let (mut writer, mut places) = (archives.create(file).await.unwrap(), Vec::new());
    for game in &games {
        places.push(writer.append(game).await.unwrap());
    }
    assert_eq!(archives.length(file).await.unwrap(), None, "nobody sees it before its end");
    let digest = writer.finish().await.unwrap();
    let whole = games.concat();
    assert_eq!(digest[..], Sha256::digest(&whole)[..]);
    assert_eq!(archives.digest(file).await.unwrap(), digest);
    assert_eq!(archives.length(file).await.unwrap(), Some(whole.len() as u64));
    let mut reader = archives.reader(file).await.unwrap();
    for (game, &place) in games.iter().zip(&places) {
        assert!(reader.read(place).await.unwrap() == *game);
    }
    assert!(reader.read(places[3]).await.unwrap() == games[3], "it goes back, too");
    let beyond = Place { position: whole.len() as i64 - 1, length: 2 };
    assert!(reader.read(beyond).await.is_err());
    assert!(archives.read(file, whole.len() as u64 - 1, 2).await.is_err());
    assert!(archives.digest("none.gz").await.is_err());
}
