//! The connections, and the migrations that run before the first of them is used.

use diesel::ConnectionError;
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use diesel_async::async_connection_wrapper::AsyncConnectionWrapper;
use diesel_async::pooled_connection::deadpool::{self, Pool};
use diesel_async::pooled_connection::{AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

const MIGRATIONS: EmbeddedMigrations = embed_migrations!();

/// The advisory lock that one replica holds while it migrates.
const MIGRATION_LOCK: i64 = 0x0063_6172_6472_6f6f;

/// The pool that everything but the appends goes through.
#[derive(Clone)]
pub struct Database {
    pool: Pool<AsyncPgConnection>,
    url: String,
}

/// A connection on loan from the pool.
pub type Connection = deadpool::Object<AsyncPgConnection>;

impl Database {
    /// Takes at most `connections` at a time; opens the first when it is needed.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the pool cannot be built.
    pub fn new(url: &str, connections: usize) -> Result<Database, StoreError> {
        let mut config = ManagerConfig::default();
        // A connection that has ended is known to have, so none is asked whether it is alive before it is lent.
        config.recycling_method = RecyclingMethod::Fast;
        let manager = AsyncDieselConnectionManager::new_with_config(url, config);
        let pool = Pool::builder(manager)
            .max_size(connections)
            .build()
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Database { pool, url: url.to_owned() })
    }

    /// A connection, as soon as one is free.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the database does not answer.
    pub async fn connection(&self) -> Result<Connection, StoreError> {
        self.pool.get().await.map_err(|error| StoreError::Unavailable(error.to_string()))
    }

    /// A connection of one's own, outside the pool.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the database does not answer.
    pub async fn own_connection(&self) -> Result<AsyncPgConnection, StoreError> {
        Ok(AsyncPgConnection::establish(&self.url).await?)
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// [`StoreError`] where it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        diesel::select(diesel::dsl::sql::<diesel::sql_types::Integer>("1"))
            .execute(&mut self.connection().await?)
            .await?;
        Ok(())
    }

    /// Brings the tables up to date. Replicas that start together take turns.
    ///
    /// # Errors
    /// [`StoreError`] where a migration fails; it leaves nothing half done.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        self.with_migrations(|harness| harness.run_pending_migrations(MIGRATIONS).map(drop)).await
    }

    /// Whether the tables are as this program knows them. Nothing is changed.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn is_migrated(&self) -> Result<bool, StoreError> {
        let (told, heard) = std::sync::mpsc::channel();
        self.with_migrations(move |harness| {
            let is_migrated = !harness.has_pending_migration(MIGRATIONS)?;
            Ok(told.send(is_migrated)?)
        })
        .await?;
        heard.recv().map_err(|error| StoreError::Broken(error.to_string()))
    }

    /// Takes every migration back, and with them all data.
    ///
    /// # Errors
    /// [`StoreError`] where a migration fails.
    pub async fn revert(&self) -> Result<(), StoreError> {
        self.with_migrations(|harness| harness.revert_all_migrations(MIGRATIONS).map(drop)).await
    }

    /// The harness blocks, so it runs off the async threads.
    async fn with_migrations(
        &self,
        work: impl FnOnce(&mut AsyncConnectionWrapper<AsyncPgConnection>) -> diesel::migration::Result<()>
        + Send
        + 'static,
    ) -> Result<(), StoreError> {
        let mut connection = self.own_connection().await?;
        connection.batch_execute(&format!("SELECT pg_advisory_lock({MIGRATION_LOCK})")).await?;
        // The lock goes with the connection.
        tokio::task::spawn_blocking(move || work(&mut connection.into()))
            .await
            .map_err(|error| StoreError::Broken(error.to_string()))?
            .map_err(|error| StoreError::Broken(format!("migration: {error}")))
    }
}

/// Why the database did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It is away, or too busy to take more. Trying again later may help.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// As many of these wait as may. This one has not been tried.
    #[error("too many {0} are waiting")]
    Busy(&'static str),
    /// A constraint of this name refused a row.
    #[error("refused by the constraint {0}")]
    Constraint(String),
    /// It answered with something that cannot be: a defect of ours.
    #[error("the database answered: {0}")]
    Broken(String),
}

impl From<DieselError> for StoreError {
    fn from(error: DieselError) -> StoreError {
        match error {
            DieselError::DatabaseError(DatabaseErrorKind::ClosedConnection, info) => {
                StoreError::Unavailable(info.message().to_owned())
            }
            DieselError::DatabaseError(kind, info) => match info.constraint_name() {
                Some(constraint) => StoreError::Constraint(constraint.to_owned()),
                None if is_passing(info.message()) => StoreError::Unavailable(info.message().to_owned()),
                None => StoreError::Broken(format!("{kind:?}: {}", info.message())),
            },
            other => StoreError::Broken(other.to_string()),
        }
    }
}

impl From<ConnectionError> for StoreError {
    fn from(error: ConnectionError) -> StoreError {
        StoreError::Unavailable(error.to_string())
    }
}

/// What a server says that is starting, stopping or gone: the driver gives no kind for it.
fn is_passing(message: &str) -> bool {
    ["connection closed", "terminating connection", "shutting down", "starting up", "recovery mode"]
        .iter()
        .any(|sign| message.contains(sign))
        || message.contains("communicating with the server")
}
