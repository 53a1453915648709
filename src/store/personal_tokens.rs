//! Personal access tokens, of which only the digests are stored.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use jiff::{SignedDuration, Timestamp};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::accounts::{Account, lock};
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::schema::{accounts, personal_tokens};
use crate::store::sessions;

/// The name of the quota, for refusals.
pub const TOKENS_PER_ACCOUNT: &str = "personal_tokens_per_account";

/// How much older than a use the noted time may be.
const NOTED_EVERY: SignedDuration = SignedDuration::from_hours(1);

/// A personal access token, as its owner sees it.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = personal_tokens, check_for_backend(diesel::pg::Pg))]
pub struct PersonalToken {
    #[diesel(column_name = token_id)]
    pub id: Uuid,
    pub name: String,
    pub scopes: Vec<String>,
    #[diesel(deserialize_as = jiff_diesel::Timestamp)]
    pub created_at: Timestamp,
    #[diesel(deserialize_as = jiff_diesel::Timestamp)]
    pub expires_at: Timestamp,
    /// When it was last used, to the hour.
    #[diesel(deserialize_as = jiff_diesel::NullableTimestamp)]
    pub used_at: Option<Timestamp>,
}

/// Stores a token that an account makes in a session.
///
/// # Errors
/// [`StoreError::Constraint`] [`TOKENS_PER_ACCOUNT`] where the account has `most` already, and
/// [`SESSION_ENDED`](crate::store::accounts::SESSION_ENDED).
pub async fn add(
    database: &Database,
    (account, session): (Uuid, Uuid),
    token: &PersonalToken,
    digest: &[u8; 32],
    most: i64,
) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let added = connection.transaction(async |connection| {
        // The count holds, because requests of one account take turns.
        lock(connection, account).await?;
        sessions::check_alive(connection, session).await?;
        let own = || personal_tokens::table.filter(personal_tokens::account_id.eq(account));
        let expired = own().filter(personal_tokens::expires_at.le(token.created_at.to_diesel()));
        diesel::delete(expired).execute(connection).await?;
        if own().count().get_result::<i64>(connection).await? >= most {
            return Err(StoreError::Constraint(TOKENS_PER_ACCOUNT.to_owned()));
        }
        diesel::insert_into(personal_tokens::table)
            .values((
                personal_tokens::token_id.eq(token.id),
                personal_tokens::account_id.eq(account),
                personal_tokens::name.eq(&token.name),
                personal_tokens::digest.eq(digest.as_slice()),
                personal_tokens::scopes.eq(&token.scopes),
                personal_tokens::created_at.eq(token.created_at.to_diesel()),
                personal_tokens::expires_at.eq(token.expires_at.to_diesel()),
            ))
            .execute(connection)
            .await?;
        Ok(())
    });
    added.await
}

/// The tokens of an account that have not expired, the newest first: those before `before`, at most `limit`.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn of(
    database: &Database,
    account: Uuid,
    before: Option<Uuid>,
    limit: i64,
    now: Timestamp,
) -> Result<Vec<PersonalToken>, StoreError> {
    let mut query = personal_tokens::table
        .filter(personal_tokens::account_id.eq(account))
        .filter(personal_tokens::expires_at.gt(now.to_diesel()))
        .order(personal_tokens::token_id.desc())
        .limit(limit)
        .select(PersonalToken::as_select())
        .into_boxed();
    if let Some(before) = before {
        query = query.filter(personal_tokens::token_id.lt(before));
    }
    Ok(query.load(&mut database.connection().await?).await?)
}

/// Ends a token of an account. False: there is none.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn end(database: &Database, account: Uuid, id: Uuid) -> Result<bool, StoreError> {
    let own = personal_tokens::table.find(id).filter(personal_tokens::account_id.eq(account));
    Ok(diesel::delete(own).execute(&mut database.connection().await?).await? > 0)
}

/// The token of this digest with its account, if it has not expired by `now`. Its use is noted.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn by_digest(
    database: &Database,
    digest: &[u8; 32],
    now: Timestamp,
) -> Result<Option<(PersonalToken, Account)>, StoreError> {
    let mut connection = database.connection().await?;
    let found: Option<(PersonalToken, Account)> = personal_tokens::table
        .inner_join(accounts::table.on(accounts::id.eq(personal_tokens::account_id)))
        .filter(personal_tokens::digest.eq(digest.as_slice()))
        .filter(personal_tokens::expires_at.gt(now.to_diesel()))
        .select((PersonalToken::as_select(), Account::as_select()))
        .first(&mut connection)
        .await
        .optional()?;
    if let Some((token, _)) = &found
        && token.used_at.is_none_or(|used_at| used_at + NOTED_EVERY <= now)
    {
        diesel::update(personal_tokens::table.find(token.id))
            .set(personal_tokens::used_at.eq(now.to_diesel()))
            .execute(&mut connection)
            .await?;
    }
    Ok(found)
}

/// The account of this token, if the token has neither ended nor expired by `now`.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn account_of(
    database: &Database,
    account: Uuid,
    id: Uuid,
    now: Timestamp,
) -> Result<Option<Account>, StoreError> {
    Ok(personal_tokens::table
        .find(id)
        .inner_join(accounts::table.on(accounts::id.eq(personal_tokens::account_id)))
        .filter(accounts::id.eq(account))
        .filter(personal_tokens::expires_at.gt(now.to_diesel()))
        .select(Account::as_select())
        .first(&mut database.connection().await?)
        .await
        .optional()?)
}
