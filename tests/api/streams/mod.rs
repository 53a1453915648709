//! Streams: a game as it happens, and the lobby as it changes.

mod access;
mod account;
mod lobby;
mod replicas;
mod unread;
mod whole_games;

use cardroom::games::cipher::EntryCipher;
use cardroom::store::schema::{entries, games};
use cardroom_core::log::Hex32;
use cardroom_core::log::entry::Entry;
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::Facts;
use cardroom_core::rules::registry::AnyFacts;
use cardroom_core::table::projection::{LogProjection, Reader};
use cardroom_core::table::{Actor, Table};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use serde_json::Value;
use uuid::Uuid;

use super::app::TestDatabase;
use super::client::{Client, Event};

/// What the database holds of a game, from which follows what a stream has to be.
pub struct Truth {
    id: Uuid,
    seed: Seed,
    log: Vec<(Entry, Hex32)>,
}

impl Truth {
    pub async fn of(database: &TestDatabase, id: Uuid) -> Truth {
        let mut connection = database.connection().await;
        let seed: Vec<u8> =
            games::table.find(id).select(games::server_seed).first(&mut connection).await.unwrap();
        let log: Vec<(String, Vec<u8>)> = entries::table
            .filter(entries::game_id.eq(id))
            .order(entries::seq)
            .select((entries::entry, entries::hash))
            .load(&mut connection)
            .await
            .unwrap();
        let seed = Seed::new(seed.try_into().unwrap());
        let cipher = EntryCipher::new(&seed, id);
        let entry = |((text, hash), seq): ((String, Vec<u8>), u32)| {
            let text = cipher.decrypt(seq, &text).unwrap();
            (Entry::parse(&text).unwrap(), Hex32(hash.try_into().unwrap()))
        };
        let log = log.into_iter().zip(1..).map(entry).collect();
        Truth { id, seed, log }
    }

    pub fn version(&self) -> u32 {
        self.log.len() as u32
    }

    /// The game at this version.
    pub fn table(&self, version: u32) -> Table {
        Table::replay(self.id, self.seed.clone(), self.log[..version as usize].to_vec()).unwrap()
    }

    /// What `viewer` is to get first at this version.
    pub fn game(&self, version: u32, viewer: Option<&Actor>) -> Event {
        let data = serde_json::to_string(&self.table(version).view(viewer)).unwrap();
        Event { name: "game".to_owned(), id: version.to_string(), data }
    }

    /// What `viewer` is to get when the game comes to this version: what the log, the hand history and the game
    /// told them at that moment. Facts are compared where a hand runs.
    pub fn entry(&self, version: u32, viewer: Option<&Actor>) -> Event {
        let reading = |facts: fn() -> AnyFacts| {
            let log = self.log[..version as usize].to_vec();
            LogProjection::of(self.id, self.seed.clone(), log, &Reader::Viewer(viewer), facts).unwrap()
        };
        let hands = reading(Facts::kept).into_hands();
        let newest = hands.last().and_then(|hand| hand.entries.last());
        let facts = newest.filter(|entry| entry.seq == version).map_or(&[][..], |entry| &entry.facts);
        let entry = reading(Facts::ignored).into_log().pop().unwrap();
        let data = format!(
            r#"{{"entry":{},"facts":{},"game":{}}}"#,
            serde_json::to_string(&entry).unwrap(),
            serde_json::to_string(facts).unwrap(),
            self.game(version, viewer).data
        );
        Event { name: "entry".to_owned(), id: version.to_string(), data }
    }

    /// Panics where the events are not those of `viewer` from the first one's version on, or from `after`.
    pub fn check(&self, events: &[Event], after: Option<u32>, viewer: Option<&Actor>) {
        let mut events = events.iter();
        let mut version = after.unwrap_or_else(|| {
            let first = events.next().expect("a first event");
            let version = first.id.parse().unwrap();
            assert_eq!(*first, self.game(version, viewer));
            version
        });
        for event in events {
            version += 1;
            assert_eq!(*event, self.entry(version, viewer));
        }
        assert_eq!(version, self.version(), "the stream has everything");
    }
}

/// A client's account, as tables know it.
pub fn actor(session: &Value) -> Actor {
    let account = &session["account"];
    Actor {
        account: account["id"].as_str().unwrap().parse().unwrap(),
        username: account["username"].as_str().unwrap().to_owned(),
        admin: account["role"] == "admin",
        is_program: false,
        invite: None,
    }
}

/// The id in a game's path.
fn id_of(path: &str) -> Uuid {
    path.rsplit('/').next().unwrap().parse().unwrap()
}

/// Sticks or stays for whoever is to act, so many times.
async fn pass(players: &[Client], path: &str, times: usize) {
    let mut game = players[0].get(path).await.ok();
    for _ in 0..times {
        let mover = &players[super::games::turn(&game)];
        let action = serde_json::json!({"type": "stay"});
        game = mover.post(&format!("{path}/actions"), &action).await.ok();
    }
}
