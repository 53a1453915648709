//! A seat at any table that fits.

use std::sync::Arc;

use cardroom_core::log::entry::Visibility;
use cardroom_core::rules::Refusal;
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide::Command;
use cardroom_core::table::view::Status;
use cardroom_core::table::{Actor, Table};
use futures_util::future::join_all;

use crate::games::service::{Conditions, Done, GameService};
use crate::runtime::error::ServiceError;
use crate::runtime::{EventStore, Key};
use crate::store::join::WantedTable;

/// How many open tables are tried before a new one is opened.
const TABLES: i64 = 50;

impl GameService {
    /// Sits the actor down at a public game without bots that has the same rules and clock as `new`, the oldest first;
    /// creates `new` where there is none. An actor who waits at such a game already is shown that. `seats`: only at a
    /// game with so many seats.
    ///
    /// # Errors
    /// As [`GameService::create`].
    pub async fn join(
        &self,
        actor: &Actor,
        new: NewGame,
        seats: Option<u8>,
        key: Key,
    ) -> Result<Done, ServiceError> {
        if let Some(done) = self.joined(actor, &key).await? {
            return Ok(done);
        }
        // One after the other, so that two players who join at once meet at one table.
        self.joining.alone(self.find_or_create(actor, new, seats, key)).await?
    }

    async fn find_or_create(
        &self,
        actor: &Actor,
        new: NewGame,
        seats: Option<u8>,
        key: Key,
    ) -> Result<Done, ServiceError> {
        // The same request may have waited for the lock, too.
        if let Some(done) = self.joined(actor, &key).await? {
            return Ok(done);
        }
        let wanted = WantedTable {
            kind: new.kind.kind.to_owned(),
            rules_version: new.kind.rules_version.cast_signed(),
            options: new.options.get().to_owned(),
            seats: seats.map(i16::from),
            turn_seconds: new.pace.turn_seconds.map(u32::cast_signed),
            bank_seconds: new.pace.bank_seconds.cast_signed(),
            is_rated: new.rated,
        };
        let ids = self.database.open_tables(&wanted, TABLES).await?;
        let mut tables = Vec::new();
        // All at once, so that they share statements.
        for (id, table) in ids.iter().zip(join_all(ids.iter().map(|id| self.runtime.look(*id))).await) {
            match table {
                Ok(table) if is_open(&table, &new) => tables.push(table),
                Ok(_) => {}
                Err(error) if error.is_of_one_log() => {
                    tracing::error!(%error, %id, "nobody can sit down at a game that cannot be read");
                }
                Err(error) => return Err(error),
            }
        }
        if let Some(table) = tables.iter().find(|table| table.seat_of(actor.account).is_some()) {
            let table = table.clone();
            return Ok(Done { seq: table.version, hash: table.hash(), table, replayed: false });
        }
        let client_seed = new.sit.clone().unwrap_or_default();
        for table in tables {
            let command = Command::Sit { client_seed: client_seed.clone(), invite: None, seat: None };
            let conditions = Conditions { key: key.clone(), ..Conditions::default() };
            match self.command(table.id, actor, &command, &conditions).await {
                // Somebody took the last seat in another way, or this player may not sit here.
                Err(ServiceError::Refused {
                    refusal:
                        Refusal { code: "game_not_open" | "game_over" | "removed" | "too_many_changes", .. },
                    ..
                }) => {}
                done => return done,
            }
        }
        self.create(actor, new, key, None).await
    }

    /// What came of the same request before.
    async fn joined(&self, actor: &Actor, key: &Key) -> Result<Option<Done>, ServiceError> {
        let Some((key, request)) = key else { return Ok(None) };
        let mut joined = Ok(None);
        // A client may have used the same key in other games, too.
        for id in self.database.requested_with(actor.account, key).await? {
            match self.runtime.store.answered(id, actor.account, key, request).await {
                Ok(Some((table, (seq, hash)))) => {
                    return Ok(Some(Done { table: Arc::new(table), seq, hash, replayed: true }));
                }
                Err(ServiceError::KeyReused) => joined = Err(ServiceError::KeyReused),
                answered => drop(answered?),
            }
        }
        joined
    }
}

/// Whether a listed table is what it was, and has the clock that is wanted.
fn is_open(table: &Table, new: &NewGame) -> bool {
    let pace = table.pace();
    table.status() == Status::Open
        && (pace.turn_seconds, pace.bank_seconds) == (new.pace.turn_seconds, new.pace.bank_seconds)
        && table.visibility() == Visibility::Public
}
