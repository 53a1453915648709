//! The networks from which accounts have signed in lately.

use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel_async::RunQueryDsl;
use jiff::Timestamp;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::schema::{accounts, known_networks};

/// How many networks are remembered for an account; the oldest goes first.
const MOST: i64 = 32;

diesel::define_sql_function!(fn lower(text: Text) -> Text);

/// Whether a sign-in to the account of this name came from `network` after `since`.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn is_known(
    database: &Database,
    username: &str,
    network: &str,
    since: Timestamp,
) -> Result<bool, StoreError> {
    let known = known_networks::table
        .inner_join(accounts::table.on(accounts::id.eq(known_networks::account_id)))
        .filter(lower(accounts::username).eq(username.to_lowercase()))
        .filter(known_networks::network.eq(network))
        .filter(known_networks::seen_at.gt(since.to_diesel()));
    Ok(diesel::select(diesel::dsl::exists(known)).get_result(&mut database.connection().await?).await?)
}

/// Records a sign-in to the account from `network`.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn note(
    database: &Database,
    account_id: Uuid,
    network: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    diesel::insert_into(known_networks::table)
        .values((
            known_networks::account_id.eq(account_id),
            known_networks::network.eq(network),
            known_networks::seen_at.eq(now.to_diesel()),
        ))
        .on_conflict((known_networks::account_id, known_networks::network))
        .do_update()
        .set(known_networks::seen_at.eq(now.to_diesel()))
        .prepared()
        .execute(&mut connection)
        .await?;
    let of_the_account = known_networks::table.filter(known_networks::account_id.eq(account_id));
    let kept = of_the_account
        .select(known_networks::network)
        .order(known_networks::seen_at.desc())
        .limit(MOST)
        .load::<String>(&mut connection)
        .await?;
    diesel::delete(of_the_account.filter(known_networks::network.ne_all(kept)))
        .execute(&mut connection)
        .await?;
    Ok(())
}
