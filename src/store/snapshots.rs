//! How a game that is not in memory is opened: from its log, and if there is a snapshot, from the log's entries since
//! then. The snapshots are a cache: any of them may be missing, old or broken, and the log does not depend on them.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Bytea, Integer, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::schema::snapshots;
use crate::store::tail::StoredEntry;

/// The stored data from which a table is built.
#[derive(Default)]
pub struct Opening {
    /// `None` where there is no such game.
    pub server_seed: Option<[u8; 32]>,
    pub snapshot: Option<StoredSnapshot>,
    /// The entries from the snapshot's own on, or all entries where there is no snapshot.
    pub entries: Vec<StoredEntry>,
}

/// A snapshot as it was stored.
#[derive(Debug, Clone, Insertable, AsChangeset)]
#[diesel(table_name = snapshots)]
pub struct StoredSnapshot {
    /// The entry after which it was taken.
    pub seq: i32,
    pub state: Vec<u8>,
}

impl Database {
    /// A game's log up to `version`, and its seed. With the name of a `build`, the log begins at the last entry of that
    /// build's snapshot, if there is one that is not past `version`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn opening(
        &self,
        game_id: Uuid,
        build: Option<&str>,
        version: u32,
    ) -> Result<Opening, StoreError> {
        let version = i32::try_from(version).unwrap_or(i32::MAX);
        // No build has an empty name, so an empty name finds no snapshot.
        let read = ReadLog { game_id, build: build.unwrap_or_default().to_owned(), version };
        let mut opening = Opening::default();
        let rows: Vec<Part> = if self.shards().is_some() {
            // Where a game has a server, that server alone is asked for its log.
            opening.server_seed = self.server_seed(game_id).await?;
            read.load(&mut self.connection().await?).await?
        } else {
            ReadOpening(read).load(&mut self.connection().await?).await?
        };
        for Part { part, seq, text, bytes } in rows {
            match part.as_str() {
                "seed" => opening.server_seed = Some(self.master_keys.unwrap_game_seed(game_id, &bytes)?),
                "snapshot" => opening.snapshot = Some(StoredSnapshot { seq, state: bytes }),
                _ => opening.entries.push(StoredEntry { seq, entry: text, hash: bytes }),
            }
        }
        // The entries usually come in order. PostgreSQL would sort a long log on its disk.
        opening.entries.sort_unstable_by_key(|entry| entry.seq);
        Ok(opening)
    }

    /// Stores a snapshot in place of the game's previous one.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn keep_snapshot(
        &self,
        game_id: Uuid,
        build: &str,
        snapshot: &StoredSnapshot,
    ) -> Result<(), StoreError> {
        let build = snapshots::build.eq(build);
        diesel::insert_into(snapshots::table)
            .values((snapshots::game_id.eq(game_id), build, snapshot))
            .on_conflict(snapshots::game_id)
            .do_update()
            .set((build, snapshot))
            .prepared()
            .execute(&mut self.connection().await?)
            .await?;
        Ok(())
    }
}

/// A part of what is read: the seed (`bytes`), the snapshot (`seq`, `bytes`) or an entry (`seq`, `text`, `bytes`).
#[derive(Queryable)]
struct Part {
    part: String,
    seq: i32,
    text: String,
    bytes: Vec<u8>,
}

type PartSql = (Text, Integer, Text, Bytea);

/// The seed, the snapshot and the entries in one statement, so that they cost one round trip.
#[derive(QueryId)]
struct ReadOpening(ReadLog);

/// The snapshot and the entries in one statement, so that they belong together. It is written by hand because diesel has
/// no `UNION` of different tables that it would keep prepared.
#[derive(QueryId)]
struct ReadLog {
    game_id: Uuid,
    build: String,
    version: i32,
}

impl ReadLog {
    fn push_snapshot<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("WITH snapshot AS (SELECT seq, state FROM snapshots WHERE game_id = ");
        out.push_bind_param::<SqlUuid, _>(&self.game_id)?;
        out.push_sql(" AND build = ");
        out.push_bind_param::<Text, _>(&self.build)?;
        out.push_sql(" AND seq <= ");
        out.push_bind_param::<Integer, _>(&self.version)?;
        out.push_sql(") ");
        Ok(())
    }

    fn push_parts<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "SELECT 'snapshot' AS part, seq, '' AS text, state AS bytes FROM snapshot \
             UNION ALL SELECT 'entry', seq, entry, hash FROM entries WHERE game_id = ",
        );
        out.push_bind_param::<SqlUuid, _>(&self.game_id)?;
        out.push_sql(" AND seq >= coalesce((SELECT seq FROM snapshot), 1) AND seq <= ");
        out.push_bind_param::<Integer, _>(&self.version)
    }
}

impl Query for ReadLog {
    type SqlType = PartSql;
}

impl QueryFragment<Pg> for ReadLog {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.push_snapshot(&mut out)?;
        self.push_parts(&mut out)
    }
}

impl Query for ReadOpening {
    type SqlType = PartSql;
}

impl QueryFragment<Pg> for ReadOpening {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.0.push_snapshot(&mut out)?;
        out.push_sql(
            "SELECT 'seed' AS part, 0 AS seq, '' AS text, server_seed AS bytes FROM games WHERE game_id = ",
        );
        out.push_bind_param::<SqlUuid, _>(&self.0.game_id)?;
        out.push_sql(" UNION ALL ");
        self.0.push_parts(&mut out)
    }
}
