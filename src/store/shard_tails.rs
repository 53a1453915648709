//! Tails of games that lie on one server of a database that is distributed.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Bytea, Integer, Text, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use crate::store::batcher::Batched;
use crate::store::error::StoreError;
use crate::store::tail::{StoredEntry, Tail, longest, shared};

/// The most games of one statement. Each number of games is a statement of its own, which stays prepared.
const MOST_GAMES: usize = 64;

/// A tail, asked of the server that has the game.
pub struct DistributedTail(pub Tail);

/// Requests for the same game share its tail.
impl Batched for DistributedTail {
    type Answer = Vec<StoredEntry>;
    const WHAT: &str = Tail::WHAT;

    async fn run(
        connection: &mut AsyncPgConnection,
        batch: &[DistributedTail],
    ) -> Result<Vec<Vec<StoredEntry>>, StoreError> {
        let asked = || batch.iter().map(|DistributedTail(tail)| tail);
        let after: Vec<(Uuid, i32)> =
            longest(asked()).into_iter().map(|tail| (tail.game_id, tail.after.cast_signed())).collect();
        let mut read = Vec::new();
        for games in after.chunks(MOST_GAMES) {
            read.extend(ReadTails(games).load::<(Uuid, StoredEntry)>(connection).await?);
        }
        Ok(shared(asked(), read))
    }
}

/// Every game is named as a value of its own, so that Citus asks the shards of these games alone.
struct ReadTails<'a>(&'a [(Uuid, i32)]);

impl Query for ReadTails<'_> {
    type SqlType = (SqlUuid, (Integer, Text, Bytea));
}

/// The statement is told apart by its text, for each number of games.
impl QueryId for ReadTails<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl QueryFragment<Pg> for ReadTails<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("SELECT game_id, seq, entry, hash FROM entries WHERE ");
        for (n, (game_id, after)) in self.0.iter().enumerate() {
            out.push_sql(if n == 0 { "(game_id = " } else { " OR (game_id = " });
            out.push_bind_param::<SqlUuid, _>(game_id)?;
            out.push_sql(" AND seq > ");
            out.push_bind_param::<Integer, _>(after)?;
            out.push_sql(")");
        }
        out.push_sql(" ORDER BY game_id, seq");
        Ok(())
    }
}
