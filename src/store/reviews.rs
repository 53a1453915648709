//! Reviews of games that are over, as they were computed.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};
use diesel::upsert::excluded;
use diesel_async::RunQueryDsl;
use jiff::Timestamp;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::schema::reviews;

/// A review that was computed.
#[derive(Debug, Clone, Insertable)]
#[diesel(table_name = reviews)]
pub struct NewReview {
    pub game_id: Uuid,
    /// What was reviewed.
    pub subject: String,
    /// A word for the sources of the program that computed it.
    pub method: &'static str,
    /// JSON.
    pub review: String,
    pub computed_at: jiff_diesel::Timestamp,
}

impl Database {
    /// The review of this subject by this method, as JSON; none where none is kept.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn review(
        &self,
        game: Uuid,
        subject: &str,
        method: &str,
    ) -> Result<Option<String>, StoreError> {
        let kept = reviews::table.find((game, subject)).filter(reviews::method.eq(method));
        let review = kept.select(reviews::review).first(&mut self.connection().await?).await;
        Ok(review.optional()?)
    }

    /// Keeps a review, in place of any other of the same subject.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn keep_review(&self, new: NewReview) -> Result<(), StoreError> {
        diesel::insert_into(reviews::table)
            .values(new)
            .on_conflict((reviews::game_id, reviews::subject))
            .do_update()
            .set((
                reviews::method.eq(excluded(reviews::method)),
                reviews::review.eq(excluded(reviews::review)),
                reviews::computed_at.eq(excluded(reviews::computed_at)),
            ))
            .prepared()
            .execute(&mut self.connection().await?)
            .await?;
        Ok(())
    }

    /// The reviews of this subject that are kept of these games.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn reviews(
        &self,
        games: &[Uuid],
        subject: &str,
        method: &str,
    ) -> Result<Vec<(Uuid, String)>, StoreError> {
        let kept = reviews::table
            .filter(reviews::game_id.eq_any(games).and(reviews::subject.eq(subject)))
            .filter(reviews::method.eq(method));
        Ok(kept.select((reviews::game_id, reviews::review)).load(&mut self.connection().await?).await?)
    }

    /// Deletes the reviews that were computed before `oldest`, and of the others the oldest, until about `rows` are left and
    /// they take about `bytes`. Returns how many were deleted.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn delete_old_reviews(
        &self,
        oldest: Timestamp,
        rows: i64,
        bytes: i64,
    ) -> Result<usize, StoreError> {
        let deleted = diesel::sql_query(
            "DELETE FROM reviews USING (
                 SELECT game_id, subject, computed_at < $1 AS is_old,
                     row_number() OVER newest AS row, sum(pg_column_size(review)) OVER newest AS bytes
                 FROM reviews WINDOW newest AS (ORDER BY computed_at DESC, game_id, subject)) AS kept
             WHERE reviews.game_id = kept.game_id AND reviews.subject = kept.subject
             AND (is_old OR row > $2 OR bytes > $3)",
        )
        .bind::<Timestamptz, _>(oldest.to_diesel())
        .bind::<BigInt, _>(rows)
        .bind::<BigInt, _>(bytes)
        .execute(&mut self.connection().await?)
        .await?;
        Ok(deleted)
    }
}
