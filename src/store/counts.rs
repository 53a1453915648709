//! How many games there are of which kind, for whoever runs the service.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel_async::RunQueryDsl;

use crate::store::database::Database;
use crate::store::error::StoreError;

/// So many games of a kind have a status.
#[derive(Debug, QueryableByName)]
pub struct Counted {
    #[diesel(sql_type = Text)]
    pub kind: String,
    #[diesel(sql_type = Text)]
    pub status: String,
    #[diesel(sql_type = BigInt)]
    pub games: i64,
}

impl Database {
    /// The games that are not over. One counts as active whose end nobody may be told yet, because the same is dealt
    /// at tables that are played.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn count_games(&self) -> Result<Vec<Counted>, StoreError> {
        // By indexes that hold what is open and active: however many are over, they are not looked at.
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
