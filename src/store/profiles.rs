//! What is public about players: their games, and how their ratings went.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use jiff::Timestamp;
use uuid::Uuid;

use crate::store::accounts::Account;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::lists::is_concealed;
use crate::store::prepared::Prepare;
use crate::store::schema::{game_players, games, rating_history};
use crate::store::status::Status;

/// An account's public games of one kind.
#[derive(Debug, Queryable)]
pub struct Tally {
    pub kind: String,
    pub games: i64,
    pub finished: i64,
    pub wins: i64,
}

/// A public game that a player has finished.
#[derive(Debug, Clone, QueryableByName)]
pub struct FinishedGame {
    #[diesel(sql_type = SqlUuid)]
    pub game_id: Uuid,
    #[diesel(sql_type = Text)]
    pub kind: String,
    #[diesel(sql_type = Timestamptz, deserialize_as = jiff_diesel::Timestamp)]
    pub ended_at: Timestamp,
    #[diesel(sql_type = SmallInt)]
    pub place: i16,
    #[diesel(sql_type = BigInt)]
    pub score: i64,
    #[diesel(sql_type = SmallInt)]
    pub seats: i16,
}

/// A player's rating after a game.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = rating_history, check_for_backend(diesel::pg::Pg))]
pub struct RatedGame {
    pub n: i64,
    pub game_id: Uuid,
    #[diesel(deserialize_as = jiff_diesel::Timestamp)]
    pub ended_at: Timestamp,
    pub rating: f64,
}

/// The account's public games by kind.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn tallies(database: &Database, account: Uuid) -> Result<Vec<Tally>, StoreError> {
    use diesel::dsl::{count, not};

    let finished = || games::status.eq(Status::Finished).and(not(is_concealed()));
    let tallies = game_players::table
        .inner_join(games::table)
        .filter(game_players::account_id.eq(account).and(games::visibility.eq("public")))
        .group_by(games::kind)
        .order(games::kind)
        .select((
            games::kind,
            count(games::game_id),
            count(games::game_id).aggregate_filter(finished()),
            count(games::game_id)
                .aggregate_filter(finished().and(game_players::place.assume_not_null().eq(1))),
        ))
        .load(&mut database.connection().await?)
        .await?;
    Ok(tallies)
}

/// The newest public games of each kind that the account has finished, at most `each` of a kind, the newest first.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn newest_games(
    database: &Database,
    account: Uuid,
    each: i64,
) -> Result<Vec<FinishedGame>, StoreError> {
    Ok(diesel::sql_query(
        "SELECT game_id, kind, ended_at, place, score, seats FROM (
             SELECT games.game_id, kind, ended_at, place, score, seats,
                 row_number() OVER (PARTITION BY kind ORDER BY games.game_id DESC) AS nth
             FROM game_players JOIN games ON games.game_id = game_players.game_id
             WHERE account_id = $1 AND visibility = 'public' AND status = 'finished' AND ended_at IS NOT NULL
                 AND place IS NOT NULL AND score IS NOT NULL
                 AND games.game_id NOT IN (SELECT game_id FROM concealed_games)) AS finished
         WHERE nth <= $2 ORDER BY game_id DESC",
    )
    .bind::<SqlUuid, _>(account)
    .bind::<BigInt, _>(each)
    .prepared()
    .load(&mut database.connection().await?)
    .await?)
}

/// How an account's rating in a kind went, the newest game first: those before `before`, at most `limit`.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn rating_history(
    database: &Database,
    account: Uuid,
    kind: &str,
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<RatedGame>, StoreError> {
    Ok(rating_history::table
        .filter(rating_history::account_id.eq(account).and(rating_history::kind.eq(kind)))
        .filter(rating_history::n.lt(before.unwrap_or(i64::MAX)))
        .order(rating_history::n.desc())
        .limit(limit)
        .select(RatedGame::as_select())
        .load(&mut database.connection().await?)
        .await?)
}

/// The accounts whose names begin so, in any case, in the order of their names: those after `after`, at most `limit`.
/// Guests are left out. Both are in lower case.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn search(
    database: &Database,
    beginning: &str,
    after: &str,
    limit: i64,
) -> Result<Vec<Account>, StoreError> {
    // No name has a tilde, which comes after all that names have.
    Ok(diesel::sql_query(
        "SELECT accounts.* FROM accounts
         WHERE password_hash IS NOT NULL AND deleted_at IS NULL
             AND lower(username) COLLATE \"C\" >= $1 AND lower(username) COLLATE \"C\" < $1 || '~'
             AND lower(username) COLLATE \"C\" > $2
         ORDER BY lower(username) COLLATE \"C\" LIMIT $3",
    )
    .bind::<Text, _>(beginning)
    .bind::<Text, _>(after)
    .bind::<BigInt, _>(limit)
    .load(&mut database.connection().await?)
    .await?)
}
