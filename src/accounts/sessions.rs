//! Sessions: how they are listed and ended, and the password that begins them.

use jiff::Timestamp;
use uuid::Uuid;

use crate::accounts::tokens::Player;
use crate::accounts::{AccountError, Accounts, REFRESH_LIFETIME};
use crate::store::error::StoreError;
use crate::store::{accounts, sessions};

/// A sign-in, and the refresh tokens that came from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionInfo {
    pub id: Uuid,
    pub created_at: Timestamp,
    /// When its tokens were last renewed.
    pub refreshed_at: Timestamp,
    /// When it ends if they are not renewed again.
    pub expires_at: Timestamp,
}

impl Accounts {
    /// Ends the session's refresh tokens. Its access tokens soon expire by themselves.
    ///
    /// # Errors
    /// [`AccountError::Store`] only.
    pub async fn log_out(&self, session: Uuid) -> Result<(), AccountError> {
        Ok(accounts::end_family(&self.database, session).await?)
    }

    /// Gives the player's account a new password, and ends all its other sessions.
    ///
    /// # Errors
    /// [`AccountError::WrongPassword`], [`AccountError::NoPassword`]; [`AccountError`] where the new password is not
    /// acceptable.
    pub async fn change_password(
        &self,
        player: &Player,
        current: String,
        new: String,
    ) -> Result<(), AccountError> {
        let (account, stored) = self.check_password(player.account, current).await?;
        let new = self.hash_new(&account.username, new).await?;
        let hashes = (stored.as_str(), new.as_str());
        // Another request may have changed it meanwhile.
        match sessions::change_password(&self.database, account.id, hashes, player.session).await? {
            true => Ok(()),
            false => Err(AccountError::WrongPassword),
        }
    }

    /// The account's sessions that have not ended, the newest first: those before `before`, at most `limit`.
    ///
    /// # Errors
    /// [`AccountError::Store`] only.
    pub async fn sessions(
        &self,
        account: Uuid,
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<SessionInfo>, AccountError> {
        let found = sessions::of(&self.database, account, before, limit, self.clock.now()).await?;
        found.into_iter().map(|(id, expires_at)| Ok(session(id, expires_at)?)).collect()
    }

    /// Ends a session of the account.
    ///
    /// # Errors
    /// [`AccountError::SessionNotFound`].
    pub async fn end_session(&self, account: Uuid, session: Uuid) -> Result<(), AccountError> {
        match sessions::end(&self.database, account, session).await? {
            true => Ok(()),
            false => Err(AccountError::SessionNotFound),
        }
    }

    /// Ends all sessions of the account but this one.
    ///
    /// # Errors
    /// [`AccountError::Store`] only.
    pub async fn end_other_sessions(&self, account: Uuid, kept: Uuid) -> Result<(), AccountError> {
        Ok(sessions::end_others(&self.database, account, kept).await?)
    }
}

/// A session's id begins with the time at which it was made.
fn session(id: Uuid, expires_at: Timestamp) -> Result<SessionInfo, StoreError> {
    let broken = || StoreError::Broken(format!("the session {id} says no time"));
    let (seconds, nanos) = id.get_timestamp().ok_or_else(broken)?.to_unix();
    let created_at = i64::try_from(seconds).ok().and_then(|s| Timestamp::new(s, nanos.cast_signed()).ok());
    let created_at = created_at.ok_or_else(broken)?;
    Ok(SessionInfo { id, created_at, refreshed_at: expires_at - REFRESH_LIFETIME, expires_at })
}
