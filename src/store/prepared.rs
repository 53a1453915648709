//! Statements that stay prepared.

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;

/// A statement that each connection prepares once and then keeps: PostgreSQL parses it once, plans it a few times, and
/// each run is one round trip instead of two.
///
/// diesel keeps what it has written itself. It does not keep an UPDATE, or a statement with SQL of ours, because it
/// cannot know how many texts there will be of it.
pub(super) struct Prepared<Q>(Q);

/// For statements of which there are few texts: what differs from run to run is bound. They name their columns, because
/// PostgreSQL refuses to run a prepared `SELECT *` after a migration has added a column.
pub(super) trait Prepare: Sized {
    /// The same statement, which stays prepared.
    fn prepared(self) -> Prepared<Self> {
        Prepared(self)
    }
}

impl<Q: QueryFragment<Pg>> Prepare for Q {}

impl<Q: Query> Query for Prepared<Q> {
    type SqlType = Q::SqlType;
}

/// Statements are told apart by their text.
impl<Q> QueryId for Prepared<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q: QueryFragment<Pg>> QueryFragment<Pg> for Prepared<Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.0.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, _: &Pg) -> QueryResult<bool> {
        Ok(true)
    }
}
