//! Mail addresses of accounts, and how much mail they were sent.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bytea, Nullable, Text, Timestamptz};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff::{SignedDuration, Timestamp};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::accounts::{has_name, lock, lock_with_password};
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::recovery_codes;
use crate::store::schema::{accounts, mail_addresses, sent_mails};

/// How many confirmations an account causes in an hour.
const MOST_FOR_ACCOUNT: i64 = 5;
/// How many confirmations an address is sent in a day, whatever accounts cause them.
const MOST_TO_ADDRESS: i64 = 10;
/// How many recovery codes an account is sent in an hour. A stranger can ask for all of them; because a code holds for an hour,
/// the owner then has one that holds.
const MOST_CODES: i64 = 3;
/// From how many mails about disabled webhooks on an account is sent no more of them in a day. It can be a few more, because
/// several are taken at once.
const MOST_ABOUT_WEBHOOKS: i64 = 10;
/// The kinds of mails, as they are stored. Each is counted by itself.
const CONFIRMATION: &str = "confirmation";
const RECOVERY: &str = "recovery";
const HOUR: SignedDuration = SignedDuration::from_hours(1);
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// An account's mail addresses.
#[derive(Debug, Clone, Default, Queryable, Selectable)]
#[diesel(table_name = mail_addresses, check_for_backend(diesel::pg::Pg))]
pub struct MailAddresses {
    /// The address that its owner has confirmed.
    pub address: Option<String>,
    /// The address that takes its place once it is confirmed.
    pub new_address: Option<String>,
    #[diesel(deserialize_as = jiff_diesel::NullableTimestamp)]
    pub code_expires_at: Option<Timestamp>,
}

/// A code that was sent by mail, as it is stored.
#[derive(Debug, Clone, Copy)]
pub struct NewCode {
    pub digest: [u8; 32],
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    /// The mail that carries it.
    pub mail: Uuid,
}

/// An address that was confirmed.
#[derive(Debug, QueryableByName)]
pub struct Confirmed {
    #[diesel(sql_type = Text)]
    pub username: String,
    /// The address that it replaces.
    #[diesel(sql_type = Nullable<Text>)]
    pub old_address: Option<String>,
    #[diesel(sql_type = Text)]
    pub new_address: String,
}

/// A webhook that was disabled, and whom to tell so.
#[derive(Debug, QueryableByName)]
pub struct DisabledWebhook {
    #[diesel(sql_type = Text)]
    pub address: String,
    #[diesel(sql_type = Text)]
    pub username: String,
    #[diesel(sql_type = Text)]
    pub url: String,
    #[diesel(sql_type = Text)]
    pub disabled_reason: String,
}

/// The mail addresses of an account.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn addresses(database: &Database, account: Uuid) -> Result<MailAddresses, StoreError> {
    let found = mail_addresses::table
        .find(account)
        .select(MailAddresses::as_select())
        .first(&mut database.connection().await?)
        .await
        .optional()?;
    Ok(found.unwrap_or_default())
}

/// The mails that an account was sent lately: to which addresses, and when.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn sent(database: &Database, account: Uuid) -> Result<Vec<(String, Timestamp)>, StoreError> {
    let found: Vec<(String, jiff_diesel::Timestamp)> = sent_mails::table
        .filter(sent_mails::account_id.eq(account))
        .order(sent_mails::sent_at)
        .select((sent_mails::address, sent_mails::sent_at))
        .load(&mut database.connection().await?)
        .await?;
    Ok(found.into_iter().map(|(address, sent_at)| (address, sent_at.into())).collect())
}

/// Whether a new address was noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposed {
    Noted,
    /// The account or the address was sent as many mails as it may be.
    TooManyMails,
    /// The password that was asked for does not hold any more.
    PasswordChanged,
}

/// Notes an address that takes the place of the account's own once it is confirmed by this code. `password_hash`: of the
/// password that was asked for.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn propose(
    database: &Database,
    (account, password_hash): (Uuid, &str),
    address: &str,
    code: &NewCode,
) -> Result<Proposed, StoreError> {
    let mut connection = database.connection().await?;
    let proposed = connection.transaction(async |connection| {
        if !lock_with_password(connection, account, password_hash).await? {
            return Ok(Proposed::PasswordChanged);
        }
        if !charge(connection, account, address, code).await? {
            return Ok(Proposed::TooManyMails);
        }
        let row = (
            mail_addresses::new_address.eq(address),
            mail_addresses::code.eq(code.digest.as_slice()),
            mail_addresses::code_expires_at.eq(code.expires_at.to_diesel()),
        );
        diesel::insert_into(mail_addresses::table)
            .values((mail_addresses::account_id.eq(account), row))
            .on_conflict(mail_addresses::account_id)
            .do_update()
            .set(row)
            .execute(connection)
            .await?;
        Ok(Proposed::Noted)
    });
    proposed.await
}

/// Confirms the address to which this code was sent. None: there is no such code, or it has expired.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn confirm(
    database: &Database,
    digest: &[u8; 32],
    now: Timestamp,
) -> Result<Option<Confirmed>, StoreError> {
    Ok(diesel::sql_query(
        "WITH old AS (
             SELECT account_id, username, address FROM mail_addresses JOIN accounts ON id = account_id
             WHERE code = $1 AND code_expires_at > $2 FOR NO KEY UPDATE OF mail_addresses
         )
         UPDATE mail_addresses
         SET address = mail_addresses.new_address, new_address = NULL, code = NULL, code_expires_at = NULL
         FROM old WHERE mail_addresses.account_id = old.account_id AND mail_addresses.code = $1
         RETURNING old.username, old.address AS old_address, mail_addresses.address AS new_address",
    )
    .bind::<Bytea, _>(digest.as_slice())
    .bind::<Timestamptz, _>(now.to_diesel())
    .get_result(&mut database.connection().await?)
    .await
    .optional()?)
}

/// Forgets the mail addresses of an account. `password_hash`: of the password that was asked for. False: it does not hold any
/// more.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn forget(database: &Database, account: Uuid, password_hash: &str) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    let forgotten = connection.transaction(async |connection| {
        let is_right = lock_with_password(connection, account, password_hash).await?;
        if is_right {
            diesel::delete(mail_addresses::table.find(account)).execute(connection).await?;
        }
        Ok::<_, StoreError>(is_right)
    });
    forgotten.await
}

/// Adds a recovery code to the account of this name, if it has a confirmed address and was not sent too much mail. Gives
/// the name as it is written, and the address.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn add_recovery_code(
    database: &Database,
    username: &str,
    code: &NewCode,
) -> Result<Option<(String, String)>, StoreError> {
    let mut connection = database.connection().await?;
    let added = connection.transaction(async |connection| {
        let found: Option<(Uuid, String, Option<String>)> = accounts::table
            .inner_join(mail_addresses::table.on(mail_addresses::account_id.eq(accounts::id)))
            .filter(has_name(username).and(accounts::deleted_at.is_null()))
            .select((accounts::id, accounts::username, mail_addresses::address))
            .first(connection)
            .await
            .optional()?;
        let Some((account, username, Some(address))) = found else { return Ok(None) };
        lock(connection, account).await?;
        if !charge_recovery(connection, account, &address, code).await? {
            return Ok(None);
        }
        let NewCode { digest, created_at, expires_at, .. } = *code;
        recovery_codes::insert_expiring(connection, account, &digest, created_at, expires_at).await?;
        Ok(Some((username, address)))
    });
    added.await
}

/// Counts a recovery code to an account whose row is locked. False: it would be one too many.
async fn charge_recovery(
    connection: &mut AsyncPgConnection,
    account: Uuid,
    address: &str,
    code: &NewCode,
) -> Result<bool, StoreError> {
    let sent: i64 = sent_mails::table
        .filter(sent_mails::account_id.eq(account).and(sent_mails::kind.eq(RECOVERY)))
        .filter(sent_mails::sent_at.gt((code.created_at - HOUR).to_diesel()))
        .count()
        .get_result(connection)
        .await?;
    if sent >= MOST_CODES {
        return Ok(false);
    }
    note(connection, (account, RECOVERY), &address.to_lowercase(), code).await?;
    Ok(true)
}

/// Counts a mail to an address that an account whose row is locked has proposed. False: it would be one too many.
async fn charge(
    connection: &mut AsyncPgConnection,
    account: Uuid,
    address: &str,
    code: &NewCode,
) -> Result<bool, StoreError> {
    let (address, now) = (address.to_lowercase(), code.created_at);
    // Accounts that send to one address take turns, or each would count before the others have written.
    diesel::sql_query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind::<Text, _>(&address)
        .execute(connection)
        .await?;
    let since = |span: SignedDuration| (now - span).to_diesel();
    let of_account = sent_mails::table
        .filter(sent_mails::account_id.eq(account).and(sent_mails::kind.eq(CONFIRMATION)))
        .filter(sent_mails::sent_at.gt(since(HOUR)))
        .count()
        .get_result::<i64>(connection)
        .await?;
    let to_address = sent_mails::table
        .filter(sent_mails::address.eq(&address).and(sent_mails::kind.eq(CONFIRMATION)))
        .filter(sent_mails::sent_at.gt(since(DAY)))
        .count()
        .get_result::<i64>(connection)
        .await?;
    if of_account >= MOST_FOR_ACCOUNT || to_address >= MOST_TO_ADDRESS {
        return Ok(false);
    }
    note(connection, (account, CONFIRMATION), &address, code).await?;
    Ok(true)
}

/// Forgets some mails that were sent more than a day ago.
async fn forget_old(connection: &mut AsyncPgConnection, now: Timestamp) -> Result<(), StoreError> {
    diesel::sql_query(
        "DELETE FROM sent_mails WHERE mail_id IN (
             SELECT mail_id FROM sent_mails WHERE sent_at <= $1 LIMIT 100 FOR UPDATE SKIP LOCKED)",
    )
    .bind::<Timestamptz, _>((now - DAY).to_diesel())
    .execute(connection)
    .await?;
    Ok(())
}

/// Notes a mail of this kind.
async fn note(
    connection: &mut AsyncPgConnection,
    (account, kind): (Uuid, &str),
    address: &str,
    code: &NewCode,
) -> Result<(), StoreError> {
    forget_old(connection, code.created_at).await?;
    diesel::insert_into(sent_mails::table)
        .values((
            sent_mails::mail_id.eq(code.mail),
            sent_mails::account_id.eq(account),
            sent_mails::address.eq(address),
            sent_mails::sent_at.eq(code.created_at.to_diesel()),
            sent_mails::kind.eq(kind),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

/// Takes at most `limit` of the webhooks that were disabled in the week before `now`, not by their owners, and whose owners can
/// be told so by mail. Each is given once, to one replica.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn take_disabled_webhooks(
    database: &Database,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<DisabledWebhook>, StoreError> {
    let mut connection = database.connection().await?;
    forget_old(&mut connection, now).await?;
    Ok(diesel::sql_query(
        "WITH told AS (
             UPDATE webhooks SET is_disabled_told = true FROM accounts JOIN mail_addresses ON account_id = id
             WHERE webhook_id IN (
                 SELECT webhook_id FROM webhooks JOIN mail_addresses USING (account_id)
                 WHERE disabled_reason <> 'owner' AND push_key IS NULL AND NOT is_disabled_told AND address IS NOT NULL
                     AND disabled_at > $2 - interval '7 days'
                     AND $3 > (SELECT count(*) FROM sent_mails AS mail WHERE mail.account_id = webhooks.account_id
                         AND mail.kind = 'webhook' AND sent_at > $2 - interval '1 day')
                 LIMIT $1 FOR NO KEY UPDATE OF webhooks SKIP LOCKED)
                 AND accounts.id = webhooks.account_id
             RETURNING id, address, username, url, disabled_reason
         ), noted AS (
             INSERT INTO sent_mails (mail_id, account_id, address, sent_at, kind)
             SELECT gen_random_uuid(), id, lower(address), $2, 'webhook' FROM told
         )
         SELECT address, username, url, disabled_reason FROM told",
    )
    .bind::<BigInt, _>(limit as i64)
    .bind::<Timestamptz, _>(now.to_diesel())
    .bind::<BigInt, _>(MOST_ABOUT_WEBHOOKS)
    .load(&mut connection)
    .await?)
}
