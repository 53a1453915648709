//! The clocks of tournaments' games: what organisers want of them, and what the games' logs have got of it. The tournament's
//! log is written first; any replica then brings the games' logs after it.

use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Integer, Nullable, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::schema::games;

/// Written out, not bound: PostgreSQL uses the partial index only if its condition is repeated literally.
const IS_BEHIND: &str =
    "status = 'active' AND (pause_wanted <> is_paused OR seconds_wanted <> seconds_added)";

/// Both lists have a number for each seat from the first time on that some is given.
const WANT_TIME: &str = "UPDATE games SET
     seconds_wanted = (SELECT array_agg(coalesce(wanted, 0) + coalesce(more, 0) ORDER BY nth)
         FROM unnest(seconds_wanted, $2) WITH ORDINALITY AS seats(wanted, more, nth)),
     seconds_added = (SELECT array_agg(coalesce(added, 0) ORDER BY nth)
         FROM unnest(seconds_added, $2) WITH ORDINALITY AS seats(added, more, nth))
     WHERE game_id = $1";
const NOTE_TIME: &str = "UPDATE games SET
     seconds_added = (SELECT array_agg(added + CASE WHEN $2 IS NULL OR nth = $2 + 1 THEN $3 ELSE 0 END ORDER BY nth)
         FROM unnest(seconds_added) WITH ORDINALITY AS seats(added, nth))
     WHERE game_id = $1 AND seconds_added <> '{}'";

/// A game whose log does not have yet what an organiser wants.
#[derive(Debug, Clone, Queryable)]
pub struct ClocksBehind {
    pub game: Uuid,
    pub tournament: Option<Uuid>,
    pub pause_wanted: bool,
    /// In all, seat 0 first.
    pub seconds_wanted: Vec<i32>,
}

/// What a tournament's entry does to the clocks of games.
#[derive(Debug, Clone)]
pub enum ClockChange {
    /// The clocks of all running games of the tournament stand still, or run.
    All { stopped: bool },
    /// Those of one game do.
    Game { game: Uuid, stopped: bool },
    /// So many seconds more, seat 0 first.
    TimeAdded { game: Uuid, seconds: Vec<i32> },
}

impl Database {
    /// Games that are behind: at most `limit`, with ids greater than `after`, in order.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn clocks_behind(&self, after: Uuid, limit: i64) -> Result<Vec<ClocksBehind>, StoreError> {
        Ok(games::table
            .filter(diesel::dsl::sql::<Bool>(IS_BEHIND).and(games::game_id.gt(after)))
            .order(games::game_id)
            .select((games::game_id, games::tournament_id, games::pause_wanted, games::seconds_wanted))
            .limit(limit)
            .prepared()
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
            of_all.set(games::pause_wanted.eq(stopped)).prepared().execute(connection).await?
        }
        ClockChange::Game { game, stopped } => {
            let of_one = diesel::update(games::table.find(game));
            of_one.set(games::pause_wanted.eq(stopped)).prepared().execute(connection).await?
        }
        ClockChange::TimeAdded { game, seconds } => {
            let more = diesel::sql_query(WANT_TIME).bind::<SqlUuid, _>(game);
            more.bind::<Array<Integer>, _>(seconds).prepared().execute(connection).await?
        }
    };
    Ok(())
}

/// Notes that a game's clocks stand still or run, inside the transaction of its entry.
pub(super) async fn note_pause(
    connection: &mut AsyncPgConnection,
    game: Uuid,
    is_paused: bool,
) -> Result<(), StoreError> {
    let row = diesel::update(games::table.find(game));
    row.set(games::is_paused.eq(is_paused)).prepared().execute(connection).await?;
    Ok(())
}

/// Notes that a game's log gave a seat more time, or each, inside the transaction of its entry.
pub(super) async fn note_time(
    connection: &mut AsyncPgConnection,
    game: Uuid,
    seat: Option<u8>,
    seconds: u32,
) -> Result<(), StoreError> {
    let noted = diesel::sql_query(NOTE_TIME).bind::<SqlUuid, _>(game);
    let noted = noted.bind::<Nullable<Integer>, _>(seat.map(i32::from));
    noted.bind::<Integer, _>(seconds.cast_signed()).prepared().execute(connection).await?;
    Ok(())
}
