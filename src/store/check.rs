//! The rows that follow from logs, read in pages to be compared with the logs.

use diesel::dsl::{exists, sql};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Uuid as SqlUuid};
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::hand_results::HandRow;
use crate::store::prepared::Prepare;
use crate::store::ratings::{LOCK, RatingRow};
use crate::store::schema::{
    accounts, deadlines, game_players, games, rating_history, snapshots, tournament_hands, tournaments,
};
use crate::store::session::Session;
use crate::store::snapshots::StoredSnapshot;
use crate::store::status::Status;

/// A game's row, and whether it is among those for the ratings.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = games)]
pub struct GameRow {
    pub game_id: Uuid,
    pub kind: String,
    pub rules_version: i16,
    pub options: String,
    pub seats: i16,
    pub visibility: String,
    pub created_by: Uuid,
    pub created_at: jiff_diesel::Timestamp,
    pub turn_seconds: Option<i32>,
    pub bank_seconds: Option<i32>,
    pub is_rated: bool,
    pub tournament_id: Option<Uuid>,
    pub shuffle_id: Option<Uuid>,
    pub status: Status,
    pub ended_at: Option<jiff_diesel::Timestamp>,
    pub bots: i16,
    pub version: i32,
    pub is_paused: bool,
    /// Whether it was counted for the ratings, or waits for it.
    #[diesel(select_expression = is_counted())]
    #[diesel(select_expression_type = Sql)]
    pub is_counted: bool,
}

type Sql = diesel::expression::SqlLiteral<Bool>;

fn is_counted() -> Sql {
    sql("(EXISTS (SELECT FROM rated_games WHERE rated_games.game_id = games.game_id)
          OR EXISTS (SELECT FROM unrated_games WHERE unrated_games.game_id = games.game_id))")
}

/// A player's row at a game.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Queryable, Selectable)]
#[diesel(table_name = game_players)]
pub struct PlayerRow {
    pub account_id: Uuid,
    pub seat: Option<i16>,
    pub place: Option<i16>,
    pub score: Option<i64>,
}

/// A tournament's row.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = tournaments)]
pub struct TournamentRow {
    pub tournament_id: Uuid,
    pub name: String,
    pub kind: String,
    pub status: Status,
    pub entrants: i32,
    pub round: i16,
    pub created_by: Uuid,
    pub created_at: jiff_diesel::Timestamp,
    pub is_paused: bool,
    pub is_unsettled: bool,
}

/// A player's rating after a game that counted.
#[derive(Debug, Clone, PartialEq, Queryable, Selectable)]
#[diesel(table_name = rating_history)]
pub struct PointRow {
    pub account_id: Uuid,
    pub game_id: Uuid,
    pub rating: f64,
}

/// Keeps all replicas from counting games for the ratings, until it is dropped.
pub struct RatingsHeld(#[expect(dead_code, reason = "the lock goes with the connection")] Session);

impl Database {
    /// The ids of games after `after`, in order, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn game_ids(&self, after: Uuid, limit: i64) -> Result<Vec<Uuid>, StoreError> {
        Ok(games::table
            .filter(games::game_id.gt(after))
            .order(games::game_id)
            .select(games::game_id)
            .limit(limit)
            .load(&mut self.connection().await?)
            .await?)
    }

    /// A game's row, and those of its players by their accounts; none where there is no such game.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn game_rows(&self, id: Uuid) -> Result<Option<(GameRow, Vec<PlayerRow>)>, StoreError> {
        let mut connection = self.connection().await?;
        let row = games::table.find(id).select(GameRow::as_select()).first(&mut *connection).await;
        let Some(row) = row.optional()? else { return Ok(None) };
        let players = game_players::table
            .filter(game_players::game_id.eq(id))
            .order(game_players::account_id)
            .select(PlayerRow::as_select())
            .load(&mut *connection)
            .await?;
        Ok(Some((row, players)))
    }

    /// Whether a game has a deadline.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn has_deadline(&self, game: Uuid) -> Result<bool, StoreError> {
        let found = diesel::dsl::exists(deadlines::table.find(game));
        Ok(diesel::select(found).get_result(&mut self.connection().await?).await?)
    }

    /// The results of a game's hands, in order.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn hand_rows(&self, game: Uuid) -> Result<Vec<HandRow>, StoreError> {
        Ok(tournament_hands::table
            .filter(tournament_hands::game_id.eq(game))
            .order(tournament_hands::seq)
            .select(HandRow::as_select())
            .load(&mut self.connection().await?)
            .await?)
    }

    /// A game's snapshot, if `build` made it.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn snapshot_of(&self, game: Uuid, build: &str) -> Result<Option<StoredSnapshot>, StoreError> {
        let found: Option<(i32, Vec<u8>)> = snapshots::table
            .filter(snapshots::game_id.eq(game).and(snapshots::build.eq(build)))
            .select((snapshots::seq, snapshots::state))
            .first(&mut self.connection().await?)
            .await
            .optional()?;
        Ok(found.map(|(seq, state)| StoredSnapshot { seq, state }))
    }

    /// Games that have entries and no row.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn games_without_row(&self) -> Result<Vec<Uuid>, StoreError> {
        #[derive(QueryableByName)]
        struct Found {
            #[diesel(sql_type = SqlUuid)]
            game_id: Uuid,
        }
        let found: Vec<Found> = diesel::sql_query(
            "(SELECT DISTINCT game_id FROM entries) EXCEPT (SELECT game_id FROM games) LIMIT 1000",
        )
        .load(&mut *self.patient_session().await?)
        .await?;
        let mut found: Vec<Uuid> = found.into_iter().map(|found| found.game_id).collect();
        // A game may have been created meanwhile: servers do not tell their rows of the same moment.
        let known: Vec<Uuid> = games::table
            .filter(games::game_id.eq_any(&found))
            .select(games::game_id)
            .load(&mut self.connection().await?)
            .await?;
        found.retain(|id| !known.contains(id));
        Ok(found)
    }

    /// Rows of tournaments after `after`, by their ids, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn tournament_rows(&self, after: Uuid, limit: i64) -> Result<Vec<TournamentRow>, StoreError> {
        Ok(tournaments::table
            .filter(tournaments::tournament_id.gt(after))
            .order(tournaments::tournament_id)
            .select(TournamentRow::as_select())
            .limit(limit)
            .load(&mut self.connection().await?)
            .await?)
    }

    /// The row of a tournament; none where there is no such tournament.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn tournament_row(&self, id: Uuid) -> Result<Option<TournamentRow>, StoreError> {
        let found = tournaments::table.find(id).select(TournamentRow::as_select());
        Ok(found.first(&mut self.connection().await?).await.optional()?)
    }

    /// The games whose rows say that they are a tournament's, by their ids.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn games_of_tournament(&self, id: Uuid) -> Result<Vec<Uuid>, StoreError> {
        Ok(games::table
            .filter(games::tournament_id.eq(id))
            .order(games::game_id)
            .select(games::game_id)
            .load(&mut self.connection().await?)
            .await?)
    }

    /// How many games and tournaments there are.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn logs(&self) -> Result<(i64, i64), StoreError> {
        let mut session = self.patient_session().await?;
        let games = games::table.count().get_result(&mut *session).await?;
        let tournaments = tournaments::table.count().get_result(&mut *session).await?;
        Ok((games, tournaments))
    }

    /// Waits until no replica counts games for the ratings, and keeps all from it.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn hold_ratings(&self) -> Result<RatingsHeld, StoreError> {
        let mut session = self.patient_session().await?;
        session.batch_execute(&format!("SELECT pg_advisory_lock({LOCK})")).await?;
        Ok(RatingsHeld(session))
    }

    /// The ratings of these accounts in this kind after the game with this number.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn points_of_game(
        &self,
        n: i64,
        kind: &str,
        accounts: &[Uuid],
    ) -> Result<Vec<PointRow>, StoreError> {
        Ok(rating_history::table
            .filter(rating_history::account_id.eq_any(accounts).and(rating_history::kind.eq(kind)))
            .filter(rating_history::n.eq(n))
            .select(PointRow::as_select())
            .prepared()
            .load(&mut self.connection().await?)
            .await?)
    }

    /// Ratings after an account, a kind and a period, in this order, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn rating_rows(
        &self,
        after: (Uuid, &str, &str),
        limit: i64,
    ) -> Result<Vec<RatingRow>, StoreError> {
        Ok(diesel::sql_query(
            "SELECT * FROM ratings WHERE (account_id, kind, period) > ($1, $2, $3)
             ORDER BY account_id, kind, period LIMIT $4",
        )
        .bind::<SqlUuid, _>(after.0)
        .bind::<diesel::sql_types::Text, _>(after.1)
        .bind::<diesel::sql_types::Text, _>(after.2)
        .bind::<BigInt, _>(limit)
        .load(&mut self.connection().await?)
        .await?)
    }

    /// Whether an account is deleted.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn is_deleted(&self, account: Uuid) -> Result<bool, StoreError> {
        let deleted =
            accounts::table.filter(accounts::id.eq(account).and(accounts::deleted_at.is_not_null()));
        Ok(diesel::select(exists(deleted)).get_result(&mut self.connection().await?).await?)
    }
}
