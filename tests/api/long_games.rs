//! Long games at replicas that do not have them in memory: a snapshot lets them open sooner, and changes nothing else.

use cardroom::games::cipher::EntryCipher;
use cardroom::games::snapshots::{EVERY, encrypted, restored};
use cardroom::store::append::{Append, NewEntry};
use cardroom::store::database::Database;
use cardroom::store::deadlines::Due;
use cardroom::store::log::Log;
use cardroom::store::schema::snapshots;
use cardroom::store::snapshots::StoredSnapshot;
use cardroom::store::tail::StoredEntry;
use cardroom_core::log::Hex32;
use cardroom_core::log::entry::Entry;
use cardroom_core::log::fairness::Seed;
use cardroom_core::table::decide::{Command, Step};
use cardroom_core::table::snapshot::RULES;
use cardroom_core::table::{Actor, Table};
use diesel::prelude::*;
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use uuid::Uuid;

use super::app::{TestApp, runtime};
use super::client::{Client, Reply};
use crate::eventually::eventually;
use crate::random::options::raw;

/// A game of two players that goes on for ever while both stay.
struct Long {
    app: TestApp,
    database: Database,
    path: String,
    players: Vec<Client>,
    log: Vec<(Entry, Hex32)>,
    /// As the test knows it: most of it was played without the program.
    table: Table,
    /// The same before the last decision.
    before: Table,
}

#[tokio::test]
async fn a_long_game_opens_from_its_snapshot_as_it_does_from_its_whole_log() {
    let mut game = Long::of(2 * EVERY + 500).await;
    let whole = game.seen_at(&game.app.replica().await).await;
    assert_eq!(game.kept_by_and_by().await, (game.table.version, RULES.to_owned()));

    game.forget_the_beginning().await;
    assert_eq!(game.seen_at(&game.app.replica().await).await, whole);

    game.grow(100).await;
    let replica = game.app.replica().await;
    let seen = game.seen_at(&replica).await;
    assert_eq!(seen[0]["version"], game.table.version);
    assert_eq!(game.act_at(&replica, Style::Dull).await.ok()["seq"], game.table.version + 1);

    game.sql("DELETE FROM snapshots").await;
    let replies = game.ask_at(&game.app.replica().await).await;
    assert!(replies.iter().all(|reply| reply.code() == "internal"), "the log's beginning is not there");
    game.remember_the_beginning().await;
    let whole = game.seen_at(&game.app.replica().await).await;
    assert_eq!(whole, game.seen_at(&replica).await);
    assert_eq!(whole, game.seen_at(&game.app).await);
}

#[tokio::test]
async fn a_game_that_is_played_gets_a_snapshot_by_and_by() {
    let game = Long::of(EVERY - 40).await;
    // There is less to be replayed than a snapshot is taken for.
    game.seen_at(&game.app.replica().await).await;
    let mut version = u64::from(game.table.version);
    while version < EVERY.into() {
        assert_eq!(game.kept().await, None);
        version = game.act_at(&game.app, Style::Dull).await.ok()["version"].as_u64().unwrap();
    }
    assert_eq!(game.kept_by_and_by().await, (version as u32, RULES.to_owned()));
}

#[tokio::test]
async fn a_snapshot_that_is_damaged_in_any_way_is_as_good_as_none() {
    let game = Long::of(EVERY + 500).await;
    let (id, seed) = (game.table.id, game.table.seed().clone());
    let whole = game.seen_at(&game.app.replica().await).await;
    let good = encrypted(&game.table).unwrap();
    let kept = game.kept_by_and_by().await;

    let fork = game.decided(&game.before, SignedDuration::from_secs(1)).table;
    assert_eq!((fork.version, fork.hash() == game.table.hash()), (good.seq as u32, false));
    let other = Table::replay(Uuid::from_u128(1), seed.clone(), game.log.clone()).unwrap();
    assert_eq!((other.version, other.hash()), (good.seq as u32, game.table.hash()));
    let ahead = game.decided(&game.table, SignedDuration::ZERO).table;
    let unfit = [fork, other, ahead].map(|table| Damage::Other(encrypted(&table).unwrap()));
    assert!(restored(id, seed, &good).is_ok());

    let changes = [
        "build = 'another'",
        "state = ''",
        "state = set_byte(state, 60, get_byte(state, 60) # 1)",
        "state = set_byte(state, length(state) - 1, get_byte(state, length(state) - 1) # 1)",
        "seq = seq + 1",
        "seq = seq - 1",
        "seq = seq + 1000000",
    ];
    for damage in changes.map(Damage::Change).into_iter().chain(unfit) {
        game.keep(&good).await;
        match &damage {
            Damage::Change(change) => game.sql(&format!("UPDATE snapshots SET {change}")).await,
            Damage::Other(snapshot) => game.keep(snapshot).await,
        }
        let replica = game.app.replica().await;
        game.forget_the_beginning().await;
        let replies = game.ask_at(&replica).await;
        assert!(replies.iter().all(|reply| reply.code() == "internal"), "{damage:?} was taken");
        game.remember_the_beginning().await;
        assert_eq!(game.seen_at(&replica).await, whole, "{damage:?}");
        // That was a long replay, so there is a new one now.
        let healed = eventually(async || game.kept().await.filter(|now| *now == kept)).await;
        assert!(healed.is_some(), "{damage:?} stays");
    }
}

#[tokio::test]
async fn audits_and_recounts_read_the_whole_log_whatever_snapshots_say() {
    let game = Long::of(EVERY + 500).await;
    game.seen_at(&game.app.replica().await).await;
    game.kept_by_and_by().await;
    while game.act_at(&game.app, Style::Bold).await.ok()["status"] != "finished" {}
    let ratings = game.app.app.ratings.clone();
    runtime().spawn(async move { assert_eq!(ratings.poll().await.unwrap(), 1) }).await.unwrap();
    assert_eq!(game.recounted().await, Ok(1));
    game.app.clock.advance(60);
    assert!(game.exported().await.is_ok_and(|lines| lines.lines().count() == 1));

    game.forget_the_beginning().await;
    let replica = game.app.replica().await;
    assert_eq!(game.seen_at(&replica).await[0]["status"], "finished", "it has a snapshot");
    let line = game.exported().await.unwrap();
    assert!(line.lines().count() == 1 && line.contains("this game cannot be read"), "{line}");
    assert!(game.recounted().await.unwrap_err().contains("entry 5"));
}

/// What is done to a snapshot.
#[derive(Debug)]
enum Damage {
    Change(&'static str),
    /// Another in its place, under the right name.
    Other(StoredSnapshot),
}

/// How somebody plays.
#[derive(PartialEq)]
enum Style {
    /// Stays, so that nobody ever has a point.
    Dull,
    /// Stays with a point only: that ends the game.
    Bold,
}

impl Long {
    async fn of(entries: u32) -> Long {
        let app = TestApp::start().await;
        let players = vec![app.user("ann").await, app.user("bob").await];
        let wanted = json!({"kind": "royal_gambit", "seats": 2, "sit": true, "options": {"target_score": 1}});
        let made = players[0].post("/v1/games", &wanted).await.ok();
        let path = format!("/v1/games/{}", made["id"].as_str().unwrap());
        players[1].post(&format!("{path}/seats"), &json!({})).await.ok();

        let database = Database::new(&app.database.url, 1).unwrap();
        let id = made["id"].as_str().unwrap().parse().unwrap();
        let opening = database.opening(id, None, u32::MAX).await.unwrap();
        let seed = Seed::new(opening.server_seed.unwrap());
        let cipher = EntryCipher::new(&seed, id);
        let entry = |StoredEntry { seq, entry, hash }| {
            let text = cipher.decrypt(seq as u32, &entry).unwrap();
            (Entry::parse(&text).unwrap(), Hex32(hash.try_into().unwrap()))
        };
        let log: Vec<_> = opening.entries.into_iter().map(entry).collect();
        let table = Table::replay(id, seed, log.clone()).unwrap();
        let mut game = Long { app, database, path, players, log, before: table.clone(), table };
        game.grow(entries - game.table.version).await;
        game
    }

    /// Whoever has the turn stays, so long after the time that it is.
    fn decided(&self, table: &Table, later: SignedDuration) -> Step {
        let seat = table.to_act().iter().next().unwrap();
        let account = &self.players[usize::from(seat)].session["account"];
        let actor = Actor {
            account: account["id"].as_str().unwrap().parse().unwrap(),
            username: account["username"].as_str().unwrap().to_owned(),
            admin: false,
            is_program: false,
            invite: None,
        };
        let now: Timestamp = self.app.clock.now() + later;
        table.decide(&actor, &Command::Act { action: raw(&json!({"type": "stay"})) }, now).unwrap()
    }

    /// Goes on without the program, by about so many entries.
    async fn grow(&mut self, entries: u32) {
        let (from, until) = (self.log.len(), self.table.version + entries);
        let mut texts = Vec::new();
        while self.table.version < until {
            let step = self.decided(&self.table, SignedDuration::ZERO);
            self.before = std::mem::replace(&mut self.table, step.table);
            self.log.extend(step.entries.iter().map(|sealed| (sealed.entry.clone(), sealed.hash)));
            texts.extend(step.entries.into_iter().map(|sealed| sealed.text));
        }
        let entries = self.log[from..].iter().zip(texts).map(|((entry, hash), text)| NewEntry {
            seq: entry.seq as i32,
            entry: text,
            hash: hash.0,
        });
        let append =
            Append { game_id: self.table.id, entries: entries.collect(), claim: None, due: Due::Unchanged };
        Log::start(self.database.clone(), 1).append(append).await.unwrap();
    }

    /// Who has the turn does something at this replica.
    async fn act_at(&self, app: &TestApp, style: Style) -> Reply {
        let seen = app.at(&self.players[0]).get(&self.path).await.ok();
        let seat = seen["to_act"][0].as_u64().unwrap() as usize;
        let mover = app.at(&self.players[seat]);
        let menu = mover.get(&self.path).await.ok()["legal_actions"].clone();
        let stays = style == Style::Dull || seen["view"]["seats"][seat]["worth"] != 0;
        // Who cannot stay has one line.
        let line = &menu[if stays { menu.as_array().unwrap().len() - 1 } else { 0 }];
        let mut action = json!({"type": line["type"]});
        if let Some(seat) = line["params"]["seat"]["from"].get(0) {
            action["seat"] = seat.clone();
        }
        mover.post(&format!("{}/actions", self.path), &action).await
    }

    /// What both players and somebody else are answered.
    async fn ask_at(&self, app: &TestApp) -> [Reply; 3] {
        let [ann, bob] = [0, 1].map(|n| app.at(&self.players[n]));
        [ann.get(&self.path).await, bob.get(&self.path).await, app.anon().get(&self.path).await]
    }

    async fn seen_at(&self, app: &TestApp) -> [Value; 3] {
        self.ask_at(app).await.map(Reply::ok)
    }

    async fn keep(&self, snapshot: &StoredSnapshot) {
        self.database.keep_snapshot(self.table.id, RULES, snapshot).await.unwrap();
    }

    /// The snapshot's version and build.
    async fn kept(&self) -> Option<(u32, String)> {
        let row = snapshots::table.select((snapshots::seq, snapshots::build, snapshots::state));
        let row = row.first(&mut self.app.database.connection().await).await.optional();
        let (seq, build, state): (i32, String, Vec<u8>) = row.unwrap()?;
        let snapshot = StoredSnapshot { seq, state };
        let seed = self.table.seed().clone();
        // One that is damaged is not there yet.
        restored(self.table.id, seed, &snapshot).ok()?;
        Some((seq as u32, build))
    }

    async fn kept_by_and_by(&self) -> (u32, String) {
        eventually(async || self.kept().await).await.expect("a snapshot in time")
    }

    /// The log can no more be replayed from its beginning.
    async fn forget_the_beginning(&self) {
        self.sql("UPDATE entries SET entry = '-' || entry WHERE seq = 5").await;
    }

    async fn remember_the_beginning(&self) {
        self.sql("UPDATE entries SET entry = substr(entry, 2) WHERE seq = 5").await;
    }

    async fn sql(&self, statement: &str) {
        self.app.database.connection().await.batch_execute(statement).await.unwrap();
    }

    /// How many games the ratings were counted from again, or why they were not.
    async fn recounted(&self) -> Result<usize, String> {
        let ratings = self.app.app.ratings.clone();
        let counting = runtime().spawn(async move { ratings.rebuild().await });
        counting.await.unwrap().map_err(|error| error.to_string())
    }

    /// The bundles of all games, unless the answer breaks off.
    async fn exported(&self) -> reqwest::Result<String> {
        reqwest::get(format!("{}/v1/audit/games", self.app.base())).await?.error_for_status()?.text().await
    }
}
