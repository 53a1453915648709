//! Mail addresses of accounts, and recovery of a lost password by mail. All of it is only there where the service has a
//! mail server.

use std::sync::Arc;

use jiff::SignedDuration;

use crate::accounts::recovery::normal;
use crate::accounts::tokens::Player;
use crate::accounts::{AccountError, Accounts, digest, is_username};
use crate::mail::{Mail, MailPermit, Mailer, address, texts};
use crate::store::error::StoreError;
use crate::store::mail::{self, MailAddresses, NewCode, Proposed};

/// How long an address may be confirmed after it was entered.
const CONFIRMATION: SignedDuration = SignedDuration::from_hours(24);
/// How long a recovery code holds that was sent by mail.
const RECOVERY: SignedDuration = SignedDuration::from_hours(1);

impl Accounts {
    /// # Errors
    /// [`AccountError::Store`] only.
    pub async fn mail_addresses(&self, player: &Player) -> Result<MailAddresses, AccountError> {
        Ok(mail::addresses(&self.database, player.account).await?)
    }

    /// Sends a code to a new address of the account. The address counts once it is confirmed; until then, the one before
    /// does.
    ///
    /// # Errors
    /// [`AccountError::NoMailServer`], [`AccountError::InvalidMailAddress`], [`AccountError::TooManyMails`]; the errors of
    /// [`Accounts::check_password`].
    pub async fn propose_mail_address(
        &self,
        player: &Player,
        new: &str,
        password: String,
    ) -> Result<(), AccountError> {
        let (mailer, permit) = self.mailer()?;
        let new = address(new).ok_or(AccountError::InvalidMailAddress)?;
        let (account, password_hash) = self.check_password(player.account, password).await?;
        let (code, stored) = self.mail_code(CONFIRMATION);
        match mail::propose(&self.database, (account.id, &password_hash), new.as_ref(), &stored).await? {
            Proposed::Noted => {}
            Proposed::TooManyMails => return Err(AccountError::TooManyMails),
            Proposed::PasswordChanged => return Err(AccountError::WrongPassword),
        }
        let text = texts::confirmation(new, &account.username, &code, mailer.public_url());
        post(mailer, text, permit);
        Ok(())
    }

    /// Confirms the address to which this code was sent: the code shows that the mail was read. A mail tells the address
    /// before that it was replaced.
    ///
    /// # Errors
    /// [`AccountError::WrongMailCode`].
    pub async fn confirm_mail_address(&self, code: &str) -> Result<(), AccountError> {
        let now = self.clock.now();
        // A permit is taken before: where there is a mail server, no address is replaced without a word.
        let sends = self.mailer();
        if let Err(error @ AccountError::Store(_)) = sends {
            return Err(error);
        }
        let confirmed = mail::confirm(&self.database, &digest(&normal(code)), now).await?;
        let confirmed = confirmed.ok_or(AccountError::WrongMailCode)?;
        let old = confirmed.old_address.filter(|old| *old != confirmed.new_address);
        if let (Some(old), Ok((mailer, permit))) = (old.and_then(|old| address(&old)), sends) {
            let text = texts::replacement(old, &confirmed.username, mailer.public_url());
            post(mailer, text, permit);
        }
        Ok(())
    }

    /// Forgets the account's mail addresses.
    ///
    /// # Errors
    /// The errors of [`Accounts::check_password`].
    pub async fn forget_mail_address(&self, player: &Player, password: String) -> Result<(), AccountError> {
        let (account, password_hash) = self.check_password(player.account, password).await?;
        match mail::forget(&self.database, account.id, &password_hash).await? {
            true => Ok(()),
            false => Err(AccountError::WrongPassword),
        }
    }

    /// Sends a recovery code to the account of this name, if it has a confirmed address. The caller does not learn
    /// whether it has, so nothing is looked up before this returns.
    ///
    /// # Errors
    /// [`AccountError::NoMailServer`]; [`AccountError::Store`] where as many mails are being sent as may be.
    pub fn mail_recovery_code(self: Arc<Self>, username: String) -> Result<(), AccountError> {
        let (mailer, permit) = self.mailer()?;
        let mailer = mailer.clone();
        let (code, stored) = self.mail_code(RECOVERY);
        tokio::spawn(async move {
            let added = match is_username(&username) {
                true => mail::add_recovery_code(&self.database, &username, &stored).await,
                false => Ok(None),
            };
            match added {
                Ok(Some((username, to))) => {
                    if let Some(to) = address(&to) {
                        let text = texts::recovery(to, &username, &code, mailer.public_url());
                        mailer.send(text, permit).await;
                    }
                }
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "no recovery code was sent"),
            }
        });
        Ok(())
    }

    fn mailer(&self) -> Result<(&Mailer, MailPermit), AccountError> {
        let mailer = self.mailer.as_ref().ok_or(AccountError::NoMailServer)?;
        let permit = mailer.permit().ok_or(StoreError::Busy("mail"))?;
        Ok((mailer, permit))
    }

    fn mail_code(&self, lifetime: SignedDuration) -> (String, NewCode) {
        let (code, created_at) = (self.recovery_code(), self.clock.now());
        let stored = NewCode {
            digest: digest(&normal(&code)),
            created_at,
            expires_at: created_at + lifetime,
            mail: self.entropy.id(created_at),
        };
        (code, stored)
    }
}

/// Sends a mail while the caller goes on.
fn post(mailer: &Mailer, mail: Mail, permit: MailPermit) {
    let mailer = mailer.clone();
    tokio::spawn(async move { mailer.send(mail, permit).await });
}
