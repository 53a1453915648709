//! How a session goes on: a refresh token is used, and another one takes its place.

use diesel::prelude::*;
use diesel::sql_types::{Bytea, Nullable, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::accounts::{Account, NewToken};
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::schema::refresh_tokens;

/// A refresh token is used.
#[derive(Debug)]
pub struct Refresh {
    /// The token's digest.
    pub used: [u8; 32],
    /// The digest of the request's `Idempotency-Key`.
    pub key: Option<[u8; 32]>,
    /// What takes its place.
    pub next: NewToken,
    pub at: Timestamp,
}

#[derive(QueryableByName)]
struct Rotated {
    #[diesel(embed)]
    account: Account,
    #[diesel(sql_type = SqlUuid)]
    family: Uuid,
}

/// Puts the next token in the place of one that has not been used, and gives the account and the family. It is one
/// statement, so of two requests that try at the same time, only one succeeds. `None` where the token is unknown, used or
/// expired.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn rotate(database: &Database, refresh: &Refresh) -> Result<Option<(Account, Uuid)>, StoreError> {
    replace(&mut *database.connection().await?, &refresh.used, refresh.key.as_ref(), refresh).await
}

/// The same for a request that is repeated because its answer was lost: the token that the lost answer had counts as used
/// from now on. `None` where the token was not used by this request, or the answer has come after all: its token was used.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn rotate_again(
    database: &Database,
    refresh: &Refresh,
) -> Result<Option<(Account, Uuid)>, StoreError> {
    let Some(key) = &refresh.key else { return Ok(None) };
    let mut connection = database.connection().await?;
    let rotated = connection.transaction(async |connection| {
        let used = refresh_tokens::table.find(refresh.used.as_slice());
        // Repeats of one request take turns.
        let successor: Option<Option<Vec<u8>>> = used
            .filter(refresh_tokens::used_with.eq(key.as_slice()))
            .select(refresh_tokens::successor)
            .for_no_key_update()
            .first(connection)
            .await
            .optional()?;
        let Some(lost) = successor.flatten() else { return Ok(None) };
        let rotated = replace(connection, &lost, None, refresh).await?;
        if rotated.is_some() {
            let next = refresh_tokens::successor.eq(refresh.next.digest.as_slice());
            diesel::update(used).set(next).execute(connection).await?;
        }
        Ok::<_, StoreError>(rotated)
    });
    rotated.await
}

/// Puts the next token in the place of `used`, which a request with this key uses.
async fn replace(
    connection: &mut AsyncPgConnection,
    used: &[u8],
    key: Option<&[u8; 32]>,
    Refresh { next, at, .. }: &Refresh,
) -> Result<Option<(Account, Uuid)>, StoreError> {
    let rotated: Option<Rotated> = diesel::sql_query(
        "WITH used AS (
             UPDATE refresh_tokens SET used_at = $2, used_with = $5, successor = $3
             WHERE digest = $1 AND used_at IS NULL AND expires_at > $2
             RETURNING family, account_id
         ), next AS (
             INSERT INTO refresh_tokens (digest, family, account_id, expires_at)
             SELECT $3, family, account_id, $4 FROM used
         )
         SELECT accounts.*, used.family FROM used JOIN accounts ON accounts.id = used.account_id",
    )
    .bind::<Bytea, _>(used)
    .bind::<Timestamptz, _>(at.to_diesel())
    .bind::<Bytea, _>(next.digest.as_slice())
    .bind::<Timestamptz, _>(next.expires_at.to_diesel())
    .bind::<Nullable<Bytea>, _>(key.map(<[u8; 32]>::as_slice))
    .get_result(connection)
    .await
    .optional()?;
    Ok(rotated.map(|Rotated { account, family }| (account, family)))
}

/// The family of a token that has been used before.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn family_of_used(database: &Database, token: &[u8; 32]) -> Result<Option<Uuid>, StoreError> {
    let family = refresh_tokens::table
        .find(token.as_slice())
        .filter(refresh_tokens::used_at.is_not_null())
        .select(refresh_tokens::family)
        .first(&mut database.connection().await?)
        .await
        .optional()?;
    Ok(family)
}
