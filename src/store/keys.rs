//! The keys that sign access tokens and audits. Old keys are kept, so that their signatures stay verifiable.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl, SimpleAsyncConnection};
use jiff::Timestamp;
use jiff_diesel::ToDiesel;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::schema::signing_keys;
use crate::store::wrapping::SIGNING_KEYS;

/// The advisory lock that one replica holds while it looks for a fresh key and creates one.
const KEY_LOCK: i64 = 0x0063_6172_646b_6579;

#[derive(Clone)]
pub struct SigningKey {
    pub kid: String,
    /// The seed of the Ed25519 private key.
    pub secret: [u8; 32],
    pub created_at: Timestamp,
}

/// Every key, the newest first.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn all(database: &Database) -> Result<Vec<SigningKey>, StoreError> {
    let rows: Vec<(String, Vec<u8>, jiff_diesel::Timestamp)> = signing_keys::table
        .order((signing_keys::created_at.desc(), signing_keys::kid))
        .load(&mut database.connection().await?)
        .await?;
    let key = |(kid, wrapped, at): (String, Vec<u8>, jiff_diesel::Timestamp)| {
        let secret = database.master_keys.unwrap(SIGNING_KEYS, &kid, &wrapped)?;
        Ok(SigningKey { kid, secret, created_at: at.to_jiff() })
    };
    rows.into_iter().map(key).collect()
}

/// Stores `key`, unless there is one that was created after `stale`: then replicas agree on that one.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn add_unless_fresh(
    database: &Database,
    key: &SigningKey,
    stale: Timestamp,
) -> Result<(), StoreError> {
    let secret = database.master_keys.wrap(SIGNING_KEYS, &key.kid, &key.secret);
    let mut connection = database.connection().await?;
    connection
        .transaction(async |connection| {
            connection.batch_execute(&format!("SELECT pg_advisory_xact_lock({KEY_LOCK})")).await?;
            let fresh = signing_keys::table.filter(signing_keys::created_at.gt(stale.to_diesel()));
            if diesel::select(diesel::dsl::exists(fresh)).get_result(connection).await? {
                return Ok(());
            }
            diesel::insert_into(signing_keys::table)
                .values((
                    signing_keys::kid.eq(&key.kid),
                    signing_keys::secret.eq(secret),
                    signing_keys::created_at.eq(key.created_at.to_diesel()),
                ))
                .execute(connection)
                .await?;
            Ok(())
        })
        .await
}
