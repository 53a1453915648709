//! Appends to the logs of a database that Citus has distributed.

use std::collections::HashSet;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Bytea, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::append::{Append, AppendOutcome, Claim, NewEntry, Races};
use crate::store::batcher::Batched;
use crate::store::deadlines::Due;
use crate::store::error::StoreError;

/// The most rows of one statement. Each number of rows is a statement of its own, which stays prepared.
const MOST_ROWS: usize = 64;

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
        let done = match is_one_statement(&firsts) {
            true => insert(connection, &firsts).await?,
            false => connection.transaction(async |connection| insert(connection, &firsts).await).await?,
        };
        Ok(races.outcomes(&done))
    }
}

/// Whether [`insert`] needs no transaction around it, which would take two round trips more.
fn is_one_statement(appends: &[&Append]) -> bool {
    let is_head_alone = |append: &&Append| append.entries.len() == 1 && append.due == Due::Unchanged;
    appends.len() <= MOST_ROWS && appends.iter().all(is_head_alone)
}

/// As `append::insert`, but in several statements, because Citus plans one that does all of it as a commit over several
/// servers. It inserts the rows of a statement shard by shard: two batches that race for the same games may end in a
/// deadlock, which PostgreSQL resolves, and the batch that gives way is answered 503.
pub(super) async fn insert(
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
    let dues: Vec<DueRow> = appended()
        .filter_map(|append| match append.due {
            Due::At(at) => Some((append.game_id, at.to_diesel(), append.entries.last()?.seq)),
            Due::Unchanged | Due::Gone => None,
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

/// A game, when it is due, and at which version.
type DueRow = (Uuid, jiff_diesel::Timestamp, i32);

struct MoveDeadlines<'a>(&'a [DueRow]);

impl QueryFragment<Pg> for MoveDeadlines<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("INSERT INTO deadlines (game_id, due_at, version) VALUES ");
        for (n, (game_id, due_at, version)) in self.0.iter().enumerate() {
            out.push_sql(if n == 0 { "(" } else { "), (" });
            out.push_bind_param::<SqlUuid, _>(game_id)?;
            out.push_sql(", ");
            out.push_bind_param::<Timestamptz, _>(due_at)?;
            out.push_sql(", ");
            out.push_bind_param::<Integer, _>(version)?;
        }
        out.push_sql(
            ") ON CONFLICT (game_id) DO UPDATE SET due_at = excluded.due_at, version = excluded.version",
        );
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
