//! Accounts and their sessions.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bytea, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::push_sessions;
use crate::store::schema::{accounts, mail_addresses, refresh_tokens};

/// The constraint that keeps names apart.
pub const USERNAME_TAKEN: &str = "accounts_username";

/// What is refused because the account has been deleted meanwhile. A token of it may hold for some minutes.
pub const ACCOUNT_DELETED: &str = "account_deleted";

/// What is refused because the session has ended meanwhile.
pub const SESSION_ENDED: &str = "session_ended";

#[diesel::declare_sql_function]
extern "SQL" {
    fn lower(text: Text) -> Text;
}

#[derive(Debug, Clone, Queryable, Selectable, QueryableByName)]
#[diesel(table_name = accounts)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub struct Account {
    pub id: Uuid,
    pub username: String,
    /// `None` for a guest.
    pub password_hash: Option<String>,
    pub role: String,
    #[diesel(deserialize_as = jiff_diesel::Timestamp)]
    pub created_at: Timestamp,
    /// A program, which says so for ever.
    pub is_program: bool,
}

/// A refresh token as it is stored. Only its digest is stored, so a reader of the table cannot use it.
#[derive(Debug)]
pub struct NewToken {
    pub digest: [u8; 32],
    pub expires_at: Timestamp,
}

/// Whether an account has this name, in any case.
#[diesel::dsl::auto_type(no_type_alias)]
pub(super) fn has_name<'n>(username: &'n str) -> _ {
    lower(accounts::username).eq(lower(username))
}

/// Locks the row of an account that is not deleted, so that requests of one account take turns.
///
/// # Errors
/// [`StoreError::Constraint`] of [`ACCOUNT_DELETED`]; [`StoreError`] where the database does not answer.
pub(super) async fn lock(connection: &mut AsyncPgConnection, account: Uuid) -> Result<(), StoreError> {
    let locked = accounts::table
        .find(account)
        .filter(accounts::deleted_at.is_null())
        .select(accounts::id)
        .for_no_key_update()
        .first::<Uuid>(connection)
        .await
        .optional()?;
    locked.map(|_| ()).ok_or_else(|| StoreError::Constraint(ACCOUNT_DELETED.to_owned()))
}

/// Locks the row of an account that is not deleted, if its password still has this hash. Otherwise false: a stranger who knew
/// the old password must not get in again by what that password allowed.
///
/// # Errors
/// [`StoreError::Constraint`] of [`ACCOUNT_DELETED`]; [`StoreError`] where the database does not answer.
pub(super) async fn lock_with_password(
    connection: &mut AsyncPgConnection,
    account: Uuid,
    password_hash: &str,
) -> Result<bool, StoreError> {
    lock(connection, account).await?;
    let holds = accounts::table.find(account).filter(accounts::password_hash.eq(password_hash));
    Ok(diesel::select(diesel::dsl::exists(holds)).get_result(connection).await?)
}

/// Forgets a mail address that was not confirmed: a stranger who knew the account's old password may have entered it.
pub(super) async fn forget_unconfirmed_address(
    connection: &mut AsyncPgConnection,
    account: Uuid,
) -> Result<(), StoreError> {
    diesel::update(mail_addresses::table.find(account))
        .set((
            mail_addresses::new_address.eq(None::<String>),
            mail_addresses::code.eq(None::<Vec<u8>>),
            mail_addresses::code_expires_at.eq(None::<jiff_diesel::Timestamp>),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

/// Refuses where an account whose row this transaction has locked has been deleted.
///
/// # Errors
/// [`StoreError::Constraint`] of [`ACCOUNT_DELETED`]; [`StoreError`] where the database does not answer.
pub(super) async fn refuse_deleted(
    connection: &mut AsyncPgConnection,
    account: Uuid,
) -> Result<(), StoreError> {
    let deleted = accounts::table.find(account).filter(accounts::deleted_at.is_not_null());
    match diesel::select(diesel::dsl::exists(deleted)).get_result(connection).await? {
        false => Ok(()),
        true => Err(StoreError::Constraint(ACCOUNT_DELETED.to_owned())),
    }
}

pub(super) async fn insert(connection: &mut AsyncPgConnection, account: &Account) -> Result<(), StoreError> {
    let Account { id, username, password_hash, role, created_at, is_program } = account;
    diesel::insert_into(accounts::table)
        .values((
            accounts::id.eq(id),
            accounts::username.eq(username),
            accounts::password_hash.eq(password_hash),
            accounts::role.eq(role),
            accounts::created_at.eq(created_at.to_diesel()),
            accounts::is_program.eq(is_program),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn by_id(database: &Database, id: Uuid) -> Result<Option<Account>, StoreError> {
    let account = accounts::table
        .find(id)
        .filter(accounts::deleted_at.is_null())
        .select(Account::as_select())
        .first(&mut database.connection().await?)
        .await
        .optional()?;
    Ok(account)
}

/// The account of this name, in any case.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn by_username(database: &Database, username: &str) -> Result<Option<Account>, StoreError> {
    let account = accounts::table
        .filter(has_name(username).and(accounts::deleted_at.is_null()))
        .select(Account::as_select())
        .first(&mut database.connection().await?)
        .await
        .optional()?;
    Ok(account)
}

/// The accounts of these names, in any case.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn by_usernames(database: &Database, usernames: Vec<String>) -> Result<Vec<Account>, StoreError> {
    let usernames: Vec<String> = usernames.iter().map(|name| name.to_lowercase()).collect();
    Ok(accounts::table
        .filter(lower(accounts::username).eq_any(usernames).and(accounts::deleted_at.is_null()))
        .select(Account::as_select())
        .load(&mut database.connection().await?)
        .await?)
}

/// Gives an account a role. False: there is no account of this name.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn set_role(database: &Database, username: &str, role: &str) -> Result<bool, StoreError> {
    let named = accounts::table.filter(has_name(username).and(accounts::deleted_at.is_null()));
    let changed =
        diesel::update(named).set(accounts::role.eq(role)).execute(&mut database.connection().await?).await?;
    Ok(changed > 0)
}

/// Says for ever that an account is a program. None: there is no such account.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn declare_program(database: &Database, account: Uuid) -> Result<Option<Account>, StoreError> {
    Ok(diesel::update(accounts::table.find(account).filter(accounts::deleted_at.is_null()))
        .set(accounts::is_program.eq(true))
        .returning(Account::as_returning())
        .get_result(&mut database.connection().await?)
        .await
        .optional()?)
}

/// How many sessions an account has at most.
pub const MOST_SESSIONS: i64 = 500;

/// Begins a family of refresh tokens. False where the account's password is not the one of this row any more, or the
/// account has been deleted: whoever changes either ends all families, and would miss one that begins afterwards. If the
/// account has [`MOST_SESSIONS`] others, the oldest end.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn begin_family(
    database: &Database,
    account: &Account,
    family: Uuid,
    token: &NewToken,
) -> Result<bool, StoreError> {
    let begun = diesel::sql_query(
        "WITH begun AS (
             INSERT INTO refresh_tokens (digest, family, account_id, expires_at)
             SELECT $1, $2, id, $3 FROM accounts
             WHERE id = $4 AND deleted_at IS NULL AND password_hash IS NOT DISTINCT FROM $5 FOR SHARE
             RETURNING account_id
         ), ended AS (
             DELETE FROM refresh_tokens USING begun
             WHERE refresh_tokens.account_id = begun.account_id AND family <= (
                 SELECT family FROM refresh_tokens WHERE account_id = $4 AND used_at IS NULL
                 ORDER BY family DESC OFFSET $6 LIMIT 1)
             RETURNING family
         ), silenced AS (
             DELETE FROM webhooks USING ended WHERE session = family
         )
         SELECT FROM begun",
    )
    .bind::<Bytea, _>(token.digest.as_slice())
    .bind::<SqlUuid, _>(family)
    .bind::<Timestamptz, _>(token.expires_at.to_diesel())
    .bind::<SqlUuid, _>(account.id)
    .bind::<Nullable<Text>, _>(&account.password_hash)
    .bind::<BigInt, _>(MOST_SESSIONS - 1)
    .execute(&mut database.connection().await?)
    .await?;
    Ok(begun > 0)
}

pub(super) async fn insert_token(
    connection: &mut AsyncPgConnection,
    account: Uuid,
    family: Uuid,
    token: &NewToken,
) -> Result<(), StoreError> {
    diesel::insert_into(refresh_tokens::table)
        .values((
            refresh_tokens::digest.eq(token.digest.as_slice()),
            refresh_tokens::family.eq(family),
            refresh_tokens::account_id.eq(account),
            refresh_tokens::expires_at.eq(token.expires_at.to_diesel()),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

/// The account, if its session of `family` is alive: there is a refresh token that can be used.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn signed_in(
    database: &Database,
    id: Uuid,
    family: Uuid,
    now: Timestamp,
) -> Result<Option<Account>, StoreError> {
    Ok(accounts::table
        .inner_join(refresh_tokens::table.on(refresh_tokens::account_id.eq(accounts::id)))
        .filter(accounts::id.eq(id).and(refresh_tokens::family.eq(family)))
        .filter(refresh_tokens::used_at.is_null().and(refresh_tokens::expires_at.gt(now.to_diesel())))
        .select(Account::as_select())
        .first(&mut database.connection().await?)
        .await
        .optional()?)
}

/// Ends a family, and the subscriptions of its browser. A rotation under way adds a token that the first deletion waits for
/// but does not see, so the deletion is repeated until no token is left.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn end_family(database: &Database, family: Uuid) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let tokens = || refresh_tokens::table.filter(refresh_tokens::family.eq(family));
    connection
        .transaction(async |connection| {
            while diesel::delete(tokens()).execute(connection).await? > 0 {}
            push_sessions::end(connection, family).await
        })
        .await
}

/// Ends all families of an account, and its browsers' subscriptions. Repeated as in [`end_family`].
pub(super) async fn end_all_families(
    connection: &mut AsyncPgConnection,
    account: Uuid,
) -> Result<(), StoreError> {
    let tokens = || refresh_tokens::table.filter(refresh_tokens::account_id.eq(account));
    while diesel::delete(tokens()).execute(connection).await? > 0 {}
    push_sessions::end_others(connection, account, None).await
}

/// Deletes some of the tokens that have expired, and the subscriptions of sessions that have ended so. Rows that another session is already deleting are skipped.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn clear_expired(database: &Database, now: Timestamp) -> Result<(), StoreError> {
    const AT_ONCE: i64 = 100;
    diesel::sql_query(
        "WITH gone AS (
             DELETE FROM refresh_tokens WHERE digest IN (
                 SELECT digest FROM refresh_tokens WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
             RETURNING family
         )
         DELETE FROM webhooks USING gone WHERE session = gone.family AND NOT EXISTS (
             SELECT FROM refresh_tokens WHERE family = gone.family AND expires_at > $1)",
    )
    .bind::<Timestamptz, _>(now.to_diesel())
    .bind::<BigInt, _>(AT_ONCE)
    .execute(&mut database.connection().await?)
    .await?;
    Ok(())
}
