//! Games that are over, for exports: in the order in which everybody could learn how they ended.
//!
//! That is the order of their ends, but for duplicate tables: what happened there is shown when the last table with the same
//! shuffles is over. A reader who continues after the last game that it has would never get them in the order of their ends.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;

/// Which of the games that are over an export contains.
#[derive(Debug, Clone, Default)]
pub struct Ended {
    pub kind: Option<String>,
    pub tournament: Option<Uuid>,
    /// Games whose end was shown at this time or later.
    pub from: Option<jiff::Timestamp>,
    /// Games whose end was shown before this time.
    pub before: Option<jiff::Timestamp>,
    /// The caller.
    pub viewer: Viewer,
}

/// The caller for whom a list is made.
#[derive(Debug, Clone, Copy, Default)]
pub enum Viewer {
    /// Sees public games.
    #[default]
    Anyone,
    /// Sees public games and its own private games.
    Account(Uuid),
    Admin,
}

/// How far a list of games that are over has been read: the last game, and the game with whose end it was shown.
#[derive(Debug, Clone, Copy, QueryableByName)]
pub struct EndCursor {
    #[diesel(sql_type = Timestamptz, deserialize_as = jiff_diesel::Timestamp)]
    shown_at: jiff::Timestamp,
    #[diesel(sql_type = SqlUuid)]
    shown_with: Uuid,
    #[diesel(sql_type = Timestamptz, deserialize_as = jiff_diesel::Timestamp)]
    ended_at: jiff::Timestamp,
    #[diesel(sql_type = SqlUuid)]
    pub game_id: Uuid,
}

/// `last`: with whose end a game is shown.
const SHOWN: &str =
    "SELECT last.ended_at AS shown_at, last.game_id AS shown_with, shown.ended_at, shown.game_id
     FROM games AS last CROSS JOIN LATERAL (
         SELECT * FROM games WHERE game_id = last.game_id AND last.shuffle_id IS NULL
         UNION ALL
         SELECT * FROM games WHERE shuffle_id = last.shuffle_id
     ) AS shown
     WHERE last.ended_at IS NOT NULL AND NOT EXISTS (
         SELECT FROM games AS later WHERE later.shuffle_id = last.shuffle_id
             AND (later.ended_at IS NULL OR (later.ended_at, later.game_id) > (last.ended_at, last.game_id)))";

impl Database {
    /// How far somebody has read whose last game is this one; `None` where its end is not shown.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn end_cursor(&self, game_id: Uuid) -> Result<Option<EndCursor>, StoreError> {
        let of_game = "AND last.game_id = (
             SELECT game_id FROM games WHERE game_id = $1 AND shuffle_id IS NULL
             UNION ALL
             (SELECT game_id FROM games WHERE shuffle_id = (SELECT shuffle_id FROM games WHERE game_id = $1)
              ORDER BY ended_at DESC NULLS FIRST, game_id DESC LIMIT 1))
             AND shown.game_id = $1";
        Ok(diesel::sql_query(format!("{SHOWN} {of_game}"))
            .bind::<SqlUuid, _>(game_id)
            .get_result(&mut self.connection().await?)
            .await
            .optional()?)
    }

    /// Games whose ends were shown before `settled`, in that order: those after `after`, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn ended_games(
        &self,
        wanted: &Ended,
        settled: jiff::Timestamp,
        after: Option<EndCursor>,
        limit: i64,
    ) -> Result<Vec<EndCursor>, StoreError> {
        let viewer = match wanted.viewer {
            Viewer::Account(account) => Some(account),
            Viewer::Anyone | Viewer::Admin => None,
        };
        let is_wanted = "AND last.ended_at < $1
             AND ($2 OR shown.visibility = 'public' OR shown.created_by = $3 OR EXISTS (
                 SELECT FROM game_players WHERE game_players.game_id = shown.game_id AND account_id = $3))
             AND ($4 IS NULL OR last.kind = $4)
             AND ($5 IS NULL OR last.tournament_id = $5)
             AND ($6 IS NULL OR last.ended_at >= $6)
             AND ($7 IS NULL OR last.ended_at < $7)
             AND ($8 IS NULL OR (last.ended_at >= $8
                 AND (last.ended_at, last.game_id, shown.ended_at, shown.game_id) > ($8, $9, $10, $11)))
             ORDER BY last.ended_at, last.game_id, shown.ended_at, shown.game_id LIMIT $12";
        Ok(diesel::sql_query(format!("{SHOWN} {is_wanted}"))
            .bind::<Timestamptz, _>(settled.to_diesel())
            .bind::<Bool, _>(matches!(wanted.viewer, Viewer::Admin))
            .bind::<Nullable<SqlUuid>, _>(viewer)
            .bind::<Nullable<Text>, _>(&wanted.kind)
            .bind::<Nullable<SqlUuid>, _>(wanted.tournament)
            .bind::<Nullable<Timestamptz>, _>(wanted.from.map(ToDiesel::to_diesel))
            .bind::<Nullable<Timestamptz>, _>(wanted.before.map(ToDiesel::to_diesel))
            .bind::<Nullable<Timestamptz>, _>(after.map(|after| after.shown_at.to_diesel()))
            .bind::<Nullable<SqlUuid>, _>(after.map(|after| after.shown_with))
            .bind::<Nullable<Timestamptz>, _>(after.map(|after| after.ended_at.to_diesel()))
            .bind::<Nullable<SqlUuid>, _>(after.map(|after| after.game_id))
            .bind::<BigInt, _>(limit)
            .load(&mut self.connection().await?)
            .await?)
    }
}
