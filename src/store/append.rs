//! The one statement that appends, and all that it contains.

use std::collections::HashSet;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::serialize::ToSql;
use diesel::sql_types::{Array, Bytea, HasSqlType, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::batcher::Batched;
use crate::store::deadlines::Due;
use crate::store::error::StoreError;

/// Entries for one game: all are appended, or none.
#[derive(Debug, Clone)]
pub struct Append {
    pub game_id: Uuid,
    /// In order and without gaps; at least one entry.
    pub entries: Vec<NewEntry>,
    /// Stored with the first entry. Present where the caller gave an idempotency key.
    pub claim: Option<Claim>,
    /// Written in the same statement.
    pub due: Due,
}

/// An entry to be appended.
#[derive(Debug, Clone)]
pub struct NewEntry {
    pub seq: i32,
    /// Canonical JSON, without the hash.
    pub entry: String,
    pub hash: [u8; 32],
}

/// Makes a repeated request recognisable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub caller: Uuid,
    pub key: String,
    /// The digest of the request.
    pub request: [u8; 32],
}

/// The result of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppendOutcome {
    /// The entries are durable.
    Done,
    /// The log had moved on, or the claim existed already. Nothing was written.
    Conflict,
}

/// A conflict in one append does not affect the other appends of the statement, so a caller does not notice that it
/// shares one.
impl Batched for Append {
    type Answer = AppendOutcome;
    const WHAT: &str = "appends";

    async fn run(
        connection: &mut AsyncPgConnection,
        batch: &[Append],
    ) -> Result<Vec<AppendOutcome>, StoreError> {
        let races = Races::new(batch);
        let done = insert(connection, races.firsts().into_iter().cloned()).await?;
        Ok(races.outcomes(&done))
    }
}

/// A batch, and which append is the first of its game. If two race, the first to arrive goes on.
pub(super) struct Races<'a>(Vec<(&'a Append, bool)>);

impl<'a> Races<'a> {
    pub fn new(batch: impl IntoIterator<Item = &'a Append>) -> Races<'a> {
        let mut seen = HashSet::new();
        Races(batch.into_iter().map(|append| (append, seen.insert(append.game_id))).collect())
    }

    /// One append for each game. The order is fixed, so that replicas that append to the same games take their locks in
    /// the same order.
    pub fn firsts(&self) -> Vec<&'a Append> {
        let firsts = self.0.iter().filter(|(_, is_first)| *is_first);
        let mut firsts: Vec<&Append> = firsts.map(|(append, _)| *append).collect();
        firsts.sort_unstable_by_key(|append| append.game_id);
        firsts
    }

    /// What became of each append of the batch, where those to the games `done` were inserted.
    pub fn outcomes(self, done: &HashSet<Uuid>) -> Vec<AppendOutcome> {
        let became = |(append, is_first): (&Append, bool)| match is_first && done.contains(&append.game_id) {
            true => AppendOutcome::Done,
            false => AppendOutcome::Conflict,
        };
        self.0.into_iter().map(became).collect()
    }
}

/// Appends, and returns the games whose entries were inserted.
///
/// A game's first entry decides. If it is inserted, no other append can have inserted any of the entries behind it,
/// because every append begins where the log ended.
pub(super) async fn insert(
    connection: &mut AsyncPgConnection,
    appends: impl IntoIterator<Item = Append>,
) -> Result<HashSet<Uuid>, StoreError> {
    let mut query = InsertEntries::default();
    appends.into_iter().for_each(|append| query.add(append));
    Ok(query.load::<Uuid>(connection).await?.into_iter().collect())
}

/// The one statement that appends. It is written by hand so that it stays prepared, whatever the number of rows: the
/// columns are bound as arrays, or, for one row, as plain values. A part that no append of the batch needs is left out,
/// so the statement has at most 48 forms. The form for plain moves, one row each, is a bare INSERT.
#[derive(Default)]
struct InsertEntries {
    heads: Columns,
    claims: Claims,
    /// The entries behind a game's first.
    tails: Columns,
    due_games: Vec<Uuid>,
    dues: Vec<jiff_diesel::Timestamp>,
    due_versions: Vec<i32>,
    /// The games that have no deadline any more.
    settled: Vec<Uuid>,
}

/// These columns are as long as those of the heads.
#[derive(Default)]
struct Claims {
    callers: Vec<Option<Uuid>>,
    keys: Vec<Option<String>>,
    requests: Vec<Option<Vec<u8>>>,
    answers: Vec<Option<i32>>,
}

#[derive(Default)]
struct Columns {
    game_ids: Vec<Uuid>,
    seqs: Vec<i32>,
    entries: Vec<String>,
    hashes: Vec<Vec<u8>>,
}

impl Columns {
    fn add(&mut self, game_id: Uuid, entry: NewEntry) {
        let NewEntry { seq, entry, hash } = entry;
        self.game_ids.push(game_id);
        self.seqs.push(seq);
        self.entries.push(entry);
        self.hashes.push(hash.to_vec());
    }

    /// The rows of a table, with these claims beside them.
    fn bind<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>, claims: Option<&'b Claims>) -> QueryResult<()> {
        let is_one = self.game_ids.len() == 1;
        out.push_sql(if is_one { "(VALUES (" } else { "unnest(" });
        bind::<SqlUuid, _>(&self.game_ids, out)?;
        out.push_sql(", ");
        bind::<Integer, _>(&self.seqs, out)?;
        out.push_sql(", ");
        bind::<Text, _>(&self.entries, out)?;
        out.push_sql(", ");
        bind::<Bytea, _>(&self.hashes, out)?;
        if let Some(claims) = claims {
            claims.bind(out)?;
        }
        out.push_sql(if is_one { "))" } else { ")" });
        Ok(())
    }
}

/// Binds a column as an array, so that the statement stays the same whatever the number of rows. A single row is bound
/// as the plain value, which PostgreSQL handles with less work.
fn bind<'b, S: 'static, T>(column: &'b Vec<T>, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()>
where
    Pg: HasSqlType<S> + HasSqlType<Array<S>>,
    T: ToSql<S, Pg>,
    Vec<T>: ToSql<Array<S>, Pg>,
{
    match &column[..] {
        [value] => out.push_bind_param::<S, _>(value),
        _ => out.push_bind_param::<Array<S>, _>(column),
    }
}

impl InsertEntries {
    fn add(&mut self, append: Append) {
        let Append { game_id, entries, claim, due } = append;
        let last = entries.last().map(|entry| entry.seq);
        let mut entries = entries.into_iter();
        let Some(head) = entries.next() else { return };
        self.heads.add(game_id, head);
        match due {
            Due::Unchanged => {}
            Due::At(at) => {
                self.due_games.push(game_id);
                self.dues.push(at.to_diesel());
                self.due_versions.extend(last);
            }
            Due::Gone => self.settled.push(game_id),
        }
        self.claims.add(claim, last);
        entries.for_each(|entry| self.tails.add(game_id, entry));
    }

    /// Inserts the heads alone. A row that conflicts does not affect the others.
    fn insert_heads<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("INSERT INTO entries (game_id, seq, entry, hash");
        let claimed = self.claims.are_any();
        out.push_sql(if claimed { ", caller, idempotency_key, request, answer" } else { "" });
        out.push_sql(") SELECT * FROM ");
        self.heads.bind(out, claimed.then_some(&self.claims))?;
        out.push_sql(" AS head ON CONFLICT DO NOTHING RETURNING game_id");
        Ok(())
    }
}

impl Claims {
    /// `answer`: the version that the answer shows.
    fn add(&mut self, claim: Option<Claim>, answer: Option<i32>) {
        let (caller, key, request, answer) = match claim {
            Some(Claim { caller, key, request }) => (Some(caller), Some(key), Some(request.to_vec()), answer),
            None => (None, None, None, None),
        };
        self.callers.push(caller);
        self.keys.push(key);
        self.requests.push(request);
        self.answers.push(answer);
    }

    fn are_any(&self) -> bool {
        self.callers.iter().any(Option::is_some)
    }

    fn bind<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(", ");
        bind::<Nullable<SqlUuid>, _>(&self.callers, out)?;
        out.push_sql(", ");
        bind::<Nullable<Text>, _>(&self.keys, out)?;
        out.push_sql(", ");
        bind::<Nullable<Bytea>, _>(&self.requests, out)?;
        out.push_sql(", ");
        bind::<Nullable<Integer>, _>(&self.answers, out)
    }
}

impl Query for InsertEntries {
    type SqlType = SqlUuid;
}

/// The forms of the statement are told apart by their text.
impl QueryId for InsertEntries {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl QueryFragment<Pg> for InsertEntries {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let (has_tails, has_dues) = (!self.tails.game_ids.is_empty(), !self.due_games.is_empty());
        let has_settled = !self.settled.is_empty();
        if !(has_tails || has_dues || has_settled) {
            return self.insert_heads(&mut out);
        }
        out.push_sql("WITH heads AS (");
        self.insert_heads(&mut out)?;
        if has_tails {
            out.push_sql("), tails AS (INSERT INTO entries (game_id, seq, entry, hash) SELECT tail.* FROM ");
            self.tails.bind(&mut out, None)?;
            out.push_sql(" AS tail (game_id, seq, entry, hash) JOIN heads USING (game_id)");
        }
        if has_dues {
            out.push_sql(
                "), dues AS (INSERT INTO deadlines (game_id, due_at, version) SELECT due.* FROM unnest(",
            );
            out.push_bind_param::<Array<SqlUuid>, _>(&self.due_games)?;
            out.push_sql(", ");
            out.push_bind_param::<Array<Timestamptz>, _>(&self.dues)?;
            out.push_sql(", ");
            out.push_bind_param::<Array<Integer>, _>(&self.due_versions)?;
            out.push_sql(
                ") AS due (game_id, due_at, version) JOIN heads USING (game_id) \
                 ON CONFLICT (game_id) DO UPDATE SET due_at = excluded.due_at, version = excluded.version",
            );
        }
        if has_settled {
            out.push_sql(
                "), settled AS (DELETE FROM deadlines USING heads \
                 WHERE deadlines.game_id = heads.game_id AND heads.game_id = ANY (",
            );
            out.push_bind_param::<Array<SqlUuid>, _>(&self.settled)?;
            out.push_sql(")");
        }
        out.push_sql(") SELECT game_id FROM heads");
        Ok(())
    }
}
