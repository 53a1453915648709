//! The changes of the lobby, in an order in which a reader misses none.
//!
//! A transaction gets its id when it begins to write and becomes visible when it commits, so ids become visible out of
//! order. So a reader goes no further than to where no transaction is under way any more: everything that is `settled`
//! stays as it is.

use std::collections::HashMap;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::games::Listed;
use crate::store::schema::{accounts, game_players, games};

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
    pub game: Listed,
    /// The names of the seated players.
    pub players: Vec<String>,
    /// The accounts of the game's creator and of its seated players. They may see the game if it is private.
    pub people: Vec<Uuid>,
}

impl Database {
    /// How far the lobby can be read now.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn lobby_horizon(&self) -> Result<Horizon, StoreError> {
        let settled = sql::<BigInt>("pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1");
        let begun = sql::<BigInt>("pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1");
        Ok(diesel::select((settled, begun)).get_result(&mut self.connection().await?).await?)
    }

    /// A page of the games that changed after `after` and are settled, in the order of their last changes. With
    /// `settled` from [`Database::lobby_horizon`], an empty page means that nothing was missed up to there.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn lobby_changes(&self, after: i64, settled: i64) -> Result<Vec<Changed>, StoreError> {
        let mut connection = self.connection().await?;
        let rows: Vec<(i64, Uuid, Listed)> = games::table
            .inner_join(accounts::table.on(accounts::id.eq(games::created_by)))
            .filter(games::changed.gt(after).and(games::changed.le(settled)))
            .order(games::changed)
            .limit(PAGE)
            .select((games::changed, games::created_by, Listed::as_select()))
            .load(&mut connection)
            .await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<Uuid> = rows.iter().map(|(_, _, game)| game.id).collect();
        let mut sitting: Vec<(Uuid, String, Uuid)> = game_players::table
            .inner_join(accounts::table.on(accounts::id.eq(game_players::account_id)))
            .filter(game_players::game_id.eq_any(ids))
            .select((game_players::game_id, accounts::username, accounts::id))
            .load(&mut connection)
            .await?;
        sitting.sort_unstable();
        let mut at_table: HashMap<Uuid, (Vec<String>, Vec<Uuid>)> = HashMap::new();
        for (game, name, account) in sitting {
            let (names, accounts) = at_table.entry(game).or_default();
            names.push(name);
            accounts.push(account);
        }
        let changed = |(at, creator, game): (i64, Uuid, Listed)| {
            let (players, mut people) = at_table.remove(&game.id).unwrap_or_default();
            people.push(creator);
            Changed { at, game, players, people }
        };
        Ok(rows.into_iter().map(changed).collect())
    }
}
