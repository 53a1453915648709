//! How many games of each kind and status there are, for operators.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel_async::RunQueryDsl;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::status::Status;

/// The number of a kind's games that have a status.
#[derive(Debug, QueryableByName)]
pub struct Counted {
    #[diesel(sql_type = Text)]
    pub kind: String,
    #[diesel(sql_type = Text)]
    pub status: Status,
    #[diesel(sql_type = BigInt)]
    pub games: i64,
}

impl Database {
    /// The games that are not over. A game counts as active while its end must stay secret, because the same cards are
    /// dealt at tables that are still played.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn count_games(&self) -> Result<Vec<Counted>, StoreError> {
        // Uses indexes that hold only open and active games, so the number of games that are over does not matter.
        let counted = diesel::sql_query(
            "SELECT kind, status, count(*) AS games FROM (
                 SELECT kind, status FROM games WHERE status IN ('open', 'active')
                 UNION ALL
                 SELECT kind, 'active' FROM games WHERE status IN ('finished', 'aborted') AND shuffle_id IN (
                     SELECT shuffle_id FROM games WHERE status = 'active' AND shuffle_id IS NOT NULL)
             ) AS running GROUP BY kind, status",
        );
        Ok(counted.load(&mut self.connection().await?).await?)
    }
}
