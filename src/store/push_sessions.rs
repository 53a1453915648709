//! Subscriptions to Web Push end with the sessions in which browsers made them: whoever ends the session of a lost phone wants
//! it to show nothing more.

use diesel::prelude::*;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use crate::store::error::StoreError;
use crate::store::schema::webhooks;

/// Ends the subscriptions of a session.
pub(super) async fn end(connection: &mut AsyncPgConnection, session: Uuid) -> Result<(), StoreError> {
    diesel::delete(webhooks::table.filter(webhooks::session.eq(session))).execute(connection).await?;
    Ok(())
}

/// Ends the subscriptions of an account, but for those of the session `kept`.
pub(super) async fn end_others(
    connection: &mut AsyncPgConnection,
    account: Uuid,
    kept: Option<Uuid>,
) -> Result<(), StoreError> {
    let of_account = webhooks::account_id.eq(account).and(webhooks::push_key.is_not_null());
    let ended = webhooks::session.is_distinct_from(kept.unwrap_or_default());
    diesel::delete(webhooks::table.filter(of_account.and(ended))).execute(connection).await?;
    Ok(())
}
