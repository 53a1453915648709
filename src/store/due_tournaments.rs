//! Tournaments and games that wait for the scheduler: pages of at most `limit`, with ids greater than `after`, in order.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::schema::{games, tournaments};
use crate::store::status::Status;

impl Database {
    /// Active tournaments without an active game at their tables: they can move on. In a paused one, it may still have to
    /// be noted who did not play the round. An arena is among them once its time is up.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn resting_tournaments(
        &self,
        now: jiff::Timestamp,
        after: Uuid,
        limit: i64,
    ) -> Result<Vec<Uuid>, StoreError> {
        let playing = games::table
            .filter(games::tournament_id.eq(tournaments::tournament_id.nullable()))
            // Written out, not bound: PostgreSQL uses the partial index only if its condition is repeated literally.
            .filter(diesel::dsl::sql::<diesel::sql_types::Bool>("games.status = 'active'"));
        let seats_nobody = tournaments::arena_ends_at
            .is_null()
            .or(tournaments::arena_ends_at.assume_not_null().le(now.to_diesel()));
        Ok(tournaments::table
            .filter(tournaments::status.eq(Status::Active))
            // In an arena whose clocks stand still, nothing is settled.
            .filter(
                diesel::dsl::not(tournaments::is_paused)
                    .or(tournaments::is_unsettled.and(tournaments::arena_ends_at.is_null())),
            )
            .filter(seats_nobody)
            .filter(diesel::dsl::not(diesel::dsl::exists(playing)))
            .filter(tournaments::tournament_id.gt(after))
            .select(tournaments::tournament_id)
            .order(tournaments::tournament_id)
            .limit(limit)
            .prepared()
            .load(&mut self.connection().await?)
            .await?)
    }

    /// Arenas in which two entrants at least are free, or seem to be.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn arenas_with_free_players(
        &self,
        now: jiff::Timestamp,
        after: Uuid,
        limit: i64,
    ) -> Result<Vec<Uuid>, StoreError> {
        // Conditions of partial indexes are written out: PostgreSQL uses them only if they are repeated literally.
        let has_free = diesel::dsl::sql::<diesel::sql_types::Bool>(
            "tournaments.status = 'active' AND tournaments.arena_ends_at IS NOT NULL AND tournaments.present - \
             (SELECT coalesce(sum(games.entrants), 0) FROM games WHERE games.status = 'active' \
              AND games.tournament_id = tournaments.tournament_id AND NOT games.is_void) >= 2",
        );
        Ok(tournaments::table
            .filter(has_free)
            .filter(tournaments::arena_ends_at.assume_not_null().gt(now.to_diesel()))
            .filter(diesel::dsl::not(tournaments::is_paused))
            .filter(tournaments::tournament_id.gt(after))
            .select(tournaments::tournament_id)
            .order(tournaments::tournament_id)
            .limit(limit)
            .prepared()
            .load(&mut self.connection().await?)
            .await?)
    }

    /// Whether a game of the tournament is still active, whether or not it counts.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn has_running_games(&self, tournament: Uuid) -> Result<bool, StoreError> {
        // Written out, not bound: PostgreSQL uses the partial index only if its condition is repeated literally.
        let is_active = diesel::dsl::sql::<diesel::sql_types::Bool>("games.status = 'active'");
        let running = games::table.filter(games::tournament_id.eq(tournament)).filter(is_active);
        Ok(diesel::select(diesel::dsl::exists(running))
            .prepared()
            .get_result(&mut self.connection().await?)
            .await?)
    }

    /// Games that are still active though they count no more, each with its tournament: the tournament was aborted, or an
    /// organiser has had the table played once more or has set its result.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn stranded_games(&self, after: Uuid, limit: i64) -> Result<Vec<(Uuid, Uuid)>, StoreError> {
        Ok(games::table
            .inner_join(tournaments::table.on(games::tournament_id.eq(tournaments::tournament_id.nullable())))
            // Written out, not bound: PostgreSQL uses the partial index only if its condition is repeated literally.
            .filter(diesel::dsl::sql::<diesel::sql_types::Bool>("games.status = 'active'"))
            .filter(tournaments::status.eq(Status::Aborted).or(games::is_void))
            .filter(games::game_id.gt(after))
            .select((games::game_id, tournaments::tournament_id))
            .order(games::game_id)
            .limit(limit)
            .prepared()
            .load(&mut self.connection().await?)
            .await?)
    }
}
