//! What is forgotten when an account is deleted, and what is held about it besides its games.

use diesel::prelude::*;
use diesel::sql_types::Uuid as SqlUuid;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::accounts::{end_all_families, lock};
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::schema::{accounts, known_networks, participations, ratings_to_delete, tournaments};
use crate::store::status::Status;

/// The tables whose rows are an account's own. What belongs to them goes with them.
const OWN: [&str; 8] = [
    "personal_tokens",
    "recovery_codes",
    "mail_addresses",
    "sent_mails",
    "known_networks",
    "webhooks",
    "rating_history",
    "series",
];

/// Whether an account was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    Done,
    /// It was not, because it owns this tournament, which is not over.
    Owns(Uuid),
}

/// A tournament of the account's own that is not over.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn owned_tournament(database: &Database, account: Uuid) -> Result<Option<Uuid>, StoreError> {
    owned(&mut *database.connection().await?, account).await
}

async fn owned(connection: &mut AsyncPgConnection, account: Uuid) -> Result<Option<Uuid>, StoreError> {
    Ok(participations::table
        .inner_join(
            tournaments::table.on(participations::tournament_id.eq(tournaments::tournament_id.nullable())),
        )
        .filter(participations::account_id.eq(account).and(participations::until.is_null()))
        .filter(tournaments::created_by.eq(account))
        .filter(tournaments::status.eq_any([Status::Open, Status::Active]))
        .select(tournaments::tournament_id)
        .first(connection)
        .await
        .optional()?)
}

/// Deletes an account: the password, the role, and all rows that are its own. Its name stays taken, because it stands in
/// logs, and so does its id. An account that owns a tournament is not deleted, or nobody could run it any more.
///
/// # Errors
/// [`StoreError::Constraint`] [`ACCOUNT_DELETED`](crate::store::accounts::ACCOUNT_DELETED) where it is deleted already.
pub async fn delete(database: &Database, account: Uuid, now: Timestamp) -> Result<Deleted, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction(async |connection| {
            // A request that creates something locks the row, too: nothing comes in between.
            lock(connection, account).await?;
            if let Some(tournament) = owned(connection, account).await? {
                return Ok(Deleted::Owns(tournament));
            }
            diesel::update(accounts::table.find(account))
                .set((
                    accounts::deleted_at.eq(now.to_diesel()),
                    accounts::password_hash.eq(None::<String>),
                    accounts::role.eq("player"),
                ))
                .execute(connection)
                .await?;
            end_all_families(connection, account).await?;
            for table in OWN {
                diesel::sql_query(format!("DELETE FROM {table} WHERE account_id = $1"))
                    .bind::<SqlUuid, _>(account)
                    .execute(connection)
                    .await?;
            }
            // Nobody sees the ratings any more. They stay for as long as running games are still to be counted with them.
            diesel::insert_into(ratings_to_delete::table)
                .values(ratings_to_delete::account_id.eq(account))
                .on_conflict_do_nothing()
                .execute(connection)
                .await?;
            let ended = participations::account_id.eq(account).and(participations::until.is_not_null());
            diesel::delete(participations::table.filter(ended)).execute(connection).await?;
            Ok(Deleted::Done)
        })
        .await
}

/// The networks from which the account has signed in, with the last time.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn networks(database: &Database, account: Uuid) -> Result<Vec<(String, Timestamp)>, StoreError> {
    let found: Vec<(String, jiff_diesel::Timestamp)> = known_networks::table
        .filter(known_networks::account_id.eq(account))
        .order(known_networks::network)
        .select((known_networks::network, known_networks::seen_at))
        .load(&mut database.connection().await?)
        .await?;
    Ok(found.into_iter().map(|(network, seen_at)| (network, seen_at.into())).collect())
}
