//! The changes of the lobby, in an order in which a reader misses none.
//!
//! A transaction gets its id when it begins to write and becomes visible when it commits, so ids become visible out of
//! order. So a reader goes no further than to where no transaction is under way any more: everything that is `settled`
//! stays as it is.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::lists::{Listed, ListedGame, with_players};
use crate::store::prepared::Prepare;
use crate::store::schema::{accounts, games};

/// The most games that are read at once.
const PAGE: i64 = 200;

/// How far the lobby can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Queryable)]
pub struct Horizon {
    /// No change up to this one is under way.
    pub settled: i64,
    /// No change after this one has begun.
    pub begun: i64,
}

/// A game after its last change.
#[derive(Debug)]
pub struct Changed {
    /// The change, as the id of its transaction. Each transaction changes one game.
    pub at: i64,
    pub listed: ListedGame,
    /// The account of the game's creator.
    pub creator: Uuid,
}

impl Database {
    /// How far the lobby can be read now.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn lobby_horizon(&self) -> Result<Horizon, StoreError> {
        let settled = sql::<BigInt>("pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1");
        let begun = sql::<BigInt>("pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1");
        Ok(diesel::select((settled, begun)).prepared().get_result(&mut self.connection().await?).await?)
    }

    /// Whether more than so many games have changed after `after`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn lobby_has_more(&self, after: i64, most: i64) -> Result<bool, StoreError> {
        let next: Vec<i64> = games::table
            .filter(games::changed.gt(after).and(games::tournament_id.is_null()))
            .order(games::changed)
            .select(games::changed)
            .offset(most)
            .limit(1)
            .prepared()
            .load(&mut self.connection().await?)
            .await?;
        Ok(!next.is_empty())
    }

    /// A page of the games that changed after `after` and are settled, in the order of their last changes, without those
    /// of tournaments: these may be shown later than they happen. With `settled` from [`Database::lobby_horizon`], an
    /// empty page means that nothing was missed up to there.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn lobby_changes(&self, after: i64, settled: i64) -> Result<Vec<Changed>, StoreError> {
        let mut connection = self.connection().await?;
        let rows: Vec<(i64, Uuid, Listed)> = games::table
            .inner_join(accounts::table.on(accounts::id.eq(games::created_by)))
            .filter(games::changed.gt(after).and(games::changed.le(settled)))
            .filter(games::tournament_id.is_null())
            .order(games::changed)
            .limit(PAGE)
            .select((games::changed, games::created_by, Listed::as_select()))
            .prepared()
            .load(&mut connection)
            .await?;
        let (changes, listed): (Vec<_>, Vec<_>) =
            rows.into_iter().map(|(at, creator, game)| ((at, creator), game)).unzip();
        let listed = with_players(&mut connection, listed).await?;
        let changed = |((at, creator), listed)| Changed { at, listed, creator };
        Ok(changes.into_iter().zip(listed).map(changed).collect())
    }
}
