//! How many unfinished games a creator may have. They are counted in the transaction that adds one, by one transaction
//! at a time, so that a quota holds under concurrent requests, and on every replica.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use crate::store::error::StoreError;
use crate::store::prepared::Prepare;

/// A quota that a transaction must not exceed.
#[derive(Debug, Clone)]
pub struct Quota {
    pub of: Of,
    pub most: u32,
}

/// The names of the quotas, for refusals.
pub const GAMES_PER_ACCOUNT: &str = "games_per_account";
pub const GUEST_GAMES_PER_ADDRESS: &str = "guest_games_per_address";
pub const BOT_GAMES_PER_ACCOUNT: &str = "bot_games_per_account";

/// What is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Of {
    /// Open and active games that an account created, except those of tournaments, and its tournaments.
    Account(Uuid),
    /// Open and active games that guests of a network created.
    Network(String),
    /// Active games without a person that an account created, except those of tournaments.
    Bots(Uuid),
}

impl Of {
    const fn constraint(&self) -> &'static str {
        match self {
            Of::Account(_) => GAMES_PER_ACCOUNT,
            Of::Network(_) => GUEST_GAMES_PER_ADDRESS,
            Of::Bots(_) => BOT_GAMES_PER_ACCOUNT,
        }
    }

    /// The statement that counts. It has one parameter.
    fn count(&self) -> &'static str {
        // PostgreSQL uses a partial index only if the query repeats the index's condition literally.
        match self {
            Of::Account(_) => {
                "SELECT (SELECT count(*) FROM games
                         WHERE created_by = $1 AND status IN ('open', 'active') AND tournament_id IS NULL)
                      + (SELECT count(*) FROM tournaments
                         WHERE created_by = $1 AND status IN ('open', 'active')) AS rows"
            }
            Of::Network(_) => "SELECT count(*) AS rows FROM games WHERE guest_network = $1",
            Of::Bots(_) => {
                "SELECT count(*) AS rows FROM games
                 WHERE created_by = $1 AND status IN ('open', 'active') AND tournament_id IS NULL
                   AND status = 'active'
                   AND NOT EXISTS (SELECT FROM game_players WHERE game_players.game_id = games.game_id)"
            }
        }
    }
}

/// Counts the rows, including the one that the transaction has added.
///
/// # Errors
/// [`StoreError::Constraint`] of the quota's name where there are more rows than the quota allows.
pub(super) async fn keep(connection: &mut AsyncPgConnection, quota: &Quota) -> Result<(), StoreError> {
    // A transaction that waits here counts with a later statement, which sees what the other transaction has committed.
    let lock = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
    let subject = format!("{:?}", quota.of);
    diesel::sql_query(lock).bind::<Text, _>(subject).prepared().execute(connection).await?;
    let count = diesel::sql_query(quota.of.count());
    let Rows { rows } = match &quota.of {
        Of::Account(account) | Of::Bots(account) => {
            count.bind::<SqlUuid, _>(account).prepared().get_result(connection).await?
        }
        Of::Network(network) => count.bind::<Text, _>(network).get_result(connection).await?,
    };
    if rows > i64::from(quota.most) {
        return Err(StoreError::Constraint(quota.of.constraint().to_owned()));
    }
    Ok(())
}

#[derive(QueryableByName)]
struct Rows {
    #[diesel(sql_type = BigInt)]
    rows: i64,
}
