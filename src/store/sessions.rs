//! Sessions: families of refresh tokens, each of which came from one sign-in. With a session, the subscriptions to Web Push end
//! that its browser made.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::accounts::{SESSION_ENDED, forget_unconfirmed_address};
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::push_sessions;
use crate::store::schema::{accounts, refresh_tokens};

/// The families of an account that have a token which can be used, the newest first: those before `before`, at most
/// `limit`. With each, when that token expires.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn of(
    database: &Database,
    account: Uuid,
    before: Option<Uuid>,
    limit: i64,
    now: Timestamp,
) -> Result<Vec<(Uuid, Timestamp)>, StoreError> {
    let mut query = refresh_tokens::table
        .filter(refresh_tokens::account_id.eq(account).and(refresh_tokens::used_at.is_null()))
        .filter(refresh_tokens::expires_at.gt(now.to_diesel()))
        .order(refresh_tokens::family.desc())
        .limit(limit)
        .select((refresh_tokens::family, refresh_tokens::expires_at))
        .into_boxed();
    if let Some(before) = before {
        query = query.filter(refresh_tokens::family.lt(before));
    }
    let found: Vec<(Uuid, jiff_diesel::Timestamp)> = query.load(&mut database.connection().await?).await?;
    Ok(found.into_iter().map(|(family, expires_at)| (family, expires_at.into())).collect())
}

/// Ends a family of the account. False: there is none.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn end(database: &Database, account: Uuid, family: Uuid) -> Result<bool, StoreError> {
    let tokens = || {
        refresh_tokens::table
            .filter(refresh_tokens::family.eq(family).and(refresh_tokens::account_id.eq(account)))
    };
    let mut connection = database.connection().await?;
    connection
        .transaction(async |connection| {
            let mut ended = false;
            // A rotation under way adds a token that the first deletion waits for but does not see.
            while diesel::delete(tokens()).execute(connection).await? > 0 {
                ended = true;
            }
            if ended {
                push_sessions::end(connection, family).await?;
            }
            Ok(ended)
        })
        .await
}

/// Ends all families of the account but one.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn end_others(database: &Database, account: Uuid, kept: Uuid) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    connection.transaction(async |connection| delete_others(connection, account, kept).await).await
}

/// Gives an account a new password if the old one still holds, ends all its families but one, and forgets a mail address that
/// was not confirmed, in one transaction. False: the old one does not hold.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn change_password(
    database: &Database,
    account: Uuid,
    (old_hash, new_hash): (&str, &str),
    kept: Uuid,
) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction(async |connection| {
            let account_row = accounts::table.find(account).filter(accounts::password_hash.eq(old_hash));
            let changed = diesel::update(account_row)
                .set(accounts::password_hash.eq(new_hash))
                .execute(connection)
                .await?;
            if changed == 1 {
                delete_others(connection, account, kept).await?;
                forget_unconfirmed_address(connection, account).await?;
            }
            Ok::<_, StoreError>(changed == 1)
        })
        .await
}

async fn delete_others(
    connection: &mut AsyncPgConnection,
    account: Uuid,
    kept: Uuid,
) -> Result<(), StoreError> {
    let tokens = || {
        refresh_tokens::table
            .filter(refresh_tokens::account_id.eq(account).and(refresh_tokens::family.ne(kept)))
    };
    // A rotation under way adds a token that the first deletion waits for but does not see.
    while diesel::delete(tokens()).execute(connection).await? > 0 {}
    push_sessions::end_others(connection, account, Some(kept)).await
}

/// Refuses what lasts longer than a session if the session has ended: its access token still holds for some minutes then.
/// Whoever ends the session waits for this transaction.
pub(super) async fn check_alive(connection: &mut AsyncPgConnection, session: Uuid) -> Result<(), StoreError> {
    let alive: Vec<Vec<u8>> = refresh_tokens::table
        .filter(refresh_tokens::family.eq(session))
        .select(refresh_tokens::digest)
        .for_key_share()
        .load(connection)
        .await?;
    if alive.is_empty() { Err(StoreError::Constraint(SESSION_ENDED.to_owned())) } else { Ok(()) }
}
