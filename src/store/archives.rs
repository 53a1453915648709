//! Which games have their logs in files, and how logs leave the database and come back.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bytea, Integer, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl, SimpleAsyncConnection};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::archive_files::Place;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::schema::{archived_games, archives, entries, snapshots};
use crate::store::session::Session;
use crate::store::shards;
use crate::store::tail::StoredEntry;

/// The advisory lock of the command that moves logs.
const LOCK: i64 = 0x0061_7263_6869_7665;

/// A file of archived games.
#[derive(Debug, Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = archives)]
pub struct Archive {
    /// Its name, without its folder.
    pub file: String,
    /// When its games were created: `2026-10`.
    pub month: String,
    /// SHA-256 of the file.
    pub digest: Vec<u8>,
    pub archived_at: jiff_diesel::Timestamp,
}

/// A game that lies in a file, and how many entries it has.
#[derive(Debug, Clone, Copy)]
pub struct Archived {
    pub game: Uuid,
    pub place: Place,
    pub entries: u32,
    /// SHA-256 of its bundle.
    pub digest: [u8; 32],
}

/// Where a game lies, and what it has to be there.
#[derive(Debug, Clone, Queryable)]
pub struct Found {
    pub file: String,
    pub place: Place,
    /// SHA-256 of its bundle; none where release 0.2.0 has archived it.
    pub digest: Option<Vec<u8>>,
}

/// The right to move logs, until it is dropped.
pub struct Moving(Session);

impl Database {
    /// Where a game lies; none where its log is in the database.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn archived(&self, game: Uuid) -> Result<Option<Found>, StoreError> {
        let place = (archived_games::position, archived_games::length);
        let found =
            archived_games::table.find(game).select((archived_games::file, place, archived_games::digest));
        Ok(found.first(&mut self.connection().await?).await.optional()?)
    }

    /// All files.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn archives(&self) -> Result<Vec<Archive>, StoreError> {
        let all = archives::table.order(archives::file).select(Archive::as_select());
        Ok(all.load(&mut self.connection().await?).await?)
    }

    /// The right to move logs; none while another program has it.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn move_logs(&self) -> Result<Option<Moving>, StoreError> {
        #[derive(QueryableByName)]
        struct Locked {
            #[diesel(sql_type = diesel::sql_types::Bool)]
            locked: bool,
        }
        let mut session = self.patient_session().await?;
        let lock = format!("SELECT pg_try_advisory_lock({LOCK}) AS locked");
        let Locked { locked } = diesel::sql_query(lock).get_result(&mut *session).await?;
        Ok(locked.then_some(Moving(session)))
    }
}

impl Moving {
    /// Leaves the right to the next program at once, and not when the server notices that this session has ended.
    pub async fn end(mut self) {
        if let Err(error) = self.0.batch_execute(&format!("SELECT pg_advisory_unlock({LOCK})")).await {
            tracing::warn!(%error, "the next archive or restore may have to wait until the server ends this session");
        }
    }

    /// Games after `after` by their ids, at most `limit`, which were created before the game `before` would have been,
    /// ended before a time, and have their logs in the database. Games that are not told yet, because other tables are
    /// dealt the same, and games that still wait for their rating stay where they are.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn movable(
        &mut self,
        ended_before: jiff::Timestamp,
        before: Uuid,
        after: Uuid,
        limit: i64,
    ) -> Result<Vec<Uuid>, StoreError> {
        #[derive(QueryableByName)]
        struct Movable {
            #[diesel(sql_type = SqlUuid)]
            game_id: Uuid,
        }
        let found: Vec<Movable> = diesel::sql_query(
            "SELECT game_id FROM games
             WHERE ended_at < $1 AND game_id < $2 AND game_id > $3
                 AND NOT EXISTS (SELECT FROM archived_games WHERE archived_games.game_id = games.game_id)
                 AND NOT EXISTS (SELECT FROM concealed_games WHERE concealed_games.game_id = games.game_id)
                 AND NOT EXISTS (SELECT FROM unrated_games WHERE unrated_games.game_id = games.game_id)
             ORDER BY game_id LIMIT $4",
        )
        .bind::<Timestamptz, _>(ended_before.to_diesel())
        .bind::<SqlUuid, _>(before)
        .bind::<SqlUuid, _>(after)
        .bind::<BigInt, _>(limit)
        .load(&mut *self.0)
        .await?;
        Ok(found.into_iter().map(|found| found.game_id).collect())
    }

    /// Adds a file, in which no game lies yet.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn add(&mut self, archive: &Archive) -> Result<(), StoreError> {
        diesel::insert_into(archives::table).values(archive).execute(&mut *self.0).await?;
        Ok(())
    }

    /// Notes that these games lie in a file, and deletes their entries and snapshots, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::Broken`] where a log does not have as many entries as the file; then nothing is changed.
    pub async fn move_out(&mut self, file: &str, moved: &[Archived]) -> Result<(), StoreError> {
        let games: Vec<Uuid> = moved.iter().map(|archived| archived.game).collect();
        let wanted: usize = moved.iter().map(|archived| archived.entries as usize).sum();
        let rows: Vec<_> = moved
            .iter()
            .map(|archived| {
                (
                    archived_games::game_id.eq(archived.game),
                    archived_games::file.eq(file),
                    archived_games::position.eq(archived.place.position),
                    archived_games::length.eq(archived.place.length),
                    archived_games::digest.eq(archived.digest.to_vec()),
                )
            })
            .collect();
        self.0
            .transaction(async |connection| {
                shards::commit_in_two_phases_if_distributed(connection).await?;
                diesel::insert_into(archived_games::table).values(rows).execute(connection).await?;
                let deleted = entries::table.filter(entries::game_id.eq_any(&games));
                let deleted = diesel::delete(deleted).execute(connection).await?;
                if deleted != wanted {
                    let broken = format!("{deleted} entries are stored of {wanted} that {file} has");
                    return Err(StoreError::Broken(broken));
                }
                let useless = snapshots::table.filter(snapshots::game_id.eq_any(&games));
                diesel::delete(useless).execute(connection).await?;
                Ok(())
            })
            .await
    }

    /// The games of a file, in its order.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn games_in(&mut self, file: &str) -> Result<Vec<(Uuid, Place)>, StoreError> {
        Ok(archived_games::table
            .filter(archived_games::file.eq(file))
            .order(archived_games::position)
            .select((archived_games::game_id, (archived_games::position, archived_games::length)))
            .load(&mut *self.0)
            .await?)
    }

    /// Stores a log in the database again, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::Constraint`] where the database has entries of this game.
    pub async fn move_in(&mut self, game: Uuid, log: &[StoredEntry]) -> Result<(), StoreError> {
        self.0
            .transaction(async |connection| {
                shards::commit_in_two_phases_if_distributed(connection).await?;
                diesel::sql_query(
                    "INSERT INTO entries (game_id, seq, entry, hash) SELECT $1, * FROM unnest($2, $3, $4)",
                )
                .bind::<SqlUuid, _>(game)
                .bind::<Array<Integer>, _>(log.iter().map(|entry| entry.seq).collect::<Vec<_>>())
                .bind::<Array<Text>, _>(log.iter().map(|entry| &entry.entry).collect::<Vec<_>>())
                .bind::<Array<Bytea>, _>(log.iter().map(|entry| &entry.hash).collect::<Vec<_>>())
                .execute(connection)
                .await?;
                diesel::delete(archived_games::table.find(game)).execute(connection).await?;
                Ok(())
            })
            .await
    }

    /// Forgets a file of which all games are in the database again.
    ///
    /// # Errors
    /// [`StoreError`] where a game still lies in it.
    pub async fn remove(&mut self, file: &str) -> Result<(), StoreError> {
        diesel::delete(archives::table.find(file)).execute(&mut *self.0).await?;
        Ok(())
    }
}
