//! New accounts, and guests that become full ones, each with its first session and its recovery codes in one transaction:
//! nobody has a name whose codes were never told.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use uuid::Uuid;

use crate::store::accounts::{self as rows, Account, NewToken};
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::recovery_codes;
use crate::store::schema::accounts;

/// What an account begins with.
pub struct Beginning<'b> {
    pub at: Timestamp,
    /// The first session's family of refresh tokens, and its first token.
    pub family: Uuid,
    pub token: &'b NewToken,
    /// The digests of the recovery codes.
    pub codes: &'b [[u8; 32]],
}

/// Stores a new account.
///
/// # Errors
/// [`StoreError::Constraint`] of [`USERNAME_TAKEN`](rows::USERNAME_TAKEN); [`StoreError`] where the database does not
/// answer.
pub async fn register(
    database: &Database,
    account: &Account,
    beginning: &Beginning<'_>,
) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction(async |connection| {
            rows::insert(connection, account).await?;
            begin(connection, account.id, beginning).await
        })
        .await
}

/// Gives a guest a name and a password, and ends all of the guest's sessions. None where the account is no guest.
///
/// # Errors
/// [`StoreError::Constraint`] of [`USERNAME_TAKEN`](rows::USERNAME_TAKEN); [`StoreError`] where the database does not
/// answer.
pub async fn upgrade(
    database: &Database,
    id: Uuid,
    (username, password_hash): (&str, &str),
    beginning: &Beginning<'_>,
) -> Result<Option<Account>, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction(async |connection| {
            let guest = accounts::table
                .find(id)
                .filter(accounts::password_hash.is_null().and(accounts::deleted_at.is_null()));
            let account = diesel::update(guest)
                .set((accounts::username.eq(username), accounts::password_hash.eq(password_hash)))
                .returning(Account::as_returning())
                .get_result(connection)
                .await
                .optional()?;
            if account.is_some() {
                rows::end_all_families(connection, id).await?;
                begin(connection, id, beginning).await?;
            }
            Ok(account)
        })
        .await
}

async fn begin(
    connection: &mut AsyncPgConnection,
    account: Uuid,
    beginning: &Beginning<'_>,
) -> Result<(), StoreError> {
    let Beginning { at, family, token, codes } = *beginning;
    rows::insert_token(connection, account, family, token).await?;
    recovery_codes::insert(connection, account, codes, at, None).await
}
