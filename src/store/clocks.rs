//! The clocks of tournaments' games: what organisers want of them, and what the games' logs have got of it. The tournament's
//! log is written first; any replica then brings the games' logs after it.

use diesel::prelude::*;
use diesel::sql_types::Bool;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::schema::games;

/// Written out, not bound: PostgreSQL uses the partial index only if its condition is repeated literally.
const IS_BEHIND: &str = "status = 'active' AND (pause_wanted <> is_paused OR seconds_wanted > seconds_added)";

/// A game whose log does not have yet what an organiser wants.
#[derive(Debug, Clone, Queryable)]
pub struct ClocksBehind {
    pub game: Uuid,
    pub tournament: Option<Uuid>,
    pub pause_wanted: bool,
    pub seconds_wanted: i32,
}

/// What a tournament's entry does to the clocks of games.
#[derive(Debug, Clone, Copy)]
pub enum ClockChange {
    /// The clocks of all running games of the tournament stand still, or run.
    All { stopped: bool },
    /// Those of one game do.
    Game { game: Uuid, stopped: bool },
    /// Each player at a game has more time.
    TimeAdded { game: Uuid, seconds: i32 },
}

impl Database {
    /// Some of the games that are behind.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn clocks_behind(&self, limit: i64) -> Result<Vec<ClocksBehind>, StoreError> {
        Ok(games::table
            .filter(diesel::dsl::sql::<Bool>(IS_BEHIND))
            .select((games::game_id, games::tournament_id, games::pause_wanted, games::seconds_wanted))
            .limit(limit)
            .load(&mut self.connection().await?)
            .await?)
    }
}

/// Notes what an organiser wants, inside the transaction of the tournament's entry.
pub(super) async fn want(
    connection: &mut AsyncPgConnection,
    tournament: Uuid,
    change: ClockChange,
) -> Result<(), StoreError> {
    match change {
        ClockChange::All { stopped } => {
            let running =
                games::tournament_id.eq(tournament).and(diesel::dsl::sql::<Bool>("status = 'active'"));
            let of_all = diesel::update(games::table.filter(running));
            of_all.set(games::pause_wanted.eq(stopped)).execute(connection).await?
        }
        ClockChange::Game { game, stopped } => {
            let of_one = diesel::update(games::table.find(game));
            of_one.set(games::pause_wanted.eq(stopped)).execute(connection).await?
        }
        ClockChange::TimeAdded { game, seconds } => {
            let more = games::seconds_wanted + seconds;
            diesel::update(games::table.find(game))
                .set(games::seconds_wanted.eq(more))
                .execute(connection)
                .await?
        }
    };
    Ok(())
}

/// Notes what a game's log has got, inside the transaction of its entry.
pub(super) async fn note(
    connection: &mut AsyncPgConnection,
    game: Uuid,
    paused: Option<bool>,
    seconds: u32,
) -> Result<(), StoreError> {
    let row = diesel::update(games::table.find(game));
    match paused {
        Some(paused) => row.set(games::is_paused.eq(paused)).execute(connection).await?,
        None => {
            let more = games::seconds_added + seconds.cast_signed();
            row.set(games::seconds_added.eq(more)).execute(connection).await?
        }
    };
    Ok(())
}
