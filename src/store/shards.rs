//! A database that Citus has distributed: how it gets there, and where its shards are.
//!
//! Every server of a Citus cluster takes statements for all of them, but a statement that changes rows of several servers
//! needs a commit with two phases. So appends are gathered by server and sent to it directly: it has all the rows, and its
//! commit is a plain one.

use std::collections::HashSet;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Text, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use uuid::Uuid;

use crate::store::append::{self, Append};
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::shard_appends;
use crate::store::shard_hash::hash;
use crate::store::shard_map::{Server, Shards};

/// The tables that are distributed by `game_id`: what a move writes, and what a game is opened from.
pub const TABLES: [&str; 3] = ["entries", "deadlines", "snapshots"];
/// A database counts as distributed if these tables are. Release 0.2.0 distributes no others.
const LOGS: [&str; 2] = ["entries", "deadlines"];

/// Why tables were not distributed.
#[derive(Debug, thiserror::Error)]
pub enum DistributeError {
    #[error(
        "this database has no Citus: run CREATE EXTENSION citus in it, on every server, and add the servers"
    )]
    NoCitus,
    #[error("no server takes shards: add one with citus_add_node")]
    NoServers,
    /// It is sent prepared statements, of which Citus keeps one more plan for each execution on a shard of its own.
    #[error("the coordinator takes shards itself: run SELECT citus_set_coordinator_host('ITS NAME') there")]
    ShardsOnCoordinator,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Database {
    /// Learns where the shards are, if the database is distributed.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn read_shards(&self) -> Result<(), StoreError> {
        let connection = &mut self.connection().await?;
        let read = match is_distributed(connection, &LOGS).await? {
            true => Some(read(connection).await?),
            false => None,
        };
        self.set_shards(read);
        Ok(())
    }

    /// Appends inside a transaction that may change the coordinator's own rows, too, and returns the games whose entries
    /// were inserted.
    pub(super) async fn insert(
        &self,
        connection: &mut AsyncPgConnection,
        appends: Vec<Append>,
    ) -> Result<HashSet<Uuid>, StoreError> {
        match self.shards() {
            None => append::insert(connection, appends).await,
            Some(_) => {
                commit_in_two_phases(connection).await?;
                shard_appends::insert(connection, &appends.iter().collect::<Vec<_>>()).await
            }
        }
    }

    /// Distributes the logs, and what belongs to each of them, over the servers of a Citus cluster, into so many shards.
    /// What the tables contain moves there while the service goes on. Tables that are distributed already stay as they are.
    ///
    /// # Errors
    /// [`DistributeError`].
    pub async fn distribute(&self, shards: u16) -> Result<Shards, DistributeError> {
        let mut session = self.patient_session().await?;
        if !has_citus(&mut session).await? {
            return Err(DistributeError::NoCitus);
        }
        let servers = servers(&mut session).await?;
        if servers.is_empty() {
            return Err(DistributeError::NoServers);
        }
        if coordinator_takes_shards(&mut session).await? {
            return Err(DistributeError::ShardsOnCoordinator);
        }
        for server in servers {
            self.at(&server)?.own_session().await?;
        }
        session.batch_execute(MARK).await.map_err(StoreError::from)?;
        for table in TABLES {
            if is_distributed(&mut session, &[table]).await? {
                continue;
            }
            // Of each game, the other tables lie where the first does.
            let how = match table == TABLES[0] {
                true => format!("shard_count => {shards}"),
                false => format!("colocate_with => '{}'", TABLES[0]),
            };
            // An online move needs some processes and slots for replication, which nobody needs for an empty table.
            let online = if is_empty(&mut session, table).await? { "" } else { "_concurrently" };
            let sql = format!("SELECT create_distributed_table{online}('{table}', 'game_id', {how})");
            session.batch_execute(&sql).await.map_err(StoreError::from)?;
        }
        Ok(read(&mut session).await?)
    }
}

/// The coordinator's own table that Citus knows.
const MARK: &str = "CREATE TABLE IF NOT EXISTS two_phase_commits (n bigint);
    SELECT citus_add_local_table_to_metadata('two_phase_commits')
    WHERE NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'two_phase_commits'::regclass)";

/// Makes the transaction commit in two phases. Citus knows nothing of most of the coordinator's tables, so it would commit
/// what a transaction has changed at one server before it commits the rest, and a crash between would tear them apart. A
/// change of a table that it knows there, though it changes no row, shows it that two servers are concerned.
async fn commit_in_two_phases(connection: &mut AsyncPgConnection) -> Result<(), StoreError> {
    diesel::sql_query("DELETE FROM two_phase_commits").prepared().execute(connection).await?;
    Ok(())
}

/// The same for a transaction that does not know whether the database is distributed.
pub(super) async fn commit_in_two_phases_if_distributed(
    connection: &mut AsyncPgConnection,
) -> Result<(), StoreError> {
    if is_distributed(connection, &LOGS).await? {
        commit_in_two_phases(connection).await?;
    }
    Ok(())
}

/// The servers that take shards.
async fn servers(connection: &mut AsyncPgConnection) -> Result<Vec<Server>, StoreError> {
    let found: Vec<Address> = diesel::sql_query(
        "SELECT nodename AS host, nodeport AS port FROM pg_dist_node
         WHERE noderole = 'primary' AND isactive AND shouldhaveshards",
    )
    .load(connection)
    .await?;
    found.into_iter().map(Server::try_from).collect()
}

async fn coordinator_takes_shards(connection: &mut AsyncPgConnection) -> Result<bool, StoreError> {
    let Count { rows } =
        diesel::sql_query("SELECT count(*) AS rows FROM pg_dist_node WHERE groupid = 0 AND shouldhaveshards")
            .get_result(connection)
            .await?;
    Ok(rows > 0)
}

async fn is_empty(connection: &mut AsyncPgConnection, table: &str) -> Result<bool, StoreError> {
    let sql = format!("SELECT count(*) AS rows FROM (SELECT FROM {table} LIMIT 1) AS one");
    let Count { rows } = diesel::sql_query(sql).get_result(connection).await?;
    Ok(rows == 0)
}

async fn has_citus(connection: &mut AsyncPgConnection) -> Result<bool, StoreError> {
    let has = diesel::dsl::sql::<Bool>("to_regclass('pg_dist_partition') IS NOT NULL");
    Ok(diesel::select(has).get_result(connection).await?)
}

async fn is_distributed(connection: &mut AsyncPgConnection, tables: &[&str]) -> Result<bool, StoreError> {
    if !has_citus(connection).await? {
        return Ok(false);
    }
    let Count { rows } = diesel::sql_query(
        "SELECT count(*) AS rows FROM pg_dist_partition
         WHERE partmethod = 'h' AND logicalrelid = ANY ($1::text[]::regclass[])",
    )
    .bind::<Array<Text>, _>(tables)
    .get_result(connection)
    .await?;
    Ok(rows == tables.len() as i64)
}

async fn read(connection: &mut AsyncPgConnection) -> Result<Shards, StoreError> {
    let found: Vec<Placed> = diesel::sql_query(
        "SELECT shardminvalue::integer AS first, shardmaxvalue::integer AS last, nodename AS host, nodeport AS port,
             pg_dist_shard.shardid = get_shard_id_for_distribution_column('entries', $1) AS has_probe
         FROM pg_dist_shard
         JOIN pg_dist_placement ON pg_dist_placement.shardid = pg_dist_shard.shardid
         JOIN pg_dist_node ON pg_dist_node.groupid = pg_dist_placement.groupid AND noderole = 'primary'
         WHERE logicalrelid = 'entries'::regclass ORDER BY 2",
    )
    .bind::<SqlUuid, _>(PROBE)
    .load(connection)
    .await?;
    let probe = hash(PROBE);
    let mut has_probe = found.iter().filter(|placed| placed.has_probe);
    if !has_probe.next().is_some_and(|placed| (placed.first..=placed.last).contains(&probe)) {
        return Err(StoreError::Broken("another shard for a game than its hash says".to_owned()));
    }
    let end = |placed: Placed| Ok((placed.last, Server::try_from(placed.at)?));
    Ok(Shards::new(found.into_iter().map(end).collect::<Result<_, StoreError>>()?))
}

/// Any game: its shard shows whether Citus hashes as this program does.
const PROBE: Uuid = Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001);

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

#[derive(QueryableByName)]
struct Placed {
    #[diesel(sql_type = Integer)]
    first: i32,
    #[diesel(sql_type = Integer)]
    last: i32,
    #[diesel(embed)]
    at: Address,
    #[diesel(sql_type = Bool)]
    has_probe: bool,
}

#[derive(QueryableByName)]
struct Address {
    #[diesel(sql_type = Text)]
    host: String,
    #[diesel(sql_type = Integer)]
    port: i32,
}

impl TryFrom<Address> for Server {
    type Error = StoreError;

    fn try_from(Address { host, port }: Address) -> Result<Server, StoreError> {
        match u16::try_from(port) {
            Ok(port) => Ok(Server { host, port }),
            Err(_) => Err(StoreError::Broken(format!("a server with the port {port}"))),
        }
    }
}
