//! The entries that logs have and memory does not: the tails of many games in one statement.

use std::collections::HashMap;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, Bytea, Integer, Text, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use crate::store::batcher::Batched;
use crate::store::error::StoreError;

/// An entry as it was appended.
#[derive(Debug, Clone, Queryable)]
pub struct StoredEntry {
    pub seq: i32,
    pub entry: String,
    pub hash: Vec<u8>,
}

/// The entries of a game after a version.
#[derive(Debug, Clone, Copy)]
pub struct Tail {
    pub game_id: Uuid,
    pub after: u32,
}

/// Requests for the same game share its tail.
impl Batched for Tail {
    type Answer = Vec<StoredEntry>;
    const WHAT: &str = "looks";

    async fn run(
        connection: &mut AsyncPgConnection,
        batch: &[Tail],
    ) -> Result<Vec<Vec<StoredEntry>>, StoreError> {
        let read = read(connection, &longest(batch.iter())).await?;
        Ok(shared(batch.iter(), read))
    }
}

/// The longest tail that is asked for of each game.
pub(super) fn longest<'a>(batch: impl Iterator<Item = &'a Tail>) -> Vec<Tail> {
    let mut games: HashMap<Uuid, u32> = HashMap::new();
    for tail in batch {
        games.entry(tail.game_id).and_modify(|after| *after = tail.after.min(*after)).or_insert(tail.after);
    }
    games.into_iter().map(|(game_id, after)| Tail { game_id, after }).collect()
}

/// What each asked for, out of the longest tails.
pub(super) fn shared<'a>(
    batch: impl Iterator<Item = &'a Tail>,
    read: Vec<(Uuid, StoredEntry)>,
) -> Vec<Vec<StoredEntry>> {
    let mut tails: HashMap<Uuid, Vec<StoredEntry>> = HashMap::new();
    for (game_id, entry) in read {
        tails.entry(game_id).or_default().push(entry);
    }
    let answer = |tail: &Tail| match tails.get(&tail.game_id) {
        None => Vec::new(),
        Some(entries) => {
            entries.iter().filter(|entry| entry.seq > tail.after.cast_signed()).cloned().collect()
        }
    };
    batch.map(answer).collect()
}

/// The entries of all these games, each of which appears once: game by game, in order.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub(super) async fn read(
    connection: &mut AsyncPgConnection,
    tails: &[Tail],
) -> Result<Vec<(Uuid, StoredEntry)>, StoreError> {
    let (game_ids, seqs) = tails.iter().map(|tail| (tail.game_id, tail.after.cast_signed())).unzip();
    Ok(Tails { game_ids, seqs }.load(connection).await?)
}

/// Written by hand so that it stays prepared. The inner order keeps the planner to one lookup by the key for each game,
/// whatever their number.
#[derive(QueryId)]
struct Tails {
    game_ids: Vec<Uuid>,
    seqs: Vec<i32>,
}

impl Query for Tails {
    type SqlType = (SqlUuid, (Integer, Text, Bytea));
}

impl QueryFragment<Pg> for Tails {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("SELECT watched.game_id, tail.seq, tail.entry, tail.hash FROM unnest(");
        out.push_bind_param::<Array<SqlUuid>, _>(&self.game_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Integer>, _>(&self.seqs)?;
        out.push_sql(
            ") AS watched (game_id, seq) CROSS JOIN LATERAL (SELECT seq, entry, hash FROM entries \
             WHERE game_id = watched.game_id AND seq > watched.seq ORDER BY seq) AS tail \
             ORDER BY watched.game_id, tail.seq",
        );
        Ok(())
    }
}
