//! The connections, and the migrations that run before the first of them is used.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use diesel::ConnectionError;
use diesel::connection::SimpleConnection;
use diesel::migration::MigrationSource;
use diesel::pg::Pg;
use diesel_async::SimpleAsyncConnection;
use diesel_async::async_connection_wrapper::AsyncConnectionWrapper;
use diesel_async::pooled_connection::deadpool::{self, Pool};
use diesel_async::pooled_connection::{AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use futures_util::{FutureExt, TryFutureExt};
use tokio::time::timeout;

use crate::archive_files::ArchiveFiles;
use crate::metrics::{self, Metrics};
use crate::store::connect::Connector;
use crate::store::error::StoreError;
use crate::store::session::{Session, Timed};
use crate::store::shard_map::{Server, Shards};
use crate::store::wrapping::MasterKeys;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!();

/// The advisory lock that one replica holds while it migrates.
const MIGRATION_LOCK: i64 = 0x0063_6172_6472_6f6f;

/// How long a migration waits for a table. Everybody else who wants the table waits behind it, so this is short; it is
/// also shorter than PostgreSQL's `deadlock_timeout`, so that it is the migration that gives way.
const TABLE: Duration = Duration::from_millis(500);
/// How often a migration is tried where somebody keeps it from a table, and how long it lets the others work in between.
const TRIES: u32 = 60;
const BETWEEN_TRIES: Duration = Duration::from_secs(1);

/// How long a statement may take, where no other limit is given.
pub const STATEMENT: Duration = Duration::from_secs(4);
/// How long a caller waits for a place in the pool, and for a new connection if it needs one.
const PLACE: Duration = Duration::from_secs(5);

/// The pool that everything but the appends goes through.
#[derive(Clone)]
pub struct Database {
    pool: Pool<Session>,
    connector: Connector,
    pub(super) master_keys: Arc<MasterKeys>,
    /// Which server has which games, if the database is distributed.
    shards: Arc<RwLock<Option<Arc<Shards>>>>,
    /// Where the logs lie that were archived.
    pub(crate) archive: Option<Arc<ArchiveFiles>>,
    /// The counters, shared by everything that uses this database.
    pub metrics: Arc<Metrics>,
}

/// A connection on loan from the pool, whose statements are limited in time.
pub type Connection = Timed<deadpool::Object<Session>>;

impl Database {
    /// Uses at most `connections` at a time, and opens the first when it is needed.
    ///
    /// # Errors
    /// [`StoreError::Url`] where the URL cannot be used.
    pub fn new(url: &str, connections: usize) -> Result<Database, StoreError> {
        Database::with_limit(url, connections, STATEMENT)
    }

    /// The same; `limit` is how long a statement may take.
    ///
    /// # Errors
    /// [`StoreError::Url`] where the URL cannot be used.
    pub fn with_limit(url: &str, connections: usize, limit: Duration) -> Result<Database, StoreError> {
        let connector = Connector::new(url, limit)?;
        let mut config = ManagerConfig::default();
        // A session knows when its connection has ended, so a connection is not probed before it is lent.
        config.recycling_method = RecyclingMethod::Fast;
        let connect = connector.clone();
        config.custom_setup = Box::new(move |_| {
            let connector = connect.clone();
            let connect = async move { connector.session().await };
            connect.map_err(|error| ConnectionError::BadConnection(error.to_string())).boxed()
        });
        let manager = AsyncDieselConnectionManager::new_with_config(url, config);
        let pool = Pool::builder(manager)
            .max_size(connections)
            .build()
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        let metrics = Metrics::new();
        let (master_keys, shards) = (Arc::default(), Arc::default());
        Ok(Database { pool, connector, master_keys, shards, archive: None, metrics })
    }

    /// The same database, with the keys that wrap its secrets.
    #[must_use]
    pub fn with_master_keys(self, keys: MasterKeys) -> Database {
        Database { master_keys: Arc::new(keys), ..self }
    }

    /// The same database, and where its archives lie.
    #[must_use]
    pub fn with_archive(self, files: Option<ArchiveFiles>) -> Database {
        Database { archive: files.map(Arc::new), ..self }
    }

    /// Which server has which games, as last read; `None` if the database is not distributed.
    pub fn shards(&self) -> Option<Arc<Shards>> {
        self.shards.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_shards(&self, read: Option<Shards>) {
        let mut shards = self.shards.write().unwrap_or_else(PoisonError::into_inner);
        if shards.as_deref() != read.as_ref() {
            *shards = read.map(Arc::new);
        }
    }

    /// The same database by another of its servers, for sessions outside the pool.
    ///
    /// # Errors
    /// [`StoreError::Url`] where the server's name cannot be used.
    pub(super) fn at(&self, server: &Server) -> Result<Database, StoreError> {
        Ok(Database { connector: self.connector.at(&server.host, server.port)?, ..self.clone() })
    }

    /// A connection, as soon as one is free.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the database does not answer.
    pub async fn connection(&self) -> Result<Connection, StoreError> {
        match timeout(PLACE, self.pool.get()).await {
            Ok(connection) => {
                Ok(Timed(connection.map_err(|error| StoreError::Unavailable(error.to_string()))?))
            }
            Err(_) => Err(StoreError::Unavailable(format!("no connection was free within {PLACE:?}"))),
        }
    }

    /// A session for the caller alone, outside the pool.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the database does not answer.
    pub async fn own_session(&self) -> Result<Session, StoreError> {
        self.connector.session().await
    }

    /// The same without time limits, for work that is known to take long.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the database does not answer.
    pub async fn patient_session(&self) -> Result<Session, StoreError> {
        self.connector.patient_session().await
    }

    /// The state of the pool now.
    pub fn pool(&self) -> metrics::Pool {
        let status = self.pool.status();
        let in_use = status.size.saturating_sub(status.available);
        metrics::Pool { idle: status.available, in_use, waiting: status.waiting }
    }

    /// Brings the tables up to date, while other replicas may use them, and learns on which servers they are. Replicas
    /// that start together take turns.
    ///
    /// # Errors
    /// [`StoreError::Newer`] where a newer release was here. [`StoreError`] where a migration fails; it leaves nothing
    /// half done.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        let unknown = self.with_migrations(|harness| {
            let unknown = unknown_migrations(harness)?;
            if unknown.is_empty() {
                run_pending(harness)?;
            }
            Ok(unknown)
        });
        let unknown = unknown.await?;
        if !unknown.is_empty() {
            return Err(StoreError::Newer(unknown.join(", ")));
        }
        self.read_shards().await
    }

    /// Whether the tables are as this program knows them. This changes nothing.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn is_migrated(&self) -> Result<bool, StoreError> {
        self.with_migrations(|harness| {
            Ok(!harness.has_pending_migration(MIGRATIONS)? && unknown_migrations(harness)?.is_empty())
        })
        .await
    }

    /// Reverts every migration, and with them deletes all data.
    ///
    /// # Errors
    /// [`StoreError`] where a migration fails.
    pub async fn revert(&self) -> Result<(), StoreError> {
        self.with_migrations(|harness| harness.revert_all_migrations(MIGRATIONS).map(drop)).await
    }

    /// The migration harness blocks, so it runs off the async threads.
    async fn with_migrations<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut AsyncConnectionWrapper<Session>) -> diesel::migration::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let mut connection = self.patient_session().await?;
        connection.batch_execute(&format!("SELECT pg_advisory_lock({MIGRATION_LOCK})")).await?;
        // The lock is released when the connection closes.
        tokio::task::spawn_blocking(move || work(&mut connection.into()))
            .await
            .map_err(|error| StoreError::Broken(error.to_string()))?
            .map_err(|error| StoreError::Broken(format!("migration: {error}")))
    }
}

/// The migrations that a newer release has run.
fn unknown_migrations(
    harness: &mut AsyncConnectionWrapper<Session>,
) -> diesel::migration::Result<Vec<String>> {
    let known = MigrationSource::<Pg>::migrations(&MIGRATIONS)?;
    let mut applied = harness.applied_migrations()?;
    applied.retain(|applied| known.iter().all(|known| known.name().version() != *applied));
    Ok(applied.iter().map(ToString::to_string).collect())
}

/// Runs what is pending; each migration is a transaction of its own.
fn run_pending(harness: &mut AsyncConnectionWrapper<Session>) -> diesel::migration::Result<()> {
    SimpleConnection::batch_execute(harness, &format!("SET lock_timeout TO {}", TABLE.as_millis()))?;
    for _ in 1..TRIES {
        match harness.run_pending_migrations(MIGRATIONS) {
            Err(error) if error.to_string().contains("due to lock timeout") => {
                tracing::warn!(%error, "somebody uses a table that is to be changed: this is tried again");
                std::thread::sleep(BETWEEN_TRIES);
            }
            done => return done.map(drop),
        }
    }
    harness.run_pending_migrations(MIGRATIONS).map(drop)
}
