//! Series of tournaments, and what finished tournaments left to accounts.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Text, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::accounts::lock;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::schema::{accounts, series, series_tournaments, tournament_finals};
use crate::store::status::Status;

/// The names of the quotas, for refusals.
pub const SERIES_PER_ACCOUNT: &str = "series_per_account";
pub const TOURNAMENTS_PER_SERIES: &str = "tournaments_per_series";
pub const SERIES_PER_TOURNAMENT: &str = "series_per_tournament";
/// An account's key was used before.
pub const SERIES_IDEMPOTENCY: &str = "series_idempotency";

/// A series, without its tournaments.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = series, check_for_backend(diesel::pg::Pg))]
pub struct Series {
    #[diesel(column_name = series_id)]
    pub id: Uuid,
    pub account_id: Uuid,
    #[diesel(select_expression = accounts::username)]
    pub created_by: String,
    pub name: String,
    pub description: Option<String>,
    /// JSON: what a finished tournament gives.
    pub points: String,
    pub best: Option<i16>,
    #[diesel(deserialize_as = jiff_diesel::Timestamp)]
    pub created_at: jiff::Timestamp,
}

/// A key under which an account created a series, and the digest of the request.
pub type SeriesClaim = (String, [u8; 32]);

/// A tournament of a series, as it stands now.
#[derive(Debug, Clone, QueryableByName)]
pub struct SeriesTournament {
    #[diesel(sql_type = SqlUuid)]
    pub id: Uuid,
    #[diesel(sql_type = Text)]
    pub name: String,
    #[diesel(sql_type = Text)]
    pub kind: String,
    #[diesel(sql_type = Text)]
    pub status: Status,
    #[diesel(sql_type = Integer)]
    pub entrants: i32,
    /// The version of its log.
    #[diesel(sql_type = Integer)]
    pub version: i32,
    /// How often its games were counted anew.
    #[diesel(sql_type = Integer)]
    pub recounted: i32,
    /// Whether no game of it is still played.
    #[diesel(sql_type = Bool)]
    pub is_settled: bool,
}

/// Which series to list.
#[derive(Debug, Clone, Default)]
pub struct SeriesFilter {
    /// Only those of the account with this name.
    pub created_by: Option<String>,
    /// Only those with this tournament.
    pub tournament: Option<Uuid>,
}

/// Creates a series.
///
/// # Errors
/// [`StoreError::Constraint`] [`SERIES_PER_ACCOUNT`] where the account has `most` already, or [`SERIES_IDEMPOTENCY`] where
/// it has used the key before.
pub async fn create(
    database: &Database,
    new: &Series,
    claim: Option<SeriesClaim>,
    most: i64,
) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction(async |connection| {
            // The count holds, because requests of one account take turns.
            lock(connection, new.account_id).await?;
            let own = series::table.filter(series::account_id.eq(new.account_id));
            let (key, request) = claim.map(|(key, request)| (key, request.to_vec())).unzip();
            diesel::insert_into(series::table)
                .values((
                    series::series_id.eq(new.id),
                    series::account_id.eq(new.account_id),
                    series::name.eq(&new.name),
                    series::description.eq(&new.description),
                    series::points.eq(&new.points),
                    series::best.eq(new.best),
                    series::created_at.eq(new.created_at.to_diesel()),
                    series::idempotency_key.eq(key),
                    series::request.eq(request),
                ))
                .execute(connection)
                .await?;
            within(own.count().get_result(connection).await?, most, SERIES_PER_ACCOUNT)
        })
        .await
}

/// The series that an account created under this key, and the digest of its request.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn claimed(
    database: &Database,
    account: Uuid,
    key: &str,
) -> Result<Option<(Uuid, Option<Vec<u8>>)>, StoreError> {
    Ok(series::table
        .filter(series::account_id.eq(account).and(series::idempotency_key.eq(key)))
        .select((series::series_id, series::request))
        .first(&mut database.connection().await?)
        .await
        .optional()?)
}

/// A page of the list, the newest first: the series before `before`.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn list(
    database: &Database,
    filter: &SeriesFilter,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<Series>, StoreError> {
    let mut query = series::table
        .inner_join(accounts::table.on(accounts::id.eq(series::account_id)))
        .select(Series::as_select())
        .order(series::series_id.desc())
        .limit(limit)
        .into_boxed();
    if let Some(name) = &filter.created_by {
        query = query.filter(accounts::username.eq(name.clone()));
    }
    if let Some(tournament) = filter.tournament {
        let with = series_tournaments::table
            .filter(series_tournaments::tournament_id.eq(tournament))
            .select(series_tournaments::series_id);
        query = query.filter(series::series_id.eq_any(with));
    }
    if let Some(before) = before {
        query = query.filter(series::series_id.lt(before));
    }
    Ok(query.load(&mut database.connection().await?).await?)
}

/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn find(database: &Database, id: Uuid) -> Result<Option<Series>, StoreError> {
    Ok(series::table
        .inner_join(accounts::table.on(accounts::id.eq(series::account_id)))
        .filter(series::series_id.eq(id))
        .select(Series::as_select())
        .first(&mut database.connection().await?)
        .await
        .optional()?)
}

/// Changes what is told about a series: none leaves it as it is.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn edit(
    database: &Database,
    id: Uuid,
    name: Option<&str>,
    description: Option<Option<&str>>,
) -> Result<(), StoreError> {
    if name.is_none() && description.is_none() {
        return Ok(());
    }
    let changes =
        (name.map(|name| series::name.eq(name)), description.map(|text| series::description.eq(text)));
    diesel::update(series::table.find(id))
        .set(changes)
        .prepared()
        .execute(&mut database.connection().await?)
        .await?;
    Ok(())
}

/// Deletes a series. Its tournaments stay.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn delete(database: &Database, id: Uuid) -> Result<(), StoreError> {
    diesel::delete(series::table.find(id)).execute(&mut database.connection().await?).await?;
    Ok(())
}

/// Adds a tournament to a series. False: there is no such series any more.
///
/// # Errors
/// [`StoreError::Constraint`] [`TOURNAMENTS_PER_SERIES`] or [`SERIES_PER_TOURNAMENT`] where there are too many.
pub async fn add(
    database: &Database,
    id: Uuid,
    tournament: Uuid,
    (most_tournaments, most_series): (i64, i64),
) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction(async |connection| {
            // The counts hold, because those who add to a series, or add a tournament, take turns.
            let locked: Option<Uuid> = series::table
                .find(id)
                .select(series::series_id)
                .for_no_key_update()
                .first(connection)
                .await
                .optional()?;
            if locked.is_none() {
                return Ok(false);
            }
            diesel::sql_query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
                .bind::<Text, _>(format!("series of {tournament}"))
                .execute(connection)
                .await?;
            let added = diesel::insert_into(series_tournaments::table)
                .values((
                    series_tournaments::series_id.eq(id),
                    series_tournaments::tournament_id.eq(tournament),
                ))
                .on_conflict_do_nothing()
                .execute(connection)
                .await?;
            if added > 0 {
                let those = series_tournaments::table.filter(series_tournaments::series_id.eq(id));
                within(
                    those.count().get_result(connection).await?,
                    most_tournaments,
                    TOURNAMENTS_PER_SERIES,
                )?;
                let those =
                    series_tournaments::table.filter(series_tournaments::tournament_id.eq(tournament));
                within(those.count().get_result(connection).await?, most_series, SERIES_PER_TOURNAMENT)?;
            }
            Ok(true)
        })
        .await
}

/// Takes a tournament out of a series.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn remove(database: &Database, id: Uuid, tournament: Uuid) -> Result<(), StoreError> {
    diesel::delete(series_tournaments::table.find((id, tournament)))
        .execute(&mut database.connection().await?)
        .await?;
    Ok(())
}

/// The tournaments of a series, the oldest first.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn tournaments(database: &Database, id: Uuid) -> Result<Vec<SeriesTournament>, StoreError> {
    Ok(diesel::sql_query(
        "SELECT tournaments.tournament_id AS id, name, kind, status, entrants, recounted,
                (SELECT max(seq) FROM tournament_log
                 WHERE tournament_log.tournament_id = tournaments.tournament_id) AS version,
                NOT EXISTS (SELECT FROM games WHERE games.tournament_id = tournaments.tournament_id
                            AND games.status = 'active') AS is_settled
         FROM series_tournaments JOIN tournaments USING (tournament_id)
         WHERE series_id = $1 ORDER BY id",
    )
    .bind::<SqlUuid, _>(id)
    .prepared()
    .load(&mut database.connection().await?)
    .await?)
}

/// What a tournament left to accounts, if it was kept at this version of its log and this count of its games.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn finals(
    database: &Database,
    tournament: Uuid,
    (version, recounted): (i32, i32),
) -> Result<Option<String>, StoreError> {
    Ok(tournament_finals::table
        .find(tournament)
        .filter(tournament_finals::version.eq(version).and(tournament_finals::recounted.eq(recounted)))
        .select(tournament_finals::finals)
        .first(&mut database.connection().await?)
        .await
        .optional()?)
}

/// Keeps what a tournament left to accounts.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn keep_finals(
    database: &Database,
    tournament: Uuid,
    (version, recounted): (i32, i32),
    finals: &str,
) -> Result<(), StoreError> {
    let values = (
        tournament_finals::version.eq(version),
        tournament_finals::recounted.eq(recounted),
        tournament_finals::finals.eq(finals),
    );
    diesel::insert_into(tournament_finals::table)
        .values((tournament_finals::tournament_id.eq(tournament), values))
        .on_conflict(tournament_finals::tournament_id)
        .do_update()
        .set(values)
        .execute(&mut database.connection().await?)
        .await?;
    Ok(())
}

/// Refuses where there are more rows than `most`.
fn within(rows: i64, most: i64, quota: &'static str) -> Result<(), StoreError> {
    if rows > most { Err(StoreError::Constraint(quota.to_owned())) } else { Ok(()) }
}
