//! Tickets: each opens one stream of one game, once.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use jiff::Timestamp;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::accounts::Account;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::schema::{accounts, stream_tickets as tickets};

/// Stores a ticket by its digest, and deletes expired tickets.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn insert(
    database: &Database,
    game_id: Uuid,
    digest: &[u8; 32],
    account_id: Uuid,
    (now, expires_at): (Timestamp, Timestamp),
) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    diesel::delete(tickets::table.filter(tickets::expires_at.le(now.to_diesel())))
        .execute(&mut connection)
        .await?;
    diesel::insert_into(tickets::table)
        .values((
            tickets::game_id.eq(game_id),
            tickets::digest.eq(digest.as_slice()),
            tickets::account_id.eq(account_id),
            tickets::expires_at.eq(expires_at.to_diesel()),
        ))
        .execute(&mut connection)
        .await?;
    Ok(())
}

/// Takes a ticket, which is gone then, and returns its account. `None` where there is no such ticket of this game, it
/// has expired, or it is valid beyond `latest`: then the clock was ahead when it was issued.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn take(
    database: &Database,
    game_id: Uuid,
    digest: &[u8; 32],
    (now, latest): (Timestamp, Timestamp),
) -> Result<Option<Account>, StoreError> {
    let mut connection = database.connection().await?;
    let owner: Option<Uuid> = diesel::delete(tickets::table.find((game_id, digest.as_slice())))
        .filter(tickets::expires_at.gt(now.to_diesel()).and(tickets::expires_at.le(latest.to_diesel())))
        .returning(tickets::account_id)
        .get_result(&mut connection)
        .await
        .optional()?;
    let Some(owner) = owner else { return Ok(None) };
    let account = accounts::table.find(owner).select(Account::as_select());
    Ok(account.first(&mut connection).await.optional()?)
}
