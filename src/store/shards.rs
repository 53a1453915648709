//! A database that Citus has distributed: which server has the entries of which game, and how they are appended there.
//!
//! Every server of a Citus cluster takes statements for all of them, but a statement that changes rows of several servers
//! needs a commit with two phases. So appends are gathered by server and sent to it directly: it has all the rows, and its
//! commit is a plain one.

use std::collections::HashSet;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Bool, Bytea, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::append::{self, Append, AppendOutcome, Claim, NewEntry, Races};
use crate::store::batcher::Batched;
use crate::store::database::Database;
use crate::store::deadlines::Due;
use crate::store::error::StoreError;
use crate::store::shard_hash::hash;

/// The tables that are distributed by `game_id`: what a move writes.
pub const TABLES: [&str; 2] = ["entries", "deadlines"];

/// The most rows of one statement. Each number of rows is a statement of its own, which stays prepared.
const MOST_ROWS: usize = 64;

/// A server of the cluster, under the name by which the others know it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Server {
    pub host: String,
    pub port: u16,
}

/// Which server has which games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shards {
    /// The last hash of each shard, in order, and the shard's server.
    ends: Vec<(i32, Server)>,
}

impl Shards {
    /// The server that has a game's entries.
    pub fn server_of(&self, game_id: Uuid) -> Option<&Server> {
        let hash = hash(game_id);
        let at = self.ends.partition_point(|(last, _)| *last < hash);
        self.ends.get(at).map(|(_, server)| server)
    }

    /// How many shards there are, and on how many servers.
    pub fn count(&self) -> (usize, usize) {
        let servers: HashSet<&Server> = self.ends.iter().map(|(_, server)| server).collect();
        (self.ends.len(), servers.len())
    }
}

/// Why tables were not distributed.
#[derive(Debug, thiserror::Error)]
pub enum DistributeError {
    #[error(
        "this database has no Citus: run CREATE EXTENSION citus in it, on every server, and add the servers"
    )]
    NoCitus,
    #[error("no server takes shards: add one with citus_add_node")]
    NoServers,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Database {
    /// Learns where the shards are, if the database is distributed. Returns it, too.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn read_shards(&self) -> Result<(), StoreError> {
        let connection = &mut self.connection().await?;
        let read = match is_distributed(connection, &TABLES).await? {
            true => Some(read(connection).await?),
            false => None,
        };
        self.set_shards(read);
        Ok(())
    }

    /// Appends inside a transaction, and returns the games whose entries were inserted.
    pub(super) async fn insert(
        &self,
        connection: &mut AsyncPgConnection,
        appends: Vec<Append>,
    ) -> Result<HashSet<Uuid>, StoreError> {
        match self.shards() {
            None => append::insert(connection, appends).await,
            Some(_) => insert(connection, &appends.iter().collect::<Vec<_>>()).await,
        }
    }

    /// Distributes the tables that a move writes over the servers of a Citus cluster, into so many shards. What they
    /// contain moves there while the service goes on. Tables that are distributed already stay as they are.
    ///
    /// # Errors
    /// [`DistributeError`].
    pub async fn distribute(&self, shards: u16) -> Result<Shards, DistributeError> {
        let mut session = self.patient_session().await?;
        if !has_citus(&mut session).await? {
            return Err(DistributeError::NoCitus);
        }
        let Count { rows: servers } = diesel::sql_query(
            "SELECT count(*) AS rows FROM pg_dist_node WHERE noderole = 'primary' AND isactive AND shouldhaveshards",
        )
        .get_result(&mut *session)
        .await
        .map_err(StoreError::from)?;
        if servers == 0 {
            return Err(DistributeError::NoServers);
        }
        for table in TABLES {
            if is_distributed(&mut session, &[table]).await? {
                continue;
            }
            // The second table lies where the first does.
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
    .bind::<diesel::sql_types::Array<Text>, _>(tables)
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
    if found.iter().any(|placed| placed.has_probe != (placed.first..=placed.last).contains(&probe)) {
        return Err(StoreError::Broken("another shard for a game than its hash says".to_owned()));
    }
    let end = |Placed { last, host, port, .. }: Placed| match u16::try_from(port) {
        Ok(port) => Ok((last, Server { host, port })),
        Err(_) => Err(StoreError::Broken(format!("a server with the port {port}"))),
    };
    Ok(Shards { ends: found.into_iter().map(end).collect::<Result<_, _>>()? })
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
    #[diesel(sql_type = Text)]
    host: String,
    #[diesel(sql_type = Integer)]
    port: i32,
    #[diesel(sql_type = Bool)]
    has_probe: bool,
}

/// An append to a distributed log.
pub struct Distributed(pub Append);

impl Batched for Distributed {
    type Answer = AppendOutcome;
    const WHAT: &str = Append::WHAT;

    async fn run(
        connection: &mut AsyncPgConnection,
        batch: &[Distributed],
    ) -> Result<Vec<AppendOutcome>, StoreError> {
        let races = Races::new(batch.iter().map(|Distributed(append)| append));
        let firsts = races.firsts();
        let done = connection.transaction(async |connection| insert(connection, &firsts).await).await?;
        Ok(races.outcomes(&done))
    }
}

/// Citus knows no statement that does all
/// of it at once, as `append::insert` does, so the rows behind the first of each game follow in statements of their own.
async fn insert(
    connection: &mut AsyncPgConnection,
    appends: &[&Append],
) -> Result<HashSet<Uuid>, StoreError> {
    let mut done = HashSet::with_capacity(appends.len());
    let heads: Vec<Row> = appends.iter().filter_map(|append| Row::head(append)).collect();
    for rows in heads.chunks(MOST_ROWS) {
        done.extend(InsertRows::of(rows).load::<Uuid>(connection).await?);
    }
    let appended = || appends.iter().filter(|append| done.contains(&append.game_id));
    let tails: Vec<Row> = appended().flat_map(|append| Row::tail(append)).collect();
    for rows in tails.chunks(MOST_ROWS) {
        if InsertRows::of(rows).load::<Uuid>(connection).await?.len() != rows.len() {
            return Err(StoreError::Broken("entries behind the end of a log".to_owned()));
        }
    }
    let dues: Vec<(Uuid, jiff_diesel::Timestamp)> = appended()
        .filter_map(|append| match append.due {
            Due::At(at) => Some((append.game_id, at.to_diesel())),
            Due::Never | Due::Gone => None,
        })
        .collect();
    for rows in dues.chunks(MOST_ROWS) {
        MoveDeadlines(rows).execute(connection).await?;
    }
    let settled: Vec<Uuid> =
        appended().filter(|append| append.due == Due::Gone).map(|append| append.game_id).collect();
    for games in settled.chunks(MOST_ROWS) {
        RemoveDeadlines(games).execute(connection).await?;
    }
    Ok(done)
}

#[derive(Clone, Copy)]
struct Row<'a> {
    game_id: Uuid,
    entry: &'a NewEntry,
    caller: Option<Uuid>,
    key: Option<&'a str>,
    request: Option<&'a [u8]>,
    /// The version that the answer to the claim shows.
    answer: Option<i32>,
}

impl<'a> Row<'a> {
    fn unclaimed(game_id: Uuid, entry: &'a NewEntry) -> Row<'a> {
        Row { game_id, entry, caller: None, key: None, request: None, answer: None }
    }

    fn head(append: &'a Append) -> Option<Row<'a>> {
        let (first, last) = (append.entries[..].first()?, append.entries[..].last()?);
        let row = Row::unclaimed(append.game_id, first);
        let Some(Claim { caller, key, request }) = &append.claim else { return Some(row) };
        Some(Row {
            caller: Some(*caller),
            key: Some(key),
            request: Some(request),
            answer: Some(last.seq),
            ..row
        })
    }

    fn tail(append: &'a Append) -> impl Iterator<Item = Row<'a>> {
        append.entries.iter().skip(1).map(|entry| Row::unclaimed(append.game_id, entry))
    }

    fn bind<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>, claimed: bool) -> QueryResult<()> {
        out.push_bind_param::<SqlUuid, _>(&self.game_id)?;
        out.push_sql(", ");
        out.push_bind_param::<Integer, _>(&self.entry.seq)?;
        out.push_sql(", ");
        out.push_bind_param::<Text, _>(&self.entry.entry)?;
        out.push_sql(", ");
        out.push_bind_param::<Bytea, _>(&self.entry.hash)?;
        if claimed {
            out.push_sql(", ");
            out.push_bind_param::<Nullable<SqlUuid>, _>(&self.caller)?;
            out.push_sql(", ");
            out.push_bind_param::<Nullable<Text>, _>(&self.key)?;
            out.push_sql(", ");
            out.push_bind_param::<Nullable<Bytea>, _>(&self.request)?;
            out.push_sql(", ");
            out.push_bind_param::<Nullable<Integer>, _>(&self.answer)?;
        }
        Ok(())
    }
}

/// Each form of these statements has another text, for each number of rows.
macro_rules! told_apart_by_text {
    ($($statement:ident),*) => {$(
        impl QueryId for $statement<'_> {
            type QueryId = ();
            const HAS_STATIC_QUERY_ID: bool = false;
        }
    )*};
}

told_apart_by_text!(InsertRows, MoveDeadlines, RemoveDeadlines);

struct InsertRows<'a> {
    rows: &'a [Row<'a>],
    /// Whether a row has a claim.
    claimed: bool,
}

impl<'a> InsertRows<'a> {
    fn of(rows: &'a [Row<'a>]) -> InsertRows<'a> {
        InsertRows { rows, claimed: rows.iter().any(|row| row.caller.is_some()) }
    }
}

impl Query for InsertRows<'_> {
    type SqlType = SqlUuid;
}

impl QueryFragment<Pg> for InsertRows<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("INSERT INTO entries (game_id, seq, entry, hash");
        out.push_sql(if self.claimed { ", caller, idempotency_key, request, answer" } else { "" });
        out.push_sql(") VALUES ");
        for (n, row) in self.rows.iter().enumerate() {
            out.push_sql(if n == 0 { "(" } else { "), (" });
            row.bind(&mut out, self.claimed)?;
        }
        out.push_sql(") ON CONFLICT DO NOTHING RETURNING game_id");
        Ok(())
    }
}

struct MoveDeadlines<'a>(&'a [(Uuid, jiff_diesel::Timestamp)]);

impl QueryFragment<Pg> for MoveDeadlines<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("INSERT INTO deadlines (game_id, due_at) VALUES ");
        for (n, (game_id, due_at)) in self.0.iter().enumerate() {
            out.push_sql(if n == 0 { "(" } else { "), (" });
            out.push_bind_param::<SqlUuid, _>(game_id)?;
            out.push_sql(", ");
            out.push_bind_param::<Timestamptz, _>(due_at)?;
        }
        out.push_sql(") ON CONFLICT (game_id) DO UPDATE SET due_at = excluded.due_at");
        Ok(())
    }
}

struct RemoveDeadlines<'a>(&'a [Uuid]);

impl QueryFragment<Pg> for RemoveDeadlines<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("DELETE FROM deadlines WHERE game_id IN (");
        for (n, game_id) in self.0.iter().enumerate() {
            out.push_sql(if n == 0 { "" } else { ", " });
            out.push_bind_param::<SqlUuid, _>(game_id)?;
        }
        out.push_sql(")");
        Ok(())
    }
}
