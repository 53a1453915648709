//! Whether the database takes writes. One check serves all callers.

use std::time::Duration;

use diesel_async::{AsyncConnection, RunQueryDsl, SimpleAsyncConnection};
use moka::future::Cache;
use tokio::time::timeout;

use crate::store::database::Database;
use crate::store::error::StoreError;

/// A database that takes longer to answer counts as away.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long an answer holds, so that many checks do not cause many commits.
const HOLDS: Duration = Duration::from_secs(1);

/// Takes half a megabyte of disk and gives it back. The row alone would fit into an existing block and into a log file
/// that PostgreSQL reuses, so a full disk would not show.
const TAKE_ROOM: &str = "SET LOCAL work_mem TO '64kB'; SET LOCAL temp_tablespaces TO '';
    SELECT count(*) FROM generate_series(1, 20000)";
const WRITE: &str = "INSERT INTO readiness (checked_at) VALUES (now())
    ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at";

/// Knows whether the database takes writes.
#[derive(Clone)]
pub struct Readiness {
    database: Database,
    answers: Cache<(), Result<(), String>>,
}

impl Readiness {
    pub fn new(database: Database) -> Readiness {
        Readiness { database, answers: Cache::builder().max_capacity(1).time_to_live(HOLDS).build() }
    }

    /// Writes to the database, unless another caller has just done so. Answers within 2 s in any case.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where nothing can be written: the database is away or read-only, or its disk is
    /// full.
    pub async fn check(&self) -> Result<(), StoreError> {
        let answer = async {
            match timeout(PATIENCE, self.write()).await {
                Ok(written) => written.map_err(|error| error.to_string()),
                Err(_) => Err(format!("no answer within {PATIENCE:?}")),
            }
        };
        self.answers.get_with((), answer).await.map_err(StoreError::Unavailable)
    }

    async fn write(&self) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction(async |connection| {
                connection.batch_execute(TAKE_ROOM).await?;
                diesel::sql_query(WRITE).execute(connection).await?;
                Ok(())
            })
            .await
    }
}
