//! Recovery codes, of which only the digests are stored.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::accounts::{self as rows, Account, NewToken, has_name};
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::schema::{accounts, personal_tokens, recovery_codes};

/// Replaces an account's own codes by these. False: the password that was asked for, with the hash `password_hash`, does not
/// hold any more.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn replace(
    database: &Database,
    (account, password_hash): (Uuid, &str),
    digests: &[[u8; 32]],
    now: Timestamp,
) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    let replaced = connection.transaction(async |connection| {
        // Requests of one account take turns, and none comes after its deletion.
        if !rows::lock_with_password(connection, account, password_hash).await? {
            return Ok(false);
        }
        let own = recovery_codes::table.filter(recovery_codes::account_id.eq(account));
        diesel::delete(own.filter(recovery_codes::expires_at.is_null())).execute(connection).await?;
        insert(connection, account, digests, now, None).await?;
        Ok(true)
    });
    replaced.await
}

/// Adds a code that expires.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn add(
    database: &Database,
    account: Uuid,
    digest: &[u8; 32],
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let added = connection.transaction(async |connection| {
        rows::lock(connection, account).await?;
        insert_expiring(connection, account, digest, now, expires_at).await
    });
    added.await
}

/// Adds a code that expires to an account whose row is locked, and deletes those that have expired.
pub(super) async fn insert_expiring(
    connection: &mut AsyncPgConnection,
    account: Uuid,
    digest: &[u8; 32],
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    let expired = recovery_codes::table.filter(recovery_codes::expires_at.le(now.to_diesel()));
    diesel::delete(expired.filter(recovery_codes::account_id.eq(account))).execute(connection).await?;
    insert(connection, account, &[*digest], now, Some(expires_at)).await
}

/// Adds codes to an account that is new or whose row is locked. `expires_at`: none for the account's own.
pub(super) async fn insert(
    connection: &mut AsyncPgConnection,
    account: Uuid,
    digests: &[[u8; 32]],
    now: Timestamp,
    expires_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    let row = |digest: &[u8; 32]| {
        (
            recovery_codes::account_id.eq(account),
            recovery_codes::digest.eq(digest.to_vec()),
            recovery_codes::created_at.eq(now.to_diesel()),
            recovery_codes::expires_at.eq(expires_at.map(ToDiesel::to_diesel)),
        )
    };
    let rows: Vec<_> = digests.iter().map(row).collect();
    diesel::insert_into(recovery_codes::table).values(rows).execute(connection).await?;
    Ok(())
}

/// How many codes open the account at `now`.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn count(database: &Database, account: Uuid, now: Timestamp) -> Result<i64, StoreError> {
    Ok(recovery_codes::table
        .filter(recovery_codes::account_id.eq(account))
        .filter(recovery_codes::expires_at.is_null().or(recovery_codes::expires_at.gt(now.to_diesel())))
        .count()
        .get_result(&mut database.connection().await?)
        .await?)
}

/// Uses up the code of this digest: gives the account of this name the password, ends its sessions and its personal access
/// tokens, forgets a mail address that was not confirmed, and begins the session of `family`. None where the account has no
/// such code.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn recover(
    database: &Database,
    username: &str,
    digest: &[u8; 32],
    password_hash: &str,
    (family, token): (Uuid, &NewToken),
    now: Timestamp,
) -> Result<Option<Account>, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction(async |connection| {
            let named = accounts::table.filter(has_name(username)).filter(accounts::deleted_at.is_null());
            let account: Option<Uuid> =
                named.select(accounts::id).for_no_key_update().first(connection).await.optional()?;
            let Some(account) = account else { return Ok(None) };
            let code = recovery_codes::table.find((account, digest.as_slice())).filter(
                recovery_codes::expires_at.is_null().or(recovery_codes::expires_at.gt(now.to_diesel())),
            );
            if diesel::delete(code).execute(connection).await? == 0 {
                return Ok(None);
            }
            let changed = diesel::update(accounts::table.find(account))
                .set(accounts::password_hash.eq(password_hash))
                .returning(Account::as_returning())
                .get_result(connection)
                .await?;
            let tokens = personal_tokens::table.filter(personal_tokens::account_id.eq(account));
            diesel::delete(tokens).execute(connection).await?;
            rows::end_all_families(connection, account).await?;
            rows::forget_unconfirmed_address(connection, account).await?;
            rows::insert_token(connection, account, family, token).await?;
            Ok(Some(changed))
        })
        .await
}
